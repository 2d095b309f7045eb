#include "engine/coupling/registry.h"

#include <array>
#include <string>

namespace slipstick {

namespace {

constexpr std::array kMethods = {
    SteppingMethod{"async",
                   "asynchronous splitting: substeps see the rigid velocities of the step's start (Yu 2025)",
                   &makeAsyncStepper},
};

}  // namespace

std::span<const SteppingMethod> steppingMethods() {
  return kMethods;
}

Result<std::unique_ptr<Stepper>> makeStepper(std::string_view method, std::shared_ptr<const Model> model,
                                             const StepperOptions& options) {
  std::string choices;
  for (const SteppingMethod& candidate : kMethods) {
    if (candidate.name == method) return candidate.make(std::move(model), options);
    choices += choices.empty() ? "" : ", ";
    choices += candidate.name;
  }
  return Error{ErrorCode::UnknownName, "there is no such method", "method '" + std::string(method) + "'",
               "choose one of: " + choices};
}

}  // namespace slipstick
