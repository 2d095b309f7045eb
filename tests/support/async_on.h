// The asynchronous method on a given backend.
#pragma once

#include <memory>
#include <utility>

#include "engine/methods/convex_mpm/convex_mpm.h"
#include "engine/model/method_choice.h"
#include "engine/step/method_stepper.h"

namespace slipstick::testing {

/// @param backend  null for a scene without particles
inline std::unique_ptr<Stepper> asyncOn(const std::shared_ptr<const Model>& model,
                                        std::unique_ptr<mpm::Backend> backend) {
  return std::make_unique<MethodStepper>(std::string(kFrozenMethod), model,
                                         convex_mpm::makeAsync(model, std::move(backend)));
}

}  // namespace slipstick::testing
