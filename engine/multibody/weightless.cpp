#include "engine/multibody/weightless.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/multibody/kinematics.h"
#include "engine/multibody/spatial.h"

namespace slipstick::multibody {
namespace {

using JointMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

constexpr int kPostures = 3;
/// Of what remains after the joints beyond have given way: above the rounding of that subtraction, below what any
/// mechanism needs.
constexpr double kLeastPart = 1e-10;

/// Angles of about a third of a turn, all different: nothing is aligned that is not made so.
VecX posture(const Tree& tree, int number) {
  constexpr double kGolden = 0.6180339887498949;
  VecX q = tree.zeroPosition();
  std::uint32_t count = 0;
  const auto next = [&] {
    const double x = std::fmod(kGolden * (++count + 7u * static_cast<std::uint32_t>(number)), 1);
    return 0.3 + 0.8 * x;
  };
  for (const Joint& joint : tree.joints) {
    if (positionCount(joint.type) == 1) q[joint.qStart] = joint.type == JointType::Prismatic ? 0 : next();
    if (joint.type == JointType::Planar) q[joint.qStart + 2] = next();
    if (joint.type != JointType::Ball && joint.type != JointType::Floating) continue;
    const Quat R(Eigen::AngleAxisd(next(), Vec3(next(), next(), next()).normalized()));
    q.segment<4>(joint.qStart + (joint.type == JointType::Ball ? 0 : 3)) << R.w(), R.x(), R.y(), R.z();
  }
  return q;
}

/// Whether the inertia D that a joint works against vanishes in some direction, measured by that of the same bodies
/// held stiff, which makes turns and shifts comparable; and that by what the bodies have about other axes.
bool isSingular(const JointMatrix& D, const Subspace& S, const Mat6& stiff, double armature) {
  const auto n = D.rows();
  JointMatrix part = D;
  for (Eigen::Index i = 0; i < n; ++i) {
    const Vec6 s = S.col(i);
    const double own = s.dot(stiff * s) + armature;
    const double around = s.head<3>().squaredNorm() * stiff.topLeftCorner<3, 3>().trace() +
                          s.tail<3>().squaredNorm() * stiff(3, 3) + armature;
    if (!(own > kLeastPart * around)) return true;
    part.row(i) /= std::sqrt(own);
    part.col(i) /= std::sqrt(own);
  }
  return Eigen::SelfAdjointEigenSolver<JointMatrix>(part, Eigen::EigenvaluesOnly).eigenvalues()[0] <=
         kLeastPart;
}

/// Of one posture: per joint. Joints that are singular count as held stiff, so that what lies inwards of them is
/// judged by itself.
std::vector<char> singularJoints(const Tree& tree, const VecX& q) {
  std::vector<Pose> X_WB;
  computePoses(tree, q, X_WB);
  std::vector<Mat6> articulated(tree.bodies.size(), Mat6::Zero()), stiff = articulated;
  for (std::size_t b = 1; b < tree.bodies.size(); ++b)
    articulated[b] = stiff[b] = spatialInertia(tree.bodies[b], X_WB[b].R);
  std::vector<char> singular(tree.joints.size(), 0);
  for (std::size_t j = tree.joints.size(); j-- > 0;) {
    const Joint& joint = tree.joints[j];
    const auto child = static_cast<std::size_t>(joint.child), parent = static_cast<std::size_t>(joint.parent);
    const int n = velocityCount(joint.type);
    Mat6 inertia = articulated[child];
    if (n > 0) {
      const Subspace S = motionSubspace(joint, X_WB[parent].R);
      const JointMatrix rotor = joint.armature * JointMatrix::Identity(n, n);
      const Subspace U = inertia * S;
      const JointMatrix D = S.transpose() * U + rotor;
      singular[j] = isSingular(D, S, stiff[child], joint.armature) ? 1 : 0;
      if (!singular[j]) inertia -= U * D.ldlt().solve(JointMatrix(U.transpose()));
    }
    const Vec3 r = X_WB[child].p - X_WB[parent].p;
    articulated[parent] += moveInertiaBack(inertia, r);
    stiff[parent] += moveInertiaBack(stiff[child], r);
  }
  return singular;
}

}  // namespace

std::vector<int> weightlessJoints(const Tree& tree) {
  std::vector<char> always(tree.joints.size(), 1);
  for (int k = 0; k < kPostures; ++k) {
    const std::vector<char> now = singularJoints(tree, posture(tree, k));
    for (std::size_t j = 0; j < always.size(); ++j) always[j] = always[j] && now[j];
    if (std::find(always.begin(), always.end(), 1) == always.end()) return {};
  }
  std::vector<int> joints;
  for (std::size_t j = 0; j < always.size(); ++j)
    if (always[j]) joints.push_back(static_cast<int>(j));
  return joints;
}

}  // namespace slipstick::multibody
