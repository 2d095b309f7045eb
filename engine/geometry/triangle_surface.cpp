#include "engine/geometry/triangle_surface.h"

#include <algorithm>

#include "engine/foundation/require.h"
#include "engine/geometry/sdf_grid_cache.h"

namespace slipstick {

TriangleSurface::TriangleSurface(const TriangleMesh& mesh) : mesh_(mesh) {
  const auto vertex = [&](int i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Vec3 a = vertex(t[0]), b = vertex(t[1]), c = vertex(t[2]), n = (b - a).cross(c - a);
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    if (n.norm() > 1e-12 * longest) facets_.push_back({{a, b, c}, n.normalized()});
  }
  if (!facets_.empty()) build(0, static_cast<int>(facets_.size()));
}

int TriangleSurface::build(int begin, int end) {
  const auto index = nodes_.size();
  nodes_.emplace_back();
  Node node;
  node.lower = node.upper = facets_[static_cast<std::size_t>(begin)].corners[0];
  for (int i = begin; i < end; ++i)
    for (const Vec3& c : facets_[static_cast<std::size_t>(i)].corners)
      node.lower = node.lower.cwiseMin(c), node.upper = node.upper.cwiseMax(c);
  node.begin = begin, node.end = end;
  if (end - begin > 4) {
    int axis = 0;
    (node.upper - node.lower).maxCoeff(&axis);
    const int middle = begin + (end - begin) / 2;
    const auto centre = [axis](const Facet& f) {
      return f.corners[0][axis] + f.corners[1][axis] + f.corners[2][axis];
    };
    std::nth_element(facets_.begin() + begin, facets_.begin() + middle, facets_.begin() + end,
                     [&](const Facet& a, const Facet& b) { return centre(a) < centre(b); });
    node.left = build(begin, middle), node.right = build(middle, end);
  }
  nodes_[index] = node;
  return static_cast<int>(index);
}

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

Vec3 nearestPoint(const TriangleSurface::Facet& facet, const Vec3& p) {
  const Vec3* c = facet.corners;
  bool inside = true;
  Vec3 best = c[0];
  for (int k = 0; k < 3; ++k) {
    const Vec3 edge = c[(k + 1) % 3] - c[k], r = p - c[k];
    if (facet.normal.cross(edge).dot(r) >= 0) continue;
    const double t = std::clamp(r.dot(edge) / edge.squaredNorm(), 0.0, 1.0);
    const Vec3 q = c[k] + t * edge;
    if (inside || (q - p).squaredNorm() < (best - p).squaredNorm()) best = q;
    inside = false;
  }
  return inside ? Vec3(p - facet.normal.dot(p - c[0]) * facet.normal) : best;
}

}  // namespace slipstick
