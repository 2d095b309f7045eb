#include "gpu/cuda_backend.h"
#include "gpu/device.h"

namespace slipstick::gpu {

Result<std::unique_ptr<mpm::Backend>> makeCudaBackend(std::shared_ptr<const Model>, Reproducibility) {
  return Error{ErrorCode::DeviceFailure, noDeviceReason(), "cuda", "use --backend cpu"};
}

}  // namespace slipstick::gpu
