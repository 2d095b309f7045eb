// The convex problem of one island: minimise ½‖v − v*‖²_A + Σ ℓ_c(J_c v) (SAP: Castro, Permenter & Han 2022).
#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "engine/model/math.h"
#include "engine/multibody/constraint.h"

namespace slipstick::multibody {

struct SapProblem {
  MatX A;      ///< M + Δt · damping, symmetric positive definite [kg, kg m, kg m²]
  VecX vStar;  ///< free-motion velocity
  std::vector<Constraint> constraints;
};

struct SapSettings {
  double relativeTolerance = 1e-6;   ///< ε_r
  double absoluteTolerance = 1e-14;  ///< ε_a [√J]
  int maxIterations = 100;
  double maxStep = 1.5;               ///< α_max of the line search
  double lineSearchTolerance = 1e-8;  ///< on the slope relative to its value at α = 0
};

struct SapReport {
  int iterations = 0;
  bool converged = false;
  double residual = 0;  ///< ‖D∇ℓ‖ / max(‖Dp‖, ‖D j_c‖), D = diag(A)^{-1/2}
};

/// Newton's method with exact line search and dense Cholesky. Keeps its workspace: a steady state allocates
/// nothing.
class SapSolver {
 public:
  explicit SapSolver(SapSettings settings = {}) : settings_(settings) {}

  /// @param v  start in, minimiser out.
  SapReport solve(const SapProblem& problem, VecX& v);

  /// ℓ(v) [J].
  static double cost(const SapProblem& problem, const VecX& v);

 private:
  bool evaluate(const SapProblem& problem, const VecX& v, SapReport& report);
  void computeDirection(const SapProblem& problem);
  double searchLine(const SapProblem& problem);

  SapSettings settings_;
  VecX momentum_, impulse_, gradient_, direction_, offset_, stretched_;
  MatX H_;
  Eigen::LLT<MatX> cholesky_;
  std::vector<RowVec> u_, du_;  ///< per constraint: J v and J Δv
};

}  // namespace slipstick::multibody
