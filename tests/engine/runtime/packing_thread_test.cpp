#include "engine/runtime/packing_thread.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "engine/model/snapshot.h"

namespace slipstick {
namespace {

std::shared_ptr<const Snapshot> softStep(std::size_t particles, float speed = 1) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->particles.assign(particles, Eigen::Vector3f(1, 2, 3));
  for (auto* values : {&snapshot->speed, &snapshot->stress, &snapshot->pressure, &snapshot->plasticStrain})
    values->assign(particles, speed);
  return snapshot;
}

std::shared_ptr<const PackedSnapshot> waiting(std::size_t particles, float speed = 1) {
  return std::make_shared<const PackedSnapshot>(softStep(particles, speed));
}

TEST(PackingThread, PacksAStepWithoutAnotherOneToCome) {
  PackingThread packing;
  const auto step = waiting(1000);
  packing.add(step);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (step->isWaiting() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_FALSE(step->isWaiting());
}

TEST(PackingThread, AtMostTheNewestStepWaits) {
  PackingThread packing;
  std::vector<std::shared_ptr<const PackedSnapshot>> steps;
  for (std::size_t step = 0; step < 50; ++step) {
    steps.push_back(waiting(5000, static_cast<float>(step)));
    packing.add(steps.back());
    for (std::size_t before = 0; before < step; ++before) EXPECT_FALSE(steps[before]->isWaiting()) << step;
  }
  for (std::size_t step = 0; step < steps.size(); ++step)
    EXPECT_EQ(steps[step]->unpack()->speed[4999], static_cast<float>(step));
}

TEST(PackingThread, LetsGoOfTheSnapshotOnceItIsPacked) {
  PackingThread packing;
  std::weak_ptr<const Snapshot> seen;
  {
    const auto snapshot = softStep(1000);
    seen = snapshot;
    packing.add(std::make_shared<const PackedSnapshot>(snapshot));
  }
  packing.add(waiting(0));
  EXPECT_TRUE(seen.expired());
}

TEST(PackingThread, EndsWithAStepThatWaits) {
  std::shared_ptr<const PackedSnapshot> step = waiting(100'000);
  {
    PackingThread packing;
    packing.add(step);
  }
  EXPECT_EQ(step->unpack()->particles.size(), 100'000u);
}

}  // namespace
}  // namespace slipstick
