// The largest eigenvalue of a symmetric 3×3 matrix without its eigenvectors: enough for a bound.
#pragma once

#include "engine/lanes/lane.h"

namespace slipstick::lanes {
inline namespace SIM_ISA {

/// Never below the largest eigenvalue but for rounding, and above it by less than 2⁻⁹ of the spread of all
/// three (only when the two largest are equal; else far closer). Of S = m I + p B, B without trace and
/// tr B² = 6, the eigenvalues of B are the roots of x³ − 3x − det B, and Newton's iteration from x = 2 comes
/// down on the largest, which is in [1, 2].
template <class T>
SIM_HD T largestEigenvalue(const M3<T>& S) {
  const T mean = trace(S) * T(1.0 / 3);
  const M3<T> spread = addToDiagonal(S, -mean);
  const T squared = squaredNorm(spread) * T(1.0 / 6);
  const Mask<T> apart = squared > T(0.0f);
  const T p = sqrt(select(apart, squared, T(1.0f)));
  const T det = determinant((T(1.0f) / p) * spread);
  T x(2.0f);
  for (int i = 0; i < 8; ++i)
    x = (T(2.0f) * x * x * x + min(max(det, T(-2.0f)), T(2.0f))) / (T(3.0f) * (x * x - T(1.0f)));
  return mean + select(apart, p * x, T(0.0f));
}

}  // namespace SIM_ISA
}  // namespace slipstick::lanes
