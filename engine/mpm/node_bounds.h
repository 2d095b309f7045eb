// The velocities that the scene's boundaries leave to one grid node: a point, planes and half-spaces, convex
// together, and so part of the convex contact problem.
#pragma once

#include <array>
#include <span>

#include "engine/foundation/math.h"
#include "engine/model/scene.h"
#include "engine/mpm/contact/contact_limits.h"

namespace slipstick::mpm {

/// What one boundary asks of the velocity v of a node inside it. Sticky: v = velocity. Slip: normal·(v −
/// velocity) = 0. Separate: normal·(v − velocity) ≥ 0.
struct NodeBound {
  BoundaryKind kind = BoundaryKind::Sticky;
  int boundary = 0;              ///< into Model::boundaries
  Vec3 normal = Vec3::UnitZ();   ///< outward unit normal of the shape at the node
  Vec3 velocity = Vec3::Zero();  ///< of the boundary at the node [m/s]
  double friction = 0;           ///< μ; see addBoundaryFriction and boundedVelocity [-]
};
using NodeBounds = std::span<const NodeBound>;

/// The allowed velocity nearest to another one, a, and what leads from a to it: v = a + Σ push.
struct AllowedVelocity {
  Vec3 v = Vec3::Zero();  ///< [m/s]
  /// Share of each bound [m/s]: without a metric along its normal, of a sticky one in any direction.
  std::array<Vec3, kMaxNodeBounds> push = zeros();
  std::array<bool, kMaxNodeBounds> active{};  ///< bounds that hold with equality, and so fix v

 private:
  static std::array<Vec3, kMaxNodeBounds> zeros() {
    std::array<Vec3, kMaxNodeBounds> all;
    all.fill(Vec3::Zero());
    return all;
  }
};

/// argmin ½ (v − a)ᵀ H (v − a) over the velocities that all bounds allow. Where bounds contradict each other
/// a sticky one goes first, then slip, then separate, each in the scene's order, and what is left is broken
/// as little as possible.
/// @param inverseMetric  H⁻¹, symmetric positive definite
AllowedVelocity nearestAllowed(const Vec3& a, NodeBounds bounds,
                               const Mat3& inverseMetric = Mat3::Identity());

/// The directions in which the chosen bounds fix a velocity: an orthogonal projector, 0 = free in all.
Mat3 fixedDirections(NodeBounds bounds, const std::array<bool, kMaxNodeBounds>& active);

/// How far inside the half-space of a bound v is, normal·(v − velocity) [m/s]; not for sticky ones.
inline double gapOf(const NodeBound& bound, const Vec3& v) {
  return bound.normal.dot(v - bound.velocity);
}

/// Whether a is inside of a half-space, where its bound does nothing. False for bounds of other kinds.
inline bool allows(const NodeBound& bound, const Vec3& a) {
  return bound.kind == BoundaryKind::Separate && gapOf(bound, a) >= 0;
}

/// What a bound that does not allow a adds to it, if no other one acts [m/s].
inline Vec3 pushOf(const NodeBound& bound, const Vec3& a) {
  if (bound.kind == BoundaryKind::Sticky) return bound.velocity - a;
  return -gapOf(bound, a) * bound.normal;
}

/// The velocity of nearestAllowed() without a metric; for one bound, the rule, at the price of that.
inline Vec3 nearestAllowedVelocity(const Vec3& a, NodeBounds bounds) {
  if (bounds.size() != 1) return nearestAllowed(a, bounds).v;
  return allows(bounds[0], a) ? a : a + pushOf(bounds[0], a);
}

/// The same as pushOf() in a metric, see nearestAllowed().
Vec3 pushOf(const NodeBound& bound, const Vec3& a, const Mat3& inverseMetric);

}  // namespace slipstick::mpm
