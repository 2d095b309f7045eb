// A model that is stepped in the foreground, step by step, by whoever waits for it.
#pragma once

#include <memory>
#include <span>

#include "engine/coupling/stepper.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick {

class HeadlessRun {
 public:
  /// At the model's start. Errors: the backend has no room for it.
  /// @param stepper  of the model
  /// @param detail   what snapshots hold: particles only for those who draw them
  static Result<std::unique_ptr<HeadlessRun>> of(std::shared_ptr<const Model> model,
                                                 std::unique_ptr<Stepper> stepper,
                                                 Detail detail = Detail::Facts);

  /// One step. Fails with SimulationFailed (step, reason, remedy) when it was refused or its backend has failed; the
  /// snapshot is then the one before it.
  Result<void> step() { return step({}, detail_); }
  /// @param commands  applied before it; they must fit the model
  Result<void> step(std::span<const Command> commands, Detail detail);
  /// Goes on from another state of the model.
  Result<void> restore(const State& state);
  /// Fills the snapshot of the step that the run is at anew, without contacts.
  Result<void> observe(Detail detail);

  const std::shared_ptr<const Model>& model() const { return model_; }
  const Stepper& stepper() const { return *stepper_; }
  const Snapshot& snapshot() const { return snapshot_; }
  /// Steps from the start to a simulated time [s], at least 0.
  std::uint64_t stepsTo(double time) const;

 private:
  HeadlessRun() = default;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<Stepper> stepper_;
  Detail detail_ = Detail::Facts;
  Snapshot snapshot_;
};

}  // namespace slipstick
