// The rigid world within one strongly coupled step: mechanisms that particles may touch are stepped with every MPM
// substep, the others once.
#pragma once

#include <memory>
#include <vector>

#include "engine/contact/sap_hessian.h"
#include "engine/contact/sap_objective.h"
#include "engine/contact/sap_problem.h"
#include "engine/methods/convex_mpm/rigid_step_sum.h"
#include "engine/mpm/contact/rigid_side.h"
#include "engine/rigid/rigid_workspace.h"

namespace slipstick::convex_mpm {

/// Keeps workspaces only: what a step does depends on its arguments.
///
/// A mechanism whose bodies particles may touch during the step, and all that contacts, loops and couplers connect with it
/// at t_n, moves with the substeps: its rigid problem is built at each substep's start, with contacts as they are then.
/// Joint targets go linearly to where the step wants them at its end; efforts, forces and prescribed velocities are those
/// of the step. The contact problem of the substep leaves impulses on bodies, with which its rigid problem is then solved
/// to the rigid solver's tolerance: momentum is exact, and rigid results are those of RigidSolver. All other
/// mechanisms take one step of Δt with the impulses that they received.
class SubsteppedRigid final : public mpm::RigidSide {
 public:
  explicit SubsteppedRigid(const std::shared_ptr<const Model>& model);

  /// A step begins. @param input  of the whole step, without impulses; must outlive the step
  /// @param mayTouch  per Model body: whether particles may come to touch it
  /// @param warmStart  constraint impulses of the step before
  void beginStep(const RigidStepInput& input, const std::vector<char>& mayTouch, const VecX& warmStart);
  /// The step ends. `output` is as of a RigidSolver's step of Δt, with forces averaged over the substeps: its contacts are
  /// all that touched in one of them, where they did last. @param q  becomes the positions at t_{n+1}
  void endStep(RigidStepOutput& output, VecX& warmStart, VecX& q);

  // mpm::RigidSide
  const std::vector<mpm::StepInput::BodyMotion>& bodies() const override { return bodies_; }
  bool moves(int body) const override;
  void begin(double dt) override;
  void end(std::span<const Wrench> impulses) override;
  void touch(std::span<const int> bodies) override;
  void start(Iterate& at) override;
  void settle(std::span<const Wrench> impulses, Iterate& at) override;
  void evaluate(Iterate& at) override;
  Residual residual(const Iterate& at, std::span<const Load> loads) override;
  void step(const Iterate& at, std::span<const Load> loads, Iterate& next) override;
  void linearize(const Iterate& at, std::span<const Load> loads) override;
  void respond(std::span<const Wrench> wrenches, bool withGradient, VecX& s,
               std::vector<Velocity>& V) override;
  Slope slope(const Iterate& at, const VecX& s, double alpha) override;
  void momentum(const VecX& x, VecX& Ax) const override;

  /// Per body: work that the impulses of end() did on it in this step, as of RigidContactResult::work [J].
  std::span<const double> particleWork() const { return particleWork_; }
  /// Wall time of all substeps [s].
  double seconds() const { return seconds_; }

 private:
  void chooseMoving(const std::vector<char>& mayTouch);
  void updateBodies();
  void enter(std::span<const int> bodies);
  void setTargets(double dt);
  void shift(std::span<const Wrench> impulses, contact::SapProblem& shifted);
  void shiftByLoads(std::span<const Load> loads);
  void addCurvature(std::span<const Load> loads);
  void velocitiesOf(const VecX& v, bool change, std::vector<Velocity>& V) const;
  void addJacobianTransposed(std::size_t touched, const Wrench& impulse, VecX& sum) const;
  void solveIslands(contact::SapProblem& problem, VecX& v);
  bool isFreeMotion(const contact::SapIsland& island) const;
  template <class F>
  void forMovingIslands(F&& f);
  void solveResting();
  void addMoving(VecX& q);

  std::shared_ptr<const Model> model_;
  RigidWorkspace slow_, fast_;  ///< steps of Δt, of substeps
  const RigidStepInput* input_ = nullptr;
  RigidStepInput fastInput_, restingInput_;
  RigidStepOutput slowOutput_, fastOutput_;
  RigidStepSum sum_;  ///< over the substeps
  bool solvable_ = true;
  std::vector<char> movingTree_;  ///< per tree of the layout
  bool anyMoves_ = false;
  std::vector<Pose> X_WB_, X_WB0_;  ///< now, at t_n
  std::vector<Velocity> V_WB_;
  std::vector<mpm::StepInput::BodyMotion> bodies_;
  VecX q_, v_, vEnd_, warm_;
  double elapsed_ = 0, dt_ = 0;         ///< of the step; of the present substep [s]
  std::vector<Wrench> restingImpulse_;  ///< per body about its origin at t_n, from particles
  std::vector<double> particleWork_;
  std::vector<Velocity> startV_WB_;  ///< of the substep
  RigidContactSet previous_;         ///< of the substep before
  double seconds_ = 0;

  // Of a substep's contact problem:
  std::vector<int> touchedBodies_;           ///< Model bodies
  std::vector<int> touched_;                 ///< indices into SapProblem::bodies
  contact::SapProblem shifted_, majorized_;  ///< with other v*; with other A and v*
  std::vector<char> loadedTree_;
  VecX impulse_, offset_, gradient_, trial_;
  std::vector<Wrench> wrenches_;
  std::vector<double> factor_;
  std::vector<double> curvedJacobian_;  ///< of addCurvature(): a load's curvature times its body's Jacobian
  contact::SapPoint point_;
  contact::SapRay ray_;
  contact::SapHessian hessian_;   ///< of linearize()
  std::vector<char> isFactored_;  ///< per island, by linearize()
};

}  // namespace slipstick::convex_mpm
