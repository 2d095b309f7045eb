// Saving keeps what a person wrote.
#include "assets/scene_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "assets/scene_io.h"
#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "engine/facts/looks.h"
#include "tests/assets/scene_facts.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> commentsOf(const std::string& text) {
  std::vector<std::string> comments;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (const std::size_t hash = line.find("# "); hash != std::string::npos)
      comments.push_back(line.substr(hash));
  return comments;
}

std::string linesThatChanged(const std::string& before, const std::string& after) {
  std::vector<std::string> old;
  std::istringstream a(before), b(after);
  for (std::string line; std::getline(a, line);) old.push_back(line);
  std::string changed;
  for (std::string line; std::getline(b, line);)
    if (std::find(old.begin(), old.end(), line) == old.end()) changed += line + "\n";
  return changed;
}

struct SavedScene : ::testing::Test {
  Scene open(const char* name) {
    Result<assets::LoadedScene> loaded = assets::loadScene(name);
    EXPECT_TRUE(loaded) << loaded.error().message();
    return loaded->scene;
  }
  std::string text(const Scene& scene, const assets::ChangedNumbers& numbers = {}) {
    const Result<std::string> text = assets::textOfScene(scene, numbers, scene.file.parent_path());
    EXPECT_TRUE(text) << text.error().message();
    return text ? *text : "";
  }
};

TEST_F(SavedScene, WithoutChangesIsTheFileToTheLastByte) {
  for (const assets::ShippedScene& shipped : assets::shippedScenes()) {
    if (shipped.name == "tshirt_folding" || shipped.name == "laundry") continue;  // seconds of meshes
    EXPECT_EQ(text(open(shipped.name.c_str())), read(shipped.file)) << shipped.name;
  }
}

TEST_F(SavedScene, ChangesOnlyTheLinesOfWhatHasChanged) {
  const Scene scene = open("hold");
  const std::string before = read(scene.file);
  const std::string after = text(scene, {{"contact.friction", {0.25}},
                                         {"materials.foam.E", {2e5}},
                                         {"controllers.0.effort", {12}},
                                         {"gravity", {0, 0, -1.62}},
                                         {"contact.dissipation", {}},
                                         {"robots.left.contact.friction", {0.125}}});
  EXPECT_EQ(
      linesThatChanged(before, after),
      "contact: {friction: 0.25, stiffness: 1.0e5}\n"
      "  foam: {model: fixed_corotated, E: 2e5, nu: 0.4, density: 400}\n"
      "  left: {urdf: ../robots/slider.urdf, position: [-0.0619546, 0, 0.15], contact: {friction: 0.125}}\n"
      "  - {kind: joint_effort, robot: left, joint: slide, effort: 12}\n"
      "gravity: [0, 0, -1.62]\n");
  EXPECT_EQ(commentsOf(after), commentsOf(before));
}

TEST_F(SavedScene, TakesNewThingsAndLetsOldOnesGo) {
  Scene scene = open("stack");
  const std::string before = read(scene.file);
  Pose X_WB = Pose::translation({0.5, 0, 2});
  X_WB.R = Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  scene = edited(scene, SpawnBody{floatingBody("ball", shape::Sphere{0.05}, 500, X_WB, {1, 0, 0, 1}).value()})
              .value();
  scene = edited(scene, Remove{"box_3"}).value();
  scene.cameras.push_back({"view 1", {1, 2, 3}, {0, 0, 1}, 34, {}});
  scene.robots[1].X_PB = X_WB;
  const std::string after = text(scene);
  EXPECT_EQ(commentsOf(after), commentsOf(before));
  EXPECT_EQ(after.find("box_3"), std::string::npos);
  EXPECT_NE(after.find("\n  ball: {base: free, position: [0.5, 0, 2], rotation: ["), std::string::npos)
      << after;
  EXPECT_NE(after.find("\n  \"view 1\": {position: [1, 2, 3]"), std::string::npos) << after;
  Result<assets::LoadedScene> again = assets::parseScene(after, scene.file.parent_path(), "stack");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(testing::SceneFacts::difference(scene, again->scene), "");
}

TEST_F(SavedScene, HidesAndColoursInTheLinesOfThings) {
  Scene scene = open("hold");
  const std::string before = read(scene.file);
  setLook(scene, {ThingKind::Deformable, scene.deformables[0].name}, {false, Color(1, 0, 0, 1)});
  setLook(scene, {ThingKind::Robot, "left"}, {false, {}});
  setLook(scene, {ThingKind::Link, "right.panel"}, {true, Color(0, 0, 1, 1)});
  const std::string after = text(scene);
  EXPECT_EQ(commentsOf(after), commentsOf(before));
  Result<assets::LoadedScene> again = assets::parseScene(after, scene.file.parent_path(), "hold");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(testing::SceneFacts::difference(scene, again->scene), "");
  EXPECT_NE(after.find("visible: false"), std::string::npos);
  EXPECT_NE(after.find("links: {panel: {color: \"#0000FF\"}}"), std::string::npos) << after;
  for (const ThingName& thing : {ThingName{ThingKind::Robot, "left"}, {ThingKind::Link, "right.panel"}})
    setLook(scene, thing, {});
  scene.deformables[0].visible = true;
  scene.deformables[0].color = open("hold").deformables[0].color;
  EXPECT_EQ(text(scene), before) << "and back, to the last byte";
}

TEST_F(SavedScene, WithEveryNumberChangedHasThem) {
  std::mt19937 random(7);
  for (const char* name : {"hold", "dough_rolling", "sand_scoop", "shake", "box_bagging"}) {
    const Scene scene = open(name);
    const Result<CompiledScene> compiled = compile(scene);
    ASSERT_TRUE(compiled) << compiled.error().message();
    const Model& model = *compiled->model;
    Tuning tuning = model.tuning;
    assets::ChangedNumbers numbers;
    for (const Parameter& parameter : model.parameters) {
      ParameterValue value = valueOf(parameter, tuning);
      if (value.empty() || parameter.kind->key == "hardening_deg") continue;
      for (double& x : value)
        x = isWhole(parameter, tuning) ? x + 1
                                       : x * std::uniform_real_distribution<double>(0.8, 0.99)(random);
      if (!setParameter(model, parameter.path, value, tuning)) continue;
      numbers.emplace_back(parameter.path, value);
    }
    const std::string after = text(scene, numbers);
    EXPECT_EQ(commentsOf(after), commentsOf(read(scene.file))) << name;
    Result<assets::LoadedScene> again = assets::parseScene(after, scene.file.parent_path(), name);
    ASSERT_TRUE(again) << again.error().message();
    const Result<CompiledScene> recompiled = compile(again->scene);
    ASSERT_TRUE(recompiled) << recompiled.error().message();
    EXPECT_EQ(hashOf(recompiled->model->tuning), hashOf(tuning)) << name;
  }
}

TEST_F(SavedScene, IsFoundFromAnotherFolderAndReplacesAFileWhole) {
  const Scene scene = open("hold");
  const fs::path file = fs::path(::testing::TempDir()) / "saved_hold.yaml";
  ASSERT_TRUE(assets::saveScene(scene, {{"contact.friction", {0.25}}}, file));
  Result<assets::LoadedScene> again = assets::loadScene(file.string());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->scene.contact.friction, 0.25);
  EXPECT_EQ(commentsOf(read(file)), commentsOf(read(scene.file)));
  EXPECT_FALSE(fs::exists(file.string() + ".part"));
  const Result<void> nowhere = assets::saveScene(scene, {}, "/nowhere/at/all.yaml");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::FileUnwritable);
}

}  // namespace
}  // namespace slipstick
