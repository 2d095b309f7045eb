// Gamepads and joysticks, through SDL.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/teleop/device.h"

namespace slipstick::app {

struct GamepadHall;

/// What SDL knows how to name has the axes "left stick x", "left stick y", "right stick x", "right stick y" (right and down are
/// positive), "left trigger", "right trigger" (0 … 1) and SDL's buttons; other joysticks have "axis 1" … and "button 1" ….
/// They shake with the contact force on the gripper that they drive, see rumbleOf(). SDL must not be used by other threads.
class Gamepads final : public DeviceDriver {
 public:
  Gamepads();
  ~Gamepads() override;
  std::string_view name() const override { return "gamepads"; }
  std::vector<std::unique_ptr<Device>> arrivals() override;
  std::optional<DriverTrouble> trouble() const override;
  void startOver() override;

 private:
  std::shared_ptr<GamepadHall> hall_;  ///< null before the first call
};

}  // namespace slipstick::app
