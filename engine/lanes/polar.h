// Rotation of the polar decomposition F = R S.
#pragma once

#include "engine/lanes/lane.h"
#include "engine/lanes/svd3.h"

namespace slipstick::lanes {
inline namespace SIM_ISA {

/// Newton steps with and without scaling: enough for condition numbers up to 10⁵ (float) and 10⁸ (double).
template <class T>
inline constexpr int kScaledPolarSteps = 3;
template <>
inline constexpr int kScaledPolarSteps<double> = 6;
template <class T>
inline constexpr int kPlainPolarSteps = 4;
template <>
inline constexpr int kPlainPolarSteps<double> = 5;

/// det(F) F⁻ᵀ
template <class T>
SIM_HD M3<T> cofactor(const M3<T>& m) {
  const V3<T> r0 = m.row(0), r1 = m.row(1), r2 = m.row(2);
  const V3<T> c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
  return {c0.x, c0.y, c0.z, c1.x, c1.y, c1.z, c2.x, c2.y, c2.z};
}

/// R in SO(3), also for det F ≤ 0 (the smallest stretch then carries the sign). Newton's iteration
/// X ← ½ (ζ X + (ζ X)⁻ᵀ), first with Higham's Frobenius scaling ζ² = ‖X⁻¹‖/‖X‖ (Higham 1986), which brings
/// the stretches near one, then with ζ = 1. Inverted and nearly singular matrices, where it would end in a
/// reflection or lose digits, go through the SVD.
template <class T>
SIM_HD_CALL M3<T> polarRotation(const M3<T>& F) {
  const T size = squaredNorm(F) * T(1.0f / 3);
  const Mask<T> degenerate = !(determinant(F) > T(1e-5f) * size * sqrt(size));
  M3<T> X = F;
  SIM_ROLLED for (int step = 0; step < kScaledPolarSteps<T>; ++step) {
    const M3<T> cof = cofactor(X);
    const T inverseDet = T(1) / dot(X.row(0), cof.row(0));
    const T zeta2 = sqrt(squaredNorm(cof) / squaredNorm(X)) * abs(inverseDet);
    const T scale = T(0.5f) * sqrt(zeta2);
    X = scale * X + (scale * inverseDet / zeta2) * cof;
  }
  SIM_ROLLED for (int step = 0; step < kPlainPolarSteps<T>; ++step) {
    const M3<T> cof = cofactor(X);
    X = T(0.5f) * X + (T(0.5f) / dot(X.row(0), cof.row(0))) * cof;
  }
  if (any(degenerate)) {
    const Svd3<T> d = svd3(F);
    X = selectMatrix(degenerate, d.U * transpose(d.V), X);
  }
  return X;
}

}  // namespace SIM_ISA
}  // namespace slipstick::lanes
