// Articulated-body algorithm (Featherstone 2008, Table 7.1).
#include <Eigen/Cholesky>

#include "engine/foundation/require.h"
#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"
#include "engine/multibody/spatial.h"

namespace slipstick::multibody {

namespace {

using JointMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
using JointVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;

/// What the passes remember about one body and the joint that leads to it.
struct Articulated {
  Vec3 r = Vec3::Zero();  ///< from the parent's to the body's origin
  Subspace S;
  Vec6 c = Vec6::Zero();        ///< velocity product acceleration
  Mat6 inertia = Mat6::Zero();  ///< articulated inertia I^A
  Vec6 bias = Vec6::Zero();     ///< articulated bias force p^A
  Subspace U;                   ///< I^A S
  Eigen::LLT<JointMatrix> D;    ///< Sᵀ U + armature
  JointVector u;                ///< τ − Sᵀ p^A
};

/// Velocity products and the forces on each body on its own.
std::vector<Articulated> isolatedBodies(const Tree& tree, const VecX& q, const VecX& v,
                                        const std::vector<Wrench>& externalWrench) {
  std::vector<Pose> X_WB;
  std::vector<Velocity> V_WB;
  computePoses(tree, q, X_WB);
  computeVelocities(tree, q, v, X_WB, V_WB);
  std::vector<Articulated> bodies(tree.bodies.size());
  for (const Joint& joint : tree.joints) {
    const auto parent = static_cast<std::size_t>(joint.parent), b = static_cast<std::size_t>(joint.child);
    Articulated& body = bodies[b];
    body.r = X_WB[b].p - X_WB[parent].p;
    body.S = motionSubspace(joint, X_WB[parent].R);
    body.c =
        velocityProduct(V_WB[parent].w, body.r, body.S * v.segment(joint.vStart, velocityCount(joint.type)));
    body.inertia = spatialInertia(tree.bodies[b], X_WB[b].R);
    body.bias = gyroscopicForce(tree.bodies[b], body.inertia, X_WB[b].R, V_WB[b].w);
    if (!externalWrench.empty()) body.bias -= stack(externalWrench[b].torque, externalWrench[b].force);
  }
  return bodies;
}

}  // namespace

VecX forwardDynamics(const Tree& tree, const VecX& q, const VecX& v, const VecX& tau, const Vec3& gravity,
                     const std::vector<Wrench>& externalWrench) {
  SIM_REQUIRE(tau.size() == tree.nv, tau.size(), tree.nv);
  SIM_REQUIRE(externalWrench.empty() || externalWrench.size() == tree.bodies.size(), externalWrench.size());
  std::vector<Articulated> bodies = isolatedBodies(tree, q, v, externalWrench);

  // Inwards: what is left of a subtree's inertia and bias once its inboard joint may give way.
  for (auto it = tree.joints.rbegin(); it != tree.joints.rend(); ++it) {
    Articulated& body = bodies[static_cast<std::size_t>(it->child)];
    const int n = velocityCount(it->type);
    Mat6 inertia = body.inertia;
    Vec6 bias = body.bias + body.inertia * body.c;
    if (n > 0) {
      body.U = body.inertia * body.S;
      body.D.compute(body.S.transpose() * body.U + it->armature * JointMatrix::Identity(n, n));
      body.u = tau.segment(it->vStart, n) - body.S.transpose() * body.bias;
      inertia -= body.U * body.D.solve(JointMatrix(body.U.transpose()));
      bias += body.U * body.D.solve(JointVector(body.u - body.U.transpose() * body.c));
    }
    Articulated& parent = bodies[static_cast<std::size_t>(it->parent)];
    parent.inertia += moveInertiaBack(inertia, body.r);
    parent.bias += moveForceBack(bias, body.r);
  }

  // Outwards: accelerations. Gravity is a world that accelerates upwards.
  VecX a(tree.nv);
  std::vector<Vec6> acceleration(tree.bodies.size());
  acceleration[0] = stack(Vec3::Zero(), -gravity);
  for (const Joint& joint : tree.joints) {
    const Articulated& body = bodies[static_cast<std::size_t>(joint.child)];
    const int n = velocityCount(joint.type);
    Vec6 given = moveMotion(acceleration[static_cast<std::size_t>(joint.parent)], body.r) + body.c;
    if (n > 0) {
      const JointVector own = body.D.solve(JointVector(body.u - body.U.transpose() * given));
      a.segment(joint.vStart, n) = own;
      given += body.S * own;
    }
    acceleration[static_cast<std::size_t>(joint.child)] = given;
  }
  return a;
}

}  // namespace slipstick::multibody
