// Joint positions that bring a body's frame to a goal pose.
#pragma once

#include <vector>

#include "engine/foundation/math.h"
#include "engine/multibody/tree.h"

namespace slipstick::multibody {

struct IkResult {
  bool reached = false;      ///< both errors below the tolerances
  double positionError = 0;  ///< [m]
  double rotationError = 0;  ///< [rad]
  int iterations = 0;
};

/// Memory that serves again from solve to solve.
struct IkWorkspace {
  std::vector<Pose> X_WB;
  MatX jacobian, columns;  ///< of all joints; of those that move
  VecX pull, free, step, candidate;
  std::vector<char> clamped;  ///< per joint that moves: it stands at a limit
};

/// Damped least squares with joint limits (clamped joints leave the active set) and a weak pull of redundant
/// joints towards the middle of their range, from `q` in place; only `joints` (1-DoF) move.
/// Tolerances 1e-6 m and 1e-6 rad. A local method: from a start far away it may end at a limit with `reached`
/// false; then q holds the nearest pose it found.
IkResult solveInverseKinematics(const Tree& tree, int body, const std::vector<int>& joints,
                                const Pose& X_WB_goal, VecX& q, IkWorkspace& workspace);
IkResult solveInverseKinematics(const Tree& tree, int body, const std::vector<int>& joints,
                                const Pose& X_WB_goal, VecX& q);

/// The same from q, then from other postures spread over the joints' ranges, always the same ones, until one reaches the
/// goal: a local minimum is not the last word. q: the nearest pose of all.
IkResult searchInverseKinematics(const Tree& tree, int body, const std::vector<int>& joints,
                                 const Pose& X_WB_goal, int postures, VecX& q);

}  // namespace slipstick::multibody
