// Distance grids of meshes are made when a scene is loaded: no step waits for one.
#include <gtest/gtest.h>

#include "engine/geometry/sdf_grid_cache.h"
#include "tests/engine/geometry/contact_meshes.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

std::uint64_t gridsBuilt() {
  return SdfGridCache::shared().builds();
}

/// A T that is not convex, upside down where it lies.
LinkGeometry tee(double stem) {
  auto mesh = std::make_shared<TriangleMesh>();
  appendBox(*mesh, Vec3(0.06, 0.05, 0.02));
  appendBox(*mesh, Vec3(0.02, 0.02, stem), Vec3(0, 0, 0.02 + stem));
  LinkGeometry geometry;
  geometry.shape = shape::Mesh{mesh};
  return geometry;
}

RobotSpec body(const std::string& name, const LinkGeometry& geometry, double z, bool isFree) {
  RobotSpec spec;
  spec.name = name;
  LinkSpec link;
  link.name = name;
  link.mass = 0.5;
  link.inertia = 1e-3 * Mat3::Identity();
  link.collisions = {geometry};
  spec.description.links = {link};
  spec.freeBase = isFree;
  spec.X_PB.p.z() = z;
  return spec;
}

/// One tee falls 1 cm onto the stem of another.
Scene fallingTee() {
  Scene scene;
  scene.name = "tees";
  scene.time.dt = 2e-3;
  scene.robots = {body("lower", tee(0.03), 0, false), body("upper", tee(0.04), 0.11, true)};
  return scene;
}

TEST(MeshGrids, AreBuiltAtLoadNeverInAStepAndOnceForTheSameScene) {
  const std::uint64_t before = gridsBuilt();
  testing::SceneRun run(fallingTee());
  ASSERT_TRUE(run.ok());
  const std::uint64_t loaded = gridsBuilt();
  EXPECT_EQ(loaded, before + 2);
  int most = 0;
  run.runTo(0.2, [&](const Snapshot& s) { most = std::max(most, s.report.rigidContacts); });
  EXPECT_GT(most, 2) << "the meshes never met";
  EXPECT_GT(run.snapshot().X_WB[static_cast<std::size_t>(run.model().findBody("upper.upper"))].p.z(), 0.08);
  EXPECT_EQ(gridsBuilt(), loaded);
  ASSERT_TRUE(testing::SceneRun(fallingTee()).ok());
  EXPECT_EQ(gridsBuilt(), loaded);
}

/// A grid takes time and memory: a mesh that meets only other shapes has none.
TEST(MeshGrids, AreNotBuiltForMeshesThatMeetNoMesh) {
  const std::uint64_t before = gridsBuilt();
  Scene scene = fallingTee();
  LinkGeometry ball;
  ball.shape = shape::Sphere{0.05};
  scene.robots = {body("lower", tee(0.06), 0, false), body("ball", ball, 0.3, true)};
  testing::SceneRun run(scene);
  ASSERT_TRUE(run.ok());
  int most = 0;
  run.runTo(0.3, [&](const Snapshot& s) { most = std::max(most, s.report.rigidContacts); });
  EXPECT_GT(most, 0);
  EXPECT_EQ(gridsBuilt(), before);
}

}  // namespace
}  // namespace slipstick
