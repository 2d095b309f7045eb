#include "engine/runtime/method_run.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "engine/foundation/number_text.h"

namespace slipstick {

namespace {

/// The bodies with the largest forces.
constexpr std::size_t kMaxBodies = 8;

/// Of all methods, the largest force first.
std::vector<std::string> bodiesOf(std::span<const MethodFigures> all) {
  std::map<std::string, double> largest;
  for (const MethodFigures& figures : all)
    for (const MethodFigures::Force& force : figures.forces)
      largest[force.body] = std::max(largest[force.body], force.mean.norm());
  std::vector<std::string> bodies;
  for (const auto& [body, force] : largest) bodies.push_back(body);
  std::stable_sort(bodies.begin(), bodies.end(),
                   [&](const std::string& a, const std::string& b) { return largest[a] > largest[b]; });
  return bodies;
}

}  // namespace

MethodRun methodRunOf(std::string name, std::unique_ptr<HeadlessRun> run) {
  MethodRun started;
  started.name = std::move(name);
  started.run = std::move(run);
  started.method = started.run->stepper().method();
  started.runsOn = started.run->stepper().runsOn();
  started.tally = MethodTally(started.run->model());
  return started;
}

void runMethod(MethodRun& method, double duration, const std::vector<double>& moments,
               const std::function<bool()>& onStep, const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  HeadlessRun& run = *method.run;
  const std::uint64_t steps = run.stepsTo(duration);
  const auto keep = [&](std::uint64_t step) {
    return std::any_of(moments.begin(), moments.end(),
                       [&](double time) { return run.stepsTo(time) == step; });
  };
  const auto keepPicture = [&] {
    auto snapshot = std::make_shared<Snapshot>(run.snapshot());
    snapshot->model = run.model();
    method.pictures.push_back(std::move(snapshot));
  };
  method.tally.add(run.snapshot(), 0);
  if (keep(0)) {
    method.outcome = run.observe(Detail::Particles);
    keepPicture();
  }
  for (bool goOn = onStep(); goOn && method.outcome && run.snapshot().step < steps; goOn = onStep()) {
    const bool picture = keep(run.snapshot().step + 1);
    const Clock::time_point start = Clock::now();
    const Result<void> stepped = run.step({}, picture ? Detail::Particles : Detail::Facts, stop);
    if (!stepped && stepped.error().code == ErrorCode::Cancelled) break;
    method.outcome = stepped;
    if (!method.outcome) break;
    method.tally.add(run.snapshot(), std::chrono::duration<double>(Clock::now() - start).count());
    if (picture) keepPicture();
  }
  method.run.reset();  // its memory
}

Vec3 forceOn(const MethodFigures& figures, const std::string& body) {
  for (const MethodFigures::Force& force : figures.forces)
    if (force.body == body) return force.mean;
  return Vec3::Zero();
}

double msPerStep(const MethodFigures& f) {
  return f.steps > 0 ? 1e3 * f.wall / f.steps : 0;
}
double msPerSimulatedSecond(const MethodFigures& f) {
  return f.simulated > 0 ? 1e3 * f.wall / f.simulated : 0;
}

MethodTable tabulate(std::span<const MethodRun> runs, double from, double to) {
  std::vector<MethodFigures> all;
  MethodTable table;
  for (const MethodRun& run : runs) {
    all.push_back(run.tally.figures(from, to));
    table.runs.push_back(run.name);
  }
  const auto row = [&](const std::string& name, const auto& value) {
    MethodTable::Row line{name, {}};
    for (std::size_t i = 0; i < runs.size(); ++i) line.values.push_back(value(i));
    table.rows.push_back(std::move(line));
  };
  // A run that has not begun, or not come to the window, says nothing about it, and not 0.
  const auto ofWhole = [&](const std::string& name, const auto& value) {
    row(name, [&](std::size_t i) { return all[i].steps > 0 ? significant(value(all[i]), 4) : "-"; });
  };
  const auto ofWindow = [&](const std::string& name, const auto& value) {
    row(name, [&](std::size_t i) { return all[i].covered > 0 ? significant(value(all[i]), 4) : "-"; });
  };
  row("step [ms]", [&](std::size_t i) { return significant(1e3 * runs[i].tally.model().time.dt, 4); });
  const std::vector<std::string> bodies = bodiesOf(all);
  for (std::size_t b = 0; b < std::min(bodies.size(), kMaxBodies); ++b)
    ofWindow("|mean force| on " + bodies[b] + " [N]",
             [&](const MethodFigures& f) { return forceOn(f, bodies[b]).norm(); });
  ofWindow("deepest contact, mean [mm]", [](const MethodFigures& f) { return 1e3 * f.penetration; });
  ofWindow("deepest contact of all [mm]", [](const MethodFigures& f) { return 1e3 * f.deepest; });
  ofWindow("slip, mean by force [mm/s]", [](const MethodFigures& f) { return 1e3 * f.slip; });
  row("simulated of that window [s]", [&](std::size_t i) { return significant(all[i].covered, 4); });
  ofWhole("energy gained at most, whole run [J]", [](const MethodFigures& f) { return f.energyGain; });
  ofWhole("energy at the end, less the start's [J]", [](const MethodFigures& f) { return f.energyEnd; });
  ofWhole("momentum error, whole run", [](const MethodFigures& f) { return f.momentumError; });
  row("steps not converged", [&](std::size_t i) {
    return std::to_string(all[i].notConverged) + " of " + std::to_string(all[i].steps);
  });
  ofWhole("ms per step", msPerStep);
  ofWhole("ms per simulated second", msPerSimulatedSecond);
  row("simulated [s]", [&](std::size_t i) { return significant(all[i].simulated, 4); });
  return table;
}

}  // namespace slipstick
