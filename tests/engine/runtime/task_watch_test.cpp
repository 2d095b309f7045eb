// What the steps of a try make of a task.
#include "engine/runtime/task_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

constexpr double kStep = 0.1;  // [s]

std::shared_ptr<const Model> modelWith(std::vector<ConditionSpec> success, std::vector<ConditionSpec> failure,
                                       double timeLimit = 5) {
  Scene scene;
  scene.name = "lower the box";
  scene.time.dt = kStep;
  scene.robots = {
      floatingBody("box", shape::Box{{0.1, 0.1, 0.1}}, 500, {Mat3::Identity(), {0, 0, 1}}, {1, 0, 0, 1})
          .value()};
  scene.task = TaskSpec{"Lower the box.", timeLimit, {}, std::move(success), std::move(failure), {}};
  const Result<CompiledScene> compiled = compile(scene);
  EXPECT_TRUE(compiled) << compiled.error().message();
  return compiled->model;
}

/// The box at some place, at a step.
Snapshot at(std::uint64_t step, const Vec3& place) {
  Snapshot snapshot;
  snapshot.step = step;
  snapshot.time = static_cast<double>(step) * kStep;
  snapshot.X_WB.resize(2);
  snapshot.X_WB[1].p = place;
  snapshot.V_WB.resize(2);
  return snapshot;
}
Snapshot at(std::uint64_t step, double height) {
  return at(step, Vec3(0, 0, height));
}

const ConditionSpec kLow{"box.z", std::nullopt, 0.5, 0};
const ConditionSpec kLowForAWhile{"box.z", std::nullopt, 0.5, 0.3};
const ConditionSpec kNear{"box.x", -0.1, 0.1, 0};
const ConditionSpec kFallen{"box.z", std::nullopt, -1, 0};

TEST(TaskWatch, SucceedsAtTheFirstStepAtWhichAllTestsHold) {
  TaskWatch watch(modelWith({kLow, kNear}, {}));
  watch.add(at(0, Vec3(1, 0, 1)));
  EXPECT_EQ(watch.outcome(), TaskOutcome::Running);
  watch.add(at(1, Vec3(1, 0, 0.4)));
  EXPECT_EQ(watch.outcome(), TaskOutcome::Running);
  EXPECT_TRUE(watch.success()[0].isMet);
  EXPECT_FALSE(watch.success()[1].isMet);
  watch.add(at(2, Vec3(0, 0, 0.4)));
  EXPECT_EQ(watch.outcome(), TaskOutcome::Succeeded);
  EXPECT_NEAR(watch.time(), 0.2, 1e-12);
  watch.add(at(3, Vec3(9, 0, 9)));
  EXPECT_EQ(watch.outcome(), TaskOutcome::Succeeded) << "what is decided stays";
  EXPECT_NEAR(watch.time(), 0.2, 1e-12);
  EXPECT_EQ(watch.success()[0].value, 9) << "and the numbers go on";
}

TEST(TaskWatch, ATestWithATimeMustHoldForItWithoutABreak) {
  TaskWatch watch(modelWith({kLowForAWhile}, {}));
  const double heights[] = {1, 0.4, 0.4, 0.4, 0.6, 0.4, 0.4, 0.4, 0.4};
  for (std::uint64_t step = 0; step < 8; ++step) {
    watch.add(at(step, heights[step]));
    EXPECT_EQ(watch.outcome(), TaskOutcome::Running) << step;
  }
  EXPECT_NEAR(watch.success()[0].heldFor, 0.2, 1e-12);
  EXPECT_TRUE(watch.success()[0].holds);
  EXPECT_FALSE(watch.success()[0].isMet);
  watch.add(at(8, heights[8]));
  EXPECT_EQ(watch.outcome(), TaskOutcome::Succeeded);
}

TEST(TaskWatch, AFailureEndsItWithTheReasonAlsoWhenAllIsWellOtherwise) {
  TaskWatch watch(modelWith({kLow}, {kFallen}));
  watch.add(at(0, 1));
  watch.add(at(1, -1.5));
  EXPECT_EQ(watch.outcome(), TaskOutcome::Failed);
  EXPECT_EQ(watch.why(), "box.z -1.5 m, below -1 m");
}

TEST(TaskWatch, TimeRunsOutOnceItsLimitIsReachedAndNotBefore) {
  TaskWatch watch(modelWith({kLow}, {}, 0.3));
  for (std::uint64_t step = 5; step < 8; ++step) {
    watch.add(at(step, 1));
    EXPECT_EQ(watch.outcome(), TaskOutcome::Running) << step;
  }
  watch.add(at(8, 1));
  EXPECT_EQ(watch.outcome(), TaskOutcome::TimedOut);
  EXPECT_EQ(watch.why(), "0.3 s are over");
  TaskWatch last(modelWith({kLow}, {}, 0.3));
  for (std::uint64_t step = 0; step < 3; ++step) last.add(at(step, 1));
  last.add(at(3, 0.4));
  EXPECT_EQ(last.outcome(), TaskOutcome::Succeeded) << "in the last moment";
}

TEST(TaskWatch, AnEarlierStepBeginsANewTry) {
  TaskWatch watch(modelWith({kLow}, {}));
  watch.add(at(0, 1));
  watch.add(at(1, 0.4));
  ASSERT_EQ(watch.outcome(), TaskOutcome::Succeeded);
  watch.add(at(0, 1));
  EXPECT_EQ(watch.outcome(), TaskOutcome::Running);
  EXPECT_EQ(watch.time(), 0);
  watch.add(at(1, 0.4));
  EXPECT_EQ(watch.outcome(), TaskOutcome::Succeeded);
  watch.reset();
  EXPECT_EQ(watch.outcome(), TaskOutcome::Running);
  EXPECT_TRUE(std::isnan(watch.success()[0].value));
}

TEST(TaskWatch, WhatIsNoNumberFulfilsNothing) {
  TaskWatch watch(modelWith({kLow}, {kFallen}));
  watch.add(at(0, std::nan("")));
  EXPECT_EQ(watch.outcome(), TaskOutcome::Running);
  EXPECT_FALSE(watch.success()[0].holds);
}

TEST(TaskWatch, ALimitItselfIsNotWithinIt) {
  TaskWatch watch(modelWith({kLow}, {}));
  watch.add(at(0, 0.5));
  EXPECT_FALSE(watch.success()[0].holds);
}

TEST(TaskWatch, SaysWhatIsAndWhatShallBeInUnitsOfPeople) {
  TaskWatch watch(
      modelWith({{"box.z", std::nullopt, 0.06, 0.5}, {"box.x", -0.1, 0.1, 0}, {"|box.v|", 2, {}, 0}}, {}));
  watch.add(at(0, 0.071));
  EXPECT_EQ(watch.success()[0].text(), "box.z 71 mm, below 60 mm for 0.5 s");
  EXPECT_EQ(watch.success()[1].text(), "box.x 0 mm, between -100 mm and 100 mm");
  EXPECT_EQ(watch.success()[2].text(), "|box.v| 0 m/s, above 2 m/s");
}

}  // namespace
}  // namespace slipstick
