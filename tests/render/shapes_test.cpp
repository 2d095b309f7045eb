#include "render/shapes.h"

#include <gtest/gtest.h>

#include <numbers>

namespace slipstick::render {
namespace {

/// Positive, and the shape's own, where the triangles are closed and face outwards.
double enclosedVolume(const DrawMesh& mesh) {
  double volume = 0;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const auto at = [&](std::size_t k) {
      return mesh.vertices[mesh.indices[i + k]].position.cast<double>().eval();
    };
    volume += at(0).dot(at(1).cross(at(2))) / 6;
  }
  return volume;
}

Vec3 extent(const DrawMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const DrawVertex& v : mesh.vertices) box.extend(v.position.cast<double>());
  return box.sizes();
}

void expectNormalsFaceOut(const DrawMesh& mesh) {
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const auto at = [&](std::size_t k) { return mesh.vertices[mesh.indices[i + k]]; };
    const Eigen::Vector3f face = (at(1).position - at(0).position).cross(at(2).position - at(0).position);
    if (face.norm() < 1e-9f) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(at(k).normal.norm(), 1, 1e-5);
      EXPECT_GT(face.dot(at(k).normal), 0);
    }
  }
}

TEST(Tessellate, ShapesEncloseTheirVolume) {
  using std::numbers::pi;
  const DrawMesh box = tessellate(shape::Box{Vec3(0.1, 0.2, 0.3)});
  EXPECT_NEAR(enclosedVolume(box), 0.048, 0.048 * 0.01);
  EXPECT_LT((extent(box) - Vec3(0.2, 0.4, 0.6)).norm(), 1e-6);
  const DrawMesh sphere = tessellate(shape::Sphere{0.5});
  EXPECT_NEAR(enclosedVolume(sphere), 4 * pi * 0.125 / 3, 0.01);
  const DrawMesh cylinder = tessellate(shape::Cylinder{0.1, 0.5});
  EXPECT_NEAR(enclosedVolume(cylinder), pi * 0.01 * 0.5, 2e-4);
  EXPECT_NEAR(extent(cylinder).z(), 0.5, 1e-6);
  const DrawMesh capsule = tessellate(shape::Capsule{0.1, 0.5});
  EXPECT_NEAR(enclosedVolume(capsule), pi * 0.01 * 0.5 + 4 * pi * 0.001 / 3, 3e-4);
  EXPECT_NEAR(extent(capsule).z(), 0.7, 1e-6);
}

TEST(Tessellate, NormalsAreUnitAndFaceOut) {
  expectNormalsFaceOut(tessellate(shape::Box{Vec3(0.1, 0.2, 0.3)}));
  expectNormalsFaceOut(tessellate(shape::Sphere{0.5}));
  expectNormalsFaceOut(tessellate(shape::Capsule{0.1, 0.5}));
}

std::shared_ptr<TriangleMesh> ridge(double height) {
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->vertices = {{-1, 0, 0}, {0, -1, height}, {0, 1, height}, {1, 0, 0}};
  mesh->triangles = {{0, 1, 2}, {1, 3, 2}};
  return mesh;
}

TEST(Tessellate, AnEllipsoidHasItsVolumeAndTheNormalsOfItsOwnSurface) {
  const Vec3 radii(0.1, 0.2, 0.4);
  const DrawMesh mesh = tessellate(shape::Ellipsoid{radii});
  const double volume = 4 * std::numbers::pi / 3 * radii.prod();
  EXPECT_NEAR(enclosedVolume(mesh), volume, 0.03 * volume);
  EXPECT_LT((extent(mesh) - 2 * radii).norm(), 0.01);
  for (const DrawVertex& v : mesh.vertices) {
    const Vec3 gradient = v.position.cast<double>().cwiseQuotient(radii.cwiseAbs2());
    EXPECT_GT(gradient.normalized().dot(v.normal.cast<double>()), 1 - 1e-6);
  }
}

TEST(Tessellate, SmoothsAMeshWithoutNormalsOverShallowEdgesOnly) {
  const DrawMesh shallow = tessellate(shape::Mesh{ridge(0.2)});
  EXPECT_NEAR(shallow.vertices[1].normal.z(), 1, 1e-5);  // on the ridge: the mean of both faces
  const DrawMesh steep = tessellate(shape::Mesh{ridge(1)});
  EXPECT_NEAR(steep.vertices[1].normal.z(), std::sqrt(0.5), 1e-5);  // a crease: each face keeps its own
}

TEST(Tessellate, KeepsNormalsAndColoursThatAMeshBrings) {
  const auto mesh = ridge(1);
  mesh->normals.assign(4, Vec3::UnitX());
  mesh->colors.assign(4, {0.1f, 0.2f, 0.3f, 1});
  const DrawMesh out = tessellate(shape::Mesh{mesh});
  EXPECT_EQ(out.vertices[0].normal, Eigen::Vector3f::UnitX().eval());
  EXPECT_EQ(out.vertices[0].color, Eigen::Vector4f(0.1f, 0.2f, 0.3f, 1));
}

}  // namespace
}  // namespace slipstick::render
