// Vectors, poses and spatial quantities of the double-precision side of the engine (everything but the MPM
// lanes).
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace slipstick {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;
using Quat = Eigen::Quaterniond;

/// Pose of frame B in frame A, written X_AB: p_A = R p_B + p.
struct Pose {
  Mat3 R = Mat3::Identity();  ///< R_AB
  Vec3 p = Vec3::Zero();      ///< origin of B in A [m]

  static Pose fromQuat(const Quat& q, const Vec3& p) { return {q.normalized().toRotationMatrix(), p}; }
  static Pose translation(const Vec3& p) { return {Mat3::Identity(), p}; }
  /// URDF fixed-axis roll, pitch, yaw [rad].
  static Pose fromRpy(const Vec3& rpy, const Vec3& p) {
    const Mat3 R = (Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) *
                    Eigen::AngleAxisd(rpy.x(), Vec3::UnitX()))
                       .toRotationMatrix();
    return {R, p};
  }

  // Lazy products: the others become calls at -O2.
  Vec3 operator*(const Vec3& point_B) const { return R.lazyProduct(point_B) + p; }
  Pose operator*(const Pose& X_BC) const { return {R.lazyProduct(X_BC.R), R.lazyProduct(X_BC.p) + p}; }
  Pose inverse() const { return {R.transpose(), -R.transpose().lazyProduct(p)}; }
};

/// Velocity of a frame: angular velocity and velocity of the frame's origin, both in W axes.
struct Velocity {
  Vec3 w = Vec3::Zero();  ///< [rad/s]
  Vec3 v = Vec3::Zero();  ///< of the origin [m/s]

  /// Velocity of a point fixed in the frame, r = point − origin, W axes.
  Vec3 at(const Vec3& r) const { return v + w.cross(r); }
};

/// Force and moment about a body's origin (or their impulses), W axes. Units: [N], [N m] or [N s], [N m s].
struct Wrench {
  Vec3 force = Vec3::Zero();
  Vec3 torque = Vec3::Zero();

  Wrench& operator+=(const Wrench& o) {
    force += o.force;
    torque += o.torque;
    return *this;
  }
  Wrench operator+(const Wrench& o) const { return {force + o.force, torque + o.torque}; }
  Wrench operator-(const Wrench& o) const { return {force - o.force, torque - o.torque}; }
  Wrench operator*(double s) const { return {force * s, torque * s}; }
};

/// [a]× with [a]× b = a × b.
inline Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

}  // namespace slipstick
