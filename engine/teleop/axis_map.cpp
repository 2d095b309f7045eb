#include "engine/teleop/axis_map.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace slipstick {
namespace {

constexpr double kLinearSpeed = 0.2;   ///< [m/s]
constexpr double kAngularSpeed = 0.8;  ///< [rad/s]
constexpr double kClosingSpeed = 1.5;  ///< [1/s]

double scaleOf(Motion motion) {
  if (motion == Motion::Close) return kClosingSpeed;
  return motion <= Motion::Z ? kLinearSpeed : kAngularSpeed;
}

/// −1: there is none of this name.
int indexOf(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

bool isSet(std::uint64_t bits, int index) {
  return index >= 0 && index < 64 && (bits >> index & 1u) != 0;
}

double deflectionOf(const Control& control, const DeviceInfo& device, const DeviceReading& reading) {
  if (control.kind == Control::Kind::Axis) {
    const int index = indexOf(device.axes, control.name);
    return index >= 0 && static_cast<std::size_t>(index) < reading.axes.size()
               ? reading.axes[static_cast<std::size_t>(index)]
               : 0;
  }
  if (control.kind == Control::Kind::Button)
    return isSet(reading.buttons, indexOf(device.buttons, control.name)) ? 1 : 0;
  return 0;
}

void drive(AxisMap& map, Motion motion, Control increase, Control decrease, AxisResponse response = {}) {
  map.of(motion) = {std::move(increase), std::move(decrease), response, scaleOf(motion)};
}

/// Sticks rest beside their middle by up to a tenth, and are coarse without a curve.
AxisMap gamepadMap() {
  constexpr AxisResponse kStickTurnedRound = {true, 0.12, 2}, kTrigger = {false, 0.05, 1.5};
  AxisMap map;
  // Sticks count right and down; an arm's y is left, and its x away from the person.
  drive(map, Motion::X, Control::axis("left stick y"), {}, kStickTurnedRound);
  drive(map, Motion::Y, Control::axis("left stick x"), {}, kStickTurnedRound);
  drive(map, Motion::Z, Control::axis("right trigger"), Control::axis("left trigger"), kTrigger);
  drive(map, Motion::Roll, Control::button("right shoulder"), Control::button("left shoulder"));
  drive(map, Motion::Pitch, Control::axis("right stick y"), {}, kStickTurnedRound);
  drive(map, Motion::Yaw, Control::axis("right stick x"), {}, kStickTurnedRound);
  drive(map, Motion::Close, Control::button("pad right"), Control::button("pad left"));
  map.buttons = {{"A", ButtonAction::ToggleGripper},
                 {"B", ButtonAction::Stop},
                 {"Y", ButtonAction::NextFrame},
                 {"X", ButtonAction::Reset},
                 {"start", ButtonAction::Keep},
                 {"back", ButtonAction::Discard},
                 {"left stick", ButtonAction::SlowWhileHeld}};
  return map;
}

AxisMap spaceMouseMap(const DeviceInfo& device) {
  constexpr AxisResponse kCap = {false, 0.05, 1.5};  // a hand that lifts it also turns it a little
  constexpr std::array<Motion, 6> kMotions = {Motion::X,    Motion::Y,     Motion::Z,
                                              Motion::Roll, Motion::Pitch, Motion::Yaw};
  AxisMap map;
  for (const Motion motion : kMotions)
    drive(map, motion, Control::axis(std::string(kMotionNames[static_cast<std::size_t>(motion)])), {}, kCap);
  map.of(Motion::Close).scale = kClosingSpeed;
  if (!device.buttons.empty()) map.buttons.push_back({device.buttons[0], ButtonAction::ToggleGripper});
  if (device.buttons.size() > 1) map.buttons.push_back({device.buttons[1], ButtonAction::Reset});
  if (device.buttons.size() > 2) map.buttons.push_back({device.buttons[2], ButtonAction::Stop});
  return map;
}

AxisMap keyboardMap() {
  const auto keys = [](AxisMap& map, Motion motion, const char* increase, const char* decrease) {
    drive(map, motion, Control::button(increase), Control::button(decrease));
  };
  AxisMap map;
  keys(map, Motion::X, "W", "S");
  keys(map, Motion::Y, "A", "D");
  keys(map, Motion::Z, "Q", "E");
  keys(map, Motion::Roll, "Z", "X");
  keys(map, Motion::Pitch, "T", "G");
  keys(map, Motion::Yaw, "C", "V");
  keys(map, Motion::Close, "P", "O");
  map.buttons = {{"K", ButtonAction::ToggleGripper},    {"R", ButtonAction::Reset},
                 {"Escape", ButtonAction::Stop},        {"F", ButtonAction::NextFrame},
                 {"Return", ButtonAction::Keep},        {"Backspace", ButtonAction::Discard},
                 {"Shift", ButtonAction::SlowWhileHeld}};
  return map;
}

AxisMap axesInTheirOrder(const DeviceInfo& device) {
  constexpr AxisResponse kUnknownStick = {false, 0.12, 1.5};
  AxisMap map;
  for (std::size_t i = 0; i < kMotionCount; ++i) map.motions[i].scale = scaleOf(static_cast<Motion>(i));
  for (std::size_t i = 0; i < std::min<std::size_t>(device.axes.size(), 6); ++i)
    drive(map, static_cast<Motion>(i), Control::axis(device.axes[i]), {}, kUnknownStick);
  constexpr std::array kActions = {ButtonAction::ToggleGripper, ButtonAction::Stop, ButtonAction::Reset,
                                   ButtonAction::Keep, ButtonAction::Discard};
  for (std::size_t i = 0; i < std::min(device.buttons.size(), kActions.size()); ++i)
    map.buttons.push_back({device.buttons[i], kActions[i]});
  return map;
}

}  // namespace

double responseTo(double deflection, const AxisResponse& response) {
  if (!std::isfinite(deflection)) return 0;
  const double dead = std::clamp(response.deadZone, 0.0, kLargestDeadZone);
  const double exponent = std::clamp(response.exponent, 1.0, kLargestExponent);
  const double beyond = (std::min(std::abs(deflection), 1.0) - dead) / (1 - dead);
  if (beyond <= 0) return 0;
  return std::copysign(std::pow(beyond, exponent), response.invert ? -deflection : deflection);
}

AxisMap defaultMap(const DeviceInfo& device) {
  switch (device.kind) {
    case DeviceKind::Keyboard:
      return keyboardMap();
    case DeviceKind::SpaceMouse:
      return spaceMouseMap(device);
    case DeviceKind::Network:
      return {};
    case DeviceKind::Gamepad:
      // A joystick whose parts nobody has named has none of a gamepad's.
      return indexOf(device.axes, "left stick x") >= 0 ? gamepadMap() : axesInTheirOrder(device);
    case DeviceKind::Other:
      break;
  }
  return axesInTheirOrder(device);
}

MotionRates ratesOf(const AxisMap& map, const DeviceInfo& device, const DeviceReading& reading) {
  bool isSlow = false;
  for (const ButtonMap& button : map.buttons)
    isSlow |= button.action == ButtonAction::SlowWhileHeld &&
              isSet(reading.buttons, indexOf(device.buttons, button.button));
  std::array<double, kMotionCount> rate{};
  for (std::size_t i = 0; i < kMotionCount; ++i) {
    const MotionMap& motion = map.motions[i];
    const double deflection =
        deflectionOf(motion.increase, device, reading) - deflectionOf(motion.decrease, device, reading);
    rate[i] = responseTo(deflection, motion.response) * motion.scale * (isSlow ? kSlowShare : 1);
  }
  return {{rate[0], rate[1], rate[2]}, {rate[3], rate[4], rate[5]}, rate[6]};
}

std::vector<ButtonAction> actionsOf(const AxisMap& map, const DeviceInfo& device,
                                    const DeviceReading& reading) {
  std::vector<ButtonAction> actions;
  for (const ButtonMap& button : map.buttons)
    if (button.action != ButtonAction::SlowWhileHeld &&
        isSet(reading.pressed, indexOf(device.buttons, button.button)))
      actions.push_back(button.action);
  return actions;
}

const DeviceInfo& keyboardInfo() {
  static const DeviceInfo info = {"keyboard",
                                  "Keyboard",
                                  DeviceKind::Keyboard,
                                  {},
                                  {"W", "S", "A", "D", "Q", "E", "Z",      "X",     "T",      "G",        "C",
                                   "V", "P", "O", "K", "R", "F", "Escape", "Shift", "Return", "Backspace"},
                                  false};
  return info;
}

}  // namespace slipstick
