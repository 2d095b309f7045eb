// Which CUDA devices this program can use, and if none, why. Compiles and answers with and without CUDA.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace slipstick::gpu {

struct DeviceInfo {
  std::string name;      ///< as the driver calls it: "NVIDIA H100 80GB HBM3"
  int computeMajor = 0;  ///< compute capability, 9.0 = major 9, minor 0
  int computeMinor = 0;
  int multiprocessors = 0;
  std::size_t memoryBytes = 0;  ///< total device memory [B]
};

/// Devices in the CUDA runtime's order; empty when there are none, see noDeviceReason(). Never fails, may
/// take a second on the first call (the driver starts).
std::vector<DeviceInfo> cudaDevices();

/// The kernels need compute capability 8.0.
inline constexpr int kOldestMajor = 8;

/// Index of the first of these devices that the kernels run on; none: on no one of them.
std::optional<int> usableDevice(const std::vector<DeviceInfo>& devices);

/// Why cudaDevices() is empty, with what to do, in one line; empty when it is not.
std::string noDeviceReason();

}  // namespace slipstick::gpu
