#include "engine/foundation/latest_slot.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace slipstick {
namespace {

TEST(LatestSlot, OfWhatNobodyHasTakenTheNewestCounts) {
  LatestSlot<int> slot;
  EXPECT_EQ(slot.take(), std::nullopt);
  slot.put(1);
  slot.put(2);
  EXPECT_EQ(slot.take(), 2);
  EXPECT_EQ(slot.take(), std::nullopt);
}

TEST(LatestSlot, AChangeKeepsTheRestOfWhatWaits) {
  struct Wishes {
    int picture = 0, question = 0;
  };
  LatestSlot<Wishes> slot;
  slot.change([](Wishes& wishes) { wishes.picture = 1; });
  slot.change([](Wishes& wishes) { wishes.question = 2; });
  const std::optional<Wishes> taken = slot.take();
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->picture, 1);
  EXPECT_EQ(taken->question, 2);
  slot.change([](Wishes& wishes) { wishes.question = 3; });
  EXPECT_EQ(slot.take()->picture, 0) << "what was taken is gone";
}

TEST(LatestSlot, WaitingEndsWithAValueFromAnotherThread) {
  LatestSlot<int> slot;
  const std::jthread giver([&slot] { slot.put(7); });
  EXPECT_EQ(slot.wait(std::stop_token()), 7);
}

TEST(LatestSlot, WaitingEndsWithTheStop) {
  LatestSlot<int> slot;
  std::stop_source stop;
  const std::jthread stopper([&stop] { stop.request_stop(); });
  EXPECT_EQ(slot.wait(stop.get_token()), std::nullopt);
}

TEST(LatestSlot, WhatAStopFindsInItIsTakenAllTheSame) {
  LatestSlot<int> slot;
  std::stop_source stop;
  stop.request_stop();
  slot.put(7);
  EXPECT_EQ(slot.wait(stop.get_token()), 7);
}

/// Puts another value into the slot when it goes: with the lock held that would never end.
TEST(LatestSlot, WhatIsReplacedGoesOutsideOfTheLock) {
  LatestSlot<std::shared_ptr<int>> slot;
  slot.put(std::shared_ptr<int>(new int(1), [&slot](int* value) {
    delete value;
    EXPECT_EQ(*slot.take().value(), 2);
  }));
  slot.put(std::make_shared<int>(2));
  EXPECT_EQ(slot.take(), std::nullopt) << "the first has taken the second";
}

}  // namespace
}  // namespace slipstick
