#include "gpu/device.h"
#include "tests/benchmarks/device_speed.h"

namespace slipstick::gpu {

Result<DeviceSpeed> cudaSpeed() {
  return Error{ErrorCode::DeviceFailure, noDeviceReason(), "cuda", "use --backend cuda-host"};
}

}  // namespace slipstick::gpu
