#include "engine/contact/sap_objective.h"

#include <algorithm>
#include <cstddef>

#include "engine/contact/rigid_potentials.h"
#include "engine/multibody/spatial.h"

namespace slipstick::contact {

namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
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

/// visit(point, pack, lane) for every point of a pair. @param doubles  of one pack
template <class Points, class Doubles, class Visit>
void visitPoints(Points& points, const BodyPair& pair, const PackRange& range, Doubles* packs, int doubles,
                 Visit&& visit) {
  Doubles* pack = packs + at(range.begin) * at(doubles);
  for (int p = pair.pointBegin, lane = 0; p < pair.pointEnd; ++p) {
    visit(points[at(p)], pack, lane);
    if (++lane == kPointLanes) lane = 0, pack += doubles;
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

void SapObjective::reset(const SapProblem& problem) {
  product_.resize(problem.vStar.size());
  bodyV_.resize(problem.bodies.size());
  bodyWrench_.resize(problem.bodies.size());
  pairWrench_.resize(problem.pairs.size());
  layOutPacks(problem);
  makeRoom(problem, asked_);
  for (std::size_t k = 0; k < problem.pairs.size(); ++k) fillPacks(problem, k);
}

void SapObjective::layOutPacks(const SapProblem& problem) {
  ranges_.resize(problem.pairs.size());
  int packs = 0;
  for (std::size_t k = 0; k < problem.pairs.size(); ++k) {
    const int points = problem.pairs[k].pointEnd - problem.pairs[k].pointBegin;
    ranges_[k] = {packs, packs + (points + kPointLanes - 1) / kPointLanes};
    packs = ranges_[k].end;
  }
  packs_.resize(std::max(packs_.size(), at(packs) * kPointPackDoubles));
}

/// With a pair's points, and none in the lanes that are left.
void SapObjective::fillPacks(const SapProblem& problem, std::size_t k) {
  const BodyPair& pair = problem.pairs[k];
  visitPoints(problem.points, pair, ranges_[k], packs_.data(), kPointPackDoubles,
              [&](const ContactPointLaw& point, double* pack, int lane) {
                setLane(pack, lane, &point, problem.potential);
              });
  const int points = pair.pointEnd - pair.pointBegin;
  if (points == 0) return;
  double* last = packs_.data() + at(ranges_[k].end - 1) * kPointPackDoubles;
  for (int lane = points % kPointLanes; lane % kPointLanes != 0; ++lane)
    setLane(last, lane, nullptr, problem.potential);
}

void SapObjective::updateFriction(const SapProblem& problem, const SapIsland& island) {
  for (const int k : island.pairs)
    visitPoints(problem.points, problem.pairs[at(k)], ranges_[at(k)], packs_.data(), kPointPackDoubles,
                [](const ContactPointLaw& point, double* pack, int lane) {
                  fieldOf(pack, PointField::FrictionBound, lane) = point.law.frictionBound;
                  fieldOf(pack, PointField::Epsilon, lane) = point.law.epsilon;
                });
}

void SapObjective::makeRoom(const SapProblem& problem, SapPoint& here) const {
  for (VecX* x : {&here.v, &here.offset, &here.momentum, &here.impulse, &here.gradient})
    x->resize(problem.vStar.size());
  here.pairV.resize(problem.pairs.size());
  here.points.resize(packs_.size() / kPointPackDoubles * kResultPackDoubles);
}

void SapObjective::makeRoom(const SapProblem& problem, SapRay& ray) {
  ray.dv.resize(problem.vStar.size());
  ray.Adv.resize(problem.vStar.size());
  ray.pairDV.resize(problem.pairs.size());
}

const PointLoops& SapObjective::loops(const SapProblem& problem) const {
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

PointArgs SapObjective::argsOf(const SapIsland& island, const Vec6s& V) const {
  return {.packs = packs_.data(),
          .ranges = ranges_.data(),
          .pairs = island.pairs.data(),
          .count = static_cast<int>(island.pairs.size()),
          .V = V.empty() ? nullptr : V.front().data()};
}

/// Relative velocities of the island's pairs. @param isChange  v is a change of velocity, without prescribed parts
void SapObjective::findVelocities(const SapProblem& problem, const SapIsland& island, const VecX& v,
                                  bool isChange, Vec6s& V) {
  for (const int b : island.bodies) {
    const SapBody& body = problem.bodies[at(b)];
    Vec6& velocity = bodyV_[at(b)];
    if (body.free) {
      velocity = v.segment<6>(problem.trees[at(body.tree)].start);
      continue;
    }
    velocity = isChange ? Vec6::Zero() : body.prescribed;
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

double SapObjective::value(const SapProblem& problem, const SapIsland& island, const VecX& v) {
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    const auto part = [&](const VecX& x) { return x.segment(tree.start, tree.size); };
    asked_.v.segment(tree.start, tree.size) = part(v);
    asked_.offset.segment(tree.start, tree.size) = part(v) - part(problem.vStar);
  }
  findVelocities(problem, island, v, false, asked_.pairV);
  return value(problem, island, asked_);
}

double SapObjective::value(const SapProblem& problem, const SapIsland& island, const SapPoint& here) {
  double value = 0;
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    multiplyBlock(problem, tree, here.offset, product_);
    value += 0.5 * here.offset.segment(tree.start, tree.size).dot(product_.segment(tree.start, tree.size));
  }
  for (const int k : island.scalars) {
    const ScalarConstraint& c = problem.scalars[at(k)];
    if (c.active) value += c.law.value(c.velocity(here.v));
  }
  for (const int k : island.pairs) {
    const BodyPair& pair = problem.pairs[at(k)];
    for (int r = 0; r < pair.rowCount; ++r)
      value += pair.laws[at(r)].value(pair.rows[at(r)].dot(here.pairV[at(k)]));
  }
  return value + loops(problem).cost(argsOf(island, here.pairV));
}

void SapObjective::evaluate(const SapProblem& problem, const SapIsland& island, const VecX& v,
                            SapPoint& here) {
  makeRoom(problem, here);
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    here.v.segment(tree.start, tree.size) = v.segment(tree.start, tree.size);
  }
  sumImpulses(problem, island, here);
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    const auto part = [&](VecX& x) { return x.segment(tree.start, tree.size); };
    part(here.offset) = part(here.v) - problem.vStar.segment(tree.start, tree.size);
    multiplyBlock(problem, tree, here.v, here.momentum);
    multiplyBlock(problem, tree, here.offset, here.gradient);
    part(here.gradient) -= part(here.impulse);
  }
}

/// Σ Jᵀ γ
void SapObjective::sumImpulses(const SapProblem& problem, const SapIsland& island, SapPoint& here) {
  for (const int t : island.trees)
    here.impulse.segment(problem.trees[at(t)].start, problem.trees[at(t)].size).setZero();
  addScalarImpulses(problem, island, here);
  findVelocities(problem, island, here.v, false, here.pairV);
  sumWrenches(problem, island, here);
  addBodyWrenches(problem, island, here);
}

void SapObjective::addScalarImpulses(const SapProblem& problem, const SapIsland& island,
                                     SapPoint& here) const {
  for (const int k : island.scalars) {
    const ScalarConstraint& c = problem.scalars[at(k)];
    if (!c.active) continue;
    const double gamma = c.law.impulse(c.velocity(here.v));
    for (std::size_t i = 0; i < 2; ++i)
      if (c.dof[i] >= 0) here.impulse[c.dof[i]] += c.coefficient[i] * gamma;
  }
}

/// Of the pairs on their bodies.
void SapObjective::sumWrenches(const SapProblem& problem, const SapIsland& island, SapPoint& here) {
  for (const int b : island.bodies) bodyWrench_[at(b)].setZero();
  if (island.pairs.empty()) return;
  PointArgs args = argsOf(island, here.pairV);
  args.results = here.points.data();
  loops(problem).impulses(args, pairWrench_.front().data());
  for (const int k : island.pairs) {
    const BodyPair& pair = problem.pairs[at(k)];
    Vec6& wrench = pairWrench_[at(k)];
    for (int r = 0; r < pair.rowCount; ++r)
      wrench += pair.laws[at(r)].impulse(pair.rows[at(r)].dot(here.pairV[at(k)])) * pair.rows[at(r)];
    const Vec6 onB = wrenchAt(problem.bodies[at(pair.bodyB)].p, pair.origin, wrench);
    const Vec6 onA = wrenchAt(problem.bodies[at(pair.bodyA)].p, pair.origin, wrench);
    for (int c = 0; c < 6; ++c) bodyWrench_[at(pair.bodyB)][c] += onB[c];
    for (int c = 0; c < 6; ++c) bodyWrench_[at(pair.bodyA)][c] -= onA[c];
  }
}

void SapObjective::addBodyWrenches(const SapProblem& problem, const SapIsland& island, SapPoint& here) const {
  for (const int b : island.bodies) {
    const SapBody& body = problem.bodies[at(b)];
    if (body.tree < 0) continue;
    const SapTree& tree = problem.trees[at(body.tree)];
    if (body.free) {
      here.impulse.segment<6>(tree.start) += bodyWrench_[at(b)];
    } else {
      here.impulse.segment(tree.start, tree.size).noalias() +=
          problem.jacobian(body).transpose().lazyProduct(bodyWrench_[at(b)]);
    }
  }
}

void SapObjective::findPairHessians(const SapProblem& problem, const SapIsland& island, const SapPoint& here,
                                    std::vector<Mat6>& K) const {
  if (island.pairs.empty()) return;
  loops(problem).hessians(argsOf(island, here.pairV), K.front().data());
  for (const int k : island.pairs) {
    const BodyPair& pair = problem.pairs[at(k)];
    for (int r = 0; r < pair.rowCount; ++r) {
      const Vec6& row = pair.rows[at(r)];
      K[at(k)] += pair.laws[at(r)].hessian(row.dot(here.pairV[at(k)])) * row * row.transpose();
    }
  }
}

void SapObjective::prepare(const SapProblem& problem, const SapIsland& island, const VecX& dv, SapRay& ray) {
  makeRoom(problem, ray);
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    ray.dv.segment(tree.start, tree.size) = dv.segment(tree.start, tree.size);
    multiplyBlock(problem, tree, ray.dv, ray.Adv);
  }
  findVelocities(problem, island, ray.dv, true, ray.pairDV);
}

numerics::Slope SapObjective::slope(const SapProblem& problem, const SapIsland& island, const SapPoint& here,
                                    const SapRay& ray, double alpha) const {
  numerics::Slope sum;
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    const auto part = [&](const VecX& x) { return x.segment(tree.start, tree.size); };
    sum.first += part(ray.Adv).dot(part(here.offset)) + alpha * part(ray.Adv).dot(part(ray.dv));
    sum.second += part(ray.Adv).dot(part(ray.dv));
  }
  const auto addLaw = [&](const BoxLaw& law, double u, double du) {
    sum.first -= law.impulse(u) * du;
    sum.second += law.hessian(u) * du * du;
  };
  for (const int k : island.scalars) {
    const ScalarConstraint& c = problem.scalars[at(k)];
    if (!c.active) continue;
    const double du = c.velocity(ray.dv);
    addLaw(c.law, c.velocity(here.v) + alpha * du, du);
  }
  for (const int k : island.pairs) {
    const BodyPair& pair = problem.pairs[at(k)];
    for (int r = 0; r < pair.rowCount; ++r) {
      const double du = pair.rows[at(r)].dot(ray.pairDV[at(k)]);
      addLaw(pair.laws[at(r)], pair.rows[at(r)].dot(here.pairV[at(k)]) + alpha * du, du);
    }
  }
  PointArgs args = argsOf(island, here.pairV);
  args.dV = ray.pairDV.empty() ? nullptr : ray.pairDV.front().data();
  numerics::Slope points;
  loops(problem).slope(args, alpha, &points.first, &points.second);
  return {sum.first + points.first, sum.second + points.second};
}

void SapObjective::writeImpulses(SapProblem& problem, const SapIsland& island, const SapPoint& here) const {
  for (const int k : island.scalars) {
    ScalarConstraint& c = problem.scalars[at(k)];
    if (c.active) c.gamma = c.law.impulse(c.velocity(here.v));
  }
  for (const int k : island.pairs) {
    BodyPair& pair = problem.pairs[at(k)];
    for (int r = 0; r < pair.rowCount; ++r)
      pair.gamma[r] = pair.laws[at(r)].impulse(pair.rows[at(r)].dot(here.pairV[at(k)]));
    visitPoints(problem.points, pair, ranges_[at(k)], here.points.data(), kResultPackDoubles,
                [](ContactPointLaw& point, const double* pack, int lane) {
                  for (int c = 0; c < 3; ++c) {
                    point.gamma[c] = pack[kPointLanes * (PointResult::Gamma + c) + lane];
                    point.velocity[c] = pack[kPointLanes * (PointResult::Velocity + c) + lane];
                  }
                });
  }
}

}  // namespace slipstick::contact
