#include "engine/model/cloth.h"

#include <gtest/gtest.h>

#include <numbers>

#include "engine/compile/compile.h"
#include "engine/model/model.h"
#include "engine/model/state.h"
#include "engine/mpm/particle_state.h"

using namespace slipstick;

namespace {

MaterialParameters fabric(double bendingStiffness = 1e-4) {
  MaterialParameters p;
  p.model = MaterialModel::Cloth;
  p.density = 500;
  p.thickness = 2e-3;
  p.bendingStiffness = bendingStiffness;
  return p;
}

Scene sheetScene() {
  Scene scene;
  scene.materials.push_back({"fabric", fabric()});
  DeformableSpec cloth;
  cloth.name = "cloth";
  cloth.material = "fabric";
  cloth.sheet = SheetSpec{{0.4, 0.3}, {5, 4}};
  cloth.X_WD = Pose::fromRpy({0.3, -0.4, 1}, {1, 2, 3});
  scene.deformables.push_back(cloth);
  return scene;
}

/// Two triangles over the common edge from (0,0,0) to (1,0,0), folded by `angle`.
std::vector<Vec3> foldedPair(double angle) {
  return {{0, 0, 0}, {1, 0, 0}, {0, std::cos(angle), std::sin(angle)}, {1, -1, 0}};
}
const std::vector<Eigen::Vector3i> kPair = {{0, 1, 2}, {1, 0, 3}};

void expectError(const Scene& scene, const std::string& what) {
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_FALSE(compiled);
  EXPECT_NE(compiled.error().what.find(what), std::string::npos) << compiled.error().message();
  EXPECT_FALSE(compiled.error().where.empty());
  EXPECT_FALSE(compiled.error().remedy.empty());
}

}  // namespace

TEST(ClothMesh, SheetHasItsVerticesAndTwoTrianglesPerCell) {
  const TriangleMesh mesh = sheetMesh({{0.4, 0.3}, {5, 4}});
  ASSERT_EQ(mesh.vertices.size(), 20u);
  ASSERT_EQ(mesh.triangles.size(), 24u);
  EXPECT_LT((mesh.vertices.front() - Vec3(-0.2, -0.15, 0)).norm(), 1e-15);
  EXPECT_LT((mesh.vertices.back() - Vec3(0.2, 0.15, 0)).norm(), 1e-15);
  double area = 0;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const auto at = [&](int c) { return mesh.vertices[static_cast<std::size_t>(t[c])]; };
    const Vec3 n = (at(1) - at(0)).cross(at(2) - at(0));
    EXPECT_GT(n.z(), 0);
    area += n.norm() / 2;
  }
  EXPECT_NEAR(area, 0.12, 1e-14);
}

TEST(ClothMesh, SharesEachTrianglesVolumeAmongItsCornersAndItsCentroid) {
  const Result<CompiledScene> compiled = compile(sheetScene());
  ASSERT_TRUE(compiled) << compiled.error().message();
  const Model& model = *compiled->model;
  ASSERT_EQ(model.nodeCount(), 44u);
  const Deformable& d = model.deformables[0];
  ASSERT_NE(clothOf(d), nullptr);
  EXPECT_EQ(clothOf(d)->vertices, 20);
  EXPECT_NEAR(d.spacing, std::sqrt(0.12 / 44), 1e-14);
  double volume = 0, mass = 0;
  for (std::size_t p = 0; p < 44; ++p) {
    volume += model.nodes.volume[p];
    mass += model.nodes.mass[p];
  }
  EXPECT_NEAR(volume, 0.12 * 2e-3, 1e-16);
  EXPECT_NEAR(mass, 0.12, 1e-14);
  for (int t = 0; t < clothOf(d)->triangleCount(); ++t) {
    const auto i = static_cast<std::size_t>(t);
    Vec3 mean = Vec3::Zero();
    for (const int v : clothOf(d)->triangles[i]) mean += model.nodes.x[static_cast<std::size_t>(v)] / 3;
    EXPECT_LT((model.nodes.x[20 + i] - mean).norm(), 1e-14);
    EXPECT_NEAR(model.nodes.volume[20 + i], clothOf(d)->volume[i] / 4, 1e-18);
  }
}

TEST(ClothMesh, StartsUnstrainedWithItsDirectorsAlongTheNormals) {
  const Scene scene = sheetScene();
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_TRUE(compiled);
  const mpm::ParticleState particles = mpm::particlesAtStart(*compiled->model);
  for (std::size_t p = 0; p < 20; ++p) EXPECT_EQ(particles.F[p], Mat3::Identity());
  for (std::size_t p = 20; p < 44; ++p) {
    const Mat3& F = particles.F[p];
    EXPECT_LT((F.transpose() * F - Mat3::Identity()).norm(), 1e-12);
    EXPECT_LT((F.col(2) - scene.deformables[0].X_WD.R.col(2)).norm(), 1e-12);
  }
}

TEST(ClothMesh, HingesJoinTheTwoTrianglesOfAnEdge) {
  const TriangleMesh sheet = sheetMesh({{0.4, 0.3}, {5, 4}});
  const Result<ClothMesh> cloth = buildClothMesh(sheet.vertices, sheet.triangles, fabric());
  ASSERT_TRUE(cloth);
  EXPECT_EQ(cloth->hinges.size(), 31u - 14 + 12);  // edges of the grid, without the border, and diagonals
  for (const ClothMesh::Hinge& h : cloth->hinges) EXPECT_NEAR(h.restAngle, 0, 1e-12);
  EXPECT_TRUE(buildClothMesh(sheet.vertices, sheet.triangles, fabric(0))->hinges.empty());
}

TEST(ClothMesh, HingesKeepTheAngleOfTheRestShape) {
  const Result<ClothMesh> bent = buildClothMesh(foldedPair(0.8), kPair, fabric());
  ASSERT_TRUE(bent);
  ASSERT_EQ(bent->hinges.size(), 1u);
  EXPECT_NEAR(std::abs(bent->hinges[0].restAngle), 0.8, 1e-12);
  EXPECT_NEAR(bent->hinges[0].stiffness, 1e-4, 1e-18);  // |e|² D / (½ + ½)
}

TEST(ClothMesh, SeamsThatLieFoldedAndEdgesOfThreeTrianglesHaveNoHinge) {
  const Result<ClothMesh> seam = buildClothMesh(foldedPair(std::numbers::pi - 0.01), kPair, fabric());
  ASSERT_TRUE(seam);
  EXPECT_TRUE(seam->hinges.empty());
  std::vector<Vec3> vertices = foldedPair(0.1);
  vertices.emplace_back(0.5, 0, 1);
  const Result<ClothMesh> fan = buildClothMesh(vertices, {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}, fabric());
  ASSERT_TRUE(fan);
  EXPECT_TRUE(fan->hinges.empty());
}

TEST(ClothMesh, RefusesBadTriangles) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}};
  EXPECT_FALSE(buildClothMesh(corners, {}, fabric()));
  EXPECT_FALSE(buildClothMesh(corners, {{0, 1, 4}}, fabric()));
  EXPECT_FALSE(buildClothMesh(corners, {{0, 1, 2}}, fabric()));  // no area
  EXPECT_FALSE(buildClothMesh(corners, {{0, 1, 1}}, fabric()));  // twice the same corner
  EXPECT_FALSE(buildClothMesh(corners, {{0, 1, 3}}, fabric()));  // vertex 2 hangs in the air
  EXPECT_TRUE(buildClothMesh(corners, {{0, 1, 3}, {1, 2, 3}}, fabric()));
}

TEST(ClothMesh, ClothAndVolumeMaterialsDoNotMix) {
  Scene scene = sheetScene();
  scene.deformables[0].sheet.reset();
  scene.deformables[0].shape = shape::Box{{0.1, 0.1, 0.1}};
  expectError(scene, "no volume to fill");
  scene = sheetScene();
  scene.materials[0].parameters.model = MaterialModel::NeoHookean;
  expectError(scene, "a sheet has no volume");
}

TEST(ClothMesh, RefusesSheetsWithoutSizeVerticesOrThickness) {
  Scene scene = sheetScene();
  scene.deformables[0].sheet->count = {1, 4};
  expectError(scene, "fewer than two vertices");
  scene = sheetScene();
  scene.deformables[0].sheet->size.y() = 0;
  expectError(scene, "size is not positive");
  scene = sheetScene();
  scene.materials[0].parameters.thickness = 0;
  expectError(scene, "thickness");
  scene = sheetScene();
  scene.materials[0].parameters.bendingStiffness = -1;
  expectError(scene, "negative");
}
