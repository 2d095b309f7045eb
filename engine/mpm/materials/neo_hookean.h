// Compressible neo-Hookean elasticity (Bonet & Wood 2008); needs no decomposition.
#pragma once

#include "engine/mpm/materials/constants.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// Ψ = μ/2 (tr FᵀF − 3) − μ ln J + λ/2 ln²J,  τ = μ (F Fᵀ − I) + λ ln J I.
/// The model ends at J = 0; below kSmallestJ the logarithm is held, so that an inverted particle is pushed
/// apart by a finite stress instead of ending the simulation.
struct NeoHookean : Elastic<NeoHookean> {
  static constexpr float kSmallestJ = 1e-6f;

  template <class T>
  SIM_HD static T logJ(const M3<T>& F) {
    return log(max(determinant(F), T(kSmallestJ)));
  }
  template <class T>
  SIM_HD static T energy(const M3<T>& F, const MaterialConstants<T>& m) {
    const T lnJ = logJ(F);
    return T(0.5f) * m.mu * (squaredNorm(F) - T(3)) - m.mu * lnJ + T(0.5f) * m.lambda * lnJ * lnJ;
  }
  template <class T>
  SIM_HD static M3<T> stress(const M3<T>& F, const MaterialConstants<T>& m) {
    return addToDiagonal(m.mu * (F * transpose(F)), m.lambda * logJ(F) - m.mu);
  }
  /// μ (λᵢ² + 1) + λ (1 − ln J)
  template <class T>
  SIM_HD static T waveModulus(const M3<T>& F, const MaterialConstants<T>& m) {
    return m.mu * (largestSquaredStretch(F) + T(1)) + m.lambda * (T(1) - logJ(F));
  }
};

}  // namespace SIM_ISA
}  // namespace slipstick::mpm
