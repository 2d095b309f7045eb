#include "app/scene_run.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "app/method_facts.h"
#include "app/progress.h"
#include "app/walk_of.h"
#include "assets/one_line.h"
#include "assets/scene_io.h"
#include "engine/compile/method_change.h"
#include "engine/model/assumed_mass.h"
#include "engine/model/method_choice.h"

namespace slipstick::app {

namespace {

/// A device that was chosen for people is news to them; the CPU is not.
void sayWhichDevice(const SceneOptions& options, const Registry& registry, const Model& model,
                    const Stepper& stepper) {
  const std::string first = registry.backends().front();
  if (options.quiet || options.stepper.backend != "auto" || first == "cpu" || stepper.backendName() != first)
    return;
  std::cerr << "slipstick: " << model.name << ": runs on " << stepper.runsOn() << '\n';
}

void sayWhichMethod(const SceneOptions& options, const Model& model, const Stepper& stepper,
                    const std::vector<char>& assumed) {
  if (options.quiet) return;
  if (const auto news = methodNews(model, stepper.method(), options.stepper, assumed))
    std::cerr << "slipstick: " << model.name << ": " << *news << '\n';
}

void sayWhatIsIgnored(const SceneOptions& options, const Registry& registry, const Model& model,
                      const Stepper& stepper) {
  if (options.quiet) return;
  for (const std::string& note : registry.notes(std::string(stepper.method()), model))
    std::cerr << "slipstick: " << model.name << ": " << note << '\n';
}

}  // namespace

Result<std::unique_ptr<HeadlessRun>> openRun(const SceneOptions& options, Detail detail,
                                             const Registry& registry, std::vector<char>* assumed) {
  if (isRecording(options.scene))
    return Error{
        ErrorCode::Unsupported, "this is a recording, which is not simulated anew", options.scene,
        "use slipstick replay, render or export, or open it in the studio and resume from one of its steps"};
  assets::LoadOptions load;
  load.overrides = options.overrides;
  load.packagePaths.assign(options.packagePaths.begin(), options.packagePaths.end());
  load.seed = options.seed;
  load.mayRunXacro = options.mayRunXacro;
  load.methods = registry.table();
  LoadProgress progress;
  load.progress = &progress;
  Result<assets::LoadedModel> loaded = [&] {
    const LoadWatch watch(progress, options.quiet);
    return assets::loadModel(options.scene, load);
  }();
  if (!loaded) return loaded.error();
  for (const Notice& notice : loaded->notices) {
    if (!options.quiet && notice.level == Notice::Level::Warning) {
      std::cerr << "slipstick: " << assets::oneLine(notice.where + ": " + notice.what) << '\n';
    }
  }
  Result<std::unique_ptr<HeadlessRun>> run = runOf(loaded->model, options.stepper, detail, registry);
  if (!run) return run;
  sayWhichDevice(options, registry, *(*run)->model(), (*run)->stepper());
  const std::vector<char> guessed = assumedMasses(*loaded->model, loaded->notices);
  sayWhichMethod(options, *(*run)->model(), (*run)->stepper(), guessed);
  sayWhatIsIgnored(options, registry, *(*run)->model(), (*run)->stepper());
  if (assumed != nullptr) *assumed = guessed;
  return run;
}

Result<std::unique_ptr<HeadlessRun>> runOf(std::shared_ptr<const Model> model, const StepperOptions& options,
                                           Detail detail, const Registry& registry) {
  if (const Result<std::string> method = registry.methodFor(*model, options)) {
    Result<std::shared_ptr<const Model>> made = withNodesOf(std::move(model), *method);
    if (!made) return made.error();
    model = withRowsOf(std::move(*made), *method);
  }
  Result<std::unique_ptr<Stepper>> stepper = registry.makeStepper(model, options);
  if (!stepper) return stepper.error();
  return HeadlessRun::of(std::move(model), std::move(*stepper), detail);
}

/// A command may hold any text, and a terminal obeys some.
void sayDropped(const Model& model, const DroppedCommands& dropped) {
  if (dropped.count == 0) return;
  std::cerr << "slipstick: " << model.name
            << ": commands that could not be applied, and were left out: " << dropped.count
            << "; the last: " << assets::shortLine(dropped.why) << '\n';
}

int recordedThreads(const std::string& runsOn) {
  const std::size_t at = runsOn.find(" thread");
  if (at == std::string::npos) return 0;
  const std::size_t begin = runsOn.find_last_not_of("0123456789", at - 1) + 1;
  return begin < at ? std::atoi(runsOn.substr(begin, at - begin).c_str()) : 0;
}

int resolvedThreads(const StepperOptions& options) {
  if (options.threads > 0) return options.threads;
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace slipstick::app
