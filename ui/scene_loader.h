// Loads scenes on a thread of its own, so that a large mesh never freezes the window.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/runtime/simulation_thread.h"
#include "ui/studio.h"

namespace slipstick::ui {

/// A loaded scene with a simulation ready to run, paused at t = 0.
struct OpenedScene {
  std::unique_ptr<SimulationThread> simulation;
  std::vector<Notice> notices;
};

/// One load at a time; a request made meanwhile waits, and only the last such request is kept.
class SceneLoader : public QObject {
  Q_OBJECT

 public:
  using Finished = std::function<void(std::string source, Result<OpenedScene>)>;

  /// @param onPublish  handed to every simulation (called on its thread)
  /// @param onFinished called on the UI thread
  SceneLoader(const StudioServices& services, std::function<void()> onPublish, Finished onFinished);

  /// Of scenes that are loaded from now on, instead of the services' own.
  void setMakeStepper(MakeStepper makeStepper) { makeStepper_ = std::move(makeStepper); }
  void load(const std::string& source);
  bool isLoading() const { return loading_; }

 private:
  void start(const std::string& source);
  void finish(const std::string& source, Result<OpenedScene> result);

  const StudioServices& services_;
  MakeStepper makeStepper_;
  std::function<void()> onPublish_;
  Finished onFinished_;
  bool loading_ = false;
  std::optional<std::string> waiting_;
  std::jthread worker_;
};

}  // namespace slipstick::ui
