// The laws of the constraints on one velocity u: how limits, dry friction, couplers and actuators become a
// BoxLaw. w is the Delassus estimate J A⁻¹ Jᵀ of the row [velocity/impulse], Δt the step [s].
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/contact/box_law.h"
#include "engine/rigid/rigid_step.h"

namespace slipstick {

/// Near-rigid regularisation R = β²/(4π²) w with β = 0.1: the bodies deflect with a period of β Δt, too fast
/// to be seen (Castro, Permenter & Han 2022, Sec. V).
inline double nearRigid(double w) {
  constexpr double beta = 0.1;
  return beta * beta / (4 * std::numbers::pi * std::numbers::pi) * w;
}

/// What corrections of positions brake with at the most, as if they fell [m/s²], [rad/s²].
inline constexpr double kCorrectionBraking = 9.81;

/// Fastest removal of a position error that a start may have [m/s] or [rad/s]: v² = 2 g |error|, from which a
/// correction that brakes with g is at rest where the error ends. No more energy than lifting by the error
/// takes, m g |error|, comes of it, however short the step.
inline double fastestCorrection(double error) {
  return std::sqrt(2 * kCorrectionBraking * std::abs(error));
}

/// Speed that halves a bilateral position error per step, up to 8 g Δt² (.3 mm at 2 ms); larger ones go with their
/// fastest correction.
/// @param whole  length of the error that this one is a component of, so that its direction stays
inline double closingSpeed(double error, double whole, double dt) {
  return whole > 0 ? -error * std::min(1 / (2 * dt), fastestCorrection(whole) / whole) : 0;
}

/// Least speed of the gap to a limit. A free limit may be reached within the step, not passed; a violated one
/// is left slowly (1/11 per step, and no faster than its fastest correction), because a unilateral constraint
/// cannot brake what it pushed: the push is the bounce.
inline double limitSpeed(double gap, double dt) {
  return gap > 0 ? -gap / dt : std::min(-gap / (11 * dt), fastestCorrection(gap));
}

inline contact::BoxLaw lowerLimitLaw(double gap, double w, double dt) {
  return {limitSpeed(gap, dt), nearRigid(w), 0, contact::kUnbounded};
}

inline contact::BoxLaw upperLimitLaw(double gap, double w, double dt) {
  return {-limitSpeed(gap, dt), nearRigid(w), -contact::kUnbounded, 0};
}

/// Coulomb: |γ| ≤ Δt · friction. Below the bound it sticks but for a creep of σ w γ, and of v_s x at most, x = friction used
/// over its limit: what contacts creep by, or less. v_s counts in rad/s for joints that turn.
inline contact::BoxLaw dryFrictionLaw(double friction, double w, double dt,
                                      const RigidTolerances& tolerances) {
  const double bound = dt * friction;
  return {0, std::min(tolerances.stictionSoftness * w, tolerances.stictionSpeed / bound), -bound, bound};
}

/// A bilateral row with the position error to remove: mimic joints, loops.
/// @param whole  as of closingSpeed
inline contact::BoxLaw couplerLaw(double error, double whole, double w, double dt) {
  return {closingSpeed(error, whole, dt), nearRigid(w), -contact::kUnbounded, contact::kUnbounded};
}

/// Implicit PD, γ = Δt clamp(kp (goal − q − Δt u) + kd (vGoal − u), effortLimit), with positionError = goal
/// − q. Requires dt · kp + kd > 0.
inline contact::BoxLaw pdLaw(double positionError, const PdTarget& pd, double dt) {
  const double gain = dt * pd.kp + pd.kd;
  return {(pd.kp * positionError + pd.kd * pd.v) / gain, 1 / (dt * gain), dt * pd.effortLimit.lower,
          dt * pd.effortLimit.upper};
}

}  // namespace slipstick
