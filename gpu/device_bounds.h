// The velocities that boundaries leave to one grid node, in floats: what engine/mpm/node_bounds.h says and does in
// double, in a form that needs few registers. A set of bounds is a mask of their indices.
#pragma once

#include "engine/model/boundary_kind.h"
#include "engine/mpm/contact/contact_limits.h"
#include "engine/mpm/node_block.h"
#include "gpu/contact_view.h"

namespace slipstick::gpu {

using Vector = lanes::V3<float>;

/// Two normals this close to dependent (squared sine of the angle between them) say the same.
inline constexpr float kIndependent = 1e-6f;
/// A half-space broken by less than this share of the speeds is met.
inline constexpr float kMet = 1e-6f;

SIM_HD Vector normalOf(const DeviceBound& bound) {
  return {bound.normal[0], bound.normal[1], bound.normal[2]};
}
SIM_HD Vector velocityOf(const DeviceBound& bound) {
  return {bound.velocity[0], bound.velocity[1], bound.velocity[2]};
}
/// How far inside the half-space of a bound v is [m/s].
SIM_HD float gapOf(const DeviceBound& bound, const Vector& v) {
  return dot(normalOf(bound), v - velocityOf(bound));
}
SIM_HD bool isKind(const DeviceBound& bound, BoundaryKind kind) {
  return bound.kind == static_cast<int>(kind);
}

/// Up to three bounds with independent normals that hold with equality.
struct ActiveBounds {
  int bound[3] = {-1, -1, -1};
  Vector across[3] = {};  ///< an orthonormal basis of their normals; 0 where there is none
  int count = 0;

  /// @return false: the normal depends on those of the set, which stays as it is
  SIM_HD bool add(int k, const Vector& normal) {
    const Vector rest = keepFree(normal);
    const float size = dot(rest, rest);
    if (count == 3 || !(size > kIndependent)) return false;
    for (int s = 0; s < 3; ++s)
      if (s == count) bound[s] = k, across[s] = (1 / lanes::sqrt(size)) * rest;
    ++count;
    return true;
  }
  /// P x, the part of x that the bounds leave free.
  SIM_HD Vector keepFree(Vector x) const {
    for (const Vector& e : across) x -= dot(e, x) * e;
    return x;
  }
};

/// H = m I + block of a node; with m = 0 the metric of the nodes' masses, of one node a multiple of 1.
struct BlockMetric {
  float mass;
  float block[6];

  SIM_HD static BlockMetric ofMass() { return {0, {0, 0, 0, 0, 0, 0}}; }
  /// H x
  SIM_HD Vector times(const Vector& x) const { return mass * x + mpm::symmetricTimes(block, x); }
  /// y = P y, in the directions P that the bounds leave free, with P H y = P H x. Solved among these alone: as H⁻¹ of a
  /// stiff contact sees them, the bounds' normals may depend on each other, to the digits of floats.
  SIM_HD Vector freeStep(const ActiveBounds& set, const Vector& x) const {
    const Vector i = freeColumn(set, {1, 0, 0}), j = freeColumn(set, {0, 1, 0}),
                 k = freeColumn(set, {0, 0, 1});
    const float freeBlock[6] = {i.x, j.y, k.z, i.y, i.z, j.z};
    return set.keepFree(mpm::solveBlock(mass, freeBlock, set.keepFree(times(x))));
  }

 private:
  /// P block P x
  SIM_HD Vector freeColumn(const ActiveBounds& set, const Vector& x) const {
    return set.keepFree(mpm::symmetricTimes(block, set.keepFree(x)));
  }
};

/// v = a + H⁻¹ Σ share · normal over the active bounds.
struct AllowedVelocity {
  Vector v;
  unsigned active;  ///< mask of the bounds that hold with equality
  int bound[3];
  float share[3];  ///< 0 where bound is −1 or the node is held by a sticky bound

  /// What bound k adds to a in the masses' metric [m/s].
  SIM_HD float pushOf(int k) const {
    float push = 0;
    for (int s = 0; s < 3; ++s) push += bound[s] == k ? lanes::abs(share[s]) : 0;
    return push;
  }
};

/// The bounds of one node.
struct DeviceBounds {
  const DeviceBound* first;
  int count;

  SIM_HD DeviceBounds(const DeviceBound* bounds, int number) : first(bounds), count(number) {}
  SIM_HD DeviceBounds(const ContactView& view, int node)
      : DeviceBounds(view.boundList + view.firstBound[node], view.bounds[node]) {
    const int most = static_cast<int>(mpm::kMaxNodeBounds);
    count = count < most ? count : most;
  }

  SIM_HD unsigned ofKind(BoundaryKind kind) const {
    unsigned mask = 0;
    for (int k = 0; k < count; ++k) mask |= isKind(first[k], kind) ? 1u << k : 0u;
    return mask;
  }
  /// argmin ½ (v − a)ᵀ H (v − a) over the allowed velocities; see mpm::nearestAllowed.
  SIM_HD AllowedVelocity nearest(const Vector& a, const BlockMetric& metric = BlockMetric::ofMass()) const;
  /// The allowed velocity nearest to a in the masses' metric.
  SIM_HD Vector allowed(const Vector& a) const { return nearest(a).v; }
  /// The velocity nearest to a where all bounds of the mask hold with equality.
  SIM_HD Vector onto(const Vector& a, unsigned held) const;
  /// The directions in which the bounds of the mask fix a velocity, a projector: xx yy zz xy xz yz.
  SIM_HD void fixedBy(unsigned held, float (&projector)[6]) const {
    ActiveBounds set;
    bool all = false;
    SIM_ROLLED
    for (int k = 0; k < count; ++k) {
      if ((held >> k & 1u) == 0) continue;
      all |= isKind(first[k], BoundaryKind::Sticky);
      set.add(k, normalOf(first[k]));
    }
    for (int k = 0; k < 6; ++k) projector[k] = all && k < 3 ? 1.0f : 0.0f;
    if (all) return;
    for (const Vector& e : set.across) {
      projector[0] += e.x * e.x, projector[1] += e.y * e.y, projector[2] += e.z * e.z;
      projector[3] += e.x * e.y, projector[4] += e.x * e.z, projector[5] += e.y * e.z;
    }
  }

  SIM_HD float worstBreach(const Vector& v, unsigned separate) const {
    float worst = 0;
    for (int k = 0; k < count; ++k)
      if (separate >> k & 1u) worst = lanes::max(worst, -gapOf(first[k], v));
    return worst;
  }
  SIM_HD AllowedVelocity atEqualities(const Vector& a, const BlockMetric& metric,
                                      const ActiveBounds& set) const;

 private:
  /// c with NᵀN c = along, N the normals of the set; 0 where there is none.
  SIM_HD Vector shares(const ActiveBounds& set, const Vector& along) const {
    // Rows and columns without a bound become those of 1.
    float gram[6] = {1, 1, 1, 0, 0, 0};
    for (int j = 0; j < 3; ++j) {
      if (j >= set.count) continue;
      const Vector n = normalOf(first[set.bound[j]]);
      gram[j] = dot(n, n);
      for (int i = 0; i < j; ++i) gram[2 + i + j] = dot(normalOf(first[set.bound[i]]), n);
    }
    return mpm::solveBlock(0.0f, gram, along);
  }
};

SIM_HD int bitsIn(unsigned mask) {
  int bits = 0;
  for (; mask != 0; mask &= mask - 1) ++bits;
  return bits;
}

/// argmin ½ (v − a)ᵀ H (v − a) where the bounds of the set hold: from the nearest of those velocities in the masses'
/// metric, p, the free step that is left of a − p. Their shares c follow from N c = H (v − a).
SIM_HD AllowedVelocity DeviceBounds::atEqualities(const Vector& a, const BlockMetric& metric,
                                                  const ActiveBounds& set) const {
  AllowedVelocity found{a, 0u, {set.bound[0], set.bound[1], set.bound[2]}, {0, 0, 0}};
  if (set.count == 0) return found;
  Vector along{0, 0, 0};
  for (int j = 0; j < 3; ++j) {
    if (j >= set.count) continue;
    found.active |= 1u << set.bound[j];
    along[j] = -gapOf(first[set.bound[j]], a);
  }
  Vector c = shares(set, along);
  for (int j = 0; j < 3; ++j)
    if (j < set.count) found.v += c[j] * normalOf(first[set.bound[j]]);
  if (metric.mass > 0) {
    found.v += metric.freeStep(set, a - found.v);
    const Vector push = metric.times(found.v - a);
    for (int j = 0; j < 3; ++j)
      if (j < set.count) along[j] = dot(normalOf(first[set.bound[j]]), push);
    c = shares(set, along);
  }
  for (int j = 0; j < 3; ++j) found.share[j] = c[j];
  return found;
}

/// The bounds of a node, as masks by kind, of which half-spaces may hold or not.
struct BoundMasks {
  unsigned sticky, slip, separate;
};

/// The KKT conditions hold for exactly one set of active bounds: tries them all, the smallest first, and keeps the one
/// that breaks half-spaces least.
SIM_HD_RARE AllowedVelocity nearestAmong(DeviceBounds bounds, BoundMasks masks, Vector a,
                                         BlockMetric metric) {
  AllowedVelocity best{a, 0u, {-1, -1, -1}, {0, 0, 0}};
  float speed2 = dot(a, a), leastBroken = 1e30f;
  ActiveBounds equalities;
  SIM_ROLLED
  for (int k = 0; k < bounds.count; ++k) {
    const DeviceBound& bound = bounds.first[k];
    if (masks.sticky >> k & 1u) {
      best.v = velocityOf(bound);
      best.active = 1u << k;
      return best;
    }
    const float along = dot(normalOf(bound), velocityOf(bound));
    speed2 = lanes::max(speed2, along * along);
    if (masks.slip >> k & 1u) equalities.add(k, normalOf(bound));
  }
  const float tolerance = bounds.count > 1 ? kMet * lanes::sqrt(speed2) : 0.0f;
  // Of up to three bounds in all: masks in the order of their sizes.
  const unsigned end = 1u << bounds.count;
  SIM_ROLLED
  for (unsigned index = 0; index < 4 * end; ++index) {
    const unsigned mask = index % end;
    const int more = static_cast<int>(index / end);
    if (bitsIn(mask) != more || more > 3 - equalities.count || (mask & ~masks.separate) != 0) continue;
    ActiveBounds set = equalities;
    bool independent = true;
    SIM_ROLLED
    for (int k = 0; k < bounds.count; ++k)
      if (mask >> k & 1u) independent &= set.add(k, normalOf(bounds.first[k]));
    if (!independent) continue;
    const AllowedVelocity candidate = bounds.atEqualities(a, metric, set);
    bool pulls = false;
    for (int s = 0; s < 3; ++s) pulls |= s >= equalities.count && candidate.share[s] < 0;
    const float broken = bounds.worstBreach(candidate.v, masks.separate & ~mask);
    if (pulls || !(broken < leastBroken)) continue;
    leastBroken = broken;
    best = candidate;
    if (broken <= tolerance) break;
  }
  return best;
}

SIM_HD AllowedVelocity DeviceBounds::nearest(const Vector& a, const BlockMetric& metric) const {
  const BoundMasks masks{ofKind(BoundaryKind::Sticky), ofKind(BoundaryKind::Slip),
                         ofKind(BoundaryKind::Separate)};
  return nearestAmong(*this, masks, a, metric);
}
SIM_HD Vector DeviceBounds::onto(const Vector& a, unsigned held) const {
  const unsigned sticky = ofKind(BoundaryKind::Sticky) & held;
  return nearestAmong(*this, {sticky, held & ~sticky, 0u}, a, BlockMetric::ofMass()).v;
}

/// What an active bound adds to a velocity that becomes the allowed one [m/s].
SIM_HD Vector pushOf(const DeviceBounds& bounds, int k, const AllowedVelocity& allowed, const Vector& from) {
  if (isKind(bounds.first[k], BoundaryKind::Sticky)) return allowed.v - from;
  float share = 0;
  for (int s = 0; s < 3; ++s) share += allowed.bound[s] == k ? allowed.share[s] : 0;
  return share * normalOf(bounds.first[k]);
}

}  // namespace slipstick::gpu
