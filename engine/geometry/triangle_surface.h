// The surface of a mesh that is not convex, as contact searches it.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "engine/geometry/contact_shape.h"
#include "engine/geometry/sdf_grid.h"
#include "engine/geometry/shape.h"

namespace slipstick {

class TriangleSurface {
 public:
  struct Facet {
    Vec3 corners[3];
    Vec3 normal;  ///< unit
  };

  /// Triangles without area are left out. The rest is in order of the search tree.
  explicit TriangleSurface(const TriangleMesh& mesh);

  const std::vector<Facet>& facets() const { return facets_; }
  Vec3 lower() const { return nodes_.front().lower; }
  Vec3 upper() const { return nodes_.front().upper; }

  /// Calls visit(facet) for every facet whose leaf's box meets a region. @param meets  meets(centre,
  /// halfExtents)
  template <class Meets, class Visit>
  void search(Meets meets, Visit visit) const {
    if (!facets_.empty()) search(0, meets, visit);
  }

  /// Takes the distance grid from the cache, or builds it; any thread may ask. At load: it takes hundreds of
  /// milliseconds.
  void prepareGrid() const;
  /// Distances inside and outside, once prepared; null: the surface is not closed.
  const SdfGrid* grid() const;

 private:
  struct Node {
    Vec3 lower, upper;
    int begin = 0, end = 0;     // facets of a leaf
    int left = -1, right = -1;  // −1 at a leaf
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
  TriangleMesh mesh_;
  mutable std::once_flag gridOnce_;
  mutable bool gridIsPrepared_ = false;
  mutable std::shared_ptr<const SdfGrid> grid_;
};

/// The point of a facet that is nearest to p.
Vec3 nearestPoint(const TriangleSurface::Facet& facet, const Vec3& p);

}  // namespace slipstick
