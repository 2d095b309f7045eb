// What the simulation thread does: it waits for the next thing to do, keeps the pace, and steps.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "engine/foundation/stopping.h"
#include "engine/model/state.h"
#include "engine/model/step_failure.h"
#include "engine/runtime/simulation_thread_impl.h"
#include "engine/step/carry_over.h"

namespace slipstick {

namespace {

using Clock = RateMeter::Clock;

/// A run that cannot keep up with its wanted speed does not try to make up for more than this afterwards [s].
constexpr double kLargestLag = 0.1;

/// Whether the later of two commands makes the earlier one pointless: a number that is set again, a goal that
/// has moved on with the pointer.
bool replaces(const Command& later, const Command& earlier) {
  if (later.index() != earlier.index()) return false;
  if (const auto* set = std::get_if<SetParameter>(&later))
    return set->path == std::get<SetParameter>(earlier).path;
  if (const auto* twist = std::get_if<Twist>(&later)) return twist->body == std::get<Twist>(earlier).body;
  if (const auto* drive = std::get_if<DriveJoint>(&later))
    return drive->joint == std::get<DriveJoint>(earlier).joint;
  if (const auto* grip = std::get_if<Grip>(&later)) return grip->effector == std::get<Grip>(earlier).effector;
  if (const auto* place = std::get_if<Place>(&later)) return place->body == std::get<Place>(earlier).body;
  const auto* pull = std::get_if<Pull>(&later);
  return pull && pull->body == std::get<Pull>(earlier).body &&
         pull->particle == std::get<Pull>(earlier).particle;
}

}  // namespace

void SimulationThread::Impl::loop(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    try {
      const Work work = waitForWork(stop);
      if (work == Work::Step) doStep();
      if (work == Work::GoBack) doGoBack(stop);
      if (work == Work::GoOn) doGoOn(stop);
      if (work == Work::Edit) doEdit();
      if (work == Work::Attach) doAttach();
    } catch (const Stopped&) {  // the step has not been; its commands wait for another one
    } catch (const StepFailure& failure) {
      backendFailed(failure.error(), [this] {
        const std::shared_ptr<const Snapshot> newest = record->newest();
        return stepName(newest->step + 1, newest->time + live.model->time.dt);
      });
    } catch (...) {
      // What was begun has been taken back: the run can go on from where it was.
      fail([this] {
        return live.nextStepName() + ": " + wordsOfException() + "; make the scene smaller or reset it";
      });
    }
    const std::scoped_lock lock(mutex);
    busy = false;
    underWay = Work::None;
    taken = 0;
    replayed.reset();
    if (!isBound()) forgotten = 0;
    if (!isBound() && !replacement) facts.goingBack.reset();
    if (!workWaits()) idle.notify_all();
  }
}

/// Blocks until there is something to do; while playing at a finite speed also until the next step is due.
SimulationThread::Impl::Work SimulationThread::Impl::waitForWork(const std::stop_token& stop) {
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    if (!wake.wait(lock, stop, [this] { return workWaits(); })) break;
    const bool paced = playing && !moreThanPlayWaits() && !until && std::isfinite(speed);
    if (!paced) return takeWork();
    const Clock::time_point due = dueTime();
    if (Clock::now() >= due) return takeWork();
    wake.wait_until(lock, stop, due, [this] { return !playing || moreThanPlayWaits() || paceStale; });
  }
  return Work::None;
}

SimulationThread::Impl::Work SimulationThread::Impl::takeWork() {
  busy = true;
  workStop = stopOfWork.get_token();
  return underWay = nextWork();
}

/// Requires the lock.
SimulationThread::Impl::Work SimulationThread::Impl::nextWork() {
  if (replacement) return Work::GoOn;
  if (isBound()) return Work::GoBack;
  if (!edits.empty()) return Work::Edit;
  if (nextSink) return Work::Attach;
  if (paceStale) meter.restart();
  paceStale = false;
  if (singleSteps > 0) --singleSteps;
  drainCommands();
  return Work::Step;
}

/// Whoever drags a slider or a body posts more often than steps are taken: the last command counts, where it
/// replaces the one before it and no step is taking that already.
void SimulationThread::Impl::push(PendingCommand next) {
  const bool replacesLast = commands.size() > std::max(taken, forgotten) &&
                            commands.back().model == next.model &&
                            replaces(next.command, commands.back().command);
  if (replacesLast) commands.pop_back();
  commands.push_back(std::move(next));
}

/// What the next step applies, in the terms of the live model. It stays posted until the step is accepted.
void SimulationThread::Impl::drainCommands() {
  applied.clear();
  taken = commands.size();
  if (releases) applied.push_back(Release{});
  for (const PendingCommand& pending : commands) {
    const std::optional<Command> command = pending.model == live.model
                                               ? pending.command
                                               : inTermsOf(pending.command, *pending.model, *live.model);
    if (command) applied.push_back(*command);
  }
}

/// Whoever they come from. A number that was allowed when it was posted may not be beside those in force by now.
void SimulationThread::Impl::note(DroppedCommands dropped) noexcept {
  if (dropped.count == 0) return;
  const std::scoped_lock lock(mutex);
  facts.dropped.count += dropped.count;
  facts.dropped.why.swap(dropped.why);
}

/// Steps that are computed are left at the next place that asks; the work that comes next knows nothing of it. Requires the
/// lock.
void SimulationThread::Impl::giveUpSteps() {
  std::stop_source next;
  std::swap(stopOfWork, next);
  next.request_stop();
}

/// When the next step should start so that simulated time keeps the wanted pace. Requires the lock.
Clock::time_point SimulationThread::Impl::dueTime() {
  const Clock::time_point now = Clock::now();
  const double dt = live.model->time.dt;
  const auto dueAt = [this, dt] {
    const double wall = (live.time + dt - paceTime) / speed;
    return paceWall + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wall));
  };
  if (paceStale || std::chrono::duration<double>(now - dueAt()).count() > kLargestLag) {
    if (paceStale) meter.restart();
    paceStale = false;
    paceWall = now;
    paceTime = live.time + dt;  // the next step is due now
  }
  return dueAt();
}

std::shared_ptr<Pilot> SimulationThread::Impl::currentPilot() const {
  const std::scoped_lock lock(mutex);
  return pilot;
}

void SimulationThread::Impl::doStep() {
  if (gone) throw StepFailure(*gone);
  rescued.reset();
  if (sink && sinkIsBehind) beginSink();
  const double timeBefore = live.time;
  const Clock::time_point start = Clock::now();
  const std::shared_ptr<Pilot> driver = currentPilot();
  if (driver) driver->addCommands(record->newest(), applied);
  StepReport report;
  DroppedCommands dropped;
  std::shared_ptr<Snapshot> snapshot = live.advance(applied, report, dropped, workStop);
  note(std::move(dropped));
  const Clock::time_point end = Clock::now();
  // The commands of a refused step wait for the next try.
  if (!snapshot)
    return fail([&] { return live.nextStepName() + ": " + describe(report.health, live.model->own.get()); });
  meter.add(end, live.time, std::chrono::duration<double>(end - start).count());
  publish(std::move(snapshot));
  if (driver) driver->stepped(record->newest());
  pauseWhereAsked(timeBefore, report);
}

/// Hands a new step to the history and the readers; what fails at that takes it back.
void SimulationThread::Impl::publish(std::shared_ptr<Snapshot> snapshot) {
  StepInHand step(live);
  snapshot->branch = record->newest()->branch;
  const bool isWanted = record->keyframeDue(live.step),
             isWantedBySink = sink && sink->wantsKeyframe(live.step);
  const std::shared_ptr<const Keyframe> keyframe = isWanted || isWantedBySink ? live.keyframe() : nullptr;
  record->publish(snapshot, applied, isWanted ? keyframe : nullptr);
  step.keep();
  handOn(std::move(snapshot), keyframe);
}

/// A step that the history has. A sink that fails at it begins anew before the next one.
void SimulationThread::Impl::handOn(std::shared_ptr<Snapshot> snapshot,
                                    const std::shared_ptr<const Keyframe>& keyframe) noexcept {
  try {
    if (sink && !sinkIsBehind) sink->add(std::move(snapshot), applied, keyframe);
  } catch (...) {
    sinkIsBehind = true;
  }
  {
    const std::scoped_lock lock(mutex);
    releases = false;
    commands.erase(commands.begin(), commands.begin() + static_cast<std::ptrdiff_t>(taken));
    forgotten -= std::min(forgotten, taken);
    facts.speedMeasured = meter.rate();
    facts.meanStepWall = meter.meanStepWall();
    facts.finished = live.atTheEnd();
  }
  tellReaders();
}

void SimulationThread::Impl::tellReaders() noexcept {
  try {
    if (onPublish) onPublish();
  } catch (...) {  // they look again at the next step, or when a person moves the pointer
  }
}

void SimulationThread::Impl::pauseWhereAsked(double timeBefore, const StepReport& report) {
  const Model& model = *live.model;
  const double halfStep = 0.5 * model.time.dt;
  const std::scoped_lock lock(mutex);
  if (model.solver.policy == HealthPolicy::Pause && unhealthy(report.health, model.own.get()) != 0) {
    halt();
    setError(stepName(live.step, live.time) + ": " + describe(report.health, model.own.get()));
  }
  if (until && live.time > *until - halfStep) halt();
  const bool passedTheEnd = timeBefore <= model.time.duration - halfStep && live.atTheEnd();
  if (!until && playing && passedTheEnd) halt();
}

/// Requires the lock.
void SimulationThread::Impl::setError(std::string text) {
  text.reserve(kNoMemoryForWords.size());
  facts.error.swap(text);
}

/// Requires the lock.
void SimulationThread::Impl::runUntil(double time) {
  playing = true;
  until = time;
  paceStale = true;
  clearError();
  wake.notify_all();
}

/// Drops all wishes to go on. Requires the lock.
void SimulationThread::Impl::halt() {
  playing = false;
  until.reset();
  singleSteps = 0;
}

/// Requires the lock.
void SimulationThread::Impl::clearError() noexcept {
  facts.error.clear();
  facts.backendFailed = false;
}

/// @param snapshot  of the run as it stands; null: it has yet to be made
SimulationThread::Impl::Start SimulationThread::Impl::startOf(LiveRun run,
                                                              std::shared_ptr<Snapshot> snapshot) {
  Start start;
  start.snapshot = snapshot ? std::move(snapshot) : run.observe();
  start.keyframe = run.keyframe();
  start.computes = computesOf(*run.stepper);
  start.run = std::move(run);
  return start;
}

/// From now on this is the live run; the record goes on from it already.
void SimulationThread::Impl::become(Start start) noexcept {
  live = std::move(start.run);
  rescued.reset();
  gone.reset();
  meter.restart();
  {
    const std::scoped_lock lock(mutex);
    std::swap(computes, start.computes);
  }
  sinkIsBehind = true;
  try {
    beginSink();
  } catch (...) {  // before the next step
  }
}

// ---- who gets the steps

void SimulationThread::Impl::doAttach() {
  std::shared_ptr<RunSink> left;  // freed outside of the lock
  {
    const std::scoped_lock lock(mutex);
    left = std::exchange(sink, *std::exchange(nextSink, std::nullopt));
  }
  sinkIsBehind = true;
  beginSink();
}

/// The steps that follow do not go on from those before, or there are none yet.
void SimulationThread::Impl::beginSink() {
  if (!sink) return;
  if (gone) throw StepFailure(*gone);
  sink->begin(record->newest(), live.keyframe(), computesOf(*live.stepper));
  sinkIsBehind = false;
}

}  // namespace slipstick
