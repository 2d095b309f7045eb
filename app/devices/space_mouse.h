// 3D mice through spacenavd, the free daemon for them.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/teleop/device.h"

struct spnav_event_motion;

namespace slipstick::app {

struct SpaceMouseConnection;

/// The axes are a robot's, as in ROS (REP 103): x away from the person, y to their left, z up; roll, pitch and yaw turn about
/// them by the right-hand rule. 1 is kSpaceMouseFullScale counts, about as far as the cap goes at the daemon's usual
/// sensitivity.
inline constexpr double kSpaceMouseFullScale = 350;

/// x, y, z, roll, pitch, yaw, −1 … 1, of what the daemon sends: x right, y up, z away, and turns about them as a left hand has
/// them.
std::vector<double> spaceMouseAxes(const spnav_event_motion& motion);

/// At most one device: the daemon makes one of all mice it has. Only one of these may be at a time: libspnav has one
/// connection per process. Where none can be made, it is tried again now and then on a thread of its own, for the
/// daemon may take a second to answer.
class SpaceMice final : public DeviceDriver {
 public:
  explicit SpaceMice(std::chrono::milliseconds retryPeriod = std::chrono::seconds(3));
  ~SpaceMice() override;  ///< may wait up to two seconds for a daemon that does not answer
  std::string_view name() const override { return "3D mice"; }
  std::vector<std::unique_ptr<Device>> arrivals() override;
  std::optional<DriverTrouble> trouble() const override { return trouble_; }
  void startOver() override;

 private:
  const std::chrono::milliseconds retryPeriod_;
  std::shared_ptr<SpaceMouseConnection> connection_;
  std::future<void> opening_;
  DeviceReading::Clock::time_point nextTry_;
  std::optional<DriverTrouble> trouble_;
  bool isGiven_ = false;  ///< the mouse of this connection is a Device already
};

}  // namespace slipstick::app
