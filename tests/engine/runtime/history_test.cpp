#include "engine/runtime/history.h"

#include <gtest/gtest.h>

#include <memory>

namespace slipstick {
namespace {

std::shared_ptr<const Snapshot> snapshotOf(std::uint64_t step, std::size_t particles = 100) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->step = step;
  snapshot->time = 0.01 * static_cast<double>(step);
  snapshot->stateHash = 1000 + step;
  snapshot->particles.resize(particles);
  return snapshot;
}

std::shared_ptr<const State> stateOf(std::uint64_t step, std::size_t particles = 10) {
  auto state = std::make_shared<State>();
  state->step = step;
  state->particles.F.resize(particles);
  return state;
}

void pushSteps(History& history, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t step = from; step < to; ++step) {
    history.push(snapshotOf(step), history.keyframeDue(step) ? stateOf(step) : nullptr);
  }
}

TEST(History, NeverHoldsMoreThanItsByteBudget) {
  History history(200'000);
  for (std::uint64_t step = 0; step < 2000; ++step) {
    history.push(snapshotOf(step), history.keyframeDue(step) ? stateOf(step) : nullptr);
    ASSERT_LE(history.bytesUsed(), history.byteBudget()) << "after step " << step;
  }
}

TEST(History, KeepsTheNewestStepsDenseAndThePastScrubbable) {
  History history(400'000);
  pushSteps(history, 0, 2000);
  for (std::uint64_t step = 1980; step < 2000; ++step) EXPECT_NE(history.find(step), nullptr) << step;
  EXPECT_EQ(history.lastStep(), 1999u);
  EXPECT_LE(*history.firstStep(), 256u);
  // No gap in the past is longer than a quarter of the run.
  for (std::uint64_t step = 0; step < 2000; step += 10) {
    const std::uint64_t found = history.nearest(step)->step;
    EXPECT_LE(found > step ? found - step : step - found, 250u) << step;
  }
}

TEST(History, FindsTheNearestStoredSnapshotOnEitherSide) {
  History history;
  EXPECT_EQ(history.nearest(3), nullptr);
  history.push(snapshotOf(10), stateOf(10));
  history.push(snapshotOf(20), nullptr);
  EXPECT_EQ(history.nearest(0)->step, 10u);
  EXPECT_EQ(history.nearest(14)->step, 10u);
  EXPECT_EQ(history.nearest(16)->step, 20u);
  EXPECT_EQ(history.nearest(99)->step, 20u);
  EXPECT_EQ(history.find(15), nullptr);
}

TEST(History, KeyframeSpacingDoublesWhenItsShareIsFull) {
  const std::size_t keyframe = stateOf(0)->byteCount();
  History history(4 * (8 * keyframe + keyframe / 2));  // room for 8 keyframes
  pushSteps(history, 0, 8);
  EXPECT_EQ(history.keyframeSpacing(), 1u);
  pushSteps(history, 8, 9);
  EXPECT_EQ(history.keyframeSpacing(), 2u);
  EXPECT_EQ(history.keyframeBefore(7)->step, 6u);
  pushSteps(history, 9, 40);
  EXPECT_EQ(history.keyframeSpacing(), 8u);
  EXPECT_EQ(history.keyframeBefore(0)->step, 0u);
  EXPECT_EQ(history.keyframeBefore(31)->step, 24u);
}

TEST(History, RemembersTheHashOfStepsWhoseSnapshotWasThinned) {
  History history(100'000);
  pushSteps(history, 0, 500);
  bool someThinned = false;
  for (std::uint64_t step = 0; step < 500; ++step) {
    someThinned |= history.find(step) == nullptr;
    ASSERT_TRUE(history.mark(step));
    EXPECT_EQ(history.mark(step)->stateHash, 1000 + step);
  }
  EXPECT_TRUE(someThinned);
  EXPECT_FALSE(history.mark(500));
}

TEST(History, MarksCountContactsThatSlip) {
  History history;
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->contacts.resize(3);
  snapshot->contacts[1].mode = ContactMode::Slip;
  raise(snapshot->report.health, Health::IkFailed);
  history.push(snapshot, nullptr);
  EXPECT_EQ(history.marks().at(0).contacts, 3);
  EXPECT_EQ(history.marks().at(0).slipping, 1);
  EXPECT_TRUE(has(history.marks().at(0).health, Health::IkFailed));
}

TEST(History, TruncationForgetsLaterStepsAndTheCommandsThatLedThere) {
  History history;
  pushSteps(history, 0, 10);
  history.log({3, SetParameter{"gravity.x", {1}}});
  history.log({3, SetParameter{"gravity.x", {2}}});
  history.log({5, SetParameter{"gravity.x", {3}}});
  history.truncateAfter(5);
  EXPECT_EQ(history.lastStep(), 5u);
  EXPECT_EQ(history.marks().back().step, 5u);
  EXPECT_EQ(history.keyframeBefore(9)->step, 5u);
  EXPECT_TRUE(history.commandsAt(5).empty());
  const std::vector<Command> kept = history.commandsAt(3);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(std::get<SetParameter>(kept[1]).value.front(), 2);
  pushSteps(history, 6, 8);  // a new branch grows from there
  EXPECT_EQ(history.lastStep(), 7u);
}

TEST(History, ASmallerBudgetThinsAtOnce) {
  History history(1'000'000);
  pushSteps(history, 0, 300);
  const std::size_t before = history.bytesUsed();
  history.setByteBudget(before / 3);
  EXPECT_LE(history.bytesUsed(), before / 3);
  EXPECT_EQ(history.lastStep(), 299u);
  EXPECT_NE(history.keyframeBefore(299), nullptr);
}

}  // namespace
}  // namespace slipstick
