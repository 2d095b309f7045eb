// Who grew from whom, by itself; what a history keeps and thins of it is in history_test.cpp and thinning_test.cpp.
#include "engine/runtime/branch_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

std::shared_ptr<const Keyframe> keyframeOf(std::uint64_t step) {
  auto keyframe = std::make_shared<Keyframe>();
  keyframe->state.step = step;
  return keyframe;
}

HistoryStep stepOf(std::uint64_t step, bool withKeyframe = false) {
  static const auto timeOnly = std::make_shared<const Observables>(
      Observables{{"time", "s", [](const Snapshot& s) { return s.time; }}});
  Snapshot snapshot;
  snapshot.step = step;
  snapshot.time = 0.01 * static_cast<double>(step);
  snapshot.stateHash = 1000 + step;
  return HistoryStep::of(snapshot, timeOnly, withKeyframe ? keyframeOf(step) : nullptr);
}

void push(BranchTree& tree, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t step = first; step <= last; ++step) tree.push(stepOf(step), {});
}

/// "0: 0-3" for the steps 0 to 2 of branch 0; without an end: for good.
std::vector<std::string> legsOf(const BranchTree& tree, BranchId branch) {
  std::vector<std::string> legs;
  for (const BranchTree::Leg& leg : tree.wayTo(branch))
    legs.push_back(std::to_string(leg.id) + ": " + std::to_string(leg.begin) + "-" +
                   (leg.end == kNever ? "" : std::to_string(leg.end)));
  return legs;
}

std::vector<std::string> namesOf(const BranchTree& tree) {
  std::vector<std::string> names;
  for (const BranchFacts& branch : tree.facts()) names.push_back(branch.name);
  return names;
}

/// Branch 0 up to step 9, branch 1 from its step 4 up to 6, branch 2 from step 5 of branch 1 up to 8.
BranchTree threeBranches() {
  BranchTree tree;
  push(tree, 0, 9);
  tree.beginFrom(0, 4);
  push(tree, 5, 6);
  tree.beginFrom(1, 5);
  push(tree, 6, 8);
  return tree;
}

TEST(BranchTree, BeginsWithOneBranchWithoutAStep) {
  const BranchTree tree;
  EXPECT_TRUE(tree.has(0));
  EXPECT_FALSE(tree.has(1));
  EXPECT_EQ(tree.active(), 0u);
  EXPECT_FALSE(tree.lastStep(0));
  EXPECT_FALSE(tree.mark(0, 0));
  EXPECT_THAT(namesOf(tree), ElementsAre("main"));
  EXPECT_EQ(tree.snapshotBytes(), 0u);
  EXPECT_EQ(tree.keyframeBytes(), 0u);
}

TEST(BranchTree, TheFirstStepIsWhereTheRunBegins) {
  BranchTree tree;
  push(tree, 7, 9);
  EXPECT_THAT(legsOf(tree, 0), ElementsAre("0: 7-"));
  EXPECT_EQ(tree.facts()[0].start, 7u);
  EXPECT_EQ(tree.facts()[0].last, 9u);
  EXPECT_FALSE(tree.facts()[0].parent);
  EXPECT_TRUE(tree.facts()[0].active);
  EXPECT_FALSE(tree.mark(0, 6));
  EXPECT_EQ(tree.mark(0, 7)->stateHash, 1007u);
  EXPECT_FALSE(tree.mark(0, 10));
}

TEST(BranchTree, CommandsStandAtTheStepThatTheyLedFrom) {
  BranchTree tree;
  push(tree, 0, 2);
  const std::vector<Command> commands = {Release{}, FreeJoint{3}};
  tree.push(stepOf(3), commands);
  ASSERT_EQ(tree.at(0).commands.size(), 2u);
  EXPECT_EQ(tree.at(0).commands[0].step, 2u);
  EXPECT_TRUE(std::holds_alternative<Release>(tree.at(0).commands[0].command));
  EXPECT_EQ(tree.at(0).commands[1].step, 2u);
}

TEST(BranchTree, ABranchHasThePastOfThoseThatItGrowsFrom) {
  const BranchTree tree = threeBranches();
  EXPECT_EQ(tree.active(), 2u);
  EXPECT_THAT(legsOf(tree, 0), ElementsAre("0: 0-"));
  EXPECT_THAT(legsOf(tree, 1), ElementsAre("0: 0-5", "1: 5-"));
  EXPECT_THAT(legsOf(tree, 2), ElementsAre("0: 0-5", "1: 5-6", "2: 6-"));
  EXPECT_EQ(tree.legOf(2, 4).id, 0u);
  EXPECT_EQ(tree.legOf(2, 5).id, 1u);
  EXPECT_EQ(tree.legOf(2, 6).id, 2u);
  EXPECT_EQ(tree.legOf(2, 900).id, 2u) << "what is not there yet would be its own";
  EXPECT_EQ(tree.lastStep(1), 6u);
  EXPECT_TRUE(tree.mark(1, 6));
  EXPECT_FALSE(tree.mark(1, 7)) << "though branches 0 and 2 have been there";
  EXPECT_TRUE(tree.mark(0, 9));
}

TEST(BranchTree, FactsSayWhatABranchHasInCommonWithItsParent) {
  const std::vector<BranchFacts> facts = threeBranches().facts();
  ASSERT_EQ(facts.size(), 3u);
  EXPECT_EQ(facts[1].parent, 0u);
  EXPECT_EQ(facts[1].start, 4u);
  EXPECT_EQ(facts[1].last, 6u);
  EXPECT_FALSE(facts[1].active);
  EXPECT_EQ(facts[2].parent, 1u);
  EXPECT_EQ(facts[2].start, 5u);
  EXPECT_EQ(facts[2].last, 8u);
  EXPECT_TRUE(facts[2].active);
}

TEST(BranchTree, ABranchWithoutAStepIsSeenWhileItIsTheActiveOne) {
  BranchTree tree;
  push(tree, 0, 9);
  tree.beginFrom(0, 4);
  EXPECT_EQ(tree.lastStep(1), 4u);
  EXPECT_EQ(tree.facts().back().last, 4u);
  EXPECT_THAT(namesOf(tree), ElementsAre("main", "branch 1"));
  tree.activate(0);
  EXPECT_THAT(namesOf(tree), ElementsAre("main"));
  EXPECT_TRUE(tree.has(1));
}

TEST(BranchTree, AStepOfAnotherRunHasNoPast) {
  BranchTree tree;
  push(tree, 0, 3);
  tree.beginWith("again", stepOf(6, true));
  EXPECT_EQ(tree.active(), 1u);
  EXPECT_THAT(legsOf(tree, 1), ElementsAre("1: 6-"));
  EXPECT_FALSE(tree.mark(1, 3));
  EXPECT_TRUE(tree.at(1).keyframes.contains(6));
  push(tree, 7, 8);
  EXPECT_EQ(tree.lastStep(1), 8u);
  EXPECT_EQ(tree.lastStep(0), 3u);
}

// ---- names

TEST(BranchTree, NewBranchesHaveNamesThatNoOtherHas) {
  BranchTree tree;
  push(tree, 0, 9);
  ASSERT_TRUE(tree.rename(0, "branch 2 on paper"));
  tree.beginFrom(0, 4, " on paper", keyframeOf(4));
  push(tree, 5, 5);
  tree.beginFrom(0, 4, " on paper", keyframeOf(4));
  push(tree, 5, 5);
  tree.beginWith("branch 1 on paper", stepOf(0));
  EXPECT_THAT(namesOf(tree), ElementsAre("branch 2 on paper", "branch 1 on paper", "branch 2 on paper (2)",
                                         "branch 1 on paper (2)"));
}

TEST(BranchTree, ANameIsWithoutTheSpacesAroundIt) {
  BranchTree tree;
  ASSERT_TRUE(tree.rename(0, " \t softer grip\r\n"));
  EXPECT_EQ(tree.at(0).name, "softer grip");
  ASSERT_TRUE(tree.rename(0, "softer grip")) << "its own name is no other's";
}

TEST(BranchTree, WhatIsNoNameIsRefusedAndNothingChanges) {
  BranchTree tree = threeBranches();
  for (const char* none : {"", " ", "\t\r\n "}) {
    const Result<void> renamed = tree.rename(1, none);
    ASSERT_FALSE(renamed);
    EXPECT_THAT(renamed.error().what, HasSubstr("needs a name"));
  }
  EXPECT_THAT(tree.rename(1, " main ").error().what, HasSubstr("'main'"));
  EXPECT_EQ(tree.rename(9, "x").error().code, ErrorCode::UnknownName);
  EXPECT_THAT(namesOf(tree), ElementsAre("main", "branch 1", "branch 2"));
}

TEST(BranchTree, TheNameOfABranchThatNobodySeesIsFree) {
  BranchTree tree;
  push(tree, 0, 9);
  tree.beginFrom(0, 4);
  tree.activate(0);
  EXPECT_TRUE(tree.rename(0, "branch 1"));
}

// ---- what goes first

std::vector<std::uint64_t> beginsOf(const std::vector<BranchTree::Branch*>& branches) {
  std::vector<std::uint64_t> begins;
  for (const BranchTree::Branch* branch : branches) begins.push_back(branch->begin);
  return begins;
}

TEST(BranchTree, BranchesAreOrderedByWhenTheyWereLeft) {
  BranchTree tree = threeBranches();  // which begin at 0, 5 and 6
  EXPECT_THAT(beginsOf(tree.leftLongestAgoFirst()), ElementsAre(0u, 5u));
  tree.activate(0);
  EXPECT_THAT(beginsOf(tree.leftLongestAgoFirst()), ElementsAre(5u, 6u));
  tree.activate(1);
  EXPECT_THAT(beginsOf(tree.leftLongestAgoFirst()), ElementsAre(6u, 0u));
}

TEST(BranchTree, OffTheWayIsWhatTheActiveBranchDoesNotComeFrom) {
  BranchTree tree = threeBranches();
  EXPECT_EQ(tree.offTheWayFrom(tree.at(0)), 5u);
  EXPECT_EQ(tree.offTheWayFrom(tree.at(1)), 6u);
  EXPECT_EQ(tree.offTheWayFrom(tree.at(2)), kNever);
  tree.activate(1);
  EXPECT_EQ(tree.offTheWayFrom(tree.at(0)), 5u);
  EXPECT_EQ(tree.offTheWayFrom(tree.at(1)), kNever);
  EXPECT_EQ(tree.offTheWayFrom(tree.at(2)), 6u) << "all that it has";
}

// ---- removal and memory

std::size_t bytesOfAll(const BranchTree& tree, std::size_t (*of)(const BranchTree::Branch&)) {
  std::size_t bytes = 0;
  for (const auto& [id, branch] : tree.all()) bytes += of(branch);
  return bytes;
}

void expectBytesAreThoseOfAllBranches(const BranchTree& tree) {
  EXPECT_EQ(tree.snapshotBytes(),
            bytesOfAll(tree, [](const BranchTree::Branch& b) { return BranchTree::bytesOf(b.snapshots); }));
  EXPECT_EQ(tree.keyframeBytes(),
            bytesOfAll(tree, [](const BranchTree::Branch& b) { return BranchTree::bytesOf(b.keyframes); }));
}

TEST(BranchTree, BytesAreThoseOfAllThatIsThere) {
  BranchTree tree;
  for (std::uint64_t step = 0; step < 10; ++step) tree.push(stepOf(step, step % 2 == 0), {});
  EXPECT_GT(tree.snapshotBytes(), 0u);
  EXPECT_GT(tree.keyframeBytes(), 5 * sizeof(State));
  expectBytesAreThoseOfAllBranches(tree);
  tree.beginFrom(0, 4, " on paper", keyframeOf(4));
  expectBytesAreThoseOfAllBranches(tree);
  tree.push(stepOf(5, true), {});
  tree.beginWith("again", stepOf(0, true));
  expectBytesAreThoseOfAllBranches(tree);
  ASSERT_TRUE(tree.remove(1));
  expectBytesAreThoseOfAllBranches(tree);
}

TEST(BranchTree, WhatIsForgottenIsHandedOut) {
  BranchTree tree;
  for (std::uint64_t step = 0; step < 3; ++step) tree.push(stepOf(step, true), {});
  BranchTree::Branch& branch = tree.activeBranch();
  const std::weak_ptr<const PackedSnapshot> snapshot = branch.snapshots.at(1);
  const std::weak_ptr<const Keyframe> keyframe = branch.keyframes.at(1);
  {
    BranchTree::Garbage garbage;
    EXPECT_EQ(tree.erase(branch.snapshots, branch.snapshots.find(1), garbage)->first, 2u) << "the next one";
    EXPECT_EQ(tree.erase(branch.keyframes, branch.keyframes.find(1), garbage)->first, 2u);
    EXPECT_FALSE(snapshot.expired()) << "the caller frees it";
    EXPECT_FALSE(keyframe.expired());
  }
  EXPECT_TRUE(snapshot.expired());
  EXPECT_TRUE(keyframe.expired());
  expectBytesAreThoseOfAllBranches(tree);
  EXPECT_TRUE(tree.mark(0, 1)) << "its mark stays";
}

TEST(BranchTree, OnlyABranchThatNoneGrowsFromCanBeRemoved) {
  BranchTree tree = threeBranches();
  EXPECT_THAT(tree.remove(2).error().what, HasSubstr("new steps go to this branch"));
  EXPECT_THAT(tree.remove(1).error().what, HasSubstr("'branch 2'"));
  EXPECT_EQ(tree.remove(9).error().code, ErrorCode::UnknownName);
  EXPECT_EQ(tree.facts().size(), 3u);
  tree.activate(0);
  ASSERT_TRUE(tree.remove(2));
  EXPECT_FALSE(tree.has(2));
  ASSERT_TRUE(tree.remove(1));
  EXPECT_THAT(namesOf(tree), ElementsAre("main"));
  tree.beginFrom(0, 4);
  EXPECT_EQ(tree.active(), 3u) << "ids are not given again";
}

TEST(BranchTree, BranchesThatNobodySeesGoWithTheOneThatTheyGrowFrom) {
  BranchTree tree = threeBranches();
  tree.beginFrom(2, 7);
  tree.activate(0);
  ASSERT_TRUE(tree.remove(2));
  EXPECT_FALSE(tree.has(3));
}

TEST(FirstAtOrAfter, FindsTheFirstThatIsNoEarlier) {
  const std::vector<StampedCommand> log = {{2, Release{}}, {4, FreeJoint{0}}, {4, Release{}}, {7, Release{}}};
  EXPECT_EQ(firstAtOrAfter(log, 0), log.begin());
  EXPECT_EQ(firstAtOrAfter(log, 3), log.begin() + 1);
  EXPECT_EQ(firstAtOrAfter(log, 4), log.begin() + 1);
  EXPECT_EQ(firstAtOrAfter(log, 5), log.begin() + 3);
  EXPECT_EQ(firstAtOrAfter(log, 8), log.end());
}

}  // namespace
}  // namespace slipstick
