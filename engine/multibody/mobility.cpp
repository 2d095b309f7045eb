#include "engine/multibody/mobility.h"

#include <Eigen/Cholesky>

namespace slipstick::multibody {
namespace {

using JointMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

/// A joint as the two passes see it.
struct Link {
  Mat6 X = Mat6::Identity();  ///< of motions, from the parent's origin to the child's
  Mat6 L = Mat6::Identity();  ///< what of a motion of the parent arrives beyond the joint
  Mat6 own = Mat6::Zero();    ///< S D⁻¹ Sᵀ: what the joint itself gives way
};

Mat6 motionShift(const Vec3& r) {
  Mat6 X = Mat6::Identity();
  X.bottomLeftCorner<3, 3>() = -skew(r);
  return X;
}

/// Takes what the joint gives way out of the inertia beyond it.
void open(const Joint& joint, const Mat3& R_WP, const VecX& added, Mat6& inertia, Link& link) {
  const Subspace S = motionSubspace(joint, R_WP), U = inertia * S;
  JointMatrix D = S.transpose() * U;
  D.diagonal().array() += joint.armature;
  if (added.size() > 0) D.diagonal() += added.segment(joint.vStart, D.rows());
  const Eigen::LDLT<JointMatrix> factor = D.ldlt();
  link.own = S * factor.solve(JointMatrix(S.transpose()));
  link.L -= link.own * inertia;
  inertia -= U * factor.solve(JointMatrix(U.transpose()));
}

}  // namespace

std::vector<Mat6> mobilities(const Tree& tree, const std::vector<Pose>& X_WB,
                             const std::vector<char>& isPrescribed, const VecX& added) {
  std::vector<Mat6> articulated(tree.bodies.size(), Mat6::Zero()), mobility = articulated;
  for (std::size_t b = 1; b < tree.bodies.size(); ++b)
    articulated[b] = spatialInertia(tree.bodies[b], X_WB[b].R);
  std::vector<Link> links(tree.joints.size());
  for (std::size_t j = tree.joints.size(); j-- > 0;) {
    const Joint& joint = tree.joints[j];
    const auto child = static_cast<std::size_t>(joint.child), parent = static_cast<std::size_t>(joint.parent);
    const Vec3 r = X_WB[child].p - X_WB[parent].p;
    const bool prescribed = !isPrescribed.empty() && isPrescribed[j] != 0;
    if (prescribed)
      links[j].L.setZero();
    else if (velocityCount(joint.type) > 0)
      open(joint, X_WB[parent].R, added, articulated[child], links[j]);
    links[j].X = motionShift(r);
    if (!prescribed) articulated[parent] += moveInertiaBack(articulated[child], r);
  }
  // A force on the child reaches the parent as Xᵀ Lᵀ f, and what the parent does comes back as L X.
  for (std::size_t j = 0; j < tree.joints.size(); ++j) {
    const auto child = static_cast<std::size_t>(tree.joints[j].child);
    const auto parent = static_cast<std::size_t>(tree.joints[j].parent);
    const Mat6 back = links[j].L * links[j].X;
    mobility[child] = back * mobility[parent] * back.transpose() + links[j].own;
  }
  return mobility;
}

}  // namespace slipstick::multibody
