// Joint rates that move a tool as it is asked to, as well as the joints can: inverse kinematics from step to step.
#pragma once

#include <vector>

#include "engine/foundation/math.h"
#include "engine/multibody/chain.h"
#include "engine/multibody/spatial.h"
#include "engine/multibody/tree.h"

namespace slipstick::multibody {

/// Turns a wanted velocity of the tool into joint rates: damped least squares with bounds as an active set. Only
/// directions in which the arm is nearly singular are damped (Nakamura & Hanafusa 1986); a tool that would need a joint
/// faster than it is goes slower, along the same line. What the tool leaves free draws the joints to a posture.
///
/// Bounds per joint: its speed, its acceleration, and its position limits with what it needs to stop before them. They
/// hold for every wanted velocity; the tool gets what they leave.
class RateKinematics {
 public:
  /// For the poses of the tree at q.
  void prepare(const Tree& tree, const Chain& chain, const std::vector<Pose>& X_WB);
  /// Of the tool frame's origin, W axes, by the chain's rates alone. After prepare().
  Velocity velocityOf(const VecX& rates) const;
  /// After prepare() with the same tree and chain.
  /// @param wanted  of the tool frame's origin, W axes
  /// @param home    posture, per joint of the chain [rad] or [m]
  /// @param rates   per joint of the chain: those of the last step in, those of the next one out
  void resolve(const Tree& tree, const Chain& chain, const VecX& q, const Velocity& wanted, const VecX& home,
               double dt, VecX& rates);

 private:
  class ToolDirections;

  void findBounds(const Tree& tree, const Chain& chain, const VecX& q, double dt, const VecX& rates);
  void solve(const Vec6& wanted, ToolDirections directions);
  bool clampWorst(Vec6& open);

  MatX jacobian_, columns_;  ///< of all joints; of the chain's, rotations as lengths
  VecX lower_, upper_, pull_, rates_;
  std::vector<char> clamped_;
};

/// The fastest from which what decelerates by `quickness` still stops within `distance`, in steps of dt. All ≥ 0.
double stoppingSpeed(double distance, double quickness, double dt);

}  // namespace slipstick::multibody
