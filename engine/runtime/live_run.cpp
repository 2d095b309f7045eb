#include "engine/runtime/live_run.h"

#include <utility>

#include "engine/coupling/carry_over.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/require.h"
#include "engine/model/parameters.h"
#include "engine/mpm/backend_failure.h"

namespace slipstick {

std::string stepName(std::uint64_t step, double time) {
  return "step " + std::to_string(step) + " (t = " + significant(time) + " s)";
}

Result<LiveRun> LiveRun::from(const MakeStepper& makeStepper, std::shared_ptr<const Model> model,
                              const State& state) {
  Result<std::unique_ptr<Stepper>> stepper = makeStepper(model);
  if (!stepper) return stepper.error();
  try {
    (*stepper)->restore(state);
  } catch (const mpm::BackendFailure& failure) {
    return failure.error();
  }
  LiveRun run;
  run.model = std::move(model);
  run.stepper = std::move(*stepper);
  run.step = state.step;
  run.time = state.time;
  run.tuning = state.tuning;
  return run;
}

Result<LiveRun> LiveRun::as(const MakeStepper& makeStepper, std::shared_ptr<const Model> seenBy) const {
  const State carried = carryOver(model, state(), seenBy);
  return from(makeStepper, std::move(seenBy), carried);
}

State LiveRun::state() const {
  State state;
  stepper->save(state);
  return state;
}

std::shared_ptr<const Keyframe> LiveRun::keyframe() const {
  return std::make_shared<const Keyframe>(Keyframe{model, state(), std::string(stepper->backendName())});
}

std::shared_ptr<Snapshot> LiveRun::observe() const {
  auto snapshot = std::make_shared<Snapshot>();
  stepper->observe(*snapshot);
  snapshot->model = model;
  return snapshot;
}

std::shared_ptr<Snapshot> LiveRun::advance(std::span<const Command> commands, StepReport& report) {
  auto snapshot = std::make_shared<Snapshot>();
  report = stepper->step(commands, *snapshot);
  if (refused(report.health)) return nullptr;
  snapshot->model = model;
  step = snapshot->step;
  time = snapshot->time;
  follow(commands);
  return snapshot;
}

/// The numbers that a step has set are in force.
void LiveRun::follow(std::span<const Command> commands) {
  std::shared_ptr<Tuning> next;
  for (const Command& command : commands) {
    const auto* set = std::get_if<SetParameter>(&command);
    if (!set) continue;
    if (!next) next = std::make_shared<Tuning>(*tuning);
    SIM_REQUIRE(setParameter(*model, set->path, set->value, *next));
  }
  if (next) tuning = std::move(next);
}

}  // namespace slipstick
