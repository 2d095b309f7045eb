// The triangles of a mesh in a tree of bounding boxes: the nearest one, or all that meet a region.
#pragma once

#include <vector>

#include "engine/foundation/math.h"
#include "engine/geometry/triangle_mesh.h"

namespace slipstick {

struct Facet {
  Triangle corners;
  Vec3 normal;  ///< unit; zero where the triangle has degenerated to a segment or a point
};

Facet facetOf(const Triangle& triangle);

/// The point of a facet that is nearest to p.
Vec3 nearestPoint(const Facet& facet, const Vec3& p);

class TriangleTree {
 public:
  /// @param facets  at least one; the tree puts them in its own order
  explicit TriangleTree(std::vector<Facet> facets);

  const std::vector<Facet>& facets() const { return facets_; }
  Vec3 lower() const { return nodes_.front().lower; }
  Vec3 upper() const { return nodes_.front().upper; }

  /// Distance from p to the nearest facet, if that is below `bound`; otherwise `bound` [m].
  double distance(const Vec3& p, double bound) const;

  /// Calls visit(facet) for every facet whose leaf's box meets a region.
  /// @param meets  meets(centre, halfExtents) of a box
  template <class Meets, class Visit>
  void search(Meets meets, Visit visit) const {
    search(0, meets, visit);
  }

 private:
  struct Node {
    Vec3 lower, upper;
    int begin = 0, end = 0;     // facets of a leaf
    int left = -1, right = -1;  // children, −1 at a leaf
    double squaredDistance(const Vec3& p) const {
      return (lower - p).cwiseMax(p - upper).cwiseMax(0.0).squaredNorm();
    }
  };
  int build(int begin, int end);
  template <class Meets, class Visit>
  void search(int index, Meets& meets, Visit& visit) const {
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    if (!meets(Vec3((node.lower + node.upper) / 2), Vec3((node.upper - node.lower) / 2))) return;
    if (node.left < 0) {
      for (int i = node.begin; i < node.end; ++i) visit(facets_[static_cast<std::size_t>(i)]);
      return;
    }
    search(node.left, meets, visit);
    search(node.right, meets, visit);
  }

  std::vector<Facet> facets_;
  std::vector<Node> nodes_;
};

}  // namespace slipstick
