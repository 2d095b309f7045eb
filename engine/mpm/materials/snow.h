// Snow: fixed-corotated elasticity that hardens as it is compacted (Stomakhin et al. 2013).
#pragma once

#include "engine/lanes/svd3.h"
#include "engine/mpm/materials/constants.h"
#include "engine/mpm/materials/corotated.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// Ψ = e^{ξ(1−J_p)} Ψ_fixed corotated; the principal stretches stay in [1 − θ_c, 1 + θ_s].
/// Internal variable: a = J_p, the plastic volume ratio, 1 at the start. law = (θ_c, θ_s, ξ).
struct Snow {
  template <class T>
  SIM_HD static MaterialConstants<T> hardened(const Internal<T>& q, const MaterialConstants<T>& m) {
    const T factor = exp(m.law[2] * (T(1) - q.a));
    MaterialConstants<T> hard = m;
    hard.mu = factor * m.mu;
    hard.lambda = factor * m.lambda;
    return hard;
  }
  template <class T>
  SIM_HD static T stiffening(const M3<T>& F, const Internal<T>& q, const MaterialConstants<T>& m) {
    return stiffeningOf(FixedCorotated::waveModulus(F, hardened(q, m)), m);
  }
  template <class T>
  SIM_HD static T energy(const M3<T>& F, const Internal<T>& q, const MaterialConstants<T>& m) {
    return FixedCorotated::energy(F, hardened(q, m));
  }
  template <class T>
  SIM_HD static M3<T> stress(const M3<T>& F, const Internal<T>& q, const M3<T>&,
                             const MaterialConstants<T>& m) {
    return FixedCorotated::stress(F, hardened(q, m));
  }
  template <class T>
  SIM_HD static Mapped<T> returnMap(const M3<T>& F, const Internal<T>& q, const MaterialConstants<T>& m) {
    const Svd3<T> d = svd3(F);
    const V3<T>& s = d.sigma;
    const V3<T> kept{keptStretch(s.x, m), keptStretch(s.y, m), keptStretch(s.z, m)};
    const V3<T> change = kept - s;
    // Where nothing yields, zero is added and J_p multiplied by exactly one: neither drifts in float.
    return {F + compose(d.U, change, d.V),
            sqrt(dot(change, change)),
            {q.a * ((s.x / kept.x) * (s.y / kept.y) * (s.z / kept.z)), q.b}};
  }
  /// A stretch after the return.
  template <class T>
  SIM_HD static T keptStretch(const T& s, const MaterialConstants<T>& m) {
    const T low = T(1) - m.law[0], high = T(1) + m.law[1], slack(kYieldSlack<T>);
    return select(s < low - slack, low, select(s > high + slack, high, s));
  }
  template <class T>
  SIM_HD static Updated<T> update(const M3<T>& F, const Internal<T>& q, const M3<T>& C,
                                  const MaterialConstants<T>& m) {
    const Mapped<T> r = returnMap(F, q, m);
    return {r.F, stress(r.F, r.q, C, m), r.strain, r.q};
  }
};

}  // namespace SIM_ISA
}  // namespace slipstick::mpm
