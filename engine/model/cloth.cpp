#include "engine/model/cloth.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "engine/geometry/triangle_mesh.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/lanes/hinge.h"
#include "engine/model/model.h"

namespace slipstick {
namespace {

/// A triangle's double area over its longest edge squared; below, it counts as a line.
constexpr double kThinnest = 1e-6;
/// Seams that are folded further than this at rest have no fold to resist [rad].
constexpr double kSharpestRestAngle = 0.9 * std::numbers::pi;

const Vec3& at(const std::vector<Vec3>& points, int i) {
  return points[static_cast<std::size_t>(i)];
}

Result<void> addTriangle(const std::vector<Vec3>& vertices, const Eigen::Vector3i& t, double thickness,
                         ClothMesh& mesh) {
  const std::string name = "triangle " + std::to_string(mesh.triangles.size());
  const Vec3 e1 = at(vertices, t[1]) - at(vertices, t[0]), e2 = at(vertices, t[2]) - at(vertices, t[0]);
  const double doubleArea = e1.cross(e2).norm();
  const double longest = std::max({e1.squaredNorm(), e2.squaredNorm(), (e2 - e1).squaredNorm()});
  if (!(doubleArea > kThinnest * longest))
    return Error{ErrorCode::InvalidValue, name + " has no area", "", "remove it, or merge its vertices"};
  const double r11 = e1.norm(), r12 = e1.dot(e2) / r11, r22 = doubleArea / r11;
  Eigen::Matrix2d inverse;
  inverse << 1 / r11, -r12 / (r11 * r22), 0, 1 / r22;
  mesh.triangles.push_back(t);
  mesh.restInverse.push_back(inverse);
  mesh.volume.push_back(0.5 * doubleArea * thickness);
  return {};
}

/// The corners opposite to an edge, a < b, in the order of the triangles.
using Edges = std::map<std::pair<int, int>, std::vector<int>>;

Edges edgesOf(const std::vector<Eigen::Vector3i>& triangles) {
  Edges edges;
  for (const Eigen::Vector3i& t : triangles)
    for (int c = 0; c < 3; ++c) edges[std::minmax(t[c], t[(c + 1) % 3])].push_back(t[(c + 2) % 3]);
  return edges;
}

void addHinges(const std::vector<Vec3>& vertices, ClothMesh& mesh) {
  for (const auto& [edge, opposite] : edgesOf(mesh.triangles)) {
    if (opposite.size() != 2) continue;
    const Vec3 &a = at(vertices, edge.first), &b = at(vertices, edge.second),
               &left = at(vertices, opposite[0]), &right = at(vertices, opposite[1]);
    const double angle = lanes::hingeAngle(lanes::toLanes<double>(a), lanes::toLanes<double>(b),
                                           lanes::toLanes<double>(left), lanes::toLanes<double>(right))
                             .angle;
    if (std::abs(angle) > kSharpestRestAngle) continue;
    const double areas = 0.5 * ((b - a).cross(left - a).norm() + (b - a).cross(right - a).norm());
    mesh.hinges.push_back({.vertices = {edge.first, edge.second, opposite[0], opposite[1]},
                           .restAngle = angle,
                           .edgeSquared = (b - a).squaredNorm(),
                           .areas = areas});
  }
}

/// How fast each hinge alone is when every vertex shares its mass equally among its hinges: the largest of
/// them bounds the frequencies of the mesh.
void setMobilities(const std::vector<Vec3>& vertices, double density, ClothMesh& mesh) {
  std::vector<double> mass(vertices.size(), 0), hinges(vertices.size(), 0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const int v : mesh.triangles[t]) mass[static_cast<std::size_t>(v)] += density * mesh.volume[t] / 4;
  for (const ClothMesh::Hinge& hinge : mesh.hinges)
    for (const int v : hinge.vertices) hinges[static_cast<std::size_t>(v)] += 1;
  for (ClothMesh::Hinge& hinge : mesh.hinges) {
    const auto corner = [&](std::size_t c) {
      return lanes::toLanes<double>(at(vertices, hinge.vertices[c]));
    };
    const auto h = lanes::hingeAngle(corner(0), corner(1), corner(2), corner(3));
    const lanes::V3<double> gradient[4] = {h.a, h.b, h.left, h.right};
    for (std::size_t c = 0; c < 4; ++c) {
      const auto v = static_cast<std::size_t>(hinge.vertices[c]);
      hinge.mobility += dot(gradient[c], gradient[c]) * hinges[v] / mass[v];
    }
  }
}

}  // namespace

Result<ClothMesh> buildClothMesh(const std::vector<Vec3>& vertices,
                                 const std::vector<Eigen::Vector3i>& triangles,
                                 const MaterialParameters& material) {
  if (const auto checked = checkTriangles(vertices, triangles); !checked) return checked.error();
  ClothMesh mesh;
  mesh.vertices = static_cast<int>(vertices.size());
  std::vector<char> used(vertices.size(), 0);
  for (const Eigen::Vector3i& t : triangles) {
    if (Result<void> added = addTriangle(vertices, t, material.thickness, mesh); !added) return added.error();
    for (const int v : t) used[static_cast<std::size_t>(v)] = 1;
  }
  const auto lonely = std::find(used.begin(), used.end(), 0);
  if (lonely != used.end())
    return Error{ErrorCode::InvalidValue,
                 "vertex " + std::to_string(lonely - used.begin()) + " belongs to no triangle", "",
                 "remove it from the mesh"};
  if (material.bendingStiffness > 0) addHinges(vertices, mesh);
  setMobilities(vertices, material.density, mesh);
  setBendingStiffness(mesh, material.bendingStiffness);
  return mesh;
}

void setBendingStiffness(ClothMesh& mesh, double bendingStiffness) {
  mesh.bendingStiffness = bendingStiffness;
  double square = 0;
  for (ClothMesh::Hinge& hinge : mesh.hinges) {
    hinge.stiffness = hinge.edgeSquared * bendingStiffness / hinge.areas;
    square = std::max(square, hinge.stiffness * hinge.mobility);
  }
  mesh.bendingFrequency = std::sqrt(square);
}

std::shared_ptr<const Discretization> ClothMesh::with(const MaterialParameters& material) const {
  if (material.bendingStiffness == bendingStiffness) return nullptr;
  auto other = std::make_shared<ClothMesh>(*this);
  setBendingStiffness(*other, material.bendingStiffness);
  return other;
}

const ClothMesh* clothOf(const Deformable& deformable) {
  return dynamic_cast<const ClothMesh*>(deformable.discretization.get());
}

std::shared_ptr<const SurfaceMesh> surfaceOf(const ClothMesh& mesh, double thickness) {
  const double volume = std::accumulate(mesh.volume.begin(), mesh.volume.end(), 0.0);
  return std::make_shared<const SurfaceMesh>(
      SurfaceMesh{.vertices = mesh.vertices,
                  .triangles = mesh.triangles,
                  .isSheet = true,
                  .spacing = std::sqrt(volume / thickness / std::max(1, mesh.triangleCount()))});
}

TriangleMesh sheetMesh(const SheetSpec& sheet) {
  TriangleMesh mesh;
  const auto [nx, ny] = sheet.count;
  const Eigen::Vector2d step(sheet.size.x() / (nx - 1), sheet.size.y() / (ny - 1));
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      mesh.vertices.emplace_back(i * step.x() - sheet.size.x() / 2, j * step.y() - sheet.size.y() / 2, 0);
  for (int i = 0; i + 1 < nx; ++i)
    for (int j = 0; j + 1 < ny; ++j) {
      const int a = i * ny + j, b = a + ny, c = b + 1, d = a + 1;  // around the cell
      if ((i + j) % 2 == 0)
        mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
      else
        mesh.triangles.insert(mesh.triangles.end(), {{a, b, d}, {b, c, d}});
    }
  return mesh;
}

Mat3 triangleDeformation(const ClothMesh& mesh, int t, const Vec3* x, const Vec3& director) {
  const Eigen::Vector3i& corners = mesh.triangles[static_cast<std::size_t>(t)];
  Eigen::Matrix<double, 3, 2> edges;
  edges << x[corners[1]] - x[corners[0]], x[corners[2]] - x[corners[0]];
  Mat3 F;
  F << edges * mesh.restInverse[static_cast<std::size_t>(t)], director;
  return F;
}

Vec3 triangleNormal(const ClothMesh& mesh, int t, const Vec3* x) {
  const Eigen::Vector3i& corners = mesh.triangles[static_cast<std::size_t>(t)];
  return (x[corners[1]] - x[corners[0]]).cross(x[corners[2]] - x[corners[0]]).normalized();
}

}  // namespace slipstick
