// From the scene's controllers to what the actuators are asked for in one step.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/state.h"
#include "engine/multibody/inverse_kinematics.h"
#include "engine/rigid/rigid_step.h"

namespace slipstick {

/// What the actuators are asked for during one step.
struct ActuatorTargets {
  std::vector<PdTarget> pd;  ///< goals at the end of the step
  VecX effort;               ///< explicit generalized forces, length nv [N m] or [N]
  struct Force {
    int body = 0;
    Vec3 p_B = Vec3::Zero();
    Wrench wrench;  ///< force at p_B, and a torque; W axes
  };
  std::vector<Force> forces;            ///< scripted forces on links
  std::vector<std::int32_t> saturated;  ///< joints whose explicit efforts were cut to their limits
  std::vector<std::int32_t> unreached;  ///< controllers whose end-effector goals were not reached

  multibody::IkWorkspace ik;  ///< of the evaluation, as are …
  VecX ikStart;               ///< … joint positions, and
  std::vector<double> goals;  ///< goals of the start of the step
};

/// Evaluates all controllers for the step from state.time to state.time + dt. Goals are taken at the *end* of
/// the step, because the PD law is implicit; goal velocities are finite differences over the step, so that a
/// path is followed without the lag that damping towards zero velocity would cause.
///
/// End-effector paths: inverse kinematics from state.controllerQ, which then holds the new goals. Joints that
/// no controller moves stand where the state has them.
void evaluateControllers(const Model& model, double dt, State& state, ActuatorTargets& targets);

}  // namespace slipstick
