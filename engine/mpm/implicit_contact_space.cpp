// Stage 2 of an implicit step in contact space: the part of ImplicitSolver that works with impulses at the contacts alone.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/mpm/implicit_solver.h"

namespace slipstick::mpm {
namespace {

/// Before other steps in contact space.
constexpr int kSweeps = 10;
/// Steps there without a line search go on until they change the impulses by this share only, or ℓ has not fallen in so many.
constexpr double kLeastChange = 1e-3;
constexpr int kMostWithoutGain = 8;

}  // namespace

/// How the bodies that are touched answer impulses on each other, where rigid_ is: to the contact space.
void ImplicitSolver::findMobility(const ImplicitProblem& problem) {
  const std::size_t bodies = problem.bodies.size();
  std::vector<multibody::Mat6> mobility(bodies * bodies);
  if (problem.rigid != nullptr) {
    // The contacts' curvature stands beside the rigid side's here.
    for (RigidSide::Load& load : loads_) load.curvature.setZero();
    problem.rigid->linearize(rigid_, loads_);
    mpm::findMobility(*problem.rigid, bodies, mobility);
  }
  space_.setMobility(problem.contacts, mobility, bodies);
}

void ImplicitSolver::findVelocitiesInContactSpace(const ImplicitProblem& problem) {
  space_.apply(y_, Wy_);
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    u_[c] = uFree_[c] + Wy_[c];
    if (contact.body >= 0) u_[c] -= rigid_.V[static_cast<std::size_t>(contact.body)].at(contact.arm);
  }
}

/// ℓ with the impulses y on the grid, and the bodies as they follow them.
double ImplicitSolver::startFrom(const ImplicitProblem& problem) {
  settleRigid(problem, y_, rigid_);
  findVelocitiesInContactSpace(problem);
  return linearizeContacts(problem) + 0.5 * product(y_, Wy_) + rigid_.energy;
}

/// From the impulses of the step before, those that were found, or none; then contact by contact, which finds out what slides and what
/// sticks: Newton's steps end wherever a contact begins to slide.
void ImplicitSolver::chooseStartInContactSpace(const ImplicitProblem& problem, std::vector<Vec3> found) {
  for (Vec3& y : y_) y.setZero();
  double least = startFrom(problem);
  std::vector<Vec3> best = y_;
  RigidSide::Iterate rigid = rigid_;
  const auto takeIfLower = [&] {
    const double energy = startFrom(problem);
    if (energy < least) {
      least = energy;
      best = y_;
      rigid = rigid_;
      return;
    }
    y_ = best;
    rigid_ = rigid;
    findVelocitiesInContactSpace(problem);
  };
  for (std::size_t c = 0; c < y_.size(); ++c) y_[c] = problem.contacts[c].guess;
  takeIfLower();
  y_ = std::move(found);
  takeIfLower();
  linearizeContacts(problem);
  sumLoads(problem);
  findMobility(problem);
  for (int sweep = 0; sweep < kSweeps; ++sweep) space_.sweep(problem.contacts, y_, u_);
  takeIfLower();
}

/// Goes over to contact space, with its own start. @return false where H has no factor
bool ImplicitSolver::enterContactSpace(ImplicitProblem& problem, ImplicitSolution& solution) {
  if (!factorize(problem, Factor::Free)) return false;
  solution.inContactSpace = true;
  projecting_ = true;
  bestPotential_ = std::numeric_limits<double>::infinity();
  withoutGain_ = 0;
  lastChange_ = std::numeric_limits<double>::infinity();
  space_.build(cholesky_, problem.contacts);
  for (std::size_t c = 0; c < y_.size(); ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    uFree_[c] = contact.gather(solution.free) - (contact.body < 0 ? contact.vBody : Vec3::Zero().eval());
  }
  chooseStartInContactSpace(problem, gamma_);
  return true;
}

/// A step of a semismooth Newton method on the impulses (Alart & Curnier 1991). They minimise
/// ½yᵀ(W + R)y + (u* − v̂)ᵀy within the friction cones, that is
///   F(y) = y − P(y − D⁻¹((W + R)y + u* − v̂)) = 0,   P the projection on the cones in the norm of D.
/// With D near the diagonal of W + R what sticks and what slides is told from impulse and velocity together, and taken whole:
/// the velocity alone, which Newton's steps on ℓ go by, changes it at every other contact.
void ImplicitSolver::projectedStep(const ImplicitProblem& problem) {
  const std::size_t contacts = problem.contacts.size();
  sumLoads(problem);
  findMobility(problem);
  // With one D, steps may go round in circles.
  const double scale = std::exp2(withoutGain_);
  std::vector<Vec3> F(contacts), p(contacts);
  std::vector<Mat3> G(contacts), own(contacts);
  for (std::size_t c = 0; c < contacts; ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    const ImplicitContact::Projection at = contact.project(y_[c], u_[c], scale * space_.own(c));
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
  settleRigid(problem, y_, rigid_);
  findVelocitiesInContactSpace(problem);
}

/// Whether another projectedStep() is worth it. Where not, the iterate is the best one that there was.
bool ImplicitSolver::goesOnProjecting(const ImplicitProblem& problem, const ImplicitSolution& solution) {
  if (!projecting_) return false;
  const double potential = solution.potential + rigid_.energy;
  ++withoutGain_;
  if (potential < bestPotential_) {
    bestPotential_ = potential;
    bestY_ = y_;
    withoutGain_ = 0;
  }
  projecting_ = withoutGain_ <= kMostWithoutGain && lastChange_ > kLeastChange;
  if (!projecting_ && withoutGain_ > 0) {
    y_ = bestY_;
    settleRigid(problem, y_, rigid_);
    findVelocitiesInContactSpace(problem);
    linearizeContacts(problem);
    sumLoads(problem);
  }
  return projecting_;
}

/// The same step in contact space: the grid's is H⁻¹J_dᵀ dy, the bodies' A_r⁻¹(J_rᵀp − g_r).
void ImplicitSolver::newtonStepInContactSpace(const ImplicitProblem& problem) {
  const std::size_t contacts = problem.contacts.size();
  for (std::size_t c = 0; c < contacts; ++c) dy_[c] = gamma_[c] - y_[c];
  space_.apply(dy_, du_);
  if (problem.rigid != nullptr) {
    findMobility(problem);
    wrenches_.assign(problem.bodies.size(), {});
    problem.rigid->respond(wrenches_, true, rigidStep_, bodySteps_);
    subtractBodySteps(problem);
  }
  std::vector<Vec3> p(contacts);
  space_.reduce(G_, {}, du_, p);
  for (std::size_t c = 0; c < contacts; ++c) dy_[c] -= p[c];
  space_.apply(dy_, Wdy_);
  du_ = Wdy_;
  if (problem.rigid != nullptr) {
    sumWrenches(problem, p);
    problem.rigid->respond(wrenches_, true, rigidStep_, bodySteps_);
    subtractBodySteps(problem);
  }
  changeHstep_ = product(dy_, Wy_);
  stepHstep_ = product(dy_, Wdy_);
}

}  // namespace slipstick::mpm
