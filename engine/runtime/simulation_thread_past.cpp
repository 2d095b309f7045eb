// Going on from another step than the newest, and going on with another backend where the one before has failed.
#include <algorithm>
#include <utility>

#include "engine/compile/compile.h"
#include "engine/foundation/require.h"
#include "engine/foundation/stopping.h"
#include "engine/model/step_failure.h"
#include "engine/runtime/simulation_thread_impl.h"

namespace slipstick {

namespace {

std::string placeOf(std::uint64_t step) {
  return "resume from step " + std::to_string(step);
}

/// Of a place to go on from; 0: the start of another scene.
struct StepOf {
  template <class Where>
  std::uint64_t operator()(const Where& where) const {
    if constexpr (requires { where.step; })
      return where.step;
    else if constexpr (requires { where.state; })
      return where.state->state.step;
    else
      return 0;
  }
};

Error refusedAgain(std::uint64_t step, HealthFlags health, const Model& model, std::uint64_t wanted) {
  return {ErrorCode::SimulationFailed,
          "the replay was refused at step " + std::to_string(step) + ": " + describe(health, model.own.get()),
          placeOf(wanted), "resume from an earlier step"};
}

Error givenUp(std::uint64_t wanted) {
  return {ErrorCode::SimulationFailed, "given up", placeOf(wanted), ""};
}

}  // namespace

// ---- going back ----

/// Requires the lock.
void SimulationThread::Impl::goBackTo(std::uint64_t step, Aim where) {
  giveUpSteps();
  halt();
  aim = std::move(where);
  forgotten = 0;
  facts.goingBack = {step, 0, 0};
  cancelled = true;  // a replay to somewhere else, if one is under way
  if (underWay == Work::GoBack && compiling) compiling->cancel();
  wake.notify_all();
}

void SimulationThread::Impl::doGoBack(const std::stop_token& stop) {
  Aim to;
  {
    const std::scoped_lock lock(mutex);
    to = std::exchange(aim, Aim());
    if (const auto* const past = std::get_if<Destination>(&to)) replayed = past->branch;
    cancelled = false;
  }
  const auto come = [&](const auto& where) -> Result<void> {
    if constexpr (std::is_same_v<std::decay_t<decltype(where)>, std::monostate>)
      return {};  // cancelled before it began
    else
      return comeTo(where, stop);
  };
  const Result<void> arrived = std::visit(come, to);
  if (arrived) return;
  {
    const std::scoped_lock lock(mutex);
    if (cancelled) return;
    forgotten = 0;
  }
  if (arrived.error().code == ErrorCode::DeviceFailure)
    return backendFailed(arrived.error(), [&] { return placeOf(std::visit(StepOf(), to)); });
  fail([&] { return arrived.error().message(); });
}

/// From the keyframe before a past step, with a stepper of its own: nothing of the present run changes before the step
/// is there, bit for bit. Where the backend is another one than then, or does not reproduce its steps, that cannot be:
/// the step is computed anew.
Result<void> SimulationThread::Impl::comeTo(const Destination& to, const std::stop_token& stop) {
  const std::optional<RunRecord::Departure> departure = record->departureFor(to.branch, to.step);
  if (!departure)
    return Error{ErrorCode::InvalidValue, "this step is not in the history", placeOf(to.step),
                 "choose a step between the first and the last on the timeline"};
  const Keyframe& keyframe = *departure->keyframe;
  Result<LiveRun> past = LiveRun::from(live.makeStepper, keyframe.model, keyframe.state);
  if (!past) return past.error();
  if (past->stepper->backendName() != keyframe.backend || !past->stepper->reproduces())
    return computeAnew(to, Edits::Before, std::move(*past), stop);
  Route route;
  route.step = to.step;
  route.models = [&](std::uint64_t step) { return record->modelsAt(to.branch, step); };
  route.commands = [&](std::uint64_t step) { return record->commandsAt(to.branch, step); };
  route.stateHash = departure->stateHash;
  route.remedy = "resume from another step, or reset; please report this scene";
  route.enter = [&](const Start& start) { record->continueFrom(to.branch, to.step, start.snapshot); };
  return replay(route, std::move(*past), stop);
}

/// The same by the log of another run. What another machine has computed need not come out bit for bit.
Result<void> SimulationThread::Impl::comeTo(const Elsewhere& to, const std::stop_token& stop) {
  const Result<Departure> departure = to.run->departureFor(to.step);
  if (!departure) return departure.error();
  const Keyframe& keyframe = *departure->keyframe;
  Result<LiveRun> past = LiveRun::from(live.makeStepper, keyframe.model, keyframe.state);
  if (!past) return past.error();
  Route route;
  route.step = to.step;
  route.models = [](std::uint64_t) { return std::vector<std::shared_ptr<const Model>>(); };
  route.commands = [&](std::uint64_t step) {
    std::vector<Command> commandsThen;
    const auto before = [](const StampedCommand& stamped, std::uint64_t s) { return stamped.step < s; };
    auto next = std::lower_bound(departure->commands.begin(), departure->commands.end(), step, before);
    for (; next != departure->commands.end() && next->step == step; ++next)
      commandsThen.push_back(next->command);
    return commandsThen;
  };
  if (past->stepper->reproduces() && past->stepper->runsOn() == departure->runsOn)
    route.stateHash = departure->stateHash;
  route.remedy = "resume from another step; slipstick replay --check says which step differs first";
  route.enter = [&](const Start& start) {
    record->beginElsewhere(to.run->name(), start.snapshot, start.keyframe);
  };
  return replay(route, std::move(*past), stop);
}

/// The state itself is there: nothing has to be computed again.
Result<void> SimulationThread::Impl::comeTo(const BesideState& to, const std::stop_token& stop) {
  const Keyframe& keyframe = *to.state;
  Result<LiveRun> run = LiveRun::from(live.makeStepper, keyframe.model, keyframe.state);
  if (!run) return run.error();
  Route route;
  route.step = keyframe.state.step;
  route.enter = [&](const Start& start) {
    record->beginElsewhere(to.name, start.snapshot, start.keyframe, to.beside);
  };
  return replay(route, std::move(*run), stop);
}

/// The first step of another scene. Nothing of the present run changes before everything that can fail has succeeded.
Result<void> SimulationThread::Impl::comeTo(const Anew& to, const std::stop_token&) {
  const Result<CompiledScene> scene = compiled(to.scene);
  if (!scene) return scene.error();
  try {
    Result<LiveRun> run = LiveRun::start(live.makeStepper, scene->model);
    if (!run) return run.error();
    Start start = startOf(std::move(*run), nullptr);
    {
      const std::scoped_lock lock(mutex);
      if (cancelled) return givenUp(0);
    }
    record->beginElsewhere(to.name, start.snapshot, start.keyframe);
    sink = to.sink;
    become(std::move(start));
  } catch (const StepFailure& failure) {
    return failure.error();
  }
  arrive();
  return {};
}

/// Computes a past step again, and makes it the live run if it is the same.
Result<void> SimulationThread::Impl::replay(const Route& route, LiveRun past, const std::stop_token& stop) {
  try {
    const std::uint64_t first = past.step;
    std::shared_ptr<Snapshot> snapshot = past.observe();
    while (past.step < route.step) {
      if (!goesOnReplaying({route.step, past.step - first, route.step - first}, stop))
        return givenUp(route.step);
      for (const std::shared_ptr<const Model>& model : route.models(past.step)) {
        Result<LiveRun> edited = past.as(model);
        if (!edited) return edited.error();
        past = std::move(*edited);
      }
      StepReport report;
      DroppedCommands dropped;
      std::vector<Command> commandsThen = route.commands(past.step);
      snapshot = past.advance(commandsThen, report, dropped, workStop);
      note(std::move(dropped));
      if (!snapshot) return refusedAgain(past.step + 1, report.health, *past.model, route.step);
    }
    if (route.stateHash && snapshot->stateHash != *route.stateHash)
      return Error{ErrorCode::SimulationFailed, "the replay does not reproduce the recorded state",
                   placeOf(route.step), route.remedy};
    Start start = startOf(std::move(past), std::move(snapshot));
    {
      const std::scoped_lock lock(mutex);
      if (cancelled) return givenUp(route.step);
    }
    route.enter(start);
    become(std::move(start));
  } catch (const Stopped&) {
    return givenUp(route.step);
  } catch (const StepFailure& failure) {
    return failure.error();
  }
  arrive();
  return {};
}

/// Notes the progress. @return false when nobody waits for the step any more
bool SimulationThread::Impl::goesOnReplaying(const RunStatus::GoingBack& progress,
                                             const std::stop_token& stop) {
  const std::scoped_lock lock(mutex);
  if (cancelled || stop.stop_requested()) return false;
  facts.goingBack = progress;
  return true;
}

/// The run goes on from another step than before.
void SimulationThread::Impl::arrive() noexcept {
  {
    const std::scoped_lock lock(mutex);
    commands.erase(commands.begin(), commands.begin() + static_cast<std::ptrdiff_t>(forgotten));
    forgotten = 0;
    // Releases pulls that were active then: nobody holds them now.
    releases = live.step > 0;
    facts.finished = live.atTheEnd();
    clearError();
  }
  tellReaders();
}

// ---- another backend ----

/// Of a backend that has failed. What cannot be fetched, for whatever reason, is as good as gone.
void SimulationThread::Impl::keepWhatIsLeft(const Error& error) noexcept {
  rescued = rescue();
  gone.reset();
  if (rescued) return;
  gone.emplace();
  gone->code = error.code;
  try {
    *gone = error;
  } catch (...) {  // without its words
  }
}

/// "nothing is lost, …"
std::string SimulationThread::Impl::lossOf() const {
  const std::uint64_t newest = record->newest()->step, kept = lastKept()->state.step;
  if (kept == newest) return "nothing is lost, all of step " + std::to_string(newest) + " is kept";
  return "the last state that is kept is of step " + std::to_string(kept) +
         ", another backend has to compute steps " + std::to_string(kept + 1) + " to " +
         std::to_string(newest) + " again";
}

/// The newest step's state from the live backend, if it still gives what the step's hash says.
std::shared_ptr<const Keyframe> SimulationThread::Impl::rescue() const noexcept {
  try {
    std::shared_ptr<const Keyframe> keyframe = live.keyframe();
    if (hashOf(keyframe->state) == record->newest()->stateHash) return keyframe;
  } catch (...) {  // it has nothing any more, or there is no memory to put it
  }
  return nullptr;
}

/// The latest state from which the newest step can be reached.
std::shared_ptr<const Keyframe> SimulationThread::Impl::lastKept() const {
  if (rescued) return rescued;
  const std::shared_ptr<const Snapshot> newest = record->newest();
  return record->keyframeBefore(newest->branch, newest->step);
}

void SimulationThread::Impl::doGoOn(const std::stop_token& stop) {
  const std::shared_ptr<const Snapshot> newest = record->newest();
  MakeStepper make;
  {
    const std::scoped_lock lock(mutex);
    if (!replacement) return;  // cancelled before it began
    make = *std::exchange(replacement, std::nullopt);
    replayed = newest->branch;
    cancelled = false;
  }
  const std::shared_ptr<const Keyframe> kept = lastKept();
  Result<LiveRun> start = LiveRun::from(std::move(make), kept->model, kept->state);
  if (!start) return fail([&] { return start.error().message(); });
  const Edits with = kept == rescued ? Edits::Before : Edits::At;
  const Result<void> done = computeAnew({newest->branch, newest->step}, with, std::move(*start), stop);
  if (!done) return fail([&] { return done.error().message(); });
  const std::scoped_lock lock(mutex);
  const Interrupted before = std::exchange(interrupted, {});
  if (cancelled) return;
  playing = before.playing;
  until = before.until;
  paceStale = true;
}

/// Computes the steps from where `run` stands to a step anew, on a branch of their own: its bits need not be the same.
/// Where that ends too early, by a refused step or because nobody waits any more, the run stays there.
Result<void> SimulationThread::Impl::computeAnew(const Destination& to, Edits with, LiveRun run,
                                                 const std::stop_token& stop) {
  const std::uint64_t first = run.step;
  Start start = startOf(std::move(run), nullptr);
  record->changeBackend(to.branch, start.keyframe, start.snapshot);
  become(std::move(start));
  try {
    const Result<void> done = followTo(to, with, first, stop);
    arrive();
    return done;
  } catch (...) {
    arrive();
    throw;
  }
}

/// Takes the live run through the edits and commands that led to a step, and publishes what comes of them.
Result<void> SimulationThread::Impl::followTo(const Destination& to, Edits with, std::uint64_t first,
                                              const std::stop_token& stop) {
  while (live.step < to.step || with == Edits::At) {
    for (const std::shared_ptr<const Model>& model : record->modelsAt(to.branch, live.step)) {
      Result<LiveRun> edited = live.as(model);
      if (!edited) return edited.error();
      changeModel(std::move(*edited));
    }
    if (live.step == to.step) break;
    if (!goesOnReplaying({to.step, live.step - first, to.step - first}, stop)) break;
    applied = record->commandsAt(to.branch, live.step);
    StepReport report;
    DroppedCommands dropped;
    std::shared_ptr<Snapshot> snapshot;
    try {
      snapshot = live.advance(applied, report, dropped, workStop);
    } catch (const Stopped&) {
      break;
    }
    note(std::move(dropped));
    if (!snapshot) return refusedAgain(live.step + 1, report.health, *live.model, to.step);
    publish(std::move(snapshot));
  }
  return {};
}

}  // namespace slipstick
