// Small kernels that use everything that a Team offers, and nothing that rounds differently on a device: results
// are compared bit by bit.
#pragma once

#include <cstdint>

#include "gpu/atomics.h"
#include "gpu/executor.h"

namespace slipstick::gpu::testing {

/// Each of a ring of numbers becomes the sum of its neighbours, over and over.
struct Neighbours {
  static constexpr int kThreads = 64;
  struct Shared {
    double x[kThreads];
  };
  double* x;
  int rounds;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    Shared& shared = team.template shared<Shared>();
    typename Team::template Own<double> mine(team);
    double* const own = x + team.index() * kThreads;
    team.each([&](int t) { shared.x[t] = own[t]; });
    for (int round = 0; round < rounds; ++round) {
      team.each(
          [&](int t) { mine[t] = shared.x[(t + 1) % kThreads] + shared.x[(t + kThreads - 1) % kThreads]; });
      team.each([&](int t) { shared.x[t] = mine[t]; });
    }
    team.each([&](int t) { own[t] = shared.x[t]; });
  }
};

/// The same in one phase, which is wrong: a neighbour may have gone on already.
struct RacingNeighbours {
  static constexpr int kThreads = Neighbours::kThreads;
  double* x;
  int rounds;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    double* const own = x + team.index() * kThreads;
    for (int round = 0; round < rounds; ++round)
      team.each([&](int t) { own[t] = own[(t + 1) % kThreads] + own[(t + kThreads - 1) % kThreads]; });
  }
};

/// Three sums of each team; every thread writes what it was told.
template <Scope kOver, int kSize>
struct SumsOf {
  static constexpr int kThreads = kSize;
  static constexpr Scope kScope = kOver;
  const double *x, *y, *z;
  int n;
  double* told;  ///< 3 per thread of all teams

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    // Twice, for the second uses the same memory as the first.
    const Sums<1> before = team.template sums<1>(n, [&](int i) { return Sums<1>{{x[i]}}; });
    const Sums<3> sums = team.template sums<3>(n, [&](int i) { return Sums<3>{{x[i], y[i], z[i]}}; });
    double* const own = told + team.index() * team.size() * 3;
    team.each([&](int t) {
      own[3 * t] = before.value[0];
      own[3 * t + 1] = sums.value[1];
      own[3 * t + 2] = sums.value[2];
    });
  }
};

/// More sums at once than are formed together.
struct FiveSums {
  static constexpr int kThreads = 128;
  const double* x;
  int n;
  double* told;  ///< 5

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    const auto at = [&](int i) { return x[i < n ? i : i - n]; };
    const Sums<5> sums = team.template sums<5>(n, [&](int i) {
      return Sums<5>{{at(i), at(i + 1), at(i + 2), at(i + 3), at(i + 4)}};
    });
    team.each([&](int t) {
      if (t > 0) return;
      for (int k = 0; k < 5; ++k) told[k] = sums.value[k];
    });
  }
};

/// Counts down a number that all threads look at: whoever is slow must not see the next one's.
template <Scope kOver>
struct Countdown {
  static constexpr int kThreads = 32;
  static constexpr Scope kScope = kOver;
  int* left;       ///< one per team
  double* rounds;  ///< one per thread: how often it went round

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    typename Team::template Own<int> mine(team);
    while (team.uniform(left + team.index()) > 0)
      team.each([&](int t) {
        ++mine[t];
        if (t == 0) --left[team.index()];
      });
    team.each([&](int t) { rounds[team.index() * team.size() + t] = mine[t]; });
  }
};

/// Reverses `kNumbers` numbers in memory that a block has only when it is allowed to.
struct LargeShared {
  static constexpr int kThreads = 256, kNumbers = 12'000;
  struct Shared {
    double x[kNumbers];  // 96 kB
  };
  double* x;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    Shared& shared = team.template shared<Shared>();
    team.loop(kNumbers, [&](int i) { shared.x[i] = x[i]; });
    team.loop(kNumbers, [&](int i) { x[i] = shared.x[kNumbers - 1 - i]; });
  }
};

/// Fills all the memory that a block may have, and looks whether it is still there after sums were formed.
struct AllShared {
  static constexpr int kThreads = 256;
  using Shared = int[];
  int numbers;
  double* lost;  ///< how many of them

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    int* const x = team.template shared<Shared>();
    team.loop(numbers, [&](int i) { x[i] = 3 * i; });
    for (int turn = 0; turn < 2; ++turn) {
      const Sums<1> kept =
          team.template sums<1>(numbers, [&](int i) { return Sums<1>{{x[i] == 3 * i ? 1.0 : 0.0}}; });
      team.each([&](int t) {
        if (t == 0) *lost = numbers - kept.value[0];
      });
    }
  }
};

struct AtomicResults {
  int count, largest, smallest;
  std::uint32_t bits;
  std::uint64_t longBits, longSum;
  float largestFloat;
};

struct Atomics {
  static constexpr int kThreads = 128;
  AtomicResults* to;
  int* places;  ///< 0 each, one per thread of all teams

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    team.each([&](int t) {
      const int i = team.index() * kThreads + t;
      fetchAdd(places + fetchAdd(&to->count, 1), 1);
      raiseTo(&to->largest, i);
      lowerTo(&to->smallest, -i);
      raiseTo(&to->largestFloat, 0.5f * static_cast<float>(i));
      setBits(&to->bits, std::uint32_t{1} << (i % 32));
      setBits(&to->longBits, std::uint64_t{1} << (i % 64));
      addTo(&to->longSum, static_cast<std::uint64_t>(i) << 32);
    });
  }
};

/// x ← 2 x + 1.
struct Double {
  static constexpr int kThreads = 32;
  double* x;
  int n;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    team.loop(n, [&](int i) { x[i] = 2 * x[i] + 1; });
  }
};

}  // namespace slipstick::gpu::testing
