#include "engine/mpm/implicit_solver.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "engine/lanes/eigen_lanes.h"

namespace slipstick::mpm {
namespace {

/// Of conjugate gradients, per linear system.
constexpr int kMostGradients = 2000;
/// A step of stage 1 must lower the energy by this share of what its slope promises.
constexpr double kArmijo = 1e-4;
constexpr int kMostHalvings = 30;

/// The stiffness of what holds a node, in terms of its own inertia and elasticity: so stiff that the node moves with it
/// to a millionth of what would move it otherwise.
constexpr double kHold = 1e6;

double boundedNorm(const VecX& x, const std::vector<Mat3>& blocks) {
  double sum = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const double value = x[static_cast<Eigen::Index>(3 * i) + k];
      sum += value * value / blocks[i](k, k);
    }
  return std::sqrt(sum);
}

}  // namespace

Vec3 ImplicitSolver::gather(const ImplicitContact& c, const VecX& v) const {
  Vec3 u = Vec3::Zero();
  for (int n = 0; n < c.nodes; ++n)
    u += c.weight[static_cast<std::size_t>(n)] * v.segment<3>(3 * c.node[static_cast<std::size_t>(n)]);
  return u;
}

void ImplicitSolver::scatter(const ImplicitContact& c, const Vec3& value, VecX& v) const {
  for (int n = 0; n < c.nodes; ++n)
    v.segment<3>(3 * c.node[static_cast<std::size_t>(n)]) += c.weight[static_cast<std::size_t>(n)] * value;
}

/// H x = (M + ∇²E) x
void ImplicitSolver::applyH(const ImplicitProblem& problem, const VecX& x, VecX& Hx) const {
  Hx.resize(x.size());
  for (std::size_t i = 0; i < problem.mass.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    Hx.segment<3>(at) = problem.mass[i] * x.segment<3>(at);
  }
  problem.elastic.addCurvature(x, Hx);
}

void ImplicitSolver::findBlocks(const ImplicitProblem& problem) {
  blocks_.resize(problem.mass.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i] = problem.mass[i] * Mat3::Identity();
  problem.elastic.addBlocks(blocks_);
}

/// Preconditioned conjugate gradients from x = 0. @param tolerance  of √(rᵀz), relative to where it begins
template <class Apply>
int ImplicitSolver::solveLinear(const Apply& apply, const VecX& right, const std::vector<Mat3>& inverse,
                                double tolerance, int most, VecX& x) {
  const auto precondition = [&] {
    z_.resize(r_.size());
    for (std::size_t i = 0; i < inverse.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(3 * i);
      z_.segment<3>(at).noalias() = inverse[i] * r_.segment<3>(at);
    }
  };
  x.setZero(right.size());
  r_ = right;
  precondition();
  p_ = z_;
  double rz = r_.dot(z_);
  const double enough = tolerance * tolerance * rz;
  int k = 0;
  for (; k < most && rz > enough; ++k) {
    apply(p_, Hp_);
    const double curvature = p_.dot(Hp_);
    if (!(curvature > 0)) break;
    const double alpha = rz / curvature;
    x += alpha * p_;
    r_ -= alpha * Hp_;
    precondition();
    const double last = rz;
    rz = r_.dot(z_);
    p_ = z_ + rz / last * p_;
  }
  return k;
}

bool ImplicitSolver::solveFree(ImplicitProblem& problem, ImplicitSolution& solution) {
  VecX& v = solution.free;
  v = problem.ballistic;
  solution.freeIterations = solution.gradientIterations = 0;
  const auto inertia = [&](const VecX& x) {
    double sum = 0;
    for (std::size_t i = 0; i < problem.mass.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(3 * i);
      sum += problem.mass[i] * (x.segment<3>(at) - problem.ballistic.segment<3>(at)).squaredNorm();
    }
    return 0.5 * sum;
  };
  const bool quadratic = problem.elastic.isQuadratic();
  double energy = quadratic ? 0 : problem.elastic.energy(v);
  for (;; ++solution.freeIterations) {
    problem.elastic.linearize(v);
    findBlocks(problem);
    VecX internal = VecX::Zero(v.size());
    problem.elastic.addGradient(internal);
    gradient_ = internal;
    scratch_.resize(v.size());
    for (std::size_t i = 0; i < problem.mass.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(3 * i);
      gradient_.segment<3>(at) += problem.mass[i] * (v - problem.ballistic).segment<3>(at);
      scratch_.segment<3>(at) = problem.mass[i] * v.segment<3>(at);
    }
    const double scale = std::max(boundedNorm(scratch_, blocks_), boundedNorm(internal, blocks_));
    if (boundedNorm(gradient_, blocks_) <= settings_.relativeTolerance * scale) return true;
    if (solution.freeIterations >= settings_.maxIterations) return false;
    inverse_.resize(blocks_.size());
    for (std::size_t i = 0; i < blocks_.size(); ++i) inverse_[i] = blocks_[i].inverse();
    right_ = -gradient_;
    solution.gradientIterations += solveLinear(
        [&](const VecX& x, VecX& Hx) { applyH(problem, x, Hx); }, right_, inverse_,
        quadratic ? 0.1 * settings_.relativeTolerance : settings_.gradientTolerance, kMostGradients, step_);
    if (quadratic) {
      v += step_;
      continue;
    }
    const double before = energy + inertia(v), promised = gradient_.dot(step_);
    double alpha = 1;
    for (int halving = 0;; ++halving, alpha /= 2) {
      scratch_ = v + alpha * step_;
      const double elastic = problem.elastic.energy(scratch_);
      const bool lower = elastic + inertia(scratch_) <= before + kArmijo * alpha * promised;
      if (!lower && halving < kMostHalvings) continue;
      if (!lower) return false;
      energy = elastic;
      break;
    }
    v = scratch_;
  }
}

double ImplicitSolver::mobility(const ImplicitContact& c) const {
  double w = 0;
  for (int n = 0; n < c.nodes; ++n) {
    const auto at = static_cast<std::size_t>(n);
    w += c.weight[at] * c.weight[at] * blocks_[static_cast<std::size_t>(c.node[at])].inverse().trace() / 3;
  }
  return w;
}

/// γ and G of all contacts at u. @return Σ ℓ_c
double ImplicitSolver::linearizeContacts(const ImplicitProblem& problem) {
  double energy = 0;
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    if (contact.holds) {
      const double stiffness = kHold * blocks_[static_cast<std::size_t>(contact.node[0])].trace() / 3;
      G_[c] = stiffness * contact.held;
      gamma_[c] = -G_[c] * u_[c];
      energy -= 0.5 * gamma_[c].dot(u_[c]);
      continue;
    }
    const contact::RigidPotential<double> p = contact::sapPotential(toLanes<double>(u_[c]), contact.law);
    energy += p.value;
    gamma_[c] = toEigen(p.gamma);
    G_[c] = toEigen(contact::hessian(p, contact.law.normal));
  }
  return energy;
}

/// Impulses and curvatures of the contacts on the bodies.
void ImplicitSolver::sumLoads(const ImplicitProblem& problem) {
  loads_.assign(problem.bodies.size(), {});
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    if (contact.body < 0) continue;
    RigidSide::Load& load = loads_[static_cast<std::size_t>(contact.body)];
    load.impulse += Wrench{-gamma_[c], contact.arm.cross(-gamma_[c])};
    Eigen::Matrix<double, 3, 6> J;
    J << -skew(contact.arm), Mat3::Identity();
    load.curvature.noalias() += J.transpose().lazyProduct(G_[c]).lazyProduct(J);
  }
}

/// du of all contacts for the grid's step s, with how the bodies follow it.
void ImplicitSolver::respond(const ImplicitProblem& problem, const VecX& s, bool withGradient) {
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) du_[c] = gather(problem.contacts[c], s);
  if (problem.rigid == nullptr) return;
  wrenches_.assign(problem.bodies.size(), {});
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    if (contact.body < 0) continue;
    const Vec3 force = G_[c] * du_[c];
    wrenches_[static_cast<std::size_t>(contact.body)] += Wrench{force, contact.arm.cross(force)};
  }
  problem.rigid->respond(wrenches_, withGradient, rigidStep_, bodySteps_);
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    if (contact.body >= 0) du_[c] -= bodySteps_[static_cast<std::size_t>(contact.body)].at(contact.arm);
  }
}

/// The minimiser of the quadratic model, in step_ and rigidStep_; du_ of both.
void ImplicitSolver::newtonStep(const ImplicitProblem& problem, ImplicitSolution& solution) {
  inverse_ = blocks_;
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    for (int n = 0; n < contact.nodes; ++n) {
      const auto at = static_cast<std::size_t>(n);
      inverse_[static_cast<std::size_t>(contact.node[at])] += contact.weight[at] * contact.weight[at] * G_[c];
    }
  }
  for (Mat3& block : inverse_) block = block.inverse().eval();
  if (problem.rigid != nullptr) problem.rigid->linearize(rigid_, loads_);
  const auto addContacts = [&](const VecX& x, bool withGradient, VecX& Hx) {
    respond(problem, x, withGradient);
    for (std::size_t c = 0; c < problem.contacts.size(); ++c)
      scatter(problem.contacts[c], G_[c] * du_[c], Hx);
  };
  right_ = -gradient_;
  if (problem.rigid != nullptr) {
    scratch_.setZero(right_.size());
    VecX follow = VecX::Zero(right_.size());
    addContacts(scratch_, true, follow);
    right_ -= follow;
  }
  solution.gradientIterations += solveLinear(
      [&](const VecX& x, VecX& Hx) {
        applyH(problem, x, Hx);
        addContacts(x, false, Hx);
      },
      right_, inverse_, settings_.gradientTolerance, kMostGradients, step_);
  respond(problem, step_, true);
  applyH(problem, step_, Hstep_);
}

ImplicitSolver::Derivatives ImplicitSolver::slope(const ImplicitProblem& problem, double alpha) const {
  Derivatives d{step_.dot(Hchange_) + alpha * step_.dot(Hstep_), step_.dot(Hstep_)};
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    const Vec3 u = u_[c] + alpha * du_[c];
    if (contact.holds) {
      d.first += u.dot(G_[c] * du_[c]);
      d.second += du_[c].dot(G_[c] * du_[c]);
      continue;
    }
    const contact::RigidPotential<double> p = contact::sapPotential(toLanes<double>(u), contact.law);
    d.first -= toEigen(p.gamma).dot(du_[c]);
    d.second += contact::curvature(p, contact.law.normal, toLanes<double>(du_[c]));
  }
  if (problem.rigid != nullptr) {
    const RigidSide::Slope rigid = problem.rigid->slope(rigid_, rigidStep_, alpha);
    d.first += rigid.first;
    d.second += rigid.second;
  }
  return d;
}

/// α > 0 where the slope of ℓ vanishes: Newton in a bracket that bisection falls back on.
double ImplicitSolver::lineSearch(const ImplicitProblem& problem) const {
  constexpr double kTolerance = 1e-8;
  const double initial = std::abs(slope(problem, 0).first);
  double low = 0, high = std::numeric_limits<double>::infinity(), alpha = 1;
  for (int k = 0; k < 60; ++k) {
    const Derivatives d = slope(problem, alpha);
    if (!(std::abs(d.first) > kTolerance * initial)) break;
    (d.first < 0 ? low : high) = alpha;
    const double target = alpha - d.first / d.second;
    const double fallback = std::isfinite(high) ? 0.5 * (low + high) : 2 * alpha;
    alpha = target > low && target < high && target < 4 * alpha ? target : fallback;
    if (std::isfinite(high) && high - low <= 1e-15 * high) break;
  }
  return alpha;
}

/// u of all contacts at the grid velocities v and those of rigid_.
void ImplicitSolver::findVelocities(const ImplicitProblem& problem, const VecX& v) {
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    u_[c] = gather(contact, v) - (contact.body >= 0
                                      ? rigid_.V[static_cast<std::size_t>(contact.body)].at(contact.arm)
                                      : contact.vBody);
  }
}

void ImplicitSolver::chooseStart(const ImplicitProblem& problem, const ImplicitSolution& solution) {
  if (problem.contacts.empty()) return;
  RigidSide* const rigid = problem.rigid;
  if (rigid != nullptr) {
    rigid->touch(problem.bodies);
    wrenches_.assign(problem.bodies.size(), {});
    rigid_.v.resize(0);
    rigid->settle(wrenches_, rigid_);
  }
  findVelocities(problem, solution.free);
  const double atFree = linearizeContacts(problem) + (rigid != nullptr ? rigid_.energy : 0);

  const RigidSide::Iterate freeRigid = rigid_;
  scratch_ = problem.ballistic;
  for (std::size_t i = 0; i < problem.mass.size(); ++i)
    scratch_.segment<3>(static_cast<Eigen::Index>(3 * i)) -= problem.dt * problem.gravity;
  if (rigid != nullptr) rigid->start(rigid_);
  findVelocities(problem, scratch_);
  change_ = scratch_ - solution.free;
  applyH(problem, change_, Hchange_);
  const double before =
      linearizeContacts(problem) + 0.5 * change_.dot(Hchange_) + (rigid != nullptr ? rigid_.energy : 0);
  if (before < atFree) return;
  rigid_ = freeRigid;
  change_.setZero();
  Hchange_.setZero();
  findVelocities(problem, solution.free);
}

void ImplicitSolver::solveContact(ImplicitProblem& problem, ImplicitSolution& solution) {
  const std::size_t contacts = problem.contacts.size();
  for (auto* list : {&u_, &du_, &gamma_}) list->assign(contacts, Vec3::Zero());
  G_.assign(contacts, Mat3::Zero());
  solution.trace.clear();
  solution.trace.beginPass();
  solution.contactIterations = 0;
  solution.converged = true;
  change_.setZero(solution.free.size());
  Hchange_.setZero(solution.free.size());
  if (problem.bodies.empty()) problem.rigid = nullptr;
  chooseStart(problem, solution);
  for (;; ++solution.contactIterations) {
    const double energy = linearizeContacts(problem);
    solution.potential = energy + 0.5 * change_.dot(Hchange_);
    right_.setZero(solution.free.size());  // Jᵀγ
    for (std::size_t c = 0; c < contacts; ++c) scatter(problem.contacts[c], gamma_[c], right_);
    gradient_ = Hchange_ - right_;
    sumLoads(problem);
    scratch_ = solution.free + change_;
    for (std::size_t i = 0; i < problem.mass.size(); ++i)
      scratch_.segment<3>(static_cast<Eigen::Index>(3 * i)) *= problem.mass[i];
    const double error = boundedNorm(gradient_, blocks_);
    const double scale = std::max(boundedNorm(scratch_, blocks_), boundedNorm(right_, blocks_));
    bool converged = error <= settings_.relativeTolerance * scale;
    if (problem.rigid != nullptr) {
      const RigidSide::Residual rigid = problem.rigid->residual(rigid_, loads_);
      converged &= rigid.error <= rigid.rounding + settings_.relativeTolerance * rigid.impulse;
    }
    solution.trace.add(scale > 0 ? error / scale : error);
    if (converged || contacts == 0) break;
    if (solution.contactIterations >= settings_.maxIterations || !std::isfinite(error)) {
      solution.converged = false;
      break;
    }
    newtonStep(problem, solution);
    const double alpha = lineSearch(problem);
    change_ += alpha * step_;
    Hchange_ += alpha * Hstep_;
    for (std::size_t c = 0; c < contacts; ++c) u_[c] += alpha * du_[c];
    if (problem.rigid != nullptr) {
      rigid_.v += alpha * rigidStep_;
      problem.rigid->evaluate(rigid_);
    }
  }
  solution.trace.finish(solution.converged, settings_.relativeTolerance);
  solution.v = solution.free + change_;
  solution.gamma = gamma_;
  solution.u = u_;
  solution.remainder = gradient_;
}

}  // namespace slipstick::mpm
