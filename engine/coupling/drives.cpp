#include "engine/coupling/drives.h"

#include <algorithm>
#include <cmath>

namespace slipstick {
namespace {

/// Of the reference on its way to the goal: it has arrived within a thousandth after .6 s [rad/s].
constexpr double kReferenceFrequency = 15;
/// Of the joint that follows the reference [rad/s]; the PD law is implicit, so no step is too long for it.
constexpr double kServoFrequency = 60;
/// Of joints that have no velocity limit.
constexpr double kTurnSpeed = 2.5;   // [rad/s]
constexpr double kSlideSpeed = 0.5;  // [m/s]
/// Where dry friction may leave a joint that has arrived [rad] or [m].
constexpr double kStickingError = 2e-4;
/// Keeps the gains of joints that move next to nothing above zero [kg m²] or [kg].
constexpr double kLeastInertia = 1e-9;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

void JointDrives::evaluate(const Model& model, const std::vector<Pose>& X_WB, State& state,
                           ActuatorTargets& targets) {
  if (state.drives.empty()) return;
  const multibody::Tree& tree = model.tree;
  multibody::prepareDynamics(tree, X_WB, work_);
  rest_.assign(tree.bodies.size(), {});
  zero_.setZero(tree.nv);
  multibody::inverseDynamics(tree, X_WB, rest_, zero_, zero_, model.gravity, {}, work_, weight_);
  multibody::computeCompositeInertias(tree, X_WB, work_);
  for (State::Drive& drive : state.drives) {
    const multibody::Joint& joint = tree.joints[at(drive.joint)];
    advance(joint, model.time.dt, drive);
    std::erase_if(targets.pd, [&](const PdTarget& target) { return target.joint == drive.joint; });
    targets.effort[joint.vStart] = 0;
    const Load load = loadOf(model, drive.joint);
    // Stiff enough for what brakes the joint, too: small links hang from heavy gears.
    const double kp = std::max({load.inertia * kServoFrequency * kServoFrequency,
                                joint.dryFriction / kStickingError, joint.damping * kServoFrequency});
    targets.pd.push_back({.joint = drive.joint,
                          .q = drive.q + load.weight / kp,
                          .v = drive.v,
                          .kp = kp,
                          .kd = 2 * std::sqrt(kp * load.inertia),
                          .effortLimit = joint.effortLimit});
  }
}

/// Implicit Euler: no overshoot at any step.
void JointDrives::advance(const multibody::Joint& joint, double dt, State::Drive& drive) const {
  const double omega = kReferenceFrequency;
  const double wanted = (drive.v + dt * omega * omega * (drive.goal - drive.q)) /
                        (1 + 2 * dt * omega + dt * dt * omega * omega);
  const double usual = joint.type == multibody::JointType::Prismatic ? kSlideSpeed : kTurnSpeed;
  const bool isLimited = std::isfinite(joint.velocityLimit) && joint.velocityLimit > 0;
  const double fastest = isLimited ? joint.velocityLimit : usual;
  drive.v = std::clamp(wanted, -fastest, fastest);
  drive.q += dt * drive.v;
}

JointDrives::Load JointDrives::loadOf(const Model& model, int index) const {
  const auto own = [&](const multibody::Joint& joint) {
    const auto child = at(joint.child);
    const multibody::Subspace& S = work_.subspace[child];
    const double inertia = S.col(0).dot(work_.composite[child] * S.col(0)) + joint.armature;
    return Load{inertia, weight_[joint.vStart]};
  };
  Load load = own(model.tree.joints[at(index)]);
  for (const multibody::Joint& joint : model.tree.joints) {
    if (joint.mimic != index) continue;
    const Load following = own(joint);
    load.inertia += joint.mimicRatio * joint.mimicRatio * following.inertia;
    load.weight += joint.mimicRatio * following.weight;
  }
  load.inertia = std::max(load.inertia, kLeastInertia);
  return load;
}

}  // namespace slipstick
