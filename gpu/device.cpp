#include "gpu/device.h"

#include <algorithm>

namespace slipstick::gpu {

std::optional<int> usableDevice(const std::vector<DeviceInfo>& devices) {
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [](const DeviceInfo& d) { return d.computeMajor >= kOldestMajor; });
  if (found == devices.end()) return std::nullopt;
  return static_cast<int>(found - devices.begin());
}

}  // namespace slipstick::gpu
