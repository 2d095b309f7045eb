#include "engine/runtime/simulation_thread.h"

#include <exception>
#include <limits>
#include <new>
#include <utility>

#include "engine/foundation/require.h"
#include "engine/runtime/simulation_thread_impl.h"

namespace slipstick {

HealthFlags unhealthy(HealthFlags flags, const MethodRows* own) {
  return flags & flagsFrom(Severity::Warning, own);
}

Computes computesOf(const Stepper& stepper) {
  return {std::string(stepper.method()), std::string(stepper.backendName()), stepper.runsOn(),
          stepper.reproduces()};
}

std::string describe(HealthFlags flags, const MethodRows* own) {
  std::string text;
  for (const HealthInfo* info : raisedIn(unhealthy(flags, own), own)) {
    if (!text.empty()) text += "; ";
    text += std::string(info->name) + ": " + info->line();
  }
  return text;
}

std::string wordsOfException() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return "there is not enough memory";
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "an unknown exception was thrown";
  }
}

// ---- requests ----

SimulationThread::SimulationThread() : impl_(std::make_unique<Impl>()) {}

Result<std::unique_ptr<SimulationThread>> SimulationThread::create(std::shared_ptr<const Model> model,
                                                                   MakeStepper makeStepper,
                                                                   std::function<void()> onPublish) {
  SIM_REQUIRE(model != nullptr && makeStepper != nullptr);
  Result<LiveRun> live = LiveRun::start(std::move(makeStepper), model);
  if (!live) return live.error();
  std::unique_ptr<SimulationThread> simulation(new SimulationThread);
  Impl* impl = simulation->impl_.get();
  impl->onPublish = std::move(onPublish);
  impl->live = std::move(*live);
  impl->computes = computesOf(*impl->live.stepper);
  impl->record = std::make_shared<RunRecord>(impl->live.observe(), impl->live.keyframe());
  impl->thread = std::jthread([impl](const std::stop_token& stop) { impl->loop(stop); });
  return simulation;
}

SimulationThread::~SimulationThread() {
  impl_->thread.request_stop();
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->stopOfWork.request_stop();
    if (impl_->compiling) impl_->compiling->cancel();
  }
  impl_->thread.join();
}

void SimulationThread::play() {
  const std::scoped_lock lock(impl_->mutex);
  impl_->playing = true;
  impl_->until.reset();
  impl_->paceStale = true;
  impl_->clearError();
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
  impl_->clearError();
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
  impl_->runUntil(time);
}

void SimulationThread::runAtLeastUntil(double time) {
  const std::scoped_lock lock(impl_->mutex);
  if (impl_->playing && (!impl_->until || *impl_->until >= time)) return;
  impl_->runUntil(time);
}

void SimulationThread::reset() {
  const std::scoped_lock lock(impl_->mutex);
  impl_->goBackTo(0, Impl::Destination{impl_->record->startOfActive(), 0});
  impl_->forgotten = impl_->commands.size();
}

void SimulationThread::startOver(Scene scene, std::string name, std::shared_ptr<RunSink> sink) {
  const std::scoped_lock lock(impl_->mutex);
  impl_->goBackTo(0, Impl::Anew{std::move(scene), std::move(name), std::move(sink)});
  impl_->nextSink.reset();  // what was to be attached before would come after
  impl_->forgotten = impl_->commands.size();
}

void SimulationThread::resumeFrom(BranchId branch, std::uint64_t step) {
  const std::scoped_lock lock(impl_->mutex);
  impl_->goBackTo(step, Impl::Destination{branch, step});
}

void SimulationThread::resumeFrom(std::shared_ptr<const StoredRun> run, std::uint64_t step) {
  SIM_REQUIRE(run != nullptr);
  const std::scoped_lock lock(impl_->mutex);
  impl_->goBackTo(step, Impl::Elsewhere{std::move(run), step});
}

void SimulationThread::resumeFrom(BesideState state) {
  SIM_REQUIRE(state.state != nullptr);
  const std::scoped_lock lock(impl_->mutex);
  const std::uint64_t step = state.state->state.step;
  impl_->goBackTo(step, std::move(state));
}

void SimulationThread::goOnWith(MakeStepper makeStepper) {
  SIM_REQUIRE(makeStepper != nullptr);
  const std::scoped_lock lock(impl_->mutex);
  impl_->halt();
  impl_->replacement = std::move(makeStepper);
  impl_->facts.goingBack = {impl_->record->newest()->step, 0, 0};
  impl_->wake.notify_all();
}

void SimulationThread::cancelGoingBack() {
  const std::scoped_lock lock(impl_->mutex);
  if (impl_->underWay == Impl::Work::GoBack || impl_->underWay == Impl::Work::GoOn) {
    impl_->giveUpSteps();
    if (impl_->compiling) impl_->compiling->cancel();
  }
  impl_->aim = {};
  impl_->replacement.reset();
  impl_->forgotten = 0;
  impl_->facts.goingBack.reset();
  impl_->cancelled = true;
  if (!impl_->busy && !impl_->workWaits()) impl_->idle.notify_all();
}

void SimulationThread::cancelEdit() {
  const std::scoped_lock lock(impl_->mutex);
  if (impl_->underWay == Impl::Work::Edit && impl_->compiling) impl_->compiling->cancel();
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

void SimulationThread::setPilot(std::shared_ptr<Pilot> pilot) {
  const std::scoped_lock lock(impl_->mutex);
  impl_->pilot = std::move(pilot);
}

void SimulationThread::setSink(std::shared_ptr<RunSink> sink) {
  const std::scoped_lock lock(impl_->mutex);
  impl_->nextSink = std::move(sink);
  impl_->wake.notify_all();
}

Result<SimulationThread::End> SimulationThread::endOf(BranchId branch, double from) const {
  Result<RunStretch> stretch = impl_->record->endOf(branch, from);
  if (!stretch) return stretch.error();
  Computes computes;
  computes.backend = stretch->keyframes.back()->backend;
  computes.reproduces = false;
  {
    const std::scoped_lock lock(impl_->mutex);
    // Of another backend, which has failed since, no more is known than its name.
    if (impl_->computes.backend == computes.backend) computes = impl_->computes;
  }
  return End{std::move(*stretch), std::move(computes)};
}

Result<void> SimulationThread::renameBranch(BranchId branch, const std::string& name) {
  return impl_->record->rename(branch, name);
}

Result<void> SimulationThread::deleteBranch(BranchId branch) {
  History::Garbage dropped;  // freed after the lock
  const std::scoped_lock lock(impl_->mutex);
  const auto* const destination = std::get_if<Impl::Destination>(&impl_->aim);
  if (impl_->replayed == branch || (destination != nullptr && destination->branch == branch))
    return Error{ErrorCode::InvalidValue, "the run is going back to a step of this branch",
                 "branches of the run", "wait until it is there, or cancel that"};
  Result<History::Garbage> removed = impl_->record->remove(branch);
  if (!removed) return removed.error();
  dropped = std::move(*removed);
  return {};
}

std::shared_ptr<const Snapshot> SimulationThread::latest() const {
  return impl_->record->newest();
}

std::shared_ptr<const Snapshot> SimulationThread::at(std::uint64_t step) const {
  return impl_->record->at(std::nullopt, step);
}

std::shared_ptr<const Snapshot> SimulationThread::contactsAt(std::uint64_t step) const {
  return impl_->record->contactsAt(std::nullopt, step);
}

std::optional<TimelineMark> SimulationThread::mark(std::uint64_t step) const {
  return impl_->record->mark(std::nullopt, step);
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
  return BranchView::of(impl_->record, id);
}

std::shared_ptr<const RunRecord> SimulationThread::record() const {
  return impl_->record;
}

RunStatus SimulationThread::status() const {
  RunStatus status;
  {
    const std::scoped_lock lock(impl_->mutex);
    status = impl_->facts;
    status.runsOn = impl_->computes.runsOn;
    if (impl_->compiling) status.compiling = impl_->compiling->current();
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

}  // namespace slipstick
