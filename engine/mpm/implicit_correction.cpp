// Both stages of an implicit step as one: the part of ImplicitSolver that repeats stage 2 around what it has found.
#include <limits>

#include "engine/mpm/implicit_solver.h"

namespace slipstick::mpm {
namespace {

/// Mostly one is enough, and four for water that hits the ground.
constexpr int kMostCorrections = 6;

}  // namespace

/// Tangents and gradient of stage 1 at v. @return how far the gradient is from the contacts' impulses, relative to them
double ImplicitSolver::linearizeAtEnd(ImplicitProblem& problem, const ImplicitSolution& solution) {
  problem.elastic.linearize(solution.v);
  factor_ = Factor::None;
  findBlocks(problem);
  evaluateFree(problem, solution.v);
  right_.setZero(solution.v.size());
  for (std::size_t c = 0; c < problem.contacts.size(); ++c)
    problem.contacts[c].scatter(solution.gamma[c], right_);
  const double impulses = diagonalNorm(right_);
  return impulses > 0 ? diagonalNorm(gradient_ - right_) / impulses : 0;
}

/// Stages 1 and 2 are one convex problem but for the law's curvature, of which each correction is a Newton step: v* is where
/// the gradient vanishes by the tangents at v, from which the impulses that were found lead back there.
void ImplicitSolver::solveContact(ImplicitProblem& problem, ImplicitSolution& solution) {
  solution.trace.clear();
  solution.contactIterations = solution.corrections = 0;
  solveTangent(problem, solution);
  if (problem.contacts.empty() || problem.elastic.isQuadratic() || !solution.converged) return;
  ImplicitSolution best = solution;
  double least = std::numeric_limits<double>::infinity();
  for (;; ++solution.corrections) {
    const double error = linearizeAtEnd(problem, solution);
    if (error <= settings_.tangentTolerance) return;
    if (!(error < least)) break;
    least = error;
    best = solution;
    if (solution.corrections == kMostCorrections) break;
    solveFreeStep(problem, solution, true, solution.freeBySolve);
    solution.free = solution.v + step_;
    for (std::size_t c = 0; c < problem.contacts.size(); ++c) problem.contacts[c].guess = solution.gamma[c];
    solveTangent(problem, solution);
    if (!solution.converged) break;
  }
  solution = std::move(best);
  solution.converged = false;
}

}  // namespace slipstick::mpm
