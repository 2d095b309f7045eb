// Joints that a person drives, or that hold still because the scene says so.
#pragma once

#include "engine/coupling/controllers.h"
#include "engine/multibody/dynamics.h"

namespace slipstick {

/// Brings State::drives one step further and gives the actuators their targets, in place of what the scene's
/// controllers ask of the same joints. A drive's reference moves to its goal as a critically damped mass would,
/// no faster than the joint's velocity limit; the joint follows by implicit PD with gains of its own inertia and
/// a share that carries the weight of what hangs from it, so that it stands at its goal and not below.
class JointDrives {
 public:
  /// @param X_WB  poses that belong to state.q
  void evaluate(const Model& model, const std::vector<Pose>& X_WB, State& state, ActuatorTargets& targets);

 private:
  void advance(const multibody::Joint& joint, double dt, State::Drive& drive) const;
  /// What resists the joint, and what its weight asks of it, with the joints that follow it.
  struct Load {
    double inertia = 0;  ///< [kg m²] or [kg]
    double weight = 0;   ///< effort that carries it [N m] or [N]
  };
  Load loadOf(const Model& model, int joint) const;

  multibody::DynamicsWorkspace work_;
  std::vector<Velocity> rest_;
  VecX zero_, weight_;
};

}  // namespace slipstick
