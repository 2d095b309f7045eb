#include "engine/mpm/implicit/contact_iterate.h"

namespace slipstick::mpm {

void ContactIterate::begin(ImplicitProblem& problem) {
  problem_ = &problem;
  const std::size_t contacts = problem.contacts.size();
  for (auto* list : {&u, &du, &gamma}) list->assign(contacts, Vec3::Zero());
  G.assign(contacts, Mat3::Zero());
  rigid = {};
  if (problem.rigid != nullptr && contacts > 0) problem.rigid->touch(problem.bodies);
}

void ContactIterate::findVelocities(const VecX& v) {
  for (std::size_t c = 0; c < u.size(); ++c) {
    const ImplicitContact& contact = problem_->contacts[c];
    u[c] =
        contact.gather(v) -
        (contact.body >= 0 ? rigid.V[static_cast<std::size_t>(contact.body)].at(contact.arm) : contact.vBody);
  }
}

double ContactIterate::linearize() {
  double energy = 0;
  for (std::size_t c = 0; c < u.size(); ++c) {
    const ImplicitContact::Linear at = problem_->contacts[c].linearize(u[c]);
    energy += at.value;
    gamma[c] = at.gamma;
    G[c] = at.G;
  }
  return energy;
}

void ContactIterate::scatter(std::span<const Vec3> impulses, VecX& v) const {
  for (std::size_t c = 0; c < impulses.size(); ++c) problem_->contacts[c].scatter(impulses[c], v);
}

void ContactIterate::settle(std::span<const Vec3> onGrid) {
  if (problem_->rigid == nullptr) return;
  impulses_.resize(onGrid.size());
  for (std::size_t c = 0; c < onGrid.size(); ++c) impulses_[c] = -onGrid[c];
  sumWrenches(impulses_);
  problem_->rigid->settle(wrenches_, rigid);
}

void ContactIterate::sumLoads() {
  loads_.assign(problem_->bodies.size(), {});
  for (std::size_t c = 0; c < u.size(); ++c) {
    const ImplicitContact& contact = problem_->contacts[c];
    if (contact.body < 0) continue;
    RigidSide::Load& load = loads_[static_cast<std::size_t>(contact.body)];
    load.impulse += Wrench{-gamma[c], contact.arm.cross(-gamma[c])};
    const Eigen::Matrix<double, 3, 6> J = contact.bodyJacobian();
    load.curvature.noalias() += J.transpose().lazyProduct(G[c]).lazyProduct(J);
  }
}

bool ContactIterate::bodiesConverged(double relativeTolerance) const {
  if (problem_->rigid == nullptr) return true;
  const RigidSide::Residual residual = problem_->rigid->residual(rigid, loads_);
  return residual.error <= residual.rounding + relativeTolerance * residual.impulse;
}

void ContactIterate::linearizeBodies() {
  if (problem_->rigid != nullptr) problem_->rigid->linearize(rigid, loads_);
}

void ContactIterate::findMobility(std::vector<multibody::Mat6>& mobility) {
  const std::size_t bodies = problem_->bodies.size();
  mobility.assign(bodies * bodies, multibody::Mat6::Zero());
  if (problem_->rigid == nullptr) return;
  for (RigidSide::Load& load : loads_) load.curvature.setZero();
  linearizeBodies();
  mpm::findMobility(*problem_->rigid, bodies, mobility);
}

void ContactIterate::addResponse(const VecX& s, bool withGradient, VecX& Hs) {
  respond(s, withGradient);
  for (std::size_t c = 0; c < u.size(); ++c) problem_->contacts[c].scatter(G[c] * du[c], Hs);
}

void ContactIterate::respond(const VecX& s, bool withGradient) {
  for (std::size_t c = 0; c < u.size(); ++c) du[c] = problem_->contacts[c].gather(s);
  if (problem_->rigid == nullptr) return;
  impulses_.resize(u.size());
  for (std::size_t c = 0; c < u.size(); ++c) impulses_[c] = G[c] * du[c];
  respondToImpulses(impulses_, withGradient);
}

void ContactIterate::respondToImpulses(std::span<const Vec3> onBodies, bool withGradient) {
  if (problem_->rigid == nullptr) return;
  sumWrenches(onBodies);
  problem_->rigid->respond(wrenches_, withGradient, rigidStep_, bodySteps_);
  for (std::size_t c = 0; c < u.size(); ++c) {
    const ImplicitContact& contact = problem_->contacts[c];
    if (contact.body >= 0) du[c] -= bodySteps_[static_cast<std::size_t>(contact.body)].at(contact.arm);
  }
}

/// Per body.
void ContactIterate::sumWrenches(std::span<const Vec3> onBodies) {
  wrenches_.assign(problem_->bodies.size(), {});
  for (std::size_t c = 0; c < onBodies.size(); ++c) {
    const ImplicitContact& contact = problem_->contacts[c];
    if (contact.body < 0) continue;
    wrenches_[static_cast<std::size_t>(contact.body)] += Wrench{onBodies[c], contact.arm.cross(onBodies[c])};
  }
}

/// Derivatives of ℓ in α.
numerics::Slope ContactIterate::slope(double alpha, double first, double second) const {
  numerics::Slope d{first + alpha * second, second};
  for (std::size_t c = 0; c < u.size(); ++c) {
    const ImplicitContact& contact = problem_->contacts[c];
    const Vec3 there = u[c] + alpha * du[c];
    if (contact.holds) {
      d.first += there.dot(contact.held * du[c]) / contact.law.Rn;
      d.second += du[c].dot(contact.held * du[c]) / contact.law.Rn;
      continue;
    }
    const contact::RigidPotential<double> p =
        contact::sapPotential(lanes::toLanes<double>(there), contact.law);
    d.first -= lanes::toEigen(p.gamma).dot(du[c]);
    d.second += contact::curvature(p, contact.law.normal, lanes::toLanes<double>(du[c]));
  }
  if (problem_->rigid != nullptr) {
    const numerics::Slope bodies = problem_->rigid->slope(rigid, rigidStep_, alpha);
    d.first += bodies.first;
    d.second += bodies.second;
  }
  return d;
}

double ContactIterate::lineSearch(double first, double second) const {
  const auto at = [&](double alpha) { return slope(alpha, first, second); };
  return numerics::minimiseAlongRay(at, numerics::kRayTolerance<double>).alpha;
}

void ContactIterate::advance(double alpha) {
  for (std::size_t c = 0; c < u.size(); ++c) u[c] += alpha * du[c];
  if (problem_->rigid == nullptr) return;
  rigid.v += alpha * rigidStep_;
  problem_->rigid->evaluate(rigid);
}

}  // namespace slipstick::mpm
