#include "engine/mpm/implicit/free_motion.h"

#include "engine/foundation/stopping.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::mpm {
namespace {

/// With the factor of an earlier tangent; then a new one is worth it.
constexpr int kMaxWithOldFactor = 12;
/// A step must lower the energy by this share of what its slope promises.
constexpr double kArmijo = 1e-4;
/// Exact tangents are tried from this relative error on, where a step has not brought it below this share of the last one; where
/// H is not positive with them, once more when the error has become this much smaller. Far from the minimum they gain
/// nothing, and each attempt costs one factorisation.
constexpr double kNear = 0.05, kSlow = 0.2, kNearer = 0.1;
/// Of the energy: what its sum over all particles is known to.
constexpr double kEnergyRounding = 1e-13;
constexpr int kMaxHalvings = 30;

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

FreeMotion::Imbalance FreeMotion::evaluate(const ImplicitProblem& problem, const VecX& v) {
  VecX internal = VecX::Zero(v.size()), momentum(v.size());
  problem.elastic.addGradient(internal);
  gradient_ = internal;
  for (std::size_t i = 0; i < problem.mass.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    gradient_.segment<3>(at) += problem.mass[i] * (v - problem.ballistic).segment<3>(at);
    momentum.segment<3>(at) = problem.mass[i] * v.segment<3>(at);
  }
  return {hessian_.diagonalNorm(gradient_),
          std::max(hessian_.diagonalNorm(momentum), hessian_.diagonalNorm(internal))};
}

/// step_, with the factor at hand
void FreeMotion::solveByFactor() {
  remainder_ = -gradient_;
  hessian_.solve(remainder_, step_);
}

/// step_, or what has been found of it. @param otherWays  as of ConjugateGradients::solve()   @return iterations
int FreeMotion::solveByGradients(bool withFactor, double tolerance, int most, bool otherWays) {
  step_.setZero(gradient_.size());
  remainder_ = -gradient_;
  return gradients_.solve(
      step_, remainder_, [&](const VecX& x, VecX& Hx) { hessian_.apply(x, Hx); },
      [&](const VecX& r, VecX& z) { withFactor ? hessian_.solve(r, z) : hessian_.applyInverseBlocks(r, z); },
      tolerance, most, otherWays);
}

const VecX& FreeMotion::findStep(ImplicitSolution& solution, double tolerance, bool byFactor) {
  if (hessian_.isDirect() && byFactor && hessian_.factorize(GridHessian::Factor::Free)) {
    solveByFactor();
    return step_;
  }
  if (!solution.freeBySolve) {
    hessian_.invertBlocks();
    const bool canChange = hessian_.isDirect();
    const int most =
        canChange ? std::max(10, hessian_.patience() - solution.gradientIterations) : kMaxGradients;
    const int taken = solveByGradients(false, tolerance, most, canChange);
    solution.gradientIterations += taken;
    if (!canChange || !gradients_.gaveUp()) return step_;
    solution.freeBySolve = hessian_.factorize(GridHessian::Factor::Free);
    if (!solution.freeBySolve) return step_;
  }
  const int taken = solveByGradients(true, tolerance, kMaxWithOldFactor, true);
  solution.gradientIterations += taken;
  if (gradients_.gaveUp() && hessian_.factorize(GridHessian::Factor::Free)) solveByFactor();
  return step_;
}

/// step_ with exact tangents at v. @return false where H is not positive with them
bool FreeMotion::findExactStep(const VecX& v) {
  hessian_.linearize(v, Tangents::Exact);
  if (!hessian_.factorize(GridHessian::Factor::Free)) return false;
  solveByFactor();
  return true;
}

/// From v on along step_, to where the energy has fallen enough. @return false where it does not
bool FreeMotion::advance(const ImplicitProblem& problem, Tangents tangents, double& energy, VecX& v) {
  const double before = energy + inertia(problem, v), promised = gradient_.dot(step_);
  const double slack = kEnergyRounding * std::abs(before);
  double alpha = 1;
  for (int halving = 0; halving <= kMaxHalvings; ++halving, alpha /= 2) {
    trial_ = v + alpha * step_;
    energy = hessian_.linearize(trial_, tangents);
    const bool falls = energy + inertia(problem, trial_) <= before + kArmijo * alpha * promised + slack;
    if (!falls) continue;  // nor where it is not a number
    v = trial_;
    return true;
  }
  return false;
}

bool FreeMotion::solve(ImplicitProblem& problem, ImplicitSolution& solution) {
  hessian_.begin(problem, settings_.mostWork);
  VecX& v = solution.free;
  v = problem.ballistic;
  solution.freeIterations = solution.gradientIterations = 0;
  solution.freeBySolve = false;
  const bool quadratic = problem.elastic.isQuadratic();
  Tangents tangents = Tangents::Projected;
  const auto project = [&] {
    hessian_.linearize(v);
    tangents = Tangents::Projected;
  };
  const auto leave = [&] {  // with what stage 2 takes
    project();
    hessian_.findBlocks();
  };
  double last = std::numeric_limits<double>::infinity(), near = kNear;
  for (double energy = hessian_.linearize(v);; ++solution.freeIterations) {
    throwIfStopped(problem.stop);
    if (tangents == Tangents::Projected) hessian_.findBlocks();  // exact ones may not be positive
    const auto [error, scale] = evaluate(problem, v);
    const bool converged = error <= settings_.relativeTolerance * scale;
    if (converged || solution.freeIterations >= settings_.maxIterations) {
      if (tangents == Tangents::Exact) leave();
      return converged;
    }
    if (quadratic) {
      v += findStep(solution, exactly(), true);
      problem.elastic.linearize(v);  // the tangents stay, and so does their factor
      continue;
    }
    if (solution.freeBySolve && error < near * scale && error / scale > kSlow * last)
      tangents = Tangents::Exact;
    last = error / scale;
    bool byFactor = false;
    if (tangents == Tangents::Exact && !findExactStep(v)) {
      byFactor = true;  // the try has cost that of earlier tangents
      near = kNearer * last;
      project();
    }
    if (tangents == Tangents::Projected) findStep(solution, settings_.gradientTolerance, byFactor);
    if (!advance(problem, tangents, energy, v)) {
      leave();
      return false;
    }
  }
}

}  // namespace slipstick::mpm
