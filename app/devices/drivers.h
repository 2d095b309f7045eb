// Everything that can be plugged in, in one call.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/devices/network.h"
#include "engine/teleop/device.h"

namespace slipstick::app {

struct DeviceDrivers {
  std::vector<std::unique_ptr<DeviceDriver>>
      drivers;                                  ///< for a DeviceThread; none has looked for anything yet
  std::shared_ptr<const NetworkFacts> network;  ///< of the network driver; for any thread
};

/// Gamepads, 3D mice, and programs on the network.
/// @param newest  see Network
DeviceDrivers deviceDrivers(NetworkOptions network, std::function<DeviceFeedback()> newest);

}  // namespace slipstick::app
