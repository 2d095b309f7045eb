// Spatial algebra of the recursive algorithms.
//
// Everything here is in W axes and taken about the body's own origin: no coordinate rotations in the
// recursions, and no loss of digits far from W's origin. Accelerations are the ordinary time derivatives of
// `Velocity` (Featherstone's "classical" acceleration), so that velocity-product terms read as in a mechanics
// course:
//   w_c = w_p + S_w v                   ẇ_c = ẇ_p + S_w a + w_p × S_w v
//   v_c = v_p + w_p × r + S_v v         v̇_c = v̇_p + ẇ_p × r + S_v a + w_p × (w_p × r) + 2 w_p × S_v v
// with r = p_c − p_p and S constant in the joint frame, which is fixed in the parent.
#pragma once

#include <vector>

#include "engine/foundation/math.h"
#include "engine/multibody/tree.h"

namespace slipstick::multibody {

using Vec6 = Eigen::Matrix<double, 6, 1>;  ///< (angular, linear): (w, v), or (torque, force)
using Mat6 = Eigen::Matrix<double, 6, 6>;
/// Motion subspace S of a joint: V_child = (V_parent moved to the child's origin) + S v.
using Subspace = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

inline Vec6 stack(const Vec3& angular, const Vec3& linear) {
  Vec6 a;
  a << angular, linear;
  return a;
}

/// A motion (velocity, or the linear part of an acceleration) of a rigid body, moved to the point r away from
/// its origin.
inline Vec6 moveMotion(const Vec6& motion, const Vec3& r) {
  // Number by number: halves of a vector just written in whole packets are slow to read.
  const Vec6& m = motion;
  return {m[0],
          m[1],
          m[2],
          m[3] + (m[1] * r[2] - m[2] * r[1]),
          m[4] + (m[2] * r[0] - m[0] * r[2]),
          m[5] + (m[0] * r[1] - m[1] * r[0])};
}

/// A force about a point r away from the origin, as a force about the origin.
inline Vec6 moveForceBack(const Vec6& force, const Vec3& r) {
  const Vec6& f = force;
  return {f[0] + (r[1] * f[5] - r[2] * f[4]),
          f[1] + (r[2] * f[3] - r[0] * f[5]),
          f[2] + (r[0] * f[4] - r[1] * f[3]),
          f[3],
          f[4],
          f[5]};
}

/// An inertia about a point r away from the origin, as an inertia about the origin: Xᵀ I X with X =
/// moveMotion(·, r).
inline Mat6 moveInertiaBack(const Mat6& inertia, const Vec3& r) {
  Mat6 X = Mat6::Identity();
  X.bottomLeftCorner<3, 3>() = -skew(r);
  return X.transpose() * inertia * X;
}

/// Spatial inertia of a body about its origin, W axes.
inline Mat6 spatialInertia(const Body& body, const Mat3& R_WB) {
  const Vec3 c = R_WB * body.com, mc = body.mass * c;
  const Mat3 turned = R_WB.lazyProduct(body.inertia);
  Mat6 inertia;
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row <= column; ++row)  // −m [c]× [c]× = m (c·c 1 − c cᵀ)
      inertia(row, column) = inertia(column, row) =
          turned.row(row).dot(R_WB.row(column)) - mc[row] * c[column];
  inertia.topLeftCorner<3, 3>().diagonal().array() += mc.dot(c);
  inertia.topRightCorner<3, 3>() = skew(mc);
  inertia.bottomLeftCorner<3, 3>() = -skew(mc);
  inertia.bottomRightCorner<3, 3>() = body.mass * Mat3::Identity();
  return inertia;
}

/// Torque about the origin and force that keep a body turning at w with resting origin: (w × Ī w, m w × (w ×
/// c)).
inline Vec6 gyroscopicForce(const Body& body, const Mat6& inertia, const Mat3& R_WB, const Vec3& w) {
  const Vec3 c = R_WB * body.com;
  return stack(w.cross(inertia.topLeftCorner<3, 3>() * w), body.mass * w.cross(w.cross(c)));
}

/// S of a joint about the child's origin, given the pose of its parent.
Subspace motionSubspace(const Joint& joint, const Mat3& R_WP);

/// S v of a joint, given the pose of its parent. @param v  the joint's velocities
Vec6 jointMotion(const Joint& joint, const Mat3& R_WP, const double* v);

/// Whether a joint lets its body move freely in W, so that S = 1.
bool isFree(const Joint& joint);

/// Acceleration that the child has from velocities alone, S v = jointMotion, r from the parent's to the
/// child's origin.
inline Vec6 velocityProduct(const Vec3& w_WP, const Vec3& r, const Vec6& jointMotion) {
  return stack(w_WP.cross(jointMotion.head<3>()),
               w_WP.cross(w_WP.cross(r)) + 2 * w_WP.cross(jointMotion.tail<3>()));
}

}  // namespace slipstick::multibody
