// The history behind its lock: what looks find while steps come in, and what is left of branches that are gone.
#include "engine/runtime/run_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/runtime/live_run.h"
#include "tests/engine/runtime/fake_stepper.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using testing::FakeBehaviour;
using ::testing::HasSubstr;

// ---- snapshots that were unpacked lately

std::shared_ptr<const PackedSnapshot> packed(std::uint64_t step, std::size_t particles = 10) {
  Snapshot snapshot;
  snapshot.step = step;
  snapshot.particles.resize(particles);
  return std::make_shared<const PackedSnapshot>(snapshot);
}

TEST(UnpackedSnapshots, AreUnpackedOnceWhileTheyAreLookedAt) {
  UnpackedSnapshots unpacked;
  const auto step = packed(7, 10);
  const std::shared_ptr<const Snapshot> first = unpacked.of(step);
  EXPECT_EQ(first->step, 7u);
  EXPECT_EQ(first->particles.size(), 10u);
  EXPECT_EQ(unpacked.of(step), first);
  EXPECT_NE(unpacked.of(packed(7, 10)), first) << "another one of the same step is another one";
}

TEST(UnpackedSnapshots, TheFourThatWereLookedAtLastAreKept) {
  UnpackedSnapshots unpacked;
  std::vector<std::shared_ptr<const PackedSnapshot>> steps;
  for (std::uint64_t step = 0; step < 6; ++step) steps.push_back(packed(step));
  std::vector<std::weak_ptr<const Snapshot>> seen;
  for (std::size_t i = 0; i < 4; ++i) seen.push_back(unpacked.of(steps[i]));
  for (const auto& one : seen) EXPECT_FALSE(one.expired());
  (void)unpacked.of(steps[0]);  // again
  (void)unpacked.of(steps[4]);
  EXPECT_FALSE(seen[0].expired());
  EXPECT_TRUE(seen[1].expired()) << "nobody has looked at it for longest";
  EXPECT_FALSE(seen[2].expired());
  (void)unpacked.of(steps[5]);
  EXPECT_FALSE(seen[0].expired());
  EXPECT_TRUE(seen[2].expired());
  EXPECT_FALSE(seen[3].expired());
}

TEST(UnpackedSnapshots, CountWhatTheyHold) {
  UnpackedSnapshots unpacked;
  EXPECT_EQ(unpacked.bytesUsed(), 0u);
  const auto small = packed(0, 10), large = packed(1, 1000);
  const std::size_t one = unpacked.of(small)->byteCount();
  EXPECT_EQ(unpacked.bytesUsed(), one);
  const std::size_t other = unpacked.of(large)->byteCount();
  EXPECT_EQ(unpacked.bytesUsed(), one + other);
  (void)unpacked.of(small);
  EXPECT_EQ(unpacked.bytesUsed(), one + other);
}

// ---- a run that is recorded

/// A ball that falls, and the record of its steps: keyframes where they are due, which is each of these few steps.
struct RunRecords : ::testing::Test {
  std::shared_ptr<Model> model = testing::oneBodyModel();
  MakeStepper make = testing::makeFakeStepper(std::make_shared<FakeBehaviour>());
  LiveRun live = LiveRun::start(make, model).value();
  std::shared_ptr<const Snapshot> first = live.observe();
  std::shared_ptr<RunRecord> record = std::make_shared<RunRecord>(first, live.keyframe());

  void step(std::vector<Command> commands = {}) {
    StepReport report;
    DroppedCommands dropped;
    const std::shared_ptr<Snapshot> snapshot = live.advance(commands, report, dropped);
    snapshot->branch = record->newest()->branch;
    record->publish(snapshot, commands, record->keyframeDue(snapshot->step) ? live.keyframe() : nullptr);
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }
  /// Goes on from a step of which there is a keyframe.
  void continueFrom(BranchId branch, std::uint64_t from) {
    goTo(record->keyframeBefore(branch, from)->state);
    ASSERT_EQ(live.step, from);
    record->continueFrom(branch, from, live.observe());
  }
  void goTo(const State& state) { live = LiveRun::from(make, live.model, state).value(); }
  std::shared_ptr<const BranchView> view(BranchId branch) const { return BranchView::of(record, branch); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const BranchFacts& branch : record->branches()) all.push_back(branch.name);
    return all;
  }
  RunStatus described(std::optional<BranchId> branch = std::nullopt) const {
    RunStatus status;
    record->describe(branch, status);
    return status;
  }
  static std::vector<std::uint64_t> numbers(const std::vector<TimelineMark>& marks) {
    std::vector<std::uint64_t> all;
    for (const TimelineMark& mark : marks) all.push_back(mark.step);
    return all;
  }
};

TEST_F(RunRecords, BeginsWithItsFirstStep) {
  EXPECT_EQ(record->newest(), first);
  EXPECT_EQ(record->latest(0), first);
  EXPECT_EQ(record->at(std::nullopt, 0), first);
  EXPECT_THAT(names(), ElementsAre("main"));
  EXPECT_THAT(numbers(record->marks(0, 0)), ElementsAre(0u));
  EXPECT_EQ(record->keyframeBefore(0, 0)->state.step, 0u);
  EXPECT_EQ(described().jumps, 0u);
}

TEST_F(RunRecords, TheNewestStepIsServedAsItIsAndOthersAsTheyWerePacked) {
  steps(3);
  const std::shared_ptr<const Snapshot> newest = record->newest();
  EXPECT_EQ(newest->step, 3u);
  for (const std::uint64_t step : {3u, 4u, 900u}) EXPECT_EQ(record->at(0, step), newest) << step;
  EXPECT_EQ(record->contactsAt(0, 3), newest);
  const std::shared_ptr<const Snapshot> past = record->at(0, 1);
  EXPECT_EQ(past->step, 1u);
  EXPECT_EQ(past->stateHash, record->mark(0, 1)->stateHash);
  EXPECT_EQ(record->at(0, 1), past) << "it is not unpacked again";
  EXPECT_EQ(record->contactsAt(0, 1)->step, 1u);
  EXPECT_NE(record->contactsAt(0, 1), past);
}

TEST_F(RunRecords, CommandsAreThoseOfTheStepThatTheyLedFrom) {
  step();
  step({SetParameter{"gravity.z", {-3}}, Release{}});
  step();
  EXPECT_TRUE(record->commandsAt(0, 0).empty());
  ASSERT_EQ(record->commandsAt(0, 1).size(), 2u);
  EXPECT_TRUE(std::holds_alternative<SetParameter>(record->commandsAt(0, 1)[0]));
  EXPECT_TRUE(std::holds_alternative<Release>(record->commandsAt(0, 1)[1]));
  EXPECT_TRUE(record->commandsAt(0, 2).empty());
}

TEST_F(RunRecords, MarksAreOfOneStepOrOfAllFromOneOn) {
  steps(3);
  EXPECT_EQ(record->mark(0, 2)->step, 2u);
  EXPECT_EQ(record->mark(std::nullopt, 2)->stateHash, record->mark(0, 2)->stateHash);
  EXPECT_FALSE(record->mark(0, 4));
  EXPECT_THAT(numbers(record->marks(0, 2)), ElementsAre(2u, 3u));
  EXPECT_THAT(numbers(record->marks(std::nullopt, 0)), ElementsAre(0u, 1u, 2u, 3u));
  EXPECT_TRUE(record->marks(0, 4).empty());
  EXPECT_EQ(record->columns(0).endStep(), 4u);
  EXPECT_EQ(record->columns(std::nullopt).endStep(), 4u);
}

// ---- for a replay

TEST_F(RunRecords, AReplayStartsOneStepEarlierThanItMustWhereItCan) {
  steps(3);
  const std::optional<RunRecord::Departure> departure = record->departureFor(0, 2);
  ASSERT_TRUE(departure);
  EXPECT_EQ(departure->keyframe->state.step, 1u);
  EXPECT_EQ(departure->stateHash, record->mark(0, 2)->stateHash);
  EXPECT_EQ(departure->stateHash, record->at(0, 2)->stateHash);
  EXPECT_EQ(record->departureFor(0, 0)->keyframe->state.step, 0u);
}

TEST_F(RunRecords, ThereIsNoReplayToWhatHasNotBeen) {
  steps(2);
  EXPECT_FALSE(record->departureFor(0, 3));
  EXPECT_FALSE(record->departureFor(7, 1));
}

TEST_F(RunRecords, AReplayToAStepOfTheParentStartsOnTheParent) {
  steps(4);
  continueFrom(0, 2);
  step({SetParameter{"gravity.z", {-3}}});
  step();
  EXPECT_EQ(record->departureFor(1, 1)->keyframe->state.step, 0u);
  EXPECT_EQ(record->departureFor(1, 2)->stateHash, record->mark(0, 2)->stateHash);
  EXPECT_EQ(record->departureFor(1, 3)->keyframe->state.step, 2u);
  EXPECT_EQ(record->departureFor(1, 4)->stateHash, record->newest()->stateHash);
  EXPECT_NE(record->departureFor(1, 4)->stateHash, record->departureFor(0, 4)->stateHash);
}

// ---- branches

TEST_F(RunRecords, WhatFollowsAStepStaysOnItsBranchWhenTheRunGoesOnFromThere) {
  steps(4);
  const std::uint64_t end = record->newest()->stateHash;
  continueFrom(0, 2);
  EXPECT_EQ(record->newest()->step, 2u);
  EXPECT_EQ(record->newest()->branch, 1u);
  EXPECT_EQ(record->latest(1), record->newest()) << "it has no step of its own yet";
  EXPECT_EQ(described().jumps, 1u);
  step({SetParameter{"gravity.z", {-3}}});
  EXPECT_THAT(names(), ElementsAre("main", "branch 1"));
  EXPECT_EQ(record->latest(0)->step, 4u);
  EXPECT_EQ(record->latest(0)->stateHash, end);
  EXPECT_EQ(record->at(0, 3)->stateHash, record->mark(0, 3)->stateHash);
  EXPECT_EQ(record->at(1, 3), record->newest());
  EXPECT_EQ(record->at(std::nullopt, 1)->step, 1u);
  EXPECT_THAT(numbers(record->marks(1, 0)), ElementsAre(0u, 1u, 2u, 3u));
}

TEST_F(RunRecords, FromTheEndOfABranchItGoesOnWithoutANewOne) {
  steps(2);
  continueFrom(0, 2);
  EXPECT_EQ(record->newest()->branch, 0u);
  EXPECT_EQ(described().jumps, 1u);
  step();
  EXPECT_THAT(names(), ElementsAre("main"));
  EXPECT_EQ(record->latest(0)->step, 3u);
}

TEST_F(RunRecords, AnEditIsSeenAtOnceAndStandsAtItsStep) {
  steps(2);
  const auto longer = testing::oneBodyModel(20);
  live = live.as(longer).value();
  const std::shared_ptr<Snapshot> edited = live.observe();
  record->changeModel(edited);
  EXPECT_EQ(record->newest(), edited);
  EXPECT_EQ(record->at(0, 2)->model, longer);
  EXPECT_EQ(record->at(0, 1)->model, model);
  EXPECT_THAT(record->modelsAt(0, 2), ElementsAre(longer));
  EXPECT_TRUE(record->modelsAt(0, 1).empty());
  EXPECT_EQ(described().jumps, 0u);
  step();
  EXPECT_EQ(record->newest()->model, longer);
  EXPECT_EQ(record->columns(0).parts().size(), 2u) << "each model has its own";
}

TEST_F(RunRecords, AnotherBackendGoesOnOnABranchThatIsNamedAfterIt) {
  steps(2);
  const auto start = std::make_shared<const Keyframe>(Keyframe{model, live.state(), "paper"});
  record->changeBackend(0, start, live.observe());
  EXPECT_THAT(names(), ElementsAre("main", "branch 1 on paper"));
  EXPECT_EQ(record->newest()->branch, 1u);
  EXPECT_EQ(record->keyframeBefore(1, 2), start);
  EXPECT_NE(record->keyframeBefore(0, 2), start);
  EXPECT_EQ(described().jumps, 1u);
}

TEST_F(RunRecords, AStepOfAnotherRunBeginsABranchOfItsOwn) {
  steps(3);
  live = LiveRun::start(make, model).value();
  record->beginElsewhere("again", live.observe(), live.keyframe());
  EXPECT_THAT(names(), ElementsAre("main", "again"));
  EXPECT_EQ(record->newest()->branch, 1u);
  EXPECT_EQ(record->newest()->step, 0u);
  EXPECT_EQ(described().jumps, 1u);
  steps(2);
  EXPECT_EQ(record->latest(1)->step, 2u);
  EXPECT_EQ(record->at(1, 0)->branch, 1u) << "its start when it is packed, too";
  EXPECT_EQ(record->latest(0)->step, 3u);
  EXPECT_FALSE(record->branches()[1].parent);
}

TEST_F(RunRecords, TheStartOfTheActiveBranchIsThatOfItsOwnRun) {
  steps(2);
  EXPECT_EQ(record->startOfActive(), 0u);
  live = LiveRun::start(make, model).value();
  record->beginElsewhere("again", live.observe(), live.keyframe());
  EXPECT_EQ(record->startOfActive(), 1u);
  steps(3);
  continueFrom(1, 1);
  step();
  EXPECT_EQ(record->newest()->branch, 2u);
  EXPECT_EQ(record->startOfActive(), 1u) << "from which it grows";
}

TEST_F(RunRecords, ABranchThatBeginsInTheMiddleHasTheFirstStartOfAll) {
  steps(3);
  const State middle = live.state();
  live = LiveRun::from(make, model, middle).value();
  record->beginElsewhere("from a file", live.observe(), live.keyframe());
  EXPECT_EQ(record->newest()->step, 3u);
  EXPECT_EQ(record->startOfActive(), 0u);
}

TEST_F(RunRecords, LeadRunsThatStepBesideItAlongItsWay) {
  steps(3);
  const std::uint64_t changes = record->lead().changes;
  continueFrom(0, 1);
  steps(2);
  const RunRecord::Lead lead = record->lead();
  EXPECT_EQ(lead.way, (Way{{0, 0}, {1, 2}}));
  EXPECT_EQ(lead.newest, 3u);
  EXPECT_EQ(lead.jumps, 1u);
  EXPECT_EQ(lead.changes, changes + 3);
  record->waitForMore(changes, {});  // there are some
  EXPECT_EQ(record->startOfWay(1)->state.step, 0u);
  EXPECT_EQ(record->wayTo(0), (Way{{0, 0}}));
  EXPECT_TRUE(record->wayTo(7).empty());
  EXPECT_FALSE(record->nextAfter(7, 0));
}

TEST_F(RunRecords, WhatCameBesideItToAStepHasItsWayUpToThere) {
  steps(3);
  const State there = live.state();
  steps(2);
  continueFrom(0, 4);
  step();
  const Way beside = record->wayTo(1);
  live = LiveRun::from(make, model, there).value();
  record->beginElsewhere("taken over", live.observe(), live.keyframe(), beside);
  EXPECT_EQ(record->lead().way, (Way{{0, 0}, {2, 4}})) << "not what lies behind the step";
  EXPECT_EQ(record->startOfWay(2)->state.step, 3u);
  steps(2);
  continueFrom(2, 4);
  step();
  EXPECT_EQ(record->lead().way, (Way{{0, 0}, {2, 4}, {3, 5}}));
}

TEST_F(RunRecords, ABranchCanBeNamedAndDeletedWhereTheHistoryLetsIt) {
  steps(3);
  continueFrom(0, 1);
  step();
  ASSERT_TRUE(record->rename(1, "softer"));
  EXPECT_THAT(names(), ElementsAre("main", "softer"));
  EXPECT_FALSE(record->rename(1, "main"));
  const Result<History::Garbage> active = record->remove(1);
  ASSERT_FALSE(active);
  EXPECT_THAT(active.error().what, HasSubstr("new steps go to this branch"));
  continueFrom(0, 3);
  ASSERT_TRUE(record->remove(1));
  EXPECT_THAT(names(), ElementsAre("main"));
}

TEST_F(RunRecords, OfABranchThatIsGoneThereIsNothing) {
  steps(3);
  continueFrom(0, 1);
  step();
  continueFrom(0, 3);
  ASSERT_TRUE(record->remove(1));
  for (const BranchId gone : {1u, 9u}) {
    EXPECT_EQ(record->latest(gone), nullptr);
    EXPECT_EQ(record->at(gone, 1), nullptr);
    EXPECT_EQ(record->contactsAt(gone, 1), nullptr);
    EXPECT_FALSE(record->mark(gone, 1));
    EXPECT_TRUE(record->marks(gone, 0).empty());
    EXPECT_TRUE(record->columns(gone).parts().empty());
    EXPECT_FALSE(record->departureFor(gone, 1));
    EXPECT_FALSE(record->endOf(gone, 0));
    EXPECT_TRUE(described(gone).gone);
  }
  EXPECT_FALSE(described(0).gone);
}

// ---- what a status says

TEST_F(RunRecords, AStatusIsOfTheActiveBranchUnlessAnotherIsNamed) {
  steps(4);
  continueFrom(0, 1);
  step();
  EXPECT_EQ(described().branch, 1u);
  EXPECT_EQ(described().lastStep, 2u);
  EXPECT_EQ(described(0).branch, 0u);
  EXPECT_EQ(described(0).lastStep, 4u);
  EXPECT_EQ(described(0).firstStored, 0u);
}

TEST_F(RunRecords, AStatusCountsWhatLooksHold) {
  steps(4);
  const std::size_t before = described().historyBytes;
  const std::size_t looked = record->at(0, 1)->byteCount();
  EXPECT_EQ(described().historyBytes, before + looked);
  (void)record->contactsAt(0, 2);
  EXPECT_EQ(described().historyBytes, before + looked) << "that is nobody's";
}

TEST_F(RunRecords, ASmallerBudgetThinsSnapshotsButNoMarks) {
  steps(300);
  const std::size_t before = described().historyBytes;
  record->setByteBudget(before / 2);
  EXPECT_EQ(described().historyBudget, before / 2);
  EXPECT_LT(described().historyBytes, before);
  EXPECT_EQ(record->latest(0), record->newest());
  EXPECT_EQ(record->marks(0, 0).size(), 301u) << "of every step, also of those that were thinned away";
}

// ---- views of one branch

TEST_F(RunRecords, OfABranchThatIsNotThereThereIsNoView) {
  EXPECT_EQ(view(1), nullptr);
  EXPECT_NE(view(0), nullptr);
}

TEST_F(RunRecords, AViewFollowsItsBranchAndNotTheRun) {
  const auto main = view(0);
  steps(3);
  EXPECT_EQ(main->latest(), record->newest());
  continueFrom(0, 1);
  step();
  EXPECT_EQ(main->latest()->step, 3u);
  EXPECT_EQ(main->at(2)->step, 2u);
  EXPECT_EQ(main->at(2)->stateHash, record->mark(0, 2)->stateHash);
  EXPECT_EQ(main->contactsAt(1)->step, 1u);
  EXPECT_EQ(main->mark(3)->step, 3u);
  EXPECT_THAT(numbers(main->marks(2)), ElementsAre(2u, 3u));
  EXPECT_EQ(main->columns().endStep(), 4u);
  EXPECT_EQ(main->status().lastStep, 3u);
  EXPECT_FALSE(main->status().gone);
  EXPECT_EQ(view(1)->latest(), record->newest());
}

TEST_F(RunRecords, AViewOfABranchThatIsDeletedKeepsWhatWasLookedAtLast) {
  steps(5);
  continueFrom(0, 1);
  steps(2);
  const auto side = view(1);
  continueFrom(0, 5);
  const std::shared_ptr<const Snapshot> seen = side->at(2);
  EXPECT_EQ(seen->step, 2u);
  ASSERT_TRUE(record->remove(1));
  EXPECT_EQ(side->latest(), seen);
  EXPECT_EQ(side->at(1), seen);
  EXPECT_EQ(side->contactsAt(3), seen);
  EXPECT_FALSE(side->mark(2));
  EXPECT_TRUE(side->marks(0).empty());
  EXPECT_TRUE(side->columns().parts().empty());
  const RunStatus status = side->status();
  EXPECT_TRUE(status.gone);
  EXPECT_EQ(status.branch, 1u);
  EXPECT_EQ(status.firstStored, 2u);
  EXPECT_EQ(status.lastStep, 2u);
}

TEST_F(RunRecords, AViewThatNobodyLookedThroughKeepsTheEnd) {
  steps(5);
  continueFrom(0, 1);
  steps(2);
  const auto side = view(1);
  continueFrom(0, 5);
  ASSERT_TRUE(record->remove(1));
  EXPECT_EQ(side->latest()->step, 3u);
  EXPECT_EQ(side->status().lastStep, 3u);
}

}  // namespace
}  // namespace slipstick
