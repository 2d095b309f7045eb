#include "engine/multibody/kinematics.h"

#include <cmath>

#include "engine/foundation/require.h"
#include "engine/multibody/spatial.h"

namespace slipstick::multibody {

namespace {

/// Quaternion stored as (w x y z) from index `start` of q.
Quat quatAt(const VecX& q, int start) {
  return {q[start], q[start + 1], q[start + 2], q[start + 3]};
}

void storeQuat(const Quat& quat, int start, VecX& q) {
  q.segment<4>(start) << quat.w(), quat.x(), quat.y(), quat.z();
}

/// Unit quaternion of the rotation by |r| about r.
Quat exponential(const Vec3& r) {
  const double angle = r.norm();
  const double half = 0.5 * angle;
  // sin(a/2)/a = ½ − a²/48 + …: below 1e-4 the next term is under rounding.
  const double s = angle > 1e-4 ? std::sin(half) / angle : 0.5 - angle * angle / 48;
  return {std::cos(half), s * r.x(), s * r.y(), s * r.z()};
}

/// Pose of the child in the joint frame J.
Pose jointPose(const Joint& joint, const VecX& q) {
  const int i = joint.qStart;
  switch (joint.type) {
    case JointType::Fixed:
      return {};
    case JointType::Revolute:
    case JointType::Continuous:
      return {Eigen::AngleAxisd(q[i], joint.axis).toRotationMatrix(), Vec3::Zero()};
    case JointType::Prismatic:
      return Pose::translation(q[i] * joint.axis);
    case JointType::Ball:
      return Pose::fromQuat(quatAt(q, i), Vec3::Zero());
    case JointType::Planar:
      return {Eigen::AngleAxisd(q[i + 2], Vec3::UnitZ()).toRotationMatrix(), Vec3(q[i], q[i + 1], 0)};
    case JointType::Floating:
      return Pose::fromQuat(quatAt(q, i + 3), q.segment<3>(i));
  }
  return {};
}

}  // namespace

Subspace motionSubspace(const Joint& joint, const Mat3& R_WP) {
  const Mat3 R_WJ = R_WP * joint.X_PJ.R;
  Subspace S = Subspace::Zero(6, velocityCount(joint.type));
  switch (joint.type) {
    case JointType::Fixed:
      break;
    case JointType::Revolute:
    case JointType::Continuous:
      S.topRows<3>() = R_WJ * joint.axis;
      break;
    case JointType::Prismatic:
      S.bottomRows<3>() = R_WJ * joint.axis;
      break;
    case JointType::Ball:
      S.topRows<3>() = R_WJ;
      break;
    case JointType::Planar:
      S.block<3, 2>(3, 0) = R_WJ.leftCols<2>();
      S.block<3, 1>(0, 2) = R_WJ.col(2);
      break;
    case JointType::Floating:
      S.topLeftCorner<3, 3>() = R_WJ;
      S.bottomRightCorner<3, 3>() = R_WJ;
      break;
  }
  return S;
}

bool isFree(const Joint& joint) {
  return joint.type == JointType::Floating && joint.parent == 0 && joint.X_PJ.R == Mat3::Identity();
}

Vec6 jointMotion(const Joint& joint, const Mat3& R_WP, const double* v) {
  const Eigen::Map<const Vec3> first(v);
  if (joint.type == JointType::Fixed) return Vec6::Zero();
  if (isFree(joint)) return Eigen::Map<const Vec6>(v);
  const Mat3 R_WJ = R_WP * joint.X_PJ.R;
  switch (joint.type) {
    case JointType::Revolute:
    case JointType::Continuous:
      return stack(R_WJ * (v[0] * joint.axis), Vec3::Zero());
    case JointType::Prismatic:
      return stack(Vec3::Zero(), R_WJ * (v[0] * joint.axis));
    case JointType::Ball:
      return stack(R_WJ * first, Vec3::Zero());
    case JointType::Planar:
      return stack(R_WJ.col(2) * v[2], R_WJ.col(0) * v[0] + R_WJ.col(1) * v[1]);
    default:
      return stack(R_WJ * first, R_WJ * Eigen::Map<const Vec3>(v + 3));
  }
}

void computePoses(const Tree& tree, const VecX& q, std::vector<Pose>& X_WB) {
  SIM_REQUIRE(q.size() == tree.nq, q.size(), tree.nq);
  X_WB.resize(tree.bodies.size());
  X_WB[0] = {};
  for (const Joint& joint : tree.joints) {
    const Pose& X_WP = X_WB[static_cast<std::size_t>(joint.parent)];
    Pose& X_WC = X_WB[static_cast<std::size_t>(joint.child)];
    if (isFree(joint) && joint.X_PJ.p.isZero(0)) {
      X_WC = jointPose(joint, q);
    } else {
      X_WC = X_WP * joint.X_PJ * jointPose(joint, q);
    }
  }
}

void computeVelocities(const Tree& tree, const VecX& q, const VecX& v, const std::vector<Pose>& X_WB,
                       std::vector<Velocity>& V_WB) {
  SIM_REQUIRE(q.size() == tree.nq && v.size() == tree.nv, q.size(), v.size());
  SIM_REQUIRE(X_WB.size() == tree.bodies.size(), X_WB.size());
  V_WB.resize(tree.bodies.size());
  V_WB[0] = {};
  for (const Joint& joint : tree.joints) {
    const auto parent = static_cast<std::size_t>(joint.parent), child = static_cast<std::size_t>(joint.child);
    const Vec6 relative = jointMotion(joint, X_WB[parent].R, v.data() + joint.vStart);
    const Velocity& V_WP = V_WB[parent];
    V_WB[child] = {V_WP.w + relative.head<3>(), V_WP.at(X_WB[child].p - X_WB[parent].p) + relative.tail<3>()};
  }
}

void pointJacobian(const Tree& tree, const std::vector<Pose>& X_WB, int body, const Vec3& p_W, MatX& J) {
  J.setZero(6, tree.nv);
  for (int b = body; b > 0; b = tree.parentOf(b)) {
    const Joint& joint = tree.joints[static_cast<std::size_t>(b - 1)];
    const Subspace S = motionSubspace(joint, X_WB[static_cast<std::size_t>(joint.parent)].R);
    const Vec3 r = p_W - X_WB[static_cast<std::size_t>(b)].p;
    for (int k = 0; k < S.cols(); ++k) J.col(joint.vStart + k) = moveMotion(S.col(k), r);
  }
}

MatX pointJacobian(const Tree& tree, const std::vector<Pose>& X_WB, int body, const Vec3& p_W) {
  MatX J;
  pointJacobian(tree, X_WB, body, p_W, J);
  return J;
}

void integrate(const Tree& tree, const VecX& v, double dt, VecX& q) {
  SIM_REQUIRE(q.size() == tree.nq && v.size() == tree.nv, q.size(), v.size());
  // Angular velocities are in J axes, so the increment multiplies from the left.
  const auto rotate = [&](int qStart, int vStart) {
    const Vec3 increment = dt * v.segment<3>(vStart);
    storeQuat((exponential(increment) * quatAt(q, qStart)).normalized(), qStart, q);
  };
  for (const Joint& joint : tree.joints) {
    if (joint.type == JointType::Ball) {
      rotate(joint.qStart, joint.vStart);
    } else if (joint.type == JointType::Floating) {
      q.segment<3>(joint.qStart) += dt * v.segment<3>(joint.vStart + 3);
      rotate(joint.qStart + 3, joint.vStart);
    } else {
      const int n = velocityCount(joint.type);
      q.segment(joint.qStart, n) += dt * v.segment(joint.vStart, n);
    }
  }
}

}  // namespace slipstick::multibody
