#include "engine/contact/sap_solver.h"

#include <algorithm>
#include <cmath>

#include "engine/foundation/require.h"

namespace slipstick::contact {

namespace {

using Vector = V3<double>;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

Vec3 eigen(const Vector& a) {
  return {a.x, a.y, a.z};
}

double velocityOf(const ScalarConstraint& c, const VecX& v) {
  double u = c.coefficient[0] * v[c.dof[0]];
  if (c.dof[1] >= 0) u += c.coefficient[1] * v[c.dof[1]];
  return u;
}

const Vector& normalOf(const ContactPointLaw& point, ContactPotentialName potential) {
  return potential == ContactPotentialName::Sap ? point.sap.normal : point.law.normal;
}

[[gnu::always_inline]] inline RigidPotential<double> potentialAt(const ContactPointLaw& point,
                                                                 ContactPotentialName potential,
                                                                 const Vector& u) {
  switch (potential) {
    case ContactPotentialName::Similar:
      return similarPotential(u, point.law, point.mu);
    case ContactPotentialName::Sap:
      return sapPotential(u, point.sap);
    case ContactPotentialName::Lagged:
      break;
  }
  return laggedRigidPotential(u, point.law);
}

/// v + w × r.
[[gnu::always_inline]] inline Vector pointVelocity(const ContactPointLaw& point, const Vec6& V) {
  const double x = point.r.x(), y = point.r.y(), z = point.r.z();
  return {V[3] + V[1] * z - V[2] * y, V[4] + V[2] * x - V[0] * z, V[5] + V[0] * y - V[1] * x};
}

/// K += Sᵀ G S with u = S V = v + w × r; the lower left block is left out (K is symmetric).
void addPointHessian(const ContactPointLaw& point, const M3<double>& G, Mat6& K) {
  const double x = point.r.x(), y = point.r.y(), z = point.r.z();
  double rG[3][3];  // [r]× G
  for (int c = 0; c < 3; ++c) {
    rG[0][c] = y * G(2, c) - z * G(1, c);
    rG[1][c] = z * G(0, c) - x * G(2, c);
    rG[2][c] = x * G(1, c) - y * G(0, c);
  }
  for (int r = 0; r < 3; ++r) {
    // −[r]× G [r]×
    K(r, 0) += y * rG[r][2] - z * rG[r][1];
    K(r, 1) += z * rG[r][0] - x * rG[r][2];
    K(r, 2) += x * rG[r][1] - y * rG[r][0];
    for (int c = 0; c < 3; ++c) {
      K(r, 3 + c) += rG[r][c];
      K(3 + r, 3 + c) += G(r, c);
    }
  }
}

/// A wrench about a pair's origin, as one about the point p.
Vec6 wrenchAt(const Vec3& p, const Vec3& origin, const Vec6& wrench) {
  return multibody::moveForceBack(wrench, origin - p);
}

}  // namespace

void SapSolver::reset(const SapProblem& problem) {
  const Eigen::Index n = problem.vStar.size();
  for (VecX* vector : {&momentum_, &impulse_, &gradient_, &direction_, &offset_}) vector->resize(n);
  bodyV_.resize(problem.bodies.size());
  bodyWrench_.resize(problem.bodies.size());
  pairV_.resize(problem.pairs.size());
  pairDirection_.resize(problem.pairs.size());
  localTree_.resize(problem.trees.size());
  right_.resize(static_cast<std::size_t>(n));
}

/// Relative velocities of the island's pairs. `direction`: v is a change of velocity, without prescribed
/// parts.
void SapSolver::computeVelocities(const SapProblem& problem, const SapIsland& island, const VecX& v,
                                  bool direction, Vec6s& V) {
  for (const int b : island.bodies) {
    const SapBody& body = problem.bodies[at(b)];
    Vec6& velocity = bodyV_[at(b)];
    velocity = direction ? Vec6::Zero() : body.prescribed;
    if (body.tree < 0) continue;
    const SapTree& tree = problem.trees[at(body.tree)];
    velocity.noalias() += problem.jacobian(body).lazyProduct(v.segment(tree.start, tree.size));
  }
  for (const int k : island.pairs) {
    const BodyPair& pair = problem.pairs[at(k)];
    const SapBody &A = problem.bodies[at(pair.bodyA)], &B = problem.bodies[at(pair.bodyB)];
    V[at(k)] = multibody::moveMotion(bodyV_[at(pair.bodyB)], pair.origin - B.p) -
               multibody::moveMotion(bodyV_[at(pair.bodyA)], pair.origin - A.p);
  }
}

double SapSolver::cost(const SapProblem& problem, const SapIsland& island, const VecX& v) {
  double cost = 0;
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    auto offset = offset_.segment(tree.start, tree.size);
    offset = v.segment(tree.start, tree.size) - problem.vStar.segment(tree.start, tree.size);
    auto stretched = momentum_.segment(tree.start, tree.size);
    stretched.noalias() = problem.blockA(tree).lazyProduct(offset);
    cost += 0.5 * offset.dot(stretched);
  }
  for (const int k : island.scalars) {
    const ScalarConstraint& c = problem.scalars[at(k)];
    if (c.active) cost += c.law.value(velocityOf(c, v));
  }
  computeVelocities(problem, island, v, false, pairV_);
  for (const int k : island.pairs) {
    const BodyPair& pair = problem.pairs[at(k)];
    for (int r = 0; r < pair.rowCount; ++r)
      cost += pair.laws[at(r)].value(pair.rows[at(r)].dot(pairV_[at(k)]));
    for (int p = pair.pointBegin; p < pair.pointEnd; ++p) {
      const ContactPointLaw& point = problem.points[at(p)];
      cost += potentialAt(point, problem.potential, pointVelocity(point, pairV_[at(k)])).value;
    }
  }
  return cost;
}

/// impulse_ = Σ Jᵀ γ; stores γ and velocities in the constraints.
void SapSolver::addConstraintImpulses(SapProblem& problem, const SapIsland& island, const VecX& v) {
  for (const int t : island.trees)
    impulse_.segment(problem.trees[at(t)].start, problem.trees[at(t)].size).setZero();
  for (const int b : island.bodies) bodyWrench_[at(b)].setZero();
  for (const int k : island.scalars) {
    ScalarConstraint& c = problem.scalars[at(k)];
    if (!c.active) continue;
    c.gamma = c.law.impulse(velocityOf(c, v));
    for (std::size_t i = 0; i < 2; ++i)
      if (c.dof[i] >= 0) impulse_[c.dof[i]] += c.coefficient[i] * c.gamma;
  }
  computeVelocities(problem, island, v, false, pairV_);
  for (const int k : island.pairs) {
    BodyPair& pair = problem.pairs[at(k)];
    const Vec6& V = pairV_[at(k)];
    Vec6 wrench = Vec6::Zero();
    for (int r = 0; r < pair.rowCount; ++r) {
      pair.gamma[r] = pair.laws[at(r)].impulse(pair.rows[at(r)].dot(V));
      wrench += pair.gamma[r] * pair.rows[at(r)];
    }
    for (int p = pair.pointBegin; p < pair.pointEnd; ++p) {
      ContactPointLaw& point = problem.points[at(p)];
      const Vector u = pointVelocity(point, V);
      point.velocity = eigen(u);
      point.gamma = eigen(potentialAt(point, problem.potential, u).gamma);
      wrench.head<3>() += point.r.cross(point.gamma);
      wrench.tail<3>() += point.gamma;
    }
    bodyWrench_[at(pair.bodyB)] += wrenchAt(problem.bodies[at(pair.bodyB)].p, pair.origin, wrench);
    bodyWrench_[at(pair.bodyA)] -= wrenchAt(problem.bodies[at(pair.bodyA)].p, pair.origin, wrench);
  }
  for (const int b : island.bodies) {
    const SapBody& body = problem.bodies[at(b)];
    if (body.tree < 0) continue;
    const SapTree& tree = problem.trees[at(body.tree)];
    impulse_.segment(tree.start, tree.size).noalias() +=
        problem.jacobian(body).transpose().lazyProduct(bodyWrench_[at(b)]);
  }
}

/// Gradient at v and the stopping test.
bool SapSolver::evaluate(SapProblem& problem, const SapIsland& island, const VecX& v, SapReport& report) {
  addConstraintImpulses(problem, island, v);
  double error2 = 0, momentum2 = 0, impulse2 = 0;
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    const auto A = problem.blockA(tree);
    const auto part = [&](VecX& x) { return x.segment(tree.start, tree.size); };
    part(offset_) = v.segment(tree.start, tree.size) - problem.vStar.segment(tree.start, tree.size);
    part(momentum_).noalias() = A.lazyProduct(v.segment(tree.start, tree.size));
    part(gradient_).noalias() = A.lazyProduct(part(offset_));
    part(gradient_) -= part(impulse_);
    for (int i = 0; i < tree.size; ++i) {
      const double D2 = 1 / A(i, i);
      error2 += D2 * gradient_[tree.start + i] * gradient_[tree.start + i];
      momentum2 += D2 * momentum_[tree.start + i] * momentum_[tree.start + i];
      impulse2 += D2 * impulse_[tree.start + i] * impulse_[tree.start + i];
    }
  }
  const double error = std::sqrt(error2), scale = std::sqrt(std::max(momentum2, impulse2));
  report.residual = scale > 0 ? error / scale : error;
  report.converged = error <= settings_.absoluteTolerance + settings_.relativeTolerance * scale;
  return report.converged;
}

void SapSolver::analyze(const SapProblem& problem, const SapIsland& island, BlockCholesky& cholesky) {
  sizes_.clear();
  edges_.clear();
  for (const int t : island.trees) {
    localTree_[at(t)] = static_cast<int>(sizes_.size());
    sizes_.push_back(problem.trees[at(t)].size);
  }
  const auto connect = [&](int treeA, int treeB) {
    if (treeA < 0 || treeB < 0 || treeA == treeB) return;
    edges_.emplace_back(std::minmax(localTree_[at(treeA)], localTree_[at(treeB)]));
  };
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
  cholesky.analyze(sizes_, edges_);
}

/// The body's Jacobian at the pair's origin, in `storage`.
SapSolver::Jacobian SapSolver::jacobianAt(const SapProblem& problem, const SapBody& body, const Vec3& origin,
                                          std::vector<double>& storage) {
  const auto source = problem.jacobian(body);
  storage.resize(std::max(storage.size(), static_cast<std::size_t>(source.size())));
  Jacobian J(storage.data(), 6, source.cols());
  const Vec3 r = origin - body.p;
  for (int c = 0; c < source.cols(); ++c) J.col(c) = multibody::moveMotion(source.col(c), r);
  return J;
}

/// block += sign · leftᵀ K right.
void SapSolver::addProduct(BlockCholesky::Block block, const Jacobian& left, const Mat6& K,
                           const Jacobian& right, double sign) {
  for (int c = 0; c < right.cols(); ++c) {
    const Vec6 column = sign * (K * right.col(c));
    double* target = block.data + c * block.stride;
    for (int r = 0; r < left.cols(); ++r) target[r] += left.col(r).dot(column);
  }
}

/// H += [−J_A J_B]ᵀ K [−J_A J_B].
void SapSolver::addPairHessian(const SapProblem& problem, const BodyPair& pair, const Mat6& K,
                               BlockCholesky& cholesky) {
  const SapBody &A = problem.bodies[at(pair.bodyA)], &B = problem.bodies[at(pair.bodyB)];
  Jacobian JA(nullptr, 6, 0), JB(nullptr, 6, 0);
  if (A.tree >= 0) new (&JA) Jacobian(jacobianAt(problem, A, pair.origin, jacobianA_));
  if (B.tree >= 0) new (&JB) Jacobian(jacobianAt(problem, B, pair.origin, jacobianB_));
  if (A.tree >= 0 && A.tree == B.tree) {
    JB -= JA;
    addProduct(cholesky.diagonal(localTree_[at(B.tree)]), JB, K, JB, 1);
    return;
  }
  if (A.tree >= 0) addProduct(cholesky.diagonal(localTree_[at(A.tree)]), JA, K, JA, 1);
  if (B.tree >= 0) addProduct(cholesky.diagonal(localTree_[at(B.tree)]), JB, K, JB, 1);
  if (A.tree < 0 || B.tree < 0) return;
  const BlockCholesky::Block block = cholesky.offDiagonal(localTree_[at(A.tree)], localTree_[at(B.tree)]);
  if (block.transposed) {
    addProduct(block, JB, K, JA, -1);
  } else {
    addProduct(block, JA, K, JB, -1);
  }
}

void SapSolver::addScalarHessians(const SapProblem& problem, const SapIsland& island, const VecX& v,
                                  BlockCholesky& cholesky) {
  for (const int k : island.scalars) {
    const ScalarConstraint& c = problem.scalars[at(k)];
    if (!c.active) continue;
    const double G = c.law.hessian(velocityOf(c, v));
    if (G == 0) continue;
    for (std::size_t i = 0; i < 2; ++i) {
      if (c.dof[i] < 0) continue;
      const int tree = c.tree[i], row = c.dof[i] - problem.trees[at(tree)].start;
      const BlockCholesky::Block own = cholesky.diagonal(localTree_[at(tree)]);
      own.data[row * own.stride + row] += c.coefficient[i] * c.coefficient[i] * G;
    }
    if (c.dof[1] < 0) continue;
    const double entry = c.coefficient[0] * c.coefficient[1] * G;
    const int row = c.dof[0] - problem.trees[at(c.tree[0])].start;
    const int column = c.dof[1] - problem.trees[at(c.tree[1])].start;
    if (c.tree[0] == c.tree[1]) {
      const BlockCholesky::Block own = cholesky.diagonal(localTree_[at(c.tree[0])]);
      own.data[column * own.stride + row] += entry;
      own.data[row * own.stride + column] += entry;
    } else {
      const BlockCholesky::Block block =
          cholesky.offDiagonal(localTree_[at(c.tree[0])], localTree_[at(c.tree[1])]);
      (block.transposed ? block.data[row * block.stride + column]
                        : block.data[column * block.stride + row]) += entry;
    }
  }
}

/// Σ Jᵀ G J of a pair's laws, in V.
Mat6 SapSolver::pairHessian(const SapProblem& problem, const BodyPair& pair, const Vec6& V) {
  Mat6 K = Mat6::Zero();
  for (int p = pair.pointBegin; p < pair.pointEnd; ++p) {
    const ContactPointLaw& point = problem.points[at(p)];
    const RigidPotential<double> potential = potentialAt(point, problem.potential, pointVelocity(point, V));
    addPointHessian(point, hessian(potential, normalOf(point, problem.potential)), K);
  }
  K.bottomLeftCorner<3, 3>() = K.topRightCorner<3, 3>().transpose();
  for (int r = 0; r < pair.rowCount; ++r) {
    const Vec6& row = pair.rows[at(r)];
    K += pair.laws[at(r)].hessian(row.dot(V)) * row * row.transpose();
  }
  return K;
}

/// Δv = −H⁻¹ ∇ℓ with H = A + Σ Jᵀ G J, and the pairs' ΔV.
bool SapSolver::computeDirection(const SapProblem& problem, const SapIsland& island, const VecX& v,
                                 BlockCholesky& cholesky) {
  cholesky.setZero();
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    const BlockCholesky::Block block = cholesky.diagonal(localTree_[at(t)]);
    Eigen::Map<MatX, 0, Eigen::OuterStride<>>(block.data, tree.size, tree.size,
                                              Eigen::OuterStride<>(block.stride)) = problem.blockA(tree);
  }
  addScalarHessians(problem, island, v, cholesky);
  for (const int k : island.pairs)
    addPairHessian(problem, problem.pairs[at(k)], pairHessian(problem, problem.pairs[at(k)], pairV_[at(k)]),
                   cholesky);
  if (!cholesky.factorize()) return false;

  double* x = right_.data();
  for (const int t : island.trees)
    for (int i = 0; i < problem.trees[at(t)].size; ++i) *x++ = -gradient_[problem.trees[at(t)].start + i];
  cholesky.solveInPlace(right_.data());
  x = right_.data();
  for (const int t : island.trees)
    for (int i = 0; i < problem.trees[at(t)].size; ++i) direction_[problem.trees[at(t)].start + i] = *x++;
  computeVelocities(problem, island, direction_, true, pairDirection_);
  return true;
}

/// Slope and curvature of the constraints' ℓ along Δv at v + α Δv.
SapSolver::Slope SapSolver::constraintSlope(const SapProblem& problem, const SapIsland& island, const VecX& v,
                                            double alpha) {
  Slope slope;
  const auto addLaw = [&](const BoxLaw& law, double u, double du) {
    slope.first -= law.impulse(u) * du;
    slope.second += law.hessian(u) * du * du;
  };
  for (const int k : island.scalars) {
    const ScalarConstraint& c = problem.scalars[at(k)];
    if (!c.active) continue;
    const double du = velocityOf(c, direction_);
    addLaw(c.law, velocityOf(c, v) + alpha * du, du);
  }
  for (const int k : island.pairs) {
    const BodyPair& pair = problem.pairs[at(k)];
    const Vec6 &dV = pairDirection_[at(k)], V = pairV_[at(k)] + alpha * dV;
    for (int r = 0; r < pair.rowCount; ++r)
      addLaw(pair.laws[at(r)], pair.rows[at(r)].dot(V), pair.rows[at(r)].dot(dV));
    for (int p = pair.pointBegin; p < pair.pointEnd; ++p) {
      const ContactPointLaw& point = problem.points[at(p)];
      const Vector du = pointVelocity(point, dV);
      const RigidPotential<double> potential = potentialAt(point, problem.potential, pointVelocity(point, V));
      slope.first -= dot(potential.gamma, du);
      slope.second += curvature(potential, normalOf(point, problem.potential), du);
    }
  }
  return slope;
}

/// α in (0, maxStep] where the slope of ℓ along Δv vanishes: Newton in one dimension, bisection where it
/// leaves the bracket.
double SapSolver::searchLine(const SapProblem& problem, const SapIsland& island, const VecX& v) {
  double slopeA = 0, curvatureA = 0;
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    const auto direction = direction_.segment(tree.start, tree.size);
    auto stretched = momentum_.segment(tree.start, tree.size);
    stretched.noalias() = problem.blockA(tree).lazyProduct(direction);
    slopeA += stretched.dot(offset_.segment(tree.start, tree.size));
    curvatureA += stretched.dot(direction);
  }
  const auto slopeAt = [&](double alpha) {
    Slope slope = constraintSlope(problem, island, v, alpha);
    slope.first += slopeA + alpha * curvatureA;
    slope.second += curvatureA;
    return slope;
  };
  double scale = 0;  // the slope at α = 0 is that of the gradient
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    scale -= gradient_.segment(tree.start, tree.size).dot(direction_.segment(tree.start, tree.size));
  }
  const auto isFlat = [&](const Slope& slope) {
    return std::abs(slope.first) <= settings_.lineSearchTolerance * std::abs(scale);
  };
  double lower = 0, upper = settings_.maxStep, alpha = 1;
  Slope slope = slopeAt(alpha);
  if (slope.first < 0 && !isFlat(slope) && slopeAt(upper).first <= 0) return upper;
  for (int i = 0; i < 100 && upper - lower > 1e-15 && !isFlat(slope); ++i) {
    (slope.first < 0 ? lower : upper) = alpha;
    alpha -= slope.first / slope.second;
    if (!(alpha > lower && alpha < upper)) alpha = 0.5 * (lower + upper);
    slope = slopeAt(alpha);
  }
  return alpha;
}

bool SapSolver::isMinimum(SapProblem& problem, const SapIsland& island, const VecX& v, SapReport& report) {
  return evaluate(problem, island, v, report);
}

SapReport SapSolver::solve(SapProblem& problem, const SapIsland& island, int islandIndex, VecX& v) {
  if (factors_.size() <= at(islandIndex)) factors_.resize(at(islandIndex) + 1);
  BlockCholesky& cholesky = factors_[at(islandIndex)];
  SapReport report;
  while (!evaluate(problem, island, v, report) && report.iterations < settings_.maxIterations) {
    if (!std::isfinite(report.residual)) break;
    if (report.iterations == 0) analyze(problem, island, cholesky);
    if (!computeDirection(problem, island, v, cholesky)) break;
    const double alpha = searchLine(problem, island, v);
    for (const int t : island.trees) {
      const SapTree& tree = problem.trees[at(t)];
      v.segment(tree.start, tree.size) += alpha * direction_.segment(tree.start, tree.size);
    }
    ++report.iterations;
  }
  return report;
}

}  // namespace slipstick::contact
