// What SimulationThread consists of. The requests are in simulation_thread.cpp, the loop and its steps in
// simulation_thread_steps.cpp, edits of the scene in simulation_thread_edits.cpp, going back and going on with another backend
// in simulation_thread_past.cpp.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

#include "engine/compile/compile.h"
#include "engine/runtime/live_run.h"
#include "engine/runtime/rate_meter.h"
#include "engine/runtime/run_record.h"
#include "engine/runtime/simulation_thread.h"

namespace slipstick {

/// Those flags that make a step unhealthy. What is information does not: robots run at their limits.
HealthFlags unhealthy(HealthFlags flags, const MethodRows* own);

/// "NonFinite: what to do; …" of the flags that make a step unhealthy.
std::string describe(HealthFlags flags, const MethodRows* own);

Computes computesOf(const Stepper& stepper);

/// What the exception that is being handled says, for people.
std::string wordsOfException();

/// In place of words for which there is no memory. RunStatus::error always has room for it.
inline constexpr std::string_view kNoMemoryForWords =
    "there is not enough memory, not even to say for what; close other programs or make the scene smaller";

struct SimulationThread::Impl {
  enum class Work { None, Step, GoBack, GoOn, Edit, Attach };
  /// Of the scene, that a step is reached with: those before it, or also those that have followed it.
  enum class Edits { Before, At };
  struct Destination {
    BranchId branch = 0;
    std::uint64_t step = 0;
  };
  /// A step of another run.
  struct Elsewhere {
    std::shared_ptr<const StoredRun> run;
    std::uint64_t step = 0;
  };
  /// The start of another scene.
  struct Anew {
    Scene scene;
    std::string name;
    std::shared_ptr<RunSink> sink;
  };
  /// Where the run is to go on from instead of its newest step; mostly nowhere else.
  using Aim = std::variant<std::monostate, Destination, Elsewhere, BesideState, Anew>;
  /// Where the run goes on from, with all that has to be made for it: to go on from there cannot fail.
  struct Start {
    LiveRun run;
    std::shared_ptr<Snapshot> snapshot;
    std::shared_ptr<const Keyframe> keyframe;
    Computes computes;
  };
  /// What a replay to a step follows, and what becomes of it there.
  struct Route {
    std::uint64_t step = 0;
    std::function<std::vector<std::shared_ptr<const Model>>(std::uint64_t)>
        models;                                                   ///< see RunRecord::modelsAt
    std::function<std::vector<Command>(std::uint64_t)> commands;  ///< see RunRecord::commandsAt
    std::optional<std::uint64_t> stateHash;                       ///< that must come out; none: nobody knows
    std::string remedy;                                           ///< where it does not
    std::function<void(const Start&)> enter;                      ///< the record goes on from there
  };
  struct PendingCommand {
    Command command;
    std::shared_ptr<const Model> model;  ///< that its indices refer to
  };
  struct PendingEdit {
    SceneEdit edit;
    std::promise<Result<void>> done;
  };
  std::function<void()> onPublish;
  std::shared_ptr<RunRecord> record;

  // Guarded by the mutex, which is never held while a step is computed.
  mutable std::mutex mutex;
  std::condition_variable_any wake;  ///< a request came in
  std::condition_variable idle;      ///< the work ran out
  bool playing = false;
  bool busy = false;  ///< computing outside the lock
  std::uint64_t singleSteps = 0;
  std::optional<double> until;  ///< of runUntil [s]
  Aim aim;
  std::optional<BranchId> replayed;  ///< whose log a going back or on reads
  bool cancelled = false;            ///< the going back or on under way
  Work underWay = Work::None;
  std::stop_source stopOfWork;              ///< of the steps of the work under way
  std::shared_ptr<LoadProgress> compiling;  ///< null: nothing is compiled
  std::optional<MakeStepper> replacement;   ///< of goOnWith()
  /// What a failure of the backend has interrupted.
  struct Interrupted {
    bool playing = false;
    std::optional<double> until;
  } interrupted;
  bool releases = false;  ///< the next step lets go of everything first
  std::vector<PendingCommand> commands;
  std::size_t taken = 0;      ///< how many of the commands, from the first, the step under way applies
  std::size_t forgotten = 0;  ///< how many of them a reset drops, if it succeeds
  std::deque<PendingEdit> edits;
  std::optional<std::shared_ptr<RunSink>> nextSink;
  std::shared_ptr<Pilot> pilot;
  double speed = 1;
  bool paceStale = true;
  Computes computes;  ///< of the live stepper
  RunStatus facts;    ///< what status() reports besides the record's

  // The simulation thread's own.
  LiveRun live;
  std::stop_token workStop;  ///< of the work under way, see giveUpSteps()
  /// Of the newest step, fetched from a backend that has failed; null where that could not be done.
  std::shared_ptr<const Keyframe> rescued;
  std::optional<Error> gone;  ///< why the live stepper no longer has the state of the newest step
  RateMeter meter;
  RateMeter::Clock::time_point paceWall;
  double paceTime = 0;
  std::vector<Command> applied;  ///< by the step under way
  std::shared_ptr<RunSink> sink;
  bool sinkIsBehind = false;  ///< it does not have the newest step, or not yet its start

  std::jthread thread;  ///< last: joins before anything above goes

  Impl() { setError(""); }
  void loop(const std::stop_token& stop);
  Work waitForWork(const std::stop_token& stop);
  bool isBound() const { return !std::holds_alternative<std::monostate>(aim); }
  bool moreThanPlayWaits() const {
    return singleSteps > 0 || isBound() || replacement.has_value() || !edits.empty() || nextSink.has_value();
  }
  bool workWaits() const { return playing || moreThanPlayWaits(); }
  Work takeWork();
  Work nextWork();
  void giveUpSteps();
  Result<CompiledScene> compiled(const Scene& scene, const std::string& method = {});
  void push(PendingCommand next);
  void drainCommands();
  RateMeter::Clock::time_point dueTime();

  std::shared_ptr<Pilot> currentPilot() const;
  void doStep();
  void note(DroppedCommands dropped) noexcept;
  void publish(std::shared_ptr<Snapshot> snapshot);
  void handOn(std::shared_ptr<Snapshot> snapshot, const std::shared_ptr<const Keyframe>& keyframe) noexcept;
  void tellReaders() noexcept;
  void pauseWhereAsked(double timeBefore, const StepReport& report);
  enum class Cause { Run, Backend };
  template <class Words>
  void fail(const Words& words, Cause cause = Cause::Run) noexcept;
  void setError(std::string text);
  void runUntil(double time);
  void halt();
  void clearError() noexcept;
  static Start startOf(LiveRun run, std::shared_ptr<Snapshot> snapshot);
  void become(Start start) noexcept;
  void changeModel(LiveRun next);

  void doAttach();
  void beginSink();
  PendingEdit takeEdit() noexcept;
  void doEdit();
  template <class Words>
  static void answer(std::promise<Result<void>>& done, const Words& words) noexcept;
  Result<void> apply(const SceneEdit& edit);

  // simulation_thread_past.cpp: going on from another step than the newest, or with another backend
  void goBackTo(std::uint64_t step, Aim where);
  void doGoBack(const std::stop_token& stop);
  Result<void> comeTo(const Destination& to, const std::stop_token& stop);
  Result<void> comeTo(const Elsewhere& to, const std::stop_token& stop);
  Result<void> comeTo(const BesideState& to, const std::stop_token& stop);
  Result<void> comeTo(const Anew& to, const std::stop_token& stop);
  Result<void> replay(const Route& route, LiveRun past, const std::stop_token& stop);
  bool goesOnReplaying(const RunStatus::GoingBack& progress, const std::stop_token& stop);
  void arrive() noexcept;
  template <class Place>
  void backendFailed(const Error& error, const Place& place) noexcept;
  std::string lossOf() const;
  void keepWhatIsLeft(const Error& error) noexcept;
  std::shared_ptr<const Keyframe> rescue() const noexcept;
  std::shared_ptr<const Keyframe> lastKept() const;
  void doGoOn(const std::stop_token& stop);
  Result<void> computeAnew(const Destination& to, Edits with, LiveRun run, const std::stop_token& stop);
  Result<void> followTo(const Destination& to, Edits with, std::uint64_t first, const std::stop_token& stop);
};

/// Stops the run and says why. Cannot fail itself. @param words  () → std::string, may run out of memory
template <class Words>
void SimulationThread::Impl::fail(const Words& words, Cause cause) noexcept {
  std::string reason;
  try {
    reason = words();
    reason.reserve(kNoMemoryForWords.size());
  } catch (...) {
    reason.clear();
  }
  {
    const std::scoped_lock lock(mutex);
    if (cause == Cause::Backend) {
      interrupted = {playing, until};
      facts.backendFailed = true;
    }
    halt();
    if (reason.empty())
      facts.error.assign(kNoMemoryForWords);
    else
      facts.error.swap(reason);
  }
  tellReaders();
}

/// Stops the run. What the failed backend still holds is fetched while that can be done.
/// @param place  () → std::string: where it failed
template <class Place>
void SimulationThread::Impl::backendFailed(const Error& error, const Place& place) noexcept {
  keepWhatIsLeft(error);
  const auto words = [&] {
    return place() + ": " + error.what + " (" + error.where + "); " + lossOf() + "; " + error.remedy;
  };
  fail(words, Cause::Backend);
}

/// Keeps a promise, with an error that may run out of memory itself.
template <class Words>
void SimulationThread::Impl::answer(std::promise<Result<void>>& done, const Words& words) noexcept {
  try {
    return done.set_value(words());
  } catch (...) {
  }
  // Short enough for a string to hold without memory of its own.
  done.set_value(Error{ErrorCode::SimulationFailed, "out of memory", "scene", "try again"});
}

}  // namespace slipstick
