#include "engine/step/drives.h"

#include <algorithm>
#include <cmath>

namespace slipstick {
namespace {

/// Of the reference on its way to the goal: 2 thousandths of the way are left after .6 s [rad/s].
constexpr double kReferenceFrequency = 15;
/// Of joints that have no velocity limit.
constexpr double kTurnSpeed = 2.5;   // [rad/s]
constexpr double kSlideSpeed = 0.5;  // [m/s]

/// Implicit Euler: no overshoot at any step.
void advance(const multibody::Joint& joint, double dt, State::Drive& drive) {
  const double omega = kReferenceFrequency;
  const double wanted = (drive.v + dt * omega * omega * (drive.goal - drive.q)) /
                        (1 + 2 * dt * omega + dt * dt * omega * omega);
  const double usual = joint.type == multibody::JointType::Prismatic ? kSlideSpeed : kTurnSpeed;
  const bool isLimited = std::isfinite(joint.velocityLimit) && joint.velocityLimit > 0;
  const double fastest = isLimited ? joint.velocityLimit : usual;
  drive.v = std::clamp(wanted, -fastest, fastest);
  drive.q += dt * drive.v;
}

}  // namespace

void takeJoint(const multibody::Joint& joint, int index, ActuatorTargets& targets) {
  std::erase_if(targets.pd, [index](const PdTarget& target) { return target.joint == index; });
  targets.effort[joint.vStart] = 0;
}

void evaluateDrives(const Model& model, const JointServo& servo, State& state, ActuatorTargets& targets) {
  for (State::Drive& drive : state.drives) {
    const multibody::Joint& joint = model.tree.joints[static_cast<std::size_t>(drive.joint)];
    advance(joint, model.time.dt, drive);
    takeJoint(joint, drive.joint, targets);
    targets.pd.push_back(servo.targetOf(model, drive.joint, drive.q, drive.v));
  }
}

}  // namespace slipstick
