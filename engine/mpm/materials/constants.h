// What every constitutive model works with. A model is a struct of five static functions, generic over the
// lane type:
//   energy(F, q, m)     Ψ(F_E) per initial volume [J/m³]
//   stress(F, q, C, m)  Kirchhoff stress τ = P Fᵀ [Pa]; viscosity reads the affine velocity C
//   returnMap(F, q, m)  trial F_E → F_E on or inside the yield surface, and the internal variables after it
//   update(F, q, C, m)  returnMap and the stress after it, sharing one decomposition; C is the new one
//   stiffening(F, q, m) how many times the squared wave speed exceeds that of the material at rest, at least
//   1 [-]
// Laws of F alone leave q and C out, and instead of stiffening() give
//   waveModulus(F, m)   ρ₀c² of the fastest compression wave along a principal axis of F, per length in space:
//   max λᵢ² ∂²Ψ/∂λᵢ² [Pa]
// Memoryless gives them the full interface.
#pragma once

#include "engine/lanes/eigenvalue.h"
#include "engine/model/material.h"
#include "engine/mpm/lanes.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

template <class T>
struct MaterialConstants {
  T mu;           ///< Lamé [Pa]
  T lambda;       ///< Lamé [Pa]
  T strainLimit;  ///< largest Frobenius norm of the strain deviator; infinite without plasticity [-]
  T law[4];       ///< of the models that name them: sand, snow, liquid, cloth
};

/// Internal variables of a particle; what they are is the material's affair.
template <class T>
struct Internal {
  T a, b;
};

template <class T>
struct Mapped {
  M3<T> F;   ///< F_E
  T strain;  ///< norm of the plastic strain of this return [-]
  Internal<T> q{T(0), T(0)};
};

template <class T>
struct Updated {
  M3<T> F;
  M3<T> tau;
  T strain;
  Internal<T> q{T(0), T(0)};
};

/// Yielding by less than this strain is rounding. A particle at rest on the yield surface would otherwise be
/// returned to it in every substep, half an ulp each time and always in the same direction: it would creep.
template <class T>
inline constexpr float kYieldSlack = 1e-6f;
template <>
inline constexpr double kYieldSlack<double> = 1e-15;

/// The square of the largest principal stretch: the largest eigenvalue of F Fᵀ, or slightly more.
template <class T>
SIM_HD T largestSquaredStretch(const M3<T>& F) {
  return largestEigenvalue(F * transpose(F));
}

/// Material::stiffening of a law whose modulus at rest is λ + 2μ.
template <class T>
SIM_HD T stiffeningOf(const T& waveModulus, const MaterialConstants<T>& m) {
  return max(T(1.0f), waveModulus / (m.lambda + T(2.0f) * m.mu));
}

/// What a law without plasticity inherits: every F is within the yield surface.
template <class Law>
struct Elastic {
  template <class T>
  SIM_HD static Mapped<T> returnMap(const M3<T>& F, const MaterialConstants<T>&) {
    return {F, T(0)};
  }
  template <class T>
  SIM_HD static Updated<T> update(const M3<T>& F, const MaterialConstants<T>& m) {
    return {F, Law::stress(F, m), T(0)};
  }
};

/// A law of F alone behind the interface of all models.
template <class Law>
struct Memoryless {
  template <class T>
  SIM_HD static T stiffening(const M3<T>& F, const Internal<T>&, const MaterialConstants<T>& m) {
    return stiffeningOf(Law::waveModulus(F, m), m);
  }
  template <class T>
  SIM_HD static T energy(const M3<T>& F, const Internal<T>&, const MaterialConstants<T>& m) {
    return Law::energy(F, m);
  }
  template <class T>
  SIM_HD static M3<T> stress(const M3<T>& F, const Internal<T>&, const M3<T>&,
                             const MaterialConstants<T>& m) {
    return Law::stress(F, m);
  }
  template <class T>
  SIM_HD static Mapped<T> returnMap(const M3<T>& F, const Internal<T>&, const MaterialConstants<T>& m) {
    return Law::returnMap(F, m);
  }
  template <class T>
  SIM_HD static Updated<T> update(const M3<T>& F, const Internal<T>&, const M3<T>&,
                                  const MaterialConstants<T>& m) {
    return Law::update(F, m);
  }
};

}  // namespace SIM_ISA

/// The constants in double precision; the lane types are filled from them.
struct MaterialNumbers {
  double mu, lambda, strainLimit;
  double law[4];

  /// Scalar: what T is made from, double or float.
  template <class T, class Scalar>
  MaterialConstants<T> as() const {
    const auto to = [](double x) { return T(static_cast<Scalar>(x)); };
    return {to(mu), to(lambda), to(strainLimit), {to(law[0]), to(law[1]), to(law[2]), to(law[3])}};
  }
};
MaterialNumbers materialNumbers(const MaterialParameters& parameters);

}  // namespace slipstick::mpm
