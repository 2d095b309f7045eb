// The contact solver of devices, run on the host, against the CPU's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/lanes/eigen_lanes.h"
#include "tests/engine/contact/synthetic_layer.h"
#include "tests/gpu/device_contacts.h"
#include "tests/support/same_bits.h"

namespace slipstick::gpu::testing {
namespace {

using lanes::toEigen;
using mpm::ContactProblem;
using mpm::ContactSolution;
using mpm::NodeBound;
using mpm::SyntheticLayer;
using mpm::syntheticLayer;
using slipstick::testing::sameBits;
using ::testing::ElementsAre;

constexpr Scope kScopes[] = {Scope::Block, Scope::Cluster, Scope::Grid};
constexpr ContactSolverName kFirstOrder[] = {ContactSolverName::MajorizedAnderson,
                                             ContactSolverName::QuasiNewton};

std::string nameOf(Scope scope) {
  return scope == Scope::Block ? "block" : scope == Scope::Cluster ? "cluster" : "grid";
}

/// What blocks of sm_86 and sm_89, of sm_80, and of sm_90 may have [B].
constexpr std::size_t kBlockMemories[] = {99 << 10, 163 << 10, 227 << 10};
/// Every team that may solve on some device.
std::vector<SolvingTeam> everyTeam() {
  std::vector<SolvingTeam> all{{Scope::Cluster}, {Scope::Grid}};
  for (const std::size_t bytes : kBlockMemories) all.push_back({Scope::Block, bytes});
  return all;
}
std::string nameOf(const SolvingTeam& team) {
  return nameOf(*team.only) + ", " + std::to_string(team.blockSharedBytes >> 10) + " KiB";
}

/// The float problem in double: the same numbers.
ContactProblem<double> widened(const ContactProblem<float>& p) {
  ContactProblem<double> wide;
  wide.dt = double(p.dt), wide.stictionSpeed = double(p.stictionSpeed);
  wide.stictionSoftness = double(p.stictionSoftness);
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

/// The problem's first contacts with the nodes that they touch.
ContactProblem<float> first(const ContactProblem<float>& all, std::size_t contacts) {
  ContactProblem<float> p;
  p.dt = all.dt, p.stictionSpeed = all.stictionSpeed;
  p.stictionSoftness = all.stictionSoftness;
  std::map<int, int> number;
  for (std::size_t c = 0; c < contacts; ++c) {
    mpm::ContactPoint<float>& point = p.contacts.emplace_back(all.contacts[c]);
    for (int& node : point.node) {
      const auto [at, isNew] = number.try_emplace(node, static_cast<int>(p.mass.size()));
      if (isNew) {
        p.mass.push_back(all.mass[static_cast<std::size_t>(node)]);
        p.vStar.push_back(all.vStar[static_cast<std::size_t>(node)]);
      }
      node = at->second;
    }
  }
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

TEST(DeviceContactSolve, ReachesTheMinimiserOfTheCpuWithEveryKernelAndSolver) {
  const ContactProblem<float> layer = syntheticLayer<float>({.side = 32, .stiffness = 1.5e3});
  for (const std::size_t contacts : {1, 10, 100, 1000}) {
    const ContactProblem<float> problem = first(layer, contacts);
    const ContactSolution<double> exact = exactSolution(problem);
    const double limit = energyTolerance(problem, exact, 2e-4);
    for (const SolvingTeam& team : everyTeam())
      for (const ContactSolverName solver : kFirstOrder) {
        SCOPED_TRACE(std::to_string(contacts) + " contacts, " + nameOf(team) + ", solver " +
                     std::to_string(static_cast<int>(solver)));
        const DeviceSolution s = solveOnHost(problem, {solver, 2e-4}, team);
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
  const ContactSolution<double> exact = exactSolution(problem, 1e-7);
  for (const double tolerance : {5e-2, 1e-3})
    for (const SolvingTeam& team : everyTeam()) {
      SCOPED_TRACE(nameOf(team) + ", to " + std::to_string(tolerance));
      const DeviceSolution s = solveOnHost(problem, {ContactSolverName::MajorizedAnderson, tolerance}, team);
      EXPECT_EQ(s.report.converged, 1) << s.report.residual << " after " << s.report.iterations;
      EXPECT_LT(s.report.residual, tolerance);
      EXPECT_NEAR(s.report.potential, exact.potential, energyTolerance(problem, exact, tolerance));
      EXPECT_LT(velocityError(problem, s, exact), tolerance);
      expectInsideTheCone(problem, s);
    }
}

TEST(DeviceContactSolve, NumbersOfContactsAndNodesAndABlocksMemorySayWhichKernelSolves) {
  // A contact has 30 floats and a node 42; 4,224 bytes of a block are for sums.
  const int most[] = {(99 * 1024 - 4224) / 4 / 72, (163 * 1024 - 4224) / 4 / 72,
                      (227 * 1024 - 4224) / 4 / 72};
  for (std::size_t k = 0; k < 3; ++k) {
    const SolveThresholds on = thresholdsOn(HostExecutor({.blockSharedBytes = kBlockMemories[k]}));
    EXPECT_EQ(solverScope(on, 0, 0), Scope::Block);
    EXPECT_EQ(solverScope(on, most[k], most[k]), Scope::Block);
    EXPECT_EQ(solverScope(on, most[k] + 1, most[k] + 1), Scope::Cluster);
    EXPECT_EQ(solverScope(on, 5000, 5000), Scope::Cluster);
    EXPECT_EQ(solverScope(on, 5001, 100), Scope::Grid);
    EXPECT_EQ(solverScope(on, 1, 6000), Scope::Grid);
  }
  EXPECT_EQ(solverScope(thresholdsOn(HostExecutor({.blockSharedBytes = 0})), 1, 1), Scope::Cluster);
}

/// Of the three kernels, launched each on its own, those that write a report where a block may have so much memory.
std::vector<Scope> reporters(const ContactProblem<float>& problem, std::size_t blockSharedBytes) {
  HostExecutor executor({.blockSharedBytes = blockSharedBytes});
  const SolveThresholds on = thresholdsOn(executor);
  const DeviceSolveSettings settings{.maxIterations = 1};
  std::vector<Scope> all;
  for (const Scope scope : kScopes) {
    DeviceContacts device(executor, problem);
    const ContactView& view = device.view();
    const ContactMemory& memory = device.memory();
    if (scope == Scope::Block)
      executor.launch(BlockContactSolve{{view, memory, settings, on}, blockFloatsOn(executor)}, 1);
    else if (scope == Scope::Cluster)
      executor.launch(ClusterContactSolve{{view, memory, settings, on}}, 1);
    else
      executor.launch(GridContactSolve{{view, memory, settings, on}}, 3);
    if (device.read().report.nodes > 0) all.push_back(scope);
  }
  return all;
}

TEST(DeviceContactSolve, OnlyOneKernelTouchesTheSolution) {
  const auto problem = [](int side) { return syntheticLayer<float>({.side = side, .stiffness = 1.5e3}); };
  const ContactProblem<float> small = problem(15), middle = problem(20), large = problem(25),
                              more = problem(30), most = problem(72);
  const auto floats = [](const ContactProblem<float>& p) {
    return 30 * p.contacts.size() + 42 * p.mass.size();
  };
  ASSERT_LT(4 * floats(small), kBlockMemories[0] - 4224);
  ASSERT_GT(4 * floats(middle), kBlockMemories[0] - 4224);
  ASSERT_LT(4 * floats(middle), kBlockMemories[1] - 4224);
  ASSERT_GT(4 * floats(large), kBlockMemories[1] - 4224);
  ASSERT_LT(4 * floats(large), kBlockMemories[2] - 4224);
  ASSERT_GT(4 * floats(more), kBlockMemories[2] - 4224);
  ASSERT_GT(most.contacts.size(), 5000u);
  for (const std::size_t bytes : kBlockMemories) {
    SCOPED_TRACE(bytes >> 10);
    EXPECT_THAT(reporters(small, bytes), ElementsAre(Scope::Block));
    EXPECT_THAT(reporters(middle, bytes),
                ElementsAre(bytes < kBlockMemories[1] ? Scope::Cluster : Scope::Block));
    EXPECT_THAT(reporters(large, bytes),
                ElementsAre(bytes < kBlockMemories[2] ? Scope::Cluster : Scope::Block));
    EXPECT_THAT(reporters(more, bytes), ElementsAre(Scope::Cluster));
    EXPECT_THAT(reporters(most, bytes), ElementsAre(Scope::Grid));
  }
}

TEST(DeviceContactSolve, ABlockTakesTheSameStepsInItsOwnMemoryAndInTheDevices) {
  const BoundedLayer layer({.side = 13, .stiffness = 1.5e3}, 0.4);
  const std::size_t particles = layer.problem.contacts.size(), nodes = layer.problem.mass.size();
  // What particles need just fits, and the friction of boundaries comes on top.
  const std::size_t tight = 4 * (30 * particles + 42 * nodes) + 4224;
  ASSERT_LT(tight, kBlockMemories[1]);
  const DeviceSolution inBlock = solveOnHost(layer.problem, {}, {.blockSharedBytes = kBlockMemories[2]});
  const DeviceSolution onDevice = solveOnHost(layer.problem, {}, {.blockSharedBytes = tight});
  EXPECT_EQ(inBlock.report.converged, 1);
  EXPECT_GT(inBlock.counts.boundaryContacts, 0);
  EXPECT_TRUE(sameBits(onDevice.v, inBlock.v));
  EXPECT_TRUE(sameBits(onDevice.gamma, inBlock.gamma));
  EXPECT_EQ(onDevice.report.potential, inBlock.report.potential);
  EXPECT_THAT(reporters(layer.problem, tight), ElementsAre(Scope::Block));
  EXPECT_THAT(reporters(layer.problem, tight - 4), ElementsAre(Scope::Cluster));
}

/// Nodes without mass take no part: on the CPU contacts have no weight there.
TEST(DeviceContactSolve, ContactsMayLackNodes) {
  const BoundedLayer whole({.side = 7, .stiffness = 1.5e3}, 0.4);
  const std::size_t nodes = whole.problem.mass.size();
  std::set<int> absent;
  for (int i = 3; i < static_cast<int>(nodes); i += 5) absent.insert(i);
  ContactProblem<float> lacking = whole.problem;
  int lost = 0, kept = 0;
  for (auto& c : lacking.contacts)
    for (std::size_t j = 0; j < 27; ++j) {
      if (absent.contains(c.node[j])) c.weight[j] = 0;
      (absent.contains(c.node[j]) ? lost : kept) += 1;
    }
  ASSERT_GT(lost, 100);
  ASSERT_GT(kept, lost);
  const ContactSolution<double> exact = exactSolution(lacking, 1e-8);
  ContactProblem<float> cpu = lacking;
  mpm::addBoundaryFriction(cpu);
  mpm::ContactSolver<float> cpuSolver;
  ContactSolution<float> cpuSolution;
  cpuSolver.solve(cpu, {}, cpuSolution);
  EXPECT_GT(velocityError(lacking, solveOnHost(whole.problem, {}), exact), 1e-2) << "the nodes hardly matter";
  for (const SolvingTeam& team : everyTeam())
    for (const ContactSolverName solver :
         {ContactSolverName::MajorizedAnderson, ContactSolverName::QuasiNewton,
          ContactSolverName::ContactNewton}) {
      SCOPED_TRACE(nameOf(team) + ", solver " + std::to_string(static_cast<int>(solver)));
      const DeviceSolution s = solveOnHost(whole.problem, {solver, 3e-4}, team, absent);
      EXPECT_EQ(s.report.converged, 1) << s.report.residual << " after " << s.report.iterations;
      EXPECT_LT(velocityError(lacking, s, exact), 1e-3);
      ASSERT_EQ(s.epsilon.size(), cpu.contacts.size());
      for (std::size_t c = 0; c < s.epsilon.size(); ++c)
        EXPECT_NEAR(s.epsilon[c], cpu.contacts[c].epsilon, 1e-5f * cpu.contacts[c].epsilon)
            << "contact " << c;
    }
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
        solveOnHost(problem, {ContactSolverName::MajorizedAnderson, 1e-4}, {Scope::Block});
    EXPECT_EQ(s.report.converged, 1) << s.report.residual << " after " << s.report.iterations;
    const int patience = few ? mpm::kFirstOrderPatience : mpm::kLateNewtonPatience;
    EXPECT_GT(s.report.iterations, patience) << "too easy a problem";
    EXPECT_LT(s.report.iterations, patience + 40);
    EXPECT_LT(velocityError(problem, s, exact), 2e-3);
    if (!few) continue;
    const DeviceSolution newton =
        solveOnHost(problem, {ContactSolverName::ContactNewton, 1e-4}, {Scope::Grid});
    EXPECT_EQ(newton.report.converged, 1) << newton.report.residual;
    EXPECT_LT(newton.report.iterations, 40);
    EXPECT_LT(velocityError(problem, newton, exact), 2e-3);
  }
}

TEST(DeviceContactSolve, NodesInsideBoundariesReachTheConstrainedMinimiser) {
  for (const double friction : {0.0, 0.4})
    for (const ContactSolverName solver :
         {ContactSolverName::MajorizedAnderson, ContactSolverName::QuasiNewton,
          ContactSolverName::ContactNewton}) {
      const BoundedLayer layer({.side = 5, .stiffness = 1.5e3}, friction);
      const ContactSolution<double> exact = exactSolution(layer.problem, 1e-8);
      // Below this the CPU's floats stop on such problems too.
      const DeviceSolution s = solveOnHost(layer.problem, {solver, 3e-4}, {Scope::Block});
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
      const DeviceSolution s = solveOnHost(layer.problem, {solver, 3e-4}, {scope});
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
  launchContactSolve(executor, device.view(), device.memory(), {}, thresholdsOn(executor));
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
  for (const Scope scope : kScopes) {
    DeviceSolveSettings settings{ContactSolverName::MajorizedAnderson, 1e-3};
    settings.lagIterations = 2;
    const DeviceSolution one = solveOnHost(layer.problem, settings, {scope});
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const DeviceSolution other = solveOnHost(layer.problem, settings, {.only = scope, .seed = seed});
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
  const DeviceSolution block = solveOnHost(problem, {}, {Scope::Block});
  for (const Scope scope : {Scope::Cluster, Scope::Grid}) {
    const DeviceSolution other = solveOnHost(problem, {}, {scope});
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
