// The lagged convex contact potential (Castro, Han & Masterjohn 2023): value, impulse, Hessian of one
// contact. Everything in world axes; the potential is isotropic in the tangent plane, so no tangent axes are
// needed.
//
//   u = v_particle − v_body, u_n = n·u > 0 separates, u_t = u − u_n n, s = √(|u_t|² + ε²), t̂ = u_t / s
//   ℓ(u) = −N(u_n) + μ n₀ (s − ε)
//   γ(u) = −∂ℓ/∂u = n(u_n) n − μ n₀ t̂                      impulse on the particle [N s]; |γ_t| < μ n₀
//   G(u) = ∂²ℓ/∂u² = μ n₀/s (I − n nᵀ − t̂ t̂ᵀ) − n′(u_n) n nᵀ
//
// n(v) = δt (f₀ − δt k v)₊ (1 − d v)₊ is the Hunt–Crossley impulse and N its antiderivative with N(0) = 0.
// Friction keeps its energy, impulse and Hessian when the contact opens within the substep: all three belong
// to the lagged n₀.
//
// Branch-free and generic over the lane type T (engine/lanes/lane.h).
#pragma once

#include "engine/lanes/lane.h"

namespace slipstick::contact {
inline namespace SIM_ISA {

using lanes::M3;
using lanes::V3;

/// The normal impulse that friction is bounded by: δt f₀ (1 − d v_n0)₊ [N s].
/// @param f0   elastic force k · penetration ≥ 0 [N]
/// @param vn0  normal velocity, particle − body, before the substep [m/s]
template <class T>
SIM_HD T laggedNormalImpulse(T f0, T dissipation, T vn0, T dt) {
  return dt * f0 * lanes::max(T(0), T(1) - dissipation * vn0);
}

/// ε = max(v_s, μ σ w_t n₀) [m/s], the slip speed below which friction is linear; w_t = Σ_i w_i²/m_i the contact's diagonal
/// Delassus entry [1/kg]. Sticking contacts creep at ε x/√(1−x²), x = friction used over μ n₀.
/// @param sigma  σ [-]: bounds the contact's curvature by 1/σ of the inverse of w_t
template <class T>
SIM_HD T frictionEpsilon(T stictionSpeed, T frictionBound, T wt, T sigma) {
  return lanes::max(stictionSpeed, sigma * wt * frictionBound);
}

/// Hunt–Crossley impulse at normal velocity v.
template <class T>
struct NormalImpulse {
  T impulse;    ///< n(v) ≥ 0 [N s]
  T curvature;  ///< −n′(v) ≥ 0, 0 when open [kg]
  T energy;     ///< N(v) = ∫₀ᵛ n [J]
  T bound;      ///< the largest −n′ at velocities ≥ v, also when open now [kg]
};

/// @param k  stiffness > 0 [N/m]   @param d  dissipation ≥ 0 [s/m]
template <class T>
SIM_HD NormalImpulse<T> huntCrossley(T v, T f0, T k, T d, T dt) {
  const T opening = lanes::min(f0 / (dt * k), T(1) / lanes::max(d, T(1e-30f)));  // n = 0 from here on
  const T w = lanes::min(v, opening);
  const T a = f0 - dt * k * w, b = T(1) - d * w;
  NormalImpulse<T> r;
  r.bound = dt * (dt * k * b + d * a);
  const auto closed = v < opening;
  r.impulse = lanes::select(closed, dt * a * b, T(0));
  r.curvature = lanes::select(closed, r.bound, T(0));
  r.energy = dt * w * (f0 - w * (T(0.5f) * (dt * k + d * f0) - w * (dt * k * d / T(3))));
  return r;
}

/// What the potential needs to know of one contact.
template <class T>
struct LaggedContact {
  V3<T> normal;     ///< outward unit normal of the body
  T f0;             ///< k · penetration [N]
  T stiffness;      ///< k > 0 [N/m]
  T dissipation;    ///< d [s/m]
  T frictionBound;  ///< μ n₀ [N s]
  T epsilon;        ///< ε > 0 [m/s]
  T dt;             ///< δt [s]
};

/// ℓ, γ and the parts of G at one relative velocity.
template <class T>
struct LaggedPotential {
  T value;        ///< ℓ [J]
  V3<T> gamma;    ///< γ, impulse on the particle [N s]
  V3<T> slip;     ///< t̂ = u_t / s, shorter than 1
  T tangential;   ///< μ n₀ / s: largest tangential curvature; also that of the majorant of μ n₀ s [kg]
  T normal;       ///< −n′ [kg]
  T normalBound;  ///< bounds −n′ at all velocities that separate faster than u [kg]
  T stickFraction;  ///< ε / s, 1 at rest
};

template <class T>
SIM_HD LaggedPotential<T> laggedPotential(const V3<T>& u, const LaggedContact<T>& c) {
  const T un = dot(c.normal, u);
  const V3<T> ut = u - un * c.normal;
  const T ut2 = dot(ut, ut);
  const T s = lanes::sqrt(ut2 + c.epsilon * c.epsilon);
  const NormalImpulse<T> n = huntCrossley(un, c.f0, c.stiffness, c.dissipation, c.dt);
  LaggedPotential<T> r;
  const T inverse = T(1) / s;
  r.slip = inverse * ut;
  r.stickFraction = c.epsilon * inverse;
  r.tangential = c.frictionBound * inverse;
  r.normal = n.curvature;
  r.normalBound = n.bound;
  r.value = c.frictionBound * (ut2 / (s + c.epsilon)) - n.energy;  // s − ε without cancellation
  r.gamma = n.impulse * c.normal - c.frictionBound * r.slip;
  return r;
}

/// G = ∂²ℓ/∂u², symmetric positive semidefinite [kg].
template <class T>
SIM_HD M3<T> hessian(const LaggedPotential<T>& p, const V3<T>& normal) {
  const M3<T> nn = outer(normal, normal);
  return p.tangential * (M3<T>::identity() - nn - outer(p.slip, p.slip)) + p.normal * nn;
}

/// Symmetric S with S S = G. In the tangent plane G has the eigenvalues μ n₀/s across the slip and μ n₀/s
/// (ε/s)² along it, so that S needs no division by |u_t|.
template <class T>
SIM_HD M3<T> hessianRoot(const LaggedPotential<T>& p, const V3<T>& normal) {
  const M3<T> nn = outer(normal, normal);
  const T along = T(1) / (T(1) + p.stickFraction);
  return lanes::sqrt(p.tangential) * (M3<T>::identity() - nn - along * outer(p.slip, p.slip)) +
         lanes::sqrt(p.normal) * nn;
}

}  // namespace SIM_ISA
}  // namespace slipstick::contact
