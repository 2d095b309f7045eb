#include "engine/runtime/live_run.h"

#include <utility>

#include "engine/foundation/number_text.h"
#include "engine/model/step_failure.h"
#include "engine/step/carry_over.h"

namespace slipstick {

std::string stepName(std::uint64_t step, double time) {
  return "step " + std::to_string(step) + " (t = " + significant(time) + " s)";
}

Result<LiveRun> LiveRun::start(MakeStepper makeStepper, std::shared_ptr<const Model> model) {
  Result<std::unique_ptr<Stepper>> stepper = makeStepper(model);
  if (!stepper) return stepper.error();
  LiveRun run;
  run.makeStepper = std::move(makeStepper);
  run.tuning = std::make_shared<const Tuning>(model->tuning);
  run.model = std::move(model);
  run.stepper = std::move(*stepper);
  return run;
}

Result<LiveRun> LiveRun::from(MakeStepper makeStepper, std::shared_ptr<const Model> model,
                              const State& state) {
  Result<LiveRun> run = start(std::move(makeStepper), std::move(model));
  if (!run) return run;
  try {
    run->restore(state);
  } catch (const StepFailure& failure) {
    return failure.error();
  }
  return run;
}

Result<LiveRun> LiveRun::as(std::shared_ptr<const Model> seenBy) const {
  const State now = state();
  Result<LiveRun> run = start(makeStepper, seenBy);
  if (!run) return run;
  try {
    const auto remembered = [&](std::string_view name, const VecX& values) {
      return run->stepper->carried(model, name, values);
    };
    run->restore(carryOver(model, now, seenBy, run->state().soft, remembered));
  } catch (const StepFailure& failure) {
    return failure.error();
  }
  return run;
}

void LiveRun::restore(const State& state) {
  stepper->restore(state);
  step = state.step;
  time = state.time;
  tuning = state.tuning;
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

std::shared_ptr<Snapshot> LiveRun::advance(std::vector<Command>& commands, StepReport& report,
                                           DroppedCommands& dropped, const std::stop_token& stop) {
  dropBadCommands(commands, *model, *tuning, dropped);
  std::shared_ptr<Snapshot> snapshot = snapshots_.take();
  std::shared_ptr<const Tuning> next = tuningAfter(commands, *model, tuning);
  report = stepper->step(commands, *snapshot, Detail::Particles, stop);
  if (refused(report.health)) return nullptr;
  // Nothing fails from here on.
  before_ = {step, time, std::exchange(tuning, std::move(next))};
  snapshot->model = model;
  step = snapshot->step;
  time = snapshot->time;
  return snapshot;
}

void LiveRun::takeBack() noexcept {
  stepper->takeBack();
  step = before_.step;
  time = before_.time;
  tuning = std::move(before_.tuning);
}

}  // namespace slipstick
