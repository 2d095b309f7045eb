// How DeviceSpeed is measured, on any executor.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

#include "gpu/executor.h"
#include "tests/benchmarks/device_speed.h"

namespace slipstick::gpu {

struct Nothing {
  static constexpr int kThreads = 32;
  template <class Team>
  SIM_HD void operator()(Team&) const {}
};

template <Scope kOver>
struct MeetOften {
  static constexpr int kThreads = 256;
  static constexpr Scope kScope = kOver;
  int rounds;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    for (int round = 0; round < rounds; ++round) team.each([](int) {});
  }
};

template <Scope kOver>
struct SumOften {
  static constexpr int kThreads = 256;
  static constexpr Scope kScope = kOver;
  double* total;  ///< 1
  int rounds;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    double sum = 0;
    for (int round = 0; round < rounds; ++round) {
      // Each round depends on the one before, as in a solver.
      const auto ones = [&](int) { return Sums<4>{{1, 1, 1, sum}}; };
      sum = 1e-9 * team.template sums<4>(team.size(), ones).value[3] + 1;
    }
    team.each([&](int thread) {
      if (thread == 0) *total = sum;
    });
  }
};

/// Records what `record` asks for. @return how long a replay takes until the host knows, the best of several [s]
template <class Exec, class Record>
double replayTime(Exec& executor, const Record& record) {
  using Clock = std::chrono::steady_clock;
  constexpr int kRounds = 8;
  executor.beginGraph();
  record();
  const int graph = executor.endGraph();
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kRounds; ++round) {
    const Clock::time_point start = Clock::now();
    executor.replay(graph);
    executor.wait();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

template <Scope kOver, class Exec>
void measureMeetings(Exec& executor, DeviceSpeed& speed) {
  constexpr int kRounds = 1000;
  const int teams = kOver == Scope::Grid ? executor.gridBlocks() : 1;
  DeviceArray<double> total(executor);
  total.ensure(1);
  const auto meeting = [&](int rounds) {
    return replayTime(executor, [&] { executor.launch(MeetOften<kOver>{rounds}, teams); });
  };
  const auto summing = [&](int rounds) {
    return replayTime(executor, [&] { executor.launch(SumOften<kOver>{total.data(), rounds}, teams); });
  };
  const auto over = static_cast<std::size_t>(kOver);
  speed.barrier[over] = (meeting(1 + kRounds) - meeting(1)) / kRounds;
  speed.sums[over] = (summing(1 + kRounds) - summing(1)) / kRounds;
}

/// @param copied  in one copy, more than caches hold [bytes]
template <class Exec>
DeviceSpeed measureSpeed(Exec& executor, std::size_t copied) {
  constexpr int kLaunches = 1000, kCopies = 10;
  DeviceSpeed speed;
  const auto launches = [&](int count) {
    return replayTime(executor, [&] {
      for (int i = 0; i < count; ++i) executor.launch(Nothing(), 1);
    });
  };
  speed.replay = launches(1);
  speed.launch = (launches(1 + kLaunches) - speed.replay) / kLaunches;
  measureMeetings<Scope::Block>(executor, speed);
  measureMeetings<Scope::Cluster>(executor, speed);
  measureMeetings<Scope::Grid>(executor, speed);
  DeviceArray<std::byte> from(executor), to(executor);
  from.ensure(copied);
  to.ensure(copied);
  const double seconds = replayTime(executor, [&] {
    for (int i = 0; i < kCopies; ++i) executor.copy(to.data(), from.data(), copied);
  });
  speed.copy = 2.0 * kCopies * static_cast<double>(copied) / seconds;
  executor.dropGraphs();
  return speed;
}

}  // namespace slipstick::gpu
