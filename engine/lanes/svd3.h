// Singular value decomposition of a 3×3 matrix by one-sided Jacobi rotations (Hestenes 1958). Working on the
// columns of F instead of on FᵀF keeps small singular values accurate.
#pragma once

#include "engine/lanes/lane.h"

namespace slipstick::lanes {
inline namespace SIM_ISA {

/// F = U diag(σ) Vᵀ, U and V rotations, σ₀ ≥ σ₁ ≥ |σ₂|, sign(σ₂) = sign(det F).
template <class T>
struct Svd3 {
  M3<T> U;
  V3<T> sigma;
  M3<T> V;
};

/// Sweeps until the columns are orthogonal to rounding; convergence is quadratic at the end.
template <class T>
inline constexpr int kJacobiSweeps = 4;
template <>
inline constexpr int kJacobiSweeps<double> = 8;

namespace detail {

/// Below this a sum of squares (or of fourth powers) counts as zero.
template <class T>
inline constexpr float kTiny = 1e-30f;
template <>
inline constexpr double kTiny<double> = 1e-280;

/// Rotates columns a, b (and with them va, vb) so that a·b = 0.
template <class T>
SIM_HD void orthogonalize(V3<T>& a, V3<T>& b, V3<T>& va, V3<T>& vb) {
  const T difference = dot(b, b) - dot(a, a);
  const T twiceProduct = T(2) * dot(a, b);
  // tan of the smaller of the two angles that make a·b zero, with the sign of `difference`.
  const T adjacent = abs(difference) + sqrt(difference * difference + twiceProduct * twiceProduct);
  const Mask<T> idle = adjacent <= T(kTiny<T>);
  const T tangent = select(difference < T(0), -twiceProduct, twiceProduct) / select(idle, T(1), adjacent);
  const T t = select(idle, T(0), tangent);
  // Exactly 1 once t² is below rounding: finished columns stay as they are.
  const T c = T(1) / sqrt(T(1) + t * t);
  const T s = t * c;
  const V3<T> oldA = a, oldVa = va;
  a = c * oldA - s * b;
  b = s * oldA + c * b;
  va = c * oldVa - s * vb;
  vb = s * oldVa + c * vb;
}

/// Puts the longer column first; the sign flip keeps V a rotation.
template <class T>
SIM_HD void sortPair(V3<T>& a, V3<T>& b, V3<T>& va, V3<T>& vb) {
  const Mask<T> swap = dot(a, a) < dot(b, b);
  const V3<T> oldA = a, oldVa = va;
  a = select(swap, b, a);
  b = select(swap, -oldA, b);
  va = select(swap, vb, va);
  vb = select(swap, -oldVa, vb);
}

/// A unit vector orthogonal to the unit vector u: u × the axis that u leans on least.
template <class T>
SIM_HD V3<T> anyOrthogonal(const V3<T>& u) {
  const T ax = abs(u.x), ay = abs(u.y), az = abs(u.z);
  const Mask<T> useX = (ax <= ay) & (ax <= az);
  const Mask<T> useY = (ay <= az) & !useX;
  const T one(1), zero(0);
  const V3<T> axis =
      select(useX, V3<T>{one, zero, zero}, select(useY, V3<T>{zero, one, zero}, V3<T>{zero, zero, one}));
  const V3<T> side = cross(u, axis);
  return (T(1) / sqrt(dot(side, side))) * side;
}

/// v/|v|, or the fallback where v is (nearly) zero.
template <class T>
SIM_HD V3<T> normalizedOr(const V3<T>& v, const V3<T>& fallback) {
  const T squared = dot(v, v);
  const Mask<T> zero = squared <= T(kTiny<T>);
  return select(zero, fallback, (T(1) / sqrt(select(zero, T(1), squared))) * v);
}

}  // namespace detail

template <class T>
SIM_HD_CALL Svd3<T> svd3(const M3<T>& F) {
  using namespace detail;
  const T one(1), zero(0);
  V3<T> b0 = F.col(0), b1 = F.col(1), b2 = F.col(2);
  V3<T> v0{one, zero, zero}, v1{zero, one, zero}, v2{zero, zero, one};
  SIM_ROLLED for (int sweep = 0; sweep < kJacobiSweeps<T>; ++sweep) {
    orthogonalize(b0, b1, v0, v1);
    orthogonalize(b0, b2, v0, v2);
    orthogonalize(b1, b2, v1, v2);
  }
  sortPair(b0, b1, v0, v1);
  sortPair(b0, b2, v0, v2);
  sortPair(b1, b2, v1, v2);
  // The columns are U diag(σ). Orthogonalising once more covers rank-deficient F, and σ₂ gets its sign for
  // free.
  const V3<T> u0 = normalizedOr(b0, V3<T>{one, zero, zero});
  const V3<T> u1 = normalizedOr(b1 - dot(u0, b1) * u0, anyOrthogonal(u0));
  const V3<T> u2 = cross(u0, u1);
  return {fromColumns(u0, u1, u2), {dot(u0, b0), dot(u1, b1), dot(u2, b2)}, fromColumns(v0, v1, v2)};
}

/// U diag(σ) Vᵀ
template <class T>
SIM_HD M3<T> compose(const M3<T>& U, const V3<T>& sigma, const M3<T>& V) {
  M3<T> scaled = U;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) scaled(i, j) = U(i, j) * sigma[j];
  return scaled * transpose(V);
}

}  // namespace SIM_ISA
}  // namespace slipstick::lanes
