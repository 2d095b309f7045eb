// Cloth: one triangle (Jiang et al. 2017) and, for bending, one hinge between two triangles. Its stress
// belongs to the mesh, so it is no model of dispatch.h; of the constants it uses law[0] = K, law[1] = γ and
// law[2] = c_F K/γ (0 without shear stiffness).
#pragma once

#include "engine/lanes/hinge.h"
#include "engine/mpm/materials/constants.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// F = Q R of a triangle by Gram–Schmidt: columns 1 and 2 of F are [x₁ − x₀, x₂ − x₀] D_m^{-1}, column 3 is
/// the director d, which stands for the layers above and below. Q is proper; r₁₁, r₂₂ > 0.
template <class T>
struct ClothFactors {
  V3<T> q1, q2, q3;
  T r11, r12, r22, r13, r23, r33;

  SIM_HD V3<T> director() const { return r13 * q1 + r23 * q2 + r33 * q3; }
};

/// ∂Ψ/∂F by its columns [Pa].
template <class T>
struct ClothStress {
  V3<T> p1, p2, p3;
};

/// Below this length a column of F has no direction; a triangle never gets there unless it is crushed.
inline constexpr float kSmallestClothStretch = 1e-4f;

template <class T>
SIM_HD ClothFactors<T> clothFactors(const V3<T>& f1, const V3<T>& f2, const V3<T>& d) {
  const T least(kSmallestClothStretch);
  ClothFactors<T> f;
  f.r11 = max(sqrt(dot(f1, f1)), least);
  f.q1 = (T(1) / f.r11) * f1;
  f.r12 = dot(f.q1, f2);
  const V3<T> across = f2 - f.r12 * f.q1;
  f.r22 = max(sqrt(dot(across, across)), least);
  f.q2 = (T(1) / f.r22) * across;
  f.q3 = cross(f.q1, f.q2);
  f.r13 = dot(f.q1, d);
  f.r23 = dot(f.q2, d);
  f.r33 = dot(f.q3, d);
  return f;
}

/// R̂ − polar(R̂) of the upper 2×2 block of R.
template <class T>
struct PlaneStrain {
  T a11, a12, a21, a22;
};
template <class T>
SIM_HD PlaneStrain<T> planeStrain(const ClothFactors<T>& f) {
  // The rotation of [[a, b], [0, d]] has cos ∝ a + d, sin ∝ −b; a + d > 0.
  const T sum = f.r11 + f.r22, inverse = T(1) / sqrt(sum * sum + f.r12 * f.r12);
  const T c = inverse * sum, s = -inverse * f.r12;
  return {f.r11 - c, f.r12 + s, -s, f.r22 - c};
}

/// Ψ = μ‖R̂ − polar R̂‖² + λ/2 (det R̂ − 1)² + γ/2 (r₁₃² + r₂₃²) + K/3 (1 − r₃₃)₊³ per initial volume [J/m³]
template <class T>
SIM_HD T clothEnergy(const ClothFactors<T>& f, const MaterialConstants<T>& m) {
  const PlaneStrain<T> e = planeStrain(f);
  const T area = f.r11 * f.r22 - T(1), squeeze = max(T(1) - f.r33, T(0));
  return m.mu * (e.a11 * e.a11 + e.a12 * e.a12 + e.a21 * e.a21 + e.a22 * e.a22) +
         T(0.5f) * m.lambda * area * area + T(0.5f) * m.law[1] * (f.r13 * f.r13 + f.r23 * f.r23) +
         m.law[0] * T(1.0 / 3) * squeeze * squeeze * squeeze;
}

/// ρ₀c² of the fastest compression wave, per length in space: within the sheet 2μ s² + λ det² R̂, s the larger
/// principal stretch of R̂; across it r₃₃² ∂²Ψ/∂r₃₃² [Pa]
template <class T>
SIM_HD T clothWaveModulus(const ClothFactors<T>& f, const MaterialConstants<T>& m) {
  const T sum = f.r11 + f.r22, difference = f.r11 - f.r22, shear = f.r12 * f.r12;
  const T stretch = T(0.5f) * (sqrt(sum * sum + shear) + sqrt(difference * difference + shear));
  const T area = f.r11 * f.r22, squeeze = max(T(1) - f.r33, T(0));
  return max(T(2) * m.mu * stretch * stretch + m.lambda * area * area,
             T(2) * m.law[0] * squeeze * f.r33 * f.r33);
}

/// As Material::stiffening; at rest max(λ + 2μ, 2K).
template <class T>
SIM_HD T clothStiffening(const ClothFactors<T>& f, const MaterialConstants<T>& m) {
  return max(T(1.0f), clothWaveModulus(f, m) / max(m.lambda + T(2) * m.mu, T(2) * m.law[0]));
}

/// P = Q S R⁻ᵀ, S symmetric with the upper triangle of (∂Ψ/∂R) Rᵀ (Jiang 2017, supplement). Written out, no
/// division by r₃₃ is left.
template <class T>
SIM_HD ClothStress<T> clothStress(const ClothFactors<T>& f, const MaterialConstants<T>& m) {
  const PlaneStrain<T> e = planeStrain(f);
  const T twoMu = T(2) * m.mu, pressure = m.lambda * (f.r11 * f.r22 - T(1));
  const T g11 = twoMu * e.a11 + pressure * f.r22, g12 = twoMu * e.a12, g22 = twoMu * e.a22 + pressure * f.r11;
  const T g13 = m.law[1] * f.r13, g23 = m.law[1] * f.r23;
  const T squeeze = max(T(1) - f.r33, T(0)), g33 = -m.law[0] * squeeze * squeeze;
  // The lower triangle of QᵀP follows from the symmetry of QᵀP Rᵀ.
  const T g32 = (g23 * f.r33 - g33 * f.r23) / f.r22;
  const T g21 = (g12 * f.r22 + g13 * f.r23 - g22 * f.r12 - g23 * f.r13) / f.r11;
  const T g31 = (g13 * f.r33 - g32 * f.r12 - g33 * f.r13) / f.r11;
  return {g11 * f.q1 + g21 * f.q2 + g31 * f.q3, g12 * f.q1 + g22 * f.q2 + g32 * f.q3,
          g13 * f.q1 + g23 * f.q2 + g33 * f.q3};
}

/// Return map on the director: layers that press on each other stick up to (γ/K)|(r₁₃, r₂₃)| ≤ c_F (1 −
/// r₃₃)², layers that part slide freely and pull nothing (r₃₃ ≤ 1).
template <class T>
SIM_HD ClothFactors<T> returnedDirector(ClothFactors<T> f, const MaterialConstants<T>& m) {
  const T shear = sqrt(f.r13 * f.r13 + f.r23 * f.r23), squeeze = T(1) - f.r33;
  const Mask<T> pressed = (f.r33 > T(0)) & (squeeze >= T(0));
  const T limit = select(pressed, m.law[2] * squeeze * squeeze, T(0));
  const T scale = select(shear > limit, limit / select(shear > T(0), shear, T(1)), T(1));
  f.r13 = scale * f.r13;
  f.r23 = scale * f.r23;
  f.r33 = max(min(f.r33, T(1)), T(-1));
  return f;
}

/// Forces on corners 1 and 2 of a triangle; corner 0 gets minus their sum [N].
template <class T>
struct CornerForces {
  V3<T> corner1, corner2;
};
/// −V P [:, :2] D_m^{-T}. @param inverse  D_m^{-1}: (1,1), (1,2), (2,2) [1/m]. @param volume  of the whole
/// triangle [m³]
template <class T>
SIM_HD CornerForces<T> cornerForces(const ClothStress<T>& P, const T (&inverse)[3], const T& volume) {
  return {-volume * (inverse[0] * P.p1 + inverse[1] * P.p2), -volume * (inverse[2] * P.p2)};
}

}  // namespace SIM_ISA
}  // namespace slipstick::mpm
