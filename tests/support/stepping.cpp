#include "tests/support/stepping.h"

#include <gtest/gtest.h>

#include "engine/methods/convex_mpm/convex_mpm.h"
#include "engine/model/method_choice.h"

namespace slipstick::testing {

const Registry& stepping() {
  static const Registry registry = [] {
    Registry filled;
    const auto reference = [](std::shared_ptr<const Model> model, int) {
      return mpm::makeReferenceBackend(std::move(model));
    };
    filled.add(convex_mpm::methods({{"cpu", mpm::makeCpuBackend, true}, {"reference", reference, true}}));
    return filled;
  }();
  return registry;
}

std::unique_ptr<Stepper> stepperOf(std::shared_ptr<const Model> model, const StepperOptions& asked) {
  StepperOptions options = asked;
  if (options.method.empty() && isChosenFor(*model)) options.method = kFrozenMethod;
  Result<std::unique_ptr<Stepper>> stepper = stepping().makeStepper(std::move(model), options);
  if (stepper) return std::move(*stepper);
  ADD_FAILURE() << stepper.error().message();
  return nullptr;
}

}  // namespace slipstick::testing
