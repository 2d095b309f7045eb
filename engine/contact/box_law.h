// The convex law of one scalar constraint: value, impulse (negative gradient), Hessian of its potential ℓ(u).
#pragma once

#include <algorithm>
#include <limits>

namespace slipstick::contact {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// A regularised impulse between bounds (Castro, Permenter & Han 2022, Sec. IV, a box instead of a cone):
///   γ(u) = clamp(y, lower, upper),  y = (vHat − u)/R,  ℓ(u) = R (γ y − ½ γ²),
///   ℓ' = −γ,  ℓ'' = 1/R inside, 0 at a bound.
/// One law serves limits [0, ∞), couplers and loops (−∞, ∞), dry friction ±Δt f, and implicit PD ±Δt τ_max.
struct BoxLaw {
  double vHat = 0;             ///< velocity without impulse [rad/s] or [m/s]
  double R = 1;                ///< regularisation, > 0 [velocity/impulse]
  double lower = -kUnbounded;  ///< [N m s] or [N s]
  double upper = kUnbounded;

  double unclamped(double u) const { return (vHat - u) / R; }
  double impulse(double u) const { return std::clamp(unclamped(u), lower, upper); }
  double value(double u) const {
    const double gamma = impulse(u);
    return R * gamma * (unclamped(u) - 0.5 * gamma);
  }
  double hessian(double u) const {
    const double y = unclamped(u);
    return lower < y && y < upper ? 1 / R : 0;
  }
};

}  // namespace slipstick::contact
