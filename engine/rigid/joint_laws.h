// The laws of the constraints on one velocity u: how limits, dry friction, couplers and actuators become a
// BoxLaw. w is the Delassus estimate J A⁻¹ Jᵀ of the row [velocity/impulse], Δt the step [s].
#pragma once

#include <numbers>

#include "engine/contact/box_law.h"
#include "engine/rigid/rigid_solver.h"

namespace slipstick {

/// Near-rigid regularisation R = β²/(4π²) w with β = 0.1: the bodies deflect with a period of β Δt, too fast
/// to be seen (Castro, Permenter & Han 2022, Sec. V).
inline double nearRigid(double w) {
  constexpr double beta = 0.1;
  return beta * beta / (4 * std::numbers::pi * std::numbers::pi) * w;
}

/// Speed that halves a bilateral position error per step.
inline double closingSpeed(double error, double dt) {
  return -error / (2 * dt);
}

/// Least speed of the gap to a limit. A free limit may be reached within the step, not passed; a violated one
/// is left slowly (1/11 per step), because a unilateral constraint cannot brake what it pushed: the push is
/// the bounce.
inline double limitSpeed(double gap, double dt) {
  return -gap / (gap > 0 ? dt : 11 * dt);
}

inline contact::BoxLaw lowerLimitLaw(double gap, double w, double dt) {
  return {limitSpeed(gap, dt), nearRigid(w), 0, contact::kUnbounded};
}

inline contact::BoxLaw upperLimitLaw(double gap, double w, double dt) {
  return {-limitSpeed(gap, dt), nearRigid(w), -contact::kUnbounded, 0};
}

/// Coulomb: |γ| ≤ Δt · friction. Below the bound it sticks but for a creep of 1e-3 w γ.
inline contact::BoxLaw dryFrictionLaw(double friction, double w, double dt) {
  return {0, 1e-3 * w, -dt * friction, dt * friction};
}

/// A bilateral row with the position error to remove: mimic joints, welds.
inline contact::BoxLaw couplerLaw(double error, double w, double dt) {
  return {closingSpeed(error, dt), nearRigid(w), -contact::kUnbounded, contact::kUnbounded};
}

/// Implicit PD, γ = Δt clamp(kp (goal − q − Δt u) + kd (vGoal − u), ± effortLimit), with positionError = goal
/// − q. Requires dt · kp + kd > 0.
inline contact::BoxLaw pdLaw(double positionError, const PdTarget& pd, double dt) {
  const double gain = dt * pd.kp + pd.kd;
  return {(pd.kp * positionError + pd.kd * pd.v) / gain, 1 / (dt * gain), -dt * pd.effortLimit,
          dt * pd.effortLimit};
}

}  // namespace slipstick
