// Elasticity in the logarithmic strain ε = ln Σ of F = U Σ Vᵀ, with the von Mises return map that it makes a
// plain scaling (Yu 2025 uses it for dough).
#pragma once

#include "engine/lanes/matrix_log.h"
#include "engine/lanes/small_log.h"
#include "engine/lanes/svd3.h"
#include "engine/mpm/materials/constants.h"
#include "engine/mpm/materials/corotated.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// Whether strains come by series where these serve, else by the SVD. In double, always by the SVD.
template <class T>
inline constexpr bool kBySeries = true;
template <>
inline constexpr bool kBySeries<double> = false;

/// Ψ = μ tr ε² + λ/2 tr²ε,  τ = U (2με + λ tr ε) Uᵀ. The model ends at J = 0; stretches below
/// kSmallestStretch are held there, so that an inverted particle is pushed apart by a finite stress.
struct Hencky : Elastic<Hencky> {
  static constexpr float kSmallestStretch = 1e-6f;

  template <class T>
  SIM_HD static V3<T> logStrain(const V3<T>& sigma) {
    const T least(kSmallestStretch);
    return {log(max(sigma.x, least)), log(max(sigma.y, least)), log(max(sigma.z, least))};
  }
  /// The same for the singular values of F, whose singular vectors on one side are `axes`: in float to the rounding of
  /// the strain, not of 1. Where stretches are near 1, σ² − 1 is measured along the axes on FᵀF − 1 = H + Hᵀ + HᵀH,
  /// H = F − 1, or on FFᵀ − 1; an axis that is off by δ is forgiven to δ².
  /// @param fromLeft  the axes are those of FFᵀ
  template <class T>
  SIM_HD static V3<T> logStrain(const V3<T>& sigma, const M3<T>& F, const M3<T>& axes, bool fromLeft) {
    V3<T> strain = logStrain(sigma);
    if constexpr (kBySeries<T>) {
      M3<T> H = F;
      for (int i = 0; i < 3; ++i) H(i, i) = H(i, i) - T(1);
      const M3<T> excess = H + transpose(H) + (fromLeft ? H * transpose(H) : transpose(H) * H);
      const auto along = [&](int k, const T& coarse) {
        const V3<T> axis{axes(0, k), axes(1, k), axes(2, k)};
        const T x = dot(axis, excess * axis) / dot(axis, axis);
        return select(abs(x) <= T(lanes::kSmallLog), T(0.5f) * lanes::logOnePlus(x), coarse);
      };
      strain = {along(0, strain.x), along(1, strain.y), along(2, strain.z)};
    }
    return strain;
  }
  template <class T>
  SIM_HD static M3<T> stress(const M3<T>& U, const V3<T>& strain, const MaterialConstants<T>& m) {
    const T pressure = m.lambda * (strain.x + strain.y + strain.z), twoMu = T(2) * m.mu;
    return compose(U, {twoMu * strain.x + pressure, twoMu * strain.y + pressure, twoMu * strain.z + pressure},
                   U);
  }
  template <class T>
  SIM_HD static T energy(const M3<T>& F, const MaterialConstants<T>& m) {
    const V3<T> strain = logStrain(leftSvd3(F).sigma);
    const T sum = strain.x + strain.y + strain.z;
    return m.mu * dot(strain, strain) + T(0.5f) * m.lambda * sum * sum;
  }
  template <class T>
  SIM_HD static M3<T> stress(const Symmetric3<T>& strain, const MaterialConstants<T>& m) {
    return fullMatrix(addToDiagonal(T(2) * m.mu * strain, m.lambda * trace(strain)));
  }
  template <class T>
  SIM_HD static M3<T> stressBySvd(const M3<T>& F, const MaterialConstants<T>& m) {
    const LeftSvd3<T> d = leftSvd3(F);
    return stress(d.U, logStrain(d.sigma), m);
  }
  template <class T>
  SIM_HD static M3<T> stress(const M3<T>& F, const MaterialConstants<T>& m) {
    if constexpr (!kBySeries<T>) {
      return stressBySvd(F, m);
    } else {
      const LogStretch<T> at = logStretch(F);
      const M3<T> tau = stress(at.strain, m);
      if (!any(!at.valid)) return tau;
      return selectMatrix(at.valid, tau, stressBySvd(F, m));
    }
  }
  /// 2μ (1 − ln λᵢ) + λ (1 − ln J)
  template <class T>
  SIM_HD static T waveModulus(const M3<T>& F, const MaterialConstants<T>& m) {
    const V3<T> strain = logStrain(leftSvd3(F).sigma);
    return T(2) * m.mu * (T(1) - strain.z) + m.lambda * (T(1) - (strain.x + strain.y + strain.z));
  }
};

/// Hencky with ‖ε'‖ ≤ √(2/3) σ_y/2μ, which is ‖τ'‖ ≤ √(2/3) σ_y: radial return of the strain deviator.
struct HenckyVonMises : Hencky {
  /// Flatter particles lose too many digits in U diag(·) Uᵀ F.
  static constexpr float kFlat = 1e-2f;

  /// F_E = U exp(strain) Vᵀ after the return; F itself where nothing yields.
  template <class T>
  struct Returned {
    LeftSvd3<T> svd;
    V3<T> strain;
    M3<T> F;
    T plasticStrain;
  };
  template <class T>
  SIM_HD static Returned<T> returned(const M3<T>& F, const MaterialConstants<T>& m) {
    Returned<T> r{leftSvd3(F), {}, F, T(0)};
    r.strain = logStrain(r.svd.sigma);
    const T mean = (r.strain.x + r.strain.y + r.strain.z) * T(1.0 / 3);
    const V3<T> shear{r.strain.x - mean, r.strain.y - mean, r.strain.z - mean};
    const T norm = sqrt(dot(shear, shear));
    const Mask<T> yields = norm > m.strainLimit + T(kYieldSlack<T>);
    const T scale = select(yields, m.strainLimit, T(1)) / select(yields, norm, T(1));
    if (any(yields)) {
      const V3<T> kept{mean + scale * shear.x, mean + scale * shear.y, mean + scale * shear.z};
      r.strain = select(yields, kept, r.strain);
      const V3<T> stretch = select(yields, V3<T>{exp(kept.x), exp(kept.y), exp(kept.z)}, r.svd.sigma);
      // A small correction of F, not U Σ Vᵀ anew: in float, rebuilding F in every substep would drift.
      const V3<T> change = stretch - r.svd.sigma;
      const Mask<T> flat = abs(r.svd.sigma.z) < T(kFlat) * r.svd.sigma.x;
      if (any(flat & yields)) {
        const Svd3<T> whole = svd3(F);
        r.F = F + compose(whole.U, change, whole.V);
      } else {
        const V3<T>& s = r.svd.sigma;  // may be 0 where nothing yields
        const V3<T> share{select(yields, change.x, T(0)) / select(yields, s.x, T(1)),
                          select(yields, change.y, T(0)) / select(yields, s.y, T(1)),
                          select(yields, change.z, T(0)) / select(yields, s.z, T(1))};
        r.F = F + compose(r.svd.U, share, r.svd.U) * F;
      }
      r.svd.sigma = stretch;
      r.plasticStrain = select(yields, norm - m.strainLimit, T(0));
    }
    return r;
  }
  template <class T>
  SIM_HD static Mapped<T> returnMap(const M3<T>& F, const MaterialConstants<T>& m) {
    const Returned<T> r = returned(F, m);
    return {r.F, r.plasticStrain};
  }
  template <class T>
  SIM_HD static Updated<T> updateBySvd(const M3<T>& F, const MaterialConstants<T>& m) {
    const Returned<T> r = returned(F, m);
    return {r.F, Hencky::stress(r.svd.U, r.strain, m), r.plasticStrain};
  }
  template <class T>
  SIM_HD static Updated<T> update(const M3<T>& F, const MaterialConstants<T>& m) {
    if constexpr (!kBySeries<T>) {
      return updateBySvd(F, m);
    } else {
      return updateBySeries(F, m);
    }
  }

 private:
  /// Without principal axes: the return adds D = (limit/‖ε'‖ − 1) ε' to the strain, and F becomes exp(D) F.
  template <class T>
  SIM_HD static Updated<T> updateBySeries(const M3<T>& F, const MaterialConstants<T>& m) {
    const LogStretch<T> at = logStretch(F);
    const Symmetric3<T> shear = addToDiagonal(at.strain, trace(at.strain) * T(-1.0f / 3));
    const T norm = sqrt(squaredNorm(shear));
    const Mask<T> yields = norm > m.strainLimit + T(kYieldSlack<T>);
    Updated<T> u{F, {}, T(0)};
    Symmetric3<T> strain = at.strain;
    Mask<T> serves = at.valid;
    if (any(yields)) {
      const T excess = select(yields, norm - m.strainLimit, T(0));
      const Symmetric3<T> D = (-excess / select(yields, norm, T(1))) * shear;
      serves = serves & (excess * excess <= T(kMaxSquaredExponent<T>));
      u.F = F + fullMatrix(expMinusOne(D)) * F;
      u.strain = excess;
      strain = strain + D;
    }
    u.tau = Hencky::stress(strain, m);
    if (!any(!serves)) return u;
    const Updated<T> bySvd = updateBySvd(F, m);
    return {selectMatrix(serves, u.F, bySvd.F), selectMatrix(serves, u.tau, bySvd.tau),
            select(serves, u.strain, bySvd.strain)};
  }
};

/// The dough of Yu's released code: the Hencky von Mises return map with fixed-corotated energy and stress.
struct CorotatedHenckyVonMises {
  template <class T>
  SIM_HD static T energy(const M3<T>& F, const MaterialConstants<T>& m) {
    return FixedCorotated::energy(F, m);
  }
  template <class T>
  SIM_HD static M3<T> stress(const M3<T>& F, const MaterialConstants<T>& m) {
    return FixedCorotated::stress(F, m);
  }
  template <class T>
  SIM_HD static T waveModulus(const M3<T>& F, const MaterialConstants<T>& m) {
    return FixedCorotated::waveModulus(F, m);
  }
  template <class T>
  SIM_HD static Mapped<T> returnMap(const M3<T>& F, const MaterialConstants<T>& m) {
    return HenckyVonMises::returnMap(F, m);
  }
  /// The stress in principal axes: τ = U (2μ (Σ − I) Σ + λ (J − 1) J I) Uᵀ.
  template <class T>
  SIM_HD static Updated<T> update(const M3<T>& F, const MaterialConstants<T>& m) {
    const auto r = HenckyVonMises::returned(F, m);
    const V3<T>& s = r.svd.sigma;
    const T J = s.x * s.y * s.z, pressure = m.lambda * (J - T(1)) * J, twoMu = T(2) * m.mu, one(1);
    const V3<T> principal{twoMu * (s.x - one) * s.x + pressure, twoMu * (s.y - one) * s.y + pressure,
                          twoMu * (s.z - one) * s.z + pressure};
    return {r.F, compose(r.svd.U, principal, r.svd.U), r.plasticStrain};
  }
};

}  // namespace SIM_ISA
}  // namespace slipstick::mpm
