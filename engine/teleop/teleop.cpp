#include "engine/teleop/teleop.h"

#include <algorithm>
#include <utility>

#include "engine/foundation/nearest_name.h"

namespace slipstick {
namespace {

/// Steps whose inputs are remembered: a picture is never so late.
constexpr std::size_t kInputs = 512;
/// Poses that wait for a step; a paused simulation takes none.
constexpr std::size_t kMaxPoses = 4096;

Mat3 turned(const Vec3& w, double dt) {
  const double angle = w.norm() * dt;
  return angle == 0 ? Mat3::Identity() : Eigen::AngleAxisd(angle, w.normalized()).toRotationMatrix();
}

/// A goal that is faster than its tool would run ahead, and the tool go on after the hand has stopped.
Vec3 atMost(const Vec3& rate, double fastest) {
  const double speed = rate.norm();
  return speed > fastest ? Vec3(fastest / speed * rate) : rate;
}

Error unknownEffector(const Model& model, const std::string& name) {
  std::vector<std::string> names;
  for (const Effector& effector : model.effectors) names.push_back(effector.name);
  return {ErrorCode::UnknownName, "there is no effector of this name", name, suggestName(name, names)};
}

}  // namespace

/// The commands of one step: where each effector stands, what is asked of it so far, and what devices add to that.
class Teleop::StepCommands {
 public:
  StepCommands(const Snapshot& now, const Mat3& R_WV, std::vector<Command>& commands)
      : now_(now), model_(*now.model), R_WV_(R_WV), commands_(commands) {}

  /// @return false: the scene has nothing to drive
  bool find(const std::string& name) {
    if (model_.effectors.empty()) return false;
    effector_ = std::max(model_.findEffector(name), 0);
    const Effector& effector = model_.effectors[static_cast<std::size_t>(effector_)];
    const auto body = static_cast<std::size_t>(effector.chain.body);
    X_WE_ = now_.X_WB[body] * effector.chain.X_BE;
    wanted_ = X_WE_;
    closing_ = -1;
    for (const StepFacts::EffectorGoal& goal : now_.goals)
      if (goal.effector == effector_) {
        wanted_ = goal.wanted;
        closing_ = goal.closing;
      }
    for (const Command& command : commands_) {
      const auto* goal = std::get_if<Goal>(&command);
      const auto* grip = std::get_if<Grip>(&command);
      if (goal && goal->effector == effector_) wanted_ = {goal->R.normalized().toRotationMatrix(), goal->p};
      if (grip && grip->effector == effector_) closing_ = grip->closing;
    }
    return true;
  }

  void follow(const DevicePose& pose) {
    ask(pose.X_WE);
    if (pose.closing) grip(*pose.closing);
  }

  void follow(const MotionRates& rates, MotionFrame frame) {
    const double dt = model_.time.dt;
    const Mat3 axes = frame == MotionFrame::World  ? Mat3::Identity()
                      : frame == MotionFrame::Tool ? wanted_.R
                                                   : R_WV_;
    if (!rates.linear.isZero(0) || !rates.angular.isZero(0)) {
      const EffectorSpeed& speed = model_.effectors[static_cast<std::size_t>(effector_)].speed;
      Pose X = wanted_;
      X.p += dt * (axes * atMost(rates.linear, speed.linear));
      X.R = turned(axes * atMost(rates.angular, speed.turn), dt) * X.R;
      ask(leashed(X));
    }
    if (rates.closing != 0) grip(std::clamp(std::max(closing_, 0.0) + dt * rates.closing, 0.0, 1.0));
  }

  void toggleGripper() { grip(closing_ < 0.5 ? 1 : 0); }

  /// Every goal to where its tool comes to rest.
  void freeze() {
    for (const StepFacts::EffectorGoal& goal : now_.goals) {
      const Effector& effector = model_.effectors[static_cast<std::size_t>(goal.effector)];
      const auto body = static_cast<std::size_t>(effector.chain.body);
      const Velocity V = now_.V_WB[body];
      const Vec3 v = V.at(now_.X_WB[body].R * effector.chain.X_BE.p);
      Pose X = goal.onTheWay;
      X.p += v.norm() / (2 * effector.speed.acceleration) * v;
      X.R = turned(V.w, V.w.norm() / (2 * effector.speed.turnAcceleration)) * X.R;
      commands_.push_back(Goal{goal.effector, X.p, Quat(X.R)});
    }
  }

 private:
  Pose leashed(Pose X) const {
    const Vec3 ahead = X.p - X_WE_.p;
    if (ahead.norm() > kLeash) X.p = X_WE_.p + kLeash / ahead.norm() * ahead;
    const Eigen::AngleAxisd turn(X.R * X_WE_.R.transpose());
    if (turn.angle() > kTurnLeash) X.R = Eigen::AngleAxisd(kTurnLeash, turn.axis()) * X_WE_.R;
    return X;
  }
  void ask(const Pose& X) {
    wanted_ = X;
    commands_.push_back(Goal{effector_, X.p, Quat(X.R).normalized()});
  }
  void grip(double closing) {
    if (model_.effectors[static_cast<std::size_t>(effector_)].gripper.joints.empty()) return;
    closing_ = std::clamp(closing, 0.0, 1.0);
    commands_.push_back(Grip{effector_, closing_});
  }

  const Snapshot& now_;
  const Model& model_;
  const Mat3& R_WV_;
  std::vector<Command>& commands_;
  int effector_ = 0;
  Pose X_WE_, wanted_;
  double closing_ = -1;
};

void Teleop::setOnChange(std::function<void()> onChange) {
  const std::scoped_lock lock(changeMutex_);
  onChange_ = std::move(onChange);
}

void Teleop::changed() const {
  const std::scoped_lock lock(changeMutex_);
  if (onChange_) onChange_();
}

Teleop::Entry* Teleop::find(DeviceId device) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [device](const Entry& entry) { return entry.view.id == device; });
  return found == entries_.end() ? nullptr : &*found;
}

// ---- for the window ----

std::vector<Teleop::DeviceView> Teleop::devices() const {
  const std::scoped_lock lock(mutex_);
  std::vector<DeviceView> views;
  for (const Entry& entry : entries_) views.push_back(entry.view);
  return views;
}

void Teleop::setUse(DeviceId device, DeviceUse use) {
  {
    const std::scoped_lock lock(mutex_);
    if (Entry* entry = find(device)) entry->view.use = std::move(use);
  }
  changed();
}

void Teleop::setUseFor(std::function<std::optional<DeviceUse>(const DeviceInfo&)> useFor) {
  const std::scoped_lock lock(mutex_);
  useFor_ = std::move(useFor);
}

void Teleop::forget(DeviceId device) {
  {
    const std::scoped_lock lock(mutex_);
    std::erase_if(entries_, [device](const Entry& e) { return e.view.id == device && e.view.isLost; });
  }
  changed();
}

std::vector<Teleop::Trouble> Teleop::troubles() const {
  const std::scoped_lock lock(mutex_);
  return troubles_;
}

void Teleop::setActive(bool active) {
  const std::scoped_lock lock(mutex_);
  isActive_ = active;
  forgetInputs();
}

/// Of before now: a simulation that rests takes none, and would do all of them at its next step.
void Teleop::forgetInputs() {
  for (Entry& entry : entries_) {
    entry.poses.clear();
    entry.toggles = false;
  }
}

bool Teleop::isActive() const {
  const std::scoped_lock lock(mutex_);
  return isActive_;
}

void Teleop::stop() {
  {
    const std::scoped_lock lock(mutex_);
    isStopped_ = freezes_ = true;
  }
  changed();
}

/// Goals that no step has frozen yet still are, by the next one.
void Teleop::resume() {
  {
    const std::scoped_lock lock(mutex_);
    isStopped_ = false;
    forgetInputs();
    for (Entry& entry : entries_) entry.mustRest = !entry.view.rates.areZero();
  }
  changed();
}

bool Teleop::isStopped() const {
  const std::scoped_lock lock(mutex_);
  return isStopped_;
}

void Teleop::setCameraAxes(const Mat3& R_WV) {
  const std::scoped_lock lock(mutex_);
  R_WV_ = R_WV;
}

std::vector<ButtonAction> Teleop::takeActions() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(actions_, {});
}

std::optional<DeviceReading::Clock::time_point> Teleop::inputOf(std::uint64_t step) const {
  const std::scoped_lock lock(mutex_);
  const auto found = std::find_if(inputs_.rbegin(), inputs_.rend(),
                                  [step](const InputMark& mark) { return mark.step == step; });
  if (found == inputs_.rend()) return std::nullopt;
  return found->at;
}

DeviceFeedback Teleop::newest() const {
  const std::scoped_lock lock(mutex_);
  DeviceFeedback feedback;
  if (newest_) feedback = {newest_->model, newest_, -1};
  return feedback;
}

DeviceFeedback Teleop::feedbackFor(DeviceId device) const {
  DeviceFeedback feedback = newest();
  const std::scoped_lock lock(mutex_);
  for (const Entry& entry : entries_)
    if (entry.view.id == device && feedback.model && !feedback.model->effectors.empty())
      feedback.effector = std::max(feedback.model->findEffector(entry.view.use.effector), 0);
  return feedback;
}

// ---- from the simulation thread ----

void Teleop::addCommands(const std::shared_ptr<const Snapshot>& now, std::vector<Command>& commands) {
  const std::scoped_lock lock(mutex_);
  newest_ = now;
  StepCommands step(*now, R_WV_, commands);
  if (std::exchange(freezes_, false)) step.freeze();
  std::optional<DeviceReading::Clock::time_point> newestInput;
  for (Entry& entry : entries_) {
    const std::vector<DevicePose> poses = std::exchange(entry.poses, {});
    const bool toggles = std::exchange(entry.toggles, false);
    const auto moved = std::exchange(entry.moved, std::nullopt);
    const DeviceUse& use = entry.view.use;
    if (!isActive_ || isStopped_ || !use.enabled) continue;
    for (const DevicePose& pose : poses) {
      const bool isNamed = !pose.effector.empty();
      if (isNamed && now->model->findEffector(pose.effector) < 0)
        entry.view.trouble = unknownEffector(*now->model, pose.effector);
      else if (step.find(isNamed ? pose.effector : use.effector))
        step.follow(pose);
    }
    const bool moves = !entry.view.isLost && !entry.mustRest && !entry.view.rates.areZero();
    if ((moves || toggles) && step.find(use.effector)) {
      if (toggles) step.toggleGripper();
      if (moves) step.follow(entry.view.rates, use.frame);
    }
    if (moved && (!newestInput || *moved > *newestInput)) newestInput = moved;
  }
  if (!newestInput) return;
  if (inputs_.size() >= kInputs) inputs_.erase(inputs_.begin());
  inputs_.push_back({now->step + 1, *newestInput});
}

void Teleop::stepped(const std::shared_ptr<const Snapshot>& snapshot) {
  bool isDecided = false;
  {
    const std::scoped_lock lock(mutex_);
    newest_ = snapshot;
    if (watchedModel_ != snapshot->model) {
      watchedModel_ = snapshot->model;
      watch_.reset();
      if (watchedModel_->task) watch_.emplace(watchedModel_);
    }
    if (!watch_) return;
    watch_->add(*snapshot);
    isDecided = watch_->outcome() != std::exchange(outcome_, watch_->outcome());
  }
  if (isDecided) changed();
}

std::optional<TaskWatch> Teleop::task() const {
  const std::scoped_lock lock(mutex_);
  return watch_;
}

// ---- from the device thread ----

void Teleop::plugged(DeviceId device, const DeviceInfo& info) {
  {
    const std::scoped_lock lock(mutex_);
    Entry entry;
    entry.view.id = device;
    entry.view.info = info;
    const auto before = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) {
      return e.view.isLost && e.view.info.id == info.id;
    });
    std::optional<DeviceUse> use;
    if (before != entries_.end()) use = before->view.use;
    if (!use && useFor_) use = useFor_(info);
    entry.view.use = use.value_or(DeviceUse{.effector = {}, .map = defaultMap(info)});
    if (before != entries_.end())
      *before = std::move(entry);
    else
      entries_.push_back(std::move(entry));
  }
  changed();
}

void Teleop::moved(DeviceId device, const DeviceReading& reading) {
  bool isNews = false;
  {
    const std::scoped_lock lock(mutex_);
    Entry* entry = find(device);
    if (!entry) return;
    DeviceView& view = entry->view;
    if (reading.at != view.reading.at) entry->moved = reading.at;
    entry->poses.insert(entry->poses.end(), reading.poses.begin(), reading.poses.end());
    if (entry->poses.size() > kMaxPoses)
      entry->poses.erase(entry->poses.begin(), entry->poses.end() - static_cast<std::ptrdiff_t>(kMaxPoses));
    view.poses += reading.poses.size();
    view.reading.at = reading.at;
    view.reading.axes = reading.axes;
    view.reading.buttons = reading.buttons;
    view.rates = ratesOf(view.use.map, view.info, reading);
    if (view.rates.areZero()) entry->mustRest = false;
    if (reading.trouble) view.trouble = reading.trouble;
    const std::vector<ButtonAction> actions = actionsOf(view.use.map, view.info, reading);
    for (const ButtonAction action : actions) act(*entry, action);
    isNews = reading.trouble || !actions.empty();
  }
  if (isNews) changed();
}

void Teleop::act(Entry& entry, ButtonAction action) {
  if (!isActive_ || !entry.view.use.enabled) return;
  MotionFrame& frame = entry.view.use.frame;
  switch (action) {
    case ButtonAction::ToggleGripper:
      entry.toggles = !entry.toggles;
      break;
    case ButtonAction::Stop:
      isStopped_ = freezes_ = true;
      break;
    case ButtonAction::NextFrame:
      frame = static_cast<MotionFrame>((static_cast<std::size_t>(frame) + 1) % kMotionFrameNames.size());
      break;
    case ButtonAction::SlowWhileHeld:
      break;  // in the rates
    default:
      actions_.push_back(action);
  }
}

void Teleop::unplugged(DeviceId device) {
  {
    const std::scoped_lock lock(mutex_);
    Entry* entry = find(device);
    if (!entry) return;
    entry->view.isLost = true;
    entry->view.rates = {};
  }
  changed();
}

void Teleop::driverTrouble(std::string_view driver, const std::optional<DriverTrouble>& trouble) {
  {
    const std::scoped_lock lock(mutex_);
    std::erase_if(troubles_, [driver](const Trouble& known) { return known.driver == driver; });
    if (trouble) troubles_.push_back({*trouble, std::string(driver)});
  }
  changed();
}

}  // namespace slipstick
