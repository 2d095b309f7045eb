#include "engine/runtime/thinning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace slipstick {
namespace {

using ::testing::ElementsAre;

std::shared_ptr<const Observables> timeOnly() {
  static const auto observables = std::make_shared<const Observables>(
      Observables{{"time", "s", [](const Snapshot& s) { return s.time; }}});
  return observables;
}

std::shared_ptr<const Keyframe> keyframeOf(std::uint64_t step) {
  auto keyframe = std::make_shared<Keyframe>();
  keyframe->state.step = step;
  keyframe->state.soft.x.resize(30);  // 72 bytes of each of 10
  return keyframe;
}

/// Steps of equal size at the end of the active branch.
void push(BranchTree& tree, std::uint64_t from, std::uint64_t to, bool withKeyframes) {
  for (std::uint64_t step = from; step < to; ++step) {
    Snapshot snapshot;
    snapshot.step = step;
    snapshot.particles.resize(100);
    tree.push(HistoryStep::of(snapshot, timeOnly(), withKeyframes ? keyframeOf(step) : nullptr), {});
  }
}

template <class Entries>
std::vector<std::uint64_t> stepsOf(const Entries& entries) {
  std::vector<std::uint64_t> steps;
  for (const auto& [step, entry] : entries) steps.push_back(step);
  return steps;
}

/// The budget whose share of snapshots holds so many of a branch.
std::size_t budgetForSnapshots(const BranchTree& tree, BranchId branch, std::size_t count) {
  const BranchTree::Snapshots& stored = tree.at(branch).snapshots;
  const std::size_t each = BranchTree::bytesOf(stored) / stored.size();
  return (tree.smallBytes() + count * each + each / 2) * 4 / 3;
}

std::size_t budgetForKeyframes(const BranchTree& tree, std::size_t count) {
  const BranchTree::Keyframes& stored = tree.at(0).keyframes;
  const std::size_t each = BranchTree::bytesOf(stored) / stored.size();
  return 4 * (count * each + each / 2);
}

TEST(Thinning, LetsNothingGoWhileThereIsRoom) {
  BranchTree tree;
  push(tree, 0, 32, false);
  EXPECT_TRUE(Thinning(budgetForSnapshots(tree, 0, 32)).thin(tree).empty());
  EXPECT_EQ(tree.at(0).snapshots.size(), 32u);
}

TEST(Thinning, ThinsTheOlderHalfAndHandsBackWhatItLetGo) {
  BranchTree tree;
  push(tree, 0, 32, false);
  const std::size_t bytes = tree.snapshotBytes();
  const BranchTree::Garbage garbage = Thinning(budgetForSnapshots(tree, 0, 28)).thin(tree);
  // One eighth of 28 is freed at once: of the older 16 the odd ones go.
  EXPECT_EQ(garbage.size(), 8u);
  EXPECT_EQ(tree.snapshotBytes(), bytes / 32 * 24);
  std::vector<std::uint64_t> wanted = {0, 2, 4, 6, 8, 10, 12, 14};
  for (std::uint64_t step = 16; step < 32; ++step) wanted.push_back(step);
  EXPECT_EQ(stepsOf(tree.at(0).snapshots), wanted);
}

TEST(Thinning, ThinsWhatLiesOffTheWayBeforeTheWay) {
  BranchTree tree;
  push(tree, 0, 17, false);
  tree.beginFrom(0, 7);  // steps 8 … 16 lie off its way
  push(tree, 8, 12, false);
  (void)Thinning(budgetForSnapshots(tree, 0, 18)).thin(tree);
  EXPECT_THAT(stepsOf(tree.at(0).snapshots), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16));
  EXPECT_THAT(stepsOf(tree.at(1).snapshots), ElementsAre(8, 9, 10, 11));
}

TEST(Thinning, KeepsTheNewestSnapshotWhateverTheBudget) {
  BranchTree tree;
  push(tree, 0, 32, false);
  (void)Thinning(0).thin(tree);
  EXPECT_THAT(stepsOf(tree.at(0).snapshots), ElementsAre(31));
}

TEST(Thinning, MovesKeyframesApartAndKeepsTheFirst) {
  BranchTree tree;
  push(tree, 1, 18, true);
  const Thinning thinning(budgetForKeyframes(tree, 5));
  EXPECT_TRUE(thinning.keyframeDue(tree, 18));
  (void)thinning.thin(tree);
  EXPECT_THAT(stepsOf(tree.at(0).keyframes), ElementsAre(1, 4, 8, 12, 16));
  EXPECT_FALSE(thinning.keyframeDue(tree, 18));
  EXPECT_TRUE(thinning.keyframeDue(tree, 20));
}

TEST(Thinning, KeepsTheKeyframeAtWhichAnotherBackendTookOver) {
  BranchTree tree;
  push(tree, 0, 6, true);
  tree.beginFrom(0, 5, " on CPU", keyframeOf(5));
  push(tree, 6, 9, true);
  (void)Thinning(0).thin(tree);
  EXPECT_THAT(stepsOf(tree.at(1).keyframes), ElementsAre(5));
}

TEST(Thinning, WithMoreRoomKeyframesComeCloserAgain) {
  BranchTree tree;
  push(tree, 0, 16, true);
  Thinning thinning(budgetForKeyframes(tree, 2));
  (void)thinning.thin(tree);
  EXPECT_FALSE(thinning.keyframeDue(tree, 17));
  thinning.setByteBudget(budgetForKeyframes(tree, 100));
  EXPECT_FALSE(thinning.keyframeDue(tree, 17));
  thinning.respace(tree);
  EXPECT_TRUE(thinning.keyframeDue(tree, 17));
}

}  // namespace
}  // namespace slipstick
