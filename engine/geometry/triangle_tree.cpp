#include "engine/geometry/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/foundation/require.h"

namespace slipstick {
namespace {

constexpr int kLeafSize = 4;
/// Of the search's stack; the tree halves, so that 2³² triangles need half of it.
constexpr int kMaxDepth = 64;

}  // namespace

Facet facetOf(const Triangle& t) {
  return {t, isThin(t) ? Vec3(Vec3::Zero()) : Vec3(areaVector(t).normalized())};
}

Vec3 nearestPoint(const Facet& facet, const Vec3& p) {
  const bool flat = !facet.normal.isZero(0);
  bool inside = flat;  // the foot of the perpendicular lies inside the triangle
  Vec3 best = facet.corners[0];
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 edge = facet.corners[(k + 1) % 3] - facet.corners[k], r = p - facet.corners[k];
    if (flat && facet.normal.cross(edge).dot(r) >= 0) continue;
    inside = false;
    const double length2 = edge.squaredNorm();
    const double t = length2 > 0 ? std::clamp(r.dot(edge) / length2, 0.0, 1.0) : 0;
    const double distance = (r - t * edge).squaredNorm();
    if (distance >= nearest) continue;
    nearest = distance;
    best = facet.corners[k] + t * edge;
  }
  return inside ? Vec3(p - facet.normal.dot(p - facet.corners[0]) * facet.normal) : best;
}

TriangleTree::TriangleTree(std::vector<Facet> facets) : facets_(std::move(facets)) {
  SIM_REQUIRE(!facets_.empty());
  build(0, static_cast<int>(facets_.size()));
}

int TriangleTree::build(int begin, int end) {
  Node node;
  node.lower = Vec3::Constant(std::numeric_limits<double>::infinity());
  node.upper = -node.lower;
  for (int i = begin; i < end; ++i)
    for (const Vec3& corner : facets_[static_cast<std::size_t>(i)].corners) {
      node.lower = node.lower.cwiseMin(corner);
      node.upper = node.upper.cwiseMax(corner);
    }
  node.begin = begin, node.end = end;
  const auto index = nodes_.size();
  nodes_.push_back(node);
  if (end - begin > kLeafSize) {
    Eigen::Index axis = 0;
    (node.upper - node.lower).maxCoeff(&axis);
    const auto centre = [axis](const Facet& f) {
      return f.corners[0][axis] + f.corners[1][axis] + f.corners[2][axis];
    };
    const int middle = begin + (end - begin) / 2;
    std::nth_element(facets_.begin() + begin, facets_.begin() + middle, facets_.begin() + end,
                     [&](const Facet& a, const Facet& b) { return centre(a) < centre(b); });
    const int left = build(begin, middle), right = build(middle, end);
    nodes_[index].left = left, nodes_[index].right = right;
  }
  return static_cast<int>(index);
}

double TriangleTree::distance(const Vec3& p, double bound) const {
  double best = bound * bound;
  struct Pending {
    int node;
    double squaredDistance;
  };
  std::array<Pending, kMaxDepth> stack;
  std::size_t pending = 0;
  const auto push = [&](int node) {
    const double d = nodes_[static_cast<std::size_t>(node)].squaredDistance(p);
    if (d < best) stack[pending++] = {node, d};
  };
  push(0);
  while (pending > 0) {
    const Pending next = stack[--pending];
    if (next.squaredDistance >= best) continue;
    const Node& node = nodes_[static_cast<std::size_t>(next.node)];
    if (node.left < 0) {
      for (int i = node.begin; i < node.end; ++i)
        best = std::min(best, (nearestPoint(facets_[static_cast<std::size_t>(i)], p) - p).squaredNorm());
      continue;
    }
    // The nearer child is searched first: it is pushed last.
    const Node &l = nodes_[static_cast<std::size_t>(node.left)],
               &r = nodes_[static_cast<std::size_t>(node.right)];
    const bool leftFirst = l.squaredDistance(p) < r.squaredDistance(p);
    push(leftFirst ? node.right : node.left);
    push(leftFirst ? node.left : node.right);
  }
  return std::sqrt(best);
}

}  // namespace slipstick
