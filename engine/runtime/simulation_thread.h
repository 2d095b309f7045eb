// The engine's own thread: owns the Stepper, applies commands between steps, publishes snapshots, keeps the
// history.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/compile/scene_edit.h"
#include "engine/foundation/result.h"
#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/runtime/departure.h"
#include "engine/runtime/pilot.h"
#include "engine/runtime/run_sink.h"
#include "engine/runtime/run_source.h"
#include "engine/runtime/way.h"
#include "engine/step/stepper.h"

namespace slipstick {

class RunRecord;

/// What a run has come to that has stepped beside a live one, see Companion.
struct BesideState {
  std::string name;  ///< of the run
  std::shared_ptr<const Keyframe> state;
  Way beside;  ///< of the live run, as far as the state's step
};

/// Makes the stepper of a model: for the run, for each replay, and after an edit of the scene.
using MakeStepper = std::function<Result<std::unique_ptr<Stepper>>(std::shared_ptr<const Model>)>;

/// The live run. All public functions but create() and waitUntilIdle() return at once: no lock is ever held
/// across a step. A step with NonFinite stops the run at the state before it; other unhealthy steps pause it
/// where the scene's policy says so (an actuator at its limit is information, not a fault). Either way
/// status().error says step, flag and remedy until the run goes on. A backend that fails stops the run at the
/// state before the step, and goOnWith() another one is possible.
class SimulationThread final : public RunSource {
 public:
  /// Paused at the model's start. Fails where its stepper cannot be made.
  /// @param onPublish  called on the simulation thread after each published snapshot (post an event from it,
  /// no more)
  static Result<std::unique_ptr<SimulationThread>> create(std::shared_ptr<const Model> model,
                                                          MakeStepper makeStepper,
                                                          std::function<void()> onPublish = {});
  ~SimulationThread() override;  ///< gives up the step in progress

  void play();
  void pause();
  void stepOnce();               ///< one step, then pause
  void setSpeed(double wanted);  ///< simulated seconds per wall second, > 0 or infinity
  void runUntil(double time);    ///< play as fast as possible up to a simulated time, then pause
  /// The same for what is paused, and for what runs until an earlier time; a run without an end time is left as it is.
  void runAtLeastUntil(double time);

  /// Back to the start, posted commands forgotten. What was simulated stays, as a branch. Of a run that startOver() has
  /// begun it is that run's start.
  void reset();
  /// Begins anew with another scene, such as the next draw of a task, on a branch of this name that has nothing of what
  /// came before. Posted commands are forgotten; paused afterwards. Compiles on the simulation thread; where the scene cannot begin,
  /// status().error says why, and everything stays as it was.
  /// @param sink  gets the steps of it from the first one on, in place of the one before; null: nobody does
  void startOver(Scene scene, std::string name, std::shared_ptr<RunSink> sink);
  /// Continues from a past step of a branch: replays the logged commands and edits from the keyframe before
  /// it and checks the hash. Where steps follow, a new branch begins. Paused afterwards. A hash mismatch or
  /// missing keyframe goes to status().error and leaves the run where it was. What another backend has
  /// computed is computed anew from the keyframe on, on a branch that begins there.
  void resumeFrom(BranchId branch, std::uint64_t step);
  /// The same from a step of a run that was simulated elsewhere. A branch of its name begins there, which has nothing of
  /// what came before. The hash is only checked where it was computed by what computes now.
  void resumeFrom(std::shared_ptr<const StoredRun> run, std::uint64_t step);
  /// Goes on from a state of a run that has stepped beside this one, under its model and method. A branch of its name begins
  /// there; runs beside this one that have come to the step go on with it.
  void resumeFrom(BesideState state);
  /// Goes on from the newest step with other steppers, for good, where status().backendFailed: from the state
  /// itself if it could be fetched, otherwise from the keyframe before it, with the logged commands and
  /// edits. A branch named after the other backend begins there. Then plays on if the failure has interrupted
  /// that.
  void goOnWith(MakeStepper makeStepper);
  /// Gives up going back, if that has not arrived yet: the run stays where it was, or, where steps are
  /// computed anew, at the one that it has come to.
  void cancelGoingBack();
  /// Gives up the edit of the scene that is being compiled: its error is of the code Cancelled.
  void cancelEdit();

  /// Applied before the next step that is not refused, once. Errors: what the model has not, or a number out
  /// of range; then nothing is done.
  /// @param model  that the command's indices refer to; null: the newest one. If an edit of the scene comes
  /// in between, the command is translated by name; without its target it is dropped.
  Result<void> post(Command command, std::shared_ptr<const Model> model = nullptr);
  /// Changes what the scene holds, between two steps; compiles on the simulation thread. An error changes
  /// nothing. Going back to a step before the edit undoes it.
  std::future<Result<void>> edit(SceneEdit edit);
  void setHistoryBudget(std::size_t bytes);
  /// Gets the steps from the newest one on; null: nobody does. In place of the one before, as soon as no step is
  /// computed.
  void setSink(std::shared_ptr<RunSink> sink);
  /// Is asked before each step from now on; null: nobody is.
  void setPilot(std::shared_ptr<Pilot> pilot);
  /// The end of a branch, and what has computed it: what a recording of the past needs. Error: no stored state
  /// uses the model that the branch has at its end.
  struct End {
    RunStretch stretch;
    Computes computes;
  };
  Result<End> endOf(BranchId branch, double from) const;  ///< about from a time on [s], see History::endOf
  /// Gives a branch another name; spaces around it go. Error: an empty name, or that of another branch.
  Result<void> renameBranch(BranchId branch, const std::string& name);
  /// Forgets a branch. Error: new steps go to it, other branches grow from its own steps, or the run is on
  /// its way back to one of its steps. Who looks at it learns it from status().gone.
  Result<void> deleteBranch(BranchId branch);

  std::shared_ptr<const Snapshot> latest() const override;
  std::shared_ptr<const Snapshot> at(std::uint64_t step) const override;
  std::shared_ptr<const Snapshot> contactsAt(std::uint64_t step) const override;
  std::optional<TimelineMark> mark(std::uint64_t step) const override;
  std::vector<TimelineMark> marks(std::uint64_t from = 0) const override;
  RunColumns columns() const override;
  RunStatus status() const override;
  std::vector<BranchFacts> branches() const;
  /// A branch to look at; null if there is none of this id. It may outlive the thread.
  std::shared_ptr<const RunSource> branch(BranchId id) const;

  /// What runs that step beside it follow. It may outlive the thread.
  std::shared_ptr<const RunRecord> record() const;

  /// Blocks until paused, finished or failed. For headless runs and tests, never for the UI thread.
  void waitUntilIdle();

 private:
  SimulationThread();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipstick
