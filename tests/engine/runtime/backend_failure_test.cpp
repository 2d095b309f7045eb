// A backend that fails in mid-run, and another one that goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/engine/runtime/fake_stepper.h"

namespace slipstick {
namespace {

using testing::FakeBehaviour;
using ::testing::HasSubstr;

/// A run on "device" that is paused at the start, and the backend "other" that can go on; equal but for rounding.
struct Running {
  explicit Running(bool losesState) : losesState_(losesState) {
    device->backend = "device";
    other->backend = "other";
    other->rounding = 1e-6;
    owner = SimulationThread::create(testing::oneBodyModel(), testing::makeFakeStepper(device)).value();
    thread = owner.get();
  }

  void runTo(double time) {
    thread->runUntil(time);
    thread->waitUntilIdle();
  }
  /// Runs to step 30, where gravity has been changed before steps 10 and 20, and fails on the way to step 31. Keyframes
  /// are sparse: the last one lies some steps back.
  void failAtStep31() {
    thread->setHistoryBudget(20'000);
    runTo(0.1);
    EXPECT_TRUE(thread->post(SetParameter{"gravity.x", {3}}));
    runTo(0.2);
    EXPECT_TRUE(thread->post(SetParameter{"gravity.x", {-7}}));
    device->failAt = 31;
    device->losesState = losesState_;
    runTo(0.4);
  }
  void goOn() {
    thread->goOnWith(testing::makeFakeStepper(other));
    thread->waitUntilIdle();
  }

  std::shared_ptr<FakeBehaviour> device = std::make_shared<FakeBehaviour>();
  std::shared_ptr<FakeBehaviour> other = std::make_shared<FakeBehaviour>();
  std::unique_ptr<SimulationThread> owner;
  SimulationThread* thread;

 private:
  bool losesState_;
};

struct Full : Running {
  Full() : Running(false) {}
};
struct Lost : Running {
  Lost() : Running(true) {}
};

TEST(StepFailure, StopsTheRunSaysWhatAndWhereAndKeepsTheHistory) {
  for (const bool losesState : {false, true}) {
    Running run(losesState);
    EXPECT_EQ(run.thread->status().runsOn, "device hardware");
    run.failAtStep31();
    const RunStatus status = run.thread->status();
    EXPECT_TRUE(status.backendFailed);
    EXPECT_FALSE(status.playing);
    EXPECT_EQ(status.lastStep, 30u);
    EXPECT_THAT(status.error, ::testing::StartsWith("step 31 (t = 0.31 s): the device has failed (fake); "));
    EXPECT_THAT(status.error, HasSubstr(losesState ? " to 30 again" : "nothing is lost"));
    EXPECT_THAT(status.error, ::testing::EndsWith("; take another one"));
    EXPECT_EQ(run.thread->marks().size(), 31u);
    EXPECT_EQ(run.thread->latest()->step, 30u);
  }
}

TEST(StepFailure, WhatTheFailedBackendStillHoldsIsWhereAnotherOneGoesOn) {
  Full run;
  run.failAtStep31();
  const std::uint64_t hash = run.thread->latest()->stateHash;
  run.goOn();
  const RunStatus status = run.thread->status();
  EXPECT_EQ(status.error, "");
  EXPECT_FALSE(status.backendFailed);
  EXPECT_EQ(status.runsOn, "other hardware");
  EXPECT_EQ(status.lastStep, 40u) << "it plays on to where it was sent";
  EXPECT_EQ(run.other->calls, 10) << "no step was computed again";
  EXPECT_EQ(run.thread->marks()[30].stateHash, hash);
  const std::vector<BranchFacts> branches = run.thread->branches();
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(branches[0].last, 30u);
  EXPECT_EQ(branches[1].name, "branch 1 on other");
  EXPECT_EQ(branches[1].start, 30u);
  EXPECT_TRUE(branches[1].active);
}

TEST(StepFailure, WithoutItsStateTheStepsSinceTheKeyframeAreComputedAgainWithTheirCommands) {
  Lost run;
  run.failAtStep31();
  run.goOn();
  EXPECT_EQ(run.thread->status().error, "");
  EXPECT_EQ(run.thread->latest()->step, 40u);
  const std::vector<BranchFacts> branches = run.thread->branches();
  ASSERT_EQ(branches.size(), 2u);
  const std::uint64_t start = branches[1].start;
  EXPECT_LT(start, 30u);
  EXPECT_EQ(run.other->calls, static_cast<int>(40 - start));
  // Gravity along x: 0 in steps 1 to 10, 3 to 20, −7 to 40; beside it what the other backend adds.
  EXPECT_NEAR(run.thread->latest()->v[3], 0.1 * 3 - 0.2 * 7, 1e-12);
  EXPECT_NEAR(run.thread->latest()->v[5], -4, 41e-6);
  // What the device had computed of these steps stays, to be looked at.
  EXPECT_EQ(run.thread->branch(0)->status().lastStep, 30u);
  EXPECT_NE(run.thread->branch(0)->marks()[30].stateHash, run.thread->marks()[30].stateHash);
}

TEST(StepFailure, StepsOfTheOtherBackendAreReplayedBitForBitThoseOfTheFirstComputedAnew) {
  for (const bool losesState : {false, true}) {
    Running run(losesState);
    run.failAtStep31();
    run.goOn();
    run.runTo(0.9);
    const std::uint64_t hash = run.thread->marks()[37].stateHash;
    run.thread->resumeFrom(1, 37);
    run.thread->waitUntilIdle();
    EXPECT_EQ(run.thread->status().error, "");
    EXPECT_EQ(run.thread->latest()->stateHash, hash);
    EXPECT_EQ(run.thread->branches().size(), 3u);

    run.thread->resumeFrom(0, 25);
    run.thread->waitUntilIdle();
    EXPECT_EQ(run.thread->status().error, "");
    EXPECT_EQ(run.thread->latest()->step, 25u);
    EXPECT_NE(run.thread->latest()->stateHash, run.thread->branch(0)->marks()[25].stateHash);
    EXPECT_THAT(run.thread->branches().back().name, HasSubstr("on other"));

    run.thread->reset();
    run.thread->waitUntilIdle();
    EXPECT_EQ(run.thread->latest()->step, 0u);
    run.runTo(0.05);
    EXPECT_EQ(run.thread->latest()->step, 5u);
    EXPECT_EQ(run.thread->status().error, "");
  }
}

TEST(StepFailure, TheSameBackendMayBeTriedAgainWhereItStillHasTheState) {
  Full full;
  full.failAtStep31();
  full.device->failAt = -1;
  full.runTo(0.4);
  EXPECT_EQ(full.thread->status().error, "");
  EXPECT_FALSE(full.thread->status().backendFailed);
  EXPECT_EQ(full.thread->latest()->step, 40u);
  EXPECT_EQ(full.thread->branches().size(), 1u);

  Lost lost;
  lost.failAtStep31();
  const int calls = lost.device->calls;
  lost.device->failAt = -1;
  lost.runTo(0.4);
  EXPECT_TRUE(lost.thread->status().backendFailed);
  EXPECT_THAT(lost.thread->status().error, ::testing::StartsWith("step 31"));
  EXPECT_EQ(lost.device->calls, calls) << "nothing steps a state that is gone";
}

/// Its state is then one step ahead of what was published.
TEST(StepFailure, AStateThatIsNotTheNewestStepsIsNotTaken) {
  Running run(false);
  run.runTo(0.3);
  run.device->failsOneSave = true;  // that of the keyframe of step 31
  run.runTo(0.4);
  EXPECT_TRUE(run.thread->status().backendFailed);
  EXPECT_EQ(run.thread->latest()->step, 30u);
  run.goOn();
  EXPECT_EQ(run.thread->status().error, "");
  EXPECT_EQ(run.thread->latest()->step, 40u);
  EXPECT_EQ(run.other->calls, 10);
}

TEST(StepFailure, CancellingStaysAtTheStepThatWasComputed) {
  Lost run;
  run.failAtStep31();
  run.other->holdTheStepOf([&] { run.thread->goOnWith(testing::makeFakeStepper(run.other)); });
  EXPECT_TRUE(run.thread->status().goingBack.has_value());
  run.thread->cancelGoingBack();
  run.other->letGo();
  run.thread->waitUntilIdle();
  const RunStatus status = run.thread->status();
  EXPECT_EQ(status.lastStep, run.thread->branches().back().start + 1);
  EXPECT_FALSE(status.playing);
  EXPECT_EQ(status.error, "");
  run.runTo(0.4);
  EXPECT_EQ(run.thread->latest()->step, 40u);
}

TEST(StepFailure, AnotherBackendThatCannotBeMadeLeavesEverythingAsItWas) {
  Lost run;
  run.failAtStep31();
  run.thread->goOnWith([](std::shared_ptr<const Model>) -> Result<std::unique_ptr<Stepper>> {
    return Error{ErrorCode::DeviceFailure, "it is not there", "other", "buy one"};
  });
  run.thread->waitUntilIdle();
  EXPECT_EQ(run.thread->status().error, "other: it is not there; buy one");
  EXPECT_TRUE(run.thread->status().backendFailed);
  EXPECT_EQ(run.thread->latest()->step, 30u);
  run.goOn();
  EXPECT_EQ(run.thread->latest()->step, 40u);
}

}  // namespace
}  // namespace slipstick
