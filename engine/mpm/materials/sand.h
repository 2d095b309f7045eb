// Dry sand: Hencky elasticity with the Drucker–Prager return map of Klár et al. 2016 and the volume
// correction of Tampubolon et al. 2017.
#pragma once

#include "engine/mpm/materials/constants.h"
#include "engine/mpm/materials/hencky.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// Internal variables: a = v_c, volume gained in expansion that has not been given back; b = q_h, accumulated
/// plastic flow. law = (h₀, h₁, h₂, h₃): friction angle φ = h₀ + (h₁ q_h − h₃) e^{−h₂ q_h} in degrees.
struct DruckerPrager {
  /// Slope of the cone ‖ε'‖ = −α tr ε (3λ + 2μ)/2μ: α = √⅔ · 2 sin φ / (3 − sin φ).
  template <class T>
  SIM_HD static T coneSlope(const T& flow, const MaterialConstants<T>& m) {
    const T degrees = m.law[0] + (m.law[1] * flow - m.law[3]) * exp(-m.law[2] * flow);
    const T sine = sin(degrees * T(0.017453292519943295));
    return T(1.632993161855452) * sine / (T(3) - sine);  // 2 √⅔
  }

  /// What a stretch gains when its logarithm does. In float a small gain keeps all its digits: whatever sand that flows
  /// steadily loses of it, it loses alike in every substep.
  template <class T>
  SIM_HD static T growth(const T& stretch, const T& gain) {
    const T whole = max(stretch, T(Hencky::kSmallestStretch)) * exp(gain) - stretch;
    if constexpr (kBySeries<T>) {
      return select(abs(gain) <= T(lanes::kSmallLog), stretch * lanes::expMinusOne(gain), whole);
    } else {
      return whole;
    }
  }

  template <class T>
  struct Returned {
    Svd3<T> svd;
    V3<T> strain;  ///< ln Σ after the return
    M3<T> F;
    T flow;  ///< δq
    Internal<T> q;
  };
  template <class T>
  SIM_HD static Returned<T> returned(const M3<T>& F, const Internal<T>& q, const MaterialConstants<T>& m) {
    Returned<T> r{svd3(F), {}, F, T(0), q};
    const V3<T> trial = Hencky::logStrain(r.svd.sigma, F, r.svd.V, false);
    const T shift = q.a * T(1.0 / 3);
    const V3<T> strain{trial.x + shift, trial.y + shift, trial.z + shift};
    const T volume = strain.x + strain.y + strain.z, mean = volume * T(1.0 / 3);
    const V3<T> shear{strain.x - mean, strain.y - mean, strain.z - mean};
    const T norm = sqrt(dot(shear, shear));
    const T excess = norm + (T(3) * m.lambda + T(2) * m.mu) / (T(2) * m.mu) * volume * coneSlope(q.b, m);

    const T slack(kYieldSlack<T>);
    const Mask<T> expands = volume > slack;
    const Mask<T> shears = (volume <= slack) & (excess > slack) & (norm > T(0));
    // Where a volume within the slack lifts the cone's tip above nothing, no more shear goes than there is.
    const T gone = min(excess, norm);
    const T scale = select(shears, gone, T(0)) / select(shears, norm, T(1));
    // What flows while expanding is the whole strain. F's own rounding is none.
    const T length = sqrt(dot(trial, trial));
    const Mask<T> opens = expands & (length > slack);
    // Change of the log strain where the cone's tip is not reached: what expansion took is given back, and
    // the shear beyond the cone goes. Both are zero for a particle at rest, which so keeps its F to the last
    // bit.
    const V3<T> gain{shift - scale * shear.x, shift - scale * shear.y, shift - scale * shear.z};
    const V3<T> none{T(0), T(0), T(0)};
    r.strain = select(expands, none, trial + gain);
    r.flow = select(opens, length, select(shears, gone, T(0)));

    const V3<T> change = select(opens, -trial, select(expands, none, gain)), &s = r.svd.sigma;
    r.F =
        F + compose(r.svd.U, {growth(s.x, change.x), growth(s.y, change.y), growth(s.z, change.z)}, r.svd.V);
    // v_c + ln ΠΣ_trial − ln ΠΣ: the return to the cone keeps the volume, so that only expansion leaves some.
    r.q.a = select(opens, q.a + (trial.x + trial.y + trial.z), select(expands, q.a, T(0)));
    r.q.b = q.b + r.flow;
    return r;
  }

  template <class T>
  SIM_HD static T stiffening(const M3<T>& F, const Internal<T>&, const MaterialConstants<T>& m) {
    return stiffeningOf(Hencky::waveModulus(F, m), m);
  }
  template <class T>
  SIM_HD static T energy(const M3<T>& F, const Internal<T>&, const MaterialConstants<T>& m) {
    return Hencky::energy(F, m);
  }
  template <class T>
  SIM_HD static M3<T> stress(const M3<T>& F, const Internal<T>&, const M3<T>&,
                             const MaterialConstants<T>& m) {
    const LeftSvd3<T> d = leftSvd3(F);  // to the last digit: sand carries loads on very small strains
    return Hencky::stress(d.U, Hencky::logStrain(d.sigma, F, d.U, true), m);
  }
  template <class T>
  SIM_HD static Mapped<T> returnMap(const M3<T>& F, const Internal<T>& q, const MaterialConstants<T>& m) {
    const Returned<T> r = returned(F, q, m);
    return {r.F, r.flow, r.q};
  }
  template <class T>
  SIM_HD static Updated<T> update(const M3<T>& F, const Internal<T>& q, const M3<T>&,
                                  const MaterialConstants<T>& m) {
    const Returned<T> r = returned(F, q, m);
    return {r.F, Hencky::stress(r.svd.U, r.strain, m), r.flow, r.q};
  }
};

}  // namespace SIM_ISA
}  // namespace slipstick::mpm
