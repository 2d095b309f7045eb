#include "engine/runtime/simulation_thread.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "engine/coupling/carry_over.h"
#include "engine/foundation/require.h"
#include "engine/model/state.h"
#include "engine/runtime/live_run.h"
#include "engine/runtime/rate_meter.h"
#include "engine/runtime/run_record.h"

namespace slipstick {

namespace {

using Clock = RateMeter::Clock;

/// Flags that make a step unhealthy. An actuator at its limit is not among them: robots do that.
constexpr HealthFlags kUnhealthy = ~static_cast<HealthFlags>(Health::ActuatorSaturated);

/// A run that cannot keep up with its wanted speed does not try to make up for more than this afterwards [s].
constexpr double kLargestLag = 0.1;

std::string describe(HealthFlags flags) {
  std::string text;
  for (const HealthInfo& info : kHealthInfo) {
    if (!has(flags & kUnhealthy, info.flag)) continue;
    if (!text.empty()) text += "; ";
    text += std::string(info.name) + ": " + std::string(info.remedy);
  }
  return text;
}

/// Whether the later of two commands makes the earlier one pointless: a number that is set again, a goal that
/// has moved on with the pointer.
bool replaces(const Command& later, const Command& earlier) {
  if (later.index() != earlier.index()) return false;
  if (const auto* set = std::get_if<SetParameter>(&later))
    return set->path == std::get<SetParameter>(earlier).path;
  if (const auto* twist = std::get_if<Twist>(&later)) return twist->body == std::get<Twist>(earlier).body;
  const auto* pull = std::get_if<Pull>(&later);
  return pull && pull->body == std::get<Pull>(earlier).body &&
         pull->particle == std::get<Pull>(earlier).particle;
}

}  // namespace

struct SimulationThread::Impl {
  enum class Work { None, Step, GoBack, Edit };
  struct Destination {
    BranchId branch = 0;
    std::uint64_t step = 0;
  };
  struct PendingCommand {
    Command command;
    std::shared_ptr<const Model> model;  ///< that its indices refer to
  };
  struct PendingEdit {
    SceneEdit edit;
    std::promise<Result<void>> done;
  };
  /// A past step, computed again.
  struct Past {
    LiveRun live;
    std::shared_ptr<Snapshot> snapshot;
  };

  MakeStepper makeStepper;
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
  std::optional<Destination> destination;
  bool cancelled = false;  ///< the going back under way
  std::vector<PendingCommand> commands;
  std::size_t taken = 0;      ///< how many of the commands, from the first, the step under way applies
  std::size_t forgotten = 0;  ///< how many of them a reset drops, if it succeeds
  std::vector<PendingEdit> edits;
  double speed = 1;
  bool paceStale = true;
  RunStatus facts;  ///< what status() reports besides the record's

  // The simulation thread's own.
  LiveRun live;
  RateMeter meter;
  Clock::time_point paceWall;
  double paceTime = 0;
  std::vector<Command> applied;  ///< by the step under way

  std::jthread thread;  ///< last: joins before anything above goes

  void loop(const std::stop_token& stop);
  Work waitForWork(const std::stop_token& stop);
  bool workWaits() const { return playing || singleSteps > 0 || destination.has_value() || !edits.empty(); }
  bool interrupted() const {
    return !playing || singleSteps > 0 || destination.has_value() || !edits.empty() || paceStale;
  }
  Work takeWork();
  void push(PendingCommand next);
  void drainCommands();
  Clock::time_point dueTime();

  void doStep();
  void publish(std::shared_ptr<Snapshot> snapshot);
  void pauseWhereAsked(double timeBefore, const StepReport& report);
  void fail(std::string reason);
  void halt();

  void goBackTo(Destination wanted);
  void doGoBack(const std::stop_token& stop);
  Result<Past> replay(const Destination& to, const std::stop_token& stop);
  bool goesOnReplaying(const RunStatus::GoingBack& progress, const std::stop_token& stop);

  void doEdit();
  Result<void> apply(const SceneEdit& edit);
  Result<LiveRun> adopt(const LiveRun& from, std::shared_ptr<const Model> model) const;
};

// ---- requests ----

SimulationThread::SimulationThread() : impl_(std::make_unique<Impl>()) {}

Result<std::unique_ptr<SimulationThread>> SimulationThread::create(std::shared_ptr<const Model> model,
                                                                   MakeStepper makeStepper,
                                                                   std::function<void()> onPublish) {
  SIM_REQUIRE(model != nullptr && makeStepper != nullptr);
  Result<LiveRun> live = LiveRun::from(makeStepper, model, State::initial(*model));
  if (!live) return live.error();
  std::unique_ptr<SimulationThread> simulation(new SimulationThread);
  Impl* impl = simulation->impl_.get();
  impl->makeStepper = std::move(makeStepper);
  impl->onPublish = std::move(onPublish);
  impl->live = std::move(*live);
  impl->record = std::make_shared<RunRecord>(impl->live.observe(), impl->live.keyframe());
  impl->thread = std::jthread([impl](const std::stop_token& stop) { impl->loop(stop); });
  return simulation;
}

SimulationThread::~SimulationThread() {
  impl_->thread.request_stop();
  impl_->thread.join();
}

void SimulationThread::play() {
  const std::scoped_lock lock(impl_->mutex);
  impl_->playing = true;
  impl_->until.reset();
  impl_->paceStale = true;
  impl_->facts.error.clear();
  impl_->wake.notify_all();
}

void SimulationThread::pause() {
  const std::scoped_lock lock(impl_->mutex);
  impl_->halt();
  impl_->wake.notify_all();
  if (!impl_->busy && !impl_->workWaits()) impl_->idle.notify_all();
}

void SimulationThread::stepOnce() {
  const std::scoped_lock lock(impl_->mutex);
  impl_->playing = false;
  impl_->until.reset();
  ++impl_->singleSteps;
  impl_->facts.error.clear();
  impl_->wake.notify_all();
}

void SimulationThread::setSpeed(double wanted) {
  SIM_REQUIRE(wanted > 0, wanted);
  const std::scoped_lock lock(impl_->mutex);
  impl_->speed = wanted;
  impl_->paceStale = true;
  impl_->wake.notify_all();
}

void SimulationThread::runUntil(double time) {
  const std::scoped_lock lock(impl_->mutex);
  impl_->playing = true;
  impl_->until = time;
  impl_->paceStale = true;
  impl_->facts.error.clear();
  impl_->wake.notify_all();
}

void SimulationThread::reset() {
  const std::scoped_lock lock(impl_->mutex);
  impl_->goBackTo({0, 0});
  impl_->forgotten = impl_->commands.size();
}

void SimulationThread::resumeFrom(BranchId branch, std::uint64_t step) {
  const std::scoped_lock lock(impl_->mutex);
  impl_->goBackTo({branch, step});
}

void SimulationThread::cancelGoingBack() {
  const std::scoped_lock lock(impl_->mutex);
  impl_->destination.reset();
  impl_->forgotten = 0;
  impl_->facts.goingBack.reset();
  impl_->cancelled = true;
  if (!impl_->busy && !impl_->workWaits()) impl_->idle.notify_all();
}

Result<void> SimulationThread::post(Command command, std::shared_ptr<const Model> model) {
  if (!model) model = impl_->record->newest()->model;
  if (Result<void> ok = check(command, *model); !ok) return ok;
  const std::scoped_lock lock(impl_->mutex);
  impl_->push({std::move(command), std::move(model)});
  return {};
}

std::future<Result<void>> SimulationThread::edit(SceneEdit edit) {
  const std::scoped_lock lock(impl_->mutex);
  impl_->edits.push_back({std::move(edit), {}});
  impl_->wake.notify_all();
  return impl_->edits.back().done.get_future();
}

void SimulationThread::setHistoryBudget(std::size_t bytes) {
  impl_->record->setByteBudget(bytes);
}

std::shared_ptr<const Snapshot> SimulationThread::latest() const {
  return impl_->record->newest();
}

std::shared_ptr<const Snapshot> SimulationThread::at(std::uint64_t step) const {
  return impl_->record->at(std::nullopt, step);
}

std::vector<TimelineMark> SimulationThread::marks(std::uint64_t from) const {
  return impl_->record->marks(std::nullopt, from);
}

RunColumns SimulationThread::columns() const {
  return impl_->record->columns(std::nullopt);
}

std::vector<BranchFacts> SimulationThread::branches() const {
  return impl_->record->branches();
}

std::shared_ptr<const RunSource> SimulationThread::branch(BranchId id) const {
  return impl_->record->has(id) ? std::make_shared<BranchView>(impl_->record, id) : nullptr;
}

RunStatus SimulationThread::status() const {
  RunStatus status;
  {
    const std::scoped_lock lock(impl_->mutex);
    status = impl_->facts;
    status.playing = impl_->playing;
    status.speedWanted = impl_->until ? std::numeric_limits<double>::infinity() : impl_->speed;
    if (!impl_->playing) status.speedMeasured = 0;
  }
  impl_->record->describe(std::nullopt, status);
  return status;
}

void SimulationThread::waitUntilIdle() {
  std::unique_lock lock(impl_->mutex);
  impl_->idle.wait(lock, [this] { return !impl_->busy && !impl_->workWaits(); });
}

// ---- the thread ----

void SimulationThread::Impl::loop(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const Work work = waitForWork(stop);
    try {
      if (work == Work::Step) doStep();
      if (work == Work::GoBack) doGoBack(stop);
      if (work == Work::Edit) doEdit();
    } catch (const std::exception& exception) {
      // Steppers change their state only when a step has succeeded: the run can go on from the one before.
      fail(live.nextStepName() + ": " + exception.what() + "; make the scene smaller or reset it");
    }
    const std::scoped_lock lock(mutex);
    busy = false;
    taken = 0;
    if (!destination) facts.goingBack.reset();
    if (!workWaits()) idle.notify_all();
  }
}

/// Blocks until there is something to do; while playing at a finite speed also until the next step is due.
SimulationThread::Impl::Work SimulationThread::Impl::waitForWork(const std::stop_token& stop) {
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    if (!wake.wait(lock, stop, [this] { return workWaits(); })) break;
    const bool paced =
        playing && singleSteps == 0 && !destination && edits.empty() && !until && std::isfinite(speed);
    if (!paced) return takeWork();
    const Clock::time_point due = dueTime();
    if (Clock::now() >= due) return takeWork();
    wake.wait_until(lock, stop, due, [this] { return interrupted(); });
  }
  return Work::None;
}

SimulationThread::Impl::Work SimulationThread::Impl::takeWork() {
  busy = true;
  if (destination) return Work::GoBack;
  if (!edits.empty()) return Work::Edit;
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

/// What the next step applies, in the terms of the live model. It stays posted until the step is accepted. A
/// number that was allowed when it was posted may not be beside those in force by now: it is left out, and
/// the status says so.
void SimulationThread::Impl::drainCommands() {
  applied.clear();
  taken = commands.size();
  std::optional<Tuning> tuning;
  for (const PendingCommand& pending : commands) {
    const std::optional<Command> command = pending.model == live.model
                                               ? pending.command
                                               : inTermsOf(pending.command, *pending.model, *live.model);
    if (!command) continue;
    if (const auto* set = std::get_if<SetParameter>(&*command)) {
      if (!tuning) tuning = *live.tuning;
      if (const Result<void> done = setParameter(*live.model, set->path, set->value, *tuning); !done) {
        facts.error = done.error().message();
        continue;
      }
    }
    applied.push_back(*command);
  }
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

void SimulationThread::Impl::doStep() {
  const double timeBefore = live.time;
  const Clock::time_point start = Clock::now();
  StepReport report;
  std::shared_ptr<Snapshot> snapshot = live.advance(applied, report);
  const Clock::time_point end = Clock::now();
  // The commands of a refused step wait for the next try.
  if (!snapshot) return fail(live.nextStepName() + ": " + describe(report.health));
  meter.add(end, live.time, std::chrono::duration<double>(end - start).count());
  publish(std::move(snapshot));
  pauseWhereAsked(timeBefore, report);
}

/// Hands a new step to the readers and the history.
void SimulationThread::Impl::publish(std::shared_ptr<Snapshot> snapshot) {
  snapshot->branch = record->newest()->branch;
  record->publish(std::move(snapshot), applied, record->keyframeDue(live.step) ? live.keyframe() : nullptr);
  {
    const std::scoped_lock lock(mutex);
    commands.erase(commands.begin(), commands.begin() + static_cast<std::ptrdiff_t>(taken));
    forgotten -= std::min(forgotten, taken);
    facts.speedMeasured = meter.rate();
    facts.meanStepWall = meter.meanStepWall();
    facts.finished = live.atTheEnd();
  }
  if (onPublish) onPublish();
}

void SimulationThread::Impl::pauseWhereAsked(double timeBefore, const StepReport& report) {
  const Model& model = *live.model;
  const double halfStep = 0.5 * model.time.dt;
  const std::scoped_lock lock(mutex);
  if (model.solver.policy == HealthPolicy::Pause && (report.health & kUnhealthy) != 0) {
    halt();
    facts.error = stepName(live.step, live.time) + ": " + describe(report.health);
  }
  if (until && live.time > *until - halfStep) halt();
  const bool passedTheEnd = timeBefore <= model.time.duration - halfStep && live.atTheEnd();
  if (!until && playing && passedTheEnd) halt();
}

void SimulationThread::Impl::fail(std::string reason) {
  {
    const std::scoped_lock lock(mutex);
    halt();
    facts.error = std::move(reason);
  }
  if (onPublish) onPublish();
}

/// Drops all wishes to go on. Requires the lock.
void SimulationThread::Impl::halt() {
  playing = false;
  until.reset();
  singleSteps = 0;
}

// ---- going back ----

/// Requires the lock.
void SimulationThread::Impl::goBackTo(Destination wanted) {
  halt();
  destination = wanted;
  forgotten = 0;
  facts.goingBack = {wanted.step, 0, 0};
  cancelled = true;  // a replay to somewhere else, if one is under way
  wake.notify_all();
}

void SimulationThread::Impl::doGoBack(const std::stop_token& stop) {
  Destination to;
  {
    const std::scoped_lock lock(mutex);
    if (!destination) return;  // cancelled before it began
    to = *std::exchange(destination, std::nullopt);
    cancelled = false;
  }
  Result<Past> past = replay(to, stop);
  {
    const std::scoped_lock lock(mutex);
    if (cancelled) return;
    if (!past) forgotten = 0;
  }
  if (!past) return fail(past.error().message());
  live = std::move(past->live);
  meter.restart();
  record->continueFrom(to.branch, to.step, std::move(past->snapshot));
  {
    const std::scoped_lock lock(mutex);
    commands.erase(commands.begin(), commands.begin() + static_cast<std::ptrdiff_t>(forgotten));
    forgotten = 0;
    // What a person pulled at then is not in anybody's hand now.
    commands.insert(commands.begin(), {Release{}, live.model});
    facts.finished = live.atTheEnd();
    facts.error.clear();
  }
  if (onPublish) onPublish();
}

/// Computes a past step again, from the keyframe before it and the log, with a stepper of its own: nothing of
/// the present run changes.
Result<SimulationThread::Impl::Past> SimulationThread::Impl::replay(const Destination& to,
                                                                    const std::stop_token& stop) {
  const std::string where = "resume from step " + std::to_string(to.step);
  const std::optional<RunRecord::Departure> departure = record->departureFor(to.branch, to.step);
  if (!departure)
    return Error{ErrorCode::InvalidValue, "this step is not in the history", where,
                 "choose a step between the first and the last on the timeline"};
  const Keyframe& keyframe = *departure->keyframe;
  Result<LiveRun> past = LiveRun::from(makeStepper, keyframe.model, keyframe.state);
  if (!past) return past.error();
  std::shared_ptr<Snapshot> snapshot = past->observe();
  while (past->step < to.step) {
    if (!goesOnReplaying({to.step, past->step - keyframe.state.step, to.step - keyframe.state.step}, stop))
      return Error{ErrorCode::SimulationFailed, "given up", where, ""};
    for (const std::shared_ptr<const Model>& model : record->modelsAt(to.branch, past->step)) {
      past = adopt(*past, model);
      if (!past) return past.error();
    }
    StepReport report;
    snapshot = past->advance(record->commandsAt(to.branch, past->step), report);
    if (!snapshot)
      return Error{
          ErrorCode::SimulationFailed,
          "the replay was refused at step " + std::to_string(past->step + 1) + ": " + describe(report.health),
          where, "resume from an earlier step"};
  }
  if (snapshot->stateHash != departure->stateHash)
    return Error{ErrorCode::SimulationFailed, "the replay does not reproduce the recorded state", where,
                 "resume from another step, or reset; please report this scene"};
  return Past{std::move(*past), std::move(snapshot)};
}

/// Notes the progress. @return false when nobody waits for the replay any more
bool SimulationThread::Impl::goesOnReplaying(const RunStatus::GoingBack& progress,
                                             const std::stop_token& stop) {
  const std::scoped_lock lock(mutex);
  if (cancelled || stop.stop_requested()) return false;
  facts.goingBack = progress;
  return true;
}

// ---- edits of the scene ----

void SimulationThread::Impl::doEdit() {
  PendingEdit pending;
  {
    const std::scoped_lock lock(mutex);
    pending = std::move(edits.front());
    edits.erase(edits.begin());
  }
  try {
    pending.done.set_value(apply(pending.edit));
  } catch (const std::exception& exception) {
    pending.done.set_value(Error{ErrorCode::SimulationFailed, exception.what(), "edit of the scene", ""});
  }
  if (onPublish) onPublish();
}

/// Nothing changes before everything that can fail has succeeded.
Result<void> SimulationThread::Impl::apply(const SceneEdit& edit) {
  if (!live.model->scene)
    return Error{ErrorCode::Unsupported, "this model has no scene that could be edited", live.model->name,
                 "open a scene file"};
  Result<Scene> scene = edited(*live.model->scene, edit);
  if (!scene) return scene.error();
  Result<CompiledScene> compiled = compile(*scene);
  if (!compiled) return compiled.error();
  Result<LiveRun> next = adopt(live, compiled->model);
  if (!next) return next.error();
  live = std::move(*next);
  std::shared_ptr<Snapshot> snapshot = live.observe();
  snapshot->branch = record->newest()->branch;
  record->changeModel(std::move(snapshot));
  return {};
}

/// The state of a live run in the terms of another model.
Result<LiveRun> SimulationThread::Impl::adopt(const LiveRun& from, std::shared_ptr<const Model> model) const {
  const State carried = carryOver(from.model, from.state(), model);
  return LiveRun::from(makeStepper, std::move(model), carried);
}

}  // namespace slipstick
