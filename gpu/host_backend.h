// The device's backend on this machine, for tests: `--backend cuda-host`.
#pragma once

#include <memory>

#include "engine/mpm/backend.h"
#include "gpu/host_executor.h"
#include "gpu/reproducibility.h"

namespace slipstick::gpu {

/// Runs every kernel of the CUDA backend on one thread of the CPU: slow. Throws DeviceError where the executor has
/// no memory for it.
Result<std::unique_ptr<mpm::Backend>> makeHostBackend(
    std::shared_ptr<const Model> model,
    std::unique_ptr<HostExecutor> executor = std::make_unique<HostExecutor>(),
    Reproducibility reproducibility = Reproducibility::RunToRun);

}  // namespace slipstick::gpu
