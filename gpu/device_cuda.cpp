#include <cuda_runtime_api.h>

#include "gpu/device.h"

namespace slipstick::gpu {
namespace {

std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// The runtime remembers an error until it is read; a later check must not find this one.
cudaError_t deviceCount(int& count) {
  count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) {
    count = 0;
    static_cast<void>(cudaGetLastError());
  }
  return status;
}

}  // namespace

std::vector<DeviceInfo> cudaDevices() {
  int count = 0;
  static_cast<void>(deviceCount(count));
  std::vector<DeviceInfo> devices;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      continue;  // lost between the two calls
    }
    devices.push_back({properties.name, properties.major, properties.minor, properties.multiProcessorCount,
                       properties.totalGlobalMem});
  }
  return devices;
}

std::string noDeviceReason() {
  if (!cudaDevices().empty()) return {};
  int driver = 0;
  static_cast<void>(cudaDriverGetVersion(&driver));
  static_cast<void>(cudaGetLastError());
  if (driver == 0) return "no CUDA driver found; install the NVIDIA driver";
  if (driver < CUDART_VERSION)
    return "driver too old: it supports CUDA " + versionText(driver) + ", this program needs " +
           versionText(CUDART_VERSION) + "; update the NVIDIA driver";
  int count = 0;
  const cudaError_t status = deviceCount(count);
  if (status == cudaSuccess || status == cudaErrorNoDevice)
    return "the driver shows no CUDA device; check CUDA_VISIBLE_DEVICES";
  return std::string("the CUDA runtime answers: ") + cudaGetErrorString(status) +
         "; check the driver with nvidia-smi";
}

}  // namespace slipstick::gpu
