// Stage 1 of an implicit step, the grid's motion without contact: the minimum of ½‖v − vⁿ‖²_M − Δt vᵀMg + E(v) (Zong 2024,
// Eq. 15, 16), by Newton steps with projected tangents and a line search; one step where E is quadratic.
#pragma once

#include "engine/mpm/contact/conjugate_gradients.h"
#include "engine/mpm/implicit/grid_hessian.h"

namespace slipstick::mpm {

class FreeMotion {
 public:
  /// @param hessian  of the problems that are solved
  FreeMotion(GridHessian& hessian, const ImplicitSettings& settings)
      : hessian_(hessian), settings_(settings) {}

  /// From the ballistic velocities to v*, in solution.free, with the tangents there. @return whether it converged
  [[nodiscard]] bool solve(ImplicitProblem& problem, ImplicitSolution& solution);

  /// Of the gradient, and what it is to be small against.
  struct Imbalance {
    double error, scale;
  };
  /// The gradient at v, with the stresses that are there.
  Imbalance evaluate(const ImplicitProblem& problem, const VecX& v);
  const VecX& gradient() const { return gradient_; }
  /// −H⁻¹ gradient(). Where conjugate gradients have taken longer than a factorisation, its factor preconditions them, at
  /// later tangents, too.
  /// @param tolerance  of conjugate gradients   @param byFactor  at once, if it can be
  const VecX& findStep(ImplicitSolution& solution, double tolerance, bool byFactor);
  /// Of findStep(), for steps that nothing improves upon.
  double exactly() const { return 0.1 * settings_.relativeTolerance; }

 private:
  void solveByFactor();
  int solveByGradients(bool withFactor, double tolerance, int most, bool otherWays);
  [[nodiscard]] bool findExactStep(const VecX& v);
  [[nodiscard]] bool advance(const ImplicitProblem& problem, Tangents tangents, double& energy, VecX& v);

  GridHessian& hessian_;
  const ImplicitSettings& settings_;
  VecX gradient_, step_, remainder_, trial_;
  ConjugateGradients<VecX> gradients_;
};

}  // namespace slipstick::mpm
