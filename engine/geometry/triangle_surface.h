// The surface of a mesh that is not convex, as contact searches it.
#pragma once

#include <memory>
#include <mutex>

#include "engine/geometry/sdf_grid.h"
#include "engine/geometry/shape.h"
#include "engine/geometry/triangle_tree.h"

namespace slipstick {

/// The facets of a mesh; triangles without area are left out.
class TriangleSurface : public TriangleTree {
 public:
  /// @param mesh  checked, see checkMesh()
  explicit TriangleSurface(const TriangleMesh& mesh);

  /// Distances inside and outside, made when they are first asked for; null: the surface is not closed.
  const SdfGrid* grid() const;

 private:
  TriangleMesh mesh_;
  mutable std::once_flag gridMade_;
  mutable std::shared_ptr<const SdfGrid> grid_;
};

}  // namespace slipstick
