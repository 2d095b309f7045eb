#include "app/bench_window.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "app/progress.h"
#include "engine/model/method_choice.h"

namespace slipstick::app {

namespace {

/// Yu 2025, Table I (RTX 4090); Zong 2024. The shake holds its cubes from 0.15 s to its end, one moment as busy
/// as another.
constexpr std::array kTasks = {
    KnownTask{"dough_rolling", 21.7, "Yu 2025, RTX 4090", 7.25},
    KnownTask{"box_bagging", 45.3, "Yu 2025, RTX 4090", 8.56},
    KnownTask{"laundry", 18.9, "Yu 2025, RTX 4090", 0.2},
    KnownTask{"tshirt_folding", 21.5, "Yu 2025, RTX 4090", 4.7},
    KnownTask{"shake", 231.1, "Yu 2025, RTX 4090", 0.2},
    KnownTask{"dough_tearing", 860, "Zong 2024", {}},
    KnownTask{"water_pouring", 850, "Zong 2024", {}},
};

/// The paper's figures are of frozen rigid velocities, whatever the scene names.
StepperOptions asPublished(const std::string& scene, StepperOptions options) {
  const KnownTask* const task = knownTask(scene);
  if (options.method.empty() && task != nullptr && task->busiest) options.method = kFrozenMethod;
  return options;
}

}  // namespace

const KnownTask* knownTask(const std::string& scene) {
  const auto* task =
      std::find_if(kTasks.begin(), kTasks.end(), [&](const KnownTask& t) { return t.scene == scene; });
  return task == kTasks.end() ? nullptr : task;
}

std::vector<std::string> tableTasks() {
  std::vector<std::string> scenes;
  for (const KnownTask& task : kTasks)
    if (task.busiest) scenes.emplace_back(task.scene);
  return scenes;
}

Result<BenchWindow> BenchWindow::open(const std::string& scene, double from, const StepperOptions& options) {
  SceneOptions sceneOptions;
  sceneOptions.scene = scene;
  sceneOptions.stepper = asPublished(scene, options);
  sceneOptions.quiet = true;
  Result<std::unique_ptr<HeadlessRun>> created = openRun(sceneOptions);
  if (!created) return created.error();
  BenchWindow window;
  window.run_ = std::move(*created);
  window.from_ = from;
  HeadlessRun& run = *window.run_;
  Progress progress(from, false);
  const std::uint64_t before = run.stepsTo(from);
  while (run.snapshot().step < before) {
    if (InterruptWatch::requested()) return cancelledLoad(scene);
    if (const Result<void> stepped = run.step(); !stepped) return stepped.error();
    progress.update(run.snapshot().time);
  }
  return window;
}

Result<double> BenchWindow::step() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  if (const Result<void> stepped = run_->step(); !stepped) return stepped.error();
  const double wall = std::chrono::duration<double>(Clock::now() - start).count();
  wall_ += wall;
  statistics_.add(run_->snapshot(), wall, run_->model()->time.dt);
  return wall;
}

nlohmann::ordered_json BenchWindow::report(const StepperOptions& options) const {
  nlohmann::ordered_json row = statistics_.report(*run_, asPublished(run_->model()->name, options), wall_);
  row["from_s"] = from_;
  row["ns_per_particle_substep"] = statistics_.particleSubstep_ns(run_->model()->nodeCount());
  if (const KnownTask* const task = knownTask(run_->model()->name))
    row["published"] = {{"ms_per_step", task->published_ms}, {"source", task->source}};
  return row;
}

}  // namespace slipstick::app
