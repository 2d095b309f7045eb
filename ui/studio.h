// The studio's entry point: everything that the command line needs to know about the window.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/runtime/data_outputs.h"
#include "engine/runtime/episode_outcome.h"
#include "engine/runtime/method_run.h"
#include "engine/runtime/run_walk.h"
#include "engine/runtime/simulation_thread.h"
#include "engine/teleop/device.h"
#include "render/view.h"

namespace slipstick::ui {

/// What the window asks of the rest of the program; app/ supplies it (ui/ must not depend on assets/).
struct StudioServices {
  struct Loaded {
    std::shared_ptr<const Model> model;
    std::vector<Notice> notices;
    std::shared_ptr<const StoredRun> stored =
        nullptr;  ///< a recording that was opened, of the model; null: a scene was
  };
  /// Loads and compiles a scene, a robot, a mesh or a recording, by path or shipped name; called off the UI thread. Says
  /// how far it is; once cancelled it ends with an error of the code Cancelled.
  std::function<Result<Loaded>(const std::string& nameOrPath, LoadProgress& progress)> load;
  std::vector<std::string>
      openableSuffixes;     ///< of files that load() takes, lower case, without dots: "yaml"
  MakeStepper makeStepper;  ///< called off the UI thread
  /// What can step a scene. One that names none gets what method_choice.h chooses, or the first where that cannot step it.
  struct Method {
    std::string name;
    std::string description;                                    ///< a few words
    std::function<std::vector<Error>(const Model&)> obstacles;  ///< why it cannot step a model; empty: it can
    std::function<std::vector<std::string>(const Model&)> notes;  ///< what it ignores of a model, a line each
  };
  std::vector<Method> methods;
  /// The same for runs beside the open one, with a part of the cores each; null: makeStepper.
  MakeStepper makeBesideStepper = nullptr;
  MakeStepper makeCpuStepper;  ///< the same on the CPU, for when the backend of the other one has failed
  struct SceneEntry {
    std::string name, title, file;
    std::string subject = {};  ///< heading that it stands under on the start page
    std::string picture = {};  ///< file, 16:9
  };
  std::vector<SceneEntry> shippedScenes;  ///< in the order of the start page
  std::vector<SceneEntry> shippedRobots;  ///< the same; they are opened by file
  /// Writes a scene with numbers that differ from it (by the paths of engine/model/parameters.h) to a file, whole or
  /// not at all; called off the UI thread.
  std::function<Result<void>(const Scene& scene,
                             const std::vector<std::pair<std::string, ParameterValue>>& numbers,
                             const std::string& file)>
      save;
  /// The edit that has convex parts stand for the meshes of a robot or body that are not convex, and what became of each
  /// mesh; called off the UI thread. It takes seconds; errors: Cancelled.
  struct Split {
    SplitMeshes edit;
    std::vector<Notice> notices;
  };
  std::function<Result<Split>(const RobotSpec& robot, LoadProgress& progress)> splitMeshes;
  std::vector<ExportKind> exportKinds;  ///< what exportData() can write, in the order of its dialog
  struct DataWritten {
    bool isWhole = true;               ///< false: it was stopped before the end
    double reached = 0;                ///< [s]
    std::vector<std::string> notices;  ///< what a person should know about the files
  };
  /// Walks through a run and writes; of any thread. Errors: what cannot be, or the first that went wrong on the way;
  /// files that could be made whole then show how it came about.
  /// @param what       with its times
  /// @param onReached  called with the simulated time of each step [s]
  std::function<Result<DataWritten>(RunWalk& run, const DataOutputs& what, const std::stop_token& stop,
                                    const std::function<void(double)>& onReached)>
      exportData;
  /// Writes a comparison of methods as slipstick compare does: figures of a time window as JSON, or, by the name, every step
  /// as CSV; of any thread. @param from, to  the window [s]
  std::function<Result<void>(std::span<const MethodRun> runs, double from, double to,
                             const std::string& file)>
      saveComparison;
  /// What steps are handed to so that they end in a file.
  std::function<std::shared_ptr<RunRecorder>(const std::string& file)> record;
  /// Writes what is still remembered of a run to a file, whole or not at all; called off the UI thread.
  std::function<Result<void>(const std::string& file, const RunSource& run, const SimulationThread::End& end,
                             const std::stop_token& stop)>
      recordPast;
  /// A recorded try at a task, as lists show it.
  struct Episode {
    std::string file;          ///< absolute
    std::string broken = {};   ///< why it cannot be read; the rest is empty then
    std::string scene = {};    ///< name
    std::string created = {};  ///< "2026-11-25T14:00:00Z"
    std::optional<std::uint64_t> seed = {};
    EpisodeOutcome outcome = EpisodeOutcome::Open;
    std::string note = {};
    double length = 0;  ///< simulated time [s]
    bool operator==(const Episode&) const = default;
  };
  struct EpisodePicture {
    double time = 0;  ///< [s]
    std::string jpeg;
  };
  /// Tries in files; of any thread.
  struct EpisodeFiles {
    std::function<Result<std::vector<Episode>>(const std::string& folder)>
        list;  ///< in the order of their making
    std::function<Result<void>(const std::string& file, EpisodeOutcome outcome)> setOutcome;
    std::function<Result<void>(const std::string& file, const std::string& note)> setNote;
    std::function<Result<void>(const std::string& file, const std::vector<EpisodePicture>& pictures)>
        setPictures;
    std::function<Result<std::vector<EpisodePicture>>(const std::string& file)> pictures;
    /// Under a free name. @return where the copy is
    std::function<Result<std::string>(const std::string& file, const std::string& folder)> copy;
    /// As slipstick demos does it, whole or not at all. @param goesOn  told how far it is, 0 … 1; false ends it
    /// @return what a person should know of the file
    std::function<Result<std::string>(const std::vector<std::string>& files, const std::string& out,
                                      const std::function<bool(double)>& goesOn)>
        exportDemos;
  };
  EpisodeFiles episodes;
  struct Devices {
    std::vector<std::unique_ptr<DeviceDriver>> drivers;  ///< none has looked for anything yet
    std::function<std::string()> networkText;            ///< see Driving::networkText()
  };
  /// What arms can be driven with beside the keyboard.
  /// @param newest  the newest step, for devices that tell it to others; of any thread
  std::function<Devices(std::function<DeviceFeedback()> newest)> deviceDrivers;
  std::string deviceLine;  ///< all devices found, and why there is no GPU: a tooltip
};

struct StudioOptions {
  std::string scene;                        ///< path or shipped name; empty = the gallery
  std::optional<std::string> screenshot;    ///< save the whole window here …
  double screenshotAt = 0;                  ///< … once this simulated time is reached [s], then quit
  std::optional<render::ViewOptions> view;  ///< what is drawn at first; none: as it was left
  std::string select;                       ///< as Focus::selectByName takes it; empty: nothing
  std::vector<std::string> pins;            ///< as PinBoard::pinByName takes them
  bool why = false;                         ///< the card "why does it slip?" is open
  std::optional<double> ghost;              ///< time of a ghost of the run [s]
  bool light = false;                       ///< theme; of a window that remembers: only if set
  bool looksForDevices = false;             ///< from the start, not only from the first driving on
  int width = 1600, height = 960;           ///< first size of the window [logical px]
};

/// Runs the window until it is closed; returns the exit status (1 when the scene or the screenshot failed;
/// message on stderr).
int runStudio(int& argc, char** argv, const StudioServices& services, const StudioOptions& options);

}  // namespace slipstick::ui
