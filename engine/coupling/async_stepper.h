// The asynchronously coupled step of Yu 2025: N MPM substeps against the rigid velocities of t_n, then one
// rigid solve.
#pragma once

#include <memory>

#include "engine/coupling/stepper.h"
#include "engine/mpm/backend.h"

namespace slipstick {

/// @param backend  runs the substeps; null for a scene without particles
std::unique_ptr<Stepper> makeAsyncStepper(std::shared_ptr<const Model> model,
                                          std::unique_ptr<mpm::Backend> backend);

/// The backend that the options name, or null for a scene without particles. "auto" is the fastest one of
/// this build.
Result<std::unique_ptr<mpm::Backend>> makeBackend(const std::shared_ptr<const Model>& model,
                                                  const StepperOptions& options);

}  // namespace slipstick
