// The task of a scene's file: read, refused, written again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

#include "assets/scene_file.h"
#include "assets/scene_io.h"
#include "assets/scene_writer.h"
#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "engine/compile/task_reset.h"
#include "tests/assets/scene_facts.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* kScene = R"(# Written by hand.
title: a box to be put down
bodies:
  table: {shapes: [{name: top, shape: plane}]}
  box: {base: free, mass: 1, position: [0, 0, 0.3], shapes: [{name: all, shape: box, size: [0.1, 0.1, 0.1]}]}
  ball: {base: free, mass: 1, position: [1, 0, 0.3], shapes: [{name: all, shape: sphere, radius: 0.05}]}
robots:
  arm: {urdf: arm7, joints: {joint_2: 0.5}}
task:
  text: Put the box down, gently.  # what the operator reads
  time_limit: 30
  reset:
    # not too far
    - {name: box, position: {x: [-0.1, 0.1], y: [-0.05, 0.05]}, yaw_deg: [-20, 35]}
    - {name: ball, position: {z: [0, 0.2]}}
    - {name: arm, joints: {joint_2: [-0.1, 0.2], joint_4: [-0.3, 0]}}
  success:
    - {observable: box.z, below: 0.06, for: 0.5}  # it lies
    - {observable: "|box.v|", below: 0.01}
  failure:
    - {observable: box.z, between: [-3, -0.2]}  # it fell off
    - {observable: ball.z, below: 0}
)";

class SceneTask : public ::testing::Test {
 protected:
  SceneTask() {
    std::string name = (fs::temp_directory_path() / "slipstick_task_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    file_ = folder_ / "put.yaml";
    std::ofstream(file_) << kScene;
  }
  ~SceneTask() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Result<assets::LoadedScene> load(assets::LoadOptions options = {}) const {
    return assets::loadScene(file_.string(), options);
  }
  /// The message of loading or compiling the scene with one text in place of another.
  std::string refusal(const std::string& from, const std::string& to) const {
    std::string text = kScene;
    text.replace(text.find(from), from.size(), to);
    std::ofstream(file_) << text;
    const Result<assets::LoadedModel> loaded = assets::loadModel(file_.string());
    EXPECT_FALSE(loaded) << to;
    return loaded ? "" : loaded.error().message();
  }
  fs::path folder_, file_;
};

TEST_F(SceneTask, IsReadWithItsRangesInRadiansAndMetres) {
  const Result<assets::LoadedScene> loaded = load();
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_TRUE(loaded->scene.task);
  const TaskSpec& task = *loaded->scene.task;
  EXPECT_EQ(task.text, "Put the box down, gently.");
  EXPECT_EQ(task.timeLimit, 30);
  ASSERT_EQ(task.reset.size(), 3u);
  EXPECT_EQ(task.reset[0].position[1], (DrawRange{-0.05, 0.05}));
  EXPECT_TRUE(task.reset[0].position[2].isNone());
  EXPECT_NEAR(task.reset[0].yaw.upper, 35 * std::numbers::pi / 180, 1e-15);
  ASSERT_EQ(task.reset[2].joints.size(), 2u);
  EXPECT_EQ(task.reset[2].joints[1].first, "joint_4");
  ASSERT_EQ(task.success.size(), 2u);
  EXPECT_EQ(task.success[0], (ConditionSpec{"box.z", std::nullopt, 0.06, 0.5}));
  EXPECT_EQ(task.failure[0], (ConditionSpec{"box.z", -3, -0.2, 0}));
  const Result<CompiledScene> compiled = assets::compileLoaded(*loaded);
  ASSERT_TRUE(compiled) << compiled.error().message();
}

TEST_F(SceneTask, FaultsAreSaidWithTheirLine) {
  EXPECT_THAT(refusal("below: 0.06", "bellow: 0.06"), HasSubstr("put.yaml:18"));
  EXPECT_THAT(refusal("observable: box.z, below", "observable: bax.z, below"), HasSubstr("put.yaml:18"));
  EXPECT_THAT(refusal("observable: box.z, below", "observable: bax.z, below"),
              HasSubstr("did you mean 'box.z'?"));
  EXPECT_THAT(refusal("- {name: ball, pos", "- {name: bull, pos"), HasSubstr("did you mean 'ball'?"));
  EXPECT_THAT(refusal("z: [0, 0.2]", "z: [0.2, 0]"), HasSubstr("ends before it begins"));
  EXPECT_THAT(refusal("joint_4: [-0.3", "joint_44: [-0.3"), HasSubstr("did you mean 'joint_4'?"));
  EXPECT_THAT(refusal("below: 0.01", "below: .nan"), HasSubstr("put.yaml:19"));
  EXPECT_THAT(refusal("    - {observable: \"|box.v|\", below: 0.01}", "    - {observable: \"|box.v|\"}"),
              HasSubstr("no limit"));
  EXPECT_THAT(refusal("time_limit: 30", "time_limit: -1"), HasSubstr("task.time_limit"));
  EXPECT_THAT(refusal("  text: Put", "  seed: 1.5\n  text: Put"), HasSubstr("whole number"));
}

TEST_F(SceneTask, ItsNumbersCanBeSetOnTheCommandLine) {
  assets::LoadOptions options;
  options.overrides = {"task.time_limit=5", "task.reset.ball.position.z=[0, 1]", "task.success.0.below=0.2"};
  const Result<assets::LoadedScene> loaded = load(options);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->scene.task->timeLimit, 5);
  EXPECT_EQ(loaded->scene.task->reset[1].position[2].upper, 1);
  EXPECT_EQ(loaded->scene.task->success[0].below, 0.2);
}

TEST_F(SceneTask, IsWrittenAsItWasRead) {
  const Result<assets::LoadedScene> loaded = load();
  ASSERT_TRUE(loaded);
  for (const Scene& scene :
       {loaded->scene, randomised(loaded->scene, 77), randomised(loaded->scene, kLargestSeed)}) {
    const Result<std::string> text = assets::writeScene(scene, folder_);
    ASSERT_TRUE(text) << text.error().message();
    Result<assets::LoadedScene> again = assets::parseScene(*text, folder_, scene.name);
    ASSERT_TRUE(again) << again.error().message() << "\n" << *text;
    again->scene.name = scene.name;
    EXPECT_EQ(testing::SceneFacts::difference(scene, again->scene), "") << *text;
  }
}

TEST_F(SceneTask, SavingAfterARemovalKeepsCommentsAndDropsWhatNamesTheThing) {
  const Result<assets::LoadedScene> loaded = load();
  ASSERT_TRUE(loaded);
  const Result<Scene> without = edited(loaded->scene, Remove{"ball"});
  ASSERT_TRUE(without);
  const Result<std::string> text = assets::textOfScene(*without, {}, folder_);
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_THAT(*text, HasSubstr("# what the operator reads"));
  EXPECT_THAT(*text, HasSubstr("# not too far"));
  EXPECT_THAT(*text, HasSubstr("# it fell off"));
  EXPECT_EQ(text->find("ball"), std::string::npos) << *text;
}

TEST_F(SceneTask, SavingADrawnSceneSaysItsSeed) {
  const Result<assets::LoadedScene> loaded = load();
  ASSERT_TRUE(loaded);
  const Result<std::string> text = assets::textOfScene(randomised(loaded->scene, 5), {}, folder_);
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_THAT(*text, HasSubstr("seed: 5"));
}

TEST_F(SceneTask, ALoadWithASeedIsTheDrawnSceneAndIsNotDrawnTwice) {
  const Result<assets::LoadedScene> plain = load();
  assets::LoadOptions options;
  options.seed = 12;
  const Result<assets::LoadedScene> drawn = load(options);
  ASSERT_TRUE(plain && drawn) << drawn.error().message();
  EXPECT_EQ(testing::SceneFacts::difference(randomised(plain->scene, 12), drawn->scene), "");
  const Result<std::string> text = assets::writeScene(drawn->scene, folder_);
  ASSERT_TRUE(text);
  std::ofstream(file_) << *text;
  const Result<assets::LoadedScene> twice = load(options);
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error().message(), HasSubstr("drawn already, with the seed 12"));
}

TEST_F(SceneTask, ASeedForASceneWithoutATaskIsRefused) {
  assets::LoadOptions options;
  options.seed = 1;
  const Result<assets::LoadedScene> loaded = assets::loadScene("stack", options);
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message(), HasSubstr("no task"));
}

}  // namespace
}  // namespace slipstick
