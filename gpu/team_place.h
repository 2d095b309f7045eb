// Where the blocks of a team meet in device memory.
#pragma once

#include <cstddef>

namespace slipstick::gpu {

/// Most sums that a kernel forms together.
inline constexpr int kMaxSums = 16;

/// Those that a block of several warps forms at once: few, for the sake of its shared memory.
constexpr int sumsAtOnce(int threads) {
  return threads > 256 ? 2 : 4;
}
/// Shared memory that the sums of a block of several warps take [B]: each of them half a block's numbers; and their
/// totals.
constexpr std::size_t sumsSharedBytes(int threads) {
  return static_cast<std::size_t>(sumsAtOnce(threads) * (threads / 2) + kMaxSums) * sizeof(double);
}

/// Lets blocks wait for each other; all must be resident. All bytes 0 before it is used first.
struct DeviceBarrier {
  unsigned arrivals, round;
};

/// What a launch hands to its teams.
struct TeamPlace {
  int firstTeam, teams;     ///< the first of this part of the launch; all of the launch
  DeviceBarrier* barriers;  ///< one per team of the part
  double* partials;         ///< 2 × blocks of the part × kMaxSums
};

}  // namespace slipstick::gpu
