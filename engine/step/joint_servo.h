// Gains with which a joint follows a reference, whatever it moves.
#pragma once

#include <vector>

#include "engine/model/model.h"
#include "engine/multibody/dynamics.h"
#include "engine/rigid/rigid_step.h"

namespace slipstick {

/// Implicit PD with gains of the inertia that the joint moves, and a share that carries the weight of what hangs from it,
/// so that it stands at its reference and not below.
class JointServo {
 public:
  /// @param X_WB  poses that belong to the state of the step
  void prepare(const Model& model, const std::vector<Pose>& X_WB);
  /// @param leastStiffness  [N m/rad] or [N/m]
  PdTarget targetOf(const Model& model, int joint, double q, double v, double leastStiffness = 0) const;

 private:
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
