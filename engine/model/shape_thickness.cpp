#include "engine/model/shape_thickness.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace slipstick {
namespace {

/// Lines that are tried; they are spread over the triangles by area.
constexpr int kLines = 200;
constexpr double kThinShare = 0.1;

struct Corners {
  Vec3 a, b, c;
  Vec3 areaVector() const { return 0.5 * (b - a).cross(c - a); }
};

Corners cornersOf(const TriangleMesh& mesh, const Eigen::Vector3i& t) {
  const auto at = [&](int i) { return mesh.vertices[static_cast<std::size_t>(t[i])]; };
  return {at(0), at(1), at(2)};
}

/// Where the line p + s d, s > 0, meets the triangle: solves s (−d) + u (b − a) + w (c − a) = p − a.
std::optional<double> hit(const Corners& t, const Vec3& p, const Vec3& d) {
  Mat3 axes;
  axes << -d, t.b - t.a, t.c - t.a;
  const double volume = axes.determinant();
  if (volume == 0) return {};
  const Vec3 s = axes.inverse() * (p - t.a);
  if (!s.allFinite() || s.x() <= 0 || s.y() < 0 || s.z() < 0 || s.y() + s.z() > 1) return {};
  return s.x();
}

/// How far it is through the mesh from the middle of a triangle.
std::optional<double> through(const TriangleMesh& mesh, std::size_t from, bool facesOut) {
  const Corners start = cornersOf(mesh, mesh.triangles[from]);
  const Vec3 inward = (facesOut ? -1.0 : 1.0) * start.areaVector().normalized();
  const Vec3 p = (start.a + start.b + start.c) / 3;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (t == from) continue;
    if (const auto s = hit(cornersOf(mesh, mesh.triangles[t]), p, inward)) nearest = std::min(nearest, *s);
  }
  if (nearest == std::numeric_limits<double>::infinity()) return {};
  return nearest;
}

std::optional<double> thinnestPartOf(const TriangleMesh& mesh) {
  double area = 0, volume = 0;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Corners corners = cornersOf(mesh, t);
    area += corners.areaVector().norm();
    volume += corners.a.dot(corners.areaVector()) / 3;
  }
  if (!(area > 0) || volume == 0) return {};
  // Lines at equal steps of area: a triangle is used once per line that falls on it.
  std::vector<double> lengths;
  double passed = 0;
  int next = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    passed += cornersOf(mesh, mesh.triangles[t]).areaVector().norm();
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
