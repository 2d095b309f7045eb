// The methods that can move a state forward, by name: adding one is one line in registry.cpp.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "engine/coupling/stepper.h"

namespace slipstick {

struct SteppingMethod {
  std::string_view name;
  std::string_view description;
  Result<std::unique_ptr<Stepper>> (*make)(std::shared_ptr<const Model>, const StepperOptions&);
};

std::span<const SteppingMethod> steppingMethods();

/// Fails with UnknownName, listing the choices.
Result<std::unique_ptr<Stepper>> makeStepper(std::string_view method, std::shared_ptr<const Model> model,
                                             const StepperOptions& options);

}  // namespace slipstick
