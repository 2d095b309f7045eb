// The Hessian of a rigid step's convex function, ∇²ℓ = A + Σ Jᵀ G J, island by island: assembled block by block, and its sparse
// Cholesky factor.
#pragma once

#include <utility>
#include <vector>

#include "engine/contact/block_cholesky.h"
#include "engine/contact/kernels/kernel_table.h"
#include "engine/contact/sap_objective.h"
#include "engine/contact/sap_problem.h"
#include "engine/foundation/math.h"

namespace slipstick::contact {

/// Keeps its workspace and the islands' orders of elimination: a steady state allocates nothing.
class SapHessian {
 public:
  explicit SapHessian(const RigidKernels& kernels) : kernels_(&kernels) {}

  /// For a new problem. Call before everything else.
  void reset(const SapProblem& problem);
  /// Decides the order of elimination. Call before factorize() where other bodies touch, or another island has the index.
  /// @param index  of the island
  void analyze(const SapProblem& problem, const SapIsland& island, int index);
  /// @param problem  gives A, which may be another one's than that `objective` was asked about
  /// @param index    whose factor this replaces   @param here  where `objective` was evaluated
  /// @return false where the Hessian is not positive definite: there is no factor of that island then
  [[nodiscard]] bool factorize(const SapProblem& problem, const SapIsland& island, int index,
                               const SapObjective& objective, const SapPoint& here);
  /// x ← (∇²ℓ)⁻¹ x of the island's velocities, as factorised last.
  void solveInPlace(const SapProblem& problem, const SapIsland& island, int index, VecX& x);

 private:
  using Jacobian = Eigen::Map<Eigen::Matrix<double, 6, Eigen::Dynamic>>;

  void connect(int treeA, int treeB);
  void assemble(const SapProblem& problem, const SapIsland& island, const SapPoint& here, BlockCholesky& H);
  void addScalar(const SapProblem& problem, const ScalarConstraint& c, double G, BlockCholesky& H) const;
  void addCoupling(const SapProblem& problem, const ScalarConstraint& c, double G, BlockCholesky& H) const;
  void addPair(const SapProblem& problem, const BodyPair& pair, const Mat6& K, BlockCholesky& H);
  void addFreePair(const SapProblem& problem, const BodyPair& pair, const Mat6& K, BlockCholesky& H) const;

  static Jacobian jacobianAt(const SapProblem& problem, const SapBody& body, const Vec3& origin,
                             std::vector<double>& storage);
  static void addProduct(BlockCholesky::Block block, const Jacobian& left, const Mat6& K,
                         const Jacobian& right, double sign);

  const RigidKernels* kernels_;
  std::vector<BlockCholesky> matrices_;  ///< per index of an island
  std::vector<int> localTree_;           ///< per tree: its block row, in the matrix of its island
  // Scratch of one call:
  std::vector<Mat6> pairK_;
  std::vector<int> sizes_;
  std::vector<std::pair<int, int>> edges_;
  std::vector<double> right_, jacobianA_, jacobianB_;
};

}  // namespace slipstick::contact
