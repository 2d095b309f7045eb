// What an executor promises, on the host: the same kernels run on a device in executor_on_device_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "gpu/host_executor.h"
#include "tests/gpu/executor_cases.h"

namespace slipstick::gpu::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

HostExecutor::Settings seeded(std::uint64_t seed) {
  HostExecutor::Settings settings;
  settings.seed = seed;
  return settings;
}

Error errorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const DeviceError& failure) {
    return failure.error();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

/// In the order that every executor keeps: threads take turns, halves of a block, block after block.
double sumInOrder(const Numbers& x, int n, int blocks, int threads) {
  Numbers partial(static_cast<std::size_t>(blocks * threads));
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) partial[i % partial.size()] += x[i];
  double total = 0;
  for (std::size_t block = 0; block < partial.size(); block += static_cast<std::size_t>(threads)) {
    const auto first = partial.begin() + static_cast<std::ptrdiff_t>(block);
    for (int half = threads / 2; half > 0; half /= 2)
      std::transform(first, first + half, first + half, first, std::plus<>());
    total += *first;
  }
  return total;
}

TEST(HostExecutor, EveryCaseGivesTheSameForTenSeeds) {
  for (const ExecutorCase& c : executorCases<HostExecutor>()) {
    HostExecutor inOrder;
    const Numbers expected = c.run(inOrder);
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      HostExecutor executor(seeded(seed));
      EXPECT_EQ(c.run(executor), expected) << c.name << ", seed " << seed;
    }
  }
}

TEST(HostExecutor, ARaceShowsAsADifferenceBetweenSeeds) {
  HostExecutor first(seeded(1)), second(seeded(2));
  EXPECT_NE((neighbours<HostExecutor, RacingNeighbours>(first)),
            (neighbours<HostExecutor, RacingNeighbours>(second)));
}

TEST(HostExecutor, PhasesSeeWhatTheFormerOnesWrote) {
  HostExecutor executor(seeded(3));
  Numbers expected = counted(3 * Neighbours::kThreads);
  constexpr std::size_t kRing = Neighbours::kThreads;
  for (int round = 0; round < 5; ++round) {
    const Numbers before = expected;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::size_t first = i - i % kRing;
      expected[i] = before[first + (i + 1) % kRing] + before[first + (i + kRing - 1) % kRing];
    }
  }
  EXPECT_EQ((neighbours<HostExecutor, Neighbours>(executor)), expected);
}

TEST(HostExecutor, SumsHaveTheOrderOfHalvesAndBlocksAndReachEveryThread) {
  HostExecutor executor(seeded(4));
  const auto expectTold = [](const Numbers& told, int n, int blocks, int threads) {
    Numbers expected;
    for (unsigned k = 0; k < 3; ++k)
      expected.push_back(sumInOrder(mixedNumbers(n + 1, k + 1), n, blocks, threads));
    ASSERT_EQ(told.size() % 3, 0u);
    for (std::size_t i = 0; i < told.size(); ++i) ASSERT_EQ(told[i], expected[i % 3]) << i;
  };
  expectTold(sums<Scope::Block, 256>(executor, 2, 1000), 1000, 1, 256);
  expectTold(sums<Scope::Cluster, 128>(executor, 2, 5000), 5000, kClusterBlocks, 128);
  expectTold(sums<Scope::Grid, 128>(executor, 5, 5000), 5000, 5, 128);
  EXPECT_NE(sumInOrder(mixedNumbers(1001, 1), 1000, 1, 256), sumInOrder(mixedNumbers(1001, 1), 1000, 1, 1))
      << "the numbers do not tell orders apart";
}

TEST(HostExecutor, AGridLaunchHasNoMoreBlocksThanCanRun) {
  HostExecutor::Settings settings;
  settings.gridBlocks = 3;
  HostExecutor executor(settings);
  EXPECT_EQ(executor.gridBlocks(), 3);
  const Numbers told = sums<Scope::Grid, 128>(executor, 8, 1000);
  EXPECT_EQ(told[0], sumInOrder(mixedNumbers(1001, 1), 1000, 3, 128));
}

TEST(HostExecutor, UniformShowsEverybodyTheSameAndOwnLivesAcrossPhases) {
  HostExecutor executor(seeded(5));
  const std::size_t threads = Countdown<Scope::Block>::kThreads;
  const Numbers rounds = countdown<Scope::Block>(executor, 9);
  ASSERT_EQ(rounds.size(), 9 * threads);
  for (std::size_t i = 0; i < rounds.size(); ++i) EXPECT_EQ(rounds[i], 7 + i / threads);
  EXPECT_THAT(countdown<Scope::Grid>(executor, 4), ::testing::Each(7));
}

TEST(HostExecutor, ABlocksMemoryHoldsWhatItDeclares) {
  HostExecutor executor(seeded(6));
  Numbers reversed = mixedNumbers(LargeShared::kNumbers, 5);
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(largeShared(executor), reversed);
}

TEST(HostExecutor, ABlockMayHaveAllThereIs) {
  HostExecutor::Settings settings;
  for (const std::size_t kibibytes : {0, 4, 5, 99, 227}) {
    settings.blockSharedBytes = kibibytes << 10;
    HostExecutor executor(settings);
    const std::size_t left = sharedBytesOf<AllShared>(executor.blockSharedBytes());
    EXPECT_EQ(left, kibibytes < 5 ? 0 : (kibibytes << 10) - sumsSharedBytes(AllShared::kThreads));
    EXPECT_THAT(allShared(executor), ElementsAre(0, left > 0 ? 1 : 0)) << kibibytes;
  }
}

TEST(HostExecutor, AKernelThatNeedsMoreThanABlockMayHaveIsRefused) {
  HostExecutor::Settings settings;
  const std::size_t needed = sizeof(LargeShared::Shared) + sumsSharedBytes(LargeShared::kThreads);
  settings.blockSharedBytes = needed;
  HostExecutor enough(settings);
  largeShared(enough);
  EXPECT_EQ(enough.counts().launches, 1);
  settings.blockSharedBytes = needed - 1;
  HostExecutor less(settings);
  const Error error = errorOf([&] { largeShared(less); });
  EXPECT_THAT(error.where, HasSubstr("cuda-host, kernel "));
  EXPECT_THAT(error.where, HasSubstr("LargeShared"));
  EXPECT_THAT(error.what, HasSubstr(std::to_string(needed) + " bytes"));
  EXPECT_EQ(less.counts().launches, 0);
}

/// Writes one number too many.
struct Overrun {
  static constexpr int kThreads = 32;
  using Shared = int[8];

  template <class Team>
  void operator()(Team& team) const {
    auto& x = team.template shared<Shared>();
    team.loop(9, [&](int i) { x[i] = i; });
  }
};

TEST(HostExecutorDeathTest, WhoWritesBehindABlocksMemoryIsCaught) {
  HostExecutor executor;
  EXPECT_DEATH(executor.launch(Overrun{}, 1), "required: untouched");
}

TEST(HostExecutor, AtomicsAccumulateInAnyOrder) {
  HostExecutor executor(seeded(7));
  Numbers all = atomics(executor);
  const Numbers results(all.begin(), all.begin() + 7), places(all.begin() + 7, all.end());
  EXPECT_THAT(results, ElementsAre(640, 639, -639, 4294967295.0, std::ldexp(4294967295.0, 32),
                                   std::ldexp(639 * 640 / 2, 32), 319.5));
  EXPECT_THAT(places, ::testing::AllOf(::testing::SizeIs(640), ::testing::Each(1)));
}

TEST(HostExecutor, SortingIsStableAndLooksAtTheLowBitsOnly) {
  constexpr std::size_t kCount = 5000;
  for (const int bits : {64, 36, 8}) {
    HostExecutor executor;
    const Numbers all = sorted(executor, kCount, bits);
    const auto lowKey = [&](std::size_t i) {
      const std::uint64_t key =
          static_cast<std::uint64_t>(all[2 * i]) << 32 | static_cast<std::uint64_t>(all[2 * i + 1]);
      return bits == 64 ? key : key & ((std::uint64_t{1} << bits) - 1);
    };
    int equal = 0;
    for (std::size_t i = 1; i < kCount; ++i) {
      ASSERT_LE(lowKey(i - 1), lowKey(i));
      if (lowKey(i - 1) < lowKey(i)) continue;
      ++equal;
      ASSERT_LT(all[2 * kCount + i - 1], all[2 * kCount + i]);
    }
    EXPECT_GT(equal, 0) << "no keys were equal";
  }
}

TEST(HostExecutor, ScansStartAtZero) {
  HostExecutor executor;
  const Numbers all = scanned(executor, 6);  // of 0 1 4 4 1 0
  EXPECT_THAT(all, ElementsAre(0, 0, 1, 5, 9, 10, 0, 0, 1, 5, 9, 10));
}

TEST(HostExecutor, GraphsReplayWhatWasRecordedAndAreCountedAtEachReplay) {
  HostExecutor executor;
  const Numbers all = replayed(executor);
  ASSERT_EQ(all.size(), 18u);
  EXPECT_THAT(Numbers(all.begin(), all.begin() + 8), ElementsAre(0, 0, 0, 0, 0, 0, 0, 1))
      << "nothing ran yet";
  EXPECT_THAT(Numbers(all.begin() + 8, all.begin() + 14), ElementsAre(3, 7, 7, 7, 11, 7));
  // Each replay has two launches, an upload and a download; each sort four uploads and two downloads.
  EXPECT_THAT(Numbers(all.begin() + 14, all.end()), ElementsAre(6, 3 + 3 * 4, 3 + 3 * 2, 1));
}

/// Writes down what it is told, in short words.
struct Diary : HostObserver {
  std::vector<std::string> lines;
  void allocated(const void*, std::size_t bytes) override {
    lines.push_back("room " + std::to_string(bytes));
  }
  void released(const void*) override { lines.push_back("gone"); }
  void launchBegins(const HostLaunch& launch) override {
    lines.push_back(launch.name() + " of " + std::to_string(launch.teams) + " by " +
                    std::to_string(launch.threads));
  }
  void launchEnds(long barriers) override { lines.push_back(std::to_string(barriers) + " barriers"); }
  void moved(std::string_view operation, std::size_t read, std::size_t written) override {
    lines.push_back(std::string(operation) + " " + std::to_string(read) + " " + std::to_string(written));
  }
};

TEST(HostExecutor, AnObserverIsToldOfAllThatUsesDeviceMemory) {
  Diary diary;
  HostExecutor::Settings settings;
  settings.observer = &diary;
  HostExecutor executor(settings);
  {
    DeviceArray<double> x(executor);
    x.ensure(3 * Neighbours::kThreads);
    executor.clear(x.data(), x.bytes());
    executor.beginGraph();
    executor.launch(Neighbours{x.data(), 5}, 3);
    const int graph = executor.endGraph();
    executor.replay(graph);
  }
  const std::vector<std::string> expected = {"room 1536", "clear 0 1536", "Neighbours of 3 by 64",
                                             "12 barriers",  // 1 + 5 rounds of 2 + 1
                                             "gone"};
  EXPECT_EQ(diary.lines, expected);
}

TEST(HostExecutor, ASortIsToldAsTheBytesOfARadixSort) {
  Diary diary;
  HostExecutor::Settings settings;
  settings.observer = &diary;
  HostExecutor executor(settings);
  std::vector<std::uint64_t> keys(10, 1), sortedKeys(10);
  std::vector<int> values(10), sortedValues(10);
  executor.sortPairs(keys.data(), sortedKeys.data(), values.data(), sortedValues.data(), 10, 17);
  // 17 bits in three passes of 12 bytes a pair; 8 bytes a key to count them before.
  EXPECT_THAT(diary.lines, ElementsAre("sortPairs 440 360"));
}

TEST(HostExecutor, MemoryIsCountedAndFreedAndArraysGrow) {
  HostExecutor executor;
  {
    DeviceArray<double> x(executor);
    PinnedArray<double> pinned(executor);
    EXPECT_TRUE(x.ensure(10));
    EXPECT_FALSE(x.ensure(7));
    EXPECT_EQ(executor.counts().bytes, 80u);
    EXPECT_TRUE(x.ensure(20));
    EXPECT_TRUE(pinned.ensure(20));
    EXPECT_EQ(x.size(), 20u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data()) % 256, 0u);
    EXPECT_EQ(executor.counts().bytes, 160u) << "pinned memory is the host's";
    EXPECT_EQ(executor.counts().allocations, 3);
  }
  EXPECT_EQ(executor.counts().bytes, 0u);
}

TEST(HostExecutor, AnAllocationThatFailsSaysWhatToDoAndLosesNothing) {
  HostExecutor::Settings settings;
  settings.failingAllocation = 1;
  HostExecutor executor(settings);
  DeviceArray<double> x(executor), y(executor);
  x.ensure(4);
  const Error error = errorOf([&] { y.ensure(1000); });
  EXPECT_EQ(error.code, ErrorCode::DeviceFailure);
  EXPECT_EQ(error.what, "the device has no 8000 bytes of memory left");
  EXPECT_EQ(error.where, "cuda-host");
  EXPECT_THAT(error.remedy, HasSubstr("take fewer particles, or compute on the CPU (--backend cpu)"));
  EXPECT_EQ(y.size(), 0u);
  EXPECT_EQ(y.data(), nullptr);
  EXPECT_EQ(executor.counts().bytes, 32u);
  executor.wait();
}

TEST(HostExecutor, AnAllocationThatFailsWhileRecordingDropsTheRecording) {
  HostExecutor::Settings settings;
  settings.failingAllocation = 0;
  HostExecutor executor(settings);
  executor.beginGraph();
  errorOf([&] { executor.allocate(8); });
  executor.wait();
  executor.beginGraph();
  EXPECT_EQ(executor.endGraph(), 0);
}

TEST(HostExecutor, ADeviceThatIsLostIsReportedWithTheKernelAndRunsNoMore) {
  HostExecutor executor;
  DeviceArray<double> x = onDevice(executor, Numbers{1});
  HostExecutor::Settings settings;
  settings.losingLaunch = 2;
  executor.configure(settings);
  for (int launch = 0; launch < 4; ++launch) executor.launch(Double{x.data(), 1}, 1);
  const Error error = errorOf([&] { executor.wait(); });
  EXPECT_EQ(error.code, ErrorCode::DeviceFailure);
  EXPECT_EQ(error.what, "the device was lost");
  EXPECT_EQ(error.where, "cuda-host, kernel Double");
  EXPECT_EQ(error.remedy, "compute on the CPU (--backend cpu)");
  EXPECT_EQ(x.data()[0], 7);
  EXPECT_EQ(executor.counts().launches, 2);
}

TEST(KernelName, HasNoNamespaces) {
  EXPECT_EQ(kernelName<Double>(), "Double");
  EXPECT_EQ((kernelName<SumsOf<Scope::Block, 32>>()), "SumsOf<(Scope)0, 32>");
}

}  // namespace
}  // namespace slipstick::gpu::testing
