#include "app/devices/drivers.h"

#include <utility>

#include "app/devices/gamepads.h"
#include "app/devices/space_mouse.h"

namespace slipstick::app {

DeviceDrivers deviceDrivers(NetworkOptions network, std::function<DeviceFeedback()> newest) {
  DeviceDrivers all;
  auto endpoint = std::make_unique<Network>(std::move(network), std::move(newest));
  all.network = endpoint->facts();
  all.drivers.push_back(std::make_unique<Gamepads>());
  all.drivers.push_back(std::make_unique<SpaceMice>());
  all.drivers.push_back(std::move(endpoint));
  return all;
}

}  // namespace slipstick::app
