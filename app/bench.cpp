// slipstick bench: how fast the scenes run here, beside the published figures.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>

#include "app/headless_run.h"
#include "app/output_path.h"
#include "app/progress.h"
#include "app/rigid_bench.h"
#include "app/run_statistics.h"
#include "app/verbs.h"
#include "assets/scene_io.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

struct Published {
  std::string_view scene;
  double step_ms;
  std::string_view source;
};

/// Yu 2025, Table I (RTX 4090); Zong 2024.
constexpr std::array kPublished = {
    Published{"dough_rolling", 21.7, "Yu 2025, RTX 4090"},
    Published{"box_bagging", 45.3, "Yu 2025, RTX 4090"},
    Published{"laundry", 18.9, "Yu 2025, RTX 4090"},
    Published{"tshirt_folding", 21.5, "Yu 2025, RTX 4090"},
    Published{"shake", 231.1, "Yu 2025, RTX 4090"},
    Published{"dough_tearing", 860, "Zong 2024"},
    Published{"water_pouring", 850, "Zong 2024"},
};

const Published* publishedFor(const std::string& scene) {
  for (const Published& row : kPublished) {
    if (row.scene == scene) return &row;
  }
  return nullptr;
}

/// Steps the scene and prints its row. @return the row for the JSON file
Result<nlohmann::ordered_json> benchScene(const std::string& name, const BenchOptions& options) {
  using Clock = std::chrono::steady_clock;
  SceneOptions sceneOptions;
  sceneOptions.scene = name;
  sceneOptions.stepper = options.stepper;
  sceneOptions.quiet = true;
  Result<std::unique_ptr<HeadlessRun>> created = HeadlessRun::create(sceneOptions);
  if (!created) return created.error();
  HeadlessRun& run = **created;
  RunStatistics statistics;
  double total = 0;
  {
    Progress progress(options.steps * run.model()->time.dt, false);
    const InterruptWatch interrupt;
    for (int i = 0; i < options.steps && !interrupt.requested(); ++i) {
      const Clock::time_point start = Clock::now();
      if (const Result<void> stepped = run.step(); !stepped) return stepped.error();
      const double wall = std::chrono::duration<double>(Clock::now() - start).count();
      total += wall;
      statistics.add(run.snapshot(), wall, run.model()->time.dt);
      progress.update(run.snapshot().time);
    }
  }
  const double perParticle = statistics.particleSubstep_ns(run.model()->particleCount());
  const Published* published = publishedFor(run.model()->name);
  std::printf("%-18s %9zu %5s %9s %9s %9s %8s %10s %7s %9s  ", run.model()->name.c_str(),
              run.model()->particleCount(), fixed(statistics.meanSubsteps(), 0).c_str(),
              fixed(statistics.meanStep_ms(), 2).c_str(), fixed(statistics.percentileStep_ms(50), 2).c_str(),
              fixed(statistics.percentileStep_ms(99), 2).c_str(),
              fixed(run.snapshot().time / total, 2).c_str(), fixed(perParticle, 0).c_str(),
              fixed(statistics.meanIterations(), 1).c_str(), fixed(statistics.meanContacts(), 0).c_str());
  if (published != nullptr) {
    std::printf("%s ms (%s)\n", fixed(published->step_ms, 1).c_str(), std::string(published->source).c_str());
  } else {
    std::printf("-\n");
  }
  std::fflush(stdout);
  nlohmann::ordered_json row = statistics.report(run, options.stepper, total);
  row["ns_per_particle_substep"] = perParticle;
  if (published != nullptr)
    row["published"] = {{"ms_per_step", published->step_ms}, {"source", published->source}};
  return row;
}

}  // namespace

/// Rigid steps take microseconds: as many as it takes for a mean that stands.
constexpr int kRigidSteps = 500;

int bench(const BenchOptions& options) {
  if (options.json) {
    if (const Result<void> writable = checkWritableFile(*options.json); !writable)
      return fail(writable.error());
  }
  std::vector<std::string> names = options.scenes;
  if (names.empty()) {
    for (const assets::ShippedScene& scene : assets::shippedScenes()) names.push_back(scene.name);
    for (const std::string& name : rigidBenchNames()) names.push_back(name);
  }
  const auto rigid = std::stable_partition(names.begin(), names.end(),
                                           [](const std::string& name) { return !isRigidBench(name); });
  std::printf("%s\n%s, first %d steps of each scene\n\n", cpuName().c_str(),
              deviceLine(options.stepper).c_str(), options.steps);
  if (rigid != names.begin())
    std::printf("%-18s %9s %5s %9s %9s %9s %8s %10s %7s %9s  %s\n", "scene", "particles", "N", "ms/step",
                "p50", "p99", "rate", "ns/part/N", "iter", "contacts", "published");
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name == rigid) printRigidBenchHeading();
    Result<nlohmann::ordered_json> row =
        isRigidBench(*name) ? benchRigid(*name, kRigidSteps) : benchScene(*name, options);
    if (!row) return fail(row.error());
    rows.push_back(std::move(*row));
  }
  if (options.json) {
    std::ofstream file(*options.json);
    file << rows.dump(2) << '\n';
    if (!file.flush()) {
      return fail({ErrorCode::FileUnwritable, "could not be written", *options.json, "free some disk space"});
    }
  }
  return kSuccess;
}

}  // namespace slipstick::app
