#include "engine/contact/solve_trace.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/mpm/contact/contact_problem.h"
#include "engine/mpm/step_account.h"
#include "tests/engine/contact/synthetic_layer.h"

namespace slipstick::contact {
namespace {

SolveTrace traceOf(int iterations, bool converged) {
  SolveTrace trace;
  trace.beginPass();
  for (int i = 0; i <= iterations; ++i) trace.add(std::pow(0.5, i));
  trace.finish(converged, 0.01);
  return trace;
}

TEST(SolveTrace, KeepsEveryIterationOfAShortSolve) {
  const SolveTrace trace = traceOf(20, true);
  ASSERT_EQ(trace.points().size(), 21u);
  for (int i = 0; i <= 20; ++i) {
    const SolveTrace::Point& point = trace.points()[static_cast<std::size_t>(i)];
    EXPECT_EQ(point.iteration, i);
    EXPECT_EQ(point.residual, std::pow(0.5f, static_cast<float>(i)));
    EXPECT_FALSE(point.beginsPass);
  }
  EXPECT_TRUE(trace.converged());
  EXPECT_EQ(trace.tolerance(), 0.01);
}

TEST(SolveTrace, OfALongSolveHasItsStartItsEndAndEvenStepsBetween) {
  SolveTrace trace;
  for (int i = 0; i <= 100000; ++i) {
    trace.add(i);
    ASSERT_LE(trace.points().size(), SolveTrace::kMaxPoints);
    ASSERT_EQ(trace.iterations(), i);
    ASSERT_EQ(trace.points().back().residual, static_cast<float>(i));
  }
  const auto& points = trace.points();
  EXPECT_GE(points.size(), SolveTrace::kMaxPoints / 2 - 1);
  EXPECT_EQ(points.front().iteration, 0);
  const int stride = points[1].iteration;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    EXPECT_EQ(points[k].iteration, stride * static_cast<int>(k));
    EXPECT_EQ(points[k].residual, static_cast<float>(points[k].iteration));
  }
}

TEST(SolveTrace, MarksWherePassesBeginAndCountsOn) {
  SolveTrace trace = traceOf(3, true);
  trace.beginPass();
  trace.add(0.5);
  trace.add(0.001);
  const auto& points = trace.points();
  ASSERT_EQ(points.size(), 6u);
  EXPECT_TRUE(points[4].beginsPass);
  EXPECT_EQ(points[3].iteration, 3);
  EXPECT_EQ(points[4].iteration, 3) << "no iteration lies between: it is another problem";
  EXPECT_EQ(trace.iterations(), 4);
}

TEST(SolveTrace, OfAContactSolveEndsBelowWhatTheSolverWasGivenToReach) {
  using namespace mpm;
  for (const auto name : {ContactSolverName::QuasiNewton, ContactSolverName::MajorizedAnderson,
                          ContactSolverName::ContactNewton})
    for (const int lagIterations : {0, 4}) {
      ContactProblem<float> problem = syntheticLayer<float>({.side = 7, .stiffness = 1e4});
      for (auto& c : problem.contacts) c.f0 = c.n0 = 0;  // a first touch, so that bounds are corrected
      ContactSolver<float> solver;
      ContactSolution<float> s;
      solver.solve(problem, {.solver = name, .relativeTolerance = 1e-3, .lagIterations = lagIterations}, s);
      ASSERT_TRUE(s.converged);
      EXPECT_TRUE(s.trace.converged());
      EXPECT_EQ(s.trace.iterations(), s.iterations);
      EXPECT_NEAR(s.trace.tolerance(), 1e-3, 1e-9) << "the absolute tolerance is far below";
      EXPECT_EQ(s.trace.points().back().residual, static_cast<float>(s.progress.back().residual));
      EXPECT_LT(s.trace.points().back().residual, s.trace.tolerance());
      EXPECT_GT(s.trace.points().front().residual, s.trace.tolerance());
      int passes = 1;
      for (const SolveTrace::Point& point : s.trace.points()) passes += point.beginsPass ? 1 : 0;
      EXPECT_EQ(passes, s.lagSolves + 1);
    }
}

TEST(StepAccount, KeepsTheLastSolveButAFailureBeforeIt) {
  mpm::StepAccount account;
  const SolveTrace good = traceOf(4, true), bad = traceOf(9, false), last = traceOf(6, true);
  const auto resultOf = [&](std::initializer_list<const SolveTrace*> traces) {
    account.begin(1, 0);
    for (const SolveTrace* trace : traces)
      trace ? account.addSolve(
                  {.contacts = 1, .iterations = 1, .converged = trace->converged(), .trace = trace})
            : account.addFreeSubstep();
    SoftOutcome result;
    account.finish(result);
    return result;
  };
  EXPECT_TRUE(resultOf({nullptr}).contactSolve.isEmpty());
  EXPECT_EQ(resultOf({&good, &last, nullptr}).contactSolve.iterations(), 6);
  EXPECT_EQ(resultOf({&good, &last, nullptr}).contactSolve.index(), 1) << "the substep";
  EXPECT_EQ(resultOf({nullptr, &bad, &last}).contactSolve.iterations(), 9);
  EXPECT_EQ(resultOf({nullptr, &bad, &last}).contactSolve.index(), 1);
  EXPECT_FALSE(resultOf({&bad, &good}).contactSolve.converged());
}

TEST(StepAccount, RaisesTheFlagOfASystemThatHadNoFactor) {
  for (const bool factored : {true, false}) {
    mpm::StepAccount account;
    account.begin(1, 0);
    account.addSolve({.contacts = 1, .factored = factored});
    account.addSolve({.contacts = 1});
    SoftOutcome result;
    account.finish(result);
    EXPECT_NE(has(result.report.health, Health::FactorFailed), factored);
    EXPECT_FALSE(has(result.report.health, Health::NotConverged));
  }
}

}  // namespace
}  // namespace slipstick::contact
