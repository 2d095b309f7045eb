// What of the energy of the shipped scenes nothing explains, under each method: tests/benchmarks/results/energy_audit.md.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/facts/health_note.h"
#include "tests/support/long_runs.h"
#include "tests/support/test_paths.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

/// What motors, paths, hands and moving boundaries gave in one step, as far as two snapshots tell [J]. Gravity is in the
/// potential energy.
double inputOf(const Model& model, const Snapshot& before, const Snapshot& after) {
  const double dt = after.time - before.time;
  double work = dt * after.tau.dot(0.5 * (before.v + after.v));
  for (const PrescribedMotion& motion : model.prescribed) {
    const auto body =
        static_cast<std::size_t>(model.tree.joints[static_cast<std::size_t>(motion.joint)].child);
    const Wrench& felt = after.contactWrench[body];
    work -= dt * (felt.force.dot(after.V_WB[body].v) + felt.torque.dot(after.V_WB[body].w));
  }
  for (std::size_t i = 0; i < model.boundaries.size(); ++i) {
    const Vec3 moved = model.boundaryPose(model.boundaries[i], after.time).p -
                       model.boundaryPose(model.boundaries[i], before.time).p;
    work -= after.boundaryForce[i].dot(moved);
  }
  return work;
}

struct Row {
  double energy = 0;  ///< largest kinetic and elastic energy [J]
  double input = 0;   ///< what was put in, without gravity, where it is positive [J]
  double gained = 0;  ///< largest rise of E − W above its lowest value before [J]
  int steps = 0;
  std::vector<HealthNote> notes;
  std::vector<int> counts;
};

void add(const HealthNote& note, Row& row) {
  const auto known = std::find_if(row.notes.begin(), row.notes.end(),
                                  [&](const HealthNote& n) { return isSamePair(n, note); });
  if (known != row.notes.end())
    return void(++row.counts[static_cast<std::size_t>(known - row.notes.begin())]);
  row.notes.push_back(note);
  row.counts.push_back(1);
}

/// At most so many steps, and as many as fit into so much time.
Row auditOf(testing::SceneRun& run, int steps, double seconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  Row row;
  Snapshot before = run.snapshot();
  double balance = 0, lowest = 0, energy = run.energy();
  for (; row.steps < steps; ++row.steps) {
    if (std::chrono::duration<double>(Clock::now() - start).count() > seconds) break;
    run.step();
    const Snapshot& now = run.snapshot();
    if (refused(now.report.health)) break;
    const double input = inputOf(run.model(), before, now);
    balance += run.energy() - energy - input;
    energy = run.energy();
    lowest = std::min(lowest, balance);
    row.input += std::max(0.0, input);
    row.gained = std::max(row.gained, balance - lowest);
    row.energy = std::max(row.energy, now.totals.kineticEnergy + now.totals.elasticEnergy);
    for (const HealthNote& note : now.healthNotes) add(note, row);
    before = now;
  }
  return row;
}

std::string wordsOf(const Model& model, const Row& row) {
  std::string words;
  for (std::size_t i = 0; i < row.notes.size(); ++i) {
    const auto [name, other] = namesOf(model, row.notes[i]);
    words += (i > 0 ? ", " : "") + std::string(infoOf(row.notes[i].flag).name) + " " + name + " / " + other +
             " in " + std::to_string(row.counts[i]);
  }
  return words.empty() ? "none" : words;
}

double numberFrom(const char* variable, double otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::atof(text) : otherwise;
}

std::vector<std::filesystem::path> shippedScenes() {
  std::vector<std::filesystem::path> scenes;
  for (const auto& entry : std::filesystem::directory_iterator(testing::sourceDir() / "assets" / "scenes"))
    if (entry.path().extension() == ".yaml") scenes.push_back(entry.path());
  std::sort(scenes.begin(), scenes.end());
  return scenes;
}

/// A line of the table, or why there is none.
std::string lineOf(const std::filesystem::path& scene, const std::string& method, int steps, double seconds) {
  const std::string start = "| " + scene.stem().string() + " | " + method + " | ";
  Result<assets::LoadedModel> loaded =
      assets::loadModel(scene.string(), {.overrides = {}, .packagePaths = {}});
  if (!loaded) {
    ADD_FAILURE() << loaded.error().message();
    return {};
  }
  const StepperOptions options{.method = method};
  if (const auto made = testing::stepping().makeStepper(loaded->model, options); !made)
    return start + "– | | | | it cannot step this scene |\n";
  testing::SceneRun run(loaded->model, options);
  const Row row = auditOf(run, steps, seconds);
  char numbers[200];
  std::snprintf(numbers, sizeof numbers, "%d | %.3g | %.3g | %.2g | ", row.steps, row.energy, row.input,
                row.gained);
  return start + numbers + wordsOf(run.model(), row) + " |\n";
}

/// SLIPSTICK_ENERGY_TABLE=FILE writes the table there; SLIPSTICK_AUDIT_STEPS=N and SLIPSTICK_AUDIT_SECONDS=S take other
/// windows than 1,000 steps and a minute.
TEST(EnergyTableFullRun, OfShippedScenes) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  const int steps = static_cast<int>(numberFrom("SLIPSTICK_AUDIT_STEPS", 1000));
  const double seconds = numberFrom("SLIPSTICK_AUDIT_SECONDS", 60);
  std::string table =
      "| scene | method | steps | largest E [J] | put in [J] | gained unexplained [J] | flags |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const std::filesystem::path& scene : shippedScenes())
    for (const char* method : {"async", "strong", "implicit"}) {
      const std::string line = lineOf(scene, method, steps, seconds);
      std::printf("%s", line.c_str());
      std::fflush(stdout);
      table += line;
    }
  if (const char* const file = std::getenv("SLIPSTICK_ENERGY_TABLE")) std::ofstream(file) << table;
}

/// Each under the method that it names.
TEST(EnergyGainedFullRun, ComesInNoThousandStepsOfAShippedScene) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  for (const std::filesystem::path& scene : shippedScenes()) {
    const std::string name = scene.stem().string();
    testing::SceneRun run(name);
    ASSERT_TRUE(run.ok()) << name;
    int flagged = 0, steps = 0;
    std::string first;
    for (; steps < 1000; ++steps) {
      run.step();
      ASSERT_FALSE(refused(run.snapshot().report.health)) << name << ", step " << steps;
      for (const HealthNote& note : run.snapshot().healthNotes)
        if (note.flag == Health::EnergyGained && flagged++ == 0)
          first = noteText(run.model(), note) + ", step " + std::to_string(run.snapshot().step);
    }
    std::printf("%s: %d of %d steps flagged %s\n", name.c_str(), flagged, steps, first.c_str());
    std::fflush(stdout);
    EXPECT_EQ(flagged, 0) << name << ": " << first;
  }
}

}  // namespace
}  // namespace slipstick
