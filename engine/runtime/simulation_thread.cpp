#include "engine/runtime/simulation_thread.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <stop_token>
#include <utility>

#include "engine/foundation/number_text.h"
#include "engine/foundation/require.h"
#include "engine/model/state.h"
#include "engine/runtime/rate_meter.h"

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

std::string stepName(std::uint64_t step, double time) {
  return "step " + std::to_string(step) + " (t = " + significant(time) + " s)";
}

}  // namespace

struct SimulationThread::Impl {
  enum class Work { None, Step, Reset, Resume };

  std::shared_ptr<const Model> model;
  std::unique_ptr<Stepper> stepper;
  std::function<void()> onPublish;

  // Guarded by the mutex, which is never held while a step is computed.
  mutable std::mutex mutex;
  std::condition_variable_any wake;  ///< a request came in
  std::condition_variable idle;      ///< the work ran out
  bool playing = false;
  bool busy = false;  ///< computing outside the lock
  bool resetWanted = false;
  std::uint64_t singleSteps = 0;
  std::optional<double> until;  ///< of runUntil [s]
  std::optional<std::uint64_t> resumeStep;
  std::vector<Command> commands;
  double speed = 1;
  bool paceStale = true;
  RunStatus facts;  ///< what status() reports of the run so far
  std::shared_ptr<const Snapshot> newest;
  History history;

  // The simulation thread's own; the live state is the stepper's.
  std::uint64_t step = 0;  ///< of the live state
  double time = 0;         ///< of the live state [s]
  RateMeter meter;
  Clock::time_point paceWall;
  double paceTime = 0;
  std::uint32_t latestBranch = 0;
  std::vector<Command> drained;

  std::jthread thread;  ///< last: joins before anything above goes

  void loop(const std::stop_token& stop);
  Work waitForWork(const std::stop_token& stop);
  bool workWaits() const { return playing || singleSteps > 0 || resetWanted || resumeStep.has_value(); }
  bool interrupted() const {
    return !playing || singleSteps > 0 || resetWanted || resumeStep.has_value() || paceStale;
  }
  Work takeWork();
  Clock::time_point dueTime();

  void doStep();
  void publish(std::shared_ptr<Snapshot> snapshot);
  void pauseWhereAsked(double timeBefore, const StepReport& report);
  void refuse(const StepReport& report);
  void doReset();
  void doResume(const std::stop_token& stop);
  Result<std::shared_ptr<Snapshot>> replay(std::uint64_t wanted, const std::stop_token& stop);
  std::shared_ptr<const State> keyframeFor(std::uint64_t wanted) const;
  void enterBranch(std::shared_ptr<Snapshot> snapshot);
  void stand(const Snapshot& snapshot);
  std::shared_ptr<const State> keyframe() const;
  void fail(std::string reason);
  void halt();
  void start(std::shared_ptr<Snapshot> snapshot);
};

// ---- requests
// ------------------------------------------------------------------------------------------------------

SimulationThread::SimulationThread(std::shared_ptr<const Model> model, std::unique_ptr<Stepper> stepper,
                                   std::function<void()> onPublish)
    : model_(std::move(model)), impl_(std::make_unique<Impl>()) {
  SIM_REQUIRE(model_ != nullptr && stepper != nullptr);
  impl_->model = model_;
  impl_->stepper = std::move(stepper);
  impl_->onPublish = std::move(onPublish);
  impl_->stepper->restore(State::initial(*model_));
  auto first = std::make_shared<Snapshot>();
  impl_->stepper->observe(*first);
  impl_->start(std::move(first));
  impl_->thread = std::jthread([impl = impl_.get()](const std::stop_token& stop) { impl->loop(stop); });
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
  impl_->halt();
  impl_->resumeStep.reset();
  impl_->commands.clear();
  impl_->resetWanted = true;
  impl_->wake.notify_all();
}

void SimulationThread::resumeFrom(std::uint64_t step) {
  const std::scoped_lock lock(impl_->mutex);
  impl_->halt();
  impl_->resumeStep = step;
  impl_->wake.notify_all();
}

Result<void> SimulationThread::post(Command command) {
  if (Result<void> ok = check(command, *model_); !ok) return ok;
  const std::scoped_lock lock(impl_->mutex);
  impl_->commands.push_back(std::move(command));
  return {};
}

void SimulationThread::setHistoryBudget(std::size_t bytes) {
  const std::scoped_lock lock(impl_->mutex);
  impl_->history.setByteBudget(bytes);
}

std::shared_ptr<const Snapshot> SimulationThread::latest() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->newest;
}

std::shared_ptr<const Snapshot> SimulationThread::at(std::uint64_t step) const {
  const std::scoped_lock lock(impl_->mutex);
  std::shared_ptr<const Snapshot> stored = impl_->history.nearest(step);
  return stored ? stored : impl_->newest;
}

RunStatus SimulationThread::status() const {
  const std::scoped_lock lock(impl_->mutex);
  RunStatus status = impl_->facts;
  status.playing = impl_->playing;
  status.speedWanted = impl_->until ? std::numeric_limits<double>::infinity() : impl_->speed;
  if (!impl_->playing) status.speedMeasured = 0;
  status.lastStep = impl_->newest->step;
  status.firstStored = impl_->history.firstStep().value_or(status.lastStep);
  status.branch = impl_->newest->branch;
  status.historyBytes = impl_->history.bytesUsed();
  status.historyBudget = impl_->history.byteBudget();
  return status;
}

std::vector<TimelineMark> SimulationThread::marks(std::uint64_t from) const {
  const std::scoped_lock lock(impl_->mutex);
  const std::vector<TimelineMark>& all = impl_->history.marks();
  const auto first =
      std::lower_bound(all.begin(), all.end(), from,
                       [](const TimelineMark& mark, std::uint64_t step) { return mark.step < step; });
  return {first, all.end()};
}

void SimulationThread::waitUntilIdle() {
  std::unique_lock lock(impl_->mutex);
  impl_->idle.wait(lock, [this] { return !impl_->busy && !impl_->workWaits(); });
}

// ---- the thread
// ----------------------------------------------------------------------------------------------------

void SimulationThread::Impl::loop(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const Work work = waitForWork(stop);
    try {
      if (work == Work::Step) doStep();
      if (work == Work::Reset) doReset();
      if (work == Work::Resume) doResume(stop);
    } catch (const std::exception& exception) {
      // Steppers change the state only when a step has succeeded, so the run can go on from the step before.
      fail(stepName(step + 1, time + model->time.dt) + ": " + exception.what() +
           "; make the scene smaller or reset it");
    }
    const std::scoped_lock lock(mutex);
    busy = false;
    facts.resuming = false;
    if (!workWaits()) idle.notify_all();
  }
}

/// Blocks until there is something to do; while playing at a finite speed also until the next step is due.
SimulationThread::Impl::Work SimulationThread::Impl::waitForWork(const std::stop_token& stop) {
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    if (!wake.wait(lock, stop, [this] { return workWaits(); })) break;
    const bool paced =
        playing && singleSteps == 0 && !resetWanted && !resumeStep && !until && std::isfinite(speed);
    if (!paced) return takeWork();
    const Clock::time_point due = dueTime();
    if (Clock::now() >= due) return takeWork();
    wake.wait_until(lock, stop, due, [this] { return interrupted(); });
  }
  return Work::None;
}

SimulationThread::Impl::Work SimulationThread::Impl::takeWork() {
  busy = true;
  if (resetWanted) {
    resetWanted = false;
    return Work::Reset;
  }
  if (resumeStep) {
    facts.resuming = true;
    return Work::Resume;
  }
  if (paceStale) meter.restart();
  paceStale = false;
  if (singleSteps > 0) --singleSteps;
  drained.clear();
  std::swap(drained, commands);
  return Work::Step;
}

/// When the next step should start so that simulated time keeps the wanted pace. Requires the lock.
Clock::time_point SimulationThread::Impl::dueTime() {
  const Clock::time_point now = Clock::now();
  const auto dueAt = [this] {
    const double wall = (time + model->time.dt - paceTime) / speed;
    return paceWall + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wall));
  };
  if (paceStale || std::chrono::duration<double>(now - dueAt()).count() > kLargestLag) {
    if (paceStale) meter.restart();
    paceStale = false;
    paceWall = now;
    paceTime = time + model->time.dt;  // the next step is due now
  }
  return dueAt();
}

void SimulationThread::Impl::doStep() {
  auto snapshot = std::make_shared<Snapshot>();
  const double timeBefore = time;
  const std::uint64_t stepBefore = step;
  const Clock::time_point start = Clock::now();
  const StepReport report = stepper->step(drained, *snapshot);
  const Clock::time_point end = Clock::now();
  if (!refused(report.health)) stand(*snapshot);
  meter.add(end, time, std::chrono::duration<double>(end - start).count());
  if (refused(report.health)) return refuse(report);
  {
    const std::scoped_lock lock(mutex);
    for (Command& command : drained) history.log({stepBefore, std::move(command)});
  }
  publish(std::move(snapshot));
  pauseWhereAsked(timeBefore, report);
}

/// Hands a new step to the readers and the history.
void SimulationThread::Impl::publish(std::shared_ptr<Snapshot> snapshot) {
  bool keyframeDue = false;
  {
    const std::scoped_lock lock(mutex);
    snapshot->branch = newest->branch;
    keyframeDue = history.keyframeDue(step);
  }
  auto kept = keyframeDue ? keyframe() : nullptr;
  {
    const std::scoped_lock lock(mutex);
    newest = snapshot;
    history.push(std::move(snapshot), std::move(kept));
    facts.speedMeasured = meter.rate();
    facts.meanStepWall = meter.meanStepWall();
    facts.finished = time > model->time.duration - 0.5 * model->time.dt;
  }
  if (onPublish) onPublish();
}

void SimulationThread::Impl::pauseWhereAsked(double timeBefore, const StepReport& report) {
  const double halfStep = 0.5 * model->time.dt;
  const double duration = model->time.duration;
  const std::scoped_lock lock(mutex);
  if (model->solver.policy == HealthPolicy::Pause && (report.health & kUnhealthy) != 0) {
    halt();
    facts.error = stepName(step, time) + ": " + describe(report.health);
  }
  if (until && time > *until - halfStep) halt();
  const bool passedTheEnd = timeBefore <= duration - halfStep && time > duration - halfStep;
  if (!until && playing && passedTheEnd) halt();
}

void SimulationThread::Impl::refuse(const StepReport& report) {
  fail(stepName(step + 1, time + model->time.dt) + ": " + describe(report.health));
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

// ---- going back
// ----------------------------------------------------------------------------------------------------

/// Publishes the first snapshot of an empty history. The live state must be the one observed.
void SimulationThread::Impl::start(std::shared_ptr<Snapshot> snapshot) {
  stand(*snapshot);
  auto first = keyframe();
  const std::scoped_lock lock(mutex);
  history.clear();
  newest = snapshot;
  history.push(std::move(snapshot), std::move(first));
  facts.finished = false;
  facts.error.clear();
}

void SimulationThread::Impl::doReset() {
  stepper->restore(State::initial(*model));
  meter.restart();
  auto snapshot = std::make_shared<Snapshot>();
  stepper->observe(*snapshot);
  snapshot->branch = ++latestBranch;
  start(std::move(snapshot));
  if (onPublish) onPublish();
}

void SimulationThread::Impl::doResume(const std::stop_token& stop) {
  std::uint64_t wanted = 0;
  {
    const std::scoped_lock lock(mutex);
    wanted = *resumeStep;
    resumeStep.reset();
  }
  const std::shared_ptr<const State> present = keyframe();
  Result<std::shared_ptr<Snapshot>> snapshot = replay(wanted, stop);
  if (snapshot) return enterBranch(std::move(*snapshot));
  stepper->restore(*present);
  fail(snapshot.error().message());
}

/// Recomputes the wanted step from the keyframe before it and the command log; the stepper stands there then.
Result<std::shared_ptr<Snapshot>> SimulationThread::Impl::replay(std::uint64_t wanted,
                                                                 const std::stop_token& stop) {
  const std::string where = "resume from step " + std::to_string(wanted);
  std::optional<TimelineMark> mark;
  std::shared_ptr<const State> from;
  {
    const std::scoped_lock lock(mutex);
    mark = history.mark(wanted);
    from = keyframeFor(wanted);
  }
  if (!mark || !from) {
    return Error{ErrorCode::InvalidValue, "this step is not in the history", where,
                 "choose a step between the first and the last on the timeline"};
  }
  stepper->restore(*from);
  auto snapshot = std::make_shared<Snapshot>();
  stepper->observe(*snapshot);
  while (snapshot->step < wanted) {
    if (stop.stop_requested()) return Error{ErrorCode::SimulationFailed, "the program is closing", where, ""};
    std::vector<Command> logged;
    {
      const std::scoped_lock lock(mutex);
      logged = history.commandsAt(snapshot->step);
    }
    const std::uint64_t next = snapshot->step + 1;
    const StepReport report = stepper->step(logged, *snapshot);
    if (refused(report.health)) {
      return Error{ErrorCode::SimulationFailed,
                   "the replay was refused at step " + std::to_string(next) + ": " + describe(report.health),
                   where, "resume from an earlier step"};
    }
  }
  if (snapshot->stateHash != mark->stateHash) {
    return Error{ErrorCode::SimulationFailed, "the replay does not reproduce the recorded state", where,
                 "resume from another step, or reset; please report this scene"};
  }
  return snapshot;
}

/// The keyframe to replay from: one step earlier than needed where possible, so that the step's contacts are
/// computed again.
std::shared_ptr<const State> SimulationThread::Impl::keyframeFor(std::uint64_t wanted) const {
  std::shared_ptr<const State> keyframe = wanted > 0 ? history.keyframeBefore(wanted - 1) : nullptr;
  return keyframe ? keyframe : history.keyframeBefore(wanted);
}

void SimulationThread::Impl::enterBranch(std::shared_ptr<Snapshot> snapshot) {
  stand(*snapshot);
  meter.restart();
  snapshot->branch = ++latestBranch;
  {
    const std::scoped_lock lock(mutex);
    history.truncateAfter(step);
    // What a person pulled at then is not in anybody's hand now.
    commands.insert(commands.begin(), Release{});
    newest = std::move(snapshot);
    facts.finished = time > model->time.duration - 0.5 * model->time.dt;
    facts.error.clear();
  }
  if (onPublish) onPublish();
}

/// Takes note of where the live state is.
void SimulationThread::Impl::stand(const Snapshot& snapshot) {
  step = snapshot.step;
  time = snapshot.time;
}

std::shared_ptr<const State> SimulationThread::Impl::keyframe() const {
  auto state = std::make_shared<State>();
  stepper->save(*state);
  return state;
}

}  // namespace slipstick
