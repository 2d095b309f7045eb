#include "gpu/cuda_launch.h"
#include "tests/benchmarks/device_speed_kernels.h"

namespace slipstick::gpu {

Result<DeviceSpeed> cudaSpeed() {
  constexpr std::size_t kCopied = std::size_t{1} << 30;
  const Result<std::unique_ptr<CudaExecutor>> executor = makeCudaExecutor();
  if (!executor) return executor.error();
  try {
    return measureSpeed(**executor, kCopied);
  } catch (const DeviceError& failure) {
    return failure.error();
  }
}

}  // namespace slipstick::gpu
