// Prisms over polygons as meshes and as OBJ files: bodies whose volume a formula says.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/geometry/shape.h"

namespace slipstick::testing {

/// Corners of a polygon, counter-clockwise, and triangles of it.
struct Polygon {
  std::vector<std::array<double, 2>> corners;
  std::vector<std::array<int, 3>> triangles;
};

/// 3 × 3 with walls of 1: an angle of area 5.
inline Polygon angle() {
  return {{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}};
}

/// 3 × 3 with walls of 1, open at the top: a channel of area 7.
inline Polygon channelProfile() {
  return {{{0, 0}, {3, 0}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}},
          {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 7}, {5, 6, 7}}};
}

/// The polygon in the xz plane, its upper side z, drawn out along y from 0 to `length`; times `unit`. Closed, facing
/// outwards.
inline TriangleMesh prism(const Polygon& polygon, double length, double unit = 1) {
  TriangleMesh mesh;
  mesh.name = "prism";
  const int n = static_cast<int>(polygon.corners.size());
  for (const double y : {length, 0.0})
    for (const auto& [x, z] : polygon.corners) mesh.vertices.push_back(unit * Vec3(x, y, z));
  for (const auto& [a, b, c] : polygon.triangles) {
    mesh.triangles.emplace_back(c, b, a);
    mesh.triangles.emplace_back(a + n, b + n, c + n);
  }
  for (int i = 0; i < n; ++i) {
    const int next = (i + 1) % n;
    mesh.triangles.emplace_back(i, next, next + n);
    mesh.triangles.emplace_back(i, next + n, i + n);
  }
  return mesh;
}

inline std::string objOf(const TriangleMesh& mesh) {
  std::string text;
  for (const Vec3& v : mesh.vertices)
    text += "v " + std::to_string(v.x()) + " " + std::to_string(v.y()) + " " + std::to_string(v.z()) + "\n";
  for (const Eigen::Vector3i& t : mesh.triangles)
    text += "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " +
            std::to_string(t[2] + 1) + "\n";
  return text;
}

}  // namespace slipstick::testing
