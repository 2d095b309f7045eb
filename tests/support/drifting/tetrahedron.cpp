#include "tests/support/drifting/tetrahedron.h"

#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "engine/compile/compilation.h"
#include "engine/geometry/shape_bounds.h"

namespace slipstick::drifting {
namespace {

std::shared_ptr<const Tetrahedron> tetrahedron(double size, const MaterialParameters& material) {
  auto made = std::make_shared<Tetrahedron>();
  made->size = size;
  made->modulus = material.E;
  return made;
}

bool hasCorners(const DeformableSpec& spec, const MaterialParameters& material) {
  return material.model != MaterialModel::Cloth && !spec.sheet &&
         (std::holds_alternative<shape::Box>(spec.shape) || std::holds_alternative<shape::Mesh>(spec.shape));
}

Error refusal(const Compilation& c, const DeformableSpec& spec) {
  return {ErrorCode::Unsupported, "only a box or a closed mesh becomes a tetrahedron",
          c.where(elementOf(spec).at("shape")), "write shape: box, or choose another method"};
}

/// Every other corner of the box.
std::vector<Vec3> cornersOf(const Eigen::AlignedBox3d& box) {
  std::vector<Vec3> corners;
  for (const Vec3& sign : {Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)})
    corners.push_back(box.center() + 0.5 * sign.cwiseProduct(box.sizes()));
  return corners;
}

std::shared_ptr<const SurfaceMesh> surfaceOf(const std::vector<Vec3>& corners) {
  SurfaceMesh surface{.vertices = kCorners, .triangles = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};
  double area = 0;
  for (const Eigen::Vector3i& t : surface.triangles) {
    const auto corner = [&](int k) { return corners[static_cast<std::size_t>(t[k])]; };
    area += 0.5 * (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm();
  }
  surface.spacing = std::sqrt(area / static_cast<double>(surface.triangles.size()));
  return std::make_shared<const SurfaceMesh>(std::move(surface));
}

}  // namespace

std::shared_ptr<const Discretization> Tetrahedron::with(const MaterialParameters& material) const {
  return material.E == modulus ? nullptr : tetrahedron(size, material);
}

Result<DeformableNodes> asTetrahedron(Compilation& c, const DeformableSpec& spec,
                                      const MaterialParameters& material) {
  if (!hasCorners(spec, material)) return refusal(c, spec);
  const Eigen::AlignedBox3d box = roughBounds(spec.shape);
  const double volume = box.volume() / 3;
  DeformableNodes nodes;
  nodes.points = cornersOf(box);
  nodes.volumes.assign(kCorners, volume / kCorners);
  nodes.spacing = std::cbrt(volume / kCorners);
  nodes.resolution = 0.01 * nodes.spacing;
  nodes.surface = surfaceOf(nodes.points);
  nodes.discretization = tetrahedron(std::cbrt(volume), material);
  return nodes;
}

}  // namespace slipstick::drifting
