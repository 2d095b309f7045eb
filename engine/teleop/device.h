// What a person holds to drive an arm: keyboards, gamepads, 3D mice, leader arms and policies on the network, and what
// tests put in their place. A device only tells how it stands; engine/teleop/teleop.h makes goals of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/math.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick {

enum class DeviceKind { Keyboard, Gamepad, SpaceMouse, Network, Other };

struct DeviceInfo {
  std::string id;    ///< the same whenever this device is plugged in again: settings are kept under it
  std::string name;  ///< as its maker calls it
  DeviceKind kind = DeviceKind::Other;
  std::vector<std::string> axes;     ///< names, "left stick x"; none of a device that sends poses
  std::vector<std::string> buttons;  ///< names; at most 64
  bool isFelt = false;               ///< it can give forces back
};

/// What a device that knows where its hand is asks for: no rates but poses.
struct DevicePose {
  std::string effector;           ///< by name; empty: the one that the device is bound to
  Pose X_WE;                      ///< where the tool frame shall be
  std::optional<double> closing;  ///< of the gripper, 0 open … 1 closed; none: as it is
};

/// How a device stands at one moment.
struct DeviceReading {
  using Clock = std::chrono::steady_clock;
  Clock::time_point at;       ///< when the hand moved last, as far as the device says
  std::vector<double> axes;   ///< −1 … 1, in the order of DeviceInfo::axes; as the hardware has them
  std::uint64_t buttons = 0;  ///< bit i: button i is down
  /// Pressed since the last reading, however short: a bit per button.
  std::uint64_t pressed = 0;
  std::vector<DevicePose>
      poses;  ///< since the last reading, in the order in which they came; none is left out
  std::optional<Error> trouble;  ///< since the last reading: what a person should know, and do
};

/// What a device may give back to the hand, and to programs that ask.
struct DeviceFeedback {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Snapshot> snapshot;  ///< of this model
  int effector = -1;  ///< that the device is bound to, into Model::effectors; −1: none
};

/// All calls come from one thread, about 100 times a second, and must not wait.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  /// @return false: the device is gone. What the reading has from before is overwritten.
  virtual bool read(DeviceReading& reading) = 0;
  /// Once per reading, with the newest step there is.
  virtual void feel(const DeviceFeedback& feedback) { (void)feedback; }
};

/// Why a driver has no devices, as far as it can be known.
struct DriverTrouble {
  Error error;
  /// Something fails that should work, which a person is told at once; otherwise there is only nothing to be found.
  bool isFault = false;
};

/// Finds the devices of one kind; on the same thread as they are.
class DeviceDriver {
 public:
  virtual ~DeviceDriver() = default;
  virtual std::string_view name() const = 0;  ///< "gamepads"
  /// Devices that have come since the last call; at the first call all that are there. May be asked at every reading: what
  /// is slow to look for, it looks for less often.
  virtual std::vector<std::unique_ptr<Device>> arrivals() = 0;
  /// "spacenavd does not run; …". Changes with time.
  virtual std::optional<DriverTrouble> trouble() const { return std::nullopt; }
  /// Forgets all that it has found, as if it were new: it, or one of its devices, has thrown, and they are gone.
  virtual void startOver() = 0;
};

}  // namespace slipstick
