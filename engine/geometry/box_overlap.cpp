#include "engine/geometry/box_overlap.h"

#include <algorithm>
#include <cmath>

namespace slipstick {
namespace {

/// A face that the other box passes, and by how much.
struct Slab {
  int axis = 0;
  double sign = 1;
  double depth = 0;  ///< [m]

  int face() const { return 2 * axis + (sign < 0 ? 1 : 0); }
};

/// The face of a box that the other one passes least deep.
/// @param reach   half extents of the other box along this one's axes [m]
/// @param centre  of the other box, in this one's frame [m]
Slab leastSlab(const Vec3& half, const Vec3& reach, const Vec3& centre) {
  const Vec3 depth = half + reach - centre.cwiseAbs();
  Slab slab;
  slab.depth = depth.minCoeff(&slab.axis);
  slab.sign = centre[slab.axis] < 0 ? -1 : 1;
  return slab;
}

/// Q = |R_AB|, t: the centre of B in A.
bool edgesSeparate(const Vec3& halfA, const Vec3& halfB, const Mat3& R, const Mat3& Q, const Vec3& t) {
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double reach =
          halfA[i1] * Q(i2, j) + halfA[i2] * Q(i1, j) + halfB[j1] * Q(i, j2) + halfB[j2] * Q(i, j1);
      if (std::abs(t[i2] * R(i1, j) - t[i1] * R(i2, j)) > reach) return true;
    }
  }
  return false;
}

/// The faces that are nearest somewhere in the part of the other box below one face. Of a box, depths below
/// faces are affine: the corners of that part tell.
class NearestFaces {
 public:
  NearestFaces(const Vec3& half, const Slab& slab)
      : half_(half), slab_(slab), k_((slab.axis + 1) % 3), l_((slab.axis + 2) % 3) {}

  unsigned find(const Vec3& otherHalf, const Pose& X_OwnOther) {
    // From the lowest corner of the other box, a turn along each of its axes leads up.
    Vec3 lowest = X_OwnOther.p, rise;
    Mat3 edge;
    for (int b = 0; b < 3; ++b) {
      const double along = slab_.sign * X_OwnOther.R(slab_.axis, b);
      const double signedHalf = along > 0 ? -otherHalf[b] : otherHalf[b];
      lowest += signedHalf * X_OwnOther.R.col(b);
      edge.col(b) = -2 * signedHalf * X_OwnOther.R.col(b);
      rise[b] = 2 * otherHalf[b] * std::abs(along);
    }
    for (unsigned corner = 0; corner < 8; ++corner) {
      double depth = slab_.depth;
      for (int b = 0; b < 3; ++b)
        if (corner >> b & 1) depth -= rise[b];
      if (depth < 0) continue;
      Vec3 p = lowest;
      for (int b = 0; b < 3; ++b)
        if (corner >> b & 1) p += edge.col(b);
      reach(p, depth);
      for (int b = 0; b < 3; ++b)
        if (!(corner >> b & 1) && rise[b] > depth) reach(p + depth / rise[b] * edge.col(b), 0);
    }
    return faces();
  }

 private:
  /// dᵢ ≤ d of face i at axis a, sign s: s x_a + d ≥ h_a.
  void reach(const Vec3& p, double depth) {
    upperK_ = std::max(upperK_, p[k_] + depth), lowerK_ = std::max(lowerK_, depth - p[k_]);
    upperL_ = std::max(upperL_, p[l_] + depth), lowerL_ = std::max(lowerL_, depth - p[l_]);
  }
  unsigned faces() const {
    const auto bit = [](int face, bool is) { return static_cast<unsigned>(is) << face; };
    return bit(slab_.face(), true) | bit(slab_.face() ^ 1, slab_.depth >= half_[slab_.axis]) |
           bit(2 * k_, upperK_ >= half_[k_]) | bit(2 * k_ + 1, lowerK_ >= half_[k_]) |
           bit(2 * l_, upperL_ >= half_[l_]) | bit(2 * l_ + 1, lowerL_ >= half_[l_]);
  }

  const Vec3& half_;
  const Slab& slab_;
  int k_, l_;  // the other axes
  double upperK_ = -1e300, lowerK_ = -1e300, upperL_ = -1e300, lowerL_ = -1e300;
};

}  // namespace

BoxOverlap BoxOverlap::of(const Vec3& halfA, const Vec3& halfB, const Pose& X_AB) {
  const Mat3& R = X_AB.R;
  const Mat3 Q = R.cwiseAbs();
  const Slab slabA = leastSlab(halfA, Q.lazyProduct(halfB), X_AB.p);
  if (!(slabA.depth > 0)) return {};
  const Pose X_BA = X_AB.inverse();
  const Slab slabB = leastSlab(halfB, Q.transpose().lazyProduct(halfA), X_BA.p);
  if (!(slabB.depth > 0) || edgesSeparate(halfA, halfB, R, Q, X_AB.p)) return {};
  return {std::min(slabA.depth, slabB.depth), NearestFaces(halfA, slabA).find(halfB, X_AB),
          NearestFaces(halfB, slabB).find(halfA, X_BA)};
}

}  // namespace slipstick
