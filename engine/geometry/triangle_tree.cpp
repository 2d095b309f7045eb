#include "engine/geometry/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/foundation/require.h"

namespace slipstick {
namespace {

constexpr int kLeafSize = 4;
constexpr int kMaxDepth =
    64;  // of the search's stack; the tree halves, so that 2³² triangles need half of it

double squaredDistanceToSegment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double length2 = ab.squaredNorm();
  const double t = length2 > 0 ? std::clamp((p - a).dot(ab) / length2, 0.0, 1.0) : 0.0;
  return (p - a - t * ab).squaredNorm();
}

}  // namespace

double squaredDistance(const Vec3& p, const Triangle& t) {
  const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
  const double area2 = normal.squaredNorm();
  bool above = area2 > 0;  // the foot of the perpendicular lies inside the triangle
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &a = t[i], &b = t[(i + 1) % 3];
    if (normal.cross(b - a).dot(p - a) >= 0) continue;
    above = false;
    nearest = std::min(nearest, squaredDistanceToSegment(p, a, b));
  }
  if (above) {
    const double height = normal.dot(p - t[0]);
    return height * height / area2;
  }
  if (area2 > 0) return nearest;
  for (std::size_t i = 0; i < 3; ++i)
    nearest = std::min(nearest, squaredDistanceToSegment(p, t[i], t[(i + 1) % 3]));
  return nearest;
}

TriangleTree::TriangleTree(std::vector<Triangle> triangles) : triangles_(std::move(triangles)) {
  SIM_REQUIRE(!triangles_.empty());
  build(0, static_cast<int>(triangles_.size()));
}

int TriangleTree::build(int begin, int end) {
  Node node;
  node.low = Vec3::Constant(std::numeric_limits<double>::infinity());
  node.high = -node.low;
  for (int i = begin; i < end; ++i)
    for (const Vec3& corner : triangles_[static_cast<std::size_t>(i)]) {
      node.low = node.low.cwiseMin(corner);
      node.high = node.high.cwiseMax(corner);
    }
  node.begin = begin, node.end = end;
  const auto index = nodes_.size();
  nodes_.push_back(node);
  if (end - begin > kLeafSize) {
    Eigen::Index axis = 0;
    (node.high - node.low).maxCoeff(&axis);
    const auto centre = [axis](const Triangle& t) { return t[0][axis] + t[1][axis] + t[2][axis]; };
    const int middle = begin + (end - begin) / 2;
    std::nth_element(triangles_.begin() + begin, triangles_.begin() + middle, triangles_.begin() + end,
                     [&](const Triangle& a, const Triangle& b) { return centre(a) < centre(b); });
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
        best = std::min(best, squaredDistance(p, triangles_[static_cast<std::size_t>(i)]));
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
