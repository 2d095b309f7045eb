// Recursive Newton–Euler algorithm (Featherstone 2008, Table 5.1).
#include "engine/foundation/require.h"
#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"
#include "engine/multibody/spatial.h"

namespace slipstick::multibody {

VecX inverseDynamics(const Tree& tree, const VecX& q, const VecX& v, const VecX& a, const Vec3& gravity,
                     const std::vector<Wrench>& externalWrench) {
  std::vector<Pose> X_WB;
  std::vector<Velocity> V_WB;
  computePoses(tree, q, X_WB);
  computeVelocities(tree, q, v, X_WB, V_WB);
  DynamicsWorkspace workspace;
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
    const int n = velocityCount(joint.type);
    const Subspace S = motionSubspace(joint, X_WB[parent].R);
    const Vec3 r = X_WB[b].p - X_WB[parent].p;
    const Vec6 jointMotion = S * v.segment(joint.vStart, n);
    acceleration[b] = moveMotion(acceleration[parent], r) + S * a.segment(joint.vStart, n) +
                      velocityProduct(V_WB[parent].w, r, jointMotion);
    const Mat6 inertia = spatialInertia(tree.bodies[b], X_WB[b].R);
    force[b] = inertia * acceleration[b] + gyroscopicForce(tree.bodies[b], inertia, X_WB[b].R, V_WB[b].w);
    if (!externalWrench.empty()) force[b] -= stack(externalWrench[b].torque, externalWrench[b].force);
  }

  // Inwards: what each joint must transmit.
  tau.resize(tree.nv);
  for (auto it = tree.joints.rbegin(); it != tree.joints.rend(); ++it) {
    const auto parent = static_cast<std::size_t>(it->parent), b = static_cast<std::size_t>(it->child);
    const int n = velocityCount(it->type);
    const Subspace S = motionSubspace(*it, X_WB[parent].R);
    tau.segment(it->vStart, n) = S.transpose() * force[b] + it->armature * a.segment(it->vStart, n);
    force[parent] += moveForceBack(force[b], X_WB[b].p - X_WB[parent].p);
  }
}

}  // namespace slipstick::multibody
