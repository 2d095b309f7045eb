#include "engine/model/soft_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "engine/model/model.h"

namespace slipstick {
namespace {

Eigen::Vector3f twiceArea(const Eigen::Vector3i& t, std::span<const Eigen::Vector3f> x) {
  const auto corner = [&](int k) -> const Eigen::Vector3f& { return x[static_cast<std::size_t>(t[k])]; };
  return (corner(1) - corner(0)).cross(corner(2) - corner(0));
}

}  // namespace

SoftSurface surfaceOf(const Deformable& d) {
  SoftSurface surface;
  surface.first = static_cast<std::size_t>(d.begin);
  if (d.surface) {
    surface.vertexCount = static_cast<std::size_t>(d.surface->vertices);
    surface.triangles = d.surface->triangles;
    surface.isSheet = d.surface->isSheet;
    surface.spacing = d.surface->spacing;
  } else {
    surface.vertexCount = static_cast<std::size_t>(d.end - d.begin);
    surface.spacing = d.spacing;
  }
  return surface;
}

std::vector<Eigen::Vector3f> normalsOf(const SoftSurface& surface,
                                       std::span<const Eigen::Vector3f> vertices) {
  std::vector<Eigen::Vector3f> normals(vertices.size(), Eigen::Vector3f::Zero());
  for (const Eigen::Vector3i& t : surface.triangles) {
    const Eigen::Vector3f share = twiceArea(t, vertices);
    for (const int v : t) normals[static_cast<std::size_t>(v)] += share;
  }
  for (Eigen::Vector3f& normal : normals) {
    const float length = normal.norm();
    normal = length > 0 ? Eigen::Vector3f(normal / length) : Eigen::Vector3f::UnitZ();
  }
  return normals;
}

}  // namespace slipstick
