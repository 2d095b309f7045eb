#include "engine/runtime/simulation_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "tests/engine/runtime/fake_stepper.h"

namespace slipstick {
namespace {

using testing::FakeBehaviour;
using testing::oneBodyModel;

struct Running {
  explicit Running(const std::shared_ptr<const Model>& model = oneBodyModel())
      : owner(SimulationThread::create(model, testing::makeFakeStepper(behaviour), [this] { ++published; })
                  .value()),
        thread(*owner) {}

  void runTo(double time) {
    thread.runUntil(time);
    thread.waitUntilIdle();
  }

  std::shared_ptr<FakeBehaviour> behaviour = std::make_shared<FakeBehaviour>();
  std::atomic<int> published = 0;
  std::unique_ptr<SimulationThread> owner;
  SimulationThread& thread;
};

SetParameter push(double x) {
  return {"gravity.x", {x}};
}

TEST(SimulationThread, ShowsTheStartBeforeAnyStep) {
  Running run;
  EXPECT_EQ(run.thread.latest()->step, 0u);
  EXPECT_EQ(run.thread.at(17)->step, 0u);
  EXPECT_FALSE(run.thread.status().playing);
  EXPECT_EQ(run.thread.marks().size(), 1u);
}

TEST(SimulationThread, RunsUntilATimeThenPauses) {
  Running run;
  run.runTo(0.5);
  EXPECT_EQ(run.thread.latest()->step, 50u);
  EXPECT_EQ(run.published, 50);
  EXPECT_FALSE(run.thread.status().playing);
  EXPECT_FALSE(run.thread.status().finished);
  EXPECT_EQ(run.thread.at(20)->step, 20u);
}

TEST(SimulationThread, StepsOnceAsOftenAsAsked) {
  Running run;
  run.thread.stepOnce();
  run.thread.stepOnce();
  run.thread.stepOnce();
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.latest()->step, 3u);
}

TEST(SimulationThread, PausesAtTheSceneDurationAndGoesOnWhenAsked) {
  Running run(oneBodyModel(0.2));
  run.thread.setSpeed(std::numeric_limits<double>::infinity());
  run.thread.play();
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.latest()->step, 20u);
  EXPECT_TRUE(run.thread.status().finished);
  run.thread.stepOnce();
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.latest()->step, 21u);
}

TEST(SimulationThread, KeepsTheWantedPace) {
  Running run(oneBodyModel(0.1));
  run.thread.setSpeed(0.5);
  const auto start = std::chrono::steady_clock::now();
  run.thread.play();
  run.thread.waitUntilIdle();
  // Ten steps of 10 ms at half speed; the first is due at once. Only the lower bound is the thread's promise.
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(175));
  EXPECT_EQ(run.thread.latest()->step, 10u);
}

TEST(SimulationThread, AppliesPostedCommandsBeforeTheNextStep) {
  Running run;
  run.runTo(0.1);
  EXPECT_TRUE(run.thread.post(push(5)));
  run.thread.stepOnce();
  run.thread.waitUntilIdle();
  EXPECT_DOUBLE_EQ(run.thread.latest()->v[3], 0.05);
}

TEST(SimulationThread, ResumingReproducesTheUninterruptedRunWithItsCommands) {
  Running whole;
  Running resumed;
  for (Running* run : {&whole, &resumed}) {
    run->runTo(0.2);
    EXPECT_TRUE(run->thread.post(push(3)));
    run->runTo(0.4);
    EXPECT_TRUE(run->thread.post(push(-7)));
    EXPECT_TRUE(run->thread.post(SetParameter{"gravity.y", {1}}));
    run->runTo(0.6);
  }
  const std::uint64_t hashAt45 = resumed.thread.at(45)->stateHash;
  resumed.thread.setHistoryBudget(20'000);  // few keyframes left, so that the replay is a long one
  resumed.thread.resumeFrom(0, 45);
  resumed.thread.waitUntilIdle();
  EXPECT_EQ(resumed.thread.status().error, "");
  EXPECT_EQ(resumed.thread.latest()->step, 45u);
  EXPECT_EQ(resumed.thread.latest()->stateHash, hashAt45);
  EXPECT_EQ(resumed.thread.status().branch, 1u);
  EXPECT_EQ(resumed.thread.marks().back().step, 45u);

  whole.runTo(1.0);
  resumed.runTo(1.0);
  EXPECT_EQ(resumed.thread.latest()->step, 100u);
  EXPECT_EQ(resumed.thread.latest()->stateHash, whole.thread.latest()->stateHash);
  EXPECT_EQ(resumed.thread.latest()->branch, 1u);
}

TEST(SimulationThread, ReportsAReplayThatDiffersAndStaysWhereItWas) {
  Running run;
  run.behaviour->forgetful = true;
  run.thread.setHistoryBudget(20'000);
  run.runTo(0.5);
  const std::uint64_t hash = run.thread.latest()->stateHash;
  run.thread.resumeFrom(0, 33);
  run.thread.waitUntilIdle();
  EXPECT_THAT(run.thread.status().error, ::testing::HasSubstr("does not reproduce"));
  EXPECT_EQ(run.thread.latest()->step, 50u);
  EXPECT_EQ(run.thread.latest()->stateHash, hash);
}

TEST(SimulationThread, RefusesToResumeFromAStepThatWasNeverSimulated) {
  Running run;
  run.runTo(0.1);
  run.thread.resumeFrom(0, 11);
  run.thread.waitUntilIdle();
  EXPECT_THAT(run.thread.status().error, ::testing::HasSubstr("not in the history"));
  EXPECT_EQ(run.thread.latest()->step, 10u);
}

TEST(SimulationThread, StopsAtANonFiniteStepWithItsReasonAndRemedy) {
  Running run;
  run.behaviour->nonFiniteAt = 8;
  run.runTo(0.5);
  const RunStatus status = run.thread.status();
  EXPECT_EQ(run.thread.latest()->step, 7u);
  EXPECT_FALSE(status.playing);
  EXPECT_THAT(status.error,
              ::testing::AllOf(::testing::HasSubstr("step 8"), ::testing::HasSubstr("NonFinite"),
                               ::testing::HasSubstr("time.dt_ms")));
  run.behaviour->nonFiniteAt = -1;
  run.runTo(0.1);
  EXPECT_EQ(run.thread.status().error, "");
  EXPECT_EQ(run.thread.latest()->step, 10u);
}

TEST(SimulationThread, FollowsThePolicyOnUnhealthySteps) {
  Running warned;
  warned.behaviour->notConvergedAt = 5;
  warned.runTo(0.1);
  EXPECT_EQ(warned.thread.latest()->step, 10u);

  auto pausing = oneBodyModel();
  pausing->solver.policy = HealthPolicy::Pause;
  Running paused(pausing);
  paused.behaviour->notConvergedAt = 5;
  paused.runTo(0.1);
  EXPECT_EQ(paused.thread.latest()->step, 5u);
  EXPECT_THAT(paused.thread.status().error, ::testing::HasSubstr("NotConverged"));
}

TEST(SimulationThread, TurnsAnExceptionIntoAnError) {
  Running run;
  run.behaviour->throwAt = 4;
  run.runTo(0.1);
  EXPECT_EQ(run.thread.latest()->step, 3u);
  EXPECT_THAT(run.thread.status().error, ::testing::HasSubstr("out of memory"));
}

TEST(SimulationThread, CommandsOfARefusedStepAreAppliedByTheNextTryOnce) {
  Running run;
  run.runTo(0.05);
  run.behaviour->nonFiniteAt = 6;
  EXPECT_TRUE(run.thread.post(push(5)));
  run.thread.stepOnce();
  run.thread.waitUntilIdle();
  ASSERT_THAT(run.thread.status().error, ::testing::HasSubstr("NonFinite"));
  EXPECT_TRUE(run.thread.post(SetParameter{"gravity.y", {20}}));  // after the refusal: applied after the push
  run.behaviour->nonFiniteAt = -1;
  run.behaviour->throwAt = 6;  // and a step that throws keeps them, too
  run.thread.stepOnce();
  run.thread.waitUntilIdle();
  ASSERT_THAT(run.thread.status().error, ::testing::HasSubstr("out of memory"));
  run.behaviour->throwAt = -1;
  run.thread.stepOnce();
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.latest()->step, 6u);
  EXPECT_DOUBLE_EQ(run.thread.latest()->v[3], 0.05);
  EXPECT_DOUBLE_EQ(run.thread.latest()->v[4], 0.2);
  // Once: the log holds them once, so a replay arrives at the same hash; and the queue is empty.
  run.runTo(0.1);
  const std::uint64_t hash = run.thread.latest()->stateHash;
  run.thread.setHistoryBudget(20'000);
  run.thread.resumeFrom(0, 10);
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.status().error, "");
  EXPECT_EQ(run.thread.latest()->stateHash, hash);
}

// ---- branches

TEST(SimulationThread, BranchesStayAndCanBeLookedAtAndContinued) {
  Running run;
  run.runTo(0.6);
  const std::uint64_t hashAt60 = run.thread.at(60)->stateHash;
  run.thread.resumeFrom(0, 30);
  run.thread.waitUntilIdle();
  EXPECT_TRUE(run.thread.post(push(9)));
  run.runTo(0.5);
  const std::vector<BranchFacts> branches = run.thread.branches();
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(branches[0].last, 60u);
  EXPECT_EQ(branches[1].start, 30u);
  EXPECT_EQ(branches[1].last, 50u);
  EXPECT_TRUE(branches[1].active);

  const std::shared_ptr<const RunSource> main = run.thread.branch(0);
  ASSERT_NE(main, nullptr);
  EXPECT_EQ(run.thread.branch(7), nullptr);
  EXPECT_EQ(main->latest()->step, 60u);
  EXPECT_EQ(main->latest()->stateHash, hashAt60);
  EXPECT_NE(main->at(50)->stateHash, run.thread.at(50)->stateHash);
  EXPECT_EQ(main->at(20)->stateHash, run.thread.at(20)->stateHash);
  EXPECT_EQ(main->marks().size(), 61u);
  EXPECT_EQ(main->status().lastStep, 60u);
  const std::vector<double> past = main->columns().values("total.kinetic_energy", 0, 61);
  EXPECT_EQ(past.size(), 61u);
  EXPECT_EQ(main->columns().values("time", 60, 61).at(0), 0.6);

  run.thread.resumeFrom(0, 60);  // nothing follows there: main itself goes on
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.status().error, "");
  EXPECT_EQ(run.thread.status().branch, 0u);
  Running whole;
  whole.runTo(0.8);
  run.runTo(0.8);
  EXPECT_EQ(run.thread.latest()->stateHash, whole.thread.latest()->stateHash);
}

TEST(SimulationThread, WhoLooksAtABranchThatIsDeletedKeepsTheStepLookedAt) {
  Running run;
  run.runTo(0.3);
  run.thread.resumeFrom(0, 20);
  run.runTo(0.5);
  run.thread.resumeFrom(0, 30);  // main goes on
  run.runTo(0.4);
  ASSERT_TRUE(run.thread.renameBranch(1, "other"));
  const std::shared_ptr<const RunSource> other = run.thread.branch(1), unread = run.thread.branch(1);
  const auto shown = other->at(42);
  EXPECT_EQ(shown->step, 42u);
  EXPECT_EQ(other->mark(42)->stateHash, shown->stateHash);
  EXPECT_FALSE(other->status().gone);

  ASSERT_TRUE(run.thread.deleteBranch(1));
  EXPECT_TRUE(other->status().gone);
  EXPECT_EQ(other->status().lastStep, 42u);
  EXPECT_EQ(other->latest(), shown);
  EXPECT_EQ(other->at(10), shown);
  EXPECT_EQ(other->contactsAt(10)->step, 42u);
  EXPECT_TRUE(other->marks().empty());
  EXPECT_FALSE(other->mark(42));
  EXPECT_EQ(other->columns().endStep(), 0u);
  EXPECT_EQ(unread->latest()->step, 50u) << "where it ended";
  EXPECT_EQ(run.thread.branch(1), nullptr);
  EXPECT_EQ(run.thread.branches().size(), 1u);
  EXPECT_FALSE(run.thread.deleteBranch(1));
  EXPECT_FALSE(run.thread.deleteBranch(0)) << "new steps go there";
  run.runTo(0.45);
  run.thread.resumeFrom(1, 42);
  run.thread.waitUntilIdle();
  EXPECT_THAT(run.thread.status().error, ::testing::HasSubstr("not in the history"));
  EXPECT_EQ(run.thread.latest()->step, 45u);
}

TEST(SimulationThread, WhatRunsUntilATimeRunsOnUntilALaterOneAlsoInItsLastStep) {
  Running run;
  run.runTo(0.2);
  run.behaviour->holdTheStepOf([&] { run.thread.runUntil(0.21); });
  EXPECT_TRUE(run.thread.status().playing);
  run.thread.runAtLeastUntil(0.3);
  run.thread.runAtLeastUntil(0.25);  // has been asked for already
  run.behaviour->letGo();
  run.thread.waitUntilIdle();
  EXPECT_NEAR(run.thread.latest()->time, 0.3, 1e-9);
  run.thread.runAtLeastUntil(0.4);
  run.thread.waitUntilIdle();
  EXPECT_NEAR(run.thread.latest()->time, 0.4, 1e-9) << "what was paused begins";
}

TEST(SimulationThread, WhatPlaysWithoutAnEndGetsNone) {
  Running run;
  run.thread.setSpeed(0.5);
  run.behaviour->holdTheStepOf([&] { run.thread.play(); });
  run.thread.runAtLeastUntil(0.01);
  EXPECT_EQ(run.thread.status().speedWanted, 0.5);
  run.behaviour->letGo();
  while (run.thread.latest()->step < 3) std::this_thread::yield();
  EXPECT_TRUE(run.thread.status().playing);
}

TEST(SimulationThread, ABranchThatTheRunIsOnItsWayBackToCannotBeDeleted) {
  Running run;
  run.thread.setHistoryBudget(20'000);  // few keyframes: the replay has steps to do
  run.runTo(0.3);
  run.thread.resumeFrom(0, 20);
  run.runTo(0.5);
  run.thread.resumeFrom(0, 30);
  run.runTo(0.4);
  run.behaviour->holdTheStepOf([&] {
    run.thread.resumeFrom(1, 47);
    EXPECT_FALSE(run.thread.deleteBranch(1));
  });
  const Result<void> refused = run.thread.deleteBranch(1);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, ::testing::HasSubstr("going back"));
  run.thread.cancelGoingBack();
  EXPECT_FALSE(run.thread.deleteBranch(1)) << "its log is read until the step under way is done";
  run.behaviour->letGo();
  run.thread.waitUntilIdle();
  EXPECT_TRUE(run.thread.deleteBranch(1));
}

TEST(SimulationThread, BranchesAreNamedAndDeletedWhileOthersLookAndStepsGoOn) {
  Running run(oneBodyModel(1e9));
  run.runTo(0.2);
  std::atomic<bool> done = false;
  std::thread reader([&] {
    while (!done) {
      for (const BranchFacts& facts : run.thread.branches()) {
        const std::shared_ptr<const RunSource> view = run.thread.branch(facts.id);
        if (!view) continue;
        EXPECT_NE(view->at(facts.last / 2), nullptr);
        EXPECT_NE(view->latest(), nullptr);
        (void)view->marks();
        (void)view->columns();
      }
    }
  });
  for (BranchId id = 1; id <= 20; ++id) {
    run.thread.resumeFrom(0, 10);
    run.runTo(0.2);
    EXPECT_TRUE(run.thread.renameBranch(id, "try " + std::to_string(id)));
    run.thread.resumeFrom(0, 20);
    run.thread.waitUntilIdle();
    ASSERT_EQ(run.thread.status().branch, 0u);
    EXPECT_TRUE(run.thread.deleteBranch(id));
  }
  done = true;
  reader.join();
  EXPECT_EQ(run.thread.branches().size(), 1u);
}

TEST(SimulationThread, ContinuingABranchReplaysTheCommandsOfItsAncestors) {
  Running run;
  run.runTo(0.1);
  EXPECT_TRUE(run.thread.post(push(3)));  // on main, before step 11
  run.runTo(0.3);
  run.thread.resumeFrom(0, 20);
  run.thread.waitUntilIdle();
  EXPECT_TRUE(run.thread.post(push(-5)));  // on branch 1, before step 21
  run.runTo(0.5);
  const std::uint64_t hashAt40 = run.thread.at(40)->stateHash, hashAt50 = run.thread.at(50)->stateHash;
  run.thread.setHistoryBudget(30'000);
  run.thread.resumeFrom(0, 30);
  run.thread.waitUntilIdle();
  run.thread.resumeFrom(1, 40);
  run.thread.waitUntilIdle();
  ASSERT_EQ(run.thread.status().error, "");
  EXPECT_EQ(run.thread.latest()->stateHash, hashAt40);
  run.runTo(0.5);
  EXPECT_EQ(run.thread.latest()->stateHash, hashAt50);
}

// ---- going back takes a while

TEST(SimulationThread, GoingBackSaysHowFarItIsAndCanBeCancelled) {
  Running run;
  run.thread.setHistoryBudget(20'000);  // few keyframes: the replay has steps to do
  run.runTo(0.5);
  const auto newest = run.thread.latest();
  run.behaviour->holdTheStepOf([&] { run.thread.resumeFrom(0, 31); });
  const RunStatus status = run.thread.status();
  ASSERT_TRUE(status.goingBack);
  EXPECT_EQ(status.goingBack->to, 31u);
  EXPECT_EQ(status.goingBack->stepsDone, 0u);
  EXPECT_GE(status.goingBack->stepsToDo, 2u);
  run.thread.cancelGoingBack();
  EXPECT_FALSE(run.thread.status().goingBack);
  run.behaviour->letGo();
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.status().error, "");
  EXPECT_EQ(run.thread.latest(), newest);
  EXPECT_EQ(run.behaviour->calls, 1) << "no step is computed after the cancel";
  Running whole;
  whole.runTo(0.6);
  run.runTo(0.6);
  EXPECT_EQ(run.thread.latest()->stateHash, whole.thread.latest()->stateHash);
}

TEST(SimulationThread, TheLastWishToGoBackWins) {
  Running run;
  run.runTo(0.5);
  run.behaviour->holdTheStepOf([&] { run.thread.resumeFrom(0, 31); });
  run.thread.reset();
  run.behaviour->letGo();
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.latest()->step, 0u);
  EXPECT_EQ(run.thread.status().jumps, 1u);
}

TEST(SimulationThread, AResetThatIsCancelledForgetsNothing) {
  Running run;
  run.runTo(0.1);
  EXPECT_TRUE(run.thread.post(push(1)));
  run.behaviour->holdTheStepOf([&] { run.thread.stepOnce(); });  // which takes the push along
  EXPECT_TRUE(run.thread.post(push(2)));
  run.thread.reset();
  run.thread.cancelGoingBack();
  run.behaviour->letGo();
  run.thread.stepOnce();
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.latest()->step, 12u);
  EXPECT_NEAR(run.thread.latest()->v[3], 0.01 * (1 + 2), 1e-12);
}

/// Between two steps a pointer moves many times, and a slider passes many numbers.
TEST(SimulationThread, OfCommandsThatReplaceEachOtherTheLastCounts) {
  Running run;
  const auto pull = [](double x) { return Pull{.body = 1, .goal_W = {x, 0, 0}}; };
  for (int i = 1; i <= 1000; ++i) {
    EXPECT_TRUE(run.thread.post(push(i)));
    EXPECT_TRUE(run.thread.post(push(2 * i)));
  }
  for (int i = 1; i <= 1000; ++i) EXPECT_TRUE(run.thread.post(pull(i)));
  EXPECT_TRUE(run.thread.post(Release{}));
  EXPECT_TRUE(run.thread.post(pull(7)));
  run.thread.stepOnce();
  run.thread.waitUntilIdle();
  EXPECT_NEAR(run.thread.latest()->v[3], 0.01 * 2000, 1e-12);
  EXPECT_EQ(run.behaviour->commands, 4u) << "a number, a pull, a release, a pull";
}

TEST(SimulationThread, WhatIsPostedAfterAResetHoldsThere) {
  Running run;
  run.runTo(0.1);
  EXPECT_TRUE(run.thread.post(push(1)));
  run.behaviour->holdTheStepOf([&] { run.thread.stepOnce(); });
  EXPECT_TRUE(run.thread.post(push(2)));
  run.thread.reset();
  EXPECT_TRUE(run.thread.post(push(3)));
  run.behaviour->letGo();
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.latest()->step, 0u);
  run.thread.stepOnce();
  run.thread.waitUntilIdle();
  EXPECT_NEAR(run.thread.latest()->v[3], 0.01 * 3, 1e-12);
}

/// Each of two numbers may be allowed beside what the scene says, and both together not.
TEST(SimulationThread, ANumberThatDoesNotFitBesideThoseInForceIsLeftOutWithAWord) {
  const std::shared_ptr<Model> model = oneBodyModel();
  model->materials = {"sand"};
  model->tuning.materials = {{.model = MaterialModel::DruckerPrager}};
  model->parameters = parametersOf(*model);
  Running run(model);
  const std::string hardening = "materials.sand.hardening_deg.";
  EXPECT_TRUE(run.thread.post(SetParameter{hardening + "0", {60}}));
  EXPECT_TRUE(run.thread.post(SetParameter{hardening + "1", {30}}));
  EXPECT_TRUE(run.thread.post(push(1)));
  run.thread.stepOnce();
  run.thread.waitUntilIdle();
  EXPECT_THAT(run.thread.status().dropped.why, ::testing::HasSubstr("hardening_deg.1"));
  EXPECT_EQ(run.thread.status().dropped.count, 1u);
  EXPECT_EQ(run.thread.latest()->step, 1u);
  run.thread.stepOnce();
  run.thread.waitUntilIdle();
  const std::uint64_t hash = run.thread.latest()->stateHash;
  run.thread.resumeFrom(0, 1);
  run.thread.stepOnce();
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.latest()->stateHash, hash);
}

TEST(SimulationThread, ResetGoesBackToTheStart) {
  Running run;
  const std::uint64_t start = run.thread.latest()->stateHash;
  run.runTo(0.3);
  EXPECT_TRUE(run.thread.post(push(1)));
  run.thread.reset();
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.latest()->stateHash, start);
  EXPECT_EQ(run.thread.marks().size(), 1u);
  EXPECT_EQ(run.thread.branch(0)->latest()->step, 30u) << "what was simulated stays";
  run.thread.stepOnce();
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.latest()->v[3], 0) << "a command posted before the reset must not survive it";
}

TEST(SimulationThread, AnswersWhileAStepIsBeingComputed) {
  Running run;
  run.behaviour->holdTheStepOf([&] { run.thread.play(); });
  EXPECT_TRUE(run.thread.post(push(1)));
  run.thread.setSpeed(2);
  EXPECT_EQ(run.thread.latest()->step, 0u);
  EXPECT_EQ(run.thread.at(3)->step, 0u);
  EXPECT_TRUE(run.thread.status().playing);
  EXPECT_EQ(run.thread.marks().size(), 1u);
  run.thread.pause();
  run.thread.setHistoryBudget(1'000'000);
  // None of the calls above waited for the step: it has still not been published.
  EXPECT_EQ(run.published, 0);
  run.behaviour->letGo();
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.latest()->step, 1u);
}

TEST(SimulationThread, ManyReadersSeeOnlyFinishedSteps) {
  Running run;
  run.thread.setHistoryBudget(50'000);
  std::atomic<bool> done = false;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!done) {
        const auto snapshot = run.thread.latest();
        EXPECT_DOUBLE_EQ(snapshot->time, 0.01 * static_cast<double>(snapshot->step));
        const auto past = run.thread.at(snapshot->step / 2);
        EXPECT_LE(past->step, run.thread.status().lastStep);
        EXPECT_TRUE(run.thread.post(push(0.1)));
      }
    });
  }
  run.runTo(3.0);
  done = true;
  readers.clear();
  EXPECT_EQ(run.thread.latest()->step, 300u);
}

}  // namespace
}  // namespace slipstick
