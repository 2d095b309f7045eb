// Mass matrix (CRBA), inverse dynamics (RNEA) and forward dynamics (ABA) of a tree. Featherstone 2008.
#pragma once

#include <vector>

#include "engine/foundation/math.h"
#include "engine/multibody/spatial.h"
#include "engine/multibody/tree.h"

namespace slipstick::multibody {

/// M(q), nv × nv, with armature on the diagonal. X_WB must belong to q. Composite rigid body algorithm.
void computeMassMatrix(const Tree& tree, const std::vector<Pose>& X_WB, MatX& M);

/// τ = M(q) a + bias(q, v) with gravity; recursive Newton–Euler. a = 0 gives the bias. External wrenches
/// (about body origins, W axes) are subtracted; may be empty. Damping and dry friction are not included.
VecX inverseDynamics(const Tree& tree, const VecX& q, const VecX& v, const VecX& a, const Vec3& gravity,
                     const std::vector<Wrench>& externalWrench = {});

/// Buffers of the step's dynamics: nothing is allocated once they have grown.
struct DynamicsWorkspace {
  std::vector<Subspace> subspace;                                ///< per body: of the joint that leads to it
  std::vector<Eigen::Matrix<double, 6, 6>> inertia;              ///< per body, about its origin
  std::vector<Eigen::Matrix<double, 6, 1>> acceleration, force;  ///< per body
  std::vector<Eigen::Matrix<double, 6, 6>> composite;            ///< per body
};

/// Subspaces and inertias for the two functions below.
void prepareDynamics(const Tree& tree, const std::vector<Pose>& X_WB, DynamicsWorkspace& workspace);

/// The same into `tau`, with poses and velocities that belong to q and v, and a workspace prepared for the poses.
void inverseDynamics(const Tree& tree, const std::vector<Pose>& X_WB, const std::vector<Velocity>& V_WB,
                     const VecX& v, const VecX& a, const Vec3& gravity,
                     const std::vector<Wrench>& externalWrench, DynamicsWorkspace& workspace, VecX& tau);

/// M(q) block by block, without its zeros: visit(rowJoint, columnJoint, block) for every pair of joints on
/// one path with velocities, rowJoint == columnJoint or rowJoint nearer to the world; block: rows × columns
/// velocities, with armature. X_WB must belong to q, the workspace be prepared for it.
using MassBlock = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
template <class Visit>
void visitMassBlocks(const Tree& tree, const std::vector<Pose>& X_WB, DynamicsWorkspace& workspace,
                     Visit&& visit);

/// Accelerations from τ by the articulated-body algorithm: the independent check of the two above.
VecX forwardDynamics(const Tree& tree, const VecX& q, const VecX& v, const VecX& tau, const Vec3& gravity,
                     const std::vector<Wrench>& externalWrench = {});

/// Σ over bodies: kinetic energy, gravitational potential (zero at W's origin), momentum, angular momentum
/// about W's origin.
struct MechanicalTotals {
  double kinetic = 0, potential = 0;
  Vec3 momentum = Vec3::Zero(), angularMomentum = Vec3::Zero();
};
/// The energy of rotors (armature) is left out.
/// Bodies welded to the world (no movable joint above them) are left out of the potential and the momenta.
MechanicalTotals mechanicalTotals(const Tree& tree, const std::vector<Pose>& X_WB,
                                  const std::vector<Velocity>& V_WB, const Vec3& gravity);

/// Composite inertias of all bodies about their origins, into workspace.composite.
void computeCompositeInertias(const Tree& tree, const std::vector<Pose>& X_WB, DynamicsWorkspace& workspace);

/// I S, and block = Sᵀ F, column by column with fixed sizes: nearly all joints have one column.
inline Subspace timesSubspace(const Mat6& I, const Subspace& S) {
  Subspace F(6, S.cols());
  for (int c = 0; c < S.cols(); ++c) F.col(c).noalias() = I.lazyProduct(Vec6(S.col(c)));
  return F;
}
inline void timesTransposed(const Subspace& S, const Subspace& F, MassBlock& block) {
  block.resize(S.cols(), F.cols());
  for (int c = 0; c < F.cols(); ++c)
    for (int r = 0; r < S.cols(); ++r) block(r, c) = S.col(r).dot(F.col(c));
}

template <class Visit>
void visitMassBlocks(const Tree& tree, const std::vector<Pose>& X_WB, DynamicsWorkspace& workspace,
                     Visit&& visit) {
  computeCompositeInertias(tree, X_WB, workspace);
  MassBlock block;
  for (const Joint& joint : tree.joints) {
    const int n = velocityCount(joint.type);
    if (n == 0) continue;
    const auto child = static_cast<std::size_t>(joint.child);
    const Subspace& S = workspace.subspace[child];
    if (isFree(joint)) {
      block = workspace.composite[child];
      block.diagonal().array() += joint.armature;
      visit(joint, joint, block);
      continue;
    }
    Subspace F = timesSubspace(workspace.composite[child], S);
    timesTransposed(S, F, block);
    block.diagonal().array() += joint.armature;
    visit(joint, joint, block);

    // The force that accelerates the composite passes through every joint towards the world.
    for (auto b = child; tree.parentOf(static_cast<int>(b)) > 0;) {
      const auto parent = static_cast<std::size_t>(tree.parentOf(static_cast<int>(b)));
      const Vec3 r = X_WB[b].p - X_WB[parent].p;
      for (int k = 0; k < n; ++k) F.col(k).head<3>() += r.cross(F.col(k).tail<3>());
      b = parent;
      const Joint& outer = tree.joints[b - 1];
      if (velocityCount(outer.type) == 0) continue;
      timesTransposed(workspace.subspace[b], F, block);
      visit(outer, joint, block);
    }
  }
}

}  // namespace slipstick::multibody
