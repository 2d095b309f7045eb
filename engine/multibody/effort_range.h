// What a joint's actuator can exert in either direction.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::multibody {

/// Least and largest effort [N m] or [N]: ±40 of most motors, 0 to 40 of a cable, a valve or a thruster. A plain number is
/// as much in both directions; without a bound it is infinite.
struct EffortRange {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  constexpr EffortRange() = default;
  constexpr EffortRange(double both) : lower(-both), upper(both) {}  // NOLINT(google-explicit-constructor)
  constexpr EffortRange(double least, double largest) : lower(least), upper(largest) {}

  bool isBounded() const { return std::isfinite(lower) || std::isfinite(upper); }
  bool isAlikeBothWays() const { return lower == -upper; }
  /// Whether it is one: false where a bound is no number or lower is above upper.
  bool isValid() const { return lower <= upper; }
  double clamp(double effort) const { return std::clamp(effort, lower, upper); }
  /// This range as far as another one lets it be; the nearest effort of that where they do not meet.
  EffortRange within(const EffortRange& other) const { return {other.clamp(lower), other.clamp(upper)}; }
  /// The larger of both bounds' sizes.
  double largest() const { return std::max(std::abs(lower), std::abs(upper)); }
  bool operator==(const EffortRange&) const = default;
};

}  // namespace slipstick::multibody
