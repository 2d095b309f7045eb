// What one particle gives to the grid and takes back: MLS/APIC with quadratic B-splines (Hu et al. 2018;
// Jiang et al. 2016). The loops over nodes belong to the backends.
#pragma once

#include "engine/mpm/lanes.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// The matrix A of a particle's contribution to node i: w_i [m v + A (x_i − x_p)], which carries its affine
/// momentum and the impulse of its stress: A = m C − δt V⁰ (4/h²) τ [kg/s].
/// @param tau  Kirchhoff stress of the state at the substep's start [Pa]
template <class T>
SIM_HD M3<T> affineMomentum(const T& mass, const M3<T>& C, const T& stressImpulseScale, const M3<T>& tau) {
  return mass * C - stressImpulseScale * tau;
}

/// δt V⁰ · 4/h² [s m]
template <class T>
SIM_HD T stressImpulseScale(const T& dt, const T& volume, const T& invH) {
  return T(4) * dt * volume * invH * invH;
}

/// F_E,trial = (I + δt L) F_E, L = 4/h² Σ w v_i (x_i − x_p)ᵀ [1/s] being the MLS velocity gradient.
template <class T>
SIM_HD M3<T> trialDeformation(const M3<T>& L, const T& dt, const M3<T>& F) {
  return F + dt * (L * F);
}

/// C = s sym(L) + skew(L): s = 1 is APIC, s = 0 keeps rotation only. Damping never touches F.
template <class T>
SIM_HD M3<T> affineVelocity(const M3<T>& L, const T& damping) {
  const M3<T> symmetric = symmetricPart(L);
  return damping * symmetric + (L - symmetric);
}

}  // namespace SIM_ISA
}  // namespace slipstick::mpm
