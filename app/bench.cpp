// slipstick bench: how fast the scenes run here, beside the published figures.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/bench_compare.h"
#include "app/bench_window.h"
#include "app/copy_speed.h"
#include "app/exit_status.h"
#include "app/number_option.h"
#include "app/output_path.h"
#include "app/progress.h"
#include "app/report_file.h"
#include "app/rigid_bench.h"
#include "app/run_statistics.h"
#include "app/verb.h"
#include "app/word_option.h"
#include "assets/scene_io.h"
#include "engine/foundation/number_text.h"
#include "engine/mpm/transfer_bytes.h"

namespace slipstick::app {

namespace {

struct BenchOptions {
  std::vector<std::string> scenes;  ///< empty: all shipped scenes
  int steps = 50;
  std::optional<double> from;  ///< [s]; unset: from the start, and where contact is busiest if that is known
  std::optional<std::string> compare;  ///< another slipstick, to be timed by turns
  bool turns = false;                  ///< serve another bench: see serveTurns()
  std::optional<std::string> json;
  StepperOptions stepper;
};

/// From where a scene is timed [s].
std::vector<double> windowsOf(const std::string& scene, const BenchOptions& options) {
  if (isRigidBench(scene)) return {0};
  if (options.from) return {*options.from};
  const KnownTask* task = knownTask(scene);
  if (task == nullptr || !task->busiest) return {0};
  return {0, *task->busiest};
}

/// What P2G and G2P moved, and how fast, beside copies on this machine by as many threads in the same run.
struct Traffic {
  double step = 0;    ///< bytes of a step, see mpm::transferBytes
  double speed = 0;   ///< of the steps [bytes/s]
  double cached = 0;  ///< of a copy as large as the scene's particles, which may fit into caches [bytes/s]
};

/// Nothing without particles, or with a backend that holds them otherwise than the count assumes.
std::optional<Traffic> trafficOf(const BenchWindow& window, const StepperOptions& options) {
  const Model& model = *window.run().model();
  const double seconds = window.statistics().meanTransfer_s();
  if (window.run().stepper().backendName() != "cpu" || !(seconds > 0)) return {};
  const double step = window.statistics().transferBytesPerStep(model);
  return Traffic{step, step / seconds, copySpeed(mpm::particleBytes(model), resolvedThreads(options))};
}

void printHeading(double copyInMemory) {
  std::printf(
      "GB/s: bytes that P2G and G2P must move (MB/step), over the time of their phase, without what several "
      "threads"
      " do of it\nwhile contacts are solved; copy: of as many bytes as the particles have. Copy in memory "
      "(%s MB, source and"
      " target): %s GB/s read and written.\n\n",
      fixed(1e-6 * static_cast<double>(workingSetInMemory()), 0).c_str(),
      fixed(1e-9 * copyInMemory, 1).c_str());
  std::printf("%-18s %8s %9s %5s %9s %9s %9s %8s %10s %8s %6s %6s %7s %9s  %s\n", "scene", "from [s]",
              "particles", "N", "ms/step", "p50", "p99", "rate", "ns/part/N", "MB/step", "GB/s", "copy",
              "iter", "contacts", "published");
}

void printRow(const BenchWindow& window, const std::optional<Traffic>& traffic) {
  const RunStatistics& statistics = window.statistics();
  const KnownTask* const task = knownTask(window.run().model()->name);
  const double perParticle = statistics.particleSubstep_ns(window.run().model()->nodeCount());
  const double simulated = static_cast<double>(statistics.steps()) * window.run().model()->time.dt;
  const auto moved = [&](double Traffic::*number, double unit) {
    return traffic ? fixed((*traffic).*number / unit, 1) : "-";
  };
  std::printf("%-18s %8s %9zu %5s %9s %9s %9s %8s %10s %8s %6s %6s %7s %9s  ",
              window.run().model()->name.c_str(), fixed(window.from(), 2).c_str(),
              window.run().model()->nodeCount(), fixed(statistics.meanSubsteps(), 0).c_str(),
              fixed(statistics.meanStep_ms(), 2).c_str(), fixed(statistics.percentileStep_ms(50), 2).c_str(),
              fixed(statistics.percentileStep_ms(99), 2).c_str(), fixed(simulated / window.wall(), 2).c_str(),
              fixed(perParticle, 0).c_str(), moved(&Traffic::step, 1e6).c_str(),
              moved(&Traffic::speed, 1e9).c_str(), moved(&Traffic::cached, 1e9).c_str(),
              fixed(statistics.meanIterations(), 1).c_str(), fixed(statistics.meanContacts(), 0).c_str());
  if (task != nullptr)
    std::printf("%s ms (%s)\n", fixed(task->published_ms, 1).c_str(), std::string(task->source).c_str());
  else
    std::printf("-\n");
  std::fflush(stdout);
}

/// Steps the scene and prints its row. @return the row for the JSON file
Result<nlohmann::ordered_json> benchScene(const std::string& name, double from, double copyInMemory,
                                          const BenchOptions& options) {
  Result<BenchWindow> opened = BenchWindow::open(name, from, options.stepper);
  if (!opened) return opened.error();
  BenchWindow& window = *opened;
  {
    Progress progress(options.steps * window.run().model()->time.dt, false);
    for (int i = 0; i < options.steps && !InterruptWatch::requested(); ++i) {
      if (const Result<double> stepped = window.step(); !stepped) return stepped.error();
      progress.update(window.run().snapshot().time - from);
    }
  }
  const std::optional<Traffic> traffic = trafficOf(window, options.stepper);
  printRow(window, traffic);
  nlohmann::ordered_json row = window.report(options.stepper);
  addStop(row, InterruptWatch::requested(), window.run().snapshot().time);
  if (traffic) {
    row["transfer"] = {{"mb_per_step", 1e-6 * traffic->step},
                       {"gb_per_s", 1e-9 * traffic->speed},
                       {"copy_of_particles_gb_per_s", 1e-9 * traffic->cached},
                       {"copy_in_memory_gb_per_s", 1e-9 * copyInMemory}};
  }
  return row;
}

std::vector<std::string> namesOf(const BenchOptions& options) {
  if (!options.scenes.empty()) return options.scenes;
  std::vector<std::string> names;
  for (const assets::ShippedScene& scene : assets::shippedScenes()) names.push_back(scene.name);
  for (const std::string& name : rigidBenchNames()) names.push_back(name);
  return names;
}

/// What there is when Ctrl+C came: the scene that was under way counts where it got as far as a row.
nlohmann::ordered_json withLast(nlohmann::ordered_json rows, const Result<nlohmann::ordered_json>& last) {
  if (last) rows.push_back(*last);
  return rows;
}

Result<nlohmann::ordered_json> timeScenes(std::vector<std::string> names, const BenchOptions& options) {
  const auto rigid = std::stable_partition(names.begin(), names.end(),
                                           [](const std::string& name) { return !isRigidBench(name); });
  double copyInMemory = 0;
  if (rigid != names.begin()) {
    copyInMemory = copySpeed(workingSetInMemory(), resolvedThreads(options.stepper));
    printHeading(copyInMemory);
    std::fflush(stdout);  // it may be a while until the first row
  }
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (auto name = names.begin(); name != rigid; ++name)
    for (const double from : windowsOf(*name, options)) {
      Result<nlohmann::ordered_json> row = benchScene(*name, from, copyInMemory, options);
      if (InterruptWatch::requested()) return withLast(std::move(rows), row);
      if (!row) return row.error();
      rows.push_back(std::move(*row));
    }
  if (rigid != names.end()) printRigidBenchHeading();
  for (auto name = rigid; name != names.end(); ++name) {
    Result<RigidWindow> window = RigidWindow::open(*name);
    if (!window) return window.error();
    rows.push_back(window->bench(kRigidSteps));
    if (InterruptWatch::requested()) return rows;
  }
  return rows;
}

Result<nlohmann::ordered_json> compareScenes(const std::vector<std::string>& names,
                                             const BenchOptions& options) {
  printComparisonHeading(*options.compare);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const std::string& name : names)
    for (const double from : windowsOf(name, options)) {
      Result<nlohmann::ordered_json> row = compareWindow(
          {*options.compare, name, from, isRigidBench(name) ? kRigidSteps : options.steps, options.stepper});
      if (InterruptWatch::requested()) return withLast(std::move(rows), row);
      if (!row) return row.error();
      rows.push_back(std::move(*row));
    }
  return rows;
}

int bench(const BenchOptions& options) {
  if (options.turns && options.scenes.size() == 1)
    return serveTurns(options.scenes.front(), options.from.value_or(0), options.stepper);
  if (options.json) {
    if (const Result<void> writable = checkWritableFile(*options.json); !writable)
      return fail(writable.error());
  }
  std::printf("%s\n%s, %d steps of each scene\n\n", cpuName().c_str(), deviceLine(options.stepper).c_str(),
              options.steps);
  const std::vector<std::string> names = namesOf(options);
  const InterruptWatch interrupt;
  const Result<nlohmann::ordered_json> rows =
      options.compare ? compareScenes(names, options) : timeScenes(names, options);
  if (!rows) return fail(rows.error());
  if (options.json)
    if (const Result<void> written = writeReport(*options.json, *rows); !written)
      return fail(written.error());
  if (!InterruptWatch::requested()) return kSuccess;
  InterruptWatch::say("bench: stopped early", "rows until then: " + std::to_string(rows->size()));
  return InterruptWatch::status();
}

void addCompared(CLI::App& verb, BenchOptions& options) {
  auto* compare = verb.add_option("--compare", options.compare,
                                  "another slipstick: both step the same scenes, rigid scenes too, by "
                                  "turns, and ratios are printed")
                      ->type_name(kFile);
  verb.add_flag("--turns", options.turns)->group("")->excludes(compare);  // how --compare talks to both
}

VerbAction offer(CLI::App& verb) {
  const auto options = std::make_shared<BenchOptions>();
  std::string names = "default: all shipped scenes and the rigid ones:";
  for (const std::string& name : rigidBenchNames()) names += ' ' + name;
  verb.add_option("scenes", options->scenes, names)->type_name(kScene);
  addNumber(verb, "--steps", options->steps, {1, 1'000'000}, "of each scene");
  addNumber(verb, "--from", options->from, kTimes,
            "simulated time of the first timed step [s]; unset: 0, and for the published tasks once "
            "more where contact is busiest");
  addCompared(verb, *options);
  verb.add_option("--json", options->json,
                  "the rows to a file: of a scene what `run --report` has, and under transfer the bytes "
                  "of P2G and G2P, their speed, and that of copies by as many threads")
      ->type_name(kFile);
  addStepper(verb, options->stepper);
  return [options] { return bench(*options); };
}

}  // namespace

Verb benchVerb() {
  return {"bench", "Time scenes, beside the published figures", offer};
}

}  // namespace slipstick::app
