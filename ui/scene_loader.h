// Loads scenes on a thread of its own, so that a large mesh never freezes the window.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/runtime/simulation_thread.h"
#include "ui/beside.h"
#include "ui/file_state.h"
#include "ui/studio.h"

namespace slipstick::ui {

/// A loaded scene with a simulation ready to run, paused at t = 0.
struct OpenedScene {
  std::unique_ptr<SimulationThread> simulation;
  std::vector<Notice> notices;
  std::optional<FileState> read;  ///< the file as it was read; none: the scene was not named by its file
  std::shared_ptr<const StoredRun> stored;  ///< null: a scene was opened, not a recording of one
};

/// One load at a time; a request made meanwhile ends it and waits until it has. Only the last request counts.
class SceneLoader {
 public:
  using Finished = std::function<void(std::string source, Result<OpenedScene>)>;

  /// @param onPublish  handed to every simulation (called on its thread)
  /// @param onFinished called on the UI thread; not for loads that were cancelled or replaced
  SceneLoader(const StudioServices& services, std::function<void()> onPublish, Finished onFinished);
  ~SceneLoader() { cancel(); }

  /// Of scenes that are asked for from now on, instead of the services' own.
  void setMakeStepper(MakeStepper makeStepper) { makeStepper_ = std::move(makeStepper); }
  void load(const std::string& source);
  /// Nothing will be opened; what is being read ends as soon as it looks.
  void cancel();
  /// A load is under way or waits, and was not cancelled.
  bool isLoading() const { return loading_.isRunning(); }
  LoadProgress::Report progress() const;

 private:
  const StudioServices& services_;
  MakeStepper makeStepper_;
  std::function<void()> onPublish_;
  Finished onFinished_;
  std::shared_ptr<LoadProgress> progress_;  ///< of the last load; null where there was none
  Beside<OpenedScene> loading_;
};

}  // namespace slipstick::ui
