// The MPM step on a CUDA device: `--backend cuda`.
#pragma once

#include <memory>

#include "engine/mpm/backend.h"
#include "gpu/reproducibility.h"

namespace slipstick::gpu {

/// On the first device. Errors: DeviceFailure, with what noDeviceReason() says.
Result<std::unique_ptr<mpm::Backend>> makeCudaBackend(std::shared_ptr<const Model> model,
                                                      Reproducibility reproducibility);

}  // namespace slipstick::gpu
