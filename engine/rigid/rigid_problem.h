// From a model in a state to the convex problem of its next step.
#pragma once

#include <memory>
#include <vector>

#include "engine/contact/sap_problem.h"
#include "engine/geometry/collision.h"
#include "engine/multibody/dynamics.h"
#include "engine/rigid/rigid_step.h"
#include "engine/rigid/tree_layout.h"

namespace slipstick {

class RigidProblem {
 public:
  explicit RigidProblem(std::shared_ptr<const Model> model);

  /// Free motion, laws of all constraints and contacts at t_n. @return false: a body that can move has no
  /// inertia.
  [[nodiscard]] bool build(const RigidStepInput& input, RigidContactSet& contacts, RigidTimes& times);

  contact::SapProblem sap;
  VecX previous;          ///< v at t_n, solver order
  int warmStartSize = 0;  ///< scalars, then six per loop

  const TreeLayout& layout() const { return layout_; }
  const std::vector<Pose>& poses() const { return X_WB_; }  ///< at t_n
  const RigidTolerances& tolerances() const { return model_->rigidSolver; }
  /// Index in sap.bodies, 0 for what does not move at all; bodies enter when something first touches them in a step.
  int sapBody(int body, const RigidStepInput& input);
  /// v_B − v_A at t_n, at a pair's origin, (angular, linear).
  contact::Vec6 velocityBefore(const contact::BodyPair& pair) const;
  /// The PD target of a joint in this step, or null.
  const PdTarget* targetOf(int joint, const RigidStepInput& input) const;

 private:
  void addScalar(contact::ScalarConstraint::Kind kind, int joint, int dof, double coefficient, int dof2 = -1,
                 double coefficient2 = 0);
  void addJointConstraints(int joint);
  void readTargets(const RigidStepInput& input);
  static bool takesPart(std::size_t tree, const RigidStepInput& input) {
    return input.trees.empty() || input.trees[tree];
  }
  void findBodies(const RigidStepInput& input);
  void computeForces(const RigidStepInput& input);
  void computeMass(const RigidStepInput& input);
  bool computeFreeMotion(const RigidStepInput& input);
  void updateScalars(const RigidStepInput& input);
  double delassus(const contact::ScalarConstraint& c);
  double inverseDiagonal(int dof, int tree);
  void computeJacobian(int body, contact::SapBody& target);
  contact::Mat6 mobility(const contact::BodyPair& pair);
  double linearMobility(const contact::BodyPair& pair);
  void addLoop(int loop, const RigidStepInput& input);
  void setLoopRows(const Loop& loop, const RigidStepInput& input, contact::BodyPair& pair);
  static void slowWeakDirections(const contact::Mat6& W, const contact::Vec6& unit, double energy,
                                 contact::BodyPair& pair);
  void addContacts(const RigidStepInput& input, const RigidContactSet& contacts);
  struct PairFacts {
    Vec3 origin;
    double w, mu, dt;  ///< Delassus estimate [1/kg], friction [-], step [s]
  };
  void setPoint(int index, const RigidContactPoint& point, const RigidContactLaw& own, double vn0,
                const PairFacts& pair);
  contact::Vec6 previousVelocity(int body, const Vec3& p_W) const;

  std::shared_ptr<const Model> model_;
  TreeLayout layout_;
  Collision collision_;
  multibody::DynamicsWorkspace dynamics_;
  std::vector<Pose> X_WB_;
  std::vector<Velocity> V_WB_;
  std::vector<Wrench> wrench_;
  std::vector<int> targetOfJoint_;           ///< index into RigidStepInput::targets, or −1
  std::vector<char> bodies_;                 ///< per body: whether it takes part; empty: all do
  std::vector<int> sapBodyOf_;               ///< per body, in this step; −1: none yet
  std::vector<contact::Mat6> mobility_;      ///< per SapBody: J A⁻¹ Jᵀ about its origin
  std::vector<contact::Mat6> freeMobility_;  ///< per tree that is free: A⁻¹
  VecX force_, zeroAcceleration_, rhs_;
  VecX inverseDiagonal_;  ///< per velocity, of A⁻¹ in this step; negative: not asked for yet
  std::vector<double> scratch_, relative_;
};

}  // namespace slipstick
