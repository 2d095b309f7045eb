// A run that begins anew with another draw of its scene.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "engine/compile/task_reset.h"
#include "tests/engine/runtime/fake_stepper.h"

namespace slipstick {
namespace {

using testing::FakeBehaviour;
using ::testing::HasSubstr;

/// A box whose reset puts it somewhere else.
Scene boxScene() {
  Scene scene;
  scene.name = "box";
  scene.gravity = {0, 0, -10};
  scene.time.dt = 0.01;
  scene.time.duration = 10;
  scene.robots = {
      floatingBody("box", shape::Box{{0.1, 0.1, 0.1}}, 500, {Mat3::Identity(), {0, 0, 1}}, {1, 0, 0, 1})
          .value()};
  scene.task = TaskSpec{"Let it fall.", 5, {{"box", {{{-1, 1}, {-1, 1}, {0, 0}}}, {}, {}}}, {}, {}, {}};
  scene.task->success = {{"box.z", std::nullopt, 0.5, 0}};
  return scene;
}

struct Counted final : RunSink {
  std::vector<std::vector<std::uint64_t>> stretches;  ///< steps
  std::size_t commands = 0;
  std::optional<std::uint64_t> seed;
  void begin(std::shared_ptr<const Snapshot> first, std::shared_ptr<const Keyframe> keyframe,
             const Computes&) override {
    EXPECT_EQ(keyframe->state.step, first->step);
    seed = first->model->task->seed;
    stretches.push_back({first->step});
  }
  bool wantsKeyframe(std::uint64_t) const override { return false; }
  void add(std::shared_ptr<const Snapshot> snapshot, std::span<const Command> applied,
           std::shared_ptr<const Keyframe>) override {
    stretches.back().push_back(snapshot->step);
    commands += applied.size();
  }
};

struct StartOver : ::testing::Test {
  Scene scene = boxScene();
  std::shared_ptr<FakeBehaviour> behaviour = std::make_shared<FakeBehaviour>();
  std::unique_ptr<SimulationThread> owner =
      SimulationThread::create(compile(scene)->model, testing::makeFakeStepper(behaviour)).value();
  SimulationThread& thread = *owner;

  void runTo(double time) {
    thread.runUntil(time);
    thread.waitUntilIdle();
  }
  void startOver(std::uint64_t seed, const std::shared_ptr<RunSink>& sink = nullptr) {
    thread.startOver(randomised(scene, seed), "try " + std::to_string(seed), sink);
    thread.waitUntilIdle();
  }
  /// All wishes reach the thread while it is in a step, so that it sees them together.
  void duringAStep(const std::function<void()>& wish) {
    behaviour->holdTheStepOf([this] { thread.stepOnce(); });
    wish();
    behaviour->letGo();
    thread.waitUntilIdle();
  }
};

TEST_F(StartOver, BeginsAtTheStartOfTheOtherSceneOnABranchOfItsOwn) {
  runTo(0.2);
  const std::uint64_t hash = thread.latest()->stateHash;
  startOver(5);
  EXPECT_EQ(thread.status().error, "");
  EXPECT_EQ(thread.latest()->step, 0u);
  EXPECT_EQ(thread.latest()->model->task->seed, 5u);
  EXPECT_EQ(thread.latest()->q, compile(randomised(scene, 5))->model->initialQ);
  EXPECT_FALSE(thread.status().playing);
  const std::vector<BranchFacts> branches = thread.branches();
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(branches[1].name, "try 5");
  EXPECT_TRUE(branches[1].active);
  EXPECT_FALSE(branches[1].parent);
  EXPECT_EQ(thread.branch(0)->latest()->stateHash, hash) << "what was simulated stays";
  runTo(0.1);
  EXPECT_EQ(thread.marks().size(), 11u);
}

TEST_F(StartOver, PlaysWhenItIsThereIfItIsToldToMeanwhile) {
  thread.startOver(randomised(scene, 5), "try", nullptr);
  thread.runUntil(0.1);
  thread.waitUntilIdle();
  EXPECT_EQ(thread.latest()->step, 10u);
  EXPECT_EQ(thread.latest()->model->task->seed, 5u);
}

TEST_F(StartOver, TheSinkGetsEveryStepFromTheFirstOnAndNoCommandThatNobodyGave) {
  const auto before = std::make_shared<Counted>(), during = std::make_shared<Counted>();
  thread.setSink(before);
  runTo(0.05);
  EXPECT_TRUE(thread.post(SetParameter{"gravity.x", {1}}));
  thread.setSink(nullptr);  // of one that ends as the next begins
  startOver(7, during);
  runTo(0.03);
  EXPECT_EQ(during->stretches, (std::vector<std::vector<std::uint64_t>>{{0, 1, 2, 3}}));
  EXPECT_EQ(during->seed, 7u);
  EXPECT_EQ(during->commands, 0u) << "what was posted before is forgotten";
  EXPECT_EQ(before->stretches.size(), 1u);
  EXPECT_EQ(before->stretches[0].size(), 6u);
  startOver(8);
  runTo(0.03);
  EXPECT_EQ(during->stretches.size(), 1u) << "nobody gets those of the next one";
}

TEST_F(StartOver, WhatIsPostedAfterwardsHoldsThere) {
  thread.startOver(randomised(scene, 5), "try", nullptr);
  EXPECT_TRUE(thread.post(SetParameter{"gravity.x", {3}}));
  runTo(0.01);
  EXPECT_NEAR(thread.latest()->v[3], 0.03, 1e-12);
}

TEST_F(StartOver, ResetGoesToTheStartThatTheRunComesFrom) {
  startOver(5);
  const std::uint64_t start = thread.latest()->stateHash;
  runTo(0.1);
  thread.resumeFrom(thread.status().branch, 5);  // and on a branch of that branch, too
  runTo(0.2);
  thread.reset();
  thread.waitUntilIdle();
  EXPECT_EQ(thread.latest()->stateHash, start);
  EXPECT_EQ(thread.latest()->model->task->seed, 5u);
  thread.resumeFrom(0, 0);
  thread.waitUntilIdle();
  runTo(0.1);
  thread.reset();
  thread.waitUntilIdle();
  EXPECT_FALSE(thread.latest()->model->task->seed);
}

TEST_F(StartOver, ASceneThatCannotBeginChangesNothing) {
  const auto sink = std::make_shared<Counted>();
  thread.setSink(sink);
  runTo(0.1);
  Scene wrong = scene;
  wrong.gridSpacing = -1;
  thread.startOver(wrong, "wrong", std::make_shared<Counted>());
  thread.waitUntilIdle();
  EXPECT_THAT(thread.status().error, HasSubstr("grid"));
  EXPECT_EQ(thread.latest()->step, 10u);
  EXPECT_EQ(thread.branches().size(), 1u);
  runTo(0.2);
  EXPECT_EQ(sink->stretches[0].size(), 21u) << "who got the steps gets them still";
}

TEST_F(StartOver, TheLastWishWins) {
  runTo(0.1);
  duringAStep([this] {
    thread.startOver(randomised(scene, 5), "five", nullptr);
    thread.startOver(randomised(scene, 6), "six", nullptr);
  });
  EXPECT_EQ(thread.latest()->model->task->seed, 6u);
  duringAStep([this] {
    thread.startOver(randomised(scene, 7), "seven", nullptr);
    thread.reset();
  });
  EXPECT_EQ(thread.latest()->model->task->seed, 6u);
  EXPECT_EQ(thread.latest()->step, 0u);
}

}  // namespace
}  // namespace slipstick
