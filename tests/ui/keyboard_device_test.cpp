#include "ui/keyboard_device.h"

#include <gtest/gtest.h>

namespace slipstick::ui {
namespace {

TEST(KeyboardDriver, HasOneKeyboardAndHasItAgainAfterAFailure) {
  const auto keys = std::make_shared<KeyState>();
  const std::unique_ptr<DeviceDriver> driver = keyboardDriver(keys);
  ASSERT_EQ(driver->arrivals().size(), 1u);
  EXPECT_TRUE(driver->arrivals().empty());
  driver->startOver();
  const auto again = driver->arrivals();
  ASSERT_EQ(again.size(), 1u);
  keys->press(KeyState::buttonOf(Qt::Key_W).value());
  DeviceReading reading;
  EXPECT_TRUE(again[0]->read(reading));
  EXPECT_NE(reading.buttons, 0u);
}

}  // namespace
}  // namespace slipstick::ui
