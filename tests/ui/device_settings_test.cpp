// What is kept of devices, and which keys are one.
#include "ui/device_settings.h"

#include <gtest/gtest.h>

#include <Qt>

#include "ui/keyboard_device.h"

namespace slipstick::ui {
namespace {

TEST(DeviceSettings, ComeBackAsTheyWere) {
  DeviceUse use;
  use.enabled = false;
  use.effector = "left_arm";
  use.frame = MotionFrame::Camera;
  use.map = defaultMap(keyboardInfo());
  use.map.of(Motion::Y).response = {.invert = true, .deadZone = 0.125, .exponent = 2};
  use.map.of(Motion::Yaw).scale = 0.3;
  const std::optional<DeviceUse> again = deviceUseOf(textOf(use));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, use);
}

TEST(DeviceSettings, OfAnotherProgramAreNoneAndNumbersStayInTheirRanges) {
  EXPECT_FALSE(deviceUseOf({}));
  EXPECT_FALSE(deviceUseOf("[1, 2"));
  EXPECT_FALSE(deviceUseOf(R"({"motions": [1]})"));
  const std::optional<DeviceUse> use = deviceUseOf(
      R"({"frame": 99, "motions": [{"dead_zone": 7, "exponent": -3, "scale": -1}, {}, {}, {}, {}, {}, {}]})");
  ASSERT_TRUE(use);
  EXPECT_EQ(use->frame, MotionFrame::Camera);
  EXPECT_EQ(use->map.of(Motion::X).response.deadZone, kLargestDeadZone);
  EXPECT_EQ(use->map.of(Motion::X).response.exponent, 1);
  EXPECT_EQ(use->map.of(Motion::X).scale, 0);
}

TEST(KeyState, TellsWhatIsDownAndOnceWhatWasPressed) {
  KeyState keys;
  const auto w = KeyState::buttonOf(Qt::Key_W), escape = KeyState::buttonOf(Qt::Key_Escape);
  ASSERT_TRUE(w && escape);
  EXPECT_FALSE(KeyState::buttonOf(Qt::Key_Space)) << "it plays and pauses";
  EXPECT_FALSE(KeyState::buttonOf(Qt::Key_F5));
  keys.press(*w);
  keys.press(*escape);
  keys.release(*escape);
  DeviceReading reading;
  keys.read(reading);
  EXPECT_EQ(reading.buttons, std::uint64_t{1} << *w);
  EXPECT_EQ(reading.pressed, std::uint64_t{1} << *w | std::uint64_t{1} << *escape);
  const auto at = reading.at;
  keys.press(*w);  // as repeated keys do
  keys.read(reading);
  EXPECT_EQ(reading.pressed, 0U);
  EXPECT_EQ(reading.at, at);
  keys.releaseAll();
  keys.read(reading);
  EXPECT_EQ(reading.buttons, 0U);
}

}  // namespace
}  // namespace slipstick::ui
