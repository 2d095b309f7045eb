#include "engine/step/joint_servo.h"

#include <algorithm>
#include <cmath>

namespace slipstick {
namespace {

/// Of the joint that follows its reference [rad/s]; the PD law is implicit, so no step is too long for it.
constexpr double kServoFrequency = 60;
/// Steady-state error that dry friction may leave [rad] or [m].
constexpr double kStickingError = 2e-4;
/// Keeps the gains of joints that move next to nothing above zero [kg m²] or [kg].
constexpr double kLeastInertia = 1e-9;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

void JointServo::prepare(const Model& model, const std::vector<Pose>& X_WB) {
  const multibody::Tree& tree = model.tree;
  multibody::prepareDynamics(tree, X_WB, work_);
  rest_.assign(tree.bodies.size(), {});
  zero_.setZero(tree.nv);
  multibody::inverseDynamics(tree, X_WB, rest_, zero_, zero_, model.gravity, {}, work_, weight_);
  multibody::computeCompositeInertias(tree, X_WB, work_);
}

PdTarget JointServo::targetOf(const Model& model, int index, double q, double v,
                              double leastStiffness) const {
  const multibody::Joint& joint = model.tree.joints[at(index)];
  const Load load = loadOf(model, index);
  // Stiff enough for what brakes the joint, too: small links hang from heavy gears.
  const double kp =
      std::max({load.inertia * kServoFrequency * kServoFrequency, joint.dryFriction / kStickingError,
                joint.damping * kServoFrequency, leastStiffness});
  return {.joint = index,
          .q = q + load.weight / kp,
          .v = v,
          .kp = kp,
          .kd = 2 * std::sqrt(kp * load.inertia),
          .effortLimit = joint.effortLimit};
}

JointServo::Load JointServo::loadOf(const Model& model, int index) const {
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
