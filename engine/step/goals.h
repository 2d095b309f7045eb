// Tools that a person drives: from poses that are asked for to joint targets.
#pragma once

#include <vector>

#include "engine/model/snapshot.h"
#include "engine/multibody/rate_kinematics.h"
#include "engine/step/controllers.h"
#include "engine/step/joint_servo.h"

namespace slipstick {

/// Brings State::goals one step further and gives the actuators their targets, in place of what the scene's controllers
/// ask of the same joints. The way to a goal is straight, with the effector's speed and acceleration, and no more than its
/// joints can do (RateKinematics); from there on joints follow as driven ones do. Where the goal is out of reach the arm
/// comes as near as it gets along its way, and goes back without delay: nothing runs ahead of it.
class EffectorGoals {
 public:
  /// @param X_WB   poses that belong to state.q
  /// @param servo  prepared for the step
  void evaluate(const Model& model, const std::vector<Pose>& X_WB, const JointServo& servo, State& state,
                ActuatorTargets& targets);

 private:
  void advance(const Model& model, const Effector& effector, State& state, State::Goal& goal);
  void followDetour(const multibody::Chain& chain, double dt, State::Goal& goal) const;
  void grip(const Model& model, const Gripper& gripper, State::Goal& goal, ActuatorTargets& targets) const;

  multibody::RateKinematics rates_;
  std::vector<Pose> X_WB_;  ///< with the chain on its way
  VecX q_;
};

/// What a snapshot says of a goal.
StepFacts::EffectorGoal goalFacts(const Model& model, const State& state, const State::Goal& goal);

}  // namespace slipstick
