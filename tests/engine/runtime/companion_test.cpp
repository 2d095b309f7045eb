// Runs that step beside the live one.
#include "engine/runtime/companion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "tests/engine/runtime/fake_stepper.h"

namespace slipstick {
namespace {

using testing::FakeBehaviour;
using ::testing::HasSubstr;
using testing::oneBodyModel;

/// A crate that floats under gravity, compiled, so that it can be edited.
std::shared_ptr<const Model> crate() {
  Scene scene;
  scene.name = "crate";
  scene.gravity = {0, 0, -10};
  scene.time.dt = 0.01;
  scene.robots = {
      floatingBody("crate", shape::Box{Vec3::Constant(0.1)}, 500, Pose::translation({0, 0, 1}), {}).value()};
  return compile(scene).value().model;
}

SpawnBody box(const std::string& name) {
  return {floatingBody(name, shape::Box{Vec3::Constant(0.1)}, 500, Pose::translation({1, 0, 1}), {}).value()};
}

SetParameter push(double x) {
  return {"gravity.x", {x}};
}

/// Where the live run is, or stopped.
bool isLevel(const Companion& companion, const SimulationThread& live) {
  const CompanionStatus status = companion.status();
  if (!status.error.empty()) return true;
  const std::shared_ptr<const Snapshot> newest = live.latest();
  const std::shared_ptr<const RunSource> steps = companion.along(live.status().branch);
  if (!steps || status.step != newest->step) return false;
  const std::shared_ptr<const Snapshot> own = steps->latest();
  return own->step == newest->step && own->X_WB.size() == newest->X_WB.size();
}

void waitUntilLevel(const Companion& companion, const SimulationThread& live) {
  while (!isLevel(companion, live)) std::this_thread::yield();
}

/// A live run, and one beside it whose stepper can be told what to do.
struct Beside {
  explicit Beside(std::vector<SetParameter> numbers = {},
                  const std::shared_ptr<const Model>& model = oneBodyModel())
      : owner(SimulationThread::create(model, testing::makeFakeStepper(liveBehaviour)).value()),
        live(*owner),
        settings{"other", "fake", std::move(numbers)},
        companion(live.record(), settings, testing::makeFakeStepper(behaviour)) {}

  void runTo(double time) {
    live.runUntil(time);
    live.waitUntilIdle();
    waitUntilLevel(companion, live);
  }
  void goBackTo(BranchId branch, std::uint64_t step) {
    live.resumeFrom(branch, step);
    live.waitUntilIdle();
    waitUntilLevel(companion, live);
  }
  /// The same for one that has stopped.
  void goBackAndOnTo(std::uint64_t step, double time) {
    live.resumeFrom(BranchId{0}, step);
    live.waitUntilIdle();
    while (!companion.status().error.empty()) std::this_thread::yield();
    runTo(time);
  }
  std::shared_ptr<const RunSource> steps() const { return companion.along(live.status().branch); }
  /// Of the newest branch, from its start to the newest step.
  void expectEqual() const {
    const std::vector<TimelineMark> marks = live.marks();
    const std::shared_ptr<const RunSource> own = steps();
    ASSERT_NE(own, nullptr);
    ASSERT_EQ(own->marks().size(), marks.size());
    for (const TimelineMark& mark : marks)
      EXPECT_EQ(own->mark(mark.step)->stateHash, mark.stateHash) << "step " << mark.step;
  }

  std::shared_ptr<FakeBehaviour> liveBehaviour = std::make_shared<FakeBehaviour>(),
                                 behaviour = std::make_shared<FakeBehaviour>();
  std::unique_ptr<SimulationThread> owner;
  SimulationThread& live;
  CompanionSettings settings;
  Companion companion;
};

TEST(Companion, WithEqualSettingsHasEqualStates) {
  Beside run;
  run.runTo(0.2);
  ASSERT_TRUE(run.live.post(push(3)));
  run.runTo(0.4);
  EXPECT_EQ(run.companion.status().error, "");
  EXPECT_EQ(run.companion.status().step, 40u);
  EXPECT_EQ(run.companion.status().behind, 0u);
  EXPECT_EQ(run.companion.status().runsOn, "none hardware");
  EXPECT_GT(run.companion.status().meanStepWall, 0);
  run.expectEqual();
}

TEST(Companion, CatchesUpWithARunThatIsAhead) {
  Beside run;
  run.live.runUntil(0.3);
  run.live.waitUntilIdle();
  Companion late(run.live.record(), run.settings, testing::makeFakeStepper(run.behaviour));
  waitUntilLevel(late, run.live);
  EXPECT_EQ(late.along(0)->latest()->stateHash, run.live.latest()->stateHash);
}

TEST(Companion, OwnNumbersStayInForceWhateverIsCommanded) {
  Beside run({push(2)});
  run.runTo(0.1);
  EXPECT_NEAR(run.steps()->latest()->v[3], 0.2, 1e-12);
  EXPECT_NEAR(run.live.latest()->v[3], 0, 1e-12);
  ASSERT_TRUE(run.live.post(push(7)));
  ASSERT_TRUE(run.live.post(SetParameter{"gravity.y", {1}}));
  run.runTo(0.2);
  EXPECT_NEAR(run.steps()->latest()->v[3], 0.4, 1e-12);
  EXPECT_NEAR(run.steps()->latest()->v[4], 0.1, 1e-12) << "the others are those of the live run";
  ASSERT_TRUE(run.live.post(SetParameter{"gravity", {9, 0, 4}}));
  run.runTo(0.3);
  EXPECT_NEAR(run.steps()->latest()->v[3], 0.6, 1e-12);
  EXPECT_NEAR(run.steps()->latest()->v[5], -2 + 0.4, 1e-12) << "of a list as much as is not its own";
}

TEST(Companion, NumbersThatTheSceneHasNotAreRefused) {
  Beside run({{"gravty.x", {2}}});
  waitUntilLevel(run.companion, run.live);
  EXPECT_THAT(run.companion.status().error, HasSubstr("gravty.x"));
  EXPECT_FALSE(run.companion.status().hasBegun);
  EXPECT_EQ(run.steps(), nullptr);
  EXPECT_FALSE(run.companion.end());
}

TEST(Companion, GoesBackWithTheLiveRunAndOnAlongItsNewBranch) {
  Beside run({push(2)});
  run.runTo(0.3);
  const std::uint64_t hash = run.steps()->latest()->stateHash;
  run.goBackTo(0, 12);
  EXPECT_EQ(run.steps()->latest()->step, 12u);
  ASSERT_TRUE(run.live.post(SetParameter{"gravity.y", {5}}));
  run.runTo(0.2);
  EXPECT_EQ(run.steps()->latest()->step, 20u);
  EXPECT_NEAR(run.steps()->latest()->v[3], 0.4, 1e-12);
  EXPECT_NEAR(run.steps()->latest()->v[4], 0.4, 1e-12);
  EXPECT_EQ(run.companion.along(0)->latest()->stateHash, hash) << "what it did on the other branch stays";
  EXPECT_EQ(run.companion.status().notice, "");
}

TEST(Companion, StartsAnewFromStepZeroWhenTheRunIsReset) {
  Beside run({push(2)});
  run.runTo(0.3);
  run.live.reset();
  run.live.waitUntilIdle();
  waitUntilLevel(run.companion, run.live);
  EXPECT_EQ(run.companion.status().step, 0u);
  run.runTo(0.1);
  EXPECT_NEAR(run.steps()->latest()->v[3], 0.2, 1e-12) << "its number is in force again";
}

TEST(Companion, ComesBackToABranchThatTheLiveRunGoesOnWith) {
  Beside run;
  run.runTo(0.3);
  run.goBackTo(0, 10);
  run.runTo(0.15);
  run.goBackTo(0, 30);
  run.runTo(0.4);
  run.expectEqual();
}

TEST(Companion, TakesEditsOfTheSceneWithItAndLosesThemAsTheLiveRunDoes) {
  Beside run({push(2)}, crate());
  run.runTo(0.1);
  ASSERT_TRUE(run.live.edit(box("second")).get());
  waitUntilLevel(run.companion, run.live);
  EXPECT_EQ(run.steps()->latest()->model->robots.size(), 2u) << "also while the live run rests";
  EXPECT_FALSE(run.companion.end()) << "no step has it yet";
  run.runTo(0.2);
  const Snapshot& edited = *run.steps()->latest();
  EXPECT_EQ(edited.step, 20u);
  EXPECT_EQ(edited.X_WB.size(), run.live.latest()->X_WB.size());
  EXPECT_NEAR(edited.v.tail<3>()[0], 0.2, 1e-12) << "its number is in force for what is new";
  EXPECT_NEAR(run.live.latest()->v.tail<3>()[0], 0, 1e-12);
  run.goBackTo(0, 10);
  run.runTo(0.12);
  EXPECT_EQ(run.steps()->latest()->model->robots.size(), 1u);
  EXPECT_EQ(run.companion.status().error, "");
}

TEST(Companion, BeginsAnewWithAnotherScene) {
  Beside run({push(2)}, crate());
  run.runTo(0.1);
  Scene other = *run.live.latest()->model->scene;
  other.gravity = {0, 0, -1};
  run.live.startOver(other, "moon", nullptr);
  run.live.waitUntilIdle();
  run.runTo(0.1);
  EXPECT_NEAR(run.steps()->latest()->v[5], -0.1, 1e-12);
  EXPECT_NEAR(run.steps()->latest()->v[3], 0.2, 1e-12);
  EXPECT_EQ(run.companion.status().notice, "began anew, as the live run did");
  EXPECT_NEAR(run.companion.along(0)->latest()->v[5], -1, 1e-12) << "what it did before stays";
}

TEST(Companion, StopsAloneWhereAStepIsRefusedUntilTheLiveRunGoesBack) {
  Beside run;
  run.behaviour->nonFiniteAt = 15;
  run.runTo(0.3);
  EXPECT_EQ(run.live.status().error, "");
  EXPECT_EQ(run.live.latest()->step, 30u);
  EXPECT_THAT(run.companion.status().error, HasSubstr("step 15"));
  EXPECT_THAT(run.companion.status().error, HasSubstr("NonFinite"));
  EXPECT_EQ(run.companion.status().behind, 16u);
  EXPECT_EQ(run.steps()->latest()->step, 14u) << "its steps stay";
  run.behaviour->nonFiniteAt = -1;
  run.goBackAndOnTo(5, 0.2);
  run.expectEqual();
}

TEST(Companion, StopsAloneWhereItsBackendFails) {
  Beside run;
  run.behaviour->failAt = 15;
  run.behaviour->losesState = true;
  run.runTo(0.3);
  EXPECT_FALSE(run.live.status().backendFailed);
  EXPECT_THAT(run.companion.status().error, HasSubstr("the device has failed"));
  run.behaviour->failAt = -1;
  run.goBackAndOnTo(5, 0.2);
  run.expectEqual();
}

TEST(Companion, StopsAloneWhereItsMethodCannotStepTheScene) {
  Beside run;
  const MakeStepper refuses = [](std::shared_ptr<const Model>) -> Result<std::unique_ptr<Stepper>> {
    return Error{ErrorCode::Unsupported, "it has no cloth", "other", "choose another method"};
  };
  const Companion other(run.live.record(), run.settings, refuses);
  run.runTo(0.1);
  waitUntilLevel(other, run.live);
  EXPECT_THAT(other.status().error, HasSubstr("no cloth"));
  run.expectEqual();
}

TEST(Companion, TheLiveRunDoesNotWaitForOneThatLags) {
  Beside run;
  run.behaviour->held = true;
  run.live.runUntil(0.3);
  run.live.waitUntilIdle();
  EXPECT_EQ(run.live.latest()->step, 30u);
  EXPECT_GE(run.companion.status().behind, 29u);
  run.behaviour->letGo();
  waitUntilLevel(run.companion, run.live);
  run.expectEqual();
}

TEST(Companion, WhatADeletedBranchHadIsLeft) {
  Beside run;
  run.runTo(0.3);
  run.goBackTo(0, 12);
  run.runTo(0.2);
  run.goBackTo(0, 30);
  ASSERT_TRUE(run.live.deleteBranch(1));
  EXPECT_EQ(run.companion.along(1), nullptr);
  run.runTo(0.4);
  run.expectEqual();
}

TEST(Companion, TakenOverItGoesOnAsTheLiveRunAndTheOldOneStaysABranch) {
  Beside run({push(2)}, crate());
  Companion third(run.live.record(), {"third", "fake", {push(5)}}, testing::makeFakeStepper(run.behaviour));
  run.runTo(0.2);
  waitUntilLevel(third, run.live);
  const std::uint64_t before = run.live.latest()->stateHash, taken = run.steps()->latest()->stateHash;
  const Result<BesideState> state = run.companion.end();
  ASSERT_TRUE(state) << state.error().message();
  run.live.resumeFrom(*state);
  run.live.waitUntilIdle();
  EXPECT_EQ(run.live.status().error, "");
  EXPECT_EQ(run.live.latest()->stateHash, taken);
  EXPECT_EQ(run.live.latest()->model->solver.method, "fake");
  EXPECT_EQ(run.live.branch(0)->latest()->stateHash, before);
  EXPECT_EQ(run.live.branches().back().name, "other");
  EXPECT_EQ(run.steps()->latest()->step, 20u)
      << "what it did beside the live run is looked at along its branch";
  EXPECT_TRUE(run.companion.status().isOver);
  run.live.runUntil(0.4);
  run.live.waitUntilIdle();
  EXPECT_NEAR(run.live.latest()->v[3], 0.8, 1e-12);
  waitUntilLevel(third, run.live);
  const std::shared_ptr<const RunSource> others = third.along(run.live.status().branch);
  EXPECT_NEAR(others->latest()->v[3], 2.0, 1e-12) << "the other one goes on from its own state";
  EXPECT_EQ(others->latest()->step, 40u);
  EXPECT_EQ(third.status().notice, "");
}

TEST(Companion, TakenOverAndGoneBackTheOthersFollow) {
  Beside run;
  run.runTo(0.2);
  Companion third(run.live.record(), run.settings, testing::makeFakeStepper(run.behaviour));
  waitUntilLevel(third, run.live);
  run.live.resumeFrom(run.companion.end().value());
  run.live.waitUntilIdle();
  run.live.runUntil(0.4);
  run.live.waitUntilIdle();
  run.live.resumeFrom(0, 10);
  run.live.waitUntilIdle();
  run.live.runUntil(0.3);
  run.live.waitUntilIdle();
  waitUntilLevel(third, run.live);
  EXPECT_EQ(third.along(run.live.status().branch)->latest()->stateHash, run.live.latest()->stateHash);
  EXPECT_EQ(third.status().notice, "");
}

}  // namespace
}  // namespace slipstick
