#include "app/headless_run.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "app/progress.h"
#include "app/walk_of.h"
#include "assets/scene_io.h"
#include "engine/mpm/backend_failure.h"
#include "engine/runtime/live_run.h"

namespace slipstick::app {

namespace {

/// A device that was chosen for people is news to them; the CPU is not.
void sayWhichDevice(const SceneOptions& options, const Registry& registry, const Model& model,
                    const Stepper& stepper) {
  const std::string& first = registry.backends().front().name;
  if (options.quiet || options.stepper.backend != "auto" || first == "cpu" || stepper.backendName() != first)
    return;
  std::cerr << "slipstick: " << model.name << ": runs on " << stepper.runsOn() << '\n';
}

}  // namespace

Result<std::unique_ptr<HeadlessRun>> HeadlessRun::create(const SceneOptions& options, Detail detail,
                                                         const Registry& registry) {
  if (isRecording(options.scene))
    return Error{
        ErrorCode::Unsupported, "this is a recording, which is not simulated anew", options.scene,
        "use slipstick replay, render or export, or open it in the studio and resume from one of its steps"};
  assets::LoadOptions load;
  load.overrides = options.overrides;
  load.packagePaths.assign(options.packagePaths.begin(), options.packagePaths.end());
  load.seed = options.seed;
  load.mayRunXacro = options.mayRunXacro;
  LoadProgress progress;
  load.progress = &progress;
  Result<assets::LoadedModel> loaded = [&] {
    const LoadWatch watch(progress, options.quiet);
    return assets::loadModel(options.scene, load);
  }();
  if (!loaded) return loaded.error();
  for (const Notice& notice : loaded->notices) {
    if (!options.quiet && notice.level == Notice::Level::Warning) {
      std::cerr << "slipstick: " << notice.where << ": " << notice.what << '\n';
    }
  }
  Result<std::unique_ptr<HeadlessRun>> run = of(loaded->model, options.stepper, detail, registry);
  if (run) sayWhichDevice(options, registry, *(*run)->model_, *(*run)->stepper_);
  return run;
}

Result<std::unique_ptr<HeadlessRun>> HeadlessRun::of(std::shared_ptr<const Model> model,
                                                     const StepperOptions& options, Detail detail,
                                                     const Registry& registry) {
  std::unique_ptr<HeadlessRun> run(new HeadlessRun);
  run->model_ = std::move(model);
  Result<std::unique_ptr<Stepper>> stepper = registry.makeStepper(run->model_, options);
  if (!stepper) return stepper.error();
  run->stepper_ = std::move(*stepper);
  run->detail_ = detail;
  if (Result<void> observed = run->observe(detail); !observed) return observed.error();
  return run;
}

Result<void> HeadlessRun::restore(const State& state) {
  try {
    stepper_->restore(state);
  } catch (const mpm::BackendFailure& failure) {
    return failure.error();
  }
  return observe(detail_);
}

Result<void> HeadlessRun::observe(Detail detail) {
  try {
    stepper_->observe(snapshot_, detail);
  } catch (const mpm::BackendFailure& failure) {
    return failure.error();
  }
  return {};
}

Result<void> HeadlessRun::step(std::span<const Command> commands, Detail detail) {
  const std::uint64_t step = snapshot_.step + 1;
  const std::string where = model_->name + ", " + stepName(step, static_cast<double>(step) * model_->time.dt);
  StepReport report;
  try {
    report = stepper_->step(commands, snapshot_, detail);
  } catch (const mpm::BackendFailure& failure) {
    const Error& error = failure.error();
    return Error{ErrorCode::SimulationFailed, error.what, where + ", " + error.where, error.remedy};
  }
  if (!refused(report.health)) return {};
  const HealthInfo& info =
      *std::find_if(kHealthInfo.begin(), kHealthInfo.end(), [&](const HealthInfo& entry) {
        return has(report.health, entry.flag) && refused(static_cast<HealthFlags>(entry.flag));
      });
  return Error{ErrorCode::SimulationFailed, std::string(info.name), where, std::string(info.remedy)};
}

std::uint64_t HeadlessRun::stepsTo(double time) const {
  return static_cast<std::uint64_t>(std::max(0.0, std::ceil(time / model_->time.dt - 1e-6)));
}

int recordedThreads(const std::string& runsOn) {
  const std::size_t at = runsOn.find(" thread");
  if (at == std::string::npos) return 0;
  const std::size_t begin = runsOn.find_last_not_of("0123456789", at - 1) + 1;
  return begin < at ? std::atoi(runsOn.substr(begin, at - begin).c_str()) : 0;
}

int resolvedThreads(const StepperOptions& options) {
  if (options.threads > 0) return options.threads;
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace slipstick::app
