// What `slipstick bench` times of a scene: a run of steps from some moment on.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/run_statistics.h"
#include "app/scene_run.h"

namespace slipstick::app {

/// What is known of a shipped scene beside its file.
struct KnownTask {
  std::string_view scene;
  double published_ms;  ///< per step
  std::string_view source;
  /// Where the 100 steps with the most contacts of particles begin [s], found by looking at all of its steps.
  std::optional<double> busiest;
};

/// Null for scenes of which nothing was published.
const KnownTask* knownTask(const std::string& scene);
/// The tasks of Yu 2025, Table I, of all of which it is known where they are busiest.
std::vector<std::string> tableTasks();

class BenchWindow {
 public:
  /// Loads the scene and simulates it up to `from` [s], untimed.
  static Result<BenchWindow> open(const std::string& scene, double from, const StepperOptions& options);

  /// One step. @return how long it took [s]
  Result<double> step();

  const HeadlessRun& run() const { return *run_; }
  double from() const { return from_; }  ///< [s]
  double wall() const { return wall_; }  ///< of all steps [s]
  const RunStatistics& statistics() const { return statistics_; }
  /// RunStatistics::report, from where it is, and what was published.
  nlohmann::ordered_json report(const StepperOptions& options) const;

 private:
  BenchWindow() = default;
  std::unique_ptr<HeadlessRun> run_;
  RunStatistics statistics_;
  double from_ = 0, wall_ = 0;
};

}  // namespace slipstick::app
