#include "engine/geometry/triangle_surface.h"

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
    : TriangleTree(facetsWithArea(mesh)), mesh_(mesh) {}

const SdfGrid* TriangleSurface::grid() const {
  std::call_once(gridMade_, [this] {
    if (auto built = SdfGrid::build(mesh_)) grid_ = *built;
  });
  return grid_.get();
}

}  // namespace slipstick
