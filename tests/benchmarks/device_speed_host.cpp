#include "gpu/host_executor.h"
#include "tests/benchmarks/device_speed_kernels.h"

namespace slipstick::gpu {

DeviceSpeed hostSpeed() {
  constexpr std::size_t kCopied = std::size_t{1} << 24;
  HostExecutor executor;
  return measureSpeed(executor, kCopied);
}

}  // namespace slipstick::gpu
