// Whether bodies may keep their velocity while soft things are stepped, as the asynchronous method has them do.
#pragma once

#include <optional>

#include "engine/model/model.h"

namespace slipstick {

/// What one step does to a body whose velocity is frozen during it. At speed v it goes v Δt deep into what it touches, which
/// gives back at most the impulse Δt² K v of the soft thing's and the contacts' stiffness K. Against the body's momentum m v
/// that is κ = Δt² K / m: from 1 on the body is turned round within the step, from 2 on it leaves faster than it came,
/// and forces chatter without end.
///
/// m is what is felt at the touched face: 1/m = J A⁻¹ Jᵀ of the articulated inertia (multibody::mobilities), so that with all
/// directions and turns κ is the largest eigenvalue of Δt² A⁻¹ Σ Jᵀ K J over places of the face. K is of a patch as large as
/// the face and the soft thing allow, A [m²]: k / d_p² A of the contacts (k per particle, d_p their spacing), in series with
/// A max(E / min(L, √A), ρ c / Δt) of the soft thing: a block of its least thickness L, no deeper than it is pressed wide
/// (a punch on a half-space, 2 E a ≈ E √A), but not softer than what sound comes to move within Δt. Along the face K is half
/// of that, as G ≤ E / 2.
struct FrozenMotion {
  int body = -1;        ///< first of the bodies that fixed joints join; −1: none can touch particles
  int deformable = -1;  ///< the stiffest that presses it
  double share = 0;     ///< κ, of the body that stands worst
};

/// Up to here a body may be frozen: half of what turns it round, for what is not known before (which part of a face
/// touches, in which posture).
inline constexpr double kLargestFrozenShare = 0.5;

/// The worst of a model's bodies, as they start, with its Δt and contact laws. A has what dampers, springs and drives of
/// the joints resist within the step, Δt D + Δt² K, but for grippers, which press with the effort they are told. Loops,
/// limits and bodies that rest against it would make a body heavier, too: they are left out.
FrozenMotion worstFrozenMotion(const Model& model);

inline bool mayFreeze(const FrozenMotion& worst) {
  return worst.share <= kLargestFrozenShare;
}
/// A step takes a frozen body's v to (1 − κ) v: up to κ = 1 it comes to rest on what it touches without turning round.
inline bool turnsRound(const FrozenMotion& worst) {
  return worst.share > 1;
}

}  // namespace slipstick
