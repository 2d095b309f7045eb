// A run in memory, walked through: what is there of each step, and what of one that history has thinned out.
#include "engine/runtime/source_walk.h"

#include <gtest/gtest.h>

#include "tests/engine/runtime/fake_stepper.h"

namespace slipstick {
namespace {

using testing::oneBodyModel;

/// A ball that falls, in a simulation of its own.
struct WalkedRun : ::testing::Test {
  std::shared_ptr<const Model> model = oneBodyModel();
  std::unique_ptr<SimulationThread> run =
      SimulationThread::create(model, testing::makeFakeStepper(std::make_shared<testing::FakeBehaviour>()))
          .value();

  void runTo(double time) {
    run->runUntil(time);
    run->waitUntilIdle();
  }
  SourceWalk walk() { return {run->branch(run->status().branch), model}; }
  /// Until only some snapshots are left.
  void thin() {
    runTo(5);
    run->setHistoryBudget(run->status().historyBytes * 3 / 4);
  }
};

TEST_F(WalkedRun, ShowsEveryStepThatIsThereWhenItBegins) {
  runTo(0.5);
  SourceWalk walk = this->walk();
  EXPECT_EQ(walk.firstStep(), 0u);
  EXPECT_EQ(walk.lastStep(), 50u);
  EXPECT_TRUE(walk.endsThere());
  runTo(0.8);
  for (std::uint64_t step = 0; step <= 50; ++step) {
    const Result<std::shared_ptr<const Snapshot>> shown = walk.goTo(step);
    ASSERT_TRUE(shown);
    EXPECT_EQ((*shown)->step, step);
    EXPECT_EQ((*shown)->X_WB[1].p, run->at(step)->X_WB[1].p);
  }
  EXPECT_EQ((*walk.goTo(80))->step, 50u) << "what came later is not of this walk";
}

TEST_F(WalkedRun, OfAThinnedStepTheLastThatIsKeptBeforeItIsShown) {
  thin();
  SourceWalk walk = this->walk();
  std::uint64_t last = walk.firstStep(), gaps = 0;
  for (std::uint64_t step = walk.firstStep(); step <= walk.lastStep(); ++step) {
    // What history has is told by what is nearest to each step itself.
    if (run->at(step)->step == step) last = step;
    gaps += last < step;
    EXPECT_EQ((*walk.goTo(step))->step, last) << step;
    EXPECT_EQ((*walk.contactsAt(step))->step, last) << step;
  }
  EXPECT_EQ(walk.notKept(), 2 * gaps);
  EXPECT_GT(gaps, 100u) << "the budget is too large for this test";
}

TEST_F(WalkedRun, FactsOfAThinnedStepAreItsOwn) {
  runTo(2);
  std::vector<std::shared_ptr<const Snapshot>> whole;
  for (std::uint64_t step = 0; step <= 200; ++step) whole.push_back(run->at(step));
  thin();
  SourceWalk walk = this->walk();
  std::uint64_t fromColumns = 0;
  for (std::uint64_t step = walk.firstStep(); step <= 200; ++step) {
    const std::shared_ptr<const Snapshot> facts = *walk.factsAt(step);
    EXPECT_EQ(facts->step, step);
    EXPECT_NEAR(facts->time, whole[step]->time, 1e-12);
    EXPECT_EQ(facts->X_WB[1].p, whole[step]->X_WB[1].p);
    EXPECT_EQ(facts->V_WB[1].v, whole[step]->V_WB[1].v);
    EXPECT_EQ(facts->stateHash, whole[step]->stateHash);
    fromColumns += run->at(step)->step != step;
  }
  EXPECT_GT(fromColumns, 50u) << "the budget is too large for this test";
}

TEST_F(WalkedRun, TheScaleOfForcesIsThatOfTheStepShown) {
  runTo(0.2);
  SourceWalk walk = this->walk();
  ASSERT_TRUE(walk.goTo(10));
  EXPECT_EQ(walk.largestForce(), run->mark(10)->largestForce);
}

TEST_F(WalkedRun, OfADeletedBranchNothingMoreCanBeHad) {
  runTo(0.3);
  run->resumeFrom(0, 10);
  run->waitUntilIdle();
  runTo(0.2);
  ASSERT_EQ(run->status().branch, 1u);
  SourceWalk walk(run->branch(0), model);
  ASSERT_TRUE(walk.goTo(20));
  runTo(0.25);
  run->resumeFrom(0, 30);
  run->waitUntilIdle();
  SourceWalk other(run->branch(1), model);
  ASSERT_TRUE(other.goTo(12));
  ASSERT_TRUE(run->deleteBranch(1));
  const Result<std::shared_ptr<const Snapshot>> gone = other.goTo(15);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().what, "the branch was deleted meanwhile");
}

}  // namespace
}  // namespace slipstick
