// Meshes for contact tests.
#pragma once

#include <cmath>
#include <memory>
#include <numbers>

#include "engine/geometry/shape.h"

namespace slipstick {

inline void appendBox(TriangleMesh& mesh, const Vec3& half, const Vec3& centre = Vec3::Zero()) {
  const int first = static_cast<int>(mesh.vertices.size());
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(centre + half.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  const int quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& q : quads) {
    mesh.triangles.emplace_back(first + q[0], first + q[1], first + q[2]);
    mesh.triangles.emplace_back(first + q[0], first + q[2], first + q[3]);
  }
}

inline shape::Mesh boxMesh(const Vec3& half) {
  auto mesh = std::make_shared<TriangleMesh>();
  appendBox(*mesh, half);
  return {mesh};
}

inline shape::Mesh sphereMesh(double radius, int rings) {
  auto mesh = std::make_shared<TriangleMesh>();
  const int around = 2 * rings;
  for (int i = 0; i <= rings; ++i)
    for (int j = 0; j < around; ++j) {
      const double theta = std::numbers::pi * i / rings, phi = 2 * std::numbers::pi * j / around;
      const double s = i == 0 || i == rings ? 0 : std::sin(theta);
      mesh->vertices.push_back(radius * Vec3(s * std::cos(phi), s * std::sin(phi), std::cos(theta)));
    }
  for (int i = 0; i < rings; ++i)
    for (int j = 0; j < around; ++j) {
      const int a = i * around + j, b = i * around + (j + 1) % around;
      mesh->triangles.emplace_back(a, a + around, b + around);
      mesh->triangles.emplace_back(a, b + around, b);
    }
  return {mesh};
}

/// A square channel along y, open at the top: inner width and depth 0.1, walls and floor 0.02 thick, floor's
/// upper side at z = 0. Closed, not convex.
inline shape::Mesh channelMesh() {
  const double profile[8][2] = {{-0.07, -0.02}, {0.07, -0.02}, {0.07, 0.1},  {0.05, 0.1},
                                {0.05, 0},      {-0.05, 0},    {-0.05, 0.1}, {-0.07, 0.1}};
  auto mesh = std::make_shared<TriangleMesh>();
  for (const double y : {-0.2, 0.2})
    for (const auto& p : profile) mesh->vertices.emplace_back(p[0], y, p[1]);
  for (int i = 0; i < 8; ++i) {
    const int j = (i + 1) % 8;
    mesh->triangles.emplace_back(i, j, 8 + j);
    mesh->triangles.emplace_back(i, 8 + j, 8 + i);
  }
  const int caps[6][3] = {{0, 5, 1}, {1, 5, 4}, {1, 4, 2}, {2, 4, 3}, {0, 7, 5}, {7, 6, 5}};
  for (const auto& t : caps) {
    mesh->triangles.emplace_back(t[0], t[1], t[2]);
    mesh->triangles.emplace_back(8 + t[0], 8 + t[2], 8 + t[1]);
  }
  for (Eigen::Vector3i& t : mesh->triangles) std::swap(t[1], t[2]);
  return {mesh};
}

}  // namespace slipstick
