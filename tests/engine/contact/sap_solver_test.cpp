#include "engine/contact/sap_solver.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/contact/block_cholesky.h"
#include "engine/contact/sap_islands.h"
#include "tests/engine/contact/random_problem.h"
#include "tests/support/allocation_count.h"
#include "tests/support/random_tree.h"

namespace slipstick::contact {
namespace {

using testing::kLaws;
using testing::Random;
using testing::RandomProblem;
using testing::randomVecX;

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

class SapSolverOf : public ::testing::TestWithParam<ContactPotentialName> {};

double wholeCost(SapSolver& solver, const SapProblem& problem, const SapIslands& islands, int count,
                 const VecX& v) {
  double cost = 0;
  for (int i = 0; i < count; ++i) cost += solver.objective().value(problem, islands.island(i), v);
  return cost;
}

TEST_P(SapSolverOf, EndsInTheMinimumFromAnyStart) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    RandomProblem random(seed);
    SapProblem& problem = random.problem;
    problem.potential = GetParam();
    SapIslands islands;
    const int count = islands.find(problem);
    SapSolver solver({.relativeTolerance = 1e-10});
    solver.reset(problem);
    Random noise(seed + 100);
    const auto n = static_cast<int>(problem.vStar.size());
    VecX v = problem.vStar, other = 5 * randomVecX(noise, n);
    for (int i = 0; i < count; ++i) {
      for (VecX* start : {&v, &other}) {
        const SapReport report = solver.solve(problem, islands.island(i), i, *start);
        EXPECT_TRUE(report.converged && report.descended) << "seed " << seed;
      }
    }
    EXPECT_LT((v - other).norm(), 1e-6 * (1 + v.norm())) << "seed " << seed;
    const double best = wholeCost(solver, problem, islands, count, v);
    for (int k = 0; k < 20; ++k)
      EXPECT_LE(best, wholeCost(solver, problem, islands, count, v + 1e-3 * randomVecX(noise, n)));
  }
}

TEST_P(SapSolverOf, BalancesMomentumWithTheReportedImpulses) {
  RandomProblem random(3);
  SapProblem& problem = random.problem;
  problem.potential = GetParam();
  SapIslands islands;
  const int count = islands.find(problem);
  SapSolver solver({.relativeTolerance = 1e-12});
  solver.reset(problem);
  VecX v = problem.vStar;
  for (int i = 0; i < count; ++i) EXPECT_TRUE(solver.solve(problem, islands.island(i), i, v).converged);
  // Σ Jᵀ γ computed here, from Jacobians at each point.
  VecX impulse = VecX::Zero(v.size());
  const auto apply = [&](int body, const Vec3& p, const Vec3& gamma) {
    const SapBody& b = problem.bodies[static_cast<std::size_t>(body)];
    if (b.tree < 0) return;
    const SapTree& tree = problem.trees[static_cast<std::size_t>(b.tree)];
    const MatX J = problem.jacobian(b);
    impulse.segment(tree.start, tree.size) +=
        J.bottomRows(3).transpose() * gamma + J.topRows(3).transpose() * (p - b.p).cross(gamma);
  };
  for (const BodyPair& pair : problem.pairs) {
    Vec3 loop = Vec3::Zero();
    for (int r = 0; r < pair.rowCount; ++r) loop[r] = pair.gamma[r];
    apply(pair.bodyB, pair.origin, loop);
    apply(pair.bodyA, pair.origin, -loop);
    for (int p = pair.pointBegin; p < pair.pointEnd; ++p) {
      const ContactPointLaw& point = problem.points[static_cast<std::size_t>(p)];
      apply(pair.bodyB, pair.origin + point.r, point.gamma);
      apply(pair.bodyA, pair.origin + point.r, -point.gamma);
    }
  }
  for (const ScalarConstraint& c : problem.scalars)
    for (std::size_t i = 0; i < 2; ++i)
      if (c.dof[i] >= 0) impulse[c.dof[i]] += c.coefficient[i] * c.gamma;
  for (const SapTree& tree : problem.trees) {
    const VecX momentum = problem.blockA(tree) * (v - problem.vStar).segment(tree.start, tree.size);
    EXPECT_LT((momentum - impulse.segment(tree.start, tree.size)).norm(), 1e-8 * (1 + impulse.norm()));
  }
}

/// Two velocities whose inertias are 1 and this together; the first has a limit that is met.
SapProblem coupled(double inertia) {
  SapProblem problem;
  problem.trees.push_back({0, 2, 0});
  problem.A = {1, inertia, inertia, 1};
  problem.choleskyA = problem.A;
  problem.vStar = VecX::Ones(2);
  problem.bodies.emplace_back();
  ScalarConstraint limit;
  limit.law = {2, 0.5, 0, kUnbounded};
  problem.scalars.push_back(limit);
  return problem;
}

TEST(SapSolver, SaysWhereItsHessianHasNoFactor) {
  for (const double inertia : {0.5, 10.0}) {  // 1 + 1/R = 3 and 1, and 100 beside the diagonal
    SapProblem problem = coupled(inertia);
    const bool positive = inertia < 1;
    SapIslands islands;
    ASSERT_EQ(islands.find(problem), 1);
    SapSolver solver;
    solver.reset(problem);
    VecX v = VecX::Constant(2, -0.5);
    const SapReport report = solver.solve(problem, islands.island(0), 0, v);
    EXPECT_EQ(report.factored, positive);
    EXPECT_EQ(report.converged, positive);
    EXPECT_EQ(v == VecX::Constant(2, -0.5), !positive) << "no step without a factor";
  }
}

TEST(SapSolver, SaysWhereALineSearchUsedUpItsSteps) {
  for (const int steps : {100, 1}) {
    bool searched = true;
    int iterations = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
      RandomProblem random(seed);
      SapIslands islands;
      const int count = islands.find(random.problem);
      SapSolver solver({.maxLineSearchSteps = steps});
      solver.reset(random.problem);
      Random noise(seed);
      VecX v = 5 * randomVecX(noise, static_cast<int>(random.problem.vStar.size()));
      for (int i = 0; i < count; ++i) {
        const SapReport report = solver.solve(random.problem, islands.island(i), i, v);
        searched &= report.searched;
        iterations += report.iterations;
      }
    }
    EXPECT_EQ(searched, steps == 100);
    EXPECT_GT(iterations, 20);
  }
}

/// One velocity with two laws that meet right beyond where it starts: the first one's curvature, which Newton's step is made of,
/// ends there, and the second one's impulse turns. Another velocity keeps the residual's scale.
SapProblem turning() {
  constexpr double kNear = 1e-3;
  SapProblem problem;
  problem.trees.push_back({0, 2, 0});
  problem.A = {0.01, 0, 0, 1};
  problem.choleskyA = problem.A;
  problem.vStar = Eigen::Vector2d(0, 100);
  problem.bodies.emplace_back();
  problem.scalars.resize(2);
  problem.scalars[0].law = {kNear, 1 / 0.99, 0, kUnbounded};
  problem.scalars[1].law = {kNear * (1 + 1 / 1.05), kNear / 1.05, -0.05, 1};
  return problem;
}

TEST(SapSolver, SaysWhereAStepRaisedTheCost) {
  for (const bool searches : {false, true}) {
    SapProblem problem = turning();
    SapIslands islands;
    ASSERT_EQ(islands.find(problem), 1);
    // Without a search a full step may do it, whose slope is small.
    SapSolver solver({.fullStepSlope = searches ? 0 : 0.1});
    solver.reset(problem);
    VecX v = problem.vStar;
    const SapReport report = solver.solve(problem, islands.island(0), 0, v);
    EXPECT_TRUE(report.converged) << "whichever way it went";
    EXPECT_EQ(report.descended, searches);
  }
}

/// The same steps from a point that was evaluated before as from its velocities.
TEST(SapSolver, GoesOnFromAPointThatIsKnown) {
  RandomProblem random(5);
  SapProblem& problem = random.problem;
  SapIslands islands;
  const int count = islands.find(problem);
  SapSolver solver;
  solver.reset(problem);
  VecX v = problem.vStar;
  SapPoint point;
  int iterations = 0;
  for (int i = 0; i < count; ++i) {
    solver.objective().evaluate(problem, islands.island(i), problem.vStar, point);
    const SapReport expected = solver.solve(problem, islands.island(i), i, v);
    const SapReport found = solver.solve(problem, islands.island(i), i, point);
    EXPECT_EQ(found.iterations, expected.iterations);
    for (const int t : islands.island(i).trees) {
      const SapTree& tree = problem.trees[static_cast<std::size_t>(t)];
      EXPECT_EQ(point.v.segment(tree.start, tree.size), v.segment(tree.start, tree.size));
    }
    iterations += found.iterations;
  }
  EXPECT_GT(iterations, 0);
}

TEST_P(SapSolverOf, AllocatesNothingWhenTheStructureStays) {
  RandomProblem random(11, 12);
  SapProblem& problem = random.problem;
  problem.potential = GetParam();
  SapIslands islands;
  SapSolver solver;
  VecX v = problem.vStar;
  const auto solveAll = [&] {
    v = problem.vStar;
    const int count = islands.find(problem);
    solver.reset(problem);
    for (int i = 0; i < count; ++i) (void)solver.solve(problem, islands.island(i), i, v);
  };
  solveAll();
  solveAll();
  const std::size_t before = slipstick::testing::allocationCount();
  solveAll();
  EXPECT_EQ(slipstick::testing::allocationCount() - before, 0u);
}

std::string nameOf(const ::testing::TestParamInfo<ContactPotentialName>& tested) {
  constexpr std::array<const char*, 3> kNames = {"Lagged", "Similar", "Sap"};
  return kNames[static_cast<std::size_t>(tested.param)];
}

INSTANTIATE_TEST_SUITE_P(Potentials, SapSolverOf,
                         ::testing::Values(ContactPotentialName::Lagged, ContactPotentialName::Similar,
                                           ContactPotentialName::Sap),
                         nameOf);

/// Bodies of six velocities whose Jacobian is 1, all touching, with and without the shorter way through.
TEST(SapSolver, FreeBodiesMoveAsThoseWithAJacobianDo) {
  RandomProblem random(8);
  SapProblem& problem = random.problem;
  for (std::size_t b = 1; b < problem.bodies.size(); ++b) {
    SapBody& body = problem.bodies[b];
    if (body.tree < 0 || problem.trees[static_cast<std::size_t>(body.tree)].size != 6) continue;
    body.prescribed.setZero();
    Eigen::Map<Mat6>(problem.jacobians.data() + body.jacobian).setIdentity();
  }
  const auto solveAll = [&] {
    SapIslands islands;
    const int count = islands.find(problem);
    SapSolver solver({.relativeTolerance = 1e-12});
    solver.reset(problem);
    VecX v = problem.vStar;
    for (int i = 0; i < count; ++i) EXPECT_TRUE(solver.solve(problem, islands.island(i), i, v).converged);
    return v;
  };
  const VecX expected = solveAll();
  int free = 0;
  for (std::size_t b = 1; b < problem.bodies.size(); ++b) {
    SapBody& body = problem.bodies[b];
    body.free = body.tree >= 0 && problem.trees[static_cast<std::size_t>(body.tree)].size == 6;
    free += body.free;
  }
  ASSERT_GE(free, 2);
  EXPECT_LT((solveAll() - expected).norm(), 1e-10 * expected.norm());
}

TEST(SapSolver, SaysSoWhenItStopsAtItsIterationCap) {
  RandomProblem random(3);
  SapIslands islands;
  const int count = islands.find(random.problem);
  SapSolver solver({.maxIterations = 1});
  solver.reset(random.problem);
  VecX v = random.problem.vStar;
  bool capped = false;
  for (int i = 0; i < count; ++i) capped |= !solver.solve(random.problem, islands.island(i), i, v).converged;
  EXPECT_TRUE(capped);
}

TEST(SapSolver, TracesItsResidualDownToWhatItWasGivenToReach) {
  RandomProblem random(3);
  SapIslands islands;
  const int count = islands.find(random.problem);
  SapSolver solver({.relativeTolerance = 1e-8});
  solver.reset(random.problem);
  VecX v = random.problem.vStar;
  for (int i = 0; i < count; ++i) {
    solver.trace().clear();
    const SapReport report = solver.solve(random.problem, islands.island(i), i, v);
    const SolveTrace& trace = solver.trace();
    ASSERT_TRUE(report.converged);
    EXPECT_EQ(trace.iterations(), report.iterations);
    EXPECT_NEAR(trace.tolerance(), 1e-8, 1e-12);
    EXPECT_EQ(trace.points().back().residual, static_cast<float>(report.residual));
    EXPECT_LE(report.residual, trace.tolerance());
    for (std::size_t k = 0; k + 1 < trace.points().size(); ++k)
      EXPECT_GT(trace.points()[k].residual, trace.tolerance()) << "it would have stopped there";
  }
}

TEST(SapIslands, JoinsOnlyWhatInfluencesEachOther) {
  SapProblem problem;
  problem.bodies.emplace_back();
  for (int t = 0; t < 5; ++t) {
    problem.trees.push_back({6 * t, 6, 0});
    SapBody body;
    body.tree = t;
    problem.bodies.push_back(body);
  }
  const auto touch = [&](int a, int b) {
    BodyPair pair;
    pair.bodyA = a;
    pair.bodyB = b;
    problem.pairs.push_back(pair);
  };
  touch(0, 1);  // both on the ground: apart
  touch(0, 2);
  touch(3, 5);
  SapIslands islands;
  ASSERT_EQ(islands.find(problem), 4);
  EXPECT_EQ(islands.island(2).trees, (std::vector<int>{2, 4}));
  EXPECT_EQ(islands.island(0).bodies, (std::vector<int>{0, 1}));
  EXPECT_EQ(islands.island(1).bodies, (std::vector<int>{0, 2}));
  EXPECT_EQ(islands.island(3).pairs, std::vector<int>{});
}

TEST(BlockCholesky, SolvesLikeADenseFactorisation) {
  Random random(9);
  const std::vector<int> sizes = {6, 3, 6, 7, 1, 6, 6, 2};
  const std::vector<std::pair<int, int>> pairs = {{0, 2}, {1, 5}, {2, 3}, {0, 5},
                                                  {6, 7}, {3, 4}, {5, 6}, {2, 6}};
  int n = 0;
  std::vector<int> start;
  for (const int size : sizes) {
    start.push_back(n);
    n += size;
  }
  MatX H = 30 * MatX::Identity(n, n);
  BlockCholesky cholesky;
  cholesky.analyze(sizes, pairs);
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (int repeat = 0; repeat < 2; ++repeat) {
    cholesky.setZero();
    for (const auto& [i, j] : pairs) {
      for (int r = 0; r < sizes[at(i)]; ++r) {
        for (int c = 0; c < sizes[at(j)]; ++c) {
          const double value = randomVecX(random, 1)[0];
          H(start[at(i)] + r, start[at(j)] + c) = H(start[at(j)] + c, start[at(i)] + r) = value;
          const BlockCholesky::Block block = cholesky.offDiagonal(i, j);
          block.data[block.transposed ? r * block.stride + c : c * block.stride + r] = value;
        }
      }
    }
    for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
      const BlockCholesky::Block block = cholesky.diagonal(i);
      for (int r = 0; r < sizes[at(i)]; ++r)
        for (int c = 0; c < sizes[at(i)]; ++c)
          block.data[c * block.stride + r] = H(start[at(i)] + r, start[at(i)] + c);
    }
    const VecX b = randomVecX(random, n);
    VecX x = b;
    ASSERT_TRUE(cholesky.factorize());
    cholesky.solveInPlace(x.data());
    EXPECT_LT((H * x - b).norm(), 1e-12 * n);
  }
  cholesky.setZero();
  EXPECT_FALSE(cholesky.factorize());
}

}  // namespace
}  // namespace slipstick::contact
