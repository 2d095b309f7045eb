#include "engine/teleop/axis_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace slipstick {
namespace {

using ::testing::ElementsAre;

DeviceInfo gamepad() {
  return {"gamepad",
          "Pad",
          DeviceKind::Gamepad,
          {"left stick x", "left stick y", "right stick x", "right stick y", "left trigger", "right trigger"},
          {"A", "B", "X", "Y", "back", "start", "left stick", "left shoulder", "right shoulder", "pad left",
           "pad right"},
          true};
}

DeviceInfo spaceMouse() {
  return {"mouse",           "Mouse", DeviceKind::SpaceMouse, {"x", "y", "z", "roll", "pitch", "yaw"},
          {"left", "right"}, false};
}

std::size_t indexOf(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// A device with one axis or button away from rest.
MotionRates ratesWith(const DeviceInfo& device, const std::string& part, double value,
                      const std::string& held = "") {
  DeviceReading reading;
  reading.axes.resize(device.axes.size());
  const std::size_t axis = indexOf(device.axes, part), button = indexOf(device.buttons, part);
  if (axis < device.axes.size())
    reading.axes[axis] = value;
  else if (button < device.buttons.size())
    reading.buttons |= std::uint64_t{1} << button;
  else
    ADD_FAILURE() << "no part " << part;
  if (!held.empty()) reading.buttons |= std::uint64_t{1} << indexOf(device.buttons, held);
  return ratesOf(defaultMap(device), device, reading);
}

TEST(AxisResponse, IsOddContinuousGrowsAndReachesOneForEveryDeadZoneAndCurve) {
  for (const double deadZone : {0.0, 0.05, 0.3, 0.95})
    for (const double exponent : {1.0, 1.7, 3.0, 5.0}) {
      const AxisResponse response{false, deadZone, exponent};
      const int steps = 20000;
      double last = responseTo(-1, response);
      EXPECT_DOUBLE_EQ(last, -1);
      // The steepest place is the end: exponent / (1 − dead zone).
      const double largestStep = exponent / (1 - deadZone) * 2 / steps * 1.001;
      for (int i = 1; i <= steps; ++i) {
        const double u = -1 + 2.0 * i / steps, out = responseTo(u, response);
        EXPECT_DOUBLE_EQ(out, -responseTo(-u, response));
        ASSERT_GE(out, last);
        ASSERT_LE(out - last, largestStep) << "a jump at " << u;
        if (std::abs(u) < deadZone) {
          ASSERT_EQ(out, 0) << u;
        }
        last = out;
      }
      EXPECT_DOUBLE_EQ(last, 1);
      EXPECT_GT(responseTo(deadZone + 0.02, response), 0) << "it begins right behind the dead zone";
    }
}

TEST(AxisResponse, InvertTurnsRoundAndNothingElse) {
  for (const double u : {-1.0, -0.4, 0.0, 0.2, 0.9})
    EXPECT_EQ(responseTo(u, {true, 0.1, 2}), -responseTo(u, {false, 0.1, 2}));
}

TEST(AxisResponse, IsFiniteAndWithinOneWhateverTheHardwareSays) {
  const AxisResponse wild{false, 7, -3};
  for (const double u : {std::nan(""), HUGE_VAL, -HUGE_VAL, 5.0, -5.0}) {
    EXPECT_LE(std::abs(responseTo(u, {})), 1);
    EXPECT_LE(std::abs(responseTo(u, wild)), 1);
  }
  EXPECT_EQ(responseTo(std::nan(""), {}), 0);
  EXPECT_EQ(responseTo(5, {}), 1);
}

TEST(AxisMap, AGamepadMovesAnArmAsItsSticksArePushed) {
  const DeviceInfo pad = gamepad();
  EXPECT_GT(ratesWith(pad, "left stick y", -1).linear.x(), 0) << "away from the person";
  EXPECT_GT(ratesWith(pad, "left stick x", -1).linear.y(), 0) << "to the left";
  EXPECT_GT(ratesWith(pad, "right trigger", 1).linear.z(), 0);
  EXPECT_LT(ratesWith(pad, "left trigger", 1).linear.z(), 0);
  EXPECT_GT(ratesWith(pad, "right shoulder", 1).angular.x(), 0);
  EXPECT_GT(ratesWith(pad, "right stick y", -1).angular.y(), 0) << "nose down";
  EXPECT_GT(ratesWith(pad, "right stick x", -1).angular.z(), 0) << "to the left";
  EXPECT_GT(ratesWith(pad, "pad right", 1).closing, 0);
  EXPECT_TRUE(ratesWith(pad, "left stick x", 0.1).areZero()) << "a stick that rests beside its middle";
}

TEST(AxisMap, FullDeflectionIsTheScaleInItsUnit) {
  const DeviceInfo pad = gamepad();
  const AxisMap map = defaultMap(pad);
  EXPECT_DOUBLE_EQ(ratesWith(pad, "left stick y", -1).linear.x(), map.of(Motion::X).scale);
  EXPECT_DOUBLE_EQ(ratesWith(pad, "left shoulder", 1).angular.x(), -map.of(Motion::Roll).scale);
}

TEST(AxisMap, BothTriggersTogetherStandStill) {
  const DeviceInfo pad = gamepad();
  DeviceReading reading;
  reading.axes = {0, 0, 0, 0, 0.7, 0.7};
  EXPECT_TRUE(ratesOf(defaultMap(pad), pad, reading).areZero());
}

TEST(AxisMap, SlowWhileHeldScalesEveryMotion) {
  const DeviceInfo pad = gamepad();
  EXPECT_DOUBLE_EQ(ratesWith(pad, "left stick y", -1, "left stick").linear.x(),
                   kSlowShare * ratesWith(pad, "left stick y", -1).linear.x());
  EXPECT_DOUBLE_EQ(ratesWith(keyboardInfo(), "W", 1, "Shift").linear.x(),
                   kSlowShare * ratesWith(keyboardInfo(), "W", 1).linear.x());
}

TEST(AxisMap, TheKeyboardHasIsaacLabsMap) {
  const DeviceInfo& keys = keyboardInfo();
  EXPECT_GT(ratesWith(keys, "W", 1).linear.x(), 0);
  EXPECT_LT(ratesWith(keys, "S", 1).linear.x(), 0);
  EXPECT_GT(ratesWith(keys, "A", 1).linear.y(), 0);
  EXPECT_LT(ratesWith(keys, "D", 1).linear.y(), 0);
  EXPECT_GT(ratesWith(keys, "Q", 1).linear.z(), 0);
  EXPECT_LT(ratesWith(keys, "E", 1).linear.z(), 0);
  EXPECT_GT(ratesWith(keys, "Z", 1).angular.x(), 0);
  EXPECT_LT(ratesWith(keys, "X", 1).angular.x(), 0);
  EXPECT_GT(ratesWith(keys, "T", 1).angular.y(), 0);
  EXPECT_LT(ratesWith(keys, "G", 1).angular.y(), 0);
  EXPECT_GT(ratesWith(keys, "C", 1).angular.z(), 0);
  EXPECT_LT(ratesWith(keys, "V", 1).angular.z(), 0);
}

TEST(AxisMap, ASpaceMouseMovesAlongItsOwnAxes) {
  const DeviceInfo mouse = spaceMouse();
  EXPECT_GT(ratesWith(mouse, "x", 1).linear.x(), 0);
  EXPECT_GT(ratesWith(mouse, "yaw", 1).angular.z(), 0);
  DeviceReading reading;
  reading.pressed = 0b11;
  EXPECT_THAT(actionsOf(defaultMap(mouse), mouse, reading),
              ElementsAre(ButtonAction::ToggleGripper, ButtonAction::Reset));
}

TEST(AxisMap, APressActsOnceHoweverLongTheKeyIsHeld) {
  const DeviceInfo& keys = keyboardInfo();
  const std::uint64_t stop = std::uint64_t{1} << indexOf(keys.buttons, "Escape");
  DeviceReading reading;
  reading.buttons = reading.pressed = stop;
  EXPECT_THAT(actionsOf(defaultMap(keys), keys, reading), ElementsAre(ButtonAction::Stop));
  reading.pressed = 0;
  EXPECT_THAT(actionsOf(defaultMap(keys), keys, reading), ElementsAre());
}

TEST(AxisMap, DefaultsNameOnlyPartsThatTheirDeviceHas) {
  const DeviceInfo joystick{"j", "Stick", DeviceKind::Gamepad, {"axis 1", "axis 2"}, {"button 1"}, false};
  for (const DeviceInfo& device : {gamepad(), spaceMouse(), keyboardInfo(), joystick}) {
    const AxisMap map = defaultMap(device);
    const std::set<std::string> axes(device.axes.begin(), device.axes.end());
    const std::set<std::string> buttons(device.buttons.begin(), device.buttons.end());
    for (const MotionMap& motion : map.motions)
      for (const Control& control : {motion.increase, motion.decrease}) {
        if (control.kind == Control::Kind::Axis) {
          EXPECT_TRUE(axes.count(control.name)) << control.name;
        }
        if (control.kind == Control::Kind::Button) {
          EXPECT_TRUE(buttons.count(control.name)) << control.name;
        }
      }
    for (const ButtonMap& button : map.buttons) EXPECT_TRUE(buttons.count(button.button)) << button.button;
    EXPECT_LE(device.buttons.size(), 64u);
    EXPECT_EQ(map, defaultMap(device));
  }
  EXPECT_GT(ratesWith(joystick, "axis 2", 1).linear.y(), 0);
}

TEST(AxisMap, APartThatADeviceDoesNotHaveRestsAtZero) {
  DeviceReading reading;  // shorter than the device's axes, too
  EXPECT_TRUE(ratesOf(defaultMap(gamepad()), spaceMouse(), reading).areZero());
  EXPECT_TRUE(ratesOf(defaultMap(gamepad()), gamepad(), reading).areZero());
}

}  // namespace
}  // namespace slipstick
