// Bytes of device memory that every kernel of the CUDA backend moves, counted while the host runs them.
//
//   kernel_traffic FILE.json [--edges N,N…] [--steps N] [--task NAME]…      default: cubes of 28³ and 46³, and all five tasks
//
// Of the free cubes of free_cube.h, and of tasks where their contact is busiest (simulated up to there by the CPU's
// backend). One step goes before, in which the backend's memory grows. This program is linked with a host_backend.cpp of
// its own, compiled so that it reports its accesses: any kernel is counted as it is.
#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/bench_window.h"
#include "engine/mpm/particle_state.h"
#include "gpu/host_backend.h"
#include "tests/benchmarks/access_hooks.h"
#include "tests/benchmarks/free_cube.h"
#include "tests/support/async_on.h"

using namespace slipstick;
using nlohmann::ordered_json;

namespace {

struct Options {
  std::string file;
  std::vector<int> edges = {28, 46};
  int steps = 2;  ///< that are counted of each
  std::vector<std::string> tasks = app::tableTasks();
};

std::unique_ptr<mpm::Backend> observed(std::shared_ptr<const Model> model, gpu::TrafficRecorder& recorder) {
  gpu::HostExecutor::Settings settings;
  settings.observer = &recorder;
  return std::move(gpu::makeHostBackend(std::move(model), std::make_unique<gpu::HostExecutor>(settings)))
      .value();
}

constexpr std::array kScopeNames = {"block", "cluster", "grid"};

/// Means over `steps`.
ordered_json perStep(const gpu::TrafficRecorder& recorder, int steps) {
  ordered_json kernels = ordered_json::object();
  for (const auto& [name, traffic] : recorder.kernels()) {
    const auto mean = [steps](auto sum) { return static_cast<double>(sum) / steps; };
    kernels[name] = {{"scope", kScopeNames[static_cast<std::size_t>(traffic.scope)]},
                     {"launches", mean(traffic.launches)},
                     {"barriers", mean(traffic.barriers)},
                     {"read_bytes", mean(traffic.read)},
                     {"written_bytes", mean(traffic.written)},
                     {"accessed_bytes", mean(traffic.accessed)}};
  }
  return kernels;
}

/// An array with one row in a line.
std::string linesOf(const ordered_json& rows) {
  std::string text;
  for (const ordered_json& row : rows) text += (text.empty() ? "[\n" : ",\n") + row.dump();
  return text.empty() ? "[]" : text + "\n]";
}

ordered_json trafficOfCube(int edge, int steps) {
  gpu::TrafficRecorder recorder;
  gpu::setAccessRecorder(&recorder);
  const auto model = freeCube(edge);
  const auto backend = observed(model, recorder);
  backend->restore(mpm::particlesAtStart(*model));
  SoftOutcome result;
  for (int step = -1; step < steps; ++step) {
    if (step == 0) recorder.forget();
    backend->advance({}, model->time.dt, result);
    backend->accept();
  }
  gpu::setAccessRecorder(nullptr);
  return {{"name", "cube_" + std::to_string(edge)},
          {"particles", model->nodeCount()},
          {"substeps", result.report.substeps},
          {"kernels", perStep(recorder, steps)}};
}

Result<ordered_json> trafficOfTask(const std::string& scene, int steps) {
  const app::KnownTask* const task = app::knownTask(scene);
  const double from = task && task->busiest ? *task->busiest : 0;
  const Result<app::BenchWindow> window = app::BenchWindow::open(scene, from, {.backend = "cpu"});
  if (!window) return window.error();
  State state;
  window->run().stepper().save(state);
  gpu::TrafficRecorder recorder;
  gpu::setAccessRecorder(&recorder);
  const std::shared_ptr<const Model>& model = window->run().model();
  const auto stepper = testing::asyncOn(model, observed(model, recorder));
  stepper->restore(state);
  Snapshot snapshot;
  double substeps = 0, contacts = 0;
  for (int step = -1; step < steps; ++step) {
    if (step == 0) recorder.forget();
    stepper->step({}, snapshot, Detail::Facts);
    if (step < 0) continue;
    substeps += snapshot.report.substeps;
    contacts += snapshot.report.contacts;
  }
  gpu::setAccessRecorder(nullptr);
  ordered_json row = {{"name", scene},
                      {"from_s", from},
                      {"dt_s", model->time.dt},
                      {"particles", model->nodeCount()},
                      {"substeps", substeps / steps},
                      {"contacts", contacts / steps}};
  if (task) row["published_ms"] = task->published_ms;
  row["kernels"] = perStep(recorder, steps);
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App program("Bytes that the kernels of the CUDA backend move");
  program.add_option("file", options.file, "JSON")->required();
  program.add_option("--edges", options.edges, "particles along an edge of each cube")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  program.add_option("--steps", options.steps, "counted of each")->check(CLI::PositiveNumber);
  program.add_option("--task", options.tasks);
  CLI11_PARSE(program, argc, argv);
  ordered_json cubes = ordered_json::array(), tasks = ordered_json::array();
  for (const int edge : options.edges) {
    cubes.push_back(trafficOfCube(edge, options.steps));
    std::fprintf(stderr, "cube of %d particles an edge\n", edge);
  }
  for (const std::string& scene : options.tasks) {
    Result<ordered_json> row = trafficOfTask(scene, options.steps);
    if (!row) {
      std::fprintf(stderr, "%s\n", row.error().message().c_str());
      return 1;
    }
    tasks.push_back(std::move(*row));
    std::fprintf(stderr, "%s\n", scene.c_str());
  }
  std::ofstream file(options.file);
  file << "{\"steps\": " << options.steps << ",\n\"cubes\": " << linesOf(cubes)
       << ",\n\"tasks\": " << linesOf(tasks) << "}\n";
  if (file.flush()) return 0;
  std::fprintf(stderr, "%s could not be written\n", options.file.c_str());
  return 1;
}
