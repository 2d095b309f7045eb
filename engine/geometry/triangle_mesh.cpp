#include "engine/geometry/triangle_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace slipstick {
namespace {

/// Area over the longest edge squared.
constexpr double kThinnest = 5e-13;
const char* const kRepair = "repair or re-export the mesh";

Error invalid(std::string what, std::string remedy) {
  return {ErrorCode::InvalidValue, std::move(what), "", std::move(remedy)};
}

}  // namespace

Triangle cornersOf(const TriangleMesh& mesh, const Eigen::Vector3i& triangle) {
  const auto corner = [&](int k) -> const Vec3& {
    return mesh.vertices[static_cast<std::size_t>(triangle[k])];
  };
  return {corner(0), corner(1), corner(2)};
}

Vec3 areaVector(const Triangle& t) {
  return 0.5 * (t[1] - t[0]).cross(t[2] - t[0]);
}

bool isThin(const Triangle& t) {
  const double longest =
      std::max({(t[1] - t[0]).squaredNorm(), (t[2] - t[1]).squaredNorm(), (t[0] - t[2]).squaredNorm()});
  return !(areaVector(t).norm() > kThinnest * longest);
}

Aabb boundsOf(const TriangleMesh& mesh) {
  Aabb box{mesh.vertices.front(), mesh.vertices.front()};
  for (const Vec3& v : mesh.vertices) box.lower = box.lower.cwiseMin(v), box.upper = box.upper.cwiseMax(v);
  return box;
}

TriangleMesh welded(const TriangleMesh& mesh) {
  TriangleMesh result;
  result.name = mesh.name;
  std::map<std::array<double, 3>, int> known;
  std::vector<int> merged;
  for (const Vec3& v : mesh.vertices) {
    const auto [place, isNew] =
        known.try_emplace({v.x(), v.y(), v.z()}, static_cast<int>(result.vertices.size()));
    if (isNew) result.vertices.push_back(v);
    merged.push_back(place->second);
  }
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const auto corner = [&](int k) { return merged[static_cast<std::size_t>(t[k])]; };
    const Eigen::Vector3i w(corner(0), corner(1), corner(2));
    if (w[0] != w[1] && w[1] != w[2] && w[2] != w[0]) result.triangles.push_back(w);
  }
  return result;
}

std::size_t openEdges(const TriangleMesh& welded) {
  std::map<std::pair<int, int>, int> balance;
  for (const Eigen::Vector3i& t : welded.triangles)
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      balance[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  return static_cast<std::size_t>(
      std::count_if(balance.begin(), balance.end(), [](const auto& edge) { return edge.second != 0; }));
}

double signedVolume(const TriangleMesh& mesh) {
  double threefold = 0;
  const Vec3 apex = mesh.vertices.front();  // near the mesh: one far from the origin loses no digits
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Triangle corners = cornersOf(mesh, t);
    threefold += areaVector(corners).dot(corners[0] - apex);
  }
  return threefold / 3;
}

Error invalidMesh(const TriangleMesh& mesh, std::string what, std::string remedy) {
  Error error = invalid(std::move(what), std::move(remedy));
  error.where = mesh.name.empty() ? "mesh" : "mesh '" + mesh.name + "'";
  return error;
}

Result<void> checkTriangles(const std::vector<Vec3>& vertices,
                            const std::vector<Eigen::Vector3i>& triangles) {
  if (vertices.empty() || triangles.empty())
    return invalid("has no triangles", "export its surface as triangles");
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (!vertices[i].allFinite())
      return invalid("vertex " + std::to_string(i) + " is not a finite number", kRepair);
  for (std::size_t i = 0; i < triangles.size(); ++i)
    if (triangles[i].minCoeff() < 0 || static_cast<std::size_t>(triangles[i].maxCoeff()) >= vertices.size())
      return invalid("triangle " + std::to_string(i) + " names a vertex that does not exist", kRepair);
  return {};
}

Result<void> checkMesh(const TriangleMesh& mesh) {
  if (const auto checked = checkTriangles(mesh.vertices, mesh.triangles); !checked)
    return invalidMesh(mesh, checked.error().what, checked.error().remedy);
  const bool hasArea = std::any_of(mesh.triangles.begin(), mesh.triangles.end(),
                                   [&](const Eigen::Vector3i& t) { return !isThin(cornersOf(mesh, t)); });
  if (!hasArea) return invalidMesh(mesh, "none of its triangles has an area", kRepair);
  return {};
}

Result<void> checkSolid(const TriangleMesh& welded) {
  if (const std::size_t open = openEdges(welded); open > 0)
    return invalidMesh(
        welded, "is not closed: " + std::to_string(open) + " edges lack a neighbour of matching orientation",
        "close its holes in a mesh editor, or use a box, sphere, capsule or cylinder for collision");
  const Aabb box = boundsOf(welded);
  if (!(std::abs(signedVolume(welded)) > 1e-9 * std::pow((box.upper - box.lower).maxCoeff(), 3)))
    return invalidMesh(welded, "encloses no volume", "use a solid, not a sheet");
  return {};
}

}  // namespace slipstick
