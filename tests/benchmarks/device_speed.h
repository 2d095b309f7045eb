// How fast a device is at what every step needs, whatever the step computes.
#pragma once

#include <array>

#include "engine/foundation/result.h"
#include "gpu/team.h"

namespace slipstick::gpu {

struct DeviceSpeed {
  double launch = 0;  ///< of one kernel more in a graph, one that does nothing [s]
  double replay = 0;  ///< of a graph of one such kernel, until the host knows that it has run [s]
  // By Scope; of Grid, as many blocks as can meet.
  std::array<double, 3> barrier{};  ///< between two phases [s]
  std::array<double, 3> sums{};     ///< four sums, known to all [s]
  double copy = 0;                  ///< within device memory, bytes read and written [bytes/s]
};

/// Of the first device; an Error that says why there is none.
Result<DeviceSpeed> cudaSpeed();
/// The same by a HostExecutor, to try the code: says nothing about any device.
DeviceSpeed hostSpeed();

}  // namespace slipstick::gpu
