#include "engine/mpm/implicit/impulse_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::mpm {
namespace {

/// Gauss–Seidel sweeps before the Newton steps.
constexpr int kSweeps = 10;
/// Steps without a line search go on until they change the impulses by this share only, or ℓ has not fallen in so many.
constexpr double kLeastChange = 1e-3;
constexpr int kMaxWithoutGain = 8;
/// What W may be wrong by, of the velocities that it makes. Each time that it is taken in, it falls as much as factors in single
/// precision are wrong.
constexpr double kDefect = 1e-5;
constexpr int kMaxDefects = 4;

}  // namespace

void ImpulseSolve::begin(const ImplicitProblem& problem, const GridHessian& H, const VecX& free) {
  problem_ = &problem;
  hessian_ = &H;
  for (auto* list : {&y_, &dy_, &Wy_, &Wdy_, &uFree_}) list->assign(at_.size(), Vec3::Zero());
  std::vector<Vec3> found = at_.gamma;
  defects_ = 0;
  failed_ = false;
  for (std::size_t c = 0; c < y_.size(); ++c) {
    uFree_[c] = problem.contacts[c].gather(free);
    y_[c] = problem.contacts[c].guess;
  }
  VecX load = VecX::Zero(free.size()), v;
  at_.scatter(y_, load);
  H.solve(load, v);
  v += free;
  at_.settle(y_);
  std::vector<int> chosen;
  for (std::size_t c = 0; c < y_.size(); ++c) {
    at_.u[c] = velocityAt(c, v);
    if (!(found[c].isZero(0) && y_[c].isZero(0) && isOpen(c))) chosen.push_back(static_cast<int>(c));
  }
  space_.build(H, problem.contacts, chosen);
  startProjecting();
  chooseStart(std::move(found));
}

void ImpulseSolve::startProjecting() {
  projecting_ = true;
  bestPotential_ = lastChange_ = std::numeric_limits<double>::infinity();
  withoutGain_ = 0;
}

bool ImpulseSolve::refine(const VecX& v) {
  std::vector<int> contacts = space_.chosen();
  std::vector<bool> isIn(y_.size());
  for (const int c : contacts) isIn[static_cast<std::size_t>(c)] = true;
  for (std::size_t c = 0; c < y_.size(); ++c) {
    if (isIn[c]) continue;
    at_.u[c] = velocityAt(c, v);
    if (!isOpen(c)) contacts.push_back(static_cast<int>(c));
  }
  const bool grows = contacts.size() > space_.chosen().size();
  if (!findDefect(v) && !grows) return false;
  if (grows) space_.build(*hessian_, problem_->contacts, contacts);
  startProjecting();
  findVelocities();
  return true;
}

/// Into uFree. @return whether there is one, which has not been sought too often
bool ImpulseSolve::findDefect(const VecX& v) {
  std::vector<Vec3> defect(y_.size(), Vec3::Zero());
  for (const int chosen : space_.chosen()) {
    const auto c = static_cast<std::size_t>(chosen);
    defect[c] = problem_->contacts[c].gather(v) - uFree_[c] - Wy_[c];
  }
  if (product(defect, defect) <= kDefect * kDefect * product(Wy_, Wy_)) return false;
  if (++defects_ > kMaxDefects) return false;
  for (std::size_t c = 0; c < y_.size(); ++c) uFree_[c] += defect[c];
  return true;
}

/// Of what a contact is on.
Vec3 ImpulseSolve::velocityOn(const ImplicitContact& contact) const {
  return contact.body < 0 ? contact.vBody
                          : at_.rigid.V[static_cast<std::size_t>(contact.body)].at(contact.arm);
}

/// Of the grid, whose nodes have the velocities v, relative to what a contact is on.
Vec3 ImpulseSolve::velocityAt(std::size_t contact, const VecX& v) const {
  return problem_->contacts[contact].gather(v) - velocityOn(problem_->contacts[contact]);
}

/// With the velocity that it has.
bool ImpulseSolve::isOpen(std::size_t contact) const {
  return problem_->contacts[contact].linearize(at_.u[contact]).gamma.isZero(0);
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
  for (const int contact : space_.chosen()) {
    const auto c = static_cast<std::size_t>(contact);
    at_.u[c] = uFree_[c] + Wy_[c] - velocityOn(problem_->contacts[c]);
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
  space_.sweep(problem_->contacts, kSweeps, y_, at_.u);
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
  std::vector<Vec3> F(contacts, Vec3::Zero()), p(contacts);
  std::vector<Mat3> G(contacts, Mat3::Zero()), own(contacts, Mat3::Zero());
  for (const int chosen : space_.chosen()) {
    const auto c = static_cast<std::size_t>(chosen);
    const ImplicitContact& contact = problem_->contacts[c];
    const ImplicitContact::Projection at = contact.project(y_[c], at_.u[c], scale * space_.own(c));
    F[c] = y_[c] - at.y;
    G[c] = at.G;
    own[c] = at.R - at.D;
  }
  // dy = −(1 + G M)⁻¹ F with M = W + R − D, symmetric: 1 − B (1 + BᵀMB)⁻¹ BᵀM of F
  space_.applyCoupled(F, Wdy_);
  for (std::size_t c = 0; c < contacts; ++c) Wdy_[c] += own[c] * F[c];
  if (!space_.reduce(G, own, Wdy_, p)) failed_ = true;
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
  projecting_ = withoutGain_ <= kMaxWithoutGain && lastChange_ > kLeastChange;
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
  if (!space_.reduce(at_.G, {}, at_.du, p)) failed_ = true;
  for (std::size_t c = 0; c < y_.size(); ++c) dy_[c] -= p[c];
  space_.apply(dy_, Wdy_);
  at_.du = Wdy_;
  at_.respondToImpulses(p, true);
  std::vector<Vec3> du(y_.size(), Vec3::Zero());  // what stays out, stays open
  for (const int c : space_.chosen()) du[static_cast<std::size_t>(c)] = at_.du[static_cast<std::size_t>(c)];
  at_.du = std::move(du);
}

}  // namespace slipstick::mpm
