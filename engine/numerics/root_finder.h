// Where an increasing function of one variable is zero, such as the derivative of a convex one along a ray: Newton's steps in a
// bracket, and bisection where these leave it (rtsafe: Press et al. 2007, Sec. 9.4). For hosts, and for teams of a device.
#pragma once

#include <cmath>

#include "engine/lanes/lane.h"

namespace slipstick::numerics {
inline namespace SIM_ISA {

/// f and f′ at one place; along a ray the first two derivatives of what is minimised.
struct Slope {
  double first = 0, second = 0;
};

/// Upper end of a bracket that has none yet: a number, which a device compares as any other.
inline constexpr double kNoBound = 1e300;

/// What is known of the zero: it lies between.
struct Bracket {
  double low = 0, high = kNoBound;

  /// With f at x: NaN keeps what is below, as a positive number does.
  SIM_HD void cut(double x, double value) { (value < 0 ? low : high) = x; }
  SIM_HD bool isOpen() const { return !(high < kNoBound); }
  SIM_HD bool holds(double x) const { return x > low && x < high; }
  SIM_HD double middle() const { return (low + high) / 2; }
};

/// Some roundings of the numbers at a bracket's ends: no narrower one can be told from a point.
inline constexpr double kClosed = 1e-15;

/// What a search along a ray has come to.
struct RayMinimum {
  double alpha = 0;
  bool found = false;  ///< false: the steps were used up first, or the slope is no number
};

/// Steps of a search along a ray: bisection alone closes a bracket of doubles in 52, and a few find one.
inline constexpr int kMaxRaySteps = 60;

/// Newton's step is not trusted further out than so many times the place that it starts from: where curvature is nearly gone, it
/// leads beyond everything that was asked about. Twice that place is where bisection of an open bracket goes.
inline constexpr double kLargestGrowth = 4;

/// Slope relative to that at the start at which a search along a ray ends, for slopes that are sums of terms in Real: that of
/// Drake's SapSolver in double (anything from 1e-14 to 1e-3 did there), and what rounding of the terms leaves in float.
template <class Real>
inline constexpr double kRayTolerance = sizeof(Real) == sizeof(float) ? 1e-4 : 1e-8;

/// Where to ask after α: at Newton's step, or where that cannot be trusted, twice as far or in the bracket's middle.
SIM_HD double nextAlongRay(const Bracket& bracket, double alpha, const Slope& slope) {
  const double newton = alpha - slope.first / slope.second;
  if (bracket.holds(newton) && newton < kLargestGrowth * alpha) return newton;
  return bracket.isOpen() ? 2 * alpha : bracket.middle();
}

/// α > 0 where a convex function has its minimum along a ray that it falls along at first, however far that is.
/// @param at         α ↦ Slope, increasing in α; asked at 0, at 1, and on from there, always by the same call: a device has one copy
/// @param tolerance  of the slope, relative to that at 0
template <class SlopeAt>
[[nodiscard]] SIM_HD RayMinimum minimiseAlongRay(const SlopeAt& at, double tolerance) {
  Bracket bracket;
  double alpha = 0, enough = 0;
  SIM_ROLLED
  for (int k = 0; k <= kMaxRaySteps; ++k) {
    const Slope slope = at(alpha);
    if (k == 0) {
      enough = tolerance * lanes::abs(slope.first);
      alpha = 1;
      continue;
    }
    if (!(lanes::abs(slope.first) > enough)) return {alpha, lanes::abs(slope.first) <= enough};
    bracket.cut(alpha, slope.first);
    alpha = nextAlongRay(bracket, alpha, slope);
    if (bracket.high - bracket.low <= kClosed * bracket.high) return {alpha, true};
  }
  return {alpha, false};
}

/// Where a search in a bracket ended.
struct Root {
  double x =
      0;  ///< where f was asked for last; not found: where Newton goes from there, be it out of the bracket
  double value = 0;    ///< f where it was asked for last
  Bracket bracket;     ///< that it had come to
  bool found = false;  ///< f is small there, or changes its sign between numbers that are next to each other
};

/// How exact a root shall be.
struct RootLimits {
  double tolerance = 0;  ///< of |f|
  double width = 0;      ///< of a bracket that needs no narrowing
  int maxSteps = 0;
};

/// x in a bracket where f(x) = 0. A place where f is no number counts as one beyond the zero: the search draws back from it.
/// @param at     x ↦ f and f′, f increasing   @param start  where to ask first, if it is inside
template <class SlopeAt>
[[nodiscard]] Root findRoot(const SlopeAt& at, Bracket bracket, double start, const RootLimits& limits) {
  double x = start, value = 0;
  for (int step = 0; step < limits.maxSteps; ++step) {
    if (!bracket.holds(x)) x = bracket.middle();
    const Slope slope = at(x);
    value = slope.first;
    if (bracket.high - bracket.low <= limits.width || lanes::abs(value) <= limits.tolerance)
      return {x, value, bracket, std::isfinite(value)};
    bracket.cut(x, value);
    x -= value / slope.second;
  }
  return {x, value, bracket, false};
}

}  // namespace SIM_ISA
}  // namespace slipstick::numerics
