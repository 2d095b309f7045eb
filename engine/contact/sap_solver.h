// Newton's method with exact line search and sparse Cholesky on the convex problem of a rigid step (SAP:
// Castro, Permenter & Han 2022).
#pragma once

#include "engine/contact/kernels/kernel_table.h"
#include "engine/contact/sap_hessian.h"
#include "engine/contact/sap_objective.h"
#include "engine/contact/sap_problem.h"
#include "engine/contact/solve_trace.h"
#include "engine/foundation/math.h"

namespace slipstick::contact {

/// Of the line search: those of Drake's SapSolver.
struct SapSettings {
  double relativeTolerance = 1e-6;   ///< ε_r
  double absoluteTolerance = 1e-14;  ///< ε_a [√J]
  int maxIterations = 100;
  double maxStep = 1.5;        ///< α_max of the line search
  double fullStepSlope = 0.1;  ///< α = 1 without a search: largest slope there, if the residual halves too
  double lineSearchTolerance = 1e-8;  ///< on the slope relative to its value at α = 0
  int maxLineSearchSteps = 100;
};

struct SapReport {
  int iterations = 0;
  bool converged = false;
  double residual = 0;    ///< error / scale
  double tolerance = 0;   ///< what the test asks of it
  double error = 0;       ///< ‖D∇ℓ‖, D = diag(A)^{-1/2} [√J]
  double scale = 0;       ///< max(‖Dp‖, ‖D j_c‖) [√J]
  bool factored = true;   ///< false: the Hessian had no factor, and v is that of the iteration before
  bool searched = true;   ///< false: a line search used up its steps before the slope vanished
  bool descended = true;  ///< false: a step raised ℓ by more than rounding can
};

/// Solves one island after the other. Keeps its workspace: a steady state allocates nothing. Results are the same
/// bits on every instruction set.
class SapSolver {
 public:
  explicit SapSolver(SapSettings settings = {});
  SapSolver(SapSettings settings, const RigidKernels& kernels)
      : settings_(settings), objective_(kernels), hessian_(kernels) {}

  /// Takes over a new problem's points. Call before everything else.
  void reset(const SapProblem& problem);
  SapObjective& objective() { return objective_; }

  /// The stop test where the objective was evaluated.
  [[nodiscard]] SapReport test(const SapProblem& problem, const SapIsland& island,
                               const SapPoint& here) const;

  /// Writes gamma and velocity of the island's constraints, also where it did not converge.
  /// @param v  start in, minimiser out (the island's velocities only)
  [[nodiscard]] SapReport solve(SapProblem& problem, const SapIsland& island, int islandIndex, VecX& v);
  /// The same. @param here  where the objective was evaluated: start in, minimiser out
  [[nodiscard]] SapReport solve(SapProblem& problem, const SapIsland& island, int islandIndex,
                                SapPoint& here);

  /// Of all solve() since it was cleared: further ones are further passes of the same problem.
  SolveTrace& trace() { return trace_; }

 private:
  void findDirection(const SapProblem& problem, const SapIsland& island, int islandIndex,
                     const SapPoint& here, SapReport& report);
  void step(const SapProblem& problem, const SapIsland& island, SapPoint& here, SapReport& report);
  void tryStep(const SapProblem& problem, const SapIsland& island, const SapPoint& here, double alpha,
               SapReport& report);
  double slopeAt(const SapProblem& problem, const SapIsland& island, const SapPoint& here) const;
  double searchLine(const SapProblem& problem, const SapIsland& island, double slopeAtStart,
                    double slopeAtFull, SapReport& report);
  bool isHigher(const SapProblem& problem, const SapIsland& island, const SapPoint& here, double energy);

  SapSettings settings_;
  SapObjective objective_;
  SapHessian hessian_;
  SolveTrace trace_;
  VecX inverseDiagonal_;  ///< of A
  // Scratch of one solve:
  SapPoint start_, trial_;
  VecX direction_;  ///< Δv
  SapRay ray_;
};

}  // namespace slipstick::contact
