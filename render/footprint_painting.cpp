// Pressure on surfaces from the impulses of particles.
#include <algorithm>
#include <cmath>
#include <map>

#include "render/contact_arrows.h"
#include "render/contact_facts.h"
#include "render/footprints.h"

namespace slipstick::render {
namespace {

using Place = FootprintCache::Place;

constexpr double kReach = 3, kSpacing = 0.6;  // in particle spacings
constexpr double kFinest = 2.5;               // [logical px]
constexpr double kAgrees = 0.3;               // cosine between the normals of a contact and a point
/// Where so little of the kernels arrives, depths fade out [-].
constexpr double kCovered = 0.3;

/// Puts blocks together and spreads contacts over them.
class Painting {
 public:
  Painting(FootprintCache& cache, int geometry, double spacing, double reach)
      : cache_(cache), geometry_(geometry), spacing_(spacing), reach_(reach) {}

  /// @return whether any surface is there
  bool spread(const Contact& contact, const Pose& X_GW);
  PaintedSurface finish() &&;

 private:
  struct Share {
    std::size_t point = 0;
    double weight = 0;  ///< before it is normalised [-]
  };
  struct Range {
    std::size_t begin = 0, end = 0;  ///< into the points
  };

  Range pointsOf(const Place& place);
  void addPoints(const Range& range, const Vec3& p, const Vec3& normal);

  FootprintCache& cache_;
  int geometry_;
  double spacing_, reach_;
  std::map<Place, Range> ranges_;
  std::vector<Share> shares_;          ///< of the contact at hand
  std::vector<double> depth_, cover_;  ///< Σ kernel · depth, Σ kernel
  PaintedSurface surface_;
};

Painting::Range Painting::pointsOf(const Place& place) {
  const auto [entry, isNew] = ranges_.try_emplace(place);
  if (!isNew) return entry->second;
  const SurfaceBlock& block = cache_.block(geometry_, spacing_, place);
  const std::size_t begin = surface_.points.size(), end = begin + block.points.size();
  surface_.points.insert(surface_.points.end(), block.points.begin(), block.points.end());
  surface_.normals.insert(surface_.normals.end(), block.normals.begin(), block.normals.end());
  surface_.areas.insert(surface_.areas.end(), block.areas.begin(), block.areas.end());
  for (const Eigen::Vector3i& t : block.triangles)
    surface_.triangles.push_back(t.array() + static_cast<int>(begin));
  for (std::vector<double>* values : {&surface_.pressure, &depth_, &cover_}) values->resize(end, 0);
  return entry->second = {begin, end};
}

void Painting::addPoints(const Range& range, const Vec3& p, const Vec3& normal) {
  for (std::size_t v = range.begin; v < range.end; ++v) {
    const double far = (surface_.points[v] - p).squaredNorm() / (reach_ * reach_);
    if (far >= 1 || surface_.normals[v].dot(normal) < kAgrees) continue;
    shares_.push_back({v, (1 - far) * (1 - far) * (1 - far)});
  }
}

bool Painting::spread(const Contact& contact, const Pose& X_GW) {
  const Vec3 p = cache_.project(geometry_, X_GW * contact.p_WC), normal = X_GW.R * contact.normal_W;
  const double side = FootprintCache::kCells * spacing_;
  const auto lower = ((p.array() - reach_) / side).floor().cast<int>().eval();
  const auto upper = ((p.array() + reach_) / side).floor().cast<int>().eval();
  shares_.clear();
  for (int z = lower.z(); z <= upper.z(); ++z)
    for (int y = lower.y(); y <= upper.y(); ++y)
      for (int x = lower.x(); x <= upper.x(); ++x) addPoints(pointsOf({x, y, z}), p, normal);
  double sum = 0;
  for (const Share& share : shares_) sum += share.weight * surface_.areas[share.point];
  if (!(sum > 0)) return false;
  const double n = contact.normalForce();
  for (const Share& share : shares_) {
    surface_.pressure[share.point] += n * share.weight / sum;
    depth_[share.point] += contact.penetration() * share.weight;
    cover_[share.point] += share.weight;
  }
  surface_.force += n;
  surface_.outward += std::max(n, 0.0) * normal;
  return true;
}

PaintedSurface Painting::finish() && {
  surface_.geometry = geometry_;
  surface_.depth.resize(depth_.size());
  for (std::size_t v = 0; v < depth_.size(); ++v)
    surface_.depth[v] = cover_[v] > 0 ? depth_[v] / std::max(cover_[v], kCovered) : 0;
  return std::move(surface_);
}

}  // namespace

PaintedSurface paintParticles(const FrameInput& input, FootprintCache& cache, const PairForce& force,
                              int geometry, std::vector<int>& lost) {
  const Geometry& g = input.model->geometries[static_cast<std::size_t>(geometry)];
  const Pose X_GW = (input.snapshot->X_WB[static_cast<std::size_t>(g.body)] * g.X_BG).inverse();
  double size = particleSpacing(*input.model, force.pair);
  while (kSpacing * size < kFinest * metresPerPixel(input, force.centerOfPressure)) size *= 2;
  Painting painting(cache, geometry, kSpacing * size, kReach * size);
  for (const int i : force.contacts) {
    const Contact& c = input.snapshot->contacts[static_cast<std::size_t>(i)];
    if (c.a.geometry == geometry && !painting.spread(c, X_GW)) lost.push_back(i);
  }
  return std::move(painting).finish();
}

}  // namespace slipstick::render
