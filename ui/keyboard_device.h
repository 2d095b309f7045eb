// The keyboard as one of the devices that drive arms: the window tells which keys are down, the device thread reads it.
#pragma once

#include <Qt>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/teleop/axis_map.h"

namespace slipstick::ui {

/// Which keys of keyboardInfo() are down. For any thread.
class KeyState {
 public:
  /// The button of a key; none where the keyboard as a device has not that key.
  static std::optional<std::size_t> buttonOf(int key);
  void press(std::size_t button);
  void release(std::size_t button);
  void releaseAll();
  /// What was pressed since the last time is handed out once.
  void read(DeviceReading& reading);

 private:
  void change(std::uint64_t buttons);
  std::mutex mutex_;
  DeviceReading now_;
};

/// Has a keyboard from the start.
std::unique_ptr<DeviceDriver> keyboardDriver(std::shared_ptr<KeyState> keys);

}  // namespace slipstick::ui
