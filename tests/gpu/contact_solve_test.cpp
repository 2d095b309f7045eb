// The contact solver of devices, run on the host, against the CPU's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/lanes/eigen_lanes.h"
#include "tests/engine/contact/synthetic_layer.h"
#include "tests/gpu/device_contacts.h"

namespace slipstick::gpu::testing {
namespace {

using lanes::toEigen;
using mpm::ContactProblem;
using mpm::ContactSolution;
using mpm::NodeBound;
using mpm::SyntheticLayer;
using mpm::syntheticLayer;

constexpr Scope kScopes[] = {Scope::Block, Scope::Cluster, Scope::Grid};
constexpr ContactSolverName kFirstOrder[] = {ContactSolverName::MajorizedAnderson,
                                             ContactSolverName::QuasiNewton};

std::string nameOf(Scope scope) {
  return scope == Scope::Block ? "block" : scope == Scope::Cluster ? "cluster" : "grid";
}

/// The float problem in double: the same numbers.
ContactProblem<double> widened(const ContactProblem<float>& p) {
  ContactProblem<double> wide;
  wide.dt = double(p.dt), wide.stictionSpeed = double(p.stictionSpeed);
  wide.mass.assign(p.mass.begin(), p.mass.end());
  const auto vector = [](const lanes::V3<float>& v) {
    return lanes::V3<double>{double(v.x), double(v.y), double(v.z)};
  };
  for (const auto& v : p.vStar) wide.vStar.push_back(vector(v));
  for (const mpm::ContactPoint<float>& c : p.contacts) {
    mpm::ContactPoint<double> w{vector(c.normal),
                                vector(c.vBody),
                                double(c.f0),
                                double(c.stiffness),
                                double(c.dissipation),
                                double(c.friction),
                                vector(c.guess),
                                double(c.n0),
                                0,
                                c.bound,
                                c.node,
                                {}};
    std::copy(c.weight.begin(), c.weight.end(), w.weight.begin());
    wide.contacts.push_back(w);
  }
  wide.bounds = p.bounds;
  return wide;
}

/// With the friction of boundaries, by the CPU in double, to `tolerance`.
ContactSolution<double> exactSolution(const ContactProblem<float>& p, double tolerance = 1e-9,
                                      int lagIterations = 0) {
  ContactProblem<double> wide = widened(p);
  mpm::addBoundaryFriction(wide);
  mpm::ContactSolver<double> solver;
  ContactSolution<double> solution;
  solver.solve(wide, {ContactSolverName::MajorizedAnderson, tolerance, 1e-300, 20000, lagIterations},
               solution);
  EXPECT_TRUE(solution.converged) << solution.residual;
  return solution;
}

/// √(Σ m |v − w|²) / √(Σ m |w|²)
double velocityError(const ContactProblem<float>& p, const DeviceSolution& s,
                     const ContactSolution<double>& exact) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < p.mass.size(); ++i) {
    error += double(p.mass[i]) * (toEigen(s.v[i]) - toEigen(exact.v[i])).squaredNorm();
    size += double(p.mass[i]) * toEigen(exact.v[i]).squaredNorm();
  }
  return std::sqrt(error / size);
}

void expectInsideTheCone(const ContactProblem<float>& p, const DeviceSolution& s) {
  for (std::size_t c = 0; c < p.contacts.size(); ++c) {
    const Vec3 gamma = toEigen(s.gamma[c]), n = toEigen(p.contacts[c].normal);
    const double normal = gamma.dot(n), bound = double(p.contacts[c].friction) * double(s.n0[c]);
    EXPECT_GE(normal, -1e-6 * gamma.norm());
    EXPECT_LE((gamma - normal * n).norm(), bound * (1 + 1e-5) + 1e-6 * gamma.norm());
  }
}

ContactProblem<float> first(ContactProblem<float> p, std::size_t contacts) {
  p.contacts.resize(contacts);
  return p;
}

/// How far ℓ may be above its minimum. ∇²ℓ ≥ M, so that ℓ − ℓ* ≤ ½ ∇ℓᵀM⁻¹∇ℓ, which the stop test bounds by ½ ε_r² of
/// Σ m v² (or of the impulses' counterpart, which is smaller here). On top comes rounding: ℓ's terms are floats, each to
/// 6e-8 of the kinetic and contact energies that it is made of.
double energyTolerance(const ContactProblem<float>& p, const ContactSolution<double>& exact,
                       double tolerance) {
  double momentum = 0;
  for (std::size_t i = 0; i < p.mass.size(); ++i)
    momentum += double(p.mass[i]) * toEigen(exact.v[i]).squaredNorm();
  return 0.5 * tolerance * tolerance * momentum +
         1e-6 * (std::abs(exact.potential) + std::abs(exact.potentialAtFreeMotion));
}

TEST(DeviceContactSolve, ReachesTheMinimiserOfTheCpuWithEveryKernelAndSolver) {
  const ContactProblem<float> layer = syntheticLayer<float>({.side = 32, .stiffness = 1.5e3});
  for (const std::size_t contacts : {1, 10, 100, 1000}) {
    const ContactProblem<float> problem = first(layer, contacts);
    const ContactSolution<double> exact = exactSolution(problem);
    const double limit = energyTolerance(problem, exact, 2e-4);
    for (const Scope scope : kScopes)
      for (const ContactSolverName solver : kFirstOrder) {
        SCOPED_TRACE(std::to_string(contacts) + " contacts, " + nameOf(scope) + ", solver " +
                     std::to_string(static_cast<int>(solver)));
        const DeviceSolution s = solveOnHost(problem, {solver, 2e-4}, onlyBy(scope));
        EXPECT_EQ(s.report.converged, 1) << s.report.residual << " after " << s.report.iterations;
        EXPECT_EQ(s.report.contacts, static_cast<int>(contacts));
        EXPECT_EQ(s.report.nodes, static_cast<int>(problem.mass.size()));
        EXPECT_GT(s.report.iterations, 0);
        EXPECT_LT(s.report.residual, 2e-4);
        EXPECT_NEAR(s.report.potential, exact.potential, limit);
        EXPECT_NEAR(s.report.potentialAtFreeMotion, exact.potentialAtFreeMotion,
                    1e-6 * std::abs(exact.potentialAtFreeMotion));
        EXPECT_LT(velocityError(problem, s, exact), 2e-4);
        expectInsideTheCone(problem, s);
      }
  }
}

TEST(DeviceContactSolve, SolvesTenThousandContactsWithEveryKernel) {
  const ContactProblem<float> problem = syntheticLayer<float>({.side = 100, .stiffness = 1.5e3});
  const ContactSolution<double> exact = exactSolution(problem, 1e-3);
  for (const Scope scope : kScopes) {
    SCOPED_TRACE(nameOf(scope));
    const DeviceSolution s =
        solveOnHost(problem, {ContactSolverName::MajorizedAnderson, 5e-2}, onlyBy(scope));
    EXPECT_EQ(s.report.converged, 1);
    EXPECT_NEAR(s.report.potential, exact.potential, energyTolerance(problem, exact, 5e-2));
    EXPECT_LT(velocityError(problem, s, exact), 5e-2);
    expectInsideTheCone(problem, s);
  }
}

TEST(DeviceContactSolve, TheNumbersOfContactsAndNodesSayWhichKernelSolves) {
  EXPECT_EQ(solverScope({}, 0, 0), Scope::Block);
  EXPECT_EQ(solverScope({}, 700, 700), Scope::Block);
  EXPECT_EQ(solverScope({}, 800, 800), Scope::Cluster);
  EXPECT_EQ(solverScope({}, 5000, 5000), Scope::Cluster);
  EXPECT_EQ(solverScope({}, 5001, 100), Scope::Grid);
  EXPECT_EQ(solverScope({}, 1, 6000), Scope::Grid);
}

TEST(DeviceContactSolve, OnlyOneKernelTouchesTheSolution) {
  const ContactProblem<float> problem = syntheticLayer<float>({.side = 7, .stiffness = 1.5e3});
  HostExecutor executor;
  DeviceContacts device(executor, problem);
  executor.launch(ClusterContactSolve{{device.view(), device.memory(), {}, {}}}, 1);
  executor.launch(GridContactSolve{{device.view(), device.memory(), {}, {}}}, 3);
  EXPECT_EQ(device.read().report.nodes, 0);
  executor.launch(BlockContactSolve{{device.view(), device.memory(), {}, {}}}, 1);
  EXPECT_EQ(device.read().report.nodes, static_cast<int>(problem.mass.size()));
}

TEST(DeviceContactSolve, NoContactsLeaveFreeMotionAndSayConverged) {
  ContactProblem<float> problem = syntheticLayer<float>({.side = 2, .stiffness = 1.5e3});
  problem.contacts.clear();
  const DeviceSolution s = solveOnHost(problem, {});
  EXPECT_EQ(s.report.converged, 1);
  EXPECT_EQ(s.report.contacts, 0);
  EXPECT_EQ(s.report.iterations, 0);
  EXPECT_EQ(s.v[3].x, problem.vStar[3].x);
}

TEST(DeviceContactSolve, StiffContactsEndWithNewtonStepsAsOnTheCpu) {
  for (const int side : {7, 15}) {
    const ContactProblem<float> problem =
        syntheticLayer<float>({.side = side, .stiffnessPerMass = 1e8, .dissipation = 10});
    const ContactSolution<double> exact = exactSolution(problem);
    const bool few = problem.contacts.size() <= std::size_t(mpm::kMaxNewtonContacts);
    const DeviceSolution s =
        solveOnHost(problem, {ContactSolverName::MajorizedAnderson, 1e-4}, onlyBy(Scope::Block));
    EXPECT_EQ(s.report.converged, 1) << s.report.residual << " after " << s.report.iterations;
    const int patience = few ? mpm::kFirstOrderPatience : mpm::kLateNewtonPatience;
    EXPECT_GT(s.report.iterations, patience) << "too easy a problem";
    EXPECT_LT(s.report.iterations, patience + 40);
    EXPECT_LT(velocityError(problem, s, exact), 2e-3);
    if (!few) continue;
    const DeviceSolution newton =
        solveOnHost(problem, {ContactSolverName::ContactNewton, 1e-4}, onlyBy(Scope::Grid));
    EXPECT_EQ(newton.report.converged, 1) << newton.report.residual;
    EXPECT_LT(newton.report.iterations, 40);
    EXPECT_LT(velocityError(problem, newton, exact), 2e-3);
  }
}

/// Nodes held in every way that there is, in turn, and nodes that are free. The lists must outlive the problem.
struct BoundedLayer {
  std::vector<std::vector<NodeBound>> lists;
  ContactProblem<float> problem;

  BoundedLayer(const SyntheticLayer& layer, double friction) : problem(syntheticLayer<float>(layer)) {
    const auto separate = [&](const Vec3& n, const Vec3& v) {
      return NodeBound{BoundaryKind::Separate, 1, n, v, friction};
    };
    lists = {{{BoundaryKind::Sticky, 0, Vec3::UnitZ(), {0.1, 0, 0.02}}},
             {{BoundaryKind::Slip, 0, Vec3(0.6, 0, 0.8), {0.3, 0, 0}, friction}},
             {separate(Vec3::UnitZ(), Vec3::Zero())},
             {separate(Vec3::UnitX(), {0.45, 0, 0})},
             {separate(Vec3::UnitZ(), {0, 0, -0.1}), separate(-Vec3::UnitX(), {0.4, 0, 0})},
             {separate(Vec3(0.6, 0, 0.8), {0, 0, -0.1}),
              separate(Vec3::UnitX(), {0.48, 0, 0}),
              {BoundaryKind::Slip, 0, Vec3::UnitY(), {0, 0.01, 0}, friction}},
             {},
             {}};
    for (std::size_t i = 0; i < problem.mass.size(); ++i)
      problem.bounds.emplace_back(lists[i % lists.size()]);
  }
};

TEST(DeviceContactSolve, NodesInsideBoundariesReachTheConstrainedMinimiser) {
  for (const double friction : {0.0, 0.4})
    for (const ContactSolverName solver :
         {ContactSolverName::MajorizedAnderson, ContactSolverName::QuasiNewton,
          ContactSolverName::ContactNewton}) {
      const BoundedLayer layer({.side = 5, .stiffness = 1.5e3}, friction);
      const ContactSolution<double> exact = exactSolution(layer.problem, 1e-8);
      // Below this the CPU's floats stop on such problems too.
      const DeviceSolution s = solveOnHost(layer.problem, {solver, 3e-4}, onlyBy(Scope::Block));
      SCOPED_TRACE("friction " + std::to_string(friction) + ", solver " +
                   std::to_string(static_cast<int>(solver)));
      EXPECT_EQ(s.report.converged, 1) << s.report.residual << " after " << s.report.iterations;
      EXPECT_EQ(s.counts.boundaryContacts > 0, friction > 0);
      EXPECT_LT(velocityError(layer.problem, s, exact), 1e-3);
      for (std::size_t i = 0; i < s.v.size(); ++i) {
        const Vec3 v = toEigen(s.v[i]);
        EXPECT_LT((nearestAllowedVelocity(v, layer.problem.bounds[i]) - v).norm(), 2e-6) << "node " << i;
      }
    }
}

TEST(DeviceContactSolve, NewtonStepsFindOutWhichHalfSpacesHold) {
  const BoundedLayer layer({.side = 5, .stiffness = 2e4, .dissipation = 1}, 0);
  const ContactSolution<double> exact = exactSolution(layer.problem, 1e-8);
  for (const ContactSolverName solver :
       {ContactSolverName::ContactNewton, ContactSolverName::MajorizedAnderson})
    for (const Scope scope : kScopes) {
      const DeviceSolution s = solveOnHost(layer.problem, {solver, 3e-4}, onlyBy(scope));
      SCOPED_TRACE(nameOf(scope) + ", solver " + std::to_string(static_cast<int>(solver)));
      EXPECT_EQ(s.report.converged, 1) << s.report.residual << " after " << s.report.iterations;
      EXPECT_LT(s.report.iterations, solver == ContactSolverName::ContactNewton ? 30 : 130);
      EXPECT_GT(s.report.iterations, solver == ContactSolverName::ContactNewton ? 3 : 100)
          << "too easy a problem";
      EXPECT_LT(velocityError(layer.problem, s, exact), 1e-3);
    }
}

TEST(DeviceContactSolve, BoundaryFrictionBecomesTheContactsThatTheCpuAdds) {
  const BoundedLayer layer({.side = 5, .stiffness = 1.5e3}, 0.4);
  ContactProblem<float> cpu = layer.problem;
  mpm::addBoundaryFriction(cpu);
  mpm::ContactSolver<float> solver;
  ContactSolution<float> solution;
  solver.solve(cpu, {}, solution);
  const DeviceSolution s = solveOnHost(layer.problem, {});
  const auto particles = static_cast<std::size_t>(s.counts.contacts);
  ASSERT_EQ(particles + static_cast<std::size_t>(s.counts.boundaryContacts), cpu.contacts.size());
  EXPECT_EQ(s.report.contacts, s.counts.contacts);
  double largest = 0;
  for (std::size_t c = 0; c < cpu.contacts.size(); ++c) {
    EXPECT_NEAR(s.n0[c], cpu.contacts[c].n0, 1e-5f * cpu.contacts[c].n0 + 1e-10f) << "contact " << c;
    EXPECT_NEAR(s.epsilon[c], cpu.contacts[c].epsilon, 1e-5f * cpu.contacts[c].epsilon);
    if (c >= particles) largest = std::max(largest, toEigen(s.gamma[c]).norm());
  }
  EXPECT_GT(largest, 0) << "no boundary rubs";
}

TEST(DeviceContactSolve, WithoutRoomForBoundaryFrictionTheCountsSaySo) {
  const BoundedLayer layer({.side = 5, .stiffness = 1.5e3}, 0.4);
  HostExecutor executor;
  DeviceContacts device(executor, layer.problem, static_cast<int>(layer.problem.contacts.size()) + 1);
  executor.launch(BlockContactSolve{{device.view(), device.memory(), {}, {}}}, 1);
  const DeviceSolution s = device.read();
  EXPECT_EQ(s.counts.overflow, 1);
  EXPECT_EQ(s.report.converged, 0);
}

/// Particles that have just arrived at the surface have no lagged normal impulse, and so no friction at first.
TEST(DeviceContactSolve, LagSolvesCorrectFrictionBoundsAsOnTheCpu) {
  ContactProblem<float> problem = syntheticLayer<float>({.side = 9, .stiffness = 1e4});
  for (auto& c : problem.contacts) c.f0 = c.n0 = 0;
  const ContactSolution<double> exact = exactSolution(problem, 1e-8, 4);
  for (const ContactSolverName solver : kFirstOrder) {
    DeviceSolveSettings settings{solver, 1e-4};
    EXPECT_EQ(solveOnHost(problem, settings).report.lagSolves, 0);
    settings.lagIterations = 4;
    const DeviceSolution s = solveOnHost(problem, settings);
    EXPECT_EQ(s.report.converged, 1);
    EXPECT_EQ(s.report.lagSolves, exact.lagSolves);
    EXPECT_LT(velocityError(problem, s, exact), 2e-3);
    expectInsideTheCone(problem, s);
  }
}

TEST(DeviceContactSolve, AWarmStartTakesFewerIterations) {
  ContactProblem<float> problem = syntheticLayer<float>({.side = 12, .stiffness = 1e4});
  const DeviceSolution cold = solveOnHost(problem, {ContactSolverName::MajorizedAnderson, 1e-3});
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) problem.contacts[c].guess = cold.gamma[c];
  const DeviceSolution warm = solveOnHost(problem, {ContactSolverName::MajorizedAnderson, 1e-3});
  EXPECT_EQ(warm.report.converged, 1);
  EXPECT_LT(warm.report.iterations, cold.report.iterations / 2);
  EXPECT_EQ(warm.report.potentialAtFreeMotion, cold.report.potentialAtFreeMotion);
  for (auto& c : problem.contacts) c.guess = {0, 0, 10};
  const DeviceSolution wrong = solveOnHost(problem, {ContactSolverName::MajorizedAnderson, 1e-3});
  EXPECT_EQ(wrong.report.iterations, cold.report.iterations) << "a guess that is worse than v* is not taken";
}

TEST(DeviceContactSolve, GivesTheSameBitsInWhateverOrderThreadsRun) {
  const BoundedLayer layer({.side = 7, .stiffness = 1e4, .dissipation = 5}, 0.4);
  const auto sameBits = [](const auto& a, const auto& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
  };
  for (const Scope scope : kScopes) {
    DeviceSolveSettings settings{ContactSolverName::MajorizedAnderson, 1e-3};
    settings.lagIterations = 2;
    const DeviceSolution one = solveOnHost(layer.problem, settings, onlyBy(scope));
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const DeviceSolution other = solveOnHost(layer.problem, settings, onlyBy(scope), seed);
      SCOPED_TRACE(nameOf(scope) + ", seed " + std::to_string(seed));
      EXPECT_EQ(other.report.iterations, one.report.iterations);
      EXPECT_EQ(other.report.residual, one.report.residual);
      EXPECT_EQ(other.report.potential, one.report.potential);
      EXPECT_TRUE(sameBits(other.v, one.v));
      EXPECT_TRUE(sameBits(other.gamma, one.gamma));
      EXPECT_TRUE(sameBits(other.u, one.u));
      EXPECT_TRUE(sameBits(other.n0, one.n0));
    }
  }
}

TEST(DeviceContactSolve, AllKernelsTakeTheSameStepsButForRounding) {
  const ContactProblem<float> problem = syntheticLayer<float>({.side = 15, .stiffness = 1e4});
  const DeviceSolution block = solveOnHost(problem, {}, onlyBy(Scope::Block));
  for (const Scope scope : {Scope::Cluster, Scope::Grid}) {
    const DeviceSolution other = solveOnHost(problem, {}, onlyBy(scope));
    EXPECT_EQ(other.report.iterations, block.report.iterations);
    EXPECT_NEAR(other.report.potential, block.report.potential, 1e-6 * std::abs(block.report.potential));
    for (std::size_t i = 0; i < block.v.size(); ++i)
      EXPECT_LT((toEigen(other.v[i]) - toEigen(block.v[i])).norm(), 1e-4);
  }
}

TEST(DeviceContactSolve, TakesAboutAsManyIterationsAsTheCpu) {
  for (const ContactSolverName solver : kFirstOrder) {
    ContactProblem<float> problem = syntheticLayer<float>({.side = 15, .stiffness = 1.5e3});
    const DeviceSolution s = solveOnHost(problem, {solver});
    mpm::ContactSolver<float> cpu;
    ContactSolution<float> solution;
    cpu.solve(problem, {solver}, solution);
    EXPECT_NEAR(s.report.iterations, solution.iterations, 2 + solution.iterations / 5);
  }
}

TEST(DeviceContactSolve, ACappedSolveSaysSo) {
  const ContactProblem<float> problem = syntheticLayer<float>({.side = 7, .stiffness = 1e5});
  for (const ContactSolverName solver : kFirstOrder) {
    const DeviceSolution s = solveOnHost(problem, {solver, 1e-6, 1e-14, 3});
    EXPECT_EQ(s.report.converged, 0);
    EXPECT_EQ(s.report.iterations, 3);
    EXPECT_GT(s.report.residual, 1e-6);
  }
}

TEST(DeviceContactSolve, InputThatIsNoNumberEndsAtOnceUnconverged) {
  ContactProblem<float> problem = syntheticLayer<float>({.side = 3, .stiffness = 1e3});
  problem.vStar[5].y = std::nanf("");
  for (const ContactSolverName solver : kFirstOrder) {
    const DeviceSolution s = solveOnHost(problem, {solver});
    EXPECT_EQ(s.report.converged, 0);
    EXPECT_LE(s.report.iterations, 1);
  }
}

}  // namespace
}  // namespace slipstick::gpu::testing
