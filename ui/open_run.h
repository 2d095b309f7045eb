// The run of the open scene: the simulation that computes it, and the recording it was opened from, if it was.
#pragma once

#include <QObject>
#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "engine/runtime/departure.h"
#include "engine/runtime/simulation_thread.h"

namespace slipstick::ui {

/// Only who has it without const changes the run; panels ask a part of the session for that.
class OpenRun : public QObject {
  Q_OBJECT

 public:
  bool isOpen() const { return simulation_ != nullptr; }
  /// Requires an open scene.
  SimulationThread& simulation() { return *simulation_; }
  const SimulationThread& simulation() const { return *simulation_; }
  /// That was opened; null where a scene was.
  const std::shared_ptr<const StoredRun>& stored() const { return stored_; }
  /// Of the simulation, whatever is looked at.
  RunStatus status() const { return isOpen() ? simulation_->status() : RunStatus{}; }
  /// Of the newest step of the simulation, whatever is looked at. Requires an open scene.
  std::shared_ptr<const Model> newestModel() const { return simulation_->latest()->model; }

  /// What simulations call when they have a new snapshot, on any thread; published() follows.
  std::function<void()> publisher();
  /// Takes the place of the simulation before.
  void replace(std::unique_ptr<SimulationThread> simulation);
  void setStored(std::shared_ptr<const StoredRun> stored) { stored_ = std::move(stored); }
  /// Ends a simulation beside the window: its destructor waits for its last step.
  void retire(std::unique_ptr<SimulationThread> simulation);

 Q_SIGNALS:
  void published();      ///< there may be a newer snapshot
  void statusChanged();  ///< or what of the run is looked at

 private:
  void onPublished();

  std::atomic<bool> publishPending_ = false;
  std::unique_ptr<SimulationThread> simulation_;
  std::shared_ptr<const StoredRun> stored_;
  std::jthread retiring_;
};

}  // namespace slipstick::ui
