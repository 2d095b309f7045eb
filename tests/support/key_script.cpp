#include "tests/support/key_script.h"

#include <algorithm>
#include <cmath>

#include "engine/foundation/require.h"

namespace slipstick::testing {
namespace {

/// How often a person looks and changes what is held [s].
constexpr double kReaction = 0.05;
constexpr double kTapTime = 0.1, kTapPause = 0.2;
/// Nearer than this a finger goes to Shift [m].
constexpr double kNear = 0.02;
/// A tool that came no farther than this in half a second stands [m].
constexpr double kStill = 5e-4, kStillTime = 0.5;

}  // namespace

double Sight::operator[](std::string_view observable) const {
  const auto found = values_.find(observable);
  SIM_REQUIRE(found != values_.end(), std::string(observable));
  return found->second->value(now_);
}

Vec3 Sight::at(const std::string& thing) const {
  return {(*this)[thing + ".x"], (*this)[thing + ".y"], (*this)[thing + ".z"]};
}

Pose Sight::tool() const {
  const multibody::Chain& chain = now_.model->effectors.front().chain;
  return now_.X_WB[static_cast<std::size_t>(chain.body)] * chain.X_BE;
}

Pose Sight::goal() const {
  for (const StepFacts::EffectorGoal& goal : now_.goals)
    if (goal.effector == 0) return goal.wanted;
  return tool();
}

KeyStroke hold(Keys keys, double seconds) {
  std::string name = "hold";
  for (const std::string& key : keys) name += " " + key;
  return {name, [keys = std::move(keys)](const Sight&) { return keys; },
          [seconds](const Sight&, double heldFor) { return heldFor >= seconds; }};
}

KeyStroke holdUntil(Keys keys, std::function<bool(const Sight&)> isDone) {
  KeyStroke stroke = hold(std::move(keys), 0);
  stroke.name += " until";
  stroke.isDone = [isDone = std::move(isDone)](const Sight& sight, double) { return isDone(sight); };
  return stroke;
}

KeyStroke tap(const std::string& key) {
  KeyStroke stroke = hold({key}, kTapTime + kTapPause);
  auto begin = std::make_shared<double>(-1);
  stroke.keys = [key, begin](const Sight& sight) {
    if (*begin < 0) *begin = sight.time();
    return sight.time() < *begin + kTapTime ? Keys{key} : Keys{};
  };
  return stroke;
}

KeyStroke rest(double seconds) {
  return hold({}, seconds);
}

KeyStroke moveTo(std::function<Vec3(const Sight&)> place, double within) {
  struct Progress {
    double since = -1;
    Vec3 from = Vec3::Zero();
  };
  const auto left = [place = std::move(place)](const Sight& sight, const Pose& from) {
    const Vec3 way = place(sight) - from.p;
    return Vec3(way.unaryExpr([](double x) { return std::isfinite(x) ? x : 0; }));
  };
  const auto keys = [left, within](const Sight& sight) {
    static constexpr const char* kUp[] = {"W", "A", "Q"};
    static constexpr const char* kDown[] = {"S", "D", "E"};
    const Vec3 way = left(sight, sight.goal());
    Keys held;
    for (int i = 0; i < 3; ++i)
      if (std::abs(way[i]) > within) held.emplace_back(way[i] > 0 ? kUp[i] : kDown[i]);
    if (!held.empty() && way.lpNorm<Eigen::Infinity>() < kNear) held.emplace_back("Shift");
    return held;
  };
  const auto isDone = [left, within, progress = std::make_shared<Progress>()](const Sight& sight, double) {
    const Vec3 tool = sight.tool().p;
    if (progress->since < 0 || (tool - progress->from).norm() > kStill) *progress = {sight.time(), tool};
    return left(sight, sight.tool()).lpNorm<Eigen::Infinity>() <= 2 * within ||
           sight.time() > progress->since + kStillTime;
  };
  return {"move", keys, isDone};
}

const Keys& KeyScript::keysAt(const Snapshot& now) {
  if (!model_) {
    model_ = now.model;
    observables_ = observablesOf(*model_);
    for (const Observable& observable : observables_) values_[observable.name] = &observable;
    since_ = looksAgain_ = now.time;
  }
  if (now.time < looksAgain_ - 1e-9) return held_;
  looksAgain_ = now.time + kReaction;
  const Sight sight(now, values_);
  while (!isOver() && strokes_[stroke_].isDone(sight, now.time - since_)) {
    ++stroke_;
    since_ = now.time;
  }
  held_ = isOver() ? Keys{} : strokes_[stroke_].keys(sight);
  return held_;
}

KeyHand::KeyHand(Teleop& teleop) : teleop_(teleop) {
  teleop_.plugged(1, keyboardInfo());
}

void KeyHand::hold(const Keys& keys) {
  const std::vector<std::string>& all = keyboardInfo().buttons;
  std::uint64_t buttons = 0;
  for (const std::string& key : keys) {
    const auto found = std::find(all.begin(), all.end(), key);
    SIM_REQUIRE(found != all.end(), key);
    buttons |= std::uint64_t{1} << (found - all.begin());
  }
  if (buttons == reading_.buttons) return;
  reading_.pressed = buttons & ~reading_.buttons;
  reading_.buttons = buttons;
  reading_.at = DeviceReading::Clock::now();
  teleop_.moved(1, reading_);
}

}  // namespace slipstick::testing
