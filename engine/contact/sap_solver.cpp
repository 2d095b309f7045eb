#include "engine/contact/sap_solver.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "engine/contact/rigid_kernel_choice.h"
#include "engine/foundation/stopping.h"
#include "engine/numerics/root_finder.h"

namespace slipstick::contact {

namespace {

/// By how much ℓ may rise over a step, relative to what it is summed from: the rounding of some 10⁵ terms.
constexpr double kRoundingOfValue = 1e-10;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

SapSolver::SapSolver(SapSettings settings) : SapSolver(settings, chooseRigidKernels()) {}

void SapSolver::reset(const SapProblem& problem) {
  objective_.reset(problem);
  hessian_.reset(problem);
  for (SapPoint* point : {&start_, &trial_}) objective_.makeRoom(problem, *point);
  SapObjective::makeRoom(problem, ray_);
  inverseDiagonal_.resize(problem.vStar.size());
  direction_.resize(problem.vStar.size());
  for (const SapTree& tree : problem.trees)
    for (int i = 0; i < tree.size; ++i)
      inverseDiagonal_[tree.start + i] = 1 / problem.A[tree.block + at(i) * at(tree.size + 1)];
}

SapReport SapSolver::test(const SapProblem& problem, const SapIsland& island, const SapPoint& here) const {
  double error2 = 0, momentum2 = 0, impulse2 = 0;
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    for (int i = tree.start; i < tree.start + tree.size; ++i) {
      const double D2 = inverseDiagonal_[i];
      error2 += D2 * here.gradient[i] * here.gradient[i];
      momentum2 += D2 * here.momentum[i] * here.momentum[i];
      impulse2 += D2 * here.impulse[i] * here.impulse[i];
    }
  }
  const double error = std::sqrt(error2), scale = std::sqrt(std::max(momentum2, impulse2));
  SapReport report;
  report.error = error;
  report.scale = scale;
  report.residual = scale > 0 ? error / scale : error;
  report.converged = error <= settings_.absoluteTolerance + settings_.relativeTolerance * scale;
  report.tolerance = scale > 0 ? settings_.relativeTolerance + settings_.absoluteTolerance / scale
                               : settings_.absoluteTolerance;
  return report;
}

SapReport SapSolver::solve(SapProblem& problem, const SapIsland& island, int islandIndex, VecX& v) {
  objective_.evaluate(problem, island, v, start_);
  const SapReport report = solve(problem, island, islandIndex, start_);
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    v.segment(tree.start, tree.size) = start_.v.segment(tree.start, tree.size);
  }
  return report;
}

SapReport SapSolver::solve(SapProblem& problem, const SapIsland& island, int islandIndex, SapPoint& here) {
  SapReport report = test(problem, island, here);
  trace_.beginPass();
  trace_.add(report.residual);
  while (!report.converged && report.iterations < settings_.maxIterations && std::isfinite(report.residual)) {
    throwIfStopped(problem.stop);
    if (report.iterations == 0) hessian_.analyze(problem, island, islandIndex);
    findDirection(problem, island, islandIndex, here, report);
    if (!report.factored) break;
    step(problem, island, here, report);
    ++report.iterations;
    trace_.add(report.residual);
  }
  trace_.finish(report.converged, report.tolerance);
  objective_.writeImpulses(problem, island, here);
  return report;
}

/// Δv = −(∇²ℓ)⁻¹ ∇ℓ
void SapSolver::findDirection(const SapProblem& problem, const SapIsland& island, int islandIndex,
                              const SapPoint& here, SapReport& report) {
  report.factored = hessian_.factorize(problem, island, islandIndex, objective_, here);
  if (!report.factored) return;
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    direction_.segment(tree.start, tree.size) = -here.gradient.segment(tree.start, tree.size);
  }
  hessian_.solveInPlace(problem, island, islandIndex, direction_);
}

/// Moves `here` along Δv. The full step is nearly always as good as the best one. It is taken where it meets the test, or brings
/// the residual down so far that a search could win little.
void SapSolver::step(const SapProblem& problem, const SapIsland& island, SapPoint& here, SapReport& report) {
  const double slopeAtStart = slopeAt(problem, island, here), residualAtStart = report.residual;
  tryStep(problem, island, here, 1, report);
  const double slopeAtFull = slopeAt(problem, island, trial_);
  const bool good = std::abs(slopeAtFull) <= settings_.fullStepSlope * std::abs(slopeAtStart) &&
                    report.residual <= 0.5 * residualAtStart;
  if (!report.converged && !good)
    tryStep(problem, island, here, searchLine(problem, island, slopeAtStart, slopeAtFull, report), report);
  if (!report.converged && isHigher(problem, island, here, report.scale * report.scale))
    report.descended = false;
  std::swap(here, trial_);
}

/// Evaluates the objective at v + α Δv, in trial_.
void SapSolver::tryStep(const SapProblem& problem, const SapIsland& island, const SapPoint& here,
                        double alpha, SapReport& report) {
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    const auto part = [&](const VecX& x) { return x.segment(tree.start, tree.size); };
    trial_.v.segment(tree.start, tree.size) = part(here.v) + alpha * part(direction_);
  }
  objective_.evaluate(problem, island, trial_.v, trial_);
  const SapReport found = test(problem, island, trial_);
  report.residual = found.residual, report.converged = found.converged;
  report.error = found.error, report.scale = found.scale;
  report.tolerance = found.tolerance;
}

/// Of ℓ along Δv.
double SapSolver::slopeAt(const SapProblem& problem, const SapIsland& island, const SapPoint& here) const {
  double sum = 0;
  for (const int t : island.trees) {
    const SapTree& tree = problem.trees[at(t)];
    sum += here.gradient.segment(tree.start, tree.size).dot(direction_.segment(tree.start, tree.size));
  }
  return sum;
}

/// α in (0, maxStep] where the slope of ℓ along Δv vanishes, given that it does not at 1, where trial_ is. The search differs from
/// that along a ray without end: it begins in a bracket, and where a straight line through both slopes ends.
double SapSolver::searchLine(const SapProblem& problem, const SapIsland& island, double slopeAtStart,
                             double slopeAtFull, SapReport& report) {
  objective_.prepare(problem, island, direction_, ray_);
  const auto slope = [&](double alpha) { return objective_.slope(problem, island, trial_, ray_, alpha - 1); };
  numerics::Bracket bracket{0, 1};
  if (slopeAtFull < 0) {
    bracket = {1, settings_.maxStep};
    if (slope(bracket.high).first <= 0) return bracket.high;
  }
  const numerics::Root best = numerics::findRoot(slope, bracket, slopeAtStart / (slopeAtStart - slopeAtFull),
                                                 {settings_.lineSearchTolerance * std::abs(slopeAtStart),
                                                  numerics::kClosed, settings_.maxLineSearchSteps});
  report.searched &= best.found;
  return best.x;
}

/// Whether ℓ at trial_ is above that at `here`. It is convex: where it still falls along Δv, it has done so all the way.
/// @param energy  that the problem is about: parts of ℓ may be as large, and cancel [J]
bool SapSolver::isHigher(const SapProblem& problem, const SapIsland& island, const SapPoint& here,
                         double energy) {
  if (slopeAt(problem, island, trial_) <= 0) return false;
  const double before = objective_.value(problem, island, here);
  const double after = objective_.value(problem, island, trial_);
  return !(after - before <= kRoundingOfValue * (energy + std::abs(before) + std::abs(after)));
}

}  // namespace slipstick::contact
