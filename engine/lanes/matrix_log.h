// Logarithm and exponential of symmetric 3×3 matrices without eigenvectors, where series serve: near a multiple of the
// identity. A third of the time of an SVD.
#pragma once

#include "engine/lanes/lane.h"

namespace slipstick::lanes {
inline namespace SIM_ISA {

template <class T>
struct Symmetric3 {
  T xx, yy, zz, xy, xz, yz;

  friend SIM_HD Symmetric3 operator+(const Symmetric3& a, const Symmetric3& b) {
    return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
  }
  friend SIM_HD Symmetric3 operator*(const T& s, const Symmetric3& a) {
    return {s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.xz, s * a.yz};
  }
};
template <class T>
SIM_HD T trace(const Symmetric3<T>& a) {
  return a.xx + a.yy + a.zz;
}
template <class T>
SIM_HD T squaredNorm(const Symmetric3<T>& a) {
  return a.xx * a.xx + a.yy * a.yy + a.zz * a.zz + T(2) * (a.xy * a.xy + a.xz * a.xz + a.yz * a.yz);
}
/// a + s I
template <class T>
SIM_HD Symmetric3<T> addToDiagonal(const Symmetric3<T>& a, const T& s) {
  return {a.xx + s, a.yy + s, a.zz + s, a.xy, a.xz, a.yz};
}
template <class T>
SIM_HD M3<T> fullMatrix(const Symmetric3<T>& a) {
  return {a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz};
}
/// a b, which is symmetric because they commute.
template <class T>
SIM_HD Symmetric3<T> commutingProduct(const Symmetric3<T>& a, const Symmetric3<T>& b) {
  return {a.xx * b.xx + a.xy * b.xy + a.xz * b.xz, a.xy * b.xy + a.yy * b.yy + a.yz * b.yz,
          a.xz * b.xz + a.yz * b.yz + a.zz * b.zz, a.xx * b.xy + a.xy * b.yy + a.xz * b.yz,
          a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, a.xy * b.xz + a.yy * b.yz + a.yz * b.zz};
}
/// det(a) a⁻¹
template <class T>
SIM_HD Symmetric3<T> adjugate(const Symmetric3<T>& a) {
  return {a.yy * a.zz - a.yz * a.yz, a.xx * a.zz - a.xz * a.xz, a.xx * a.yy - a.xy * a.xy,
          a.xz * a.yz - a.xy * a.zz, a.xy * a.yz - a.xz * a.yy, a.xy * a.xz - a.xx * a.yz};
}

/// Hencky's strain of F = V R.
template <class T>
struct LogStretch {
  Symmetric3<T> strain;  ///< ln V
  /// Whether the series served: F turns nothing inside out, and V's stretches are within a fifth of each other.
  /// Else the strain means nothing.
  Mask<T> valid;
};

/// In float, to a few units of rounding of 1. With b = F Fᵀ, its mean m and B = (b − m)(b + m)⁻¹,
/// ln b = ln m + 2 artanh B: B knows of the deviation alone, and of artanh's series five terms are enough for
/// ‖B‖ ≤ 1/4.
template <class T>
SIM_HD LogStretch<T> logStretch(const M3<T>& F) {
  const V3<T> x = F.row(0), y = F.row(1), z = F.row(2);
  const Symmetric3<T> b{dot(x, x), dot(y, y), dot(z, z), dot(x, y), dot(x, z), dot(y, z)};
  const T mean = trace(b) * T(1.0f / 3);
  const Symmetric3<T> sum = addToDiagonal(b, mean), adjugateSum = adjugate(sum);
  const T det = sum.xx * adjugateSum.xx + sum.xy * adjugateSum.xy + sum.xz * adjugateSum.xz;
  const Symmetric3<T> B = (T(1) / det) * commutingProduct(addToDiagonal(b, -mean), adjugateSum);

  const Symmetric3<T> B2 = commutingProduct(B, B), B4 = commutingProduct(B2, B2);
  const Symmetric3<T> low = addToDiagonal(T(1.0f / 3) * B2 + T(0.2f) * B4, T(1));
  const Symmetric3<T> high = commutingProduct(B4, T(1.0f / 7) * B2 + T(1.0f / 9) * B4);
  const Mask<T> valid = (squaredNorm(B) <= T(1.0f / 16)) & (determinant(F) > T(0));
  return {addToDiagonal(commutingProduct(B, low + high), T(0.5f) * log(mean)), valid};
}

/// Largest ‖D‖² for expMinusOne().
template <class T>
inline constexpr float kMaxSquaredExponent = 1.0f / 64;

/// exp(D) − 1, in float to rounding: five terms.
template <class T>
SIM_HD Symmetric3<T> expMinusOne(const Symmetric3<T>& D) {
  const Symmetric3<T> D2 = commutingProduct(D, D), D4 = commutingProduct(D2, D2);
  const Symmetric3<T> odd = addToDiagonal(T(1.0f / 6) * D2 + T(1.0f / 120) * D4, T(1));
  return commutingProduct(D, odd) + T(0.5f) * D2 + T(1.0f / 24) * D4;
}

}  // namespace SIM_ISA
}  // namespace slipstick::lanes
