#include "ui/joint_driver.h"

namespace slipstick::ui {
namespace {

/// Of a robot that is looked at alone: what a joint needs to arrive and come to rest [s].
constexpr double kArrival = 1.0;

}  // namespace

bool JointDriver::isPast() const {
  if (moment_.isLive()) return false;
  messages_.tell(LogLevel::Warning, tr("Joints of the past stand still: End goes to the newest step"));
  return true;
}

void JointDriver::drive(int joint, double goal) {
  if (!moment_.model() || isPast()) return;
  commands_.post(DriveJoint{joint, goal});
  // On its last steps towards the goal before this one it still counts as playing.
  if (moment_.isRobotViewer()) transport_.runAtLeastUntil(moment_.newestTime() + kArrival);
}

void JointDriver::free(const std::vector<int>& joints) {
  if (!moment_.model() || isPast()) return;
  for (const int joint : joints) commands_.post(FreeJoint{joint});
}

}  // namespace slipstick::ui
