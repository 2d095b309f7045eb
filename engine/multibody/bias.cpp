// Recursive Newton–Euler algorithm (Featherstone 2008, Table 5.1).
#include "engine/foundation/require.h"
#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"
#include "engine/multibody/spatial.h"

namespace slipstick::multibody {

namespace {

/// sum += S x.
void addTimes(const Subspace& S, const double* x, Vec6& sum) {
  for (int k = 0; k < S.cols(); ++k) sum += x[k] * S.col(k);
}

}  // namespace

void prepareDynamics(const Tree& tree, const std::vector<Pose>& X_WB, DynamicsWorkspace& workspace) {
  SIM_REQUIRE(X_WB.size() == tree.bodies.size(), X_WB.size());
  workspace.subspace.resize(tree.bodies.size());
  workspace.inertia.resize(tree.bodies.size());
  for (const Joint& joint : tree.joints) {
    const auto b = static_cast<std::size_t>(joint.child);
    workspace.subspace[b] = motionSubspace(joint, X_WB[static_cast<std::size_t>(joint.parent)].R);
    workspace.inertia[b] = spatialInertia(tree.bodies[b], X_WB[b].R);
  }
}

VecX inverseDynamics(const Tree& tree, const VecX& q, const VecX& v, const VecX& a, const Vec3& gravity,
                     const std::vector<Wrench>& externalWrench) {
  std::vector<Pose> X_WB;
  std::vector<Velocity> V_WB;
  computePoses(tree, q, X_WB);
  computeVelocities(tree, q, v, X_WB, V_WB);
  DynamicsWorkspace workspace;
  prepareDynamics(tree, X_WB, workspace);
  VecX tau;
  inverseDynamics(tree, X_WB, V_WB, v, a, gravity, externalWrench, workspace, tau);
  return tau;
}

void inverseDynamics(const Tree& tree, const std::vector<Pose>& X_WB, const std::vector<Velocity>& V_WB,
                     const VecX& v, const VecX& a, const Vec3& gravity,
                     const std::vector<Wrench>& externalWrench, DynamicsWorkspace& workspace, VecX& tau) {
  SIM_REQUIRE(v.size() == tree.nv && a.size() == tree.nv, v.size(), a.size(), tree.nv);
  SIM_REQUIRE(externalWrench.empty() || externalWrench.size() == tree.bodies.size(), externalWrench.size());
  // Outwards: accelerations, and the force each body needs. Gravity is a world that accelerates upwards.
  std::vector<Vec6>&acceleration = workspace.acceleration, &force = workspace.force;
  acceleration.resize(tree.bodies.size());
  force.resize(tree.bodies.size());
  acceleration[0] = stack(Vec3::Zero(), -gravity);
  force[0].setZero();
  for (const Joint& joint : tree.joints) {
    const auto parent = static_cast<std::size_t>(joint.parent), b = static_cast<std::size_t>(joint.child);
    const Vec3 r = X_WB[b].p - X_WB[parent].p;
    acceleration[b] = moveMotion(acceleration[parent], r);
    addTimes(workspace.subspace[b], a.data() + joint.vStart, acceleration[b]);
    if (parent > 0) {
      Vec6 relative = Vec6::Zero();
      addTimes(workspace.subspace[b], v.data() + joint.vStart, relative);
      acceleration[b] += velocityProduct(V_WB[parent].w, r, relative);
    }
    const Mat6& inertia = workspace.inertia[b];
    force[b].noalias() = inertia.lazyProduct(acceleration[b]);
    force[b] += gyroscopicForce(tree.bodies[b], inertia, X_WB[b].R, V_WB[b].w);
    if (!externalWrench.empty()) force[b] -= stack(externalWrench[b].torque, externalWrench[b].force);
  }

  // Inwards: what each joint must transmit.
  tau.resize(tree.nv);
  for (auto it = tree.joints.rbegin(); it != tree.joints.rend(); ++it) {
    const auto parent = static_cast<std::size_t>(it->parent), b = static_cast<std::size_t>(it->child);
    const Subspace& S = workspace.subspace[b];
    for (int k = 0; k < S.cols(); ++k)
      tau[it->vStart + k] = S.col(k).dot(force[b]) + it->armature * a[it->vStart + k];
    if (parent > 0) force[parent] += moveForceBack(force[b], X_WB[b].p - X_WB[parent].p);
  }
}

}  // namespace slipstick::multibody
