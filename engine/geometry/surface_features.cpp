#include "engine/geometry/surface_features.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace slipstick {
namespace {

constexpr double kLevel = 1e-6;  // sine between facets that are level

using Key = std::array<double, 3>;
using Side = std::pair<Key, Key>;  // ends in order

Key keyOf(const Vec3& p) {
  return {p.x(), p.y(), p.z()};
}

/// Which facets lie at each side, and the corner of each that is not on it.
struct Neighbour {
  std::size_t facet;
  Vec3 corner;
};
using Sides = std::map<Side, std::vector<Neighbour>>;

Sides sidesOf(const std::vector<Facet>& facets) {
  Sides sides;
  for (std::size_t f = 0; f < facets.size(); ++f)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& c = facets[f].corners;
      Key from = keyOf(c[k]), to = keyOf(c[(k + 1) % 3]);
      if (to < from) std::swap(from, to);
      sides[{from, to}].push_back({f, c[(k + 2) % 3]});
    }
  return sides;
}

/// The sine by which the second facet rises over the first one's plane.
double rise(const std::vector<Facet>& facets, const Side& side, const std::vector<Neighbour>& two) {
  const Facet& f = facets[two[0].facet];
  const Vec3 from(side.first.data()), along = (Vec3(side.second.data()) - from).normalized();
  const Vec3 r = two[1].corner - from;
  return f.normal.dot(r) / (r - r.dot(along) * along).norm();
}

int rootOf(std::vector<int>& parent, int i) {
  while (parent[static_cast<std::size_t>(i)] != i) i = parent[static_cast<std::size_t>(i)];
  return i;
}

void join(std::vector<int>& parent, std::size_t a, std::size_t b) {
  parent[static_cast<std::size_t>(rootOf(parent, static_cast<int>(b)))] = rootOf(parent, static_cast<int>(a));
}

/// Into the first place that is free.
void own(std::array<int, 3>& places, std::size_t index) {
  *std::find(places.begin(), places.end(), -1) = static_cast<int>(index);
}

/// Numbers the roots, and gives each facet its root's number.
int number(std::vector<int>& parent) {
  std::vector<int> numbers(parent.size(), -1), result;
  int count = 0;
  for (std::size_t f = 0; f < parent.size(); ++f) {
    int& n = numbers[static_cast<std::size_t>(rootOf(parent, static_cast<int>(f)))];
    if (n < 0) n = count++;
    result.push_back(n);
  }
  parent = std::move(result);
  return count;
}

}  // namespace

SurfaceFeatures SurfaceFeatures::of(const std::vector<Facet>& facets) {
  SurfaceFeatures features;
  features.planes.resize(facets.size());
  std::iota(features.planes.begin(), features.planes.end(), 0);
  features.ownVertices.assign(facets.size(), {-1, -1, -1});
  features.ownEdges = features.ownVertices;
  std::set<Key> corners;
  const auto addVertex = [&](const Key& key, std::size_t owner) {
    if (!corners.insert(key).second) return;
    own(features.ownVertices[owner], features.vertices.size());
    features.vertices.emplace_back(key.data());
  };
  for (const auto& [side, beside] : sidesOf(facets)) {
    features.isOpen = features.isOpen || beside.size() == 1;
    const double sine = beside.size() == 2 ? rise(facets, side, beside) : -1;
    const std::size_t first = beside[0].facet;
    if (sine < -kLevel) {
      own(features.ownEdges[first], features.edges.size());
      features.edges.push_back({Vec3(side.first.data()), Vec3(side.second.data())});
      addVertex(side.first, first), addVertex(side.second, first);
    } else if (sine <= kLevel && facets[first].normal.dot(facets[beside[1].facet].normal) > 0) {
      join(features.planes, first, beside[1].facet);
    }
  }
  features.planeCount = number(features.planes);
  return features;
}

}  // namespace slipstick
