#ifdef SLIPSTICK_HAS_STUDIO

#include "app/studio_services.h"

#include <algorithm>
#include <thread>

#include "app/devices/drivers.h"
#include "app/episode_files.h"
#include "app/export_data.h"
#include "app/method_tables.h"
#include "app/run_statistics.h"
#include "app/scene_run.h"
#include "app/stepping.h"
#include "app/walk_of.h"
#include "assets/convex_parts.h"
#include "assets/export/exporter.h"
#include "assets/gallery_index.h"
#include "assets/openable.h"
#include "assets/recording/live_recorder.h"
#include "assets/recording/recorded_run.h"
#include "assets/scene_file.h"
#include "assets/scene_io.h"
#include "engine/compile/method_change.h"
#include "engine/model/method_choice.h"

namespace slipstick::app {

namespace {

using DataWritten = ui::StudioServices::DataWritten;

Result<DataWritten> exportForWindow(RunWalk& run, const DataOutputs& what, const std::stop_token& stop,
                                    const std::function<void(double)>& onReached) {
  const Result<DataReport> report = exportData(run, what, stop, onReached);
  if (!report) return report.error();
  if (!report->errors.empty()) return report->errors.front();
  return DataWritten{report->isWhole, report->reached, report->notices};
}

/// Of each mesh as many parts as most links of arms need.
Result<ui::StudioServices::Split> splitForWindow(const RobotSpec& robot, LoadProgress& progress) {
  constexpr int kMax = 12;
  ui::StudioServices::Split split;
  Result<SplitMeshes> edit = assets::splitOf(robot, kMax, split.notices, &progress);
  if (!edit) return edit.error();
  split.edit = *std::move(edit);
  return split;
}

/// "network: poses at …, states at …; 1000 messages taken, 2 refused, the newest: …"
std::string networkText(const NetworkFacts& facts) {
  const NetworkAddresses addresses = facts.addresses();
  if (addresses.poses.empty() && addresses.state.empty()) return {};
  const NetworkCounts counts = facts.counts();
  std::string text = "network: poses at " + addresses.poses + ", states at " + addresses.state + "; " +
                     std::to_string(counts.taken) + " messages taken, " +
                     std::to_string(counts.refusedInAll()) + " refused";
  if (!counts.newestRefusal.empty()) text += ", the newest: " + counts.newestRefusal;
  return text;
}

/// Of a run beside four others: the open one shall have all that it needs. The results are the same.
StepperOptions withPartOfCores(StepperOptions stepper) {
  constexpr int kRuns = 5;
  const int cores =
      stepper.threads > 0 ? stepper.threads : static_cast<int>(std::thread::hardware_concurrency());
  stepper.threads = std::max(1, cores / kRuns);
  return stepper;
}

}  // namespace

ui::StudioServices studioServices(const SceneOptions& options, const NetworkOptions& network) {
  ui::StudioServices services;
  services.load = [options](const std::string& nameOrPath,
                            LoadProgress& progress) -> Result<ui::StudioServices::Loaded> {
    assets::LoadOptions load;
    if (isRecording(nameOrPath)) {
      auto recording = assets::RecordedRun::open(nameOrPath, &progress, stepping().table());
      if (!recording) return recording.error();
      return ui::StudioServices::Loaded{(*recording)->model(), (*recording)->recording().notices(),
                                        *recording};
    }
    // Overrides belong to the scene of the command line, not to others opened later.
    if (nameOrPath == options.scene) load.overrides = options.overrides;
    // Of all of them, and part of the scene: another method may be chosen in the window.
    if (!options.stepper.method.empty()) load.overrides.push_back("solver.method=" + options.stepper.method);
    load.packagePaths.assign(options.packagePaths.begin(), options.packagePaths.end());
    load.progress = &progress;
    load.mayRunXacro = options.mayRunXacro;
    load.methods = stepping().table();
    Result<assets::LoadedModel> loaded = assets::loadModel(nameOrPath, load);
    if (!loaded) return loaded.error();
    // The window says what steps it: where the chosen method cannot on the backend that is asked for, another one does.
    StepperOptions asked = options.stepper;
    asked.method.clear();
    const Result<std::string> method = stepping().methodFor(*loaded->model, asked);
    if (!method) return ui::StudioServices::Loaded{loaded->model, std::move(loaded->notices)};
    Result<std::shared_ptr<const Model>> model = withMethod(loaded->model, *method);
    if (!model) return model.error();
    return ui::StudioServices::Loaded{std::move(*model), std::move(loaded->notices)};
  };
  StepperOptions stepper = options.stepper;
  stepper.method.clear();
  services.makeStepper = [stepper](std::shared_ptr<const Model> model) {
    return stepping().makeStepper(std::move(model), stepper);
  };
  for (const MethodEntry& method : stepping().methods())
    services.methods.push_back(
        {method.name, method.description,
         [&method, backend = stepper.backend](const Model& model) {
           return stepping().obstacles(method, model, backend);
         },
         [name = method.name](const Model& model) { return stepping().notes(name, model); }});
  services.makeBesideStepper = [beside = withPartOfCores(stepper)](std::shared_ptr<const Model> model) {
    return stepping().makeStepper(std::move(model), beside);
  };
  StepperOptions cpu = stepper;
  cpu.backend = "cpu";
  services.save = [packages = options.packagePaths](const Scene& scene, const assets::ChangedNumbers& numbers,
                                                    const std::string& file) {
    return assets::saveScene(scene, numbers, file, {packages.begin(), packages.end()});
  };
  services.saveComparison = [](std::span<const MethodRun> runs, double from, double to,
                               const std::string& file) {
    return file.ends_with(".json") ? writeMethodReport(runs, from, to, file) : writeMethodCsv(runs, file);
  };
  services.splitMeshes = splitForWindow;
  for (const assets::Exporter& exporter : assets::exporters()) services.exportKinds.push_back(exporter.kind);
  services.exportData = exportForWindow;
  services.makeCpuStepper = [cpu](std::shared_ptr<const Model> model) {
    return stepping().makeStepper(std::move(model), cpu);
  };
  for (const assets::GalleryEntry& entry : assets::galleryEntries())
    (entry.isRobot ? services.shippedRobots : services.shippedScenes)
        .push_back({entry.name, entry.title, entry.file.string(), entry.subject, entry.picture.string()});
  services.openableSuffixes = assets::openableSuffixes();
  for (const char* suffix : kRecordingSuffixes) services.openableSuffixes.emplace_back(suffix);
  assets::RecorderOptions recorder;
  recorder.program = "slipstick " SLIPSTICK_VERSION;
  recorder.packagePaths.assign(options.packagePaths.begin(), options.packagePaths.end());
  services.record = [recorder](const std::string& file) {
    return std::make_shared<assets::LiveRecorder>(file, recorder);
  };
  services.recordPast = [recorder](const std::string& file, const RunSource& run,
                                   const SimulationThread::End& end, const std::stop_token& stop) {
    return assets::recordPast(file, run, end, recorder, stop);
  };
  services.episodes = episodeFiles();
  services.deviceDrivers = [network](std::function<DeviceFeedback()> newest) {
    DeviceDrivers devices = deviceDrivers(network, std::move(newest));
    return ui::StudioServices::Devices{std::move(devices.drivers),
                                       [facts = devices.network] { return networkText(*facts); }};
  };
  services.deviceLine = deviceLine(options.stepper);
  return services;
}

}  // namespace slipstick::app

#endif
