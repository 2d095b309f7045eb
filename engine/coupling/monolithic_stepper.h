// The strongly coupled step: what frozen rigid velocities cost the asynchronous one, it does not pay.
#pragma once

#include "engine/coupling/registry.h"

namespace slipstick {

/// "strong". Its obstacles: those of "async", the quasi-Newton contact solver, and frozen geometry.
MethodEntry strongMethod();

/// "implicit": the same with a grid that is solved for implicitly, once a step. Its obstacle: boundaries that slide with
/// friction but cannot be left.
MethodEntry implicitMethod();

/// @param backend  runs the substeps and couples strongly; null for a scene without particles
std::unique_ptr<Stepper> makeMonolithicStepper(std::shared_ptr<const Model> model,
                                               std::unique_ptr<mpm::Backend> backend);

}  // namespace slipstick
