// One implicit step of grid and rigid bodies in two stages (Zong 2024).
//   1. Free motion of the grid, see FreeMotion: v*.
//   2. Contact: grid and rigid bodies together minimise ½‖v_d − v*‖²_H + ½‖v_r − v_r*‖²_A + ℓ_r(v_r) + ℓ_c(J_d v_d − J_r v_r)
//      (Eq. 7), H the tangent of stage 1 at v*, ℓ_c the SAP potential (Castro, Permenter & Han 2022), by Newton's method
//      with exact line search. Zong's law is quadratic. Of others the tangent at v* may not tell what contact does: dough
//      that a pin presses yields. Where what the grid resists at the end differs from the impulses, stage 2 is repeated with
//      the tangents there and the v* that these lead to, which is Newton's method on both stages as one.
// Linear systems are solved by conjugate gradients with the nodes' diagonal blocks until these take longer than a factor of H
// would; stage 2 then goes over to contact space, see ImpulseSolve. Where contacts are too many for its W, factors of
// H + J_dᵀGJ_d leave to conjugate gradients only how the bodies give way. Mechanisms give way to the grid as their Hessian
// says, see RigidSide. Serial, in double but for factors, see GridHessian.
#pragma once

#include "engine/mpm/contact/conjugate_gradients.h"
#include "engine/mpm/implicit/contact_iterate.h"
#include "engine/mpm/implicit/free_motion.h"
#include "engine/mpm/implicit/grid_hessian.h"
#include "engine/mpm/implicit/impulse_solve.h"

namespace slipstick::mpm {

class ImplicitSolver {
 public:
  explicit ImplicitSolver(const ImplicitSettings& settings = {}) : settings_(settings) {}
  ImplicitSolver(const ImplicitSolver&) = delete;  // its parts know each other
  ImplicitSolver& operator=(const ImplicitSolver&) = delete;

  /// v* and, in the problem, the tangents there. Of the contacts only their nodes count. @return whether it converged
  [[nodiscard]] bool solveFree(ImplicitProblem& problem, ImplicitSolution& solution) {
    return free_.solve(problem, solution);
  }
  /// How the nodes' diagonal blocks of H resist contacts: w = Σ w_i² tr(H_ii⁻¹)/3, after solveFree() [1/kg].
  double mobility(const ImplicitContact& contact) const;
  /// From v* and v_r*, or where ℓ is lower: what rests in contact starts with the impulses that it had, or without
  /// factors from the velocities before the step. The contacts must be complete; the problem is that of solveFree().
  void solveContact(ImplicitProblem& problem, ImplicitSolution& solution);

 private:
  double imbalanceAtEnd(const ImplicitProblem& problem, const ImplicitSolution& solution);
  void solveTangent(ImplicitProblem& problem, ImplicitSolution& solution);
  void iterateContact(const ImplicitProblem& problem, ImplicitSolution& solution);
  void startContact(ImplicitProblem& problem, ImplicitSolution& solution, bool contactSpace);
  bool enterContactSpace(const ImplicitProblem& problem, ImplicitSolution& solution);
  void chooseStart(const ImplicitProblem& problem, const ImplicitSolution& solution);
  void findChange(const ImplicitSolution& solution);
  void evaluateContact(ImplicitSolution& solution);
  void advanceContact(const ImplicitProblem& problem, ImplicitSolution& solution);
  bool findNewtonStep(ImplicitSolution& solution);

  ImplicitSettings settings_;
  GridHessian hessian_;
  FreeMotion free_{hessian_, settings_};
  ContactIterate at_;
  ImpulseSolve impulses_{at_};

  VecX change_, Hchange_;                ///< v − v* and H of it
  VecX gradient_, step_, Hstep_, load_;  ///< load_: Jᵀγ
  ConjugateGradients<VecX> gradients_;
  int contactGradients_ = 0;  ///< conjugate gradients of stage 2
  bool mayEnter_ = false;     ///< contact space, which is cheaper than factors then
};

}  // namespace slipstick::mpm
