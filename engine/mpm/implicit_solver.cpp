#include "engine/mpm/implicit_solver.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "engine/lanes/eigen_lanes.h"

namespace slipstick::mpm {
namespace {

/// Of conjugate gradients, per linear system.
constexpr int kMostGradients = 2000;
/// As gradientTolerance where factors precondition them: a few iterations for each body that gives way.
constexpr double kFactorTolerance = 1e-6;
/// With the factor of an earlier tangent; then a new one is worth it.
constexpr int kMostWithOldFactor = 12;
/// A product with a particle's tangent, in multiplications; the dense ones of a factorisation take a fifth to a twelfth of the
/// time each.
constexpr double kWorkPerProduct = 10 * 600;
/// A step of stage 1 must lower the energy by this share of what its slope promises.
constexpr double kArmijo = 1e-4;
/// Stage 1 tries exact tangents from this relative error on, where a step has not brought it below this share of the last
/// one; where H is not positive with them, once more when the error has become this much smaller. Far from the minimum they
/// gain nothing, and each try costs a factor.
constexpr double kNear = 0.05, kSlow = 0.2, kNearer = 0.1;
/// Of the energy: what its sum over all particles is known to.
constexpr double kEnergyRounding = 1e-13;
constexpr int kMostHalvings = 30;

/// ½‖v − vⁿ − Δt g‖²_M [J]
double inertia(const ImplicitProblem& problem, const VecX& v) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.mass.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    sum += problem.mass[i] * (v.segment<3>(at) - problem.ballistic.segment<3>(at)).squaredNorm();
  }
  return 0.5 * sum;
}

}  // namespace

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

double ImplicitSolver::diagonalNorm(const VecX& x) const {
  double sum = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const double value = x[static_cast<Eigen::Index>(3 * i) + k];
      sum += value * value / blocks_[i](k, k);
    }
  return std::sqrt(sum);
}

/// Preconditioned conjugate gradients from x = 0. @param tolerance  of √(rᵀz), relative to where it begins
template <class Apply, class Precondition>
int ImplicitSolver::solveLinear(const Apply& apply, const VecX& right, const Precondition& precondition,
                                double tolerance, int most, VecX& x) {
  x.setZero(right.size());
  r_ = right;
  precondition(r_, z_);
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
    precondition(r_, z_);
    const double last = rz;
    rz = r_.dot(z_);
    p_ = z_ + rz / last * p_;
  }
  return k;
}

/// inverse_ of the diagonal blocks of H.
void ImplicitSolver::invertBlocks() {
  inverse_.resize(blocks_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) inverse_[i] = blocks_[i].inverse();
}

/// z = inverse_ r
void ImplicitSolver::applyBlocks(const VecX& r, VecX& z) const {
  z.resize(r.size());
  for (std::size_t i = 0; i < inverse_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    z.segment<3>(at).noalias() = inverse_[i] * r.segment<3>(at);
  }
}

/// Finds out whether H is small enough to be factorised some times.
void ImplicitSolver::orderNodes(const ImplicitProblem& problem) {
  elements_ = problem.elastic.elements();
  for (const ImplicitContact& contact : problem.contacts) elements_.push_back(contact.touched());
  cholesky_.analyze(problem.place, elements_);
  direct_ = cholesky_.work() <= settings_.mostWork;
  factor_ = Factor::None;
}

/// With the present tangents: H, or H + JᵀGJ.
bool ImplicitSolver::factorize(ImplicitProblem& problem, Factor what) {
  if (what == Factor::Free && factor_ == what) return true;
  const std::size_t elastic = elements_.size() - problem.contacts.size();
  direct_ = cholesky_.factorize(problem.mass, [&](std::size_t element, MatX& K) {
    if (element < elastic) return problem.elastic.findElement(element, K);
    if (what == Factor::WithContacts)
      problem.contacts[element - elastic].findElement(G_[element - elastic], K);
    else
      K.resize(0, 0);
  });
  factor_ = direct_ ? what : Factor::None;
  return direct_;
}

/// Conjugate gradients that take as long as a factorisation.
int ImplicitSolver::patience(const ImplicitProblem& problem) const {
  if (!direct_) return kMostGradients;
  const double worth = cholesky_.work() / (kWorkPerProduct * static_cast<double>(problem.elastic.size()));
  return static_cast<int>(std::clamp(worth, 10.0, double(kMostGradients)));
}

/// step_ = −H⁻¹ gradient_. Where conjugate gradients have taken longer than a factorisation, its factor preconditions them, at
/// later tangents, too.
/// @param exactly  to the tolerance of stage 1   @param byFactor  at once, if it can be
void ImplicitSolver::solveFreeStep(ImplicitProblem& problem, ImplicitSolution& solution, bool exactly,
                                   bool byFactor) {
  right_ = -gradient_;
  const auto bySolve = [&](const VecX& r, VecX& z) {
    z = r;
    cholesky_.solveInPlace(z);
  };
  if (direct_ && byFactor && factorize(problem, Factor::Free)) return bySolve(right_, step_);
  const auto apply = [&](const VecX& x, VecX& Hx) { applyH(problem, x, Hx); };
  const double tolerance = exactly ? 0.1 * settings_.relativeTolerance : settings_.gradientTolerance;
  if (!solution.freeBySolve) {
    invertBlocks();
    const auto byBlocks = [&](const VecX& r, VecX& z) { applyBlocks(r, z); };
    const int most = direct_ ? std::max(10, patience(problem) - solution.gradientIterations) : kMostGradients;
    const int taken = solveLinear(apply, right_, byBlocks, tolerance, most, step_);
    solution.gradientIterations += taken;
    if (!direct_ || taken < most) return;
    solution.freeBySolve = factorize(problem, Factor::Free);
    if (!solution.freeBySolve) return;
  }
  const int taken = solveLinear(apply, right_, bySolve, tolerance, kMostWithOldFactor, step_);
  solution.gradientIterations += taken;
  if (taken == kMostWithOldFactor && factorize(problem, Factor::Free)) bySolve(right_, step_);
}

/// The same with exact tangents. @return false where H is not positive with them
bool ImplicitSolver::exactFreeStep(ImplicitProblem& problem, const VecX& v) {
  problem.elastic.linearize(v, Tangents::Exact);
  factor_ = Factor::None;
  if (!factorize(problem, Factor::Free)) return false;
  step_ = -gradient_;
  cholesky_.solveInPlace(step_);
  return true;
}

/// gradient_ at v, with the tangents that are there.
ImplicitSolver::FreeError ImplicitSolver::evaluateFree(const ImplicitProblem& problem, const VecX& v) {
  VecX internal = VecX::Zero(v.size());
  problem.elastic.addGradient(internal);
  gradient_ = internal;
  scratch_.resize(v.size());
  for (std::size_t i = 0; i < problem.mass.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    gradient_.segment<3>(at) += problem.mass[i] * (v - problem.ballistic).segment<3>(at);
    scratch_.segment<3>(at) = problem.mass[i] * v.segment<3>(at);
  }
  return {diagonalNorm(gradient_), std::max(diagonalNorm(scratch_), diagonalNorm(internal))};
}

/// From v on along step_, to where the energy has fallen enough. @return false where it does not
bool ImplicitSolver::advanceFree(ImplicitProblem& problem, Tangents tangents, double& energy, VecX& v) {
  const double before = energy + inertia(problem, v), promised = gradient_.dot(step_);
  const double slack = kEnergyRounding * std::abs(before);
  factor_ = Factor::None;
  double alpha = 1;
  for (int halving = 0; halving <= kMostHalvings; ++halving, alpha /= 2) {
    scratch_ = v + alpha * step_;
    energy = problem.elastic.linearize(scratch_, tangents);
    const bool falls = energy + inertia(problem, scratch_) <= before + kArmijo * alpha * promised + slack;
    if (!falls) continue;  // nor where it is not a number
    v = scratch_;
    return true;
  }
  return false;
}

bool ImplicitSolver::solveFree(ImplicitProblem& problem, ImplicitSolution& solution) {
  orderNodes(problem);
  VecX& v = solution.free;
  v = problem.ballistic;
  solution.freeIterations = solution.gradientIterations = 0;
  solution.freeBySolve = false;
  const bool quadratic = problem.elastic.isQuadratic();
  Tangents tangents = Tangents::Projected;
  const auto project = [&] {
    problem.elastic.linearize(v);
    factor_ = Factor::None;
    tangents = Tangents::Projected;
  };
  const auto leave = [&] {  // with what stage 2 takes
    project();
    findBlocks(problem);
  };
  double last = std::numeric_limits<double>::infinity(), near = quadratic ? 0 : kNear;
  for (double energy = problem.elastic.linearize(v);; ++solution.freeIterations) {
    if (tangents == Tangents::Projected) findBlocks(problem);  // exact ones may not be positive
    const auto [error, scale] = evaluateFree(problem, v);
    const bool converged = error <= settings_.relativeTolerance * scale;
    if (converged || solution.freeIterations >= settings_.maxIterations) {
      if (tangents == Tangents::Exact) leave();
      return converged;
    }
    if (solution.freeBySolve && error < near * scale && error / scale > kSlow * last)
      tangents = Tangents::Exact;
    last = error / scale;
    if (tangents == Tangents::Exact && !exactFreeStep(problem, v)) {
      near = kNearer * last;
      project();
    }
    if (tangents == Tangents::Projected) solveFreeStep(problem, solution, quadratic, quadratic);
    if (quadratic) {
      v += step_;
      problem.elastic.linearize(v);
    } else if (!advanceFree(problem, tangents, energy, v)) {
      leave();
      return false;
    }
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
    const ImplicitContact::Linear at = problem.contacts[c].linearize(u_[c]);
    energy += at.value;
    gamma_[c] = at.gamma;
    G_[c] = at.G;
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
    const Eigen::Matrix<double, 3, 6> J = contact.bodyJacobian();
    load.curvature.noalias() += J.transpose().lazyProduct(G_[c]).lazyProduct(J);
  }
}

/// Per body, of impulses on them.
void ImplicitSolver::sumWrenches(const ImplicitProblem& problem, std::span<const Vec3> impulses) {
  wrenches_.assign(problem.bodies.size(), {});
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    if (contact.body < 0) continue;
    wrenches_[static_cast<std::size_t>(contact.body)] += Wrench{impulses[c], contact.arm.cross(impulses[c])};
  }
}

void ImplicitSolver::subtractBodySteps(const ImplicitProblem& problem) {
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    if (contact.body >= 0) du_[c] -= bodySteps_[static_cast<std::size_t>(contact.body)].at(contact.arm);
  }
}

/// du of all contacts for the grid's step s, with how the bodies follow it.
void ImplicitSolver::respond(const ImplicitProblem& problem, const VecX& s, bool withGradient) {
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) du_[c] = problem.contacts[c].gather(s);
  if (problem.rigid == nullptr) return;
  std::vector<Vec3> impulses(problem.contacts.size());
  for (std::size_t c = 0; c < impulses.size(); ++c) impulses[c] = G_[c] * du_[c];
  sumWrenches(problem, impulses);
  problem.rigid->respond(wrenches_, withGradient, rigidStep_, bodySteps_);
  subtractBodySteps(problem);
}

/// The minimiser of the quadratic model, in step_ and rigidStep_; du_ of both.
/// @return false where conjugate gradients gave up, and factors could take over: there is no step then
bool ImplicitSolver::newtonStep(ImplicitProblem& problem, ImplicitSolution& solution) {
  if (problem.rigid != nullptr) problem.rigid->linearize(rigid_, loads_);
  const auto addContacts = [&](const VecX& x, bool withGradient, VecX& Hx) {
    respond(problem, x, withGradient);
    for (std::size_t c = 0; c < problem.contacts.size(); ++c) problem.contacts[c].scatter(G_[c] * du_[c], Hx);
  };
  const auto apply = [&](const VecX& x, VecX& Hx) {
    applyH(problem, x, Hx);
    addContacts(x, false, Hx);
  };
  right_ = -gradient_;
  if (problem.rigid != nullptr) {
    scratch_.setZero(right_.size());
    VecX follow = VecX::Zero(right_.size());
    addContacts(scratch_, true, follow);
    right_ -= follow;
  }
  if (solution.contactBySolve && factorize(problem, Factor::WithContacts)) {
    const auto bySolve = [&](const VecX& r, VecX& z) {
      z = r;
      cholesky_.solveInPlace(z);
    };
    solution.gradientIterations +=
        solveLinear(apply, right_, bySolve, kFactorTolerance, kMostGradients, step_);
  } else {
    findBlocksWithContacts(problem);
    const auto byBlocks = [&](const VecX& r, VecX& z) { applyBlocks(r, z); };
    // All steps together: the factor would serve them all.
    const int most = direct_ ? std::max(10, patience(problem) - contactGradients_) : kMostGradients;
    const int taken = solveLinear(apply, right_, byBlocks, settings_.gradientTolerance, most, step_);
    solution.gradientIterations += taken;
    contactGradients_ += taken;
    if (direct_ && taken == most) return false;
  }
  respond(problem, step_, true);
  applyH(problem, step_, Hstep_);
  changeHstep_ = step_.dot(Hchange_);
  stepHstep_ = step_.dot(Hstep_);
  return true;
}

/// inverse_ of the diagonal blocks of H + JᵀGJ.
void ImplicitSolver::findBlocksWithContacts(const ImplicitProblem& problem) {
  inverse_ = blocks_;
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    for (int n = 0; n < contact.nodes; ++n) {
      const auto at = static_cast<std::size_t>(n);
      inverse_[static_cast<std::size_t>(contact.node[at])] += contact.weight[at] * contact.weight[at] * G_[c];
    }
  }
  for (Mat3& block : inverse_) block = block.inverse().eval();
}

ImplicitSolver::Derivatives ImplicitSolver::slope(const ImplicitProblem& problem, double alpha) const {
  Derivatives d{changeHstep_ + alpha * stepHstep_, stepHstep_};
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ImplicitContact& contact = problem.contacts[c];
    const Vec3 u = u_[c] + alpha * du_[c];
    if (contact.holds) {
      d.first += u.dot(contact.held * du_[c]) / contact.law.Rn;
      d.second += du_[c].dot(contact.held * du_[c]) / contact.law.Rn;
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
    u_[c] = contact.gather(v) - (contact.body >= 0
                                     ? rigid_.V[static_cast<std::size_t>(contact.body)].at(contact.arm)
                                     : contact.vBody);
  }
}

/// How the bodies move with these impulses on the grid, from the velocities that `at` has, if any.
void ImplicitSolver::settleRigid(const ImplicitProblem& problem, std::span<const Vec3> gamma,
                                 RigidSide::Iterate& at) {
  if (problem.rigid == nullptr) return;
  std::vector<Vec3> onBodies(gamma.size());
  for (std::size_t c = 0; c < gamma.size(); ++c) onBodies[c] = -gamma[c];
  sumWrenches(problem, onBodies);
  problem.rigid->settle(wrenches_, at);
}

void ImplicitSolver::chooseStart(ImplicitProblem& problem, const ImplicitSolution& solution) {
  RigidSide* const rigid = problem.rigid;
  double least = std::numeric_limits<double>::infinity();
  VecX change, Hchange;
  RigidSide::Iterate bodies;
  const auto takeIfLower = [&] {  // what change_, Hchange_ and rigid_ are
    scratch_ = solution.free + change_;
    findVelocities(problem, scratch_);
    const double energy = linearizeContacts(problem) + 0.5 * change_.dot(Hchange_) + rigid_.energy;
    if (!(energy < least)) return;
    least = energy;
    change = change_;
    Hchange = Hchange_;
    bodies = rigid_;
  };
  settleRigid(problem, y_, rigid_);  // no impulses
  takeIfLower();
  if (factor_ == Factor::Free) {
    for (std::size_t c = 0; c < y_.size(); ++c) y_[c] = problem.contacts[c].guess;
    Hchange_.setZero();
    for (std::size_t c = 0; c < y_.size(); ++c) problem.contacts[c].scatter(y_[c], Hchange_);
    change_ = Hchange_;
    cholesky_.solveInPlace(change_);
    settleRigid(problem, y_, rigid_);
  } else {
    change_ = problem.ballistic - solution.free;
    for (std::size_t i = 0; i < problem.mass.size(); ++i)
      change_.segment<3>(static_cast<Eigen::Index>(3 * i)) -= problem.dt * problem.gravity;
    applyH(problem, change_, Hchange_);
    if (rigid != nullptr) rigid->start(rigid_);
  }
  takeIfLower();
  change_ = std::move(change);
  Hchange_ = std::move(Hchange);
  rigid_ = std::move(bodies);
  scratch_ = solution.free + change_;
  findVelocities(problem, scratch_);
}

void ImplicitSolver::startContact(ImplicitProblem& problem, ImplicitSolution& solution) {
  const std::size_t contacts = problem.contacts.size();
  for (auto* list : {&u_, &du_, &gamma_, &y_, &dy_, &Wy_, &Wdy_, &uFree_})
    list->assign(contacts, Vec3::Zero());
  G_.assign(contacts, Mat3::Zero());
  solution.trace.beginPass();
  solution.converged = true;
  solution.potential = 0;
  solution.inContactSpace = false;
  solution.contactBySolve = solution.freeBySolve;
  change_.setZero(solution.free.size());
  Hchange_.setZero(solution.free.size());
  gradient_.setZero(solution.free.size());
  if (problem.bodies.empty()) problem.rigid = nullptr;
  rigid_ = {};
  const double rows = 2 * static_cast<double>(contacts);  // one to three each
  contactGradients_ = 0;
  fewRows_ = rows * rows * rows / 3 <= settings_.contactSpaceShare * cholesky_.work();
  if (contacts == 0) return;
  if (problem.rigid != nullptr) problem.rigid->touch(problem.bodies);
  // Factors that are there, or without which stage 1 took too long.
  const bool factors = direct_ && (factor_ == Factor::Free || solution.freeBySolve);
  if (!(factors && fewRows_ && enterContactSpace(problem, solution))) chooseStart(problem, solution);
}

/// γ, G and the gradient where the iterate is.
void ImplicitSolver::evaluateContact(const ImplicitProblem& problem, ImplicitSolution& solution) {
  const double energy = linearizeContacts(problem);
  right_.setZero(solution.free.size());  // Jᵀγ
  for (std::size_t c = 0; c < gamma_.size(); ++c) problem.contacts[c].scatter(gamma_[c], right_);
  if (solution.inContactSpace) {
    gradient_ = -right_;
    for (std::size_t c = 0; c < y_.size(); ++c) problem.contacts[c].scatter(y_[c], gradient_);
    solution.potential = energy + 0.5 * product(y_, Wy_);
  } else {
    gradient_ = Hchange_ - right_;
    solution.potential = energy + 0.5 * change_.dot(Hchange_);
  }
  sumLoads(problem);
}

/// Where conjugate gradients take too long, contact space or factors take over.
void ImplicitSolver::advanceContact(ImplicitProblem& problem, ImplicitSolution& solution) {
  if (!solution.inContactSpace && !newtonStep(problem, solution)) {
    if (fewRows_ && enterContactSpace(problem, solution)) return;  // which begins anew
    solution.contactBySolve = direct_;
    newtonStep(problem, solution);
  } else if (solution.inContactSpace) {
    if (goesOnProjecting(problem, solution)) return projectedStep(problem);
    newtonStepInContactSpace(problem);
  }
  const double alpha = lineSearch(problem);
  for (std::size_t c = 0; c < u_.size(); ++c) u_[c] += alpha * du_[c];
  if (solution.inContactSpace) {
    for (std::size_t c = 0; c < y_.size(); ++c) y_[c] += alpha * dy_[c], Wy_[c] += alpha * Wdy_[c];
  } else {
    change_ += alpha * step_;
    Hchange_ += alpha * Hstep_;
  }
  if (problem.rigid != nullptr) {
    rigid_.v += alpha * rigidStep_;
    problem.rigid->evaluate(rigid_);
  }
}

/// Stage 2 with the tangents at hand, of which solution.free is v*.
void ImplicitSolver::solveTangent(ImplicitProblem& problem, ImplicitSolution& solution) {
  startContact(problem, solution);
  scratch_ = solution.free;
  for (std::size_t i = 0; i < problem.mass.size(); ++i)
    scratch_.segment<3>(static_cast<Eigen::Index>(3 * i)) *= problem.mass[i];
  const double momentum = diagonalNorm(scratch_);
  for (int iteration = 0; !problem.contacts.empty(); ++iteration, ++solution.contactIterations) {
    evaluateContact(problem, solution);
    const double error = diagonalNorm(gradient_);
    const double scale = std::max(momentum, diagonalNorm(right_));
    bool converged = error <= settings_.relativeTolerance * scale;
    if (problem.rigid != nullptr) {
      const RigidSide::Residual rigid = problem.rigid->residual(rigid_, loads_);
      converged &= rigid.error <= rigid.rounding + settings_.relativeTolerance * rigid.impulse;
    }
    solution.trace.add(scale > 0 ? error / scale : error);
    if (converged) break;
    if (iteration >= settings_.maxIterations || !std::isfinite(error)) {
      solution.converged = false;
      break;
    }
    advanceContact(problem, solution);
  }
  if (solution.inContactSpace) {
    change_.setZero();
    for (std::size_t c = 0; c < y_.size(); ++c) problem.contacts[c].scatter(y_[c], change_);
    cholesky_.solveInPlace(change_);
  }
  solution.trace.finish(solution.converged, settings_.relativeTolerance);
  solution.v = solution.free + change_;
  solution.gamma = gamma_;
  solution.u = u_;
  solution.remainder = gradient_;
}

}  // namespace slipstick::mpm
