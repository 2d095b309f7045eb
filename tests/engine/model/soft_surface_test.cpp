#include "engine/model/soft_surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/model/cloth.h"
#include "engine/model/model.h"

namespace slipstick {
namespace {

MaterialParameters cotton() {
  MaterialParameters material;
  material.model = MaterialModel::Cloth;
  material.density = 1000;
  material.thickness = 1e-3;
  return material;
}

/// 3 × 2 vertices on 0.2 m × 0.1 m, between other particles.
Deformable cloth() {
  const TriangleMesh mesh = sheetMesh({.size = {0.2, 0.1}, .count = {3, 2}});
  Deformable d;
  d.material = cotton();
  const ClothMesh cloth = buildClothMesh(mesh.vertices, mesh.triangles, d.material).value();
  d.surface = surfaceOf(cloth, d.material.thickness);
  d.begin = 5;
  d.end = d.begin + cloth.nodeCount();
  d.spacing = 1;  // which is the nodes', not the triangles'
  return d;
}

TEST(SoftSurface, OfParticlesIsAllOfThemAsPoints) {
  Deformable d;
  d.begin = 2;
  d.end = 5;
  d.spacing = 0.01;
  const SoftSurface surface = surfaceOf(d);
  EXPECT_EQ(surface.vertexCount, 3u);
  EXPECT_TRUE(surface.triangles.empty());
  EXPECT_FALSE(surface.isSheet);
  EXPECT_EQ(surface.spacing, 0.01);
  const std::vector<float> speed = {0, 1, 2, 3, 4, 5};
  const auto own = surface.of(speed);
  EXPECT_EQ(std::vector<float>(own.begin(), own.end()), (std::vector<float>{2, 3, 4}));
}

TEST(SoftSurface, OfClothIsItsVerticesAndTrianglesWithoutTheParticlesInThem) {
  const Deformable d = cloth();
  const SoftSurface surface = surfaceOf(d);
  EXPECT_EQ(surface.first, 5u);
  EXPECT_EQ(surface.vertexCount, 6u);
  EXPECT_EQ(surface.triangles.size(), 4u);
  EXPECT_TRUE(surface.isSheet);
  EXPECT_NEAR(surface.spacing, std::sqrt(0.2 * 0.1 / 4), 1e-12);
  EXPECT_EQ(surface.of(std::vector<float>(20)).size(), 6u);
}

TEST(SoftSurface, HasNormalsOfItsTrianglesByTheirAreas) {
  // A square of 2 m in z = 0, and one of its sides' half standing on it: areas 2, 2 and 1.
  const std::vector<Eigen::Vector3i> triangles = {{0, 1, 2}, {0, 2, 3}, {0, 4, 1}};
  const SoftSurface surface{.vertexCount = 6, .triangles = triangles};
  const std::vector<Eigen::Vector3f> x = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 1}, {9, 9, 9}};
  const std::vector<Eigen::Vector3f> n = normalsOf(surface, x);
  ASSERT_EQ(n.size(), 6u);
  EXPECT_LT((n[0] - Eigen::Vector3f(0, 1, 4).normalized()).norm(), 1e-6f);
  EXPECT_LT((n[1] - Eigen::Vector3f(0, 1, 2).normalized()).norm(), 1e-6f);
  EXPECT_EQ(n[2], Eigen::Vector3f::UnitZ());
  EXPECT_EQ(n[4], Eigen::Vector3f::UnitY());
  EXPECT_EQ(n[5], Eigen::Vector3f::UnitZ()) << "no triangle is around it";
}

}  // namespace
}  // namespace slipstick
