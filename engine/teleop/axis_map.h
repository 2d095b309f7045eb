// From how a device stands to the motion that it asks for: which control moves what, how softly and how fast.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/teleop/device.h"

namespace slipstick {

/// What a hand can ask of an arm. X, Y, Z move the tool frame and Roll, Pitch, Yaw turn it about x, y, z, by the
/// right-hand rule, in the axes that the person has chosen; Close closes the gripper.
enum class Motion { X, Y, Z, Roll, Pitch, Yaw, Close };
inline constexpr std::size_t kMotionCount = 7;
inline constexpr std::array<std::string_view, kMotionCount> kMotionNames = {"x",     "y",   "z",    "roll",
                                                                            "pitch", "yaw", "close"};

/// A part of a device, by the name that DeviceInfo gives it. A name that the device does not have rests at 0.
struct Control {
  enum class Kind { None, Axis, Button };
  Kind kind = Kind::None;
  std::string name = {};
  friend bool operator==(const Control&, const Control&) = default;

  static Control axis(std::string name) { return {Kind::Axis, std::move(name)}; }
  static Control button(std::string name) { return {Kind::Button, std::move(name)}; }
};

/// How far a stick is pushed → how far it counts: 0 within the dead zone, from its edge on (|u| − d) / (1 − d) to the
/// power of the exponent, with the sign of u. Continuous, odd, and ±1 at ±1.
struct AxisResponse {
  bool invert = false;
  double deadZone = 0;  ///< d, 0 … 0.95 of full deflection
  double exponent = 1;  ///< 1 … 5; 1: straight; larger: finer around the middle
  friend bool operator==(const AxisResponse&, const AxisResponse&) = default;
};
inline constexpr double kLargestDeadZone = 0.95, kLargestExponent = 5;

/// @param deflection  −1 … 1; beyond it counts as ±1, and what is no number as 0
/// @return  −1 … 1. Values of the response beyond their ranges count as the range's end.
double responseTo(double deflection, const AxisResponse& response);

/// What drives one motion: `increase` less `decrease`. A stick has both directions and is `increase` alone; triggers, buttons
/// and keys come in pairs.
struct MotionMap {
  Control increase = {}, decrease = {};
  AxisResponse response = {};
  double scale =
      0;  ///< rate at full deflection [m/s], [rad/s]; Close: share of the whole way per second [1/s]
  friend bool operator==(const MotionMap&, const MotionMap&) = default;
};

/// What a button does beside moving.
enum class ButtonAction {
  ToggleGripper,
  Stop,  ///< freezes all goals at once
  Reset,
  NextFrame,      ///< world, tool, camera
  SlowWhileHeld,  ///< kSlowShare of every rate
  Keep,           ///< the try at the task that goes on; without one, begins one
  Discard,        ///< the same try, or the one before
};
inline constexpr std::array<std::string_view, 7> kButtonActionNames = {
    "open or close the gripper", "stop everything",     "reset",          "next frame",
    "slow while held",           "begin or keep a try", "discard the try"};
inline constexpr double kSlowShare = 0.2;

struct ButtonMap {
  std::string button;
  ButtonAction action = ButtonAction::Stop;
  friend bool operator==(const ButtonMap&, const ButtonMap&) = default;
};

/// Settings of one device; plain, so that they can be kept under DeviceInfo::id.
struct AxisMap {
  std::array<MotionMap, kMotionCount> motions = {};
  std::vector<ButtonMap> buttons;
  friend bool operator==(const AxisMap&, const AxisMap&) = default;

  MotionMap& of(Motion motion) { return motions[static_cast<std::size_t>(motion)]; }
  const MotionMap& of(Motion motion) const { return motions[static_cast<std::size_t>(motion)]; }
};

/// What a device asks for, as rates.
struct MotionRates {
  Vec3 linear = Vec3::Zero();   ///< [m/s]
  Vec3 angular = Vec3::Zero();  ///< [rad/s]
  double closing = 0;           ///< > 0 closes [1/s]
  bool areZero() const { return linear.isZero(0) && angular.isZero(0) && closing == 0; }
};

/// What a device comes with until a person changes it. Gamepads: left stick x and y, triggers z, right stick pitch and yaw,
/// shoulders roll. SpaceMouse and keyboard: those of Isaac Lab. Of devices of other kinds the first six axes in their
/// order. Devices that send poses have no axes, and an empty map.
AxisMap defaultMap(const DeviceInfo& device);

MotionRates ratesOf(const AxisMap& map, const DeviceInfo& device, const DeviceReading& reading);

/// What was pressed since the last reading, in the order of the map.
std::vector<ButtonAction> actionsOf(const AxisMap& map, const DeviceInfo& device,
                                    const DeviceReading& reading);

/// The keyboard as a device: its buttons are keys, named "W", "Escape", "Shift" …; ui/ reads them. Space is not among
/// them: it plays and pauses as everywhere.
const DeviceInfo& keyboardInfo();

}  // namespace slipstick
