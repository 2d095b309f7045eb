// A model that is stepped in the foreground, step by step, by whoever waits for it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/runtime/command_gate.h"
#include "engine/step/stepper.h"

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
  /// @param commands  applied before it; what cannot be applied is left out, see dropped()
  /// @param stop      once asked to, the step is given up, with an error of the code Cancelled
  Result<void> step(std::span<const Command> commands, Detail detail, const std::stop_token& stop = {});
  /// Goes on from another state of the model.
  Result<void> restore(const State& state);
  /// Fills the snapshot of the step that the run is at anew, without contacts.
  Result<void> observe(Detail detail);

  const std::shared_ptr<const Model>& model() const { return model_; }
  const Stepper& stepper() const { return *stepper_; }
  const Snapshot& snapshot() const { return snapshot_; }
  /// Of the last step, without what was left out.
  const std::vector<Command>& applied() const { return applied_; }
  const DroppedCommands& dropped() const { return dropped_; }
  /// Steps from the start to a simulated time [s], at least 0.
  std::uint64_t stepsTo(double time) const;

 private:
  HeadlessRun() = default;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<Stepper> stepper_;
  Detail detail_ = Detail::Facts;
  Snapshot snapshot_;
  std::shared_ptr<const Tuning> tuning_;  ///< in force
  std::vector<Command> applied_;
  DroppedCommands dropped_;
};

}  // namespace slipstick
