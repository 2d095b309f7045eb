// Newton's method with exact line search and sparse Cholesky on the convex problem of a rigid step (SAP:
// Castro, Permenter & Han 2022).
#pragma once

#include <span>
#include <vector>

#include "engine/contact/block_cholesky.h"
#include "engine/contact/sap_problem.h"
#include "engine/contact/solve_trace.h"
#include "engine/numerics/root_finder.h"

namespace slipstick::contact {

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
  double residual = 0;   ///< ‖D∇ℓ‖ / max(‖Dp‖, ‖D j_c‖), D = diag(A)^{-1/2}
  double tolerance = 0;  ///< what the test asks of it
  double error = 0;      ///< ‖D∇ℓ‖ [√J]
  bool factored = true;  ///< false: the Hessian had no factor, and v is that of the iteration before
  bool searched = true;  ///< false: a line search used up its steps before the slope vanished
};

/// Solves one island after the other. Keeps its workspace: a steady state allocates nothing. Results are the same
/// bits on every instruction set.
class SapSolver {
 public:
  explicit SapSolver(SapSettings settings = {});
  SapSolver(SapSettings settings, const RigidKernels& kernels) : settings_(settings), kernels_(&kernels) {}

  /// Takes over a new problem's points. Call before everything else.
  void reset(const SapProblem& problem);
  /// Takes over new friction bounds and ε of an island's points.
  void updateFriction(const SapProblem& problem, const SapIsland& island);

  /// Residual at v; solve() from the same v starts from what this found.
  SapReport evaluate(SapProblem& problem, const SapIsland& island, const VecX& v);

  /// Writes gamma and velocity of the island's constraints, also where it did not converge.
  /// @param v  start in, minimiser out (the island's velocities only)
  /// @param evaluated  of evaluate() at this v; null: not known
  [[nodiscard]] SapReport solve(SapProblem& problem, const SapIsland& island, int islandIndex, VecX& v,
                                const SapReport* evaluated = nullptr);

  /// What evaluate() was asked about last, of its island: ∇ℓ.
  const VecX& gradient() const { return gradient_; }
  /// Factorises A + Σ JᵀGJ of an island at the v that evaluate() was just asked about; A may be another problem's.
  /// @return false where it is not positive definite
  [[nodiscard]] bool factorize(const SapProblem& problem, const SapIsland& island, int islandIndex,
                               const VecX& v);
  /// x ← (A + Σ JᵀGJ)⁻¹ x of the island's velocities, after factorize().
  void solveFactorized(const SapProblem& problem, const SapIsland& island, int islandIndex, VecX& x);
  using Slope = numerics::Slope;
  /// dℓ/dα and d²ℓ/dα² at v, along a direction [J].
  Slope along(SapProblem& problem, const SapIsland& island, const VecX& v, const VecX& direction);

  /// Of all solve() since it was cleared: further ones are further passes of the same problem.
  SolveTrace& trace() { return trace_; }

  /// ℓ(v) of the island [J].
  double cost(const SapProblem& problem, const SapIsland& island, const VecX& v);

 private:
  using Vec6s = std::vector<Vec6>;
  using Mat6s = std::vector<Mat6>;
  const PointLoops& loops(const SapProblem& problem) const;
  PointArgs pointArgs(const SapIsland& island);
  void writeResults(SapProblem& problem, const SapIsland& island) const;
  void computeVelocities(const SapProblem& problem, const SapIsland& island, const VecX& v, bool direction,
                         Vec6s& V);
  void addConstraintImpulses(SapProblem& problem, const SapIsland& island, const VecX& v);
  [[nodiscard]] bool computeDirection(const SapProblem& problem, const SapIsland& island, const VecX& v,
                                      BlockCholesky& cholesky);
  [[nodiscard]] bool factorize(const SapProblem& problem, const SapIsland& island, const VecX& v,
                               BlockCholesky& cholesky);
  BlockCholesky& factorOf(int islandIndex);
  void analyze(const SapProblem& problem, const SapIsland& island, BlockCholesky& cholesky);
  void addScalarHessians(const SapProblem& problem, const SapIsland& island, const VecX& v,
                         BlockCholesky& cholesky);
  using Jacobian = Eigen::Map<Eigen::Matrix<double, 6, Eigen::Dynamic>>;
  static Jacobian jacobianAt(const SapProblem& problem, const SapBody& body, const Vec3& origin,
                             std::vector<double>& storage);
  static void addProduct(BlockCholesky::Block block, const Jacobian& left, const Mat6& K,
                         const Jacobian& right, double sign);
  void addPairHessian(const SapProblem& problem, const BodyPair& pair, const Mat6& K,
                      BlockCholesky& cholesky);
  void addFreePairHessian(const SapProblem& problem, const BodyPair& pair, const Mat6& K,
                          BlockCholesky& cholesky);
  void step(SapProblem& problem, const SapIsland& island, VecX& v, SapReport& report);
  /// A point on the way along Δv.
  struct LinePoint {
    double alpha = 1;
    bool found = true;  ///< the slope of ℓ vanishes there, or nearer than rounding can tell
  };
  LinePoint searchLine(const SapProblem& problem, const SapIsland& island, double slopeAtStart,
                       double slopeAtFull);
  Slope slopeBeyond(const SapProblem& problem, const SapIsland& island, double beyond);

  SapSettings settings_;
  const RigidKernels* kernels_;
  SolveTrace trace_;
  std::vector<BlockCholesky> factors_;  ///< per island index: keeps elimination orders
  std::vector<double> packs_;           ///< PointField
  std::vector<PackRange> ranges_;       ///< per pair
  VecX inverseDiagonal_;                ///< of A
  VecX trial_, momentum_, impulse_, gradient_, direction_, offset_;
  Vec6s bodyV_, bodyWrench_;                  ///< per body
  Vec6s pairV_, pairDirection_, pairWrench_;  ///< per pair: V, ΔV and the wrench of its points
  Mat6s pairK_;                               ///< per pair
  std::vector<int> localTree_;                ///< per tree: position in the island
  std::vector<int> sizes_;
  std::vector<std::pair<int, int>> edges_;
  std::vector<double> right_;
  std::vector<double> jacobianA_, jacobianB_;
};

}  // namespace slipstick::contact
