// ln(1 + x) and exp(x) − 1 for small x, to rounding of the result: by way of 1 + x as many digits would be lost as x has
// leading zeros.
#pragma once

#include "engine/lanes/lane.h"

namespace slipstick::lanes {
inline namespace SIM_ISA {

/// Largest |x| for which the functions below are accurate.
inline constexpr float kSmallLog = 0.25f;

/// ln(1 + x) = 2 artanh(x/(2 + x)), in float: five terms.
template <class T>
SIM_HD T logOnePlus(const T& x) {
  const T s = x / (T(2) + x), s2 = s * s;
  return s * (T(2) + s2 * (T(2.0f / 3) + s2 * (T(2.0f / 5) + s2 * (T(2.0f / 7) + s2 * T(2.0f / 9)))));
}

/// exp(x) − 1, in float: seven terms.
template <class T>
SIM_HD T expMinusOne(const T& x) {
  const T high = T(1.0f / 24) + x * (T(1.0f / 120) + x * (T(1.0f / 720) + x * T(1.0f / 5040)));
  return x * (T(1) + x * (T(1.0f / 2) + x * (T(1.0f / 6) + x * high)));
}

}  // namespace SIM_ISA
}  // namespace slipstick::lanes
