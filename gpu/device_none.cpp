#include "gpu/device.h"

namespace slipstick::gpu {

std::vector<DeviceInfo> cudaDevices() {
  return {};
}

std::string noDeviceReason() {
  return "built without CUDA; install nvcc 12.4 or newer and build again to use a GPU";
}

}  // namespace slipstick::gpu
