// A weakly compressible viscous liquid.
#pragma once

#include "engine/mpm/materials/constants.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// Tait's pressure p = B (J^{−γ} − 1); τ = J (−p I + 2η (sym C)'); Ψ = B [(J^{1−γ} − 1)/(γ − 1) + J − 1].
/// Only J is remembered: F = J^{1/3} I. law = (B, γ, η, J_max), J ≤ J_max.
/// Below kSmallestJ the density is held: a particle pressed through itself is pushed apart by a finite
/// pressure.
struct Liquid {
  static constexpr float kSmallestJ = 0.05f;

  template <class T>
  SIM_HD static T ratio(const M3<T>& F) {
    return max(determinant(F), T(kSmallestJ));
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
  template <class T>
  SIM_HD static M3<T> remembered(const T& J) {
    return addToDiagonal(M3<T>::zero(), exp(log(J) * T(1.0 / 3)));
  }
  template <class T>
  SIM_HD static Mapped<T> returnMap(const M3<T>& F, const Internal<T>& q, const MaterialConstants<T>& m) {
    return {remembered(min(ratio(F), m.law[3])), T(0), q};
  }
  template <class T>
  SIM_HD static Updated<T> update(const M3<T>& F, const Internal<T>& q, const M3<T>& C,
                                  const MaterialConstants<T>& m) {
    const T J = min(ratio(F), m.law[3]);
    return {remembered(J), stressAt(J, C, m), T(0), q};
  }
};

}  // namespace SIM_ISA
}  // namespace slipstick::mpm
