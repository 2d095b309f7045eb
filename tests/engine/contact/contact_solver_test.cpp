#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/contact/potential.h"
#include "engine/mpm/contact/contact_newton.h"
#include "engine/mpm/contact/contact_problem.h"
#include "engine/mpm/thread_team.h"
#include "tests/engine/contact/recorded_problem.h"
#include "tests/engine/contact/synthetic_layer.h"
#include "tests/support/allocation_count.h"
#include "tests/support/test_paths.h"

namespace slipstick::mpm {
namespace {

using V = V3<double>;
constexpr ContactSolverName kAll[] = {ContactSolverName::QuasiNewton, ContactSolverName::MajorizedAnderson,
                                      ContactSolverName::ContactNewton};

V vec(const nlohmann::json& j) {
  return {j[0], j[1], j[2]};
}
double norm(const V& a) {
  return std::sqrt(dot(a, a));
}

std::vector<V> vectors(const nlohmann::json& j) {
  std::vector<V> r;
  for (const auto& entry : j) r.push_back(vec(entry));
  return r;
}

/// The reference stores v and γ as a flat list of numbers or as triples.
ContactProblem<double> problemFrom(const nlohmann::json& j) {
  ContactProblem<double> p;
  p.dt = j["dt"];
  p.stictionSpeed = 1e-3;
  p.stictionSoftness = 1e-3;
  p.mass = j["node_mass"].get<std::vector<double>>();
  p.vStar = vectors(j["v_star"]);
  for (std::size_t c = 0; c < j["k"].size(); ++c) {
    ContactPoint<double> point{};
    point.normal = vec(j["normal"][c]);
    point.vBody = vec(j["v_body"][c]);
    point.f0 = j["f0"][c], point.stiffness = j["k"][c], point.dissipation = j["d"][c];
    point.friction = j["mu"][c], point.n0 = j["n0"][c];
    std::size_t used = 0;
    for (std::size_t i = 0; i < p.mass.size(); ++i) {
      const double w = j["weights"][c][i];
      if (w == 0) continue;
      EXPECT_LT(used, 27u);
      point.node[used] = static_cast<int>(i), point.weight[used] = w;
      ++used;
    }
    p.contacts.push_back(point);  // unused places keep weight 0 at node 0
  }
  return p;
}

double largest(const std::vector<V>& a) {
  double r = 0;
  for (const V& v : a) r = std::max({r, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  return r;
}

double distance(const std::vector<V>& a, const std::vector<V>& b) {
  double r = 0;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) r = std::max(r, norm(a[i] - b[i]));
  return r;
}

ContactSolverSettings settings(ContactSolverName solver, double tolerance, int cap = 20000) {
  return {solver, tolerance, 1e-300, cap};
}

TEST(ContactSolver, ReachesTheReferenceMinimiserWithEverySolver) {
  const nlohmann::json file = slipstick::testing::readData("mpm/contact_problem.json");
  ASSERT_EQ(file["cases"].size(), 5u);
  for (const auto& j : file["cases"]) {
    ContactProblem<double> problem = problemFrom(j);
    for (const ContactSolverName name : kAll) {
      ContactSolver<double> solver;
      ContactSolution<double> s;
      solver.solve(problem, settings(name, 1e-12), s);
      SCOPED_TRACE(j["name"].get<std::string>() + ", solver " + std::to_string(int(name)) + ", " +
                   std::to_string(s.iterations) + " iterations");
      EXPECT_TRUE(s.converged);
      const auto v = vectors(j["v"]), gamma = vectors(j["gamma"]);
      EXPECT_LT(distance(s.v, v), 1e-10 * largest(v));
      EXPECT_LT(distance(s.gamma, gamma), 1e-10 * largest(gamma));
      EXPECT_NEAR(s.potential, j["ell"], 1e-10 * std::abs(double(j["ell"])));
      EXPECT_NEAR(s.potentialAtFreeMotion, j["ell_at_v_star"], 1e-10 * std::abs(double(j["ell_at_v_star"])));
      for (std::size_t c = 0; c < problem.contacts.size(); ++c)
        EXPECT_NEAR(problem.contacts[c].epsilon, double(j["eps"][c]), 1e-14);
    }
  }
}

TEST(ContactSolver, AllThreeReachTheSameMinimiser) {
  for (const double stiffness : {1.5e3, 2e4}) {
    const ContactProblem<double> layer = syntheticLayer<double>({.side = 7, .stiffness = stiffness});
    ASSERT_LE(layer.contacts.size(), std::size_t(kMaxNewtonContacts));
    std::vector<ContactSolution<double>> found;
    for (const ContactSolverName name : kAll) {
      ContactProblem<double> problem = layer;
      ContactSolver<double> solver;
      solver.solve(problem, settings(name, 1e-6), found.emplace_back());
      EXPECT_TRUE(found.back().converged) << int(name);
    }
    for (const auto& s : found) {
      EXPECT_LT(distance(s.v, found[2].v), 1e-4 * largest(found[2].v));
      EXPECT_NEAR(s.potential, found[2].potential, 1e-9 * std::abs(s.potential));
    }
  }
}

/// Where momentum is large against impulses, any impulses meet a loose tolerance. Those of a substep ago must not be taken
/// again and again: the solve takes a step.
TEST(ContactSolver, AStartFromWhatContactsDidASubstepAgoIsNeverTheEnd) {
  ContactProblem<float> problem =
      syntheticLayer<float>({.side = 9, .stiffnessPerMass = 1e5, .dissipation = 1});
  ContactSolver<float> solver;
  ContactSolution<float> before, after;
  solver.solve(problem, settings(ContactSolverName::MajorizedAnderson, 1e-5), before);
  for (std::size_t i = 0; i < before.v.size(); ++i) problem.change.push_back(before.v[i] - problem.vStar[i]);
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) problem.contacts[c].guess = before.gamma[c];
  for (const float pressed : {1.0f, 1.2f}) {
    for (ContactPoint<float>& c : problem.contacts) c.f0 *= pressed;
    solver.solve(problem, settings(ContactSolverName::MajorizedAnderson, 0.5), after);
    EXPECT_TRUE(after.converged);
    EXPECT_GE(after.iterations, 1) << pressed;
  }
}

TEST(ContactSolver, FirstOrderSolversAgreeOnManyContacts) {
  const ContactProblem<double> layer = syntheticLayer<double>({.side = 15, .stiffnessPerMass = 1e6});
  std::vector<ContactSolution<double>> found;
  for (const ContactSolverName name :
       {ContactSolverName::QuasiNewton, ContactSolverName::MajorizedAnderson}) {
    ContactProblem<double> problem = layer;
    ContactSolver<double> solver;
    solver.solve(problem, settings(name, 1e-6), found.emplace_back());
    EXPECT_TRUE(found.back().converged) << int(name) << " residual " << found.back().residual;
  }
  EXPECT_LT(distance(found[0].v, found[1].v), 1e-4 * largest(found[0].v));
}

TEST(ContactSolver, ManyContactsThatFirstOrderStepsCannotSettleEndWithNewtonSteps) {
  for (const int side : {15, 40}) {
    ContactProblem<double> problem =
        syntheticLayer<double>({.side = side, .stiffnessPerMass = 1e8, .dissipation = 10});
    ASSERT_GT(problem.contacts.size(), std::size_t(kMaxNewtonContacts));
    ContactSolver<double> solver;
    ContactSolution<double> s;
    for (const bool again : {false, true}) {
      solver.solve(problem, settings(ContactSolverName::MajorizedAnderson, 1e-12), s);
      EXPECT_TRUE(s.converged) << side << ": residual " << s.residual
                               << (again ? ", with a used workspace" : "");
      EXPECT_GT(s.iterations, kLateNewtonPatience) << "too easy a problem";
      EXPECT_LT(s.iterations, kLateNewtonPatience + 40);
    }
  }
}

TEST(ContactSolver, PotentialNeverRises) {
  for (const ContactSolverName name : kAll) {
    ContactProblem<double> problem = syntheticLayer<double>({.side = 6, .stiffness = 1e4, .dissipation = 5});
    ContactSolver<double> solver;
    ContactSolution<double> s;
    solver.solve(problem, settings(name, 1e-8), s);
    ASSERT_EQ(s.progress.size(), std::size_t(s.iterations) + 1);
    ASSERT_GT(s.iterations, 2);
    for (std::size_t i = 1; i < s.progress.size(); ++i)
      EXPECT_LE(s.progress[i].potential,
                s.progress[i - 1].potential + 1e-13 * std::abs(s.potentialAtFreeMotion));
    EXPECT_EQ(s.progress.front().potential, s.potentialAtFreeMotion);
    EXPECT_LT(s.potential, s.potentialAtFreeMotion);
  }
}

TEST(ContactSolver, ImpulsesStayInsideTheLaggedConeAndBalanceTheMomentumOfTheNodes) {
  for (const ContactSolverName name : kAll) {
    ContactProblem<double> problem = syntheticLayer<double>({.side = 7, .stiffness = 5e3});
    ContactSolver<double> solver;
    ContactSolution<double> s;
    solver.solve(problem, settings(name, 1e-9), s);
    V impulse{0, 0, 0}, momentum{0, 0, 0};
    double size = 0;
    for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
      const auto& point = problem.contacts[c];
      const double normal = dot(s.gamma[c], point.normal);
      EXPECT_GE(normal, 0);
      EXPECT_LE(norm(s.gamma[c] - normal * point.normal), point.friction * point.n0 * (1 + 1e-12));
      impulse += s.gamma[c];
      size += norm(s.gamma[c]);
    }
    for (std::size_t i = 0; i < problem.mass.size(); ++i)
      momentum += problem.mass[i] * (s.v[i] - problem.vStar[i]);
    EXPECT_LT(norm(impulse - momentum), 1e-6 * size);
  }
}

/// Particles that have just arrived at the surface: no penetration, so no lagged normal impulse.
TEST(ContactSolver, AFirstTouchHasFrictionAfterALagSolveAndNoneWithout) {
  for (const ContactSolverName name : kAll)
    for (const int lagIterations : {0, 4}) {
      ContactProblem<double> problem = syntheticLayer<double>({.side = 7, .stiffness = 1e4});
      for (auto& c : problem.contacts) c.f0 = c.n0 = 0;
      ContactSolver<double> solver;
      ContactSolution<double> s;
      auto options = settings(name, 1e-8);
      options.lagIterations = lagIterations;
      solver.solve(problem, options, s);
      EXPECT_TRUE(s.converged);
      EXPECT_EQ(s.lagSolves > 0, lagIterations > 0);
      double normal = 0, friction = 0;
      for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
        const double n = dot(s.gamma[c], problem.contacts[c].normal);
        normal += n;
        friction += norm(s.gamma[c] - n * problem.contacts[c].normal);
      }
      ASSERT_GT(normal, 0);
      EXPECT_NEAR(friction, lagIterations > 0 ? 0.5 * normal : 0, 0.02 * 0.5 * normal);
    }
}

TEST(ContactSolver, FloatFollowsDouble) {
  for (const ContactSolverName name : kAll) {
    const SyntheticLayer layer = {.side = 7, .stiffness = 1.5e3};
    ContactProblem<double> exact = syntheticLayer<double>(layer);
    ContactProblem<float> single = syntheticLayer<float>(layer);
    ContactSolver<double> exactSolver;
    ContactSolver<float> singleSolver;
    ContactSolution<double> e;
    ContactSolution<float> s;
    exactSolver.solve(exact, settings(ContactSolverName::ContactNewton, 1e-10), e);
    singleSolver.solve(single, settings(name, 1e-4), s);
    EXPECT_TRUE(s.converged) << int(name) << " residual " << s.residual;
    double error = 0;
    for (std::size_t i = 0; i < e.v.size(); ++i)
      error = std::max(error, norm(e.v[i] - V{s.v[i].x, s.v[i].y, s.v[i].z}));
    EXPECT_LT(error, 1e-2 * largest(e.v));
  }
}

TEST(ContactSolver, FloatSurvivesAlmostMasslessNodesUnderStiffTiltedContacts) {
  for (const ContactSolverName name : kAll) {
    ContactProblem<float> problem = syntheticLayer<float>({.side = 6, .stiffness = 1e6});
    for (std::size_t i = 0; i < problem.mass.size(); i += 3) problem.mass[i] *= 1e-9f;
    for (auto& c : problem.contacts) {
      c.normal = {0.48f, 0.6f, 0.64f}, c.friction = 0;
      for (std::size_t j = 0; j < 27; ++j)
        if (c.node[j] % 3 == 0)
          c.weight[j] *= 1e-8f;  // a node's mass is at least its share of each particle's
    }
    ContactSolver<float> solver;
    ContactSolution<float> s;
    solver.solve(problem, settings(name, 5e-2, 300), s);
    for (const auto& v : s.v)
      for (int k = 0; k < 3; ++k) ASSERT_TRUE(std::isfinite(v[k])) << int(name);
    EXPECT_LE(s.potential, s.potentialAtFreeMotion);
    EXPECT_TRUE(s.converged) << int(name) << " residual " << s.residual << " after " << s.iterations;
  }
}

TEST(ContactSolver, CappedSolveSaysSo) {
  for (const ContactSolverName name : kAll) {
    ContactProblem<double> problem = syntheticLayer<double>({.side = 7, .stiffness = 1e5});
    ContactSolver<double> solver;
    ContactSolution<double> s;
    solver.solve(problem, settings(name, 1e-10, 1), s);
    EXPECT_FALSE(s.converged);
    EXPECT_EQ(s.iterations, 1);
    EXPECT_GT(s.residual, 1e-10);
  }
}

TEST(ContactSolver, NonFiniteInputEndsAtOnceUnconverged) {
  for (const ContactSolverName name : kAll) {
    ContactProblem<double> problem = syntheticLayer<double>({.side = 3, .stiffness = 1e3});
    problem.vStar[5].y = std::nan("");
    ContactSolver<double> solver;
    ContactSolution<double> s;
    solver.solve(problem, settings(name, 1e-3), s);
    EXPECT_FALSE(s.converged);
    EXPECT_LE(s.iterations, 1);
  }
}

/// Bodies that came towards what pushes them would take 1 + S W S below nothing.
TEST(ContactSpaceNewton, SaysWhereItsSystemHasNoFactor) {
  ContactProblem<double> problem = syntheticLayer<double>({.side = 2});
  for (ContactPoint<double>& contact : problem.contacts) contact.body = 0;
  ContactLayout<double> layout;
  layout.build(problem);
  for (const double mobility : {1.0, -1e9}) {
    ContactSpaceNewton<double> newton;
    newton.fix(layout, problem.mass, {}, {});
    newton.couple(layout, {mobility * multibody::Mat6::Identity()}, 1);
    contact::LaggedPotential<double> curved{};
    curved.tangential = curved.normal = curved.stickFraction = 1;
    for (int p = 0; p < layout.contacts; ++p) newton.setHessian(p, curved, {0, 0, 1});
    Columns3<double> jz;
    jz.assign(layout.padded, 1);
    Quads<double> y(layout.padded);
    EXPECT_EQ(newton.reduce(layout, problem.mass, jz, y), mobility > 0);
  }
}

TEST(ContactSolver, WithoutContactsEveryNodeKeepsItsFreeVelocity) {
  ContactProblem<float> problem;
  problem.dt = 1e-3f;
  problem.mass = {1, 2};
  problem.vStar = {{1, 2, 3}, {4, 5, 6}};
  ContactSolver<float> solver;
  ContactSolution<float> s;
  solver.solve(problem, {}, s);
  EXPECT_TRUE(s.converged);
  EXPECT_EQ(s.iterations, 0);
  EXPECT_EQ(s.v[1].z, 6);
}

TEST(ContactSolver, ResultDependsOnTheArgumentsOnlyNotOnEarlierSolves) {
  for (const ContactSolverName name : kAll) {
    ContactProblem<float> a = syntheticLayer<float>({.side = 6, .stiffness = 1.5e3});
    ContactProblem<float> b = syntheticLayer<float>({.side = 9, .stiffness = 1e4, .seed = 7});
    ContactSolver<float> solver, fresh;
    ContactSolution<float> first, other, again, alone;
    const auto options = settings(name, 1e-3, 300);
    solver.solve(a, options, first);
    solver.solve(b, options, other);
    solver.solve(a, options, again);
    fresh.solve(a, options, alone);
    EXPECT_EQ(first.iterations, again.iterations);
    for (std::size_t i = 0; i < first.v.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(first.v[i][k], again.v[i][k]);
        EXPECT_EQ(first.v[i][k], alone.v[i][k]);
      }
  }
}

TEST(ContactSolver, AllocatesNothingInSteadyState) {
  const std::size_t atStart = slipstick::testing::allocationCount();
  auto probe = std::make_unique<std::vector<double>>(1000);
  ASSERT_GE(slipstick::testing::allocationCount(), atStart + 2) << "the counter does not count";
  for (const ContactSolverName name : kAll) {
    ContactProblem<float> small = syntheticLayer<float>({.side = 6, .stiffness = 1.5e3});
    ContactProblem<float> large = syntheticLayer<float>({.side = 12, .stiffness = 1.5e3});
    ContactSolver<float> solver;
    ContactSolution<float> s;
    const auto options = settings(name, 1e-3, 200);
    solver.solve(large, options, s);
    solver.solve(small, options, s);
    const std::size_t before = slipstick::testing::allocationCount();
    solver.solve(large, options, s);
    solver.solve(small, options, s);
    EXPECT_EQ(slipstick::testing::allocationCount() - before, 0u) << int(name);
  }
}

TEST(ContactSolver, GivesTheSameBitsHoweverManyShareTheWork) {
  const auto solved = [](ThreadTeam* team) {
    RecordedProblem<float> recorded = recordedProblem<float>("shake");  // 576 contacts, boundaries
    ContactSolver<float> solver(team);
    ContactSolution<float> solution;
    solver.solve(recorded.problem, settings(ContactSolverName::MajorizedAnderson, 1e-3, 500), solution);
    return solution;
  };
  const ContactSolution<float> alone = solved(nullptr);
  EXPECT_TRUE(alone.converged);
  for (const int threads : {1, 2, 5}) {
    ThreadTeam team(threads);
    const ContactSolution<float> shared = solved(&team);
    EXPECT_EQ(shared.iterations, alone.iterations);
    EXPECT_EQ(shared.potential, alone.potential);
    for (std::size_t i = 0; i < alone.v.size(); ++i)
      for (int a = 0; a < 3; ++a)
        ASSERT_EQ(shared.v[i][a], alone.v[i][a]) << threads << " threads, node " << i;
  }
}

}  // namespace
}  // namespace slipstick::mpm
