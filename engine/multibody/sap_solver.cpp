#include "engine/multibody/sap_solver.h"

#include <cmath>

namespace slipstick::multibody {

double SapSolver::cost(const SapProblem& problem, const VecX& v) {
  const VecX offset = v - problem.vStar;
  double cost = 0.5 * offset.dot(problem.A * offset);
  for (const Constraint& c : problem.constraints) {
    if (c.active) cost += c.value(c.velocity(v));
  }
  return cost;
}

/// Gradient at v and the stopping test.
bool SapSolver::evaluate(const SapProblem& problem, const VecX& v, SapReport& report) {
  offset_ = v - problem.vStar;
  momentum_.noalias() = problem.A * v;
  impulse_.setZero(v.size());
  for (std::size_t k = 0; k < problem.constraints.size(); ++k) {
    const Constraint& c = problem.constraints[k];
    if (!c.active) continue;
    u_[k] = c.velocity(v);
    c.addGeneralized(c.impulse(u_[k]), impulse_);
  }
  gradient_.noalias() = problem.A * offset_;
  gradient_ -= impulse_;

  const auto D = problem.A.diagonal().array().rsqrt();
  const double error = (D * gradient_.array()).matrix().norm();
  const double scale =
      std::max((D * momentum_.array()).matrix().norm(), (D * impulse_.array()).matrix().norm());
  report.residual = scale > 0 ? error / scale : error;
  report.converged = error <= settings_.absoluteTolerance + settings_.relativeTolerance * scale;
  return report.converged;
}

/// Δv = −H⁻¹ ∇ℓ with H = A + Σ Jᵀ G J, and J Δv.
void SapSolver::computeDirection(const SapProblem& problem) {
  H_ = problem.A;
  for (std::size_t k = 0; k < problem.constraints.size(); ++k) {
    const Constraint& c = problem.constraints[k];
    if (c.active) c.addHessian(c.hessian(u_[k]), H_);
  }
  cholesky_.compute(H_);
  direction_ = -gradient_;
  cholesky_.solveInPlace(direction_);
  for (std::size_t k = 0; k < problem.constraints.size(); ++k) {
    const Constraint& c = problem.constraints[k];
    if (c.active) du_[k] = c.velocity(direction_);
  }
}

/// α in (0, maxStep] where the slope of ℓ along Δv vanishes: Newton in one dimension, bisection where it
/// leaves the bracket.
double SapSolver::searchLine(const SapProblem& problem) {
  stretched_.noalias() = problem.A * direction_;
  const double slopeA = stretched_.dot(offset_), curvatureA = stretched_.dot(direction_);
  double curvature = 0;
  const auto slope = [&](double alpha) {
    double s = slopeA + alpha * curvatureA;
    curvature = curvatureA;
    for (std::size_t k = 0; k < problem.constraints.size(); ++k) {
      const Constraint& c = problem.constraints[k];
      if (!c.active) continue;
      const RowVec u = u_[k] + alpha * du_[k];
      s -= c.impulse(u).dot(du_[k]);
      curvature += du_[k].dot(c.hessian(u) * du_[k]);
    }
    return s;
  };

  const double scale = std::abs(slope(0));
  double lower = 0, upper = settings_.maxStep, alpha = 1;
  if (slope(upper) <= 0) return upper;
  for (int i = 0; i < 100 && upper - lower > 1e-15; ++i) {
    const double s = slope(alpha);
    if (std::abs(s) <= settings_.lineSearchTolerance * scale) break;
    (s < 0 ? lower : upper) = alpha;
    alpha -= s / curvature;
    if (!(alpha > lower && alpha < upper)) alpha = 0.5 * (lower + upper);
  }
  return alpha;
}

SapReport SapSolver::solve(const SapProblem& problem, VecX& v) {
  u_.resize(problem.constraints.size());
  du_.resize(problem.constraints.size());
  SapReport report;
  while (!evaluate(problem, v, report) && report.iterations < settings_.maxIterations) {
    if (!gradient_.allFinite()) break;
    computeDirection(problem);
    v += searchLine(problem) * direction_;
    ++report.iterations;
  }
  return report;
}

}  // namespace slipstick::multibody
