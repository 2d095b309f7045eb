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

template <class T>
struct LeftSvd3 {
  M3<T> U;
  V3<T> sigma;
};

namespace detail {

template <class T>
struct SvdLimits {
  /// Sweeps until the columns are orthogonal to rounding; convergence is quadratic at the end.
  static constexpr int kSweeps = 4;
  /// Below this a sum of squares (or of fourth powers) counts as zero.
  static constexpr float kTiny = 1e-30f;
  /// cos² of the angle at which columns count as orthogonal: that of a few units in the last place.
  static constexpr float kOrthogonal = 4e-13f;
};
template <>
struct SvdLimits<double> {
  static constexpr int kSweeps = 8;
  static constexpr double kTiny = 1e-280, kOrthogonal = 1e-31;
};
#ifndef __CUDACC__
template <>
struct SvdLimits<DoublePack> : SvdLimits<double> {};
#endif

/// A rotation of two columns: (a, b) ↦ (c a − s b, s a + c b).
template <class T>
struct Givens {
  T c, s;

  SIM_HD void apply(V3<T>& a, V3<T>& b) const {
    const V3<T> old = a;
    a = c * old - s * b;
    b = s * old + c * b;
  }
};

/// The one that makes a·b = 0.
template <class T>
SIM_HD Givens<T> orthogonalizing(const V3<T>& a, const V3<T>& b) {
  const T difference = dot(b, b) - dot(a, a);
  const T twiceProduct = T(2) * dot(a, b);
  // tan of the smaller of the two angles that make a·b zero, with the sign of `difference`.
  const T adjacent = abs(difference) + sqrt(difference * difference + twiceProduct * twiceProduct);
  const Mask<T> idle = adjacent <= T(SvdLimits<T>::kTiny);
  const T tangent = select(difference < T(0), -twiceProduct, twiceProduct) / select(idle, T(1), adjacent);
  const T t = select(idle, T(0), tangent);
  // Exactly 1 once t² is below rounding: finished columns stay as they are.
  const T c = T(1) / sqrt(T(1) + t * t);
  return {c, t * c};
}

/// Rotates columns a, b (and with them va, vb) so that a·b = 0.
template <class T>
SIM_HD void orthogonalize(V3<T>& a, V3<T>& b, V3<T>& va, V3<T>& vb) {
  const Givens<T> rotation = orthogonalizing(a, b);
  rotation.apply(a, b);
  rotation.apply(va, vb);
}
template <class T>
SIM_HD void orthogonalize(V3<T>& a, V3<T>& b) {
  orthogonalizing(a, b).apply(a, b);
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
template <class T>
SIM_HD void sortPair(V3<T>& a, V3<T>& b) {
  const Mask<T> swap = dot(a, a) < dot(b, b);
  const V3<T> oldA = a;
  a = select(swap, b, a);
  b = select(swap, -oldA, b);
}

/// Whether two columns are orthogonal to rounding.
template <class T>
SIM_HD Mask<T> orthogonal(const V3<T>& a, const V3<T>& b) {
  const T product = dot(a, b);
  return product * product <= T(SvdLimits<T>::kOrthogonal) * (dot(a, a) * dot(b, b));
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
  const Mask<T> zero = squared <= T(SvdLimits<T>::kTiny);
  return select(zero, fallback, (T(1) / sqrt(select(zero, T(1), squared))) * v);
}

/// U and σ from the sorted columns of U diag(σ). Orthogonalising once more covers rank-deficient F, and σ₂ gets its
/// sign for free.
template <class T>
SIM_HD LeftSvd3<T> leftOf(const V3<T>& b0, const V3<T>& b1, const V3<T>& b2) {
  const V3<T> u0 = normalizedOr(b0, V3<T>{T(1), T(0), T(0)});
  const V3<T> u1 = normalizedOr(b1 - dot(u0, b1) * u0, anyOrthogonal(u0));
  const V3<T> u2 = cross(u0, u1);
  return {fromColumns(u0, u1, u2), {dot(u0, b0), dot(u1, b1), dot(u2, b2)}};
}

}  // namespace detail

template <class T>
SIM_HD_CALL Svd3<T> svd3(const M3<T>& F) {
  using namespace detail;
  const T one(1), zero(0);
  V3<T> b0 = F.col(0), b1 = F.col(1), b2 = F.col(2);
  V3<T> v0{one, zero, zero}, v1{zero, one, zero}, v2{zero, zero, one};
  SIM_ROLLED for (int sweep = 0; sweep < SvdLimits<T>::kSweeps; ++sweep) {
    // In double, three or four are enough for nearly all.
    if (sweep >= 3 && 4 < SvdLimits<T>::kSweeps &&
        !any(!(orthogonal(b0, b1) & orthogonal(b0, b2) & orthogonal(b1, b2))))
      break;
    orthogonalize(b0, b1, v0, v1);
    orthogonalize(b0, b2, v0, v2);
    orthogonalize(b1, b2, v1, v2);
  }
  sortPair(b0, b1, v0, v1);
  sortPair(b0, b2, v0, v2);
  sortPair(b1, b2, v1, v2);
  const LeftSvd3<T> left = detail::leftOf(b0, b1, b2);
  return {left.U, left.sigma, fromColumns(v0, v1, v2)};
}

/// U and σ of svd3(), without V: two thirds of the work, and less where three sweeps do.
template <class T>
SIM_HD_CALL LeftSvd3<T> leftSvd3(const M3<T>& F) {
  using namespace detail;
  V3<T> b0 = F.col(0), b1 = F.col(1), b2 = F.col(2);
  SIM_ROLLED for (int sweep = 0; sweep < SvdLimits<T>::kSweeps; ++sweep) {
    if (sweep == SvdLimits<T>::kSweeps - 1 &&
        !any(!(orthogonal(b0, b1) & orthogonal(b0, b2) & orthogonal(b1, b2))))
      break;
    orthogonalize(b0, b1);
    orthogonalize(b0, b2);
    orthogonalize(b1, b2);
  }
  sortPair(b0, b1);
  sortPair(b0, b2);
  sortPair(b1, b2);
  return leftOf(b0, b1, b2);
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
