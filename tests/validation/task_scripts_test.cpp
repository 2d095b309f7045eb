// The shipped tasks, done by hand: keys alone, from random resets, until the task's own test says that it is done.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "assets/recording/live_recorder.h"
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

/// SLIPSTICK_RECORD_TRIES=FOLDER: keeps what happened as FOLDER/TASK_SEED.h5, for those who want to look at it.
class TryRecorder {
 public:
  TryRecorder(const std::string& name, const testing::SceneRun& run) : run_(run) {
    if (const char* folder = std::getenv("SLIPSTICK_RECORD_TRIES"))
      recorder_.emplace(std::filesystem::path(folder) / (name + ".h5"),
                        assets::RecorderOptions{.program = "tests", .packagePaths = {}});
  }
  /// A step, and the commands that led to it.
  void add(const std::shared_ptr<const Snapshot>& now, std::span<const Command> applied) {
    if (!recorder_) return;
    if (now->step == 0)
      recorder_->begin(now, keyframe(),
                       {std::string(run_.stepper().method()), std::string(run_.stepper().backendName()),
                        run_.stepper().runsOn()});
    else
      recorder_->add(now, applied, recorder_->wantsKeyframe(now->step) ? keyframe() : nullptr);
  }

 private:
  std::shared_ptr<const Keyframe> keyframe() const {
    return std::make_shared<const Keyframe>(
        Keyframe{run_.sharedModel(), run_.state(), std::string(run_.stepper().backendName())});
  }

  const testing::SceneRun& run_;
  std::optional<assets::LiveRecorder> recorder_;
};

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
    commands.clear();
    teleop.addCommands(now, commands);
    run.step(commands);
    return run.snapshot().step == now->step + 1;
  }

  testing::SceneRun run;
  std::vector<Command> commands;  ///< of the last step
  Teleop teleop;
  testing::KeyHand hand{teleop};
};

/// What is not done this long after the last key will not be [s].
constexpr double kPatience = 8;

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
  TryRecorder recorder(task + "_" + std::to_string(seed), scene.run);
  std::string stroke;
  double lastKey = 0;
  const auto begin = std::chrono::steady_clock::now();
  while (watch.outcome() == TaskOutcome::Running && watch.time() < lastKey + kPatience) {
    const std::shared_ptr<const Snapshot> now = scene.now();
    if (!script.isOver()) lastKey = now->time;
    watch.add(*now);
    recorder.add(now, scene.commands);
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
  EXPECT_LT(watch.time(), 180) << "a person has three minutes";
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

/// Round about the rim where the mug stands at the start, beside the bin.
TEST(PourWater, WaterOnTheTableIsAFailure) {
  const Result<assets::LoadedModel> loaded = assets::loadModel("pour_water", {});
  ASSERT_TRUE(loaded) << loaded.error().message();
  DrivenScene scene(loaded->model);
  ASSERT_TRUE(scene.run.ok());
  TaskWatch watch(loaded->model);
  for (auto now = scene.now(); watch.outcome() == TaskOutcome::Running && now->time < 6; now = scene.now()) {
    watch.add(*now);
    ASSERT_TRUE(scene.step(now, {"Z"}));
  }
  EXPECT_EQ(watch.outcome(), TaskOutcome::Failed);
}

class OneTry : public ::testing::TestWithParam<const char*> {};

/// Of the tasks that take a few seconds of computing.
TEST_P(OneTry, IsDoneWithKeysAloneFromARandomReset) {
  doTask(GetParam(), 1);
}

INSTANTIATE_TEST_SUITE_P(Tasks, OneTry, ::testing::Values("flatten_dough", "pour_water"),
                         [](const auto& task) { return std::string(task.param); });

using TaskAndSeed = std::tuple<const char*, std::uint64_t>;
class ShippedTask : public ::testing::TestWithParam<TaskAndSeed> {};

TEST_P(ShippedTask, FullRunIsDoneWithKeysAloneFromARandomReset) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  const auto& [task, seed] = GetParam();
  doTask(task, seed);
}

INSTANTIATE_TEST_SUITE_P(Tasks, ShippedTask,
                         ::testing::Combine(::testing::Values("flatten_dough", "scoop_sand", "pour_water",
                                                              "bag_boxes", "fold_shirt"),
                                            ::testing::Range<std::uint64_t>(1, 6)),
                         [](const auto& one) {
                           return std::string(std::get<0>(one.param)) + "_" +
                                  std::to_string(std::get<1>(one.param));
                         });

}  // namespace
}  // namespace slipstick
