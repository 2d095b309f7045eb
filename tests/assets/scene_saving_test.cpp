// Saving a scene whose file says things once: an edit changes what a person changed and nothing else, and the file stays as
// it is written as far as it can.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "assets/scene_file.h"
#include "assets/scene_io.h"
#include "engine/compile/scene_edit.h"
#include "tests/assets/scene_facts.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kCommon = R"(# what all scenes share
contact: {friction: 0.6}
materials: {gel: {model: hencky, E: 1e5, nu: 0.3, density: 500}}
bodies:
  table: {shapes: [{name: top, shape: plane}]}
  crate: {base: free, density: 500, position: [0, 0, 1], shapes: [{name: all, shape: box, size: [0.1, 0.1, 0.1]}], contact: {friction: 0.5, dissipation: 2}}
controllers: [{kind: force, link: crate, keys: [{t: 0, force: [1, 0, 0]}]}]
)";

constexpr const char* kMain = R"(# my scene
include: common.yaml  # the rest
defaults:
  bodies: {base: free, density: 300, contact: {friction: 0.4, dissipation: 1}}
frames:
  shelf: {position: [0, 1, 0.5], rpy_deg: [0, 0, 90]}
bodies:
  # a row of three
  brick:
    position: [1, 0, 0.5]
    shapes: [{name: all, shape: box, size: [0.1, 0.1, 0.1]}]
    replicate: {count: 3, offset: [0.2, 0, 0]}
  left: &left {position: [0, 0.5, 0.5], rpy_deg: [0, 0, 30], shapes: [{shape: sphere, radius: 0.1}]}
  right: {mirror: {of: left, normal: y}}  # the other one
  twin: {<<: *left, position: [0, 2, 0.5]}
  book: {in: shelf, position: [0, 0, 0.1], shapes: [{shape: sphere, radius: 0.1}]}
controllers:
  - {kind: force, link: left, keys: [{t: 0, force: [0, 0, 1]}]}  # up
)";

struct SharedText : ::testing::Test {
  SharedText() {
    std::string name = (fs::temp_directory_path() / "slipstick_saving_XXXXXX").string();
    folder = mkdtemp(name.data());
    std::ofstream(folder / "common.yaml") << kCommon;
    std::ofstream(folder / "main.yaml") << kMain;
    Result<assets::LoadedScene> loaded = assets::loadScene((folder / "main.yaml").string());
    EXPECT_TRUE(loaded) << loaded.error().message();
    if (loaded) scene = loaded->scene;
  }
  ~SharedText() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  RobotSpec& robot(const std::string& name) {
    for (RobotSpec& r : scene.robots)
      if (r.name == name) return r;
    ADD_FAILURE() << name;
    return scene.robots.front();
  }
  /// What would be saved; it must say what the scene is.
  std::string saved(const assets::ChangedNumbers& numbers = {}) {
    const Result<std::string> text = assets::textOfScene(scene, numbers, folder);
    EXPECT_TRUE(text) << text.error().message();
    if (!text || !numbers.empty()) return text ? *text : "";
    Result<assets::LoadedScene> again = assets::parseScene(*text, folder, "main");
    EXPECT_TRUE(again) << again.error().message() << "\n" << *text;
    const std::string difference = again ? testing::SceneFacts::difference(scene, again->scene) : "";
    EXPECT_EQ(difference, "") << *text;
    return *text;
  }
  Scene sceneOf(const std::string& text) {
    Result<assets::LoadedScene> loaded = assets::parseScene(text, folder, "main");
    EXPECT_TRUE(loaded) << loaded.error().message() << "\n" << text;
    return loaded ? loaded->scene : Scene{};
  }
  static std::string linesThatChanged(const std::string& after) {
    const std::string before = kMain;
    std::string changed;
    std::istringstream lines(after);
    for (std::string line; std::getline(lines, line);)
      if (("\n" + before).find("\n" + line + "\n") == std::string::npos) changed += line + "\n";
    return changed;
  }
  fs::path folder;
  Scene scene;
};

TEST_F(SharedText, WithoutChangesIsTheFileToTheLastByte) {
  EXPECT_EQ(saved(), kMain);
}

TEST_F(SharedText, AThingFromAnIncludeIsChangedInTheFileThatIncludes) {
  robot("crate").X_PB.p = {0, 0, 2};
  EXPECT_EQ(linesThatChanged(saved()), "  crate: {position: [0, 0, 2]}\n");
}

TEST_F(SharedText, MovingOneCopyMovesNoOther) {
  robot("brick_1").X_PB.p = {1.2, 0.5, 0.5};
  EXPECT_EQ(linesThatChanged(saved()), "  brick_1: {position: [1.2, 0.5, 0.5]}\n");
}

TEST_F(SharedText, MovingWhatIsMirroredLeavesItsImageWhereItWas) {
  robot("left").X_PB.p = {0, 0.7, 0.5};
  const std::string text = saved();
  EXPECT_THAT(text, HasSubstr("left: &left {position: [0, 0.7, 0.5], rpy_deg"));
  EXPECT_THAT(text,
              HasSubstr("right: {mirror: {of: left, normal: y}, position: [0, -0.5, 0.5]}  # the other one"));
  EXPECT_EQ(linesThatChanged(text).find("twin"), std::string::npos);
}

TEST_F(SharedText, WhatStandsInAFrameIsPlacedInTheWorldOnceItIsMoved) {
  robot("book").X_PB = Pose::translation({1, 2, 3});
  EXPECT_EQ(linesThatChanged(saved()),
            "  book: {position: [1, 2, 3], shapes: [{shape: sphere, radius: 0.1}]}\n");
}

TEST_F(SharedText, NumbersOfDefaultsCopiesAndImagesChangeInOnePlaceOnly) {
  for (const char* name : {"brick_2", "left", "right", "twin", "book", "crate"}) {
    const std::string text = saved({{std::string("bodies.") + name + ".contact.friction", {0.125}}});
    EXPECT_THAT(text, HasSubstr("include: common.yaml  # the rest")) << name;
    EXPECT_THAT(text, HasSubstr("# a row of three"));
    const Scene again = sceneOf(text);
    for (std::size_t r = 0; r < scene.robots.size(); ++r) {
      const ContactSpec &was = scene.robots[r].contact, &now = again.robots.at(r).contact;
      EXPECT_EQ(now.dissipation, was.dissipation) << scene.robots[r].name << "\n" << text;
      EXPECT_EQ(now.friction, scene.robots[r].name == name ? std::optional(0.125) : was.friction) << text;
    }
  }
}

TEST_F(SharedText, NumbersOfIncludedMaterialsAndUnsetOnes) {
  const std::string text = saved({{"materials.gel.E", {2e5}}, {"contact.friction", {}}});
  EXPECT_EQ(linesThatChanged(text), "materials: {gel: {E: 2e5}}\ncontact: {friction: null}\n");
  EXPECT_FALSE(sceneOf(text).contact.friction);
}

TEST_F(SharedText, ControllersOfItsOwnAreFoundBehindTheIncludedOnes) {
  std::get<LinkForceSpec>(scene.controllers[1]).keys[0].force = {0, 0, 2};
  const std::string text = saved();
  EXPECT_THAT(text, HasSubstr("force: [0, 0, 2]"));
  EXPECT_THAT(text, HasSubstr("# up"));
  EXPECT_THAT(text, HasSubstr("include: common.yaml"));
}

TEST_F(SharedText, WhatHasNoPlaceInTheFileMakesItSayAllByItself) {
  std::get<LinkForceSpec>(scene.controllers[0]).keys[0].force = {2, 0, 0};
  EXPECT_THAT(saved(), Not(HasSubstr("include")));
}

TEST_F(SharedText, RemovedThingsStayAway) {
  for (const char* name : {"brick_0", "crate", "twin", "right"}) {
    Result<Scene> without = edited(scene, Remove{name});
    ASSERT_TRUE(without) << without.error().message();
    std::swap(scene, *without);
    const std::string text = saved();
    const bool hasIncludedController = std::string(name) != "crate";  // which goes with the crate
    EXPECT_EQ(text.find("# the rest") != std::string::npos, hasIncludedController) << name;
    std::swap(scene, *without);
  }
  EXPECT_THAT(saved(), HasSubstr("# the rest"));
}

TEST_F(SharedText, NewThingsTakeNoDefaults) {
  Result<RobotSpec> ball =
      floatingBody("ball", shape::Sphere{0.05}, 500, Pose::translation({3, 0, 1}), {1, 0, 0, 1});
  ASSERT_TRUE(ball);
  Result<Scene> with = edited(scene, SpawnBody{std::move(*ball)});
  ASSERT_TRUE(with);
  scene = *with;
  const std::string text = saved();
  EXPECT_THAT(text, HasSubstr("# the rest"));
  EXPECT_THAT(text, HasSubstr("\n  ball: {base: free, position: [3, 0, 1]"));
}

TEST_F(SharedText, IsFoundFromAnotherFolderWithItsIncludes) {
  const fs::path file = folder / "elsewhere" / "copy.yaml";
  fs::create_directories(file.parent_path());
  ASSERT_TRUE(assets::saveScene(scene, {}, file));
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("include: ../common.yaml  # the rest"));
  Result<assets::LoadedScene> again = assets::loadScene(file.string());
  ASSERT_TRUE(again) << again.error().message();
  again->scene.name = scene.name;
  again->scene.title = scene.title;  // that of the file's name
  EXPECT_EQ(testing::SceneFacts::difference(scene, again->scene), "");
}

}  // namespace
}  // namespace slipstick
