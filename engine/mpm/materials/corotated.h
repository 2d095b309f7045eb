// Corotated elasticity: fixed (Stomakhin et al. 2012) and linear, the latter with the von Mises return map of
// Zong 2024.
#pragma once

#include "engine/lanes/polar.h"
#include "engine/mpm/materials/constants.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// Ψ = μ‖F − R‖² + λ/2 (J − 1)²,  τ = 2μ (F − R) Fᵀ + λ (J − 1) J I
struct FixedCorotated : Elastic<FixedCorotated> {
  template <class T>
  SIM_HD static T energy(const M3<T>& F, const MaterialConstants<T>& m) {
    const T volume = determinant(F) - T(1);
    return m.mu * squaredNorm(F - polarRotation(F)) + T(0.5f) * m.lambda * volume * volume;
  }
  template <class T>
  SIM_HD static M3<T> stress(const M3<T>& F, const MaterialConstants<T>& m) {
    const T J = determinant(F);
    return addToDiagonal(T(2) * m.mu * ((F - polarRotation(F)) * transpose(F)), m.lambda * (J - T(1)) * J);
  }
  /// 2μ λᵢ² + λ J²
  template <class T>
  SIM_HD static T waveModulus(const M3<T>& F, const MaterialConstants<T>& m) {
    const T J = determinant(F);
    return T(2) * m.mu * largestSquaredStretch(F) + m.lambda * J * J;
  }
};

/// Ψ = μ‖Ê‖² + λ/2 tr²Ê, Ê = sym(R₀ᵀF) − I (Zong Eq. 19);  τ = R₀ (2μÊ + λ tr Ê I) Fᵀ (Eq. 21).
/// Zong lags R₀ by a step; without that argument R₀ = polar(F), which is what a substep uses, and τ is
/// symmetric.
struct LinearCorotated : Elastic<LinearCorotated> {
  template <class T>
  SIM_HD static T energy(const M3<T>& F, const MaterialConstants<T>& m, const M3<T>& R0) {
    const M3<T> E = strain(F, R0);
    return m.mu * squaredNorm(E) + T(0.5f) * m.lambda * trace(E) * trace(E);
  }
  template <class T>
  SIM_HD static T energy(const M3<T>& F, const MaterialConstants<T>& m) {
    return energy(F, m, polarRotation(F));
  }
  template <class T>
  SIM_HD static M3<T> stress(const M3<T>& F, const MaterialConstants<T>& m, const M3<T>& R0) {
    const M3<T> E = strain(F, R0);
    return R0 * addToDiagonal(T(2) * m.mu * E, m.lambda * trace(E)) * transpose(F);
  }
  template <class T>
  SIM_HD static M3<T> stress(const M3<T>& F, const MaterialConstants<T>& m) {
    return stress(F, m, polarRotation(F));
  }

  /// (2μ + λ) λᵢ²
  template <class T>
  SIM_HD static T waveModulus(const M3<T>& F, const MaterialConstants<T>& m) {
    return (T(2) * m.mu + m.lambda) * largestSquaredStretch(F);
  }

  /// Ê
  template <class T>
  SIM_HD static M3<T> strain(const M3<T>& F, const M3<T>& R0) {
    return addToDiagonal(symmetricPart(transpose(R0) * F), T(-1));
  }
};

/// Symmetric V with sym(Q V) = S (Zong Eq. 26), Q a rotation near the identity, by elimination on the six
/// unknowns; no pivoting is needed because the matrix is close to the identity.
template <class T>
SIM_HD M3<T> solveSymmetricPart(const M3<T>& Q, const M3<T>& S) {
  constexpr int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  T a[6][7];
  for (int e = 0; e < 6; ++e) {
    const int i = row[e], j = column[e];
    for (int u = 0; u < 6; ++u) {
      // d sym(QV)_ij / dV_kl for the symmetric pair (k, l)
      const int k = row[u], l = column[u];
      T sum(0);
      if (l == j) sum += T(0.5f) * Q(i, k);
      if (k == j && k != l) sum += T(0.5f) * Q(i, l);
      if (l == i) sum += T(0.5f) * Q(j, k);
      if (k == i && k != l) sum += T(0.5f) * Q(j, l);
      a[e][u] = sum;
    }
    a[e][6] = S(i, j);
  }
  for (int pivot = 0; pivot < 6; ++pivot)
    for (int e = 0; e < 6; ++e) {
      if (e == pivot) continue;
      const T factor = a[e][pivot] / a[pivot][pivot];
      for (int u = pivot; u < 7; ++u) a[e][u] -= factor * a[pivot][u];
    }
  M3<T> V;
  for (int e = 0; e < 6; ++e) V(row[e], column[e]) = V(column[e], row[e]) = a[e][6] / a[e][e];
  return V;
}

/// Linear corotated with ‖S'‖ ≤ η/2μ, S = Ê + I: Zong 2024, Algorithm 1 and Eq. 23–26.
struct LinearCorotatedVonMises : LinearCorotated {
  /// S̃ − S, which is 0 inside the surface; outside, S̃ = ⅓ tr S I + (η/2μ) S'/‖S'‖.
  template <class T>
  struct Projected {
    M3<T> change;
    Mask<T> yields;
    T strain;  ///< ‖S̃ − S‖
  };
  template <class T>
  SIM_HD static Projected<T> project(const M3<T>& S, const MaterialConstants<T>& m) {
    const M3<T> shear = deviator(S);
    const T norm = sqrt(squaredNorm(shear));
    const Mask<T> yields = norm > m.strainLimit + T(kYieldSlack<T>);
    const T strain = select(yields, norm - m.strainLimit, T(0));
    return {(-strain / select(yields, norm, T(1))) * shear, yields, strain};
  }
  template <class T>
  SIM_HD static Mapped<T> returnMap(const M3<T>& F, const MaterialConstants<T>& m, const M3<T>& R0) {
    const M3<T> R = polarRotation(F);
    const M3<T> S = symmetricPart(transpose(R0) * F);
    const Projected<T> p = project(S, m);
    const M3<T> V = solveSymmetricPart(transpose(R0) * R, S + p.change);
    return {selectMatrix(p.yields, R * V, F), p.strain};
  }
  template <class T>
  SIM_HD static Mapped<T> returnMap(const M3<T>& F, const MaterialConstants<T>& m) {
    const M3<T> R = polarRotation(F);
    const Projected<T> p = project(symmetricPart(transpose(R) * F), m);
    return {F + R * p.change, p.strain};  // = R S̃; a small correction, so that F does not drift in float
  }
  template <class T>
  SIM_HD static Updated<T> update(const M3<T>& F, const MaterialConstants<T>& m) {
    M3<T> R = polarRotation(F);
    const Projected<T> p = project(symmetricPart(transpose(R) * F), m);
    const M3<T> mapped = F + R * p.change;
    // R stays the rotation of R S̃ unless S̃ has a negative eigenvalue, so it is computed anew only after a
    // return.
    if (any(p.yields)) R = polarRotation(mapped);
    return {mapped, stress(mapped, m, R), p.strain};
  }
};

}  // namespace SIM_ISA
}  // namespace slipstick::mpm
