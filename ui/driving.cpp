#include "ui/driving.h"

#include <QKeyEvent>
#include <QSettings>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/device_settings.h"
#include "ui/episodes.h"
#include "ui/session.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

constexpr std::size_t kSamples = 240;  ///< of the delay

/// Ids have slashes and colons in them, which settings take for groups.
QString settingOf(const DeviceInfo& info) {
  return "devices/" + QString::fromLatin1(QByteArray::fromStdString(info.id).toPercentEncoding());
}

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

}  // namespace

Driving::Driving(Session& session, OpenRun& run)
    : session_(session), run_(run), keys_(std::make_shared<KeyState>()), teleop_(std::make_shared<Teleop>()) {
  teleop_->setOnChange([this] { QMetaObject::invokeMethod(this, &Driving::poll, Qt::QueuedConnection); });
}

/// The simulation may still be asking for commands.
Driving::~Driving() {
  teleop_->setOnChange({});
}

bool Driving::canDrive() const {
  return session_.isOpen() && !session_.run().newestModel()->effectors.empty();
}

void Driving::startDevices() {
  if (devices_) return;
  std::vector<std::unique_ptr<DeviceDriver>> drivers;
  drivers.push_back(keyboardDriver(keys_));
  if (session_.services().deviceDrivers) {
    auto newest = [teleop = std::weak_ptr(teleop_)] {
      const auto alive = teleop.lock();
      return alive ? alive->newest() : DeviceFeedback{};
    };
    StudioServices::Devices devices = session_.services().deviceDrivers(newest);
    for (auto& driver : devices.drivers) drivers.push_back(std::move(driver));
    networkText_ = std::move(devices.networkText);
  }
  devices_ = std::make_unique<DeviceThread>(std::move(drivers), *teleop_,
                                            [this](DeviceId id) { return teleop_->feedbackFor(id); });
}

void Driving::rememberDevices() {
  remembers_ = true;
  teleop_->setUseFor([](const DeviceInfo& info) {
    return deviceUseOf(QSettings("slipstick", "studio").value(settingOf(info)).toByteArray());
  });
}

void Driving::setUse(DeviceId device, const DeviceUse& use) {
  teleop_->setUse(device, use);
  if (!remembers_) return;
  for (const Teleop::DeviceView& view : teleop_->devices())
    if (view.id == device) QSettings("slipstick", "studio").setValue(settingOf(view.info), textOf(use));
}

QString Driving::networkText() const {
  return networkText_ ? QString::fromStdString(networkText_()) : QString();
}

void Driving::setOn(bool on) {
  if (on == isOn_) return;
  if (on && !canDrive()) {
    session_.messages().tell(LogLevel::Warning,
                             session_.isOpen()
                                 ? tr("This scene has nothing to drive: no arm of three joints or more")
                                 : tr("Open a scene with an arm to drive one"));
    return;
  }
  isOn_ = on;
  if (on) startDevices();
  releaseKeys();
  teleop_->setActive(on);
  if (on && isStopped()) sayStopped();
  if (on && !session_.run().status().playing)
    session_.messages().tell(LogLevel::Info, tr("Arms move while the simulation plays: press Space"));
  Q_EMIT changed();
}

void Driving::stop() {
  teleop_->stop();
}

/// Keys that are down moved something before: they count when they are pressed anew.
void Driving::resume() {
  releaseKeys();
  teleop_->resume();
}

void Driving::stopOrResume() {
  isStopped() ? resume() : stop();
}

void Driving::ask(const Command& command) {
  isStopped() ? sayStopped() : session_.commands().post(command);
}

void Driving::sayStopped() {
  session_.messages().tell(LogLevel::Warning, tr("Stopped: Resume (Ctrl+Shift+D) lets arms move again"));
}

void Driving::begin() {
  run_.simulation().setPilot(teleop_);
  shownInput_ = 0;
  samples_.clear();
  if (isOn_ && !canDrive()) setOn(false);
  Q_EMIT changed();
}

/// What buttons of devices asked for.
void Driving::poll() {
  for (const ButtonAction action : teleop_->takeActions()) act(action);
  sayOutcome();
  sayFaults();
  Q_EMIT changed();
}

void Driving::act(ButtonAction action) {
  Episodes& episodes = session_.episodes();
  if (action == ButtonAction::Reset) episodes.drawAgain();
  if (action == ButtonAction::Keep) episodes.keep();
  if (action == ButtonAction::Discard) episodes.discard();
}

/// Once per try.
void Driving::sayOutcome() {
  const std::optional<TaskWatch> task = teleop_->task();
  if (!task) return;
  if (task->model() != std::exchange(lastTried_, task->model())) lastOutcome_ = TaskOutcome::Running;
  const TaskOutcome outcome = task->outcome();
  if (outcome == std::exchange(lastOutcome_, outcome) || outcome == TaskOutcome::Running) return;
  // What was decided before a draw that is on its way says nothing of that one.
  if (task->model() == session_.run().newestModel() && !session_.transport().isGoingBack())
    session_.episodes().decided(outcome);
  const QString after = tr("after %1 s").arg(number(task->time(), 1));
  if (outcome == TaskOutcome::Succeeded)
    return session_.messages().tell(LogLevel::Info, tr("The task is done, %1").arg(after));
  session_.messages().tell(LogLevel::Warning,
                           tr("The task has failed %1: %2").arg(after, QString::fromStdString(task->why())));
}

/// Once when a driver begins to fail, and once when it no longer does.
void Driving::sayFaults() {
  std::set<std::string> faulty;
  for (const Teleop::Trouble& trouble : teleop_->troubles()) {
    if (!trouble.isFault) continue;
    faulty.insert(trouble.driver);
    if (!faulty_.contains(trouble.driver))
      session_.messages().tell(LogLevel::Warning, QString::fromStdString(trouble.error.message()));
  }
  for (const std::string& driver : faulty_)
    if (!faulty.contains(driver))
      session_.messages().tell(LogLevel::Info, tr("%1: works now").arg(QString::fromStdString(driver)));
  faulty_ = std::move(faulty);
}

// -------------------------------------------------------------------------------------------------- the keys

bool Driving::wouldTake(const QKeyEvent& event) const {
  if (!isOn_ || (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)))
    return false;
  return KeyState::buttonOf(event.key()).has_value();
}

bool Driving::take(const QKeyEvent& event) {
  const auto button = KeyState::buttonOf(event.key());
  // A key that was pressed is let go of, whatever else is held by now.
  if (event.type() == QEvent::KeyRelease) {
    if (!isOn_ || !button) return false;
    if (!event.isAutoRepeat()) keys_->release(*button);
    return true;
  }
  if (!wouldTake(event)) return false;
  if (event.isAutoRepeat()) return true;
  keys_->press(*button);
  return true;
}

void Driving::releaseKeys() {
  keys_->releaseAll();
}

void Driving::setCamera(const render::Camera& camera) {
  Vec3 away = camera.target - camera.eye();
  away.z() = 0;
  if (away.norm() < 1e-9) return;  // straight down: as before
  away.normalize();
  Mat3 R_WV;
  R_WV << away, Vec3::UnitZ().cross(away), Vec3::UnitZ();
  teleop_->setCameraAxes(R_WV);
}

// -------------------------------------------------------------------------------------------------- the delay

void Driving::notePainted(std::uint64_t step, double step_ms, double picturePeriod_ms) {
  if (!isOn_) return;
  // A picture may pass over steps: the oldest input that it is the first to show counts.
  std::optional<DeviceReading::Clock::time_point> oldest;
  const std::uint64_t first = shownInput_ < step && step - shownInput_ < 512 ? shownInput_ + 1 : step;
  for (std::uint64_t s = first; s <= step; ++s)
    if (const auto input = teleop_->inputOf(s); input && (!oldest || *input < *oldest)) oldest = input;
  shownInput_ = step;
  if (!oldest) return;
  const std::chrono::duration<double, std::milli> delay = DeviceReading::Clock::now() - *oldest;
  samples_.push_back({delay.count(), step_ms, picturePeriod_ms});
  if (samples_.size() > kSamples) samples_.pop_front();
  Q_EMIT delayChanged();
}

Driving::Delay Driving::delay() const {
  Delay delay;
  std::vector<double> delays, steps, pictures;
  for (const Sample& sample : samples_) {
    delays.push_back(sample.delay_ms);
    steps.push_back(sample.step_ms);
    pictures.push_back(sample.delay_ms / std::max(sample.period_ms, 1e-3));
  }
  delay.count = samples_.size();
  delay.median_ms = quantile(delays, 0.5);
  delay.worst_ms = quantile(delays, 0.99);
  delay.medianPictures = quantile(pictures, 0.5);
  delay.step_ms = quantile(steps, 0.5);
  return delay;
}

}  // namespace slipstick::ui
