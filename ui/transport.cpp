#include "ui/transport.h"

#include <algorithm>
#include <array>
#include <limits>

#include "ui/playback.h"

namespace slipstick::ui {
namespace {

constexpr int kStatusPeriod_ms = 100;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array kSpeeds = {0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, kInfinity};

}  // namespace

Transport::Transport(const StudioServices& services, OpenRun& run, ShownMoment& moment, NumberEditor& numbers,
                     Playback& playback, Messages& messages)
    : services_(services),
      run_(run),
      moment_(moment),
      numbers_(numbers),
      playback_(playback),
      messages_(messages) {
  // Whoever said it: a status that comes back to what it was before has changed, too.
  connect(&run_, &OpenRun::statusChanged, this, [this] { lastStatus_ = run_.status(); });
  connect(&timer_, &QTimer::timeout, this, &Transport::poll);
  timer_.start(kStatusPeriod_ms);
}

void Transport::poll() {
  if (!run_.isOpen()) return;
  moment_.refresh();
  const std::string why = moment_.showsStored() ? run_.stored()->status().error : std::string();
  const QString error = QString::fromStdString(why.empty() ? run_.status().error : why);
  if (error != lastError_ && !error.isEmpty()) {
    Q_EMIT messages_.failed(
        Error{ErrorCode::SimulationFailed, error.toStdString(), moment_.model()->name, {}});
    if (canGoOnOnCpu()) Q_EMIT cpuOffered();
  }
  lastError_ = error;
  // A window at rest has nothing to paint.
  if (run_.status() == lastStatus_) return;
  Q_EMIT run_.statusChanged();
}

void Transport::togglePlay() {
  if (run_.status().playing || playback_.isPlaying()) return pause();
  if (!run_.isOpen()) return;
  const bool isPast = !moment_.isLive() || playback_.loopsRange();
  isPast ? playback_.start() : play();
}

void Transport::play() {
  if (!run_.isOpen()) return;
  playback_.stop();
  moment_.goLive();
  lastError_.clear();
  run_.simulation().play();
  Q_EMIT run_.statusChanged();
}

void Transport::pause() {
  if (!run_.isOpen()) return;
  playback_.stop();
  run_.simulation().pause();
  Q_EMIT run_.statusChanged();
}

void Transport::stepForward() {
  if (!run_.isOpen()) return;
  if (run_.status().playing) run_.simulation().pause();
  const std::uint64_t newest = moment_.source().status().lastStep, shown = moment_.shown()->step;
  if (moment_.isLive() || shown >= newest) {
    if (moment_.isElsewhere()) return;  // the end of another branch: "continue from here" goes on from it
    moment_.goLive();
    lastError_.clear();  // it may happen again
    run_.simulation().stepOnce();
    return;
  }
  // Old parts of the history may be thinned out: widen the stride until a later stored step is found.
  for (std::uint64_t stride = 1;; stride *= 2) {
    const std::uint64_t step = std::min(shown + stride, newest);
    if (moment_.source().at(step)->step > shown) return moment_.lookAtStep(step);
    if (step == newest) return moment_.lookAtEnd();
  }
}

void Transport::stepBack() {
  if (!run_.isOpen()) return;
  if (run_.status().playing) run_.simulation().pause();
  const std::uint64_t shown = moment_.shown()->step;
  for (std::uint64_t stride = 1; stride <= shown; stride *= 2)
    if (moment_.source().at(shown - stride)->step < shown) return moment_.lookAtStep(shown - stride);
  if (shown > 0) moment_.lookAtStep(0);
}

void Transport::reset() {
  if (!run_.isOpen()) return;
  playback_.stop();
  if (moment_.showsStored()) return moment_.lookAtStep(run_.stored()->status().firstStored);
  run_.simulation().reset();
  numbers_.postAll();
  moment_.goLive();
}

void Transport::startOver(Scene scene, const QString& name, std::shared_ptr<RunSink> sink) {
  playback_.stop();
  run_.simulation().startOver(std::move(scene), name.toStdString(), std::move(sink));
  numbers_.postAll();
  moment_.goLive();
}

void Transport::setSpeed(double speed) {
  if (!run_.isOpen() || !(speed > 0)) return;
  run_.simulation().setSpeed(speed);
  Q_EMIT run_.statusChanged();
}

void Transport::changeSpeed(int notches) {
  const double now = run_.status().speedWanted;
  const auto at = std::lower_bound(kSpeeds.begin(), kSpeeds.end(), now * (1 - 1e-9));
  const auto index = std::clamp<std::ptrdiff_t>(at - kSpeeds.begin() + notches, 0, std::ssize(kSpeeds) - 1);
  setSpeed(kSpeeds[static_cast<std::size_t>(index)]);
}

void Transport::runUntil(double time) {
  if (!run_.isOpen()) return;
  moment_.goLive();
  lastError_.clear();
  run_.simulation().runUntil(time);
}

void Transport::runAtLeastUntil(double time) {
  lastError_.clear();  // it may happen again
  run_.simulation().runAtLeastUntil(time);
}

void Transport::resumeFromHere() {
  if (!canResume()) return;
  playback_.stop();
  const std::uint64_t step = moment_.shown()->step;
  if (moment_.showsStored())
    run_.simulation().resumeFrom(run_.stored(), step);
  else
    run_.simulation().resumeFrom(moment_.shownBranch(), step);
  numbers_.postAll();
  Q_EMIT run_.statusChanged();
}

void Transport::goOnAs(BesideState state) {
  if (!run_.isOpen()) return;
  playback_.stop();
  run_.simulation().resumeFrom(std::move(state));
  Q_EMIT run_.statusChanged();
}

void Transport::cancelGoingBack() {
  if (!run_.isOpen()) return;
  run_.simulation().cancelGoingBack();
  Q_EMIT run_.statusChanged();
}

void Transport::goOnOnCpu() {
  if (!canGoOnOnCpu()) return;
  Q_EMIT wentOnOnCpu();
  run_.simulation().goOnWith(services_.makeCpuStepper);
  Q_EMIT run_.statusChanged();
}

}  // namespace slipstick::ui
