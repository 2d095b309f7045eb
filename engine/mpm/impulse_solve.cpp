#include "engine/mpm/impulse_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::mpm {
namespace {

/// Before other steps.
constexpr int kSweeps = 10;
/// Steps without a line search go on until they change the impulses by this share only, or ℓ has not fallen in so many.
constexpr double kLeastChange = 1e-3;
constexpr int kMostWithoutGain = 8;

}  // namespace

void ImpulseSolve::begin(const ImplicitProblem& problem, const GridCholesky& H, const VecX& free) {
  problem_ = &problem;
  for (auto* list : {&y_, &dy_, &Wy_, &Wdy_, &uFree_}) list->assign(at_.size(), Vec3::Zero());
  projecting_ = true;
  bestPotential_ = std::numeric_limits<double>::infinity();
  withoutGain_ = 0;
  lastChange_ = std::numeric_limits<double>::infinity();
  space_.build(H, problem.contacts);
  for (std::size_t c = 0; c < y_.size(); ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    uFree_[c] = contact.gather(free) - (contact.body < 0 ? contact.vBody : Vec3::Zero().eval());
  }
  chooseStart(at_.gamma);
}

void ImpulseSolve::advance(double potential) {
  if (goesOnProjecting(potential)) return projectedStep();
  newtonStep();
  const double alpha = at_.lineSearch(product(dy_, Wy_), product(dy_, Wdy_));
  at_.advance(alpha);
  for (std::size_t c = 0; c < y_.size(); ++c) y_[c] += alpha * dy_[c], Wy_[c] += alpha * Wdy_[c];
}

/// How the bodies answer impulses on each other, to the contact space.
void ImpulseSolve::findMobility() {
  at_.findMobility(mobility_);
  space_.setMobility(problem_->contacts, mobility_, problem_->bodies.size());
}

/// With the impulses y on the grid, and the bodies as they are.
void ImpulseSolve::findVelocities() {
  space_.apply(y_, Wy_);
  for (std::size_t c = 0; c < y_.size(); ++c) {
    const ImplicitContact& contact = problem_->contacts[c];
    at_.u[c] = uFree_[c] + Wy_[c];
    if (contact.body >= 0) at_.u[c] -= at_.rigid.V[static_cast<std::size_t>(contact.body)].at(contact.arm);
  }
}

/// ℓ with the impulses y on the grid, and the bodies as they follow them.
double ImpulseSolve::evaluate() {
  at_.settle(y_);
  findVelocities();
  return at_.linearize() + gridEnergy() + at_.rigid.energy;
}

/// The lowest of three; then contact by contact, which finds out what slides and what sticks: Newton's steps end wherever a
/// contact begins to slide.
void ImpulseSolve::chooseStart(std::vector<Vec3> found) {
  for (Vec3& y : y_) y.setZero();
  double least = evaluate();
  std::vector<Vec3> best = y_;
  RigidSide::Iterate rigid = at_.rigid;
  const auto takeIfLower = [&] {
    const double energy = evaluate();
    if (energy < least) {
      least = energy;
      best = y_;
      rigid = at_.rigid;
      return;
    }
    y_ = best;
    at_.rigid = rigid;
    findVelocities();
  };
  for (std::size_t c = 0; c < y_.size(); ++c) y_[c] = problem_->contacts[c].guess;
  takeIfLower();
  y_ = std::move(found);
  takeIfLower();
  at_.linearize();
  at_.sumLoads();
  findMobility();
  for (int sweep = 0; sweep < kSweeps; ++sweep) space_.sweep(problem_->contacts, y_, at_.u);
  takeIfLower();
}

/// A step of a semismooth Newton method on the impulses (Alart & Curnier 1991). They minimise
/// ½yᵀ(W + R)y + (u* − v̂)ᵀy within the friction cones, that is
///   F(y) = y − P(y − D⁻¹((W + R)y + u* − v̂)) = 0,   P the projection on the cones in the norm of D.
/// With D near the diagonal of W + R what sticks and what slides is told from impulse and velocity together, and taken whole:
/// the velocity alone, which Newton's steps on ℓ go by, changes it at every other contact.
void ImpulseSolve::projectedStep() {
  const std::size_t contacts = y_.size();
  at_.sumLoads();
  findMobility();
  // With one D, steps may go round in circles.
  const double scale = std::exp2(withoutGain_);
  std::vector<Vec3> F(contacts), p(contacts);
  std::vector<Mat3> G(contacts), own(contacts);
  for (std::size_t c = 0; c < contacts; ++c) {
    const ImplicitContact& contact = problem_->contacts[c];
    const ImplicitContact::Projection at = contact.project(y_[c], at_.u[c], scale * space_.own(c));
    F[c] = y_[c] - at.y;
    G[c] = at.G;
    own[c] = at.R - at.D;
  }
  // dy = −(1 + G M)⁻¹ F with M = W + R − D, symmetric: 1 − B (1 + BᵀMB)⁻¹ BᵀM of F
  space_.applyCoupled(F, Wdy_);
  for (std::size_t c = 0; c < contacts; ++c) Wdy_[c] += own[c] * F[c];
  space_.reduce(G, own, Wdy_, p);
  double change = 0;
  for (std::size_t c = 0; c < contacts; ++c) {
    y_[c] += p[c] - F[c];
    change += (p[c] - F[c]).squaredNorm();
  }
  lastChange_ = std::sqrt(change / std::max(product(y_, y_), std::numeric_limits<double>::min()));
  at_.settle(y_);
  findVelocities();
}

/// Whether another projectedStep() is worth it. Where not, the iterate is the best one that there was.
bool ImpulseSolve::goesOnProjecting(double potential) {
  if (!projecting_) return false;
  const double whole = potential + at_.rigid.energy;
  ++withoutGain_;
  if (whole < bestPotential_) {
    bestPotential_ = whole;
    bestY_ = y_;
    withoutGain_ = 0;
  }
  projecting_ = withoutGain_ <= kMostWithoutGain && lastChange_ > kLeastChange;
  if (!projecting_ && withoutGain_ > 0) {
    y_ = bestY_;
    at_.settle(y_);
    findVelocities();
    at_.linearize();
    at_.sumLoads();
  }
  return projecting_;
}

/// Newton's step on ℓ: the grid's is H⁻¹J_dᵀ dy, the bodies' A_r⁻¹(J_rᵀp − g_r).
void ImpulseSolve::newtonStep() {
  std::vector<Vec3> p(y_.size(), Vec3::Zero());
  for (std::size_t c = 0; c < y_.size(); ++c) dy_[c] = at_.gamma[c] - y_[c];
  space_.apply(dy_, at_.du);
  findMobility();
  at_.respondToImpulses(p, true);
  space_.reduce(at_.G, {}, at_.du, p);
  for (std::size_t c = 0; c < y_.size(); ++c) dy_[c] -= p[c];
  space_.apply(dy_, Wdy_);
  at_.du = Wdy_;
  at_.respondToImpulses(p, true);
}

}  // namespace slipstick::mpm
