// The engine's own thread: owns the State, applies commands between steps, publishes snapshots, keeps the
// history.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/coupling/stepper.h"
#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/runtime/history.h"

namespace slipstick {

/// What the window shows about the run itself; cheap to copy.
struct RunStatus {
  bool playing = false;
  bool resuming = false;   ///< replaying towards the step of resumeFrom()
  bool finished = false;   ///< reached Model::time.duration, where play() pauses once
  double speedWanted = 1;  ///< simulated seconds per wall second; infinity = as fast as possible
  double speedMeasured = 0;
  std::uint64_t lastStep = 0;  ///< newest step published
  std::uint64_t firstStored = 0;
  std::uint32_t branch = 0;
  std::size_t historyBytes = 0, historyBudget = 0;
  double meanStepWall = 0;  ///< [s], over the last steps
  std::string error;        ///< why the run stopped, empty if it did not
};

/// All public functions but waitUntilIdle() return at once: no lock is ever held across a step. A step with
/// NonFinite stops the run at the state before it; other unhealthy steps pause it where the scene's policy
/// says so (an actuator at its limit is information, not a fault). Either way status().error says step, flag
/// and remedy until the run goes on.
class SimulationThread {
 public:
  /// @param onPublish  called on the simulation thread after each published snapshot (post an event from it,
  /// no more)
  SimulationThread(std::shared_ptr<const Model> model, std::unique_ptr<Stepper> stepper,
                   std::function<void()> onPublish = {});
  ~SimulationThread();  ///< stops after the step in progress

  const std::shared_ptr<const Model>& model() const { return model_; }

  void play();
  void pause();
  void stepOnce();               ///< one step, then pause
  void setSpeed(double wanted);  ///< simulated seconds per wall second, > 0 or infinity
  void runUntil(double time);    ///< play as fast as possible up to a simulated time, then pause
  void reset();                  ///< back to step 0, history and posted commands cleared
  /// Continues from a past step: restores the keyframe before it, replays the logged commands up to it,
  /// checks the hash and starts a new branch; later steps are forgotten. Paused afterwards. A hash mismatch
  /// or missing keyframe goes to status().error and leaves the run where it was.
  void resumeFrom(std::uint64_t step);
  /// Applied before the next step. Errors: what the model has not, or a number out of range; then nothing is
  /// done.
  Result<void> post(Command command);
  void setHistoryBudget(std::size_t bytes);

  std::shared_ptr<const Snapshot> latest() const;  ///< newest; never null
  std::shared_ptr<const Snapshot> at(
      std::uint64_t step) const;  ///< stored snapshot nearest to `step`; never null
  RunStatus status() const;
  /// Marks of steps ≥ from, also of steps whose snapshot was thinned away. After a change of status().branch
  /// read from 0.
  std::vector<TimelineMark> marks(std::uint64_t from = 0) const;

  /// Blocks until paused, finished or failed. For headless runs and tests, never for the UI thread.
  void waitUntilIdle();

 private:
  struct Impl;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipstick
