#include "assets/scene_io.h"

#include <algorithm>
#include <cmath>

#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

using testing::expectFault;
using testing::faultOf;
using testing::kScene;
using testing::parsed;
using testing::varied;

TEST(SceneFormat, ReadsUnitsAndNamesAsWritten) {
  const Result<assets::LoadedScene> loaded = parsed(kScene);
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Scene& scene = loaded->scene;
  EXPECT_EQ(scene.title, "A box falls on a table");
  EXPECT_DOUBLE_EQ(scene.time.dt, 0.005);
  EXPECT_EQ(scene.time.substeps, 0);
  EXPECT_DOUBLE_EQ(*scene.contact.dissipation, 2);
  ASSERT_EQ(scene.robots.size(), 2u);
  EXPECT_EQ(scene.robots[0].name, "table");
  EXPECT_DOUBLE_EQ(scene.robots[1].description.links[0].mass, 1.0);
  EXPECT_EQ(scene.robots[1].velocity, Vec3(0, 0, -1));
  ASSERT_EQ(scene.materials.size(), 1u);
  EXPECT_EQ(scene.materials[0].parameters.model, MaterialModel::NeoHookean);
}

TEST(SceneFormat, PathMovesAreVelocitiesAndDisplacementsWithRestsBetween) {
  const Result<assets::LoadedScene> loaded =
      parsed(kScene +
             "paths:\n  p:\n    start: {position: [1, 0, 0]}\n    moves:\n"
             "      - {from_s: 1, to_s: 2, velocity: [0, 0, -0.5]}\n"
             "      - {from_s: 3, to_s: 3.5, displacement: [0.2, 0, 0], rotation_deg: [0, 0, 90]}\n");
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Result<CompiledScene> compiled = compile(loaded->scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  const Path& path = compiled->model->paths.at(0);
  EXPECT_LT((path.at(0.5).p - Vec3(1, 0, 0)).norm(), 1e-15);
  EXPECT_LT((path.at(1.5).p - Vec3(1, 0, -0.25)).norm(), 1e-15);
  EXPECT_LT((path.at(2.7).p - Vec3(1, 0, -0.5)).norm(), 1e-15);
  EXPECT_LT((path.at(3.25).p - Vec3(1.1, 0, -0.5)).norm(), 1e-12);
  EXPECT_NEAR(Eigen::AngleAxisd(path.at(3.25).R).angle(), M_PI / 4, 1e-12);
  EXPECT_LT((path.at(99).R * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-12);
}

TEST(SceneFormat, UnknownKeyNamesLineAndNearestKey) {
  expectFault(faultOf(varied("contact: {friction: 0.4", "contact: {frictoin: 0.4")),
              {"test.yaml:4", "frictoin", "did you mean 'friction'?"});
}

TEST(SceneFormat, WrongTypeNanInfinityAndRangeNameTheLine) {
  expectFault(faultOf(varied("spacing: 0.02", "spacing: wide")), {"test.yaml:3", "'wide' is not a number"});
  expectFault(faultOf(varied("spacing: 0.02", "spacing: .nan")), {"test.yaml:3", "not a finite number"});
  expectFault(faultOf(varied("spacing: 0.02", "spacing: .inf")), {"test.yaml:3", "not a finite number"});
  expectFault(faultOf(varied("spacing: 0.02", "spacing: 0")), {"test.yaml:3", "out of range"});
  expectFault(faultOf(varied("dt_ms: 5", "dt_ms: -5")), {"test.yaml:2", "out of range"});
  expectFault(faultOf(varied("size: [0.1, 0.1, 0.1]", "size: [0.1, 0.1]")), {"test.yaml:11", "3 numbers"});
  expectFault(faultOf(varied("E: 1.0e5", "E: -1")), {"test.yaml:6", "materials.gel.E", "greater than 0"});
  expectFault(faultOf(varied("nu: 0.3", "nu: 0.5")), {"test.yaml:6", "incompressible"});
  expectFault(faultOf(varied("nu: 0.3", "nu: 0.7")), {"test.yaml:6", "out of range"});
  expectFault(faultOf(varied("density: 500", "density: 0")), {"test.yaml:6", "out of range"});
}

TEST(SceneFormat, MissingKeysRepeatedNamesAndContradictionsAreFaults) {
  expectFault(faultOf(varied("    material: gel\n", "")), {"'material' is missing"});
  expectFault(faultOf(varied("  block:", "  table:")), {"twice"});
  expectFault(faultOf(varied("density: 1000", "mass: 1\n    density: 1000")), {"contradict"});
  expectFault(faultOf(varied("    density: 1000\n", "")), {"no mass", "mass"});
  expectFault(faultOf(varied("shape: box, size: [1, 1, 0.1]", "shape: sphere, size: [1, 1, 0.1]")),
              {"has no 'size'"});
}

TEST(SceneFormat, BrokenYamlNamesTheLine) {
  expectFault(faultOf(varied("grid: {spacing: 0.02}", "grid: {spacing: 0.02")), {"test.yaml:", "not YAML"});
  expectFault(faultOf("just a line"), {"not a scene"});
  expectFault(faultOf(""), {"not a scene"});
}

TEST(SceneFormat, AliasesThatUnfoldWithoutEndAreRefused) {
  std::string bomb = "bodies:\n  a: &a\n    shapes: &s\n";
  for (int i = 0; i < 1000; ++i) bomb += "      - {shape: sphere, radius: 1}\n";
  for (int i = 0; i < 1000; ++i) bomb += "  b" + std::to_string(i) + ": *a\n";
  expectFault(faultOf(bomb), {"300,000 values"});
}

TEST(SceneFormat, MeshNamedInASceneMustExist) {
  const std::string text = varied("shape: box, size: [1, 1, 0.1]", "shape: mesh, file: nothing/here.obj");
  expectFault(faultOf(text), {"test.yaml:18", "nothing/here.obj", "does not exist", "tried"});
}

TEST(SceneFormat, RobotFileMustExist) {
  expectFault(faultOf(kScene + "robots:\n  arm: {urdf: nowhere.urdf}\n"), {"nowhere.urdf", "does not exist"});
}

TEST(Overrides, ChangeValuesByDottedPath) {
  const Result<assets::LoadedScene> loaded =
      parsed(kScene, {"contact.friction=0.25", "time.dt_ms=2", "bodies.table.shapes.rail.radius=0.05",
                      "bodies.block.shapes.0.size=[0.2, 0.2, 0.2]", "solver.max_iterations=7"});
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Scene& scene = loaded->scene;
  EXPECT_DOUBLE_EQ(*scene.contact.friction, 0.25);
  EXPECT_DOUBLE_EQ(scene.time.dt, 0.002);
  EXPECT_DOUBLE_EQ(std::get<shape::Capsule>(scene.robots[0].description.links[0].collisions[1].shape).radius,
                   0.05);
  EXPECT_DOUBLE_EQ(scene.robots[1].description.links[0].mass, 8);
  EXPECT_EQ(scene.solver.maxIterations, 7);
}

TEST(Overrides, UnknownPathsListWhatExistsThere) {
  expectFault(faultOf(kScene, {"materials.gle.E=1"}), {"--set materials.gle.E=1", "did you mean 'gel'?"});
  expectFault(faultOf(kScene, {"materials.something_else.E=1"}), {"known: gel"});
  expectFault(faultOf(kScene, {"contact.frictoin=1"}), {"--set contact.frictoin=1", "friction"});
  expectFault(faultOf(kScene, {"title.x=1"}), {"--set title.x=1", "single value"});
  expectFault(faultOf(kScene, {"contact.friction"}), {"path=value"});
  expectFault(faultOf(kScene, {"contact.friction=-1"}), {"--set contact.friction=-1", "out of range"});
  expectFault(faultOf(kScene, {"contact.friction=[1"}), {"--set contact.friction=[1"});
}

TEST(LoadScene, UnknownNameSuggestsAShippedScene) {
  const Result<assets::LoadedScene> loaded = assets::loadScene("dough_roling");
  ASSERT_FALSE(loaded);
  expectFault(loaded.error().message(), {"dough_roling", "did you mean 'dough_rolling'?"});
}

TEST(LoadScene, FoldersAndUnreadableFilesAreErrors) {
  expectFault(assets::loadScene(::testing::TempDir()).error().message(), {"not a regular file"});
  const auto truncated = testing::writeFile("cut.yaml", kScene.substr(0, 150));
  EXPECT_FALSE(assets::loadModel(truncated.string()));
  const auto binary = testing::writeFile("noise.yaml", std::string("\x00\x01\xff\xfe\x80{[", 7));
  EXPECT_FALSE(assets::loadModel(binary.string()));
}

TEST(ShippedScenes, AreListedWithTitlesAndAllLoad) {
  const std::vector<assets::ShippedScene> scenes = assets::shippedScenes();
  ASSERT_GE(scenes.size(), 4u);
  EXPECT_TRUE(std::is_sorted(scenes.begin(), scenes.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const assets::ShippedScene& scene : scenes) {
    EXPECT_NE(scene.title, scene.name);
    const Result<assets::LoadedModel> loaded = assets::loadModel(scene.name);
    ASSERT_TRUE(loaded) << loaded.error().message();
    EXPECT_GT(loaded->model->particleCount(), 0u) << scene.name;
    for (const Notice& notice : loaded->notices)
      EXPECT_NE(notice.level, Notice::Level::Warning) << notice.where << ": " << notice.what;
  }
}

}  // namespace
}  // namespace slipstick
