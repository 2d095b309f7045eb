// What executors are asked to do, and what comes out: once for the host, once for the device.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/gpu/executor_kernels.h"

namespace slipstick::gpu::testing {

using Numbers = std::vector<double>;

/// An array of `values` on the device.
template <class T>
DeviceArray<T> onDevice(Executor& executor, const std::vector<T>& values) {
  DeviceArray<T> array(executor);
  PinnedArray<T> pinned(executor);
  array.ensure(values.size());
  pinned.ensure(values.size());
  std::copy(values.begin(), values.end(), pinned.data());
  executor.upload(array.data(), pinned.data(), array.bytes());
  executor.wait();
  return array;
}

template <class T>
std::vector<T> onHost(Executor& executor, const DeviceArray<T>& array) {
  PinnedArray<T> pinned(executor);
  pinned.ensure(array.size());
  executor.download(pinned.data(), array.data(), array.bytes());
  executor.wait();
  return {pinned.data(), pinned.data() + array.size()};
}

/// Of many magnitudes, and all bits in use: their sum depends on the order.
inline Numbers mixedNumbers(int count, unsigned seed) {
  std::mt19937 random(seed);
  Numbers x(static_cast<std::size_t>(count));
  for (double& value : x)
    value =
        std::ldexp((static_cast<double>(random()) - 2147483648.0) / 3, static_cast<int>(random() % 20) - 40);
  return x;
}

inline Numbers counted(int count) {
  Numbers x(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * i % 17);
  return x;
}

template <class E, class Kernel>
Numbers neighbours(E& executor) {
  DeviceArray<double> x = onDevice(executor, counted(3 * Kernel::kThreads));
  executor.launch(Kernel{x.data(), 5}, 3);
  return onHost(executor, x);
}

/// @param teams  of Scope::Grid: blocks
template <Scope kScope, int kThreads, class E>
Numbers sums(E& executor, int teams, int n) {
  DeviceArray<double> x = onDevice(executor, mixedNumbers(n + 1, 1)),
                      y = onDevice(executor, mixedNumbers(n + 1, 2));
  DeviceArray<double> z = onDevice(executor, mixedNumbers(n + 1, 3));
  const int threads = teams * kThreads * (kScope == Scope::Cluster ? kClusterBlocks : 1);
  DeviceArray<double> told = onDevice(executor, Numbers(static_cast<std::size_t>(3 * threads)));
  executor.launch(SumsOf<kScope, kThreads>{x.data(), y.data(), z.data(), n, told.data()}, teams);
  return onHost(executor, told);
}

template <class E>
Numbers fiveSums(E& executor) {
  DeviceArray<double> x = onDevice(executor, mixedNumbers(1000, 4)), told = onDevice(executor, Numbers(5));
  executor.launch(FiveSums{x.data(), 1000, told.data()}, 1);
  return onHost(executor, told);
}

/// How often each thread of `teams` teams went round, which is 7 and one more per team.
template <Scope kScope, class E>
Numbers countdown(E& executor, int teams) {
  const int counts = kScope == Scope::Grid ? 1 : teams;
  std::vector<int> left;
  for (int team = 0; team < counts; ++team) left.push_back(7 + team);
  DeviceArray<int> leftThere = onDevice(executor, left);
  const int blocks = teams * (kScope == Scope::Cluster ? kClusterBlocks : 1);
  DeviceArray<double> rounds =
      onDevice(executor, Numbers(static_cast<std::size_t>(blocks * Countdown<kScope>::kThreads)));
  executor.launch(Countdown<kScope>{leftThere.data(), rounds.data()}, teams);
  return onHost(executor, rounds);
}

template <class E>
Numbers largeShared(E& executor) {
  Numbers x = mixedNumbers(LargeShared::kNumbers, 5);
  DeviceArray<double> there = onDevice(executor, x);
  executor.launch(LargeShared{there.data()}, 1);
  return onHost(executor, there);
}

/// How many of the numbers that fill a block's memory get lost; then 1, for there were some.
template <class E>
Numbers allShared(E& executor) {
  const auto numbers = static_cast<int>(sharedBytesOf<AllShared>(executor.blockSharedBytes()) / sizeof(int));
  DeviceArray<double> lost = onDevice(executor, Numbers{-1});
  executor.launch(AllShared{numbers, lost.data()}, 1);
  return {onHost(executor, lost)[0], numbers > 0 ? 1.0 : 0.0};
}

/// AtomicResults, member by member, of 5 teams; then how often each place was handed out.
template <class E>
Numbers atomics(E& executor) {
  DeviceArray<AtomicResults> to = onDevice(executor, std::vector<AtomicResults>(1));
  DeviceArray<int> places = onDevice(executor, std::vector<int>(5 * Atomics::kThreads));
  executor.launch(Atomics{to.data(), places.data()}, 5);
  const AtomicResults r = onHost(executor, to).front();
  Numbers all{static_cast<double>(r.count),
              static_cast<double>(r.largest),
              static_cast<double>(r.smallest),
              static_cast<double>(r.bits),
              std::ldexp(static_cast<double>(r.longBits >> 32), 32),
              static_cast<double>(r.longSum),
              static_cast<double>(r.largestFloat)};
  for (const int handedOut : onHost(executor, places)) all.push_back(handedOut);
  return all;
}

/// The sorted keys' halves, and the values, which are where the keys stood. Many are equal in their low `bits`.
inline Numbers sorted(Executor& executor, int count, int bits) {
  std::mt19937_64 random(6);
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(count));
  std::vector<int> places(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = random() & 0xf00000ff000000ffu;
    places[i] = static_cast<int>(i);
  }
  DeviceArray<std::uint64_t> in = onDevice(executor, keys), out = onDevice(executor, keys);
  DeviceArray<int> from = onDevice(executor, places),
                   to = onDevice(executor, std::vector<int>(places.size()));
  executor.sortPairs(in.data(), out.data(), from.data(), to.data(), count, bits);
  Numbers all;
  for (const std::uint64_t key : onHost(executor, out)) {
    all.push_back(static_cast<double>(key >> 32));
    all.push_back(static_cast<double>(key & 0xffffffffu));
  }
  for (const int place : onHost(executor, to)) all.push_back(place);
  return all;
}

/// Into another array, then in place.
inline Numbers scanned(Executor& executor, int count) {
  std::vector<int> x(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * i % 5);
  DeviceArray<int> in = onDevice(executor, x), out = onDevice(executor, x);
  executor.exclusiveScan(in.data(), out.data(), count);
  executor.exclusiveScan(in.data(), in.data(), count);
  Numbers all;
  for (const int sum : onHost(executor, out)) all.push_back(sum);
  for (const int sum : onHost(executor, in)) all.push_back(sum);
  return all;
}

/// A recorded upload, two kernels, a scan and a download, replayed three times, with a larger sort in between.
/// The numbers that came down, between what was counted at first, before the first replay and after the last:
/// launches, uploads, downloads, graphs. For a new executor.
template <class E>
Numbers replayed(E& executor) {
  constexpr int kCount = 100;
  const auto counts = [&] {
    const ExecutorCounts& c = executor.counts();
    return Numbers{static_cast<double>(c.launches), static_cast<double>(c.uploads),
                   static_cast<double>(c.downloads), static_cast<double>(c.graphs)};
  };
  Numbers all = counts();
  DeviceArray<double> x(executor);
  DeviceArray<int> scan(executor);
  PinnedArray<double> up(executor), down(executor);
  x.ensure(kCount);
  up.ensure(kCount);
  down.ensure(kCount);
  scan.ensure(kCount);
  std::fill(up.data(), up.data() + kCount, 1.0);
  executor.beginGraph();
  executor.upload(x.data(), up.data(), x.bytes());
  executor.launch(Double{x.data(), kCount}, 1);
  executor.launch(Double{x.data(), kCount}, 1);
  executor.clear(scan.data(), scan.bytes());
  executor.exclusiveScan(scan.data(), scan.data(), kCount);
  executor.download(down.data(), x.data(), x.bytes());
  const int graph = executor.endGraph();
  const Numbers before = counts();
  all.insert(all.end(), before.begin(), before.end());
  for (int turn = 0; turn < 3; ++turn) {
    up[0] = turn;
    executor.replay(graph);
    executor.wait();
    all.insert(all.end(), {down[0], down[kCount - 1]});
    sorted(executor, 4000 * (turn + 1), 64);  // asks for more room than the graph has named
  }
  const Numbers after = counts();
  all.insert(all.end(), after.begin(), after.end());
  executor.dropGraphs();
  return all;
}

/// One thing that an executor does, with a name for messages.
struct ExecutorCase {
  const char* name;
  Numbers (*run)(Executor&);
};

/// Those whose results are the same on all executors. E is the executors' type.
template <class E>
std::vector<ExecutorCase> executorCases() {
#define SLIPSTICK_CASE(...)                                                             \
  {                                                                                     \
#__VA_ARGS__, [](Executor& any) { auto& e = static_cast<E&>(any); return __VA_ARGS__; } \
  }
  return {
      SLIPSTICK_CASE(neighbours<E, Neighbours>(e)),
      SLIPSTICK_CASE(sums<Scope::Block, 16>(e, 3, 1000)),
      SLIPSTICK_CASE(sums<Scope::Block, 32>(e, 3, 1000)),
      SLIPSTICK_CASE(sums<Scope::Block, 64>(e, 3, 1000)),
      SLIPSTICK_CASE(sums<Scope::Block, 256>(e, 3, 1000)),
      SLIPSTICK_CASE(sums<Scope::Block, 1024>(e, 1, 5000)),
      SLIPSTICK_CASE(sums<Scope::Block, 256>(e, 1, 0)),
      SLIPSTICK_CASE(sums<Scope::Block, 256>(e, 1, 7)),
      SLIPSTICK_CASE(sums<Scope::Cluster, 128>(e, 1, 5000)),
      SLIPSTICK_CASE(sums<Scope::Cluster, 32>(e, 20, 1000)),
      SLIPSTICK_CASE(sums<Scope::Grid, 128>(e, 5, 5000)),
      SLIPSTICK_CASE(sums<Scope::Grid, 128>(e, 1, 5)),
      SLIPSTICK_CASE(fiveSums(e)),
      SLIPSTICK_CASE(countdown<Scope::Block>(e, 9)),
      SLIPSTICK_CASE(countdown<Scope::Cluster>(e, 2)),
      SLIPSTICK_CASE(countdown<Scope::Grid>(e, 4)),
      SLIPSTICK_CASE(largeShared(e)),
      SLIPSTICK_CASE(allShared(e)),
      SLIPSTICK_CASE(atomics(e)),
      SLIPSTICK_CASE(sorted(e, 5000, 64)),
      SLIPSTICK_CASE(sorted(e, 5000, 36)),
      SLIPSTICK_CASE(sorted(e, 1, 8)),
      SLIPSTICK_CASE(scanned(e, 3000)),
      SLIPSTICK_CASE(scanned(e, 1)),
      SLIPSTICK_CASE(replayed(e)),
  };
#undef SLIPSTICK_CASE
}

}  // namespace slipstick::gpu::testing
