// Damped least squares (Levenberg–Marquardt) with joint limits as an active set.
#include "engine/multibody/inverse_kinematics.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "engine/foundation/require.h"
#include "engine/multibody/kinematics.h"
#include "engine/multibody/spatial.h"

namespace slipstick::multibody {

namespace {

constexpr double kPositionTolerance = 1e-6;  ///< [m]
constexpr double kRotationTolerance = 1e-6;  ///< [rad]
constexpr int kMaxIterations = 200;
/// Largest change of one joint in one iteration [rad] or [m]: beyond it the linear model says nothing.
constexpr double kMaxStep = 0.5;
/// How far redundant joints are pulled to mid-range, per unit of remaining error: it vanishes with the error,
/// so that the last iterations stay quadratic.
constexpr double kCenterPull = 0.5;
/// λ² = damping · ‖e‖²; the damping grows tenfold where a step made things worse.
constexpr double kLeastDamping = 1e-3, kMaxDamping = 1e6;
/// Keeps the normal equations solvable at a singular pose with vanishing error.
constexpr double kDampingFloor = 1e-12;

/// The problem with all that stays the same while iterating.
struct Problem {
  const Tree& tree;
  int body;
  const std::vector<int>& joints;
  const Pose& goal;

  const Joint& joint(std::size_t k) const { return tree.joints[static_cast<std::size_t>(joints[k])]; }
};

/// Rotation vector and displacement from the body's pose to the goal, W axes.
Vec6 errorAt(const Problem& problem, const VecX& q, std::vector<Pose>& X_WB) {
  computePoses(problem.tree, q, X_WB);
  const Pose& X_WE = X_WB[static_cast<std::size_t>(problem.body)];
  const Eigen::AngleAxisd turn(problem.goal.R * X_WE.R.transpose());
  return stack(turn.angle() * turn.axis(), problem.goal.p - X_WE.p);
}

/// Columns of the body's Jacobian that belong to the joints.
void findColumns(const Problem& problem, IkWorkspace& w) {
  pointJacobian(problem.tree, w.X_WB, problem.body, w.X_WB[static_cast<std::size_t>(problem.body)].p,
                w.jacobian);
  w.columns.resize(6, static_cast<int>(problem.joints.size()));
  for (std::size_t k = 0; k < problem.joints.size(); ++k)
    w.columns.col(static_cast<int>(k)) = w.jacobian.col(problem.joint(k).vStart);
}

/// Step towards mid-range of the joints that have both limits.
void pullToCenter(const Problem& problem, const VecX& q, double strength, VecX& pull) {
  pull.setZero(static_cast<int>(problem.joints.size()));
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    const Joint& joint = problem.joint(k);
    const double range = joint.upper - joint.lower;
    if (!std::isfinite(range) || joint.type == JointType::Continuous) continue;
    pull[static_cast<int>(k)] = strength * (0.5 * (joint.lower + joint.upper) - q[joint.qStart]);
  }
}

/// Δ = Δ₀ + Jᵀ (J Jᵀ + λ² I)⁻¹ (e − J Δ₀): of all steps that meet the goal, the nearest to the pull Δ₀.
/// Joints that would pass a limit stop at it, leave the active set, and the others take over what they leave
/// undone. Reads and uses up w.columns = J and w.pull = Δ₀; leaves Δ in w.step.
void findDampedStep(const Problem& problem, const VecX& q, Vec6 e, double lambda2, IkWorkspace& w) {
  MatX& J = w.columns;
  w.step.setZero(w.pull.size());
  w.clamped.assign(problem.joints.size(), 0);
  for (std::size_t pass = 0; pass <= problem.joints.size(); ++pass) {
    Mat6 N = lambda2 * Mat6::Identity();
    N.noalias() += J.lazyProduct(J.transpose());
    const Vec6 open = e - J.lazyProduct(w.pull);
    const Vec6 weights = N.ldlt().solve(open);
    w.free = w.pull;
    w.free.noalias() += J.transpose().lazyProduct(weights);
    bool passedLimit = false;
    for (std::size_t k = 0; k < problem.joints.size(); ++k) {
      const int i = static_cast<int>(k);
      if (w.clamped[k]) continue;
      w.step[i] = w.free[i];
      const Joint& joint = problem.joint(k);
      if (joint.type == JointType::Continuous) continue;
      const double now = q[joint.qStart];
      const double inside = std::clamp(now + w.free[i], std::min(joint.lower, joint.upper), joint.upper);
      if (inside == now + w.free[i]) continue;
      w.step[i] = inside - now;
      e -= J.col(i) * w.step[i];
      J.col(i).setZero();
      w.pull[i] = 0;
      w.clamped[k] = 1;
      passedLimit = true;
    }
    if (!passedLimit) break;
  }
}

}  // namespace

IkResult solveInverseKinematics(const Tree& tree, int body, const std::vector<int>& joints,
                                const Pose& X_WB_goal, VecX& q) {
  IkWorkspace workspace;
  return solveInverseKinematics(tree, body, joints, X_WB_goal, q, workspace);
}

IkResult solveInverseKinematics(const Tree& tree, int body, const std::vector<int>& joints,
                                const Pose& X_WB_goal, VecX& q, IkWorkspace& w) {
  SIM_REQUIRE(q.size() == tree.nq, q.size(), tree.nq);
  for (const int j : joints) {
    const Joint& joint = tree.joints[static_cast<std::size_t>(j)];
    SIM_REQUIRE(velocityCount(joint.type) == 1, joint.name);
    if (joint.type != JointType::Continuous)
      q[joint.qStart] = std::clamp(q[joint.qStart], joint.lower, joint.upper);
  }
  const Problem problem{tree, body, joints, X_WB_goal};
  Vec6 e = errorAt(problem, q, w.X_WB);
  double damping = kLeastDamping;
  IkResult result;
  const auto within = [](const Vec6& error) {
    return error.head<3>().norm() < kRotationTolerance && error.tail<3>().norm() < kPositionTolerance;
  };
  while (!within(e) && result.iterations < kMaxIterations && damping < kMaxDamping && e.allFinite()) {
    ++result.iterations;
    const double lambda2 = damping * e.squaredNorm() + kDampingFloor;
    // Only an undamped step may spend motion on the redundancy: a retry must go straight downhill.
    const double strength = damping > kLeastDamping ? 0 : kCenterPull * std::min(1.0, e.norm());
    findColumns(problem, w);
    pullToCenter(problem, q, strength, w.pull);
    findDampedStep(problem, q, e, lambda2, w);
    w.step *= std::min(1.0, kMaxStep / std::max(w.step.lpNorm<Eigen::Infinity>(), 1e-300));
    w.candidate = q;
    for (std::size_t k = 0; k < joints.size(); ++k)
      w.candidate[problem.joint(k).qStart] += w.step[static_cast<int>(k)];
    const Vec6 candidateError = errorAt(problem, w.candidate, w.X_WB);
    if (candidateError.norm() < e.norm()) {
      q = w.candidate;
      e = candidateError;
      damping = std::max(kLeastDamping, 0.1 * damping);
    } else {
      damping *= 10;
      computePoses(tree, q, w.X_WB);
    }
  }
  result.rotationError = e.head<3>().norm();
  result.positionError = e.tail<3>().norm();
  result.reached = within(e);
  return result;
}

IkResult searchInverseKinematics(const Tree& tree, int body, const std::vector<int>& joints,
                                 const Pose& X_WB_goal, int postures, VecX& q) {
  IkWorkspace workspace;
  const VecX start = q;
  VecX trial;
  IkResult best;
  for (int posture = 0; posture <= postures; ++posture) {
    trial = start;
    for (std::size_t i = 0; posture > 0 && i < joints.size(); ++i) {
      const Joint& joint = tree.joints[static_cast<std::size_t>(joints[i])];
      const double lower = std::max(joint.lower, -3.0), upper = std::min(joint.upper, 3.0);
      // A low-discrepancy sequence (golden ratio powers) over the joint ranges.
      const double u =
          std::fmod((posture + 0.5) * std::pow(0.618033988749895, static_cast<double>(i + 1)), 1.0);
      trial[joint.qStart] = lower + (0.15 + 0.7 * u) * (upper - lower);
    }
    const IkResult result = solveInverseKinematics(tree, body, joints, X_WB_goal, trial, workspace);
    if (posture == 0 ||
        result.positionError + result.rotationError < best.positionError + best.rotationError) {
      best = result;
      q = trial;
    }
    if (best.reached) break;
  }
  return best;
}

}  // namespace slipstick::multibody
