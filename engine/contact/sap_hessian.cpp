#include "engine/contact/sap_hessian.h"

#include <algorithm>
#include <cstddef>

#include "engine/multibody/spatial.h"

namespace slipstick::contact {

namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

void SapHessian::reset(const SapProblem& problem) {
  pairK_.resize(problem.pairs.size());
  localTree_.resize(problem.trees.size());
  right_.resize(static_cast<std::size_t>(problem.vStar.size()));
}

void SapHessian::analyze(const SapProblem& problem, const SapIsland& island, int index) {
  if (matrices_.size() <= at(index)) matrices_.resize(at(index) + 1, BlockCholesky(kernels_->panels));
  sizes_.clear();
  edges_.clear();
  for (const int t : island.trees) {
    localTree_[at(t)] = static_cast<int>(sizes_.size());
    sizes_.push_back(problem.trees[at(t)].size);
  }
  for (const int k : island.pairs) {
    const BodyPair& pair = problem.pairs[at(k)];
    connect(problem.bodies[at(pair.bodyA)].tree, problem.bodies[at(pair.bodyB)].tree);
  }
  for (const int k : island.scalars) {
    const ScalarConstraint& c = problem.scalars[at(k)];
    if (c.dof[1] >= 0) connect(c.tree[0], c.tree[1]);
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  matrices_[at(index)].analyze(sizes_, edges_);
}

/// Trees of −1 do not move.
void SapHessian::connect(int treeA, int treeB) {
  if (treeA < 0 || treeB < 0 || treeA == treeB) return;
  edges_.emplace_back(std::minmax(localTree_[at(treeA)], localTree_[at(treeB)]));
}

bool SapHessian::factorize(const SapProblem& problem, const SapIsland& island, int index,
                           const SapObjective& objective, const SapPoint& here) {
  BlockCholesky& H = matrices_[at(index)];
  objective.findPairHessians(problem, island, here, pairK_);
  assemble(problem, island, here, H);
  return H.factorize();
}

void SapHessian::solveInPlace(const SapProblem& problem, const SapIsland& island, int index, VecX& x) {
  double* entry = right_.data();
  for (const int t : island.trees)
    for (int i = 0; i < problem.trees[at(t)].size; ++i) *entry++ = x[problem.trees[at(t)].start + i];
  matrices_[at(index)].solveInPlace(right_.data());
  entry = right_.data();
  for (const int t : island.trees)
    for (int i = 0; i < problem.trees[at(t)].size; ++i) x[problem.trees[at(t)].start + i] = *entry++;
}

/// With pairK_ found.
void SapHessian::assemble(const SapProblem& problem, const SapIsland& island, const SapPoint& here,
                          BlockCholesky& H) {
  H.setZero();
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    const BlockCholesky::Block block = H.diagonal(localTree_[at(t)]);
    Eigen::Map<MatX, 0, Eigen::OuterStride<>>(block.data, tree.size, tree.size,
                                              Eigen::OuterStride<>(block.stride)) = problem.blockA(tree);
  }
  for (const int k : island.scalars) {
    const ScalarConstraint& c = problem.scalars[at(k)];
    if (c.active) addScalar(problem, c, c.law.hessian(c.velocity(here.v)), H);
  }
  for (const int k : island.pairs) addPair(problem, problem.pairs[at(k)], pairK_[at(k)], H);
}

/// @param G  ∂²ℓ_c/∂u²
void SapHessian::addScalar(const SapProblem& problem, const ScalarConstraint& c, double G,
                           BlockCholesky& H) const {
  if (G == 0) return;
  for (std::size_t i = 0; i < 2; ++i) {
    if (c.dof[i] < 0) continue;
    const int row = c.dof[i] - problem.trees[at(c.tree[i])].start;
    const BlockCholesky::Block own = H.diagonal(localTree_[at(c.tree[i])]);
    own.data[row * own.stride + row] += c.coefficient[i] * c.coefficient[i] * G;
  }
  if (c.dof[1] >= 0) addCoupling(problem, c, G, H);
}

/// The entries beside the diagonal, of two velocities.
void SapHessian::addCoupling(const SapProblem& problem, const ScalarConstraint& c, double G,
                             BlockCholesky& H) const {
  const double entry = c.coefficient[0] * c.coefficient[1] * G;
  const int row = c.dof[0] - problem.trees[at(c.tree[0])].start;
  const int column = c.dof[1] - problem.trees[at(c.tree[1])].start;
  if (c.tree[0] == c.tree[1]) {
    const BlockCholesky::Block own = H.diagonal(localTree_[at(c.tree[0])]);
    own.data[column * own.stride + row] += entry;
    own.data[row * own.stride + column] += entry;
    return;
  }
  const BlockCholesky::Block block = H.offDiagonal(localTree_[at(c.tree[0])], localTree_[at(c.tree[1])]);
  (block.transposed ? block.data[row * block.stride + column] : block.data[column * block.stride + row]) +=
      entry;
}

/// The body's Jacobian at the pair's origin, in `storage`.
SapHessian::Jacobian SapHessian::jacobianAt(const SapProblem& problem, const SapBody& body,
                                            const Vec3& origin, std::vector<double>& storage) {
  const auto source = problem.jacobian(body);
  storage.resize(std::max(storage.size(), static_cast<std::size_t>(source.size())));
  Jacobian J(storage.data(), 6, source.cols());
  const Vec3 r = origin - body.p;
  for (int c = 0; c < source.cols(); ++c) J.col(c) = multibody::moveMotion(source.col(c), r);
  return J;
}

/// block += sign · leftᵀ K right.
void SapHessian::addProduct(BlockCholesky::Block block, const Jacobian& left, const Mat6& K,
                            const Jacobian& right, double sign) {
  for (int c = 0; c < right.cols(); ++c) {
    const Vec6 column = sign * (K * right.col(c));
    double* target = block.data + c * block.stride;
    for (int r = 0; r < left.cols(); ++r) target[r] += left.col(r).dot(column);
  }
}

/// The same where each body is free or does not move.
void SapHessian::addFreePair(const SapProblem& problem, const BodyPair& pair, const Mat6& K,
                             BlockCholesky& H) const {
  const SapBody &A = problem.bodies[at(pair.bodyA)], &B = problem.bodies[at(pair.bodyB)];
  const Vec3 a = pair.origin - A.p, b = pair.origin - B.p;
  const auto add = [&](BlockCholesky::Block block, const Vec3& left, const Vec3& right, double sign) {
    Mat6 moved;
    kernels_->panels.move(K.data(), left.data(), right.data(), moved.data());
    for (int c = 0; c < 6; ++c) Eigen::Map<Vec6>(block.data + c * block.stride) += sign * moved.col(c);
  };
  if (A.free) add(H.diagonal(localTree_[at(A.tree)]), a, a, 1);
  if (B.free) add(H.diagonal(localTree_[at(B.tree)]), b, b, 1);
  if (!A.free || !B.free) return;
  const BlockCholesky::Block block = H.offDiagonal(localTree_[at(A.tree)], localTree_[at(B.tree)]);
  block.transposed ? add(block, b, a, -1) : add(block, a, b, -1);
}

/// H += [−J_A J_B]ᵀ K [−J_A J_B].
void SapHessian::addPair(const SapProblem& problem, const BodyPair& pair, const Mat6& K, BlockCholesky& H) {
  const SapBody &A = problem.bodies[at(pair.bodyA)], &B = problem.bodies[at(pair.bodyB)];
  if ((A.free || A.tree < 0) && (B.free || B.tree < 0) && A.tree != B.tree)
    return addFreePair(problem, pair, K, H);
  Jacobian JA(nullptr, 6, 0), JB(nullptr, 6, 0);
  if (A.tree >= 0) new (&JA) Jacobian(jacobianAt(problem, A, pair.origin, jacobianA_));
  if (B.tree >= 0) new (&JB) Jacobian(jacobianAt(problem, B, pair.origin, jacobianB_));
  if (A.tree >= 0 && A.tree == B.tree) {
    JB -= JA;
    addProduct(H.diagonal(localTree_[at(B.tree)]), JB, K, JB, 1);
    return;
  }
  if (A.tree >= 0) addProduct(H.diagonal(localTree_[at(A.tree)]), JA, K, JA, 1);
  if (B.tree >= 0) addProduct(H.diagonal(localTree_[at(B.tree)]), JB, K, JB, 1);
  if (A.tree < 0 || B.tree < 0) return;
  const BlockCholesky::Block block = H.offDiagonal(localTree_[at(A.tree)], localTree_[at(B.tree)]);
  if (block.transposed) {
    addProduct(block, JB, K, JA, -1);
  } else {
    addProduct(block, JA, K, JB, -1);
  }
}

}  // namespace slipstick::contact
