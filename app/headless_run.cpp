#include "app/headless_run.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <thread>

#include "app/stepping.h"
#include "assets/scene_io.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

Result<std::unique_ptr<HeadlessRun>> HeadlessRun::create(const SceneOptions& options, Detail detail) {
  assets::LoadOptions load;
  load.overrides = options.overrides;
  load.packagePaths.assign(options.packagePaths.begin(), options.packagePaths.end());
  Result<assets::LoadedModel> loaded = assets::loadModel(options.scene, load);
  if (!loaded) return loaded.error();
  for (const Notice& notice : loaded->notices) {
    if (!options.quiet && notice.level == Notice::Level::Warning) {
      std::cerr << "slipstick: " << notice.where << ": " << notice.what << '\n';
    }
  }
  std::unique_ptr<HeadlessRun> run(new HeadlessRun);
  run->model_ = loaded->model;
  Result<std::unique_ptr<Stepper>> stepper = stepping().makeStepper(run->model_, options.stepper);
  if (!stepper) return stepper.error();
  run->stepper_ = std::move(*stepper);
  run->detail_ = detail;
  run->stepper_->observe(run->snapshot_, detail);
  return run;
}

Result<void> HeadlessRun::step() {
  const StepReport report = stepper_->step({}, snapshot_, detail_);
  if (!refused(report.health)) return {};
  const HealthInfo& info =
      *std::find_if(kHealthInfo.begin(), kHealthInfo.end(), [&](const HealthInfo& entry) {
        return has(report.health, entry.flag) && refused(static_cast<HealthFlags>(entry.flag));
      });
  const double time = static_cast<double>(snapshot_.step + 1) * model_->time.dt;
  return Error{
      ErrorCode::SimulationFailed, std::string(info.name),
      model_->name + ", step " + std::to_string(snapshot_.step + 1) + " (t = " + significant(time) + " s)",
      std::string(info.remedy)};
}

std::uint64_t HeadlessRun::stepsTo(double time) const {
  return static_cast<std::uint64_t>(std::max(0.0, std::ceil(time / model_->time.dt - 1e-6)));
}

int resolvedThreads(const StepperOptions& options) {
  if (options.threads > 0) return options.threads;
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace slipstick::app
