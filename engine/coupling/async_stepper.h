// The asynchronously coupled step of Yu 2025: N MPM substeps against the rigid velocities of t_n, then one
// rigid solve.
#pragma once

#include "engine/coupling/registry.h"

namespace slipstick {

/// "async". Its obstacles: particles that start where no grid reaches.
MethodEntry asyncMethod();

/// @param backend  runs the substeps; null for a scene without particles
std::unique_ptr<Stepper> makeAsyncStepper(std::shared_ptr<const Model> model,
                                          std::unique_ptr<mpm::Backend> backend);

}  // namespace slipstick
