// One signature for every method that can move a state forward (relatives.md).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/state.h"

namespace slipstick {

struct StepperOptions {
  std::string backend = "auto";  ///< "auto", "cpu", "reference" (later "cuda")
  int threads = 0;               ///< 0 = all cores
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual std::string_view method() const = 0;       ///< "async"
  virtual std::string_view backendName() const = 0;  ///< "cpu", "reference"

  /// Applies the commands, advances the state by one Δt and fills the snapshot of the new state. When the
  /// report is refused(), `state` is left as it was before the step.
  virtual StepReport step(State& state, std::span<const Command> commands, Snapshot& snapshot) = 0;

  /// Snapshot of a state without stepping (contacts empty): the picture at t = 0.
  virtual void observe(const State& state, Snapshot& snapshot) = 0;
};

/// The asynchronously coupled stepper of Yu 2025.
Result<std::unique_ptr<Stepper>> makeAsyncStepper(std::shared_ptr<const Model> model,
                                                  const StepperOptions& options);

}  // namespace slipstick
