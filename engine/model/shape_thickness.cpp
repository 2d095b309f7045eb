#include "engine/model/shape_thickness.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/geometry/triangle_mesh.h"

namespace slipstick {
namespace {

/// Lines that are tried; they are spread over the triangles by area.
constexpr int kLines = 200;
constexpr double kThinShare = 0.1;

/// Where the line p + s d, s > 0, meets the triangle: solves s (−d) + u (b − a) + w (c − a) = p − a.
std::optional<double> hit(const Triangle& t, const Vec3& p, const Vec3& d) {
  Mat3 axes;
  axes << -d, t[1] - t[0], t[2] - t[0];
  const double volume = axes.determinant();
  if (volume == 0) return {};
  const Vec3 s = axes.inverse() * (p - t[0]);
  if (!s.allFinite() || s.x() <= 0 || s.y() < 0 || s.z() < 0 || s.y() + s.z() > 1) return {};
  return s.x();
}

/// How far it is through the mesh from the middle of a triangle.
std::optional<double> through(const TriangleMesh& mesh, std::size_t from, bool facesOut) {
  const Triangle start = cornersOf(mesh, mesh.triangles[from]);
  const Vec3 inward = (facesOut ? -1.0 : 1.0) * areaVector(start).normalized();
  const Vec3 p = (start[0] + start[1] + start[2]) / 3;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (t == from) continue;
    if (const auto s = hit(cornersOf(mesh, mesh.triangles[t]), p, inward)) nearest = std::min(nearest, *s);
  }
  if (nearest == std::numeric_limits<double>::infinity()) return {};
  return nearest;
}

std::optional<double> thinnestPartOf(const TriangleMesh& mesh) {
  const double volume = signedVolume(mesh);
  double area = 0;
  for (const Eigen::Vector3i& t : mesh.triangles) area += areaVector(cornersOf(mesh, t)).norm();
  if (!(area > 0) || volume == 0) return {};
  // Lines at equal steps of area: a triangle is used once per line that falls on it.
  std::vector<double> lengths;
  double passed = 0;
  int next = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    passed += areaVector(cornersOf(mesh, mesh.triangles[t])).norm();
    const int until = std::min(kLines, static_cast<int>(passed / area * kLines + 0.5));
    if (until <= next) continue;
    if (const auto length = through(mesh, t, volume > 0))
      lengths.insert(lengths.end(), static_cast<std::size_t>(until - next), *length);
    next = until;
  }
  if (lengths.empty()) return {};
  const auto thin =
      lengths.begin() + static_cast<std::ptrdiff_t>(kThinShare * static_cast<double>(lengths.size()));
  std::nth_element(lengths.begin(), thin, lengths.end());
  return *thin;
}

struct Thinnest {
  std::optional<double> operator()(const shape::Plane&) const { return {}; }
  std::optional<double> operator()(const shape::Sphere& s) const { return 2 * s.radius; }
  std::optional<double> operator()(const shape::Box& s) const { return 2 * s.halfExtents.minCoeff(); }
  std::optional<double> operator()(const shape::Capsule& s) const { return 2 * s.radius; }
  std::optional<double> operator()(const shape::Cylinder& s) const {
    return std::min(2 * s.radius, s.length);
  }
  std::optional<double> operator()(const shape::Ellipsoid& s) const { return 2 * s.radii.minCoeff(); }
  std::optional<double> operator()(const shape::Mesh& s) const { return thinnestPartOf(*s.mesh); }
};

}  // namespace

std::optional<double> thinnestPart(const Shape& shape) {
  return std::visit(Thinnest{}, shape);
}

}  // namespace slipstick
