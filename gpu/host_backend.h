// The device's backend on this machine, for tests: `--backend cuda-host`.
#pragma once

#include <memory>

#include "engine/mpm/backend.h"
#include "gpu/host_executor.h"
#include "gpu/reproducibility.h"

namespace slipstick::gpu {

/// Runs every kernel of the CUDA backend on one thread of the CPU: slow. Errors: a scene that the backend cannot step.
Result<std::unique_ptr<mpm::Backend>> makeHostBackend(
    std::shared_ptr<const Model> model, const HostExecutor::Settings& settings = {},
    Reproducibility reproducibility = Reproducibility::RunToRun);

}  // namespace slipstick::gpu
