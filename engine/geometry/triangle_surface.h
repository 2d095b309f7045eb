// The surface of a mesh that is not convex, as contact searches it.
#pragma once

#include <memory>
#include <mutex>

#include "engine/geometry/sdf_grid.h"
#include "engine/geometry/shape.h"
#include "engine/geometry/surface_features.h"
#include "engine/geometry/triangle_tree.h"

namespace slipstick {

/// The facets of a mesh; triangles without area are left out.
class TriangleSurface : public TriangleTree {
 public:
  /// @param mesh  checked, see checkMesh()
  explicit TriangleSurface(const TriangleMesh& mesh);

  const SurfaceFeatures& features() const { return features_; }

  /// Takes the distance grid from the cache, or builds it; any thread may ask. At load: it takes hundreds of
  /// milliseconds.
  void prepareGrid() const;
  /// Distances inside and outside, once prepared; null: the surface is not closed.
  const SdfGrid* grid() const;

 private:
  TriangleMesh mesh_;
  SurfaceFeatures features_;
  mutable std::once_flag gridOnce_;
  mutable bool gridIsPrepared_ = false;
  mutable std::shared_ptr<const SdfGrid> grid_;
};

}  // namespace slipstick
