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
  std::vector<Eigen::Matrix<double, 6, 1>> acceleration, force;  ///< per body
  std::vector<Eigen::Matrix<double, 6, 6>> composite;            ///< per body
};

/// The same into `tau`, with poses and velocities that belong to q and v.
void inverseDynamics(const Tree& tree, const std::vector<Pose>& X_WB, const std::vector<Velocity>& V_WB,
                     const VecX& v, const VecX& a, const Vec3& gravity,
                     const std::vector<Wrench>& externalWrench, DynamicsWorkspace& workspace, VecX& tau);

/// M(q) block by block, without its zeros: visit(rowJoint, columnJoint, block) for every pair of joints on
/// one path with velocities, rowJoint == columnJoint or rowJoint nearer to the world; block: rows × columns
/// velocities, with armature. X_WB must belong to q.
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

template <class Visit>
void visitMassBlocks(const Tree& tree, const std::vector<Pose>& X_WB, DynamicsWorkspace& workspace,
                     Visit&& visit) {
  computeCompositeInertias(tree, X_WB, workspace);
  for (const Joint& joint : tree.joints) {
    const int n = velocityCount(joint.type);
    if (n == 0) continue;
    const auto child = static_cast<std::size_t>(joint.child);
    const Subspace S = motionSubspace(joint, X_WB[static_cast<std::size_t>(joint.parent)].R);
    Subspace F = workspace.composite[child].lazyProduct(S);
    MassBlock own = S.transpose().lazyProduct(F);
    own.diagonal().array() += joint.armature;
    visit(joint, joint, own);

    // The force that accelerates the composite passes through every joint towards the world.
    for (auto b = child; tree.parentOf(static_cast<int>(b)) > 0;) {
      const auto parent = static_cast<std::size_t>(tree.parentOf(static_cast<int>(b)));
      for (int k = 0; k < n; ++k) F.col(k) = moveForceBack(F.col(k), X_WB[b].p - X_WB[parent].p);
      b = parent;
      const Joint& outer = tree.joints[b - 1];
      if (velocityCount(outer.type) == 0) continue;
      const Subspace outerS = motionSubspace(outer, X_WB[static_cast<std::size_t>(outer.parent)].R);
      visit(outer, joint, MassBlock(outerS.transpose().lazyProduct(F)));
    }
  }
}

}  // namespace slipstick::multibody
