// What the simulation thread steps, and a replay too: a stepper with its model, and where it stands.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "engine/coupling/stepper.h"
#include "engine/foundation/result.h"
#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/state.h"
#include "engine/runtime/history.h"
#include "engine/runtime/simulation_thread.h"

namespace slipstick {

/// "step 12 (t = 0.12 s)"
std::string stepName(std::uint64_t step, double time);

struct LiveRun {
  std::shared_ptr<const Model> model;
  std::unique_ptr<Stepper> stepper;
  std::uint64_t step = 0;
  double time = 0;                       ///< [s]
  std::shared_ptr<const Tuning> tuning;  ///< in force

  /// From a state of the model on. Fails as makeStepper does, and where the backend has no room for the state.
  static Result<LiveRun> from(const MakeStepper& makeStepper, std::shared_ptr<const Model> model,
                              const State& state);

  bool atTheEnd() const { return time > model->time.duration - 0.5 * model->time.dt; }
  std::string nextStepName() const { return stepName(step + 1, time + model->time.dt); }
  /// From its state on as another model sees it: what an edit of the scene leads to. Fails as from() does.
  Result<LiveRun> as(const MakeStepper& makeStepper, std::shared_ptr<const Model> model) const;
  State state() const;
  std::shared_ptr<const Keyframe> keyframe() const;
  std::shared_ptr<Snapshot> observe() const;
  /// One step. Its numbers must fit beside those in force. @return null when it was refused; throws
  /// mpm::BackendFailure
  std::shared_ptr<Snapshot> advance(std::span<const Command> commands, StepReport& report);

 private:
  void follow(std::span<const Command> commands);
};

}  // namespace slipstick
