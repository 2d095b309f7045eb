#include "engine/multibody/constraint.h"

#include <gtest/gtest.h>

#include "engine/multibody/sap_solver.h"
#include "tests/engine/multibody/random_tree.h"

namespace slipstick::multibody::testing {
namespace {

/// A limit, dry friction, PD with a limit, and a weld row.
const std::array<BoxLaw, 4> kLaws = {{{-0.4, 0.3, 0, kUnbounded},
                                      {0, 0.05, -0.7, 0.7},
                                      {0.2, 2.0, -0.1, 0.1},
                                      {0.1, 0.5, -kUnbounded, kUnbounded}}};

TEST(BoxLaw, ImpulseIsTheNegativeGradientAndHessianItsSlope) {
  for (const BoxLaw& law : kLaws) {
    for (double u = -1.013; u < 1; u += 0.037) {
      const double h = 1e-6;
      EXPECT_NEAR((law.value(u + h) - law.value(u - h)) / (2 * h), -law.impulse(u), 1e-7);
      EXPECT_NEAR((law.impulse(u + h) - law.impulse(u - h)) / (2 * h), -law.hessian(u), 1e-7);
      EXPECT_GE(law.hessian(u), 0);
      EXPECT_GE(law.impulse(u), law.lower);
      EXPECT_LE(law.impulse(u), law.upper);
    }
  }
}

/// Many dry-friction rows on one random positive definite A.
SapProblem frictionProblem(int n, int rows) {
  Random random(5);
  SapProblem problem;
  MatX B(n, n);
  for (int i = 0; i < n; ++i) B.col(i) = randomVecX(random, n);
  problem.A = B * B.transpose() + 0.1 * MatX::Identity(n, n);
  problem.vStar = 3 * randomVecX(random, n);
  for (int r = 0; r < rows; ++r) {
    Constraint c;
    for (int i = 0; i < n; ++i) c.dofs.push_back(i);
    c.J = randomVecX(random, n).transpose();
    c.laws[0] = {0, 1e-3, -1, 1};
    problem.constraints.push_back(c);
  }
  return problem;
}

TEST(SapSolver, EndsWhereTheGradientVanishes) {
  const SapProblem problem = frictionProblem(6, 12);
  VecX v = problem.vStar;
  const SapReport report = SapSolver().solve(problem, v);
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.residual, 1e-6);
  VecX gradient = problem.A * (v - problem.vStar);
  for (const Constraint& c : problem.constraints) gradient -= c.J.transpose() * c.impulse(c.J * v);
  EXPECT_LT(gradient.norm(), 1e-5 * (problem.A * v).norm());
  Random random(6);
  for (int i = 0; i < 50; ++i) {
    EXPECT_LE(SapSolver::cost(problem, v), SapSolver::cost(problem, v + 0.01 * randomVecX(random, 6)));
  }
}

TEST(SapSolver, FindsTheSameMinimumFromAnyStart) {
  const SapProblem problem = frictionProblem(6, 12);
  VecX v = problem.vStar, w = -5 * VecX::Ones(6);
  SapSolver solver;
  EXPECT_TRUE(solver.solve(problem, v).converged);
  EXPECT_TRUE(solver.solve(problem, w).converged);
  EXPECT_LT((v - w).norm(), 1e-5);
}

TEST(SapSolver, SaysSoWhenItStopsAtItsIterationCap) {
  const SapProblem problem = frictionProblem(6, 12);
  VecX v = problem.vStar;
  const SapReport report = SapSolver({.maxIterations = 1}).solve(problem, v);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_GT(report.residual, 1e-6);
}

}  // namespace
}  // namespace slipstick::multibody::testing
