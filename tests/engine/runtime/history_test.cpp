#include "engine/runtime/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "engine/runtime/force_range.h"

namespace slipstick {
namespace {

std::shared_ptr<const Observables> timeOnly() {
  static const auto observables = std::make_shared<const Observables>(
      Observables{{"time", "s", [](const Snapshot& s) { return s.time; }}});
  return observables;
}

std::shared_ptr<const Keyframe> keyframeOf(std::uint64_t step, std::size_t particles = 10) {
  auto keyframe = std::make_shared<Keyframe>();
  keyframe->state.step = step;
  keyframe->state.soft.x.resize(3 * particles);  // 72 bytes of each
  return keyframe;
}

Snapshot snapshotOf(std::uint64_t step, std::size_t particles = 100) {
  Snapshot snapshot;
  snapshot.step = step;
  snapshot.time = 0.01 * static_cast<double>(step);
  snapshot.stateHash = 1000 + step;
  snapshot.particles.resize(particles);
  return snapshot;
}

void push(History& history, const Snapshot& snapshot) {
  (void)history.push(HistoryStep::of(
      snapshot, timeOnly(), history.keyframeDue(snapshot.step) ? keyframeOf(snapshot.step) : nullptr));
}

void pushSteps(History& history, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t step = from; step < to; ++step) push(history, snapshotOf(step));
}

std::uint64_t nearestStep(const History& history, BranchId branch, std::uint64_t step) {
  return history.nearest(branch, step)->facts().step;
}

std::size_t storedFrom(const History& history, BranchId branch, std::uint64_t first, std::uint64_t last) {
  std::size_t count = 0;
  for (std::uint64_t step = first; step <= last; ++step) count += history.find(branch, step) ? 1 : 0;
  return count;
}

// ---- memory

TEST(History, NeverHoldsMoreThanItsByteBudget) {
  History history(2'000'000);
  for (std::uint64_t step = 0; step < 2000; ++step) {
    push(history, snapshotOf(step));
    ASSERT_LE(history.bytesUsed(), history.byteBudget()) << "after step " << step;
  }
  EXPECT_LT(storedFrom(history, 0, 0, 1999), 2000u);
}

TEST(History, KeepsTheNewestStepsDenseAndThePastScrubbable) {
  History history(2'000'000);
  pushSteps(history, 0, 2000);
  for (std::uint64_t step = 1980; step < 2000; ++step) EXPECT_NE(history.find(0, step), nullptr) << step;
  EXPECT_EQ(history.lastStep(0), 1999u);
  EXPECT_LE(*history.firstStep(0), 256u);
  // No gap in the past is longer than a quarter of the run.
  for (std::uint64_t step = 0; step < 2000; step += 10) {
    const std::uint64_t found = nearestStep(history, 0, step);
    EXPECT_LE(found > step ? found - step : step - found, 250u) << step;
  }
}

TEST(History, FindsTheNearestStoredSnapshotOnEitherSide) {
  History history(1'000'000);
  EXPECT_EQ(history.nearest(0, 3), nullptr);
  pushSteps(history, 10, 13);
  EXPECT_EQ(nearestStep(history, 0, 0), 10u);
  EXPECT_EQ(nearestStep(history, 0, 11), 11u);
  EXPECT_EQ(nearestStep(history, 0, 99), 12u);
  EXPECT_EQ(history.find(0, 15), nullptr);
}

TEST(History, KeyframeSpacingDoublesWhenItsShareIsFull) {
  History history(64'000'000);
  pushSteps(history, 0, 1);
  const std::size_t one = keyframeOf(0)->byteCount() + 96;  // with its place in the map
  EXPECT_EQ(history.keyframeSpacing(), 1u);
  (void)history.setByteBudget(4 * (8 * one + one / 2));  // room for 8 keyframes
  pushSteps(history, 1, 8);
  EXPECT_EQ(history.keyframeSpacing(), 1u);
  pushSteps(history, 8, 9);
  EXPECT_EQ(history.keyframeSpacing(), 2u);
  EXPECT_EQ(history.keyframeBefore(0, 7)->state.step, 6u);
  pushSteps(history, 9, 40);
  EXPECT_EQ(history.keyframeSpacing(), 8u);
  EXPECT_EQ(history.keyframeBefore(0, 0)->state.step, 0u);
  EXPECT_EQ(history.keyframeBefore(0, 31)->state.step, 24u);
}

/// The longest way from a keyframe to a step at or after it.
std::uint64_t longestReplay(const History& history, BranchId branch, std::uint64_t first,
                            std::uint64_t last) {
  std::uint64_t longest = 0;
  for (std::uint64_t step = first; step <= last; ++step)
    longest = std::max(longest, step - history.keyframeBefore(branch, step)->state.step);
  return longest;
}

/// A budget with room for so many keyframes.
std::size_t budgetFor(std::size_t keyframes) {
  return 4 * (keyframes * (keyframeOf(0)->byteCount() + 96));
}

TEST(History, ANewStartKeepsStatesAsCloseAsAFreshHistoryOnceTheOldOneIsDeleted) {
  const std::size_t budget = budgetFor(8);
  History history(budget), fresh(budget);
  pushSteps(history, 0, 3000);
  EXPECT_GE(history.keyframeSpacing(), 512u);  // 3,000 steps for 8 states
  const auto first = [&] { return HistoryStep::of(snapshotOf(0), timeOnly(), keyframeOf(0)); };
  (void)history.beginElsewhere("again", first());
  EXPECT_EQ(history.keyframeSpacing(), 1u);
  ASSERT_TRUE(history.remove(0));
  push(fresh, snapshotOf(0));
  for (History* h : {&history, &fresh}) pushSteps(*h, 1, 400);
  const BranchId again = history.active();
  EXPECT_EQ(longestReplay(history, again, 0, 399), longestReplay(fresh, 0, 0, 399));
  EXPECT_EQ(history.keyframeSpacing(), fresh.keyframeSpacing());
  EXPECT_EQ(storedFrom(history, again, 0, 399), storedFrom(fresh, 0, 0, 399));
}

TEST(History, WhileTheOldBranchStaysItIsThinnedFirst) {
  const std::size_t budget = budgetFor(8);
  History history(budget), fresh(budget);
  pushSteps(history, 0, 3000);
  (void)history.beginElsewhere("again", HistoryStep::of(snapshotOf(0), timeOnly(), keyframeOf(0)));
  push(fresh, snapshotOf(0));
  for (History* h : {&history, &fresh}) pushSteps(*h, 1, 400);
  EXPECT_LE(longestReplay(history, history.active(), 0, 399), 2 * longestReplay(fresh, 0, 0, 399) + 1);
  EXPECT_NE(history.keyframeBefore(0, 2999), nullptr);
}

TEST(History, ALargerBudgetBringsKeyframesCloserAgain) {
  History history(budgetFor(8));
  pushSteps(history, 0, 3000);
  (void)history.setByteBudget(budgetFor(800));
  const std::uint64_t spacing = history.keyframeSpacing();  // the smallest 2ⁿ with 3,000/2ⁿ ≤ 800
  EXPECT_EQ(spacing, 4u);
  pushSteps(history, 3000, 3400);
  EXPECT_LT(longestReplay(history, 0, 3004, 3399), 4u);
  EXPECT_LE(history.bytesUsed(), history.byteBudget());
}

TEST(History, GoingOnFromABranchThatWasLeftTakesTheSpacingThatItsLengthAllows) {
  History history(budgetFor(16));
  pushSteps(history, 0, 2000);
  const std::uint64_t coarse = history.keyframeSpacing();
  history.continueFrom(0, 100);  // a new branch
  EXPECT_EQ(history.keyframeSpacing(), 1u);
  pushSteps(history, 101, 140);
  history.continueFrom(0, 1999);  // the old one, at its end
  EXPECT_LE(history.keyframeSpacing(), 2 * coarse);
  EXPECT_GE(history.keyframeSpacing(), coarse / 2);
  pushSteps(history, 2000, 2300);
  EXPECT_LE(longestReplay(history, 0, 2000, 2299), 2 * history.keyframeSpacing());
}

TEST(History, ASmallerBudgetThinsAtOnceAndHandsBackWhatItDropped) {
  History history(10'000'000);
  pushSteps(history, 0, 300);
  const std::size_t before = history.bytesUsed();
  const History::Garbage dropped = history.setByteBudget(before / 3);
  EXPECT_LE(history.bytesUsed(), before / 3);
  EXPECT_GE(dropped.size(), 150u);
  for (const auto& entry : dropped) EXPECT_EQ(entry.use_count(), 1);  // nobody else frees it
  EXPECT_EQ(history.lastStep(0), 299u);
  EXPECT_NE(history.find(0, 299), nullptr);
  EXPECT_NE(history.keyframeBefore(0, 299), nullptr);
}

// ---- what is kept of every step

TEST(History, RemembersFactsAndObservablesOfStepsWhoseSnapshotWasThinned) {
  History history(500'000);
  pushSteps(history, 0, 500);
  EXPECT_LT(storedFrom(history, 0, 0, 499), 500u);
  const std::vector<double> times = history.columns(0).values("time", 0, 500);
  ASSERT_EQ(times.size(), 500u);
  for (std::uint64_t step = 0; step < 500; ++step) {
    ASSERT_TRUE(history.mark(0, step));
    EXPECT_EQ(history.mark(0, step)->stateHash, 1000 + step);
    EXPECT_EQ(times[step], 0.01 * static_cast<double>(step));
  }
  EXPECT_FALSE(history.mark(0, 500));
}

TEST(History, MarksCountContactsThatSlip) {
  History history;
  Snapshot snapshot;
  snapshot.contacts.resize(3);
  snapshot.contacts[1].mode = ContactMode::Slip;
  raise(snapshot.report.health, Health::IkFailed);
  push(history, snapshot);
  const TimelineMark mark = history.marks(0).at(0);
  EXPECT_EQ(mark.contacts, 3);
  EXPECT_EQ(mark.slipping, 1);
  EXPECT_TRUE(has(mark.health, Health::IkFailed));
}

// ---- branches

/// main: 0 … 9; branch 1 from 5: 6 … 7; branch 2 from 6 of branch 1: 7 … 8.
History threeBranches() {
  History history(10'000'000);
  pushSteps(history, 0, 10);
  history.continueFrom(0, 5);
  pushSteps(history, 6, 8);
  history.continueFrom(1, 6);
  Snapshot snapshot = snapshotOf(7);
  snapshot.stateHash = 77;
  push(history, snapshot);
  pushSteps(history, 8, 9);
  return history;
}

TEST(History, BranchesKeepTheirStepsAndShareThePast) {
  const History history = threeBranches();
  const std::vector<BranchFacts> branches = history.branches();
  ASSERT_EQ(branches.size(), 3u);
  EXPECT_EQ(branches[0].last, 9u);
  EXPECT_EQ(branches[1].parent, 0u);
  EXPECT_EQ(branches[1].start, 5u);
  EXPECT_EQ(branches[1].last, 7u);
  EXPECT_EQ(branches[2].parent, 1u);
  EXPECT_EQ(branches[2].start, 6u);
  EXPECT_TRUE(branches[2].active);
  EXPECT_EQ(history.mark(0, 7)->stateHash, 1007u);
  EXPECT_EQ(history.mark(1, 7)->stateHash, 1007u);
  EXPECT_EQ(history.mark(2, 7)->stateHash, 77u);
  EXPECT_EQ(history.mark(2, 3)->stateHash, 1003u);
  EXPECT_FALSE(history.mark(2, 9));
  EXPECT_EQ(history.marks(2).size(), 9u);
  EXPECT_EQ(history.marks(2, 6).size(), 3u);
  EXPECT_EQ(history.columns(2).values("time", 0, 100).size(), 9u);
  EXPECT_EQ(history.find(2, 7)->facts().stateHash, 77u);
  EXPECT_EQ(history.find(1, 7)->facts().stateHash, 1007u);
  EXPECT_EQ(history.keyframeBefore(2, 99)->state.step, 8u);
  EXPECT_NE(history.keyframeBefore(2, 7), history.keyframeBefore(1, 7));
  EXPECT_EQ(history.keyframeBefore(2, 6), history.keyframeBefore(1, 6));
}

TEST(History, CommandsAreThoseOfTheStepsOwner) {
  History history(10'000'000);
  pushSteps(history, 0, 6);
  history.log({3, SetParameter{"gravity.x", {1}}});
  history.log({3, SetParameter{"gravity.x", {2}}});
  history.log({4, SetParameter{"gravity.x", {3}}});
  history.continueFrom(0, 4);
  history.log({4, SetParameter{"gravity.x", {4}}});
  pushSteps(history, 5, 6);
  const std::vector<Command> shared = history.commandsAt(1, 3);
  ASSERT_EQ(shared.size(), 2u);
  EXPECT_EQ(std::get<SetParameter>(shared[1]).value.front(), 2);
  ASSERT_EQ(history.commandsAt(0, 4).size(), 1u);
  EXPECT_EQ(std::get<SetParameter>(history.commandsAt(0, 4)[0]).value.front(), 3);
  ASSERT_EQ(history.commandsAt(1, 4).size(), 1u);
  EXPECT_EQ(std::get<SetParameter>(history.commandsAt(1, 4)[0]).value.front(), 4);
  EXPECT_TRUE(history.commandsAt(1, 5).empty());
}

TEST(History, GoingOnFromTheEndOfABranchExtendsIt) {
  History history = threeBranches();
  history.continueFrom(0, 9);
  EXPECT_EQ(history.active(), 0u);
  pushSteps(history, 10, 12);
  EXPECT_EQ(history.lastStep(0), 11u);
  history.continueFrom(2, 3);  // a step that belongs to main
  EXPECT_EQ(history.active(), 3u);
  EXPECT_EQ(history.branches()[3].parent, 0u);
  EXPECT_EQ(history.lastStep(3), 3u);
  history.continueFrom(1, 7);  // a branch without a step leaves no trace
  EXPECT_EQ(history.branches().size(), 3u);
}

TEST(History, ABranchTakesANameThatNoOtherHas) {
  History history = threeBranches();
  EXPECT_TRUE(history.rename(1, "  softer gripper \n"));
  EXPECT_EQ(history.branches()[1].name, "softer gripper");
  EXPECT_TRUE(history.rename(1, "softer gripper")) << "its own name is not taken";
  const Result<void> taken = history.rename(2, " softer gripper");
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().what, ::testing::HasSubstr("'softer gripper'"));
  const Result<void> empty = history.rename(2, " \t ");
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().what, ::testing::HasSubstr("needs a name"));
  EXPECT_FALSE(history.rename(9, "nobody"));
  EXPECT_EQ(history.branches()[2].name, "branch 2");

  EXPECT_TRUE(history.rename(0, "branch 3"));
  history.continueFrom(0, 2);
  pushSteps(history, 3, 4);
  EXPECT_NE(history.branches()[3].name, "branch 3") << "the name of the next one is taken";
}

TEST(History, DeletingABranchGivesBackAllThatItHeldAndNothingElse) {
  History history = threeBranches();
  history.continueFrom(0, 9);
  const auto bytesBefore = history.bytesUsed();
  const std::weak_ptr<const PackedSnapshot> own = history.find(2, 8), shared = history.find(2, 6);
  const std::weak_ptr<const Keyframe> keyframe = history.keyframeBefore(2, 8);
  {
    Result<History::Garbage> dropped = history.remove(2);
    ASSERT_TRUE(dropped);
    EXPECT_FALSE(own.expired()) << "the caller frees it";
    EXPECT_LT(history.bytesUsed(), bytesBefore);
  }
  EXPECT_TRUE(own.expired());
  EXPECT_TRUE(keyframe.expired());
  EXPECT_FALSE(shared.expired());
  EXPECT_FALSE(history.has(2));
  EXPECT_EQ(history.branches().size(), 2u);
  ASSERT_TRUE(history.remove(1));
  pushSteps(history, 10, 11);
  History same(10'000'000);
  pushSteps(same, 0, 11);
  EXPECT_EQ(history.branches().size(), 1u);
  EXPECT_EQ(storedFrom(history, 0, 0, 10), 11u);
  EXPECT_EQ(history.find(0, 3)->byteCount() * 11, same.find(0, 3)->byteCount() * 11);
  // But for what a vector has room for: as if the branches had never been.
  EXPECT_NEAR(static_cast<double>(history.bytesUsed()), static_cast<double>(same.bytesUsed()), 512);

  history.continueFrom(0, 4);
  EXPECT_EQ(history.active(), 3u) << "the id of a branch that is gone is not given again";
}

TEST(History, TheActiveBranchAndOneThatOthersGrowFromCannotBeDeleted) {
  History history = threeBranches();
  const Result<History::Garbage> active = history.remove(2);
  ASSERT_FALSE(active);
  EXPECT_THAT(active.error().what, ::testing::HasSubstr("new steps go to this branch"));
  const Result<History::Garbage> parent = history.remove(1);
  ASSERT_FALSE(parent);
  EXPECT_THAT(parent.error().what, ::testing::HasSubstr("'branch 2'"));
  EXPECT_FALSE(history.remove(17));
  EXPECT_EQ(history.branches().size(), 3u);
  EXPECT_EQ(history.marks(2).size(), 9u);
}

TEST(History, ABranchFromWhichOnlyOneWithoutAStepGrowsCanBeDeleted) {
  History history = threeBranches();
  history.continueFrom(2, 7);  // branch 3 from branch 2, without a step
  EXPECT_EQ(history.active(), 3u);
  history.continueFrom(0, 9);
  ASSERT_TRUE(history.remove(2));
  EXPECT_FALSE(history.has(3));
  ASSERT_TRUE(history.remove(1));
  EXPECT_EQ(history.branches().size(), 1u);
}

// ---- the scale of force arrows

Snapshot pressed(std::uint64_t step, double force) {
  Snapshot snapshot = snapshotOf(step, 0);
  snapshot.contactWrench = {{Vec3(0, 0, -force / 2), Vec3::Zero()}, {Vec3(0, force, 0), Vec3(9e9, 0, 0)}};
  return snapshot;
}

TEST(History, TheLargestForceOfAStepIsThatOfItsWayWhateverComesLater) {
  History history;
  ForceRange range;  // what a picture without a history shows
  const auto largest = [&](BranchId branch, std::uint64_t step) {
    return history.mark(branch, step)->largestForce;
  };
  const auto forceAt = [](std::uint64_t step) { return step < 100 ? 3.0 : step < 200 ? 1.0 : 7.0; };
  for (std::uint64_t step = 0; step < 300; ++step) {
    push(history, pressed(step, forceAt(step)));
    EXPECT_EQ(largest(0, step), range.update(pressed(step, forceAt(step)), nullptr));
  }
  EXPECT_NEAR(largest(0, 99), 3, 0.01);
  EXPECT_EQ(largest(0, 199), largest(0, 99));  // never shrinks
  EXPECT_NEAR(largest(0, 299), 7, 0.01);
  history.continueFrom(0, 150);
  push(history, pressed(151, 1));
  EXPECT_EQ(largest(1, 151), largest(0, 150))
      << "as at the step that it starts from, not as main has gone on";
  for (std::uint64_t step = 152; step < 300; ++step) push(history, pressed(step, 4));
  EXPECT_NEAR(largest(1, 299), 4, 0.01);
  EXPECT_EQ(largest(1, 120), largest(0, 120));
  EXPECT_NEAR(largest(0, 299), 7, 0.01);
}

TEST(ForceRange, WhatAFixedFloorCarriesDoesNotDwarfWhatMovingBodiesDo) {
  Model model;
  model.compositeOf = {0, 1};
  ForceRange moving, fixed;  // of a model that is not known all bodies count
  for (std::uint64_t step = 0; step < 100; ++step) {
    Snapshot snapshot = pressed(step, 3);
    snapshot.contactWrench[0].force.z() = 80;
    moving.update(snapshot, &model);
    fixed.update(snapshot, nullptr);
  }
  EXPECT_NEAR(moving.largest(), 3, 0.01);
  EXPECT_NEAR(fixed.largest(), 80, 0.1);
}

TEST(ForceRange, AnImpactOfOneStepDoesNotDwarfWhatLasts) {
  ForceRange range;
  double time = 0;
  const auto step = [&](double force) {
    Snapshot snapshot = pressed(0, force);
    snapshot.time = time += 1e-3;
    return range.update(snapshot, nullptr);
  };
  for (int i = 0; i < 1000; ++i) step(10);
  EXPECT_NEAR(range.largest(), 10, 1e-6);
  EXPECT_LT(step(500), 25);
}

TEST(History, OldBranchesThinBeforeTheWayToTheActiveOne) {
  History history(10'000'000);
  pushSteps(history, 0, 200);  // of which the first 51 stay on the way
  history.continueFrom(0, 50);
  pushSteps(history, 51, 200);
  history.continueFrom(1, 60);
  pushSteps(history, 61, 100);
  // Room for all but 100 of the 388 snapshots: main beyond step 50 gives them.
  const std::size_t one = history.find(0, 0)->byteCount() + 96;
  (void)history.setByteBudget(history.bytesUsed() +
                              history.bytesUsed() / 3);  // keyframes are within their quarter
  const std::size_t used = history.bytesUsed();
  (void)history.setByteBudget(used);
  while (storedFrom(history, 0, 51, 198) == 148) (void)history.setByteBudget(history.byteBudget() - one);
  EXPECT_EQ(storedFrom(history, 2, 0, 99), 100u);    // the way is whole
  EXPECT_EQ(storedFrom(history, 1, 61, 199), 139u);  // and so is what was left last
  EXPECT_NE(history.find(0, 199), nullptr);          // the end of the old branch can still be looked at
  (void)history.setByteBudget(used / 4);
  EXPECT_LE(history.bytesUsed(), used / 4);
  EXPECT_NE(history.find(1, 199), nullptr);
  EXPECT_NE(history.find(2, 99), nullptr);
}

}  // namespace
}  // namespace slipstick
