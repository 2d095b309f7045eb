// The three convex contact potentials of rigid contact in one form (Castro, Permenter & Han 2022; Castro, Han
// & Masterjohn 2023): value, impulse and Hessian at a relative velocity. World axes; no tangent axes are
// needed.
//
//   u = v_B − v_A, u_n = n·u > 0 separates, u_t = u − u_n n
//   γ(u) = −∂ℓ/∂u                              impulse on B [N s]
//   G(u) = ∂²ℓ/∂u² = a (I − n nᵀ − t̂ t̂ᵀ) + b w wᵀ,  w = n − m t̂
//
// Branch-free and generic over the lane type T (engine/lanes/lane.h), as engine/contact/potential.h is.
#pragma once

#include "engine/contact/potential.h"

namespace slipstick::contact {
inline namespace SIM_ISA {

/// ℓ, γ and the parts of G at one relative velocity.
template <class T>
struct RigidPotential {
  T value;       ///< ℓ [J]
  V3<T> gamma;   ///< γ, on B [N s]
  V3<T> slip;    ///< t̂: direction of sliding, shorter than 1
  T tangential;  ///< a [kg]
  T normal;      ///< b [kg]
  T tilt;        ///< m: 0 where normal and friction impulse do not depend on each other [-]
};

/// G as a matrix, symmetric positive semidefinite [kg].
template <class T>
SIM_HD M3<T> hessian(const RigidPotential<T>& p, const V3<T>& n) {
  const V3<T> w = n - p.tilt * p.slip;
  return p.tangential * (M3<T>::identity() - outer(n, n) - outer(p.slip, p.slip)) + p.normal * outer(w, w);
}

/// duᵀ G du.
template <class T>
SIM_HD T curvature(const RigidPotential<T>& p, const V3<T>& n, const V3<T>& du) {
  const T dn = dot(n, du), dt = dot(p.slip, du), dw = dn - p.tilt * dt;
  return p.tangential * (dot(du, du) - dn * dn - dt * dt) + p.normal * dw * dw;
}

/// Lagged: friction is bounded by the normal impulse of the step before (frictionBound = μ n₀).
template <class T>
SIM_HD RigidPotential<T> laggedRigidPotential(const V3<T>& u, const LaggedContact<T>& c) {
  const LaggedPotential<T> p = laggedPotential(u, c);
  return {p.value, p.gamma, p.slip, p.tangential, p.normal, T(0)};
}

/// Similar: normal and friction impulse share one argument, z = u_n − μ (s − ε):
///   ℓ = −N(z), γ_n = n(z), γ_t = −μ n(z) t̂.
/// @param mu  coefficient of friction; c.frictionBound is not used
template <class T>
SIM_HD RigidPotential<T> similarPotential(const V3<T>& u, const LaggedContact<T>& c, T mu) {
  const T un = dot(c.normal, u);
  const V3<T> ut = u - un * c.normal;
  const T ut2 = dot(ut, ut);
  const T s = lanes::sqrt(ut2 + c.epsilon * c.epsilon);
  const NormalImpulse<T> n =
      huntCrossley(un - mu * (ut2 / (s + c.epsilon)), c.f0, c.stiffness, c.dissipation, c.dt);
  RigidPotential<T> r;
  r.slip = (T(1) / s) * ut;
  r.value = -n.energy;
  r.gamma = n.impulse * c.normal - (mu * n.impulse) * r.slip;
  r.tangential = mu * n.impulse / s;
  r.normal = n.curvature;
  r.tilt = mu;
  return r;
}

/// SAP: linear compliance and dissipation with a quadratic regularisation of friction.
template <class T>
struct SapContact {
  V3<T> normal;  ///< unit, out of A
  T mu;          ///< coefficient of friction [-]
  T Rt, Rn;      ///< regularisation: velocity per impulse [1/kg]
  T vHat;        ///< v̂_n: normal velocity without impulse [m/s]
};

/// The parameters of a SAP contact.
/// @param phi          signed distance, < 0 in penetration [m]
/// @param tau          time scale of dissipation [s]
/// @param w            Delassus estimate [1/kg]
/// @param sigma, beta  factors of the regularisation of friction and of the near-rigid limit
template <class T>
SIM_HD SapContact<T> sapContact(const V3<T>& normal, T mu, T phi, T stiffness, T tau, T dt, T w, T sigma,
                                T beta = T(1)) {
  constexpr double kFourPiSquared = 39.47841760435743;
  SapContact<T> c;
  c.normal = normal;
  c.mu = mu;
  c.Rt = sigma * w;
  c.Rn = lanes::max(beta * beta * w / T(kFourPiSquared), T(1) / (dt * stiffness * (dt + tau)));
  c.vHat = -phi / (dt + tau);
  return c;
}

/// y = R⁻¹ (v̂ − u); γ = y inside the cone (stick), its projection in the norm of R on the cone (slide), or 0.
template <class T>
SIM_HD RigidPotential<T> sapPotential(const V3<T>& u, const SapContact<T>& c) {
  constexpr double kSoftNorm = 1e-7;  // [N s]: keeps t̂ defined where nothing slides
  const T un = dot(c.normal, u), zero = T(0);
  const T yn = (c.vHat - un) / c.Rn;
  const V3<T> yt = (T(-1) / c.Rt) * (u - un * c.normal);
  const T soft = T(kSoftNorm);
  const T length = lanes::sqrt(dot(yt, yt) + soft * soft);
  const T yr = length - soft;
  const V3<T> direction = (T(1) / length) * yt;
  const T muHat = c.mu * c.Rt / c.Rn, factor = T(1) + c.mu * muHat;

  const auto stick = yr <= c.mu * yn;
  const T slideNormal = lanes::max(zero, (yn + muHat * yr) / factor);
  const auto slide = slideNormal > zero;
  RigidPotential<T> r;
  const T stickValue = T(0.5) * (c.Rn * yn * yn + c.Rt * dot(yt, yt));
  const T slideValue = T(0.5) * c.Rn * factor * slideNormal * slideNormal;
  r.value = lanes::select(stick, stickValue, slideValue);
  const V3<T> gammaT = lanes::select<T>(stick, yt, (c.mu * slideNormal) * direction);
  r.gamma = lanes::select(stick, yn, slideNormal) * c.normal + gammaT;
  // t̂ is the direction of sliding, against the impulse.
  r.slip = lanes::select<T>(stick, V3<T>{zero, zero, zero}, T(-1) * direction);
  r.tangential = lanes::select(stick, T(1) / c.Rt, c.mu * slideNormal / (length * c.Rt));
  r.normal = lanes::select(stick, T(1) / c.Rn, lanes::select(slide, T(1) / (factor * c.Rn), zero));
  r.tilt = lanes::select(stick, zero, c.mu);
  return r;
}

}  // namespace SIM_ISA
}  // namespace slipstick::contact
