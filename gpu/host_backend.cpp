#include "gpu/host_backend.h"

#include "gpu/device_backend.h"

namespace slipstick::gpu {

Result<std::unique_ptr<mpm::Backend>> makeHostBackend(std::shared_ptr<const Model> model,
                                                      std::unique_ptr<HostExecutor> executor) {
  return std::unique_ptr<mpm::Backend>(
      std::make_unique<DeviceBackend<HostExecutor>>(std::move(model), std::move(executor)));
}

}  // namespace slipstick::gpu
