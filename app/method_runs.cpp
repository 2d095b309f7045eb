#include "app/method_runs.h"

#include <algorithm>
#include <chrono>
#include <iostream>

#include "app/progress.h"

namespace slipstick::app {

namespace {

/// "implicit:time.dt_ms=10" of one method's overrides: "time.dt_ms=10"; empty: it is not of this method.
std::string ownPart(const std::string& text, const std::string& method) {
  return text.starts_with(method + ':') ? text.substr(method.size() + 1) : std::string();
}

/// Whether an override begins with a method's name and a colon, which no path in a scene does.
bool isOwn(const std::string& text, const Registry& registry) {
  return std::any_of(registry.methods().begin(), registry.methods().end(),
                     [&](const MethodEntry& m) { return text.starts_with(m.name + ':'); });
}

}  // namespace

Result<std::vector<MethodRun>> prepareMethods(const CompareOptions& options, const Registry& registry) {
  std::vector<std::string> names = options.methods;
  if (names.empty())
    for (const MethodEntry& method : registry.methods()) names.push_back(method.name);
  std::vector<MethodRun> runs;
  for (const std::string& name : names) {
    SceneOptions scene = options.scene;
    scene.stepper.method = name;
    scene.overrides.clear();
    MethodRun method;
    method.method = name;
    for (const std::string& text : options.scene.overrides) {
      if (!isOwn(text, registry)) scene.overrides.push_back(text);
      if (const std::string own = ownPart(text, name); !own.empty()) method.overrides.push_back(own);
    }
    scene.overrides.insert(scene.overrides.end(), method.overrides.begin(), method.overrides.end());
    scene.quiet = scene.quiet || !runs.empty();  // notices of the import once
    Result<std::unique_ptr<HeadlessRun>> run = HeadlessRun::create(scene, Detail::Facts, registry);
    if (!run && options.methods.empty() && run.error().code == ErrorCode::Unsupported) {
      if (!options.scene.quiet)
        std::cerr << "slipstick: " << name << " is left out: " << run.error().message() << '\n';
      continue;
    }
    if (!run) return run.error();
    method.run = std::move(*run);
    method.runsOn = method.run->stepper().runsOn();
    method.tally = MethodTally(method.run->model());
    runs.push_back(std::move(method));
  }
  if (!runs.empty()) return runs;
  return Error{ErrorCode::Unsupported, "no method can step this scene", options.scene.scene,
               "name one by --methods to learn why"};
}

void runMethod(MethodRun& method, double duration, const std::vector<double>& moments,
               const std::function<void(double time)>& onStep) {
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
  while (method.outcome && run.snapshot().step < steps && !InterruptWatch::requested()) {
    const bool picture = keep(run.snapshot().step + 1);
    const Clock::time_point start = Clock::now();
    method.outcome = run.step({}, picture ? Detail::Particles : Detail::Facts);
    if (!method.outcome) break;
    method.tally.add(run.snapshot(), std::chrono::duration<double>(Clock::now() - start).count());
    if (picture) keepPicture();
    onStep(run.snapshot().time);
  }
  method.run.reset();  // its memory
}

}  // namespace slipstick::app
