#include "engine/contact/sap_solver.h"

#include <algorithm>
#include <cmath>

#include "engine/contact/rigid_kernel_choice.h"
#include "engine/foundation/require.h"
#include "engine/foundation/stopping.h"
#include "engine/numerics/root_finder.h"

namespace slipstick::contact {

namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

double velocityOf(const ScalarConstraint& c, const VecX& v) {
  double u = c.coefficient[0] * v[c.dof[0]];
  if (c.dof[1] >= 0) u += c.coefficient[1] * v[c.dof[1]];
  return u;
}

/// Field of a point in its pack.
double& fieldOf(double* pack, int field, int lane) {
  return pack[kPointLanes * field + lane];
}

/// Lanes without a point have no normal, and laws that give nothing without one.
void setLane(double* pack, int lane, const ContactPointLaw* point, ContactPotentialName potential) {
  const auto set = [&](int field, double value) { fieldOf(pack, field, lane) = value; };
  const auto setNormal = [&](const V3<double>& n) {
    for (int c = 0; c < 3; ++c) set(PointField::Normal + c, n[c]);
  };
  for (int c = 0; c < 3; ++c) set(PointField::R + c, point != nullptr ? point->r[c] : 0);
  if (potential == ContactPotentialName::Sap) {
    constexpr SapContact<double> kNone = {{0, 0, 0}, 1e-300, 1, 1, -1};
    const SapContact<double>& law = point != nullptr ? point->sap : kNone;
    setNormal(law.normal);
    set(PointField::Rt, law.Rt), set(PointField::Rn, law.Rn);
    set(PointField::VHat, law.vHat), set(PointField::Friction, law.mu);
    return;
  }
  constexpr LaggedContact<double> kNone = {{0, 0, 0}, 0, 1, 0, 0, 1, 1};
  const LaggedContact<double>& law = point != nullptr ? point->law : kNone;
  setNormal(law.normal);
  set(PointField::Force, law.f0), set(PointField::Stiffness, law.stiffness);
  set(PointField::Dissipation, law.dissipation), set(PointField::Step, law.dt);
  set(PointField::FrictionBound, law.frictionBound), set(PointField::Epsilon, law.epsilon);
  set(PointField::Friction, point != nullptr ? point->mu : 0);
}

/// visit(point, pack, lane) for every point of a pair.
template <class Points, class Doubles, class Visit>
void visitPoints(Points& points, const BodyPair& pair, const PackRange& range, Doubles* packs,
                 Visit&& visit) {
  Doubles* pack = packs + at(range.begin) * kPointPackDoubles;
  for (int p = pair.pointBegin, lane = 0; p < pair.pointEnd; ++p) {
    visit(points[at(p)], pack, lane);
    if (++lane == kPointLanes) lane = 0, pack += kPointPackDoubles;
  }
}

/// A x of a tree's block.
void multiplyBlock(const SapProblem& problem, const SapTree& tree, const VecX& x, VecX& y) {
  if (tree.size == 6) {
    const Eigen::Map<const Mat6> A(problem.A.data() + tree.block);
    y.segment<6>(tree.start).noalias() = A.lazyProduct(x.segment<6>(tree.start));
  } else {
    y.segment(tree.start, tree.size).noalias() =
        problem.blockA(tree).lazyProduct(x.segment(tree.start, tree.size));
  }
}

/// A wrench about a pair's origin, as one about the point p.
Vec6 wrenchAt(const Vec3& p, const Vec3& origin, const Vec6& wrench) {
  return multibody::moveForceBack(wrench, origin - p);
}

}  // namespace

SapSolver::SapSolver(SapSettings settings) : SapSolver(settings, chooseRigidKernels()) {}

void SapSolver::reset(const SapProblem& problem) {
  const Eigen::Index n = problem.vStar.size();
  for (VecX* vector : {&inverseDiagonal_, &trial_, &momentum_, &impulse_, &gradient_, &direction_, &offset_})
    vector->resize(n);
  for (const SapTree& tree : problem.trees)
    for (int i = 0; i < tree.size; ++i)
      inverseDiagonal_[tree.start + i] = 1 / problem.A[tree.block + at(i) * at(tree.size + 1)];
  bodyV_.resize(problem.bodies.size());
  bodyWrench_.resize(problem.bodies.size());
  for (Vec6s* list : {&pairV_, &pairDirection_, &pairWrench_}) list->resize(problem.pairs.size());
  pairK_.resize(problem.pairs.size());
  localTree_.resize(problem.trees.size());
  right_.resize(static_cast<std::size_t>(n));

  ranges_.resize(problem.pairs.size());
  int packs = 0;
  for (std::size_t k = 0; k < problem.pairs.size(); ++k) {
    const int points = problem.pairs[k].pointEnd - problem.pairs[k].pointBegin;
    ranges_[k] = {packs, packs + (points + kPointLanes - 1) / kPointLanes};
    packs = ranges_[k].end;
  }
  packs_.resize(std::max(packs_.size(), at(packs) * kPointPackDoubles));
  for (std::size_t k = 0; k < problem.pairs.size(); ++k) {
    const BodyPair& pair = problem.pairs[k];
    visitPoints(problem.points, pair, ranges_[k], packs_.data(),
                [&](const ContactPointLaw& point, double* pack, int lane) {
                  setLane(pack, lane, &point, problem.potential);
                });
    const int points = pair.pointEnd - pair.pointBegin;
    if (points == 0) continue;
    double* last = packs_.data() + at(ranges_[k].end - 1) * kPointPackDoubles;
    for (int lane = points % kPointLanes; lane % kPointLanes != 0; ++lane)
      setLane(last, lane, nullptr, problem.potential);
  }
}

void SapSolver::updateFriction(const SapProblem& problem, const SapIsland& island) {
  for (const int k : island.pairs)
    visitPoints(problem.points, problem.pairs[at(k)], ranges_[at(k)], packs_.data(),
                [](const ContactPointLaw& point, double* pack, int lane) {
                  fieldOf(pack, PointField::FrictionBound, lane) = point.law.frictionBound;
                  fieldOf(pack, PointField::Epsilon, lane) = point.law.epsilon;
                });
}

const PointLoops& SapSolver::loops(const SapProblem& problem) const {
  switch (problem.potential) {
    case ContactPotentialName::Similar:
      return kernels_->similar;
    case ContactPotentialName::Sap:
      return kernels_->sap;
    case ContactPotentialName::Lagged:
      break;
  }
  return kernels_->lagged;
}

PointArgs SapSolver::pointArgs(const SapIsland& island) {
  return {packs_.data(),
          ranges_.data(),
          island.pairs.data(),
          static_cast<int>(island.pairs.size()),
          pairV_.empty() ? nullptr : pairV_.front().data(),
          pairDirection_.empty() ? nullptr : pairDirection_.front().data()};
}

void SapSolver::writeResults(SapProblem& problem, const SapIsland& island) const {
  for (const int k : island.pairs)
    visitPoints(problem.points, problem.pairs[at(k)], ranges_[at(k)], packs_.data(),
                [](ContactPointLaw& point, const double* pack, int lane) {
                  for (int c = 0; c < 3; ++c) {
                    point.gamma[c] = pack[kPointLanes * (PointField::Gamma + c) + lane];
                    point.velocity[c] = pack[kPointLanes * (PointField::Velocity + c) + lane];
                  }
                });
}

/// Relative velocities of the island's pairs. `direction`: v is a change of velocity, without prescribed
/// parts.
void SapSolver::computeVelocities(const SapProblem& problem, const SapIsland& island, const VecX& v,
                                  bool direction, Vec6s& V) {
  for (const int b : island.bodies) {
    const SapBody& body = problem.bodies[at(b)];
    Vec6& velocity = bodyV_[at(b)];
    if (body.free) {
      velocity = v.segment<6>(problem.trees[at(body.tree)].start);
      continue;
    }
    velocity = direction ? Vec6::Zero() : body.prescribed;
    if (body.tree < 0) continue;
    const SapTree& tree = problem.trees[at(body.tree)];
    velocity.noalias() += problem.jacobian(body).lazyProduct(v.segment(tree.start, tree.size));
  }
  for (const int k : island.pairs) {
    const BodyPair& pair = problem.pairs[at(k)];
    const SapBody &A = problem.bodies[at(pair.bodyA)], &B = problem.bodies[at(pair.bodyB)];
    const Vec6 ofB = multibody::moveMotion(bodyV_[at(pair.bodyB)], pair.origin - B.p);
    const Vec6 ofA = multibody::moveMotion(bodyV_[at(pair.bodyA)], pair.origin - A.p);
    for (int c = 0; c < 6; ++c) V[at(k)][c] = ofB[c] - ofA[c];
  }
}

double SapSolver::cost(const SapProblem& problem, const SapIsland& island, const VecX& v) {
  double cost = 0;
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    auto offset = offset_.segment(tree.start, tree.size);
    offset = v.segment(tree.start, tree.size) - problem.vStar.segment(tree.start, tree.size);
    multiplyBlock(problem, tree, offset_, momentum_);
    cost += 0.5 * offset.dot(momentum_.segment(tree.start, tree.size));
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
  }
  return cost + loops(problem).cost(pointArgs(island));
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
  if (!island.pairs.empty()) loops(problem).impulses(pointArgs(island), pairWrench_.front().data());
  for (const int k : island.pairs) {
    BodyPair& pair = problem.pairs[at(k)];
    Vec6& wrench = pairWrench_[at(k)];
    for (int r = 0; r < pair.rowCount; ++r) {
      pair.gamma[r] = pair.laws[at(r)].impulse(pair.rows[at(r)].dot(pairV_[at(k)]));
      wrench += pair.gamma[r] * pair.rows[at(r)];
    }
    const Vec6 onB = wrenchAt(problem.bodies[at(pair.bodyB)].p, pair.origin, wrench);
    const Vec6 onA = wrenchAt(problem.bodies[at(pair.bodyA)].p, pair.origin, wrench);
    for (int c = 0; c < 6; ++c) bodyWrench_[at(pair.bodyB)][c] += onB[c];
    for (int c = 0; c < 6; ++c) bodyWrench_[at(pair.bodyA)][c] -= onA[c];
  }
  for (const int b : island.bodies) {
    const SapBody& body = problem.bodies[at(b)];
    if (body.tree < 0) continue;
    const SapTree& tree = problem.trees[at(body.tree)];
    if (body.free) {
      impulse_.segment<6>(tree.start) += bodyWrench_[at(b)];
    } else {
      impulse_.segment(tree.start, tree.size).noalias() +=
          problem.jacobian(body).transpose().lazyProduct(bodyWrench_[at(b)]);
    }
  }
}

SapReport SapSolver::evaluate(SapProblem& problem, const SapIsland& island, const VecX& v) {
  addConstraintImpulses(problem, island, v);
  double error2 = 0, momentum2 = 0, impulse2 = 0;
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    const auto part = [&](VecX& x) { return x.segment(tree.start, tree.size); };
    part(offset_) = v.segment(tree.start, tree.size) - problem.vStar.segment(tree.start, tree.size);
    multiplyBlock(problem, tree, v, momentum_);
    multiplyBlock(problem, tree, offset_, gradient_);
    part(gradient_) -= part(impulse_);
    for (int i = tree.start; i < tree.start + tree.size; ++i) {
      const double D2 = inverseDiagonal_[i];
      error2 += D2 * gradient_[i] * gradient_[i];
      momentum2 += D2 * momentum_[i] * momentum_[i];
      impulse2 += D2 * impulse_[i] * impulse_[i];
    }
  }
  const double error = std::sqrt(error2), scale = std::sqrt(std::max(momentum2, impulse2));
  SapReport report;
  report.error = error;
  report.residual = scale > 0 ? error / scale : error;
  report.converged = error <= settings_.absoluteTolerance + settings_.relativeTolerance * scale;
  report.tolerance = scale > 0 ? settings_.relativeTolerance + settings_.absoluteTolerance / scale
                               : settings_.absoluteTolerance;
  return report;
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

/// The same where each body is free or does not move.
void SapSolver::addFreePairHessian(const SapProblem& problem, const BodyPair& pair, const Mat6& K,
                                   BlockCholesky& cholesky) {
  const SapBody &A = problem.bodies[at(pair.bodyA)], &B = problem.bodies[at(pair.bodyB)];
  const Vec3 a = pair.origin - A.p, b = pair.origin - B.p;
  const auto add = [&](BlockCholesky::Block block, const Vec3& left, const Vec3& right, double sign) {
    Mat6 moved;
    kernels_->panels.move(K.data(), left.data(), right.data(), moved.data());
    for (int c = 0; c < 6; ++c) Eigen::Map<Vec6>(block.data + c * block.stride) += sign * moved.col(c);
  };
  if (A.free) add(cholesky.diagonal(localTree_[at(A.tree)]), a, a, 1);
  if (B.free) add(cholesky.diagonal(localTree_[at(B.tree)]), b, b, 1);
  if (!A.free || !B.free) return;
  const BlockCholesky::Block block = cholesky.offDiagonal(localTree_[at(A.tree)], localTree_[at(B.tree)]);
  block.transposed ? add(block, b, a, -1) : add(block, a, b, -1);
}

/// H += [−J_A J_B]ᵀ K [−J_A J_B].
void SapSolver::addPairHessian(const SapProblem& problem, const BodyPair& pair, const Mat6& K,
                               BlockCholesky& cholesky) {
  const SapBody &A = problem.bodies[at(pair.bodyA)], &B = problem.bodies[at(pair.bodyB)];
  if ((A.free || A.tree < 0) && (B.free || B.tree < 0) && A.tree != B.tree)
    return addFreePairHessian(problem, pair, K, cholesky);
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

/// H = A + Σ Jᵀ G J.
bool SapSolver::factorize(const SapProblem& problem, const SapIsland& island, const VecX& v,
                          BlockCholesky& cholesky) {
  cholesky.setZero();
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    const BlockCholesky::Block block = cholesky.diagonal(localTree_[at(t)]);
    Eigen::Map<MatX, 0, Eigen::OuterStride<>>(block.data, tree.size, tree.size,
                                              Eigen::OuterStride<>(block.stride)) = problem.blockA(tree);
  }
  addScalarHessians(problem, island, v, cholesky);
  if (!island.pairs.empty()) loops(problem).hessians(pointArgs(island), pairK_.front().data());
  for (const int k : island.pairs) {
    const BodyPair& pair = problem.pairs[at(k)];
    for (int r = 0; r < pair.rowCount; ++r) {
      const Vec6& row = pair.rows[at(r)];
      pairK_[at(k)] += pair.laws[at(r)].hessian(row.dot(pairV_[at(k)])) * row * row.transpose();
    }
    addPairHessian(problem, pair, pairK_[at(k)], cholesky);
  }
  return cholesky.factorize();
}

/// Δv = −H⁻¹ ∇ℓ, and the pairs' ΔV.
bool SapSolver::computeDirection(const SapProblem& problem, const SapIsland& island, const VecX& v,
                                 BlockCholesky& cholesky) {
  if (!factorize(problem, island, v, cholesky)) return false;
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

/// Slope and curvature of ℓ along Δv at v + (1 + beyond) Δv, of which evaluate() was asked at v + Δv.
SapSolver::Slope SapSolver::slopeBeyond(const SapProblem& problem, const SapIsland& island, double beyond) {
  Slope slope;
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    const auto change = direction_.segment(tree.start, tree.size);
    const auto stretched = momentum_.segment(tree.start, tree.size);  // A Δv
    slope.first += stretched.dot(offset_.segment(tree.start, tree.size)) + beyond * stretched.dot(change);
    slope.second += stretched.dot(change);
  }
  const auto addLaw = [&](const BoxLaw& law, double u, double du) {
    slope.first -= law.impulse(u) * du;
    slope.second += law.hessian(u) * du * du;
  };
  for (const int k : island.scalars) {
    const ScalarConstraint& c = problem.scalars[at(k)];
    if (!c.active) continue;
    const double du = velocityOf(c, direction_);
    addLaw(c.law, velocityOf(c, trial_) + beyond * du, du);
  }
  for (const int k : island.pairs) {
    const BodyPair& pair = problem.pairs[at(k)];
    for (int r = 0; r < pair.rowCount; ++r) {
      const double du = pair.rows[at(r)].dot(pairDirection_[at(k)]);
      addLaw(pair.laws[at(r)], pair.rows[at(r)].dot(pairV_[at(k)]) + beyond * du, du);
    }
  }
  Slope points;
  loops(problem).slope(pointArgs(island), beyond, &points.first, &points.second);
  return {slope.first + points.first, slope.second + points.second};
}

/// α in (0, maxStep] where the slope of ℓ along Δv vanishes, given that it does not at 1: Newton in one
/// dimension, bisection where it leaves the bracket. evaluate() was asked at v + Δv.
SapSolver::LinePoint SapSolver::searchLine(const SapProblem& problem, const SapIsland& island,
                                           double slopeAtStart, double slopeAtFull) {
  for (const int t : island.trees) multiplyBlock(problem, problem.trees[at(t)], direction_, momentum_);
  const auto slopeAt = [&](double alpha) { return slopeBeyond(problem, island, alpha - 1); };
  numerics::Bracket bracket{0, 1};
  if (slopeAtFull < 0) {
    bracket = {1, settings_.maxStep};
    if (slopeAt(bracket.high).first <= 0) return {bracket.high, true};
  }
  // Where a straight line through both slopes ends.
  const double start = slopeAtStart / (slopeAtStart - slopeAtFull);
  const numerics::Root best = numerics::findRoot(slopeAt, bracket, start,
                                                 {settings_.lineSearchTolerance * std::abs(slopeAtStart),
                                                  numerics::kClosed, settings_.maxLineSearchSteps});
  return {best.x, best.found};
}

/// Moves v along Δv and evaluates there.
void SapSolver::step(SapProblem& problem, const SapIsland& island, VecX& v, SapReport& report) {
  const auto move = [&](double alpha) {
    for (const int t : island.trees) {
      const SapTree& tree = problem.trees[at(t)];
      const auto part = [&](VecX& x) { return x.segment(tree.start, tree.size); };
      part(trial_) = part(v) + alpha * part(direction_);
    }
  };
  const auto slope = [&] {
    double sum = 0;
    for (const int t : island.trees) {
      const SapTree& tree = problem.trees[at(t)];
      sum += gradient_.segment(tree.start, tree.size).dot(direction_.segment(tree.start, tree.size));
    }
    return sum;
  };
  const auto evaluateTrial = [&] {
    const SapReport found = evaluate(problem, island, trial_);
    report.residual = found.residual, report.converged = found.converged;
    report.error = found.error;
    report.tolerance = found.tolerance;
  };
  // The full step is nearly always as good as the best one. It is taken where it meets the test, or brings the
  // residual down so far that a search could win little.
  const double slopeAtStart = slope(), residualAtStart = report.residual;
  move(1);
  evaluateTrial();
  const double slopeAtFull = slope();
  const bool good = std::abs(slopeAtFull) <= settings_.fullStepSlope * std::abs(slopeAtStart) &&
                    report.residual <= 0.5 * residualAtStart;
  if (!report.converged && !good) {
    const LinePoint best = searchLine(problem, island, slopeAtStart, slopeAtFull);
    report.searched &= best.found;
    move(best.alpha);
    evaluateTrial();
  }
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    v.segment(tree.start, tree.size) = trial_.segment(tree.start, tree.size);
  }
}

BlockCholesky& SapSolver::factorOf(int islandIndex) {
  if (factors_.size() <= at(islandIndex))
    factors_.resize(at(islandIndex) + 1, BlockCholesky(kernels_->panels));
  return factors_[at(islandIndex)];
}

bool SapSolver::factorize(const SapProblem& problem, const SapIsland& island, int islandIndex,
                          const VecX& v) {
  BlockCholesky& cholesky = factorOf(islandIndex);
  analyze(problem, island, cholesky);
  return factorize(problem, island, v, cholesky);
}

void SapSolver::solveFactorized(const SapProblem& problem, const SapIsland& island, int islandIndex,
                                VecX& x) {
  double* entry = right_.data();
  for (const int t : island.trees)
    for (int i = 0; i < problem.trees[at(t)].size; ++i) *entry++ = x[problem.trees[at(t)].start + i];
  factors_[at(islandIndex)].solveInPlace(right_.data());
  entry = right_.data();
  for (const int t : island.trees)
    for (int i = 0; i < problem.trees[at(t)].size; ++i) x[problem.trees[at(t)].start + i] = *entry++;
}

SapSolver::Slope SapSolver::along(SapProblem& problem, const SapIsland& island, const VecX& v,
                                  const VecX& direction) {
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    trial_.segment(tree.start, tree.size) = v.segment(tree.start, tree.size);
    direction_.segment(tree.start, tree.size) = direction.segment(tree.start, tree.size);
  }
  evaluate(problem, island, trial_);
  for (const int t : island.trees) multiplyBlock(problem, problem.trees[at(t)], direction_, momentum_);
  computeVelocities(problem, island, direction_, true, pairDirection_);
  return slopeBeyond(problem, island, 0);
}

SapReport SapSolver::solve(SapProblem& problem, const SapIsland& island, int islandIndex, VecX& v,
                           const SapReport* evaluated) {
  SapReport report = evaluated != nullptr ? *evaluated : evaluate(problem, island, v);
  trace_.beginPass();
  trace_.add(report.residual);
  while (!report.converged && report.iterations < settings_.maxIterations && std::isfinite(report.residual)) {
    throwIfStopped(problem.stop);
    BlockCholesky& cholesky = factorOf(islandIndex);
    if (report.iterations == 0) analyze(problem, island, cholesky);
    report.factored = computeDirection(problem, island, v, cholesky);
    if (!report.factored) break;
    step(problem, island, v, report);
    ++report.iterations;
    trace_.add(report.residual);
  }
  trace_.finish(report.converged, report.tolerance);
  writeResults(problem, island);
  return report;
}

}  // namespace slipstick::contact
