#include "engine/geometry/triangle_surface.h"

#include "engine/foundation/require.h"
#include "engine/geometry/sdf_grid_cache.h"

namespace slipstick {
namespace {

std::vector<Facet> facetsWithArea(const TriangleMesh& mesh) {
  std::vector<Facet> facets;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Facet facet = facetOf(cornersOf(mesh, t));
    if (!facet.normal.isZero(0)) facets.push_back(facet);
  }
  return facets;
}

}  // namespace

TriangleSurface::TriangleSurface(const TriangleMesh& mesh)
    : TriangleTree(facetsWithArea(mesh)), mesh_(mesh), features_(SurfaceFeatures::of(facets())) {}

void TriangleSurface::prepareGrid() const {
  std::call_once(gridOnce_, [this] {
    if (auto grid = SdfGridCache::shared().gridOf(mesh_)) grid_ = *grid;
    gridIsPrepared_ = true;
  });
}

const SdfGrid* TriangleSurface::grid() const {
  SIM_REQUIRE(gridIsPrepared_);
  return grid_.get();
}

}  // namespace slipstick
