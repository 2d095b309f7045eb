#include "engine/mpm/implicit/implicit_solver.h"

#include "engine/foundation/stopping.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::mpm {
namespace {

/// As gradientTolerance where factors precondition them: a few iterations for each body that gives way.
constexpr double kFactorTolerance = 1e-6;
/// Of stage 2. Mostly one is enough, and four for water that hits the ground.
constexpr int kMaxCorrections = 6;

/// M v
VecX momentumOf(const ImplicitProblem& problem, const VecX& v) {
  VecX Mv = v;
  for (std::size_t i = 0; i < problem.mass.size(); ++i)
    Mv.segment<3>(static_cast<Eigen::Index>(3 * i)) *= problem.mass[i];
  return Mv;
}

}  // namespace

double ImplicitSolver::mobility(const ImplicitContact& c) const {
  double w = 0;
  for (int n = 0; n < c.nodes; ++n) {
    const auto at = static_cast<std::size_t>(n);
    w += c.weight[at] * c.weight[at] * hessian_.block(c.node[at]).inverse().trace() / 3;
  }
  return w;
}

/// The gradient of stage 1 at v. @return how far it is from the contacts' impulses, relative to them, or where they are next to
/// nothing to what stage 1 is solved to
double ImplicitSolver::imbalanceAtEnd(const ImplicitProblem& problem, const ImplicitSolution& solution) {
  hessian_.findStress(solution.v);
  const double scale = free_.evaluate(problem, solution.v).scale;
  load_.setZero(solution.v.size());
  at_.scatter(solution.gamma, load_);
  const double known = settings_.relativeTolerance * scale / settings_.tangentTolerance,
               impulses = std::max(hessian_.diagonalNorm(load_), known);
  return impulses > 0 ? hessian_.diagonalNorm(free_.gradient() - load_) / impulses : 0;
}

/// Stages 1 and 2 are one convex problem but for the law's curvature, of which each correction is a Newton step: v* is where
/// the gradient vanishes by the tangents at v, from which the impulses that were found lead back there.
void ImplicitSolver::solveContact(ImplicitProblem& problem, ImplicitSolution& solution) {
  solution.trace.clear();
  solution.contactIterations = solution.corrections = 0;
  solution.factored = true;
  solveTangent(problem, solution);
  if (problem.contacts.empty() || problem.elastic.isQuadratic() || !solution.converged) return;
  ImplicitSolution best = solution;
  double least = std::numeric_limits<double>::infinity();
  for (;; ++solution.corrections) {
    const double error = imbalanceAtEnd(problem, solution);
    if (error <= settings_.tangentTolerance) return;
    if (!(error < least)) break;
    least = error;
    best = solution;
    if (solution.corrections == kMaxCorrections) break;
    hessian_.linearize(solution.v);
    hessian_.findBlocks();
    solution.free = solution.v + free_.findStep(solution, free_.exactly(), solution.freeBySolve);
    for (std::size_t c = 0; c < problem.contacts.size(); ++c) problem.contacts[c].guess = solution.gamma[c];
    solveTangent(problem, solution);
    if (!solution.converged) break;
  }
  solution = std::move(best);
  solution.converged = false;
}

/// Stage 2 with the tangents at hand, of which solution.free is v*. What contact space does not finish is done on the grid: its
/// steps take longer, but do without W.
void ImplicitSolver::solveTangent(ImplicitProblem& problem, ImplicitSolution& solution) {
  startContact(problem, solution, true);
  iterateContact(problem, solution);
  if (!solution.converged && solution.inContactSpace) {
    startContact(problem, solution, false);
    iterateContact(problem, solution);
  }
  solution.trace.finish(solution.converged, settings_.relativeTolerance);
  solution.factored &= !hessian_.failed() && !(solution.inContactSpace && impulses_.failed());
  solution.v = solution.free + change_;
  solution.gamma = at_.gamma;
  solution.u = at_.u;
  solution.remainder = gradient_;
}

/// Until it converges, or has taken too many steps.
void ImplicitSolver::iterateContact(const ImplicitProblem& problem, ImplicitSolution& solution) {
  const double momentum = hessian_.diagonalNorm(momentumOf(problem, solution.free));
  for (int iteration = 0; !problem.contacts.empty(); ++iteration, ++solution.contactIterations) {
    throwIfStopped(problem.stop);
    evaluateContact(solution);
    const double error = hessian_.diagonalNorm(gradient_);
    const double scale = std::max(momentum, hessian_.diagonalNorm(load_));
    const bool converged =
        error <= settings_.relativeTolerance * scale && at_.bodiesConverged(settings_.relativeTolerance);
    solution.trace.add(scale > 0 ? error / scale : error);
    if (converged) {
      findChange(solution);
      if (!solution.inContactSpace || !impulses_.refine(solution.free + change_)) break;
      continue;
    }
    const int most = solution.inContactSpace ? settings_.contactSpaceIterations : settings_.maxIterations;
    if (iteration >= most || !std::isfinite(error)) {
      solution.converged = false;
      findChange(solution);
      break;
    }
    advanceContact(problem, solution);
  }
}

/// @param contactSpace  whether it may be entered
void ImplicitSolver::startContact(ImplicitProblem& problem, ImplicitSolution& solution, bool contactSpace) {
  if (problem.bodies.empty()) problem.rigid = nullptr;
  at_.begin(problem);
  solution.trace.beginPass();
  solution.converged = true;
  solution.potential = 0;
  solution.inContactSpace = false;
  solution.contactBySolve = solution.freeBySolve;
  change_.setZero(solution.free.size());
  Hchange_.setZero(solution.free.size());
  gradient_.setZero(solution.free.size());
  const double rows = 2 * static_cast<double>(problem.contacts.size());  // one to three each
  contactGradients_ = 0;
  mayEnter_ = contactSpace && rows * rows * rows / 3 <= settings_.contactSpaceShare * hessian_.work();
  if (problem.contacts.empty()) return;
  // Factors that are there, or without which stage 1 took too long.
  const bool factors =
      hessian_.isDirect() && (hessian_.factor() == GridHessian::Factor::Free || solution.freeBySolve);
  if (!(factors && mayEnter_ && enterContactSpace(problem, solution))) chooseStart(problem, solution);
}

/// Goes over to contact space, with its own start. @return false where H has no factor
bool ImplicitSolver::enterContactSpace(const ImplicitProblem& problem, ImplicitSolution& solution) {
  if (!hessian_.factorize(GridHessian::Factor::Free)) return false;
  solution.inContactSpace = true;
  impulses_.begin(problem, hessian_, solution.free);
  return true;
}

void ImplicitSolver::chooseStart(const ImplicitProblem& problem, const ImplicitSolution& solution) {
  double least = std::numeric_limits<double>::infinity();
  VecX change, Hchange;
  RigidSide::Iterate bodies;
  const auto takeIfLower = [&] {  // what change_, Hchange_ and the bodies are
    at_.findVelocities(solution.free + change_);
    const double energy = at_.linearize() + 0.5 * change_.dot(Hchange_) + at_.rigid.energy;
    if (!(energy < least)) return;
    least = energy;
    change = change_;
    Hchange = Hchange_;
    bodies = at_.rigid;
  };
  std::vector<Vec3> impulses(problem.contacts.size(), Vec3::Zero());
  at_.settle(impulses);
  takeIfLower();
  if (hessian_.factor() == GridHessian::Factor::Free) {
    for (std::size_t c = 0; c < impulses.size(); ++c) impulses[c] = problem.contacts[c].guess;
    Hchange_.setZero();
    at_.scatter(impulses, Hchange_);
    hessian_.solve(Hchange_, change_);
    at_.settle(impulses);
  } else {
    change_ = problem.ballistic - solution.free;
    for (std::size_t i = 0; i < problem.mass.size(); ++i)
      change_.segment<3>(static_cast<Eigen::Index>(3 * i)) -= problem.dt * problem.gravity;
    hessian_.apply(change_, Hchange_);
    if (problem.rigid != nullptr) problem.rigid->start(at_.rigid);
  }
  takeIfLower();
  change_ = std::move(change);
  Hchange_ = std::move(Hchange);
  at_.rigid = std::move(bodies);
  at_.findVelocities(solution.free + change_);
}

/// v − v*, which contact space does without.
void ImplicitSolver::findChange(const ImplicitSolution& solution) {
  if (!solution.inContactSpace) return;
  load_.setZero();
  at_.scatter(impulses_.impulses(), load_);
  hessian_.solve(load_, change_);
}

/// γ, G and the gradient where the iterate is.
void ImplicitSolver::evaluateContact(ImplicitSolution& solution) {
  const double energy = at_.linearize();
  load_.setZero(solution.free.size());
  at_.scatter(at_.gamma, load_);
  if (solution.inContactSpace) {
    gradient_ = -load_;
    at_.scatter(impulses_.impulses(), gradient_);
    solution.potential = energy + impulses_.gridEnergy();
  } else {
    gradient_ = Hchange_ - load_;
    solution.potential = energy + 0.5 * change_.dot(Hchange_);
  }
  at_.sumLoads();
}

/// Where conjugate gradients take too long, contact space or factors take over.
void ImplicitSolver::advanceContact(const ImplicitProblem& problem, ImplicitSolution& solution) {
  if (solution.inContactSpace) return impulses_.advance(solution.potential);
  if (!findNewtonStep(solution)) {
    if (mayEnter_ && enterContactSpace(problem, solution)) return;  // which begins anew
    solution.contactBySolve = hessian_.isDirect();
    findNewtonStep(solution);
  }
  const double alpha = at_.lineSearch(step_.dot(Hchange_), step_.dot(Hstep_));
  at_.advance(alpha);
  change_ += alpha * step_;
  Hchange_ += alpha * Hstep_;
}

/// The minimiser of the quadratic model, in step_ and the iterate.
/// @return false where conjugate gradients gave up, and factors could take over: there is no step then
bool ImplicitSolver::findNewtonStep(ImplicitSolution& solution) {
  at_.linearizeBodies();
  const auto apply = [&](const VecX& x, VecX& Hx) {
    hessian_.apply(x, Hx);
    at_.addResponse(x, false, Hx);
  };
  // The bodies' own way to the minimum moves the grid, too.
  VecX follow = VecX::Zero(gradient_.size());
  at_.addResponse(VecX::Zero(gradient_.size()), true, follow);
  VecX remainder = -gradient_ - follow;
  step_.setZero(gradient_.size());
  if (solution.contactBySolve && hessian_.factorize(GridHessian::Factor::WithContacts, at_.G)) {
    const auto bySolve = [&](const VecX& r, VecX& z) { hessian_.solve(r, z); };
    solution.gradientIterations +=
        gradients_.solve(step_, remainder, apply, bySolve, kFactorTolerance, kMaxGradients);
  } else {
    hessian_.invertBlocks(at_.G);
    const auto byBlocks = [&](const VecX& r, VecX& z) { hessian_.applyInverseBlocks(r, z); };
    // All steps together: the factor would serve them all.
    const bool canChange = hessian_.isDirect();
    const int most = canChange ? std::max(10, hessian_.patience() - contactGradients_) : kMaxGradients;
    const int taken =
        gradients_.solve(step_, remainder, apply, byBlocks, settings_.gradientTolerance, most, canChange);
    solution.gradientIterations += taken;
    contactGradients_ += taken;
    if (canChange && gradients_.gaveUp()) return false;
  }
  at_.respond(step_, true);
  hessian_.apply(step_, Hstep_);
  return true;
}

}  // namespace slipstick::mpm
