// A weakly compressible viscous liquid.
#pragma once

#include "engine/mpm/materials/constants.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// Tait's pressure p = B (J^{−γ} − 1); τ = J (−p I + 2η (sym C)'); Ψ = B [(J^{1−γ} − 1)/(γ − 1) + J − 1].
/// Only J is remembered: F = J^{1/3} I. law = (B, γ, η, J_max^{1/3}), J ≤ J_max.
/// Below kSmallestStretch³ the density is held: a particle pressed through itself is pushed apart by a finite
/// pressure.
struct Liquid {
  static constexpr float kSmallestStretch = 0.1f;

  template <class T>
  SIM_HD static T ratio(const M3<T>& F) {
    return max(determinant(F), T(kSmallestStretch * kSmallestStretch * kSmallestStretch));
  }
  /// J^{−γ}
  template <class T>
  SIM_HD static T power(const T& J, const MaterialConstants<T>& m) {
    return exp(-m.law[1] * log(J));
  }
  template <class T>
  SIM_HD static M3<T> stressAt(const T& J, const M3<T>& C, const MaterialConstants<T>& m) {
    const T pressure = m.law[0] * (power(J, m) - T(1));
    return addToDiagonal((T(2) * J * m.law[2]) * deviator(symmetricPart(C)), -J * pressure);
  }

  /// c² = K J^{1−γ}/ρ₀
  template <class T>
  SIM_HD static T stiffening(const M3<T>& F, const Internal<T>&, const MaterialConstants<T>& m) {
    return max(T(1.0f), exp((T(1) - m.law[1]) * log(ratio(F))));
  }
  template <class T>
  SIM_HD static T energy(const M3<T>& F, const Internal<T>&, const MaterialConstants<T>& m) {
    const T J = ratio(F);
    return m.law[0] * ((J * power(J, m) - T(1)) / (m.law[1] - T(1)) + J - T(1));
  }
  template <class T>
  SIM_HD static M3<T> stress(const M3<T>& F, const Internal<T>&, const M3<T>& C,
                             const MaterialConstants<T>& m) {
    return stressAt(ratio(F), C, m);
  }
  /// J^{1/3} of a trial gradient, within its bounds. A gradient close to s I keeps the mean of its diagonal
  /// up to the cube root of a factor near one, which is exactly one at rest: taking the root of the
  /// determinant instead would let J drift by some ulps per substep, always in the same direction.
  template <class T>
  SIM_HD static T stretch(const M3<T>& F, const MaterialConstants<T>& m) {
    const T mean = F(0, 0) + ((F(1, 1) - F(0, 0)) + (F(2, 2) - F(0, 0))) * T(1.0 / 3);
    const M3<T> E = addToDiagonal((T(1) / mean) * F, T(-1));  // without trace
    // det(I + E) − 1
    const T e = determinant(E) - T(0.5f) * (E(0, 0) * E(0, 0) + E(1, 1) * E(1, 1) + E(2, 2) * E(2, 2)) -
                (E(0, 1) * E(1, 0) + E(0, 2) * E(2, 0) + E(1, 2) * E(2, 1));
    const Mask<T> close = (mean > T(0)) & (abs(e) < T(0.25f));
    const T root = exp(log(select(close, T(1) + e, ratio(F))) * T(1.0 / 3));
    return min(max(select(close, mean * root, root), T(kSmallestStretch)), m.law[3]);
  }
  template <class T>
  SIM_HD static Mapped<T> returnMap(const M3<T>& F, const Internal<T>& q, const MaterialConstants<T>& m) {
    return {addToDiagonal(M3<T>::zero(), stretch(F, m)), T(0), q};
  }
  template <class T>
  SIM_HD static Updated<T> update(const M3<T>& F, const Internal<T>& q, const M3<T>& C,
                                  const MaterialConstants<T>& m) {
    const M3<T> kept = addToDiagonal(M3<T>::zero(), stretch(F, m));
    return {kept, stressAt(ratio(kept), C, m), T(0), q};
  }
};

}  // namespace SIM_ISA
}  // namespace slipstick::mpm
