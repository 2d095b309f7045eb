#include "gpu/cuda_backend.h"

#include "gpu/cuda_executor.h"
#include "gpu/cuda_launch.h"
#include "gpu/device_backend.h"

namespace slipstick::gpu {

Result<std::unique_ptr<mpm::Backend>> makeCudaBackend(std::shared_ptr<const Model> model,
                                                      Reproducibility reproducibility) {
  Result<std::unique_ptr<CudaExecutor>> executor = makeCudaExecutor();
  if (!executor) return executor.error();
  return std::unique_ptr<mpm::Backend>(
      std::make_unique<DeviceBackend<CudaExecutor>>(std::move(model), std::move(*executor), reproducibility));
}

}  // namespace slipstick::gpu
