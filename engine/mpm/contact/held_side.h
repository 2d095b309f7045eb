// The side of a shape by which a particle came in, and is pushed out again.
//
// A signed distance knows the nearest side only: a particle that is pressed past the middle of a thin plate would be pushed
// out of the other one. What its contact gave to it in the substep before tells its side: what is remembered of γ lies
// within kSameSide of that side's normal. Beyond the middle the nearest side's normal n points the other way, γ·n ≈ −|γ|,
// and so it does for a particle that has left through the other side, until it is back. A side across it is none of both.
#pragma once

#include "engine/geometry/signed_distance.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// Cosine of the angle to a side's normal within which an impulse tells that side: less than half a right angle, so that
/// sides across each other are never taken for one another [-].
inline constexpr float kSameSide = 0.75f;

/// An impulse that presses nothing, but is not zero [N s].
inline constexpr float kTrace = 1e-12f;

/// A contact with a side that is not the nearest one.
template <class T>
struct HeldSide {
  bool isHeld = false;
  T depth = 0;            ///< below that side [m]
  lanes::V3<T> normal{};  ///< outward, in the frame of the shape
  T middle = 0;           ///< depth of the shape's middle [m]
};

/// Whether an impulse on a particle, in the frame of the shape, came from the side that is opposite to n.
template <class T>
SIM_HD bool cameFromBehind(const lanes::V3<T>& impulse, const lanes::V3<T>& n) {
  const T along = dot(impulse, n), squared = dot(impulse, impulse);
  return along < T(0) && along * along > T(kSameSide) * T(kSameSide) * squared;
}

/// What a contact with a thin shape leaves for the next substep: its impulse, or a trace of its normal where that does not
/// tell the side, as when the particle moves out too fast to be pressed, or friction is large. @param n  outward, of the side that holds it
template <class T>
SIM_HD lanes::V3<T> rememberedImpulse(const lanes::V3<T>& impulse, const lanes::V3<T>& n, T reach) {
  if (!(reach > T(0)) || cameFromBehind(impulse, T(-1) * n)) return impulse;
  return T(kTrace) * n;
}

/// From a particle through the shape to the side opposite to the nearest one: where the straight line leaves the shape.
/// @param nearest  at p
/// @param reach    how far outside p may be, and how thick the shape may be there [m]
template <class T>
SIM_HD HeldSide<T> oppositeSide(const GeometryShape<T>& shape, const lanes::V3<T>& p,
                                const SignedDistance<T>& nearest, T reach) {
  constexpr int kMarches = 40;
  constexpr float kFirst = 1e-2f, kTolerance = 1e-4f;  // of the reach
  const lanes::V3<T> way = T(-1) * nearest.normal;
  T passed = nearest.phi > T(0) ? nearest.phi : T(0);
  T phi = nearest.phi > T(0) ? T(0) : nearest.phi;
  bool isInside = phi < T(0);
  for (int march = 0; march < kMarches; ++march) {
    const T least = isInside ? T(kTolerance) * reach : T(kFirst) * reach;
    passed += -phi > least ? -phi : least;
    phi = signedDistance<T>(shape, p + passed * way).phi;
    if (phi >= -T(kTolerance) * reach) {
      if (!isInside) return {};
      // The last march may have gone a little too far.
      const T depth = passed - (phi > T(0) ? phi : T(0)), thickness = depth - nearest.phi;
      if (thickness > reach) return {};
      return {true, depth, way, thickness / T(2)};
    }
    isInside = true;
  }
  return {};
}

/// The side that holds a particle, if it is not the nearest one. All in the frame of the shape.
/// @param nearest   at p
/// @param impulse   that the contact gave to it in the substep before; 0: it is new, or gave none [N s]
/// @param movement  of the particle against the shape in that substep [m]
/// @param reach     how far outside, on the other side, it is still held, and how thick what is thin may be; 0: nothing is thin [m]
template <class T>
SIM_HD HeldSide<T> heldSide(const GeometryShape<T>& shape, const lanes::V3<T>& p,
                            const SignedDistance<T>& nearest, const lanes::V3<T>& impulse,
                            const lanes::V3<T>& movement, T reach) {
  if (!(reach > T(0))) return {};
  if (dot(impulse, impulse) > T(0)) {
    if (!cameFromBehind(impulse, nearest.normal)) return {};
  } else {
    // Nothing came through less than half of the shape's thickness, which is more than −φ.
    if (!(nearest.phi < T(0)) || dot(movement, nearest.normal) < -nearest.phi) return {};
    const SignedDistance<T> before = signedDistance<T>(shape, p - movement);
    if (before.phi < T(0) || !(dot(before.normal, nearest.normal) < -T(kSameSide))) return {};
  }
  return oppositeSide(shape, p, nearest, reach);
}

}  // namespace SIM_ISA
}  // namespace slipstick::mpm
