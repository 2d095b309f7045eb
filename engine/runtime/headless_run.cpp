#include "engine/runtime/headless_run.h"

#include <algorithm>
#include <cmath>

#include "engine/foundation/stopping.h"
#include "engine/model/step_failure.h"
#include "engine/runtime/live_run.h"

namespace slipstick {

Result<std::unique_ptr<HeadlessRun>> HeadlessRun::of(std::shared_ptr<const Model> model,
                                                     std::unique_ptr<Stepper> stepper, Detail detail) {
  std::unique_ptr<HeadlessRun> run(new HeadlessRun);
  run->model_ = std::move(model);
  run->tuning_ = std::make_shared<const Tuning>(run->model_->tuning);
  run->stepper_ = std::move(stepper);
  run->detail_ = detail;
  if (Result<void> observed = run->observe(detail); !observed) return observed.error();
  return run;
}

Result<void> HeadlessRun::restore(const State& state) {
  try {
    stepper_->restore(state);
  } catch (const StepFailure& failure) {
    return failure.error();
  }
  tuning_ = state.tuning;
  return observe(detail_);
}

Result<void> HeadlessRun::observe(Detail detail) {
  try {
    stepper_->observe(snapshot_, detail);
  } catch (const StepFailure& failure) {
    return failure.error();
  }
  return {};
}

Result<void> HeadlessRun::step(std::span<const Command> commands, Detail detail,
                               const std::stop_token& stop) {
  const std::uint64_t step = snapshot_.step + 1;
  const std::string where = model_->name + ", " + stepName(step, static_cast<double>(step) * model_->time.dt);
  applied_.assign(commands.begin(), commands.end());
  dropBadCommands(applied_, *model_, *tuning_, dropped_);
  std::shared_ptr<const Tuning> tuning = tuningAfter(applied_, *model_, tuning_);
  StepReport report;
  try {
    report = stepper_->step(applied_, snapshot_, detail, stop);
  } catch (const Stopped&) {
    return Error{ErrorCode::Cancelled, "the step was given up", where, "let it go on"};
  } catch (const StepFailure& failure) {
    const Error& error = failure.error();
    return Error{ErrorCode::SimulationFailed, error.what, where + ", " + error.where, error.remedy};
  }
  if (!refused(report.health)) {
    tuning_ = std::move(tuning);
    return {};
  }
  const HealthFlags refusals = report.health & flagsFrom(Severity::Refusal);
  const HealthInfo& info = *raisedIn(refusals, model_->own.get()).front();
  return Error{ErrorCode::SimulationFailed, std::string(info.name), where, info.line()};
}

std::uint64_t HeadlessRun::stepsTo(double time) const {
  return static_cast<std::uint64_t>(std::max(0.0, std::ceil(time / model_->time.dt - 1e-6)));
}

}  // namespace slipstick
