#include "engine/runtime/snapshot_pool.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "engine/foundation/latest_slot.h"
#include "engine/model/method_rows.h"
#include "engine/model/model.h"
#include "tests/support/allocation_count.h"
#include "tests/support/failing_allocation.h"

namespace slipstick {
namespace {

/// One that has served.
std::shared_ptr<Snapshot> used(SnapshotPool& pool, std::size_t particles = 1000) {
  std::shared_ptr<Snapshot> snapshot = pool.take();
  snapshot->particles.resize(particles);
  return snapshot;
}

TEST(SnapshotPool, WhatNobodyHoldsServesAgainWithoutAnAllocation) {
  SnapshotPool pool;
  const Eigen::Vector3f* const memory = used(pool)->particles.data();
  const std::size_t before = testing::allocationCount();
  for (int step = 0; step < 10; ++step) {
    const std::shared_ptr<Snapshot> snapshot = pool.take();
    snapshot->particles.resize(1000);
    EXPECT_EQ(snapshot->particles.data(), memory);
  }
  EXPECT_EQ(testing::allocationCount(), before);
}

TEST(SnapshotPool, WhatSomebodyHoldsIsLeftAlone) {
  SnapshotPool pool;
  const std::shared_ptr<Snapshot> held = used(pool);
  for (int step = 0; step < 3; ++step) EXPECT_NE(pool.take(), held);
  std::weak_ptr<const Snapshot> seen = held;
  EXPECT_EQ(seen.lock(), held);
}

/// Neither a scene that was edited nor a device's memory waits for the next step.
TEST(SnapshotPool, LetsGoOfTheModelAndTheDeviceAtOnce) {
  SnapshotPool pool;
  const auto model = std::make_shared<const Model>();
  const auto rows = std::make_shared<const MethodRows>();
  {
    const std::shared_ptr<Snapshot> snapshot = pool.take();
    snapshot->model = model;
    snapshot->own = rows;
  }
  EXPECT_EQ(model.use_count(), 1);
  EXPECT_EQ(rows.use_count(), 1);
  EXPECT_EQ(pool.take()->model, nullptr);
}

TEST(SnapshotPool, KeepsOneAtMost) {
  SnapshotPool pool;
  { const auto first = used(pool), second = used(pool), third = used(pool); }
  const auto again = pool.take(), fresh = pool.take();
  EXPECT_EQ(again->particles.size(), 1000u);
  EXPECT_TRUE(fresh->particles.empty());
}

TEST(SnapshotPool, SnapshotsOutliveIt) {
  auto pool = std::make_unique<SnapshotPool>();
  const std::shared_ptr<Snapshot> snapshot = used(*pool);
  pool.reset();
  EXPECT_EQ(snapshot->particles.size(), 1000u);
}

TEST(SnapshotPool, WithoutMemoryItHasNoneToGiveUntilThereIsSome) {
  if (!testing::FailingAllocation::kIsPossible) GTEST_SKIP() << "no allocation can be made to fail here";
  SnapshotPool pool;
  for (const std::size_t n : {0, 1}) {  // its shelf, and the snapshot
    const testing::FailingAllocation failing(n);
    EXPECT_THROW(pool.take(), std::bad_alloc);
  }
  EXPECT_NE(pool.take(), nullptr);
}

/// A window lets go of the steps that it was given: what it reads is whole, whenever that is.
TEST(SnapshotPool, OthersLetGoOnThreadsOfTheirOwn) {
  constexpr std::uint64_t kSteps = 2000;
  SnapshotPool pool;
  LatestSlot<std::shared_ptr<const Snapshot>> newest;
  std::jthread window([&](const std::stop_token& stop) {
    while (const std::optional<std::shared_ptr<const Snapshot>> seen = newest.wait(stop))
      for (const float speed : (*seen)->speed) ASSERT_EQ(speed, static_cast<float>((*seen)->step));
  });
  for (std::uint64_t step = 1; step <= kSteps; ++step) {
    std::shared_ptr<Snapshot> snapshot = pool.take();
    snapshot->step = step;
    snapshot->speed.assign(64, static_cast<float>(step));
    newest.put(std::move(snapshot));
  }
}

}  // namespace
}  // namespace slipstick
