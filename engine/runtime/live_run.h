// What the simulation thread steps, and a replay too: a stepper with its model, and where it stands.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/state.h"
#include "engine/runtime/command_gate.h"
#include "engine/runtime/history.h"
#include "engine/runtime/simulation_thread.h"
#include "engine/runtime/snapshot_pool.h"
#include "engine/step/stepper.h"

namespace slipstick {

/// "step 12 (t = 0.12 s)"
std::string stepName(std::uint64_t step, double time);

struct LiveRun {
  MakeStepper makeStepper;  ///< has made its stepper
  std::shared_ptr<const Model> model;
  std::unique_ptr<Stepper> stepper;
  std::uint64_t step = 0;
  double time = 0;                       ///< [s]
  std::shared_ptr<const Tuning> tuning;  ///< in force

  /// From the start of the model's scene on. Fails as makeStepper does.
  static Result<LiveRun> start(MakeStepper makeStepper, std::shared_ptr<const Model> model);
  /// From a state of the model on. Fails as makeStepper does, and where the backend has no memory for the state.
  static Result<LiveRun> from(MakeStepper makeStepper, std::shared_ptr<const Model> model,
                              const State& state);

  bool atTheEnd() const { return time > model->time.duration - 0.5 * model->time.dt; }
  std::string nextStepName() const { return stepName(step + 1, time + model->time.dt); }
  /// From its state on as another model sees it: what an edit of the scene leads to. Fails as from() does; throws StepFailure
  /// where the backend has lost the state.
  Result<LiveRun> as(std::shared_ptr<const Model> model) const;
  State state() const;
  std::shared_ptr<const Keyframe> keyframe() const;
  std::shared_ptr<Snapshot> observe() const;
  /// One step. @param commands  what cannot be applied is left out   @param dropped  is added to
  /// @param stop  once asked to, it throws Stopped
  /// @return null when it was refused; throws, among others, StepFailure. Then, too, nothing has changed
  std::shared_ptr<Snapshot> advance(std::vector<Command>& commands, StepReport& report,
                                    DroppedCommands& dropped, const std::stop_token& stop = {});
  /// Takes the last advance() back; see Stepper::takeBack().
  void takeBack() noexcept;

 private:
  void restore(const State& state);
  /// Where it stands, to be come back to.
  struct Place {
    std::uint64_t step = 0;
    double time = 0;
    std::shared_ptr<const Tuning> tuning;
  };
  Place before_;  ///< the last advance()
  SnapshotPool snapshots_;
};

/// Takes a run's last advance() back when it goes out of scope, unless the step was kept: for what must not fail after it.
class StepInHand {
 public:
  explicit StepInHand(LiveRun& run) : run_(&run) {}
  ~StepInHand() {
    if (run_) run_->takeBack();
  }
  StepInHand(const StepInHand&) = delete;
  StepInHand& operator=(const StepInHand&) = delete;
  void keep() noexcept { run_ = nullptr; }

 private:
  LiveRun* run_;
};

}  // namespace slipstick
