#include "ui/session.h"

#include <QElapsedTimer>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "engine/foundation/process_memory.h"
#include "engine/model/assumed_mass.h"
#include "render/selection_names.h"
#include "ui/driving.h"
#include "ui/episodes.h"
#include "ui/exports.h"
#include "ui/playback.h"
#include "ui/plot_list.h"
#include "ui/run_reader.h"
#include "ui/run_recording.h"
#include "ui/scene_document.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

constexpr int kStatusPeriod_ms = 100;
/// Numbers that are dragged are looked at once they have rested for this long.
constexpr int kNumbersRest_ms = 300;
/// Snapshots are looked at no more often than this, however fast the solver publishes them.
constexpr int kPublishPeriod_ms = 8;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array kSpeeds = {0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, kInfinity};

}  // namespace

Session::Session(StudioServices services, QObject* parent)
    : QObject(parent),
      services_(std::move(services)),
      loader_(
          services_,
          [this] {
            if (!publishPending_.exchange(true))
              QMetaObject::invokeMethod(this, &Session::onPublished, Qt::QueuedConnection);
          },
          [this](const std::string& source, Result<OpenedScene> result) {
            finishOpening(source, std::move(result));
          }),
      document_(std::make_unique<SceneDocument>(*this)),
      exports_(std::make_unique<Exports>()),
      playback_(std::make_unique<Playback>(*this)),
      recording_(std::make_unique<RunRecording>(*this)),
      driving_(std::make_unique<Driving>(*this)),
      episodes_(std::make_unique<Episodes>(*this)),
      reader_(std::make_unique<RunReader>()),
      plots_(std::make_unique<PlotList>()) {
  connect(playback_.get(), &Playback::changed, this, &Session::statusChanged);
  connect(exports_.get(), &Exports::written, this, [this](const QString& file, const QString& note) {
    tell(LogLevel::Info, tr("wrote %1").arg(file) + (note.isEmpty() ? QString() : ": " + note));
  });
  connect(exports_.get(), &Exports::stopped, this,
          [this](const QString& file) { tell(LogLevel::Info, tr("%1 was given up").arg(file)); });
  connect(exports_.get(), &Exports::failed, this, &Session::failed);
  for (const auto written : {&Exports::writtenQuietly, &Exports::stopped})
    connect(exports_.get(), written, episodes_.get(), &Episodes::refresh);
  connect(exports_.get(), &Exports::written, episodes_.get(), &Episodes::refresh);
  connect(exports_.get(), &Exports::failed, episodes_.get(), &Episodes::refresh);
  connect(recording_.get(), &RunRecording::changed, episodes_.get(), &Episodes::follow);
  connect(this, &Session::statusChanged, episodes_.get(), &Episodes::follow);
  // Whoever said it: a status that comes back to what it was before has changed, too.
  connect(this, &Session::statusChanged, this, [this] { lastStatus_ = status(); });
  methodTimer_.setSingleShot(true);
  methodTimer_.setInterval(kNumbersRest_ms);
  connect(&methodTimer_, &QTimer::timeout, this, [this] { lookAtMethod(false); });
  connect(&statusTimer_, &QTimer::timeout, this, &Session::pollStatus);
  statusTimer_.start(kStatusPeriod_ms);
}

Session::~Session() = default;

// ---------------------------------------------------------------------------------------------- opening

void Session::open(const QString& nameOrPath) {
  loader_.load(nameOrPath.toStdString());
  Q_EMIT loadingChanged(true, nameOrPath);
}

void Session::cancelOpening() {
  if (!isLoading()) return;
  loader_.cancel();
  document_->unwaive();
  Q_EMIT loadingChanged(false, {});
  tell(LogLevel::Info, tr("opening was cancelled"));
}

void Session::reload() {
  if (!isOpen()) return;
  open(document_->file().isEmpty() ? QString::fromStdString(source_) : document_->file());
}

void Session::finishOpening(const std::string& source, Result<OpenedScene> result) {
  Q_EMIT loadingChanged(false, {});
  if (!result) {
    document_->unwaive();
    Q_EMIT failed(result.error());
    return;
  }
  if (!gate_) return adopt(source, std::move(*result));
  const auto ready = std::make_shared<OpenedScene>(std::move(*result));
  gate_([this, source, ready] { adopt(source, std::move(*ready)); },
        [this, ready] { retire(std::move(ready->simulation)); });
}

void Session::adopt(const std::string& source, OpenedScene result) {
  if (isOpen()) Q_EMIT leaving();
  recording_->stop();
  if (isOpen()) simulation_->setPilot(nullptr);
  retire(std::move(simulation_));
  simulation_ = std::move(result.simulation);
  source_ = source;
  undo_.clear();
  sceneEdits_.clear();
  undoWishes_.clear();
  split_.reset();
  edits_.clear();
  selection_ = {};
  lookedAt_.reset();
  sharedBranches_.clear();
  ghost_.reset();
  pins_.clear();
  plots_->clear();
  range_.reset();
  bookmarks_.clear();
  playback_->stop();
  jumps_ = 0;
  lastError_.clear();
  live_ = true;
  stored_ = std::move(result.stored);
  storedTuning_.reset();
  shown_ = presented_ = simulation_->latest();
  if (stored_) {
    lookedAt_ = stored_;
    live_ = false;
    shown_ = presented_ = stored_->at(stored_->status().firstStored);
  }
  tuning_ = model()->tuning;
  notices_ = std::move(result.notices);
  nameBodies();
  // The scene of a recording has no file here: saving it asks for one.
  document_->begin(stored_ ? std::string() : model()->file, result.read);
  followStoredNumbers();
  if (isRobotViewer()) selection_ = render::SelectedRobot{0};
  driving_->begin();
  episodes_->open();
  Q_EMIT opened(notices_);
  lookAtMethod(true);
  Q_EMIT selectionChanged();
  Q_EMIT ghostChanged();
  Q_EMIT pinsChanged();
  Q_EMIT rangeChanged();
  Q_EMIT settingsChanged();
  Q_EMIT shownChanged();
  Q_EMIT statusChanged();
}

// The destructor of a simulation waits for its last step; the window must not.
void Session::retire(std::unique_ptr<SimulationThread> simulation) {
  if (!simulation) return;
  retiring_ = std::jthread([previous = std::move(retiring_), old = std::move(simulation)]() mutable {
    old.reset();
    trimHeap();  // its history may have been most of what the program had
  });
}

// ------------------------------------------------------------------------------------------------- time

void Session::onPublished() {
  refresh();
  // What showing one snapshot cost the window, it gets free before the next: input comes first on slow
  // machines.
  QElapsedTimer clock;
  clock.start();
  QTimer::singleShot(0, this, [this, clock] {
    const auto rest = std::max<qint64>(kPublishPeriod_ms, clock.elapsed());
    QTimer::singleShot(static_cast<int>(rest), this, [this] {
      publishPending_ = false;
      refresh();  // what was published during the wait
    });
  });
}

void Session::pollStatus() {
  if (!isOpen()) return;
  refresh();
  const std::string why = showsStored() ? stored_->status().error : std::string();
  const QString error = QString::fromStdString(why.empty() ? status().error : why);
  if (error != lastError_ && !error.isEmpty()) {
    Q_EMIT failed(Error{ErrorCode::SimulationFailed, error.toStdString(), model()->name, {}});
    if (canGoOnOnCpu()) Q_EMIT cpuOffered();
  }
  lastError_ = error;
  // A window at rest has nothing to paint.
  if (status() == lastStatus_) return;
  Q_EMIT statusChanged();
}

// While the simulation goes back, its newest step is one that is about to be left: it must not flash up.
void Session::refresh() {
  if (!isOpen()) return;
  pollEdits();
  const RunStatus now = status();
  if (now.goingBack) return;
  if (now.jumps != jumps_) {
    jumps_ = now.jumps;
    lookedAt_.reset();
    live_ = true;
  }
  if (live_) show(simulation_->latest());
  goOnUndoing();
}

void Session::show(std::shared_ptr<const Snapshot> snapshot) {
  if (snapshot == shown_) return;
  const std::shared_ptr<const Model> before = model();
  shown_ = std::move(snapshot);
  if (model() != before) adoptModel(*before);
  followStoredNumbers();
  Q_EMIT shownChanged();
}

// Those in force at the step shown, with what the person has changed here since.
void Session::followStoredNumbers() {
  if (!showsStored()) return;
  std::shared_ptr<const Tuning> tuning = stored_->tuningAt(shown_->step);
  if (tuning == storedTuning_) return;
  storedTuning_ = std::move(tuning);
  tuning_ = *storedTuning_;
  for (const auto& [path, edit] : edits_) (void)setParameter(*model(), path, edit.value, tuning_);
  Q_EMIT settingsChanged();
}

void Session::setPresented(std::shared_ptr<const Snapshot> snapshot) {
  if (snapshot == presented_) return;
  presented_ = std::move(snapshot);
  Q_EMIT presentedChanged();
}

void Session::pollEdits() {
  pollSplit();
  std::vector<Error> errors;
  std::vector<PendingEdit> undone;  // that have failed
  std::erase_if(sceneEdits_, [&](PendingEdit& pending) {
    if (pending.done.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    const Result<void> done = pending.done.get();
    if (done) {
      take(pending);
      return true;
    }
    errors.push_back(done.error());
    if (pending.goesTo) undone.push_back(std::move(pending));
    return true;
  });
  for (const PendingEdit& edit : undone) takeBack(edit);
  for (const Error& error : errors) say(error);
}

/// What a person has given up is no fault.
void Session::say(const Error& error) {
  if (error.code != ErrorCode::Cancelled) return Q_EMIT failed(error);
  tell(LogLevel::Info, tr("The change was given up; the scene is as it was"));
}

/// An undo or redo that failed has not been: the stack stands where it stood, unless something was edited since.
void Session::takeBack(const PendingEdit& undone) {
  if (undo_.count() != undone.undoCount || std::abs(undo_.index() - undone.undoIndex) != 1) return;
  takesBack_ = true;
  undo_.setIndex(undone.undoIndex);
  takesBack_ = false;
}

void Session::nameBodies() {
  bodyLabels_ = ui::bodyLabels(*model());
  massAssumed_ = assumedMasses(*model(), notices_);
  for (std::size_t b = 0; b < bodyLabels_.size(); ++b)
    if (massAssumed_[b]) bodyLabels_[b] += tr(" (mass assumed)");
}

// What was selected or edited stays so where the other model has something of its name.
void Session::adoptModel(const Model& before) {
  nameBodies();
  selection_ = render::sameSelection(before, *model(), selection_);
  adoptPins(before);
  tuning_ = model()->tuning;
  // What has been removed takes its edits along: something new of its name starts as its scene says.
  if (live_)
    std::erase_if(edits_, [this](const auto& edit) {
      return !check(SetParameter{edit.first, edit.second.value}, *model());
    });
  for (const auto& [path, edit] : edits_) (void)setParameter(*model(), path, edit.value, tuning_);
  methodTimer_.start();
  Q_EMIT modelChanged();
  Q_EMIT selectionChanged();
}

std::shared_ptr<const RunSource> Session::sharedSource() {
  return !isOpen() || lookedAt_ ? lookedAt_ : sharedBranch(status().branch);
}

/// The same object each time: readers know by it that they have read it before.
std::shared_ptr<const RunSource> Session::sharedBranch(BranchId branch) {
  if (!isOpen()) return nullptr;
  if (stored_ && branch == StoredRun::kBranch) return stored_;
  std::shared_ptr<const RunSource>& shared = sharedBranches_[branch];
  if (!shared) shared = simulation_->branch(branch);
  return shared;
}

std::vector<BranchFacts> Session::branches() const {
  if (!isOpen()) return {};
  std::vector<BranchFacts> all = simulation_->branches();
  if (stored_) {
    const RunStatus status = stored_->status();
    all.insert(all.begin(),
               {StoredRun::kBranch, std::nullopt, status.firstStored, status.lastStep,
                tr("recording %1").arg(QString::fromStdString(stored_->name())).toStdString(), false});
  }
  return all;
}

double Session::timeOf(std::uint64_t step) const {
  return isOpen() ? static_cast<double>(step) * model()->time.dt : 0;
}

void Session::play() {
  if (!isOpen()) return;
  playback_->stop();
  goLive();
  lastError_.clear();
  simulation_->play();
  Q_EMIT statusChanged();
}

void Session::pause() {
  if (!isOpen()) return;
  playback_->stop();
  simulation_->pause();
  Q_EMIT statusChanged();
}

void Session::togglePlay() {
  if (status().playing || playback_->isPlaying()) return pause();
  if (!isOpen()) return;
  const bool isPast = !live_ || (playback_->loops() && range_);
  isPast ? playback_->start() : play();
}

void Session::stepForward() {
  if (!isOpen()) return;
  if (status().playing) simulation_->pause();
  const std::uint64_t newest = source().status().lastStep;
  if (live_ || shown_->step >= newest) {
    if (lookedAt_) return;  // the end of another branch: "continue from here" goes on from it
    goLive();
    lastError_.clear();  // it may happen again
    simulation_->stepOnce();
    return;
  }
  // Old parts of the history may be thinned out: widen the stride until a later stored step is found.
  for (std::uint64_t stride = 1;; stride *= 2) {
    const std::uint64_t step = std::min(shown_->step + stride, newest);
    if (source().at(step)->step > shown_->step) return lookAtStep(step);
    if (step == newest) return lookAtEnd();
  }
}

void Session::stepBack() {
  if (!isOpen()) return;
  if (status().playing) simulation_->pause();
  for (std::uint64_t stride = 1; stride <= shown_->step; stride *= 2)
    if (source().at(shown_->step - stride)->step < shown_->step) return lookAtStep(shown_->step - stride);
  if (shown_->step > 0) lookAtStep(0);
}

void Session::lookAtStep(std::uint64_t step) {
  if (!isOpen()) return;
  // The newest step of a run that rests is where it goes on from; what was added to it since is in no step yet.
  if (!lookedAt_ && !status().playing && step >= source().status().lastStep) return goLive();
  live_ = false;
  show(source().at(step));
  Q_EMIT statusChanged();
}

void Session::lookAtTime(double time) {
  if (isOpen()) lookAtStep(static_cast<std::uint64_t>(std::llround(std::max(0.0, time) / model()->time.dt)));
}

void Session::goLive() {
  if (!isOpen()) return;
  lookedAt_.reset();
  live_ = true;
  refresh();
  Q_EMIT statusChanged();
}

void Session::lookAtEnd() {
  if (!isOpen()) return;
  lookedAt_ ? lookAtStep(lookedAt_->status().lastStep) : goLive();
}

void Session::lookAtBranch(BranchId branch) {
  if (!isOpen() || branch == shownBranch()) return;
  if (branch == status().branch) return goLive();
  std::shared_ptr<const RunSource> found =
      stored_ && branch == StoredRun::kBranch ? stored_ : simulation_->branch(branch);
  if (!found) return;
  lookedAt_ = std::move(found);
  lookAtEnd();
}

void Session::renameBranch(BranchId branch, const QString& name) {
  if (!isOpen()) return;
  if (const Result<void> done = simulation_->renameBranch(branch, name.toStdString()); !done)
    Q_EMIT failed(done.error());
  Q_EMIT statusChanged();
}

void Session::deleteBranch(BranchId branch) {
  if (!isOpen()) return;
  if (const Result<void> done = simulation_->deleteBranch(branch); !done) Q_EMIT failed(done.error());
  if (source().status().gone) return goLive();
  Q_EMIT statusChanged();
}

void Session::resumeFromHere() {
  if (!canResume()) return;
  playback_->stop();
  if (showsStored())
    simulation_->resumeFrom(stored_, shown_->step);
  else
    simulation_->resumeFrom(shownBranch(), shown_->step);
  postEdits();
  Q_EMIT statusChanged();
}

void Session::reset() {
  if (!isOpen()) return;
  playback_->stop();
  if (showsStored()) return lookAtStep(stored_->status().firstStored);
  simulation_->reset();
  postEdits();
  goLive();
}

void Session::startOver(Scene scene, const QString& name, std::shared_ptr<RunSink> sink) {
  playback_->stop();
  simulation_->startOver(std::move(scene), name.toStdString(), std::move(sink));
  postEdits();
  goLive();
}

QString Session::method() const {
  if (!isOpen() || services_.methods.empty()) return {};
  const std::string& named = newestModel()->solver.method;
  return QString::fromStdString(named.empty() ? services_.methods.front().name : named);
}

QString Session::methodObstacle(const std::string& method) const {
  if (!isOpen()) return tr("no scene is open");
  if (!newestModel()->scene) return tr("its scene is not known");
  for (const StudioServices::Method& known : services_.methods)
    if (known.name == method)
      for (const Error& obstacle : known.obstacles(*newestModel()))
        return QString::fromStdString(obstacle.message());
  return {};
}

void Session::chooseMethod(const std::string& method) {
  if (!isOpen()) return;
  // What auto has come to steps the scene, but the scene does not name it.
  const std::shared_ptr<const Scene> scene = newestModel()->scene;
  const bool isNamed = scene && scene->solver.method == method;
  if (isNamed && QString::fromStdString(method) == this->method()) return;
  if (const QString obstacle = methodObstacle(method); !obstacle.isEmpty())
    return tell(LogLevel::Warning, obstacle);
  Scene named = *scene;
  named.solver.method = method;
  startOver(std::move(named), QString::fromStdString(method), nullptr);
  tell(LogLevel::Info,
       tr("Starts over under the method %1; what was simulated stays as a branch, whose ghosts and "
          "curves can be laid over it")
           .arg(QString::fromStdString(method)));
}

void Session::cancelEdit() {
  if (isOpen()) simulation_->cancelEdit();
}

void Session::cancelGoingBack() {
  if (!isOpen()) return;
  simulation_->cancelGoingBack();
  Q_EMIT statusChanged();
}

void Session::goOnOnCpu() {
  if (!canGoOnOnCpu()) return;
  loader_.setMakeStepper(services_.makeCpuStepper);
  simulation_->goOnWith(services_.makeCpuStepper);
  Q_EMIT statusChanged();
}

void Session::setSpeed(double speed) {
  if (!isOpen() || !(speed > 0)) return;
  simulation_->setSpeed(speed);
  Q_EMIT statusChanged();
}

void Session::changeSpeed(int notches) {
  const double now = status().speedWanted;
  const auto at = std::lower_bound(kSpeeds.begin(), kSpeeds.end(), now * (1 - 1e-9));
  const auto index = std::clamp<std::ptrdiff_t>(at - kSpeeds.begin() + notches, 0, std::ssize(kSpeeds) - 1);
  setSpeed(kSpeeds[static_cast<std::size_t>(index)]);
}

void Session::runUntil(double time) {
  if (!isOpen()) return;
  goLive();
  lastError_.clear();
  simulation_->runUntil(time);
}

// ------------------------------------------------------------------------------------------ what is drawn

void Session::select(const render::Selection& selection) {
  if (selection == selection_) return;
  selection_ = selection;
  Q_EMIT selectionChanged();
}

void Session::selectByName(const QString& name) {
  if (!isOpen()) return;
  const Result<render::Selection> named = render::selectionNamed(*model(), name.toStdString());
  if (!named) return failed(named.error());
  select(*named);
}

void Session::setView(const render::ViewOptions& view) {
  view_ = view;
  Q_EMIT viewChanged();
}

void Session::toggleView(const render::ViewAction& action) {
  render::ViewOptions view = view_;
  action.toNext(view);
  setView(view);
}

const Contact* Session::selectedContact() const {
  const auto* contact = std::get_if<ContactKey>(&selection_);
  if (!shown_ || !contact) return nullptr;
  const int index = render::findContact(*shown_, *contact);
  return index < 0 ? nullptr : &shown_->contacts[static_cast<std::size_t>(index)];
}

QString Session::pairLabel(const render::ContactPair& pair) const {
  const auto body = [this](int index) { return bodyLabels_[static_cast<std::size_t>(index)]; };
  const QString other =
      pair.otherBody >= 0
          ? body(pair.otherBody)
          : QString::fromStdString(model()->deformables[static_cast<std::size_t>(pair.deformable)].name);
  return body(pair.body) + " " + QChar(0x2194) + " " + other;
}

}  // namespace slipstick::ui
