// The methods and backends that tests and benchmarks run.
#pragma once

#include "engine/step/registry.h"

namespace slipstick::testing {

const Registry& stepping();

/// A stepper, or a test failure with the reason and null.
std::unique_ptr<Stepper> stepperOf(std::shared_ptr<const Model> model, const StepperOptions& options = {});

}  // namespace slipstick::testing
