// What every constitutive model works with. A model is a struct of four static functions, generic over the
// lane type:
//   energy(F, m)     Ψ(F_E) per initial volume [J/m³]
//   stress(F, m)     Kirchhoff stress τ = P Fᵀ [Pa]
//   returnMap(F, m)  trial F_E → F_E on or inside the yield surface
//   update(F, m)     returnMap and the stress after it, sharing one decomposition
#pragma once

#include "engine/model/material.h"
#include "engine/mpm/lane.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

template <class T>
struct MaterialConstants {
  T mu;           ///< Lamé [Pa]
  T lambda;       ///< Lamé [Pa]
  T strainLimit;  ///< largest Frobenius norm of the strain deviator; infinite without plasticity [-]
};

template <class T>
struct Mapped {
  M3<T> F;   ///< F_E
  T strain;  ///< norm of the plastic strain of this return [-]
};

template <class T>
struct Updated {
  M3<T> F;
  M3<T> tau;
  T strain;
};

}  // namespace SIM_ISA

/// The constants in double precision; the lane types are filled from them.
struct MaterialNumbers {
  double mu, lambda, strainLimit;
};
MaterialNumbers materialNumbers(const MaterialParameters& parameters);

}  // namespace slipstick::mpm
