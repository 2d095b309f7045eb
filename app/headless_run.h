// A loaded scene that is stepped in the foreground: what run, render and bench share.
#pragma once

#include <memory>
#include <span>

#include "app/stepping.h"
#include "app/verbs.h"
#include "engine/coupling/stepper.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::app {

class HeadlessRun {
 public:
  /// Loads and compiles the scene and makes its stepper. Notices of the import, and which device the backend "auto"
  /// has taken, go to stderr unless quiet. An InterruptWatch that is there cancels the load: an error of that code.
  /// @param detail  what snapshots hold: particles only for those who draw them
  static Result<std::unique_ptr<HeadlessRun>> create(const SceneOptions& options,
                                                     Detail detail = Detail::Facts,
                                                     const Registry& registry = stepping());

  /// The same of a model that is loaded already.
  static Result<std::unique_ptr<HeadlessRun>> of(std::shared_ptr<const Model> model,
                                                 const StepperOptions& options, Detail detail = Detail::Facts,
                                                 const Registry& registry = stepping());

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

/// Threads that "CPU · 2 threads · avx512" names, 0 where it names none: equal numbers of them give equal bits.
int recordedThreads(const std::string& runsOn);

/// Threads that 0 = "all cores" stands for.
int resolvedThreads(const StepperOptions& options);

}  // namespace slipstick::app
