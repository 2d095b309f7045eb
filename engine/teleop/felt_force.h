// What an arm's hand feels: the contact forces on the end of the arm.
#pragma once

#include <vector>

#include "engine/model/effector.h"
#include "engine/teleop/device.h"

namespace slipstick {

/// The last link that moves, with all that is fixed to it, all that hangs from it, and the fingers of the gripper; ascending.
std::vector<int> feltBodies(const Model& model, const Effector& effector);

/// X_WE of a step.
Pose toolPose(const Effector& effector, const StepFacts& facts);

struct FeltForce {
  Wrench net;  ///< of all contacts on the felt bodies, about the tool frame's origin, W axes [N], [N m]
  /// Σ|contact force| over the felt bodies: what fingers feel that squeeze something, though their forces cancel [N]
  double pressing = 0;
};

FeltForce feltForce(const Model& model, const StepFacts& facts, const Effector& effector);

/// Of the effector that a device is bound to; zero without one, and before the first step.
FeltForce feltForce(const DeviceFeedback& feedback);

}  // namespace slipstick
