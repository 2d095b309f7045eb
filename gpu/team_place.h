// Where the blocks of a team meet in device memory.
#pragma once

namespace slipstick::gpu {

/// Most sums that a kernel forms together.
inline constexpr int kMostSums = 16;

/// Lets blocks wait for each other; all must be resident. All bytes 0 before it is used first.
struct DeviceBarrier {
  unsigned arrivals, round;
};

/// What a launch hands to its teams.
struct TeamPlace {
  int firstTeam, teams;     ///< the first of this part of the launch; all of the launch
  DeviceBarrier* barriers;  ///< one per team of the part
  double* partials;         ///< 2 × blocks of the part × kMostSums
};

}  // namespace slipstick::gpu
