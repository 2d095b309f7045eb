#include "gpu/host_backend.h"

#include "gpu/device_backend.h"

namespace slipstick::gpu {

Result<std::unique_ptr<mpm::Backend>> makeHostBackend(std::shared_ptr<const Model> model,
                                                      std::unique_ptr<HostExecutor> executor,
                                                      Reproducibility reproducibility) {
  return std::unique_ptr<mpm::Backend>(
      std::make_unique<DeviceBackend<HostExecutor>>(std::move(model), std::move(executor), reproducibility));
}

}  // namespace slipstick::gpu
