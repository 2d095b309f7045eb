// Nearest triangle of a mesh: a bounding-box tree.
#pragma once

#include <array>
#include <vector>

#include "engine/foundation/math.h"

namespace slipstick {

using Triangle = std::array<Vec3, 3>;

/// Squared distance from p to the triangle, exact also for one that has degenerated to a segment or point
/// [m²].
double squaredDistance(const Vec3& p, const Triangle& triangle);

class TriangleTree {
 public:
  /// @param triangles  at least one
  explicit TriangleTree(std::vector<Triangle> triangles);

  /// Distance from p to the nearest triangle, if that is below `bound`; otherwise `bound` [m].
  double distance(const Vec3& p, double bound) const;

 private:
  struct Node {
    Vec3 low, high;
    int begin = 0, end = 0;     // triangles of a leaf
    int left = -1, right = -1;  // children, −1 at a leaf
    double squaredDistance(const Vec3& p) const {
      return (low - p).cwiseMax(p - high).cwiseMax(0.0).squaredNorm();
    }
  };
  int build(int begin, int end);

  std::vector<Triangle> triangles_;
  std::vector<Node> nodes_;
};

}  // namespace slipstick
