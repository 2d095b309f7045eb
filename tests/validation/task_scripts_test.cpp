// The shipped tasks, done by hand: keys alone, from random resets, until the task's own test says that it is done.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/runtime/task_watch.h"
#include "tests/support/long_runs.h"
#include "tests/support/task_scripts.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

/// SLIPSTICK_SHOW_STROKES=1: prints when each stroke begins, and where the tool is.
bool showsStrokes() {
  return std::getenv("SLIPSTICK_SHOW_STROKES") != nullptr;
}

/// A scene whose arm a person drives with keys.
struct DrivenScene {
  explicit DrivenScene(std::shared_ptr<const Model> model) : run(std::move(model), {.threads = 1}) {
    teleop.setActive(true);
  }
  std::shared_ptr<const Snapshot> now() const {
    auto snapshot = std::make_shared<Snapshot>(run.snapshot());
    snapshot->model = run.sharedModel();
    return snapshot;
  }
  /// @return whether the step was taken
  bool step(const std::shared_ptr<const Snapshot>& now, const testing::Keys& keys) {
    hand.hold(keys);
    std::vector<Command> commands;
    teleop.addCommands(now, commands);
    run.step(commands);
    return run.snapshot().step == now->step + 1;
  }

  testing::SceneRun run;
  Teleop teleop;
  testing::KeyHand hand{teleop};
};

/// One try with a seed, by the keys of scriptOf(); what happened is printed.
void doTask(const std::string& task, std::uint64_t seed, const std::vector<std::string>& overrides = {}) {
  SCOPED_TRACE(task + ", seed " + std::to_string(seed));
  const Result<assets::LoadedModel> loaded =
      assets::loadModel(task, {.overrides = overrides, .packagePaths = {}, .seed = seed});
  ASSERT_TRUE(loaded) << loaded.error().message();
  DrivenScene scene(loaded->model);
  ASSERT_TRUE(scene.run.ok());
  testing::KeyScript script = testing::scriptOf(task);
  TaskWatch watch(loaded->model);
  std::string stroke;
  const auto begin = std::chrono::steady_clock::now();
  while (watch.outcome() == TaskOutcome::Running) {
    const std::shared_ptr<const Snapshot> now = scene.now();
    watch.add(*now);
    const testing::Keys& keys = script.keysAt(*now);
    if (showsStrokes() && script.where() != stroke) {
      const multibody::Chain& chain = loaded->model->effectors.front().chain;
      const Pose tool = now->X_WB[static_cast<std::size_t>(chain.body)] * chain.X_BE;
      std::printf("%7.2f s  tool %.3f %.3f %.3f  %s\n", now->time, tool.p.x(), tool.p.y(), tool.p.z(),
                  script.where().c_str());
      stroke = script.where();
    }
    ASSERT_TRUE(scene.step(now, keys)) << "the step was refused at t = " << now->time;
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  std::string state;
  for (const TaskWatch::Condition& condition : watch.success()) state += "\n  " + condition.text();
  EXPECT_EQ(watch.outcome(), TaskOutcome::Succeeded)
      << nameOf(watch.outcome()) << ": " << watch.why() << ", at: " << script.where() << state;
  std::printf("%s, seed %llu: %s after %.2f s, in %.1f s of wall time\n", task.c_str(),
              static_cast<unsigned long long>(seed), std::string(nameOf(watch.outcome())).c_str(),
              watch.time(), wall.count());
}

/// Where the elbow is nearly straight, on the way over the table.
TEST(BagBoxes, TheToolRestsAtItsGoalWhereTheHandLetGo) {
  const Result<assets::LoadedModel> loaded = assets::loadModel("bag_boxes", {});
  ASSERT_TRUE(loaded) << loaded.error().message();
  DrivenScene scene(loaded->model);
  ASSERT_TRUE(scene.run.ok());
  for (auto now = scene.now(); now->time < 2.2; now = scene.now())
    ASSERT_TRUE(scene.step(now, now->time < 1.2 ? testing::Keys{"W"} : testing::Keys{}));
  const StepFacts::EffectorGoal& goal = scene.run.snapshot().goals.at(0);
  EXPECT_LT((goal.wanted.p - goal.onTheWay.p).norm(), 1e-4);
}

class ShippedTask : public ::testing::TestWithParam<const char*> {};

class OneTry : public ::testing::TestWithParam<const char*> {};

/// Of the tasks that take a few seconds of computing.
TEST_P(OneTry, IsDoneWithKeysAloneFromARandomReset) {
  doTask(GetParam(), 1);
}

INSTANTIATE_TEST_SUITE_P(Tasks, OneTry, ::testing::Values("flatten_dough", "pour_water"),
                         [](const auto& task) { return std::string(task.param); });

TEST_P(ShippedTask, FullRunIsDoneWithKeysAloneFromFiveResets) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) doTask(GetParam(), seed);
}

INSTANTIATE_TEST_SUITE_P(Tasks, ShippedTask,
                         ::testing::Values("flatten_dough", "scoop_sand", "pour_water", "bag_boxes"),
                         [](const auto& task) { return std::string(task.param); });

}  // namespace
}  // namespace slipstick
