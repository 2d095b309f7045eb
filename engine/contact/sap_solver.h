// Newton's method with exact line search and sparse Cholesky on the convex problem of a rigid step (SAP:
// Castro, Permenter & Han 2022).
#pragma once

#include <span>
#include <vector>

#include "engine/contact/block_cholesky.h"
#include "engine/contact/sap_problem.h"

namespace slipstick::contact {

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

/// Solves one island after the other. Keeps its workspace: a steady state allocates nothing.
class SapSolver {
 public:
  explicit SapSolver(SapSettings settings = {}) : settings_(settings) {}

  /// Prepares for a new problem. Call before solve() and cost().
  void reset(const SapProblem& problem);

  /// Writes gamma and velocity of the island's constraints, also where it did not converge.
  /// @param v  start in, minimiser out (the island's velocities only)
  SapReport solve(SapProblem& problem, const SapIsland& island, int islandIndex, VecX& v);

  /// Whether v already meets the stopping test; writes gamma and velocity as solve() does.
  bool isMinimum(SapProblem& problem, const SapIsland& island, const VecX& v, SapReport& report);

  /// ℓ(v) of the island [J].
  double cost(const SapProblem& problem, const SapIsland& island, const VecX& v);

 private:
  using Vec6s = std::vector<Vec6>;
  void computeVelocities(const SapProblem& problem, const SapIsland& island, const VecX& v, bool direction,
                         Vec6s& V);
  bool evaluate(SapProblem& problem, const SapIsland& island, const VecX& v, SapReport& report);
  void addConstraintImpulses(SapProblem& problem, const SapIsland& island, const VecX& v);
  bool computeDirection(const SapProblem& problem, const SapIsland& island, const VecX& v,
                        BlockCholesky& cholesky);
  void analyze(const SapProblem& problem, const SapIsland& island, BlockCholesky& cholesky);
  void addScalarHessians(const SapProblem& problem, const SapIsland& island, const VecX& v,
                         BlockCholesky& cholesky);
  static Mat6 pairHessian(const SapProblem& problem, const BodyPair& pair, const Vec6& V);
  using Jacobian = Eigen::Map<Eigen::Matrix<double, 6, Eigen::Dynamic>>;
  static Jacobian jacobianAt(const SapProblem& problem, const SapBody& body, const Vec3& origin,
                             std::vector<double>& storage);
  static void addProduct(BlockCholesky::Block block, const Jacobian& left, const Mat6& K,
                         const Jacobian& right, double sign);
  void addPairHessian(const SapProblem& problem, const BodyPair& pair, const Mat6& K,
                      BlockCholesky& cholesky);
  double searchLine(const SapProblem& problem, const SapIsland& island, const VecX& v);
  struct Slope {
    double first = 0, second = 0;
  };
  Slope constraintSlope(const SapProblem& problem, const SapIsland& island, const VecX& v, double alpha);

  SapSettings settings_;
  std::vector<BlockCholesky> factors_;  ///< per island index: keeps elimination orders
  VecX momentum_, impulse_, gradient_, direction_, offset_;
  Vec6s bodyV_, bodyWrench_;     ///< per body
  Vec6s pairV_, pairDirection_;  ///< per pair: V and ΔV
  std::vector<int> localTree_;   ///< per tree: position in the island
  std::vector<int> sizes_;
  std::vector<std::pair<int, int>> edges_;
  std::vector<double> right_;
  std::vector<double> jacobianA_, jacobianB_;
};

}  // namespace slipstick::contact
