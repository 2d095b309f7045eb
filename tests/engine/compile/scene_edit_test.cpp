#include "engine/compile/scene_edit.h"

#include <gtest/gtest.h>

#include "engine/compile/compile.h"
#include "engine/model/model.h"

namespace slipstick {
namespace {

RobotSpec body(const std::string& name) {
  return floatingBody(name, shape::Box{{0.1, 0.2, 0.3}}, 500, {Mat3::Identity(), {0, 0, 1}}, {1, 0, 0, 1})
      .value();
}

/// A box, and a plate that is fixed to it, pushed and welded.
Scene boxAndPlate() {
  Scene scene;
  scene.name = "edit";
  scene.robots = {body("box"), body("plate"), body("ball")};
  scene.robots[1].freeBase = false;
  scene.robots[1].attachTo = "box";
  LinkForceSpec force;
  force.link = "ball";
  scene.controllers = {force};
  scene.pairRules = {{"ball", "plate", false, {}}, {"*", "plate", {}, 0.5}};
  LoopSpec loop;
  loop.linkA = "ball";
  loop.linkB = "plate";
  scene.loops = {loop};
  scene.cameras.resize(3);
  scene.cameras[1].body = "ball";
  scene.cameras[2].body = "plate";
  return scene;
}

TEST(SceneEdit, ASpawnedBodyHasTheMassOfItsShapeAndCompiles) {
  const Result<Scene> scene = edited(Scene{}, SpawnBody{body("crate")});
  ASSERT_TRUE(scene);
  const Result<CompiledScene> compiled = compile(*scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  const Model& model = *compiled->model;
  ASSERT_EQ(model.tree.bodies.size(), 2u);
  const multibody::Body& crate = model.tree.bodies[1];
  EXPECT_NEAR(crate.mass, 500 * 0.2 * 0.4 * 0.6, 1e-12);
  EXPECT_NEAR(crate.inertia(0, 0), crate.mass / 3 * (0.04 + 0.09), 1e-12);
  EXPECT_EQ(model.geometries.size(), 1u);
  ASSERT_NE(model.scene, nullptr);
  EXPECT_EQ(model.scene->robots.at(0).name, "crate");
}

TEST(SceneEdit, RemovingTakesAlongWhatNamesIt) {
  const Result<Scene> scene = edited(boxAndPlate(), Remove{"ball"});
  ASSERT_TRUE(scene);
  EXPECT_EQ(scene->robots.size(), 2u);
  EXPECT_TRUE(scene->controllers.empty());
  EXPECT_TRUE(scene->loops.empty());
  ASSERT_EQ(scene->pairRules.size(), 1u);
  EXPECT_EQ(scene->pairRules[0].b, "plate");
  ASSERT_EQ(scene->cameras.size(), 2u);
  EXPECT_EQ(scene->cameras[1].body, "plate");
}

TEST(SceneEdit, RefusesTakenAndUnknownNamesAndWhatOthersHangOn) {
  const Result<Scene> taken = edited(boxAndPlate(), SpawnBody{body("box")});
  ASSERT_FALSE(taken);
  EXPECT_NE(taken.error().message().find("'box'"), std::string::npos);
  const Result<Scene> unknown = edited(boxAndPlate(), Remove{"boll"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::UnknownName);
  EXPECT_NE(unknown.error().remedy.find("ball"), std::string::npos);
  const Result<Scene> held = edited(boxAndPlate(), Remove{"box"});
  ASSERT_FALSE(held);
  EXPECT_NE(held.error().message().find("plate"), std::string::npos);
}

TEST(SceneEdit, FreeNamesCountOn) {
  Scene scene = boxAndPlate();
  EXPECT_EQ(freeName(scene, "cone"), "cone");
  EXPECT_EQ(freeName(scene, "box"), "box_2");
  scene.robots.push_back(body("box_2"));
  EXPECT_EQ(freeName(scene, "box"), "box_3");
}

}  // namespace
}  // namespace slipstick
