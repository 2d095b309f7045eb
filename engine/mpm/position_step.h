// How a position in fixed point moves; see PositionFormat.
#pragma once

#include "engine/mpm/lanes.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// The steps of a PositionFormat, in the numbers of one lane.
template <class T>
struct PositionSteps {
  T coarse;                  ///< step of the high parts [m]
  T roundCoarse, roundFine;  ///< adding and subtracting them rounds to steps: 3·2²² of them
};

/// high + low in fixed point, and what is lost of it.
template <class T>
struct FixedPoint {
  T high, low;
};

/// The coordinate after it has moved by `way`.
template <class T>
SIM_HD FixedPoint<T> movedBy(const T& high, const T& low, const T& way, const PositionSteps<T>& steps) {
  const T sum = low + way;
  const T carry = (sum + steps.roundCoarse) - steps.roundCoarse;
  const T rest = ((sum - carry) + steps.roundFine) - steps.roundFine;
  // A half goes up, as PositionFormat::split has it: then equal positions have equal parts.
  const T half = select(rest >= T(0.5f) * steps.coarse, steps.coarse, T(0.0f));
  return {high + (carry + half), rest - half};
}

}  // namespace SIM_ISA
}  // namespace slipstick::mpm
