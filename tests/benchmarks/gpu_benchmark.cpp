// What a device makes of the backend "cuda": the published tasks where their contact is busiest, free cubes from 6k to 8M
// particles, and the latencies and the bandwidth that both depend on.
//
//   benchmark_gpu [--backend cuda|cuda-host] [--edges N,N…] [--steps N] [--task NAME]… [--from S]
//                 [--traffic FILE] [--json FILE]
//
// --traffic: kernel_traffic's counts, from which the bytes per second of cubes follow. The JSON file is written anew after
// every row, so that a run that is cut off leaves what it has. "cuda-host" tries the code; its times mean nothing.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/bench_window.h"
#include "app/stepping.h"
#include "engine/foundation/number_text.h"
#include "engine/mpm/particle_state.h"
#include "gpu/cuda_backend.h"
#include "gpu/device.h"
#include "gpu/device_error.h"
#include "gpu/host_backend.h"
#include "tests/benchmarks/device_speed.h"
#include "tests/benchmarks/free_cube.h"

using namespace slipstick;
using nlohmann::ordered_json;

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string backend = "cuda", json, traffic;
  std::vector<int> edges = {18, 28, 46, 100, 200};
  int steps = 60;              ///< that are timed of each
  std::optional<double> from;  ///< of tasks [s]; unset: where contact is busiest
  std::vector<std::string> tasks = app::tableTasks();
};

void printFailure(const Error& error) {
  std::fprintf(stderr, "benchmark_gpu: %s\n", error.message().c_str());
}

/// All results so far, and where they go.
class Report {
 public:
  explicit Report(std::string file) : file_(std::move(file)) {}

  ordered_json& operator[](const char* key) { return json_[key]; }
  /// @return whether they could be written, where a file is wanted
  bool save() const {
    if (file_.empty()) return true;
    std::ofstream out(file_);
    out << json_.dump(2) << '\n';
    if (out.flush()) return true;
    printFailure({ErrorCode::FileUnwritable, "could not be written", file_, "free some disk space"});
    return false;
  }

 private:
  std::string file_;
  ordered_json json_;
};

ordered_json deviceOf(const std::string& backend) {
  const std::vector<gpu::DeviceInfo> devices = gpu::cudaDevices();
  if (backend != "cuda" || devices.empty()) return {{"name", backend + " on " + app::cpuName()}};
  const gpu::DeviceInfo& device = devices.front();
  return {
      {"name", device.name},
      {"compute_capability", std::to_string(device.computeMajor) + "." + std::to_string(device.computeMinor)},
      {"multiprocessors", device.multiprocessors},
      {"memory_bytes", device.memoryBytes}};
}

ordered_json rowOf(const gpu::DeviceSpeed& speed) {
  ordered_json row = {{"launch_us", 1e6 * speed.launch}, {"replay_us", 1e6 * speed.replay}};
  constexpr std::array kScopes = {"block", "cluster", "grid"};
  for (std::size_t scope = 0; scope < kScopes.size(); ++scope) {
    row["barrier_us"][kScopes[scope]] = 1e6 * speed.barrier[scope];
    row["sums_us"][kScopes[scope]] = 1e6 * speed.sums[scope];
  }
  row["copy_gb_per_s"] = 1e-9 * speed.copy;
  return row;
}

/// Bytes that a particle costs in a substep, as counted for the largest cube of the file.
std::optional<double> bytesPerParticle(const std::string& file) {
  std::ifstream in(file);
  const ordered_json counted = ordered_json::parse(in, nullptr, false);
  if (counted.is_discarded() || counted["cubes"].empty()) return {};
  const ordered_json& cube = counted["cubes"].back();
  double bytes = 0;
  for (const ordered_json& kernel : cube["kernels"])
    bytes += kernel["read_bytes"].get<double>() + kernel["written_bytes"].get<double>();
  return bytes / (cube["particles"].get<double>() * cube["substeps"].get<double>());
}

Result<std::unique_ptr<mpm::Backend>> makeBackend(const std::string& name, std::shared_ptr<const Model> model,
                                                  gpu::Reproducibility reproducibility) {
  if (name == "cuda") return gpu::makeCudaBackend(std::move(model), reproducibility);
  return gpu::makeHostBackend(std::move(model), std::make_unique<gpu::HostExecutor>(), reproducibility);
}

/// Median of the times of `steps` steps, after some in which the backend's memory grows [s].
double medianStep(mpm::Backend& backend, const Model& model, int steps) {
  constexpr int kWarmUp = 3;
  SoftOutcome result;
  std::vector<double> seconds;
  for (int step = -kWarmUp; step < steps; ++step) {
    const Clock::time_point start = Clock::now();
    backend.advance({}, model.time.dt, result);
    backend.accept();
    if (step >= 0) seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

/// @return median of the times of its steps [s]
Result<double> timeSteps(const std::shared_ptr<const Model>& model, const Options& options,
                         gpu::Reproducibility reproducibility) {
  const Result<std::unique_ptr<mpm::Backend>> backend = makeBackend(options.backend, model, reproducibility);
  if (!backend) return backend.error();
  (*backend)->restore(mpm::particlesAtStart(*model));
  return medianStep(**backend, *model, options.steps);
}

/// A cube for which a device has no memory gets a row that says so.
Result<ordered_json> timeCube(int edge, const Options& options, std::optional<double> bytes) {
  const std::shared_ptr<const Model> model = freeCube(edge);
  ordered_json row = {{"particles", model->nodeCount()}, {"substeps", model->time.substeps}};
  try {
    const Result<double> time = timeSteps(model, options, gpu::Reproducibility::RunToRun);
    if (!time) return time.error();
    const Result<double> fast = timeSteps(model, options, gpu::Reproducibility::NotGuaranteed);
    if (!fast) return fast.error();
    const double seconds = *time;
    const double updates = static_cast<double>(model->nodeCount()) * model->time.substeps;
    row["ms_per_step"] = 1e3 * seconds;
    row["ns_per_particle_substep"] = 1e9 * seconds / updates;
    row["not_reproducible_ns"] = 1e9 * *fast / updates;
    if (bytes) {
      row["bytes_per_particle_substep"] = *bytes;
      row["gb_per_s"] = 1e-9 * *bytes * updates / seconds;
    }
    std::printf("%10zu %10s %12s %12s %10s\n", model->nodeCount(), fixed(1e3 * seconds, 3).c_str(),
                fixed(1e9 * seconds / updates, 3).c_str(), fixed(1e9 * *fast / updates, 3).c_str(),
                bytes ? fixed(1e-9 * *bytes * updates / seconds, 1).c_str() : "-");
  } catch (const gpu::DeviceError& failure) {
    row["error"] = failure.error().message();
    std::printf("%10zu %s\n", model->nodeCount(), failure.error().message().c_str());
  }
  std::fflush(stdout);
  return row;
}

Result<ordered_json> timeTask(const std::string& scene, const Options& options) {
  const app::KnownTask* const task = app::knownTask(scene);
  const StepperOptions stepper{.method = {}, .backend = options.backend, .threads = 0};
  const double busiest = task && task->busiest ? *task->busiest : 0;
  Result<app::BenchWindow> window = app::BenchWindow::open(scene, options.from.value_or(busiest), stepper);
  if (!window) return window.error();
  for (int i = 0; i < options.steps; ++i)
    if (const Result<double> stepped = window->step(); !stepped) return stepped.error();
  const app::RunStatistics& statistics = window->statistics();
  const double simulated = options.steps * window->run().model()->time.dt, mean = statistics.meanStep_ms();
  std::printf("%-16s %8s %9zu %9s %9s %8s %9s %10s\n", scene.c_str(), fixed(window->from(), 2).c_str(),
              window->run().model()->nodeCount(), fixed(mean, 3).c_str(),
              fixed(statistics.percentileStep_ms(50), 3).c_str(),
              fixed(simulated / window->wall(), 2).c_str(), task ? fixed(task->published_ms, 1).c_str() : "-",
              task ? fixed(task->published_ms / mean, 1).c_str() : "-");
  std::fflush(stdout);
  return window->report(stepper);
}

int measure(const Options& options) {
  Report report(options.json);
  report["device"] = deviceOf(options.backend);
  const bool host = options.backend == "cuda-host";
  const Result<gpu::DeviceSpeed> speed = host ? gpu::hostSpeed() : gpu::cudaSpeed();
  if (!speed) return printFailure(speed.error()), 1;
  report["speed"] = rowOf(*speed);
  std::printf("%s\n%s\n\n", report["device"].dump().c_str(), report["speed"].dump(1).c_str());
  const std::optional<double> bytes = bytesPerParticle(options.traffic);
  std::printf("%10s %10s %12s %12s %10s\n", "particles", "ms/step", "ns/part/N", "cuda-fast", "GB/s");
  for (const int edge : options.edges) {
    Result<ordered_json> row = timeCube(edge, options, bytes);
    if (!row) return printFailure(row.error()), 1;
    report["cubes"].push_back(std::move(*row));
    if (!report.save()) return 1;
  }
  std::printf("\n%-16s %8s %9s %9s %9s %8s %9s %10s\n", "task", "from [s]", "particles", "ms/step", "p50",
              "rate", "published", "faster by");
  for (const std::string& scene : options.tasks) {
    Result<ordered_json> row = timeTask(scene, options);
    if (!row) return printFailure(row.error()), 1;
    report["tasks"].push_back(std::move(*row));
    if (!report.save()) return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App program("How fast a device steps the published tasks and free cubes");
  program.add_option("--backend", options.backend)->check(CLI::IsMember({"cuda", "cuda-host"}));
  program.add_option("--edges", options.edges, "particles along an edge of each cube")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  program.add_option("--steps", options.steps, "timed of each")->check(CLI::PositiveNumber);
  program.add_option("--task", options.tasks);
  program.add_option("--from", options.from,
                     "where tasks are timed, instead of where contact is busiest [s]");
  program.add_option("--traffic", options.traffic, "what kernel_traffic has counted");
  program.add_option("--json", options.json);
  CLI11_PARSE(program, argc, argv);
  return measure(options);
}
