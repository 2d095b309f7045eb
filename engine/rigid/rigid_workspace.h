// What the rigid solver keeps from step to step, and one step in its parts: for RigidSolver, which takes all islands at
// once, and for couplings that give some of them steps of their own.
#pragma once

#include <memory>

#include "engine/contact/sap_islands.h"
#include "engine/contact/sap_objective.h"
#include "engine/contact/sap_solver.h"
#include "engine/rigid/rigid_problem.h"
#include "engine/rigid/rigid_solver.h"

namespace slipstick {

struct RigidWorkspace {
  RigidProblem problem;
  contact::SapIslands islands;
  contact::SapSolver solver;
  int lagIterations;
  VecX v, candidate;  ///< solver order: of all that is solved, and a start that may be better
  VecX warm;          ///< constraint impulses of the step before; another size than the problem's: none

  explicit RigidWorkspace(const std::shared_ptr<const Model>& model);
  const std::shared_ptr<const Model>& model() const { return model_; }

  /// What is known before the solve, the problem and its islands. @param warmStart  as of RigidSolver::step
  /// @return false: a body that can move has no inertia; the output says so
  [[nodiscard]] bool begin(const RigidStepInput& input, const VecX& warmStart, RigidStepOutput& output);
  /// From `v` at t_n, or from what is better.
  void solveIsland(int index, RigidStepOutput& output);
  /// Velocities, actuator forces and constraint impulses of an island that was solved.
  void collectIsland(int index, const RigidStepInput& input, VecX& warmStart, RigidStepOutput& output) const;
  /// What the points of all contacts did.
  void collectContacts(RigidStepOutput& output) const;

 private:
  std::shared_ptr<const Model> model_;
  contact::SapPoint start_;

  void findStart(const contact::SapIsland& island);
  void chooseStart(const contact::SapIsland& island);
  void copyIsland(const contact::SapIsland& island, const VecX& from);
  [[nodiscard]] bool impulseStart(const contact::SapIsland& island);
  double correctFrictionBounds(const contact::SapIsland& island);
  void collectActuators(const contact::SapIsland& island, const RigidStepInput& input,
                        RigidStepOutput& output) const;
  RigidContactResult resultOf(const contact::ContactPointLaw& point, const Vec3& before) const;
  double springEnergy(const contact::ContactPointLaw& point) const;
};

}  // namespace slipstick
