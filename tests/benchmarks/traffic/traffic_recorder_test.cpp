// What a kernel is said to move is what it moves. This file is compiled as kernel_traffic's backend is: it reports its
// accesses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/executor.h"
#include "tests/benchmarks/access_hooks.h"

namespace slipstick::gpu {
namespace {

/// y[i] = x[i] + y[i], twice.
struct AddTwice {
  static constexpr int kThreads = 32;
  const float* x;
  float* y;
  int n;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    for (int round = 0; round < 2; ++round) team.loop(n, [&](int i) { y[i] += x[i]; });
  }
};

/// Every eighth number, through memory that the team shares.
struct FillEighths {
  static constexpr int kThreads = 32;
  struct Shared {
    float x[kThreads];
  };
  float* x;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    Shared& shared = team.template shared<Shared>();
    team.each([&](int thread) { shared.x[thread] = 1; });
    team.each([&](int thread) { x[8 * thread] = shared.x[thread]; });
  }
};

class TrafficRecorderTest : public ::testing::Test {
 protected:
  TrafficRecorderTest() {
    setAccessRecorder(&recorder_);
    HostExecutor::Settings settings;
    settings.observer = &recorder_;
    executor_.configure(settings);
  }
  ~TrafficRecorderTest() override { setAccessRecorder(nullptr); }

  TrafficRecorder recorder_;
  HostExecutor executor_;
};

TEST_F(TrafficRecorderTest, ASectorCountsOnceInALaunchAnAccessEachTime) {
  constexpr int kCount = 80;
  DeviceArray<float> x(executor_), y(executor_);
  x.ensure(kCount);
  y.ensure(kCount);
  executor_.clear(x.data(), x.bytes());
  executor_.clear(y.data(), y.bytes());
  for (int launch = 0; launch < 3; ++launch) executor_.launch(AddTwice{x.data(), y.data(), kCount}, 1);
  const KernelTraffic& traffic = recorder_.kernels().at("AddTwice");
  EXPECT_EQ(traffic.launches, 3);
  EXPECT_EQ(traffic.barriers, 3 * 2);
  EXPECT_EQ(traffic.read, 3u * 2 * 4 * kCount);
  EXPECT_EQ(traffic.written, 3u * 4 * kCount);
  EXPECT_EQ(traffic.accessed, 3u * 2 * 3 * 4 * kCount);
}

TEST_F(TrafficRecorderTest, ScatteredNumbersCostWholeSectorsAndSharedMemoryNothing) {
  DeviceArray<float> x(executor_);
  x.ensure(8 * FillEighths::kThreads);
  executor_.launch(FillEighths{x.data()}, 1);
  const KernelTraffic& traffic = recorder_.kernels().at("FillEighths");
  EXPECT_EQ(traffic.read, 0u);
  EXPECT_EQ(traffic.written, 32u * FillEighths::kThreads);
  EXPECT_EQ(traffic.accessed, 4u * FillEighths::kThreads);
}

TEST_F(TrafficRecorderTest, MemoryThatWasGivenBackCountsNoMore) {
  const float* gone = nullptr;
  {
    DeviceArray<float> x(executor_);
    x.ensure(64);
    gone = x.data();
  }
  recorder_.launchBegins({[] { return std::string("kernel"); }, Scope::Block, 1, 32});
  recorder_.read(gone, 64);
  recorder_.launchEnds(0);
  EXPECT_EQ(recorder_.kernels().at("kernel").accessed, 0u);
}

TEST_F(TrafficRecorderTest, WhatALaunchHasWrittenItNeedNotRead) {
  DeviceArray<float> x(executor_);
  x.ensure(64);
  recorder_.launchBegins({[] { return std::string("kernel"); }, Scope::Block, 1, 32});
  recorder_.wrote(x.data(), 32);
  recorder_.read(x.data(), 64);
  recorder_.launchEnds(0);
  EXPECT_EQ(recorder_.kernels().at("kernel").read, 32u);
  EXPECT_EQ(recorder_.kernels().at("kernel").written, 32u);
}

}  // namespace
}  // namespace slipstick::gpu
