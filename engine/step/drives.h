// Joints that a person drives, or that hold still because the scene says so.
#pragma once

#include "engine/step/controllers.h"
#include "engine/step/joint_servo.h"

namespace slipstick {

/// Brings State::drives one step further and gives the actuators their targets, in place of what the scene's
/// controllers ask of the same joints. A drive's reference moves to its goal as a critically damped mass would,
/// no faster than the joint's velocity limit; the joint follows it.
/// @param servo  prepared for the step
void evaluateDrives(const Model& model, const JointServo& servo, State& state, ActuatorTargets& targets);

/// Takes a joint from the scene's controllers.
void takeJoint(const multibody::Joint& joint, int index, ActuatorTargets& targets);

}  // namespace slipstick
