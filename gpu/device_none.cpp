#include "gpu/device.h"

namespace slipstick::gpu {

std::vector<DeviceInfo> cudaDevices() {
  return {};
}

std::string noDeviceReason() {
  return "built without CUDA; configure with -DSLIPSTICK_CUDA=ON (preset cuda) to use a GPU";
}

}  // namespace slipstick::gpu
