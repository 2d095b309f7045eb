// What contacts give, summed up by the kernels, against the CPU's sums of the same solves.
#include "gpu/outcome_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "engine/lanes/eigen_lanes.h"
#include "gpu/contact_links.h"
#include "gpu/host_executor.h"
#include "tests/gpu/random_outcome.h"
#include "tests/support/same_bits.h"

namespace slipstick::gpu::testing {
namespace {

using lanes::toEigen;
using slipstick::testing::sameBits;

/// Each node's list of contacts, as a solve leaves it behind.
struct LinkNodes {
  static constexpr int kThreads = 256;
  ContactView view;
  ContactMemory memory;
  int particleContacts, contacts, nodes;

  template <class Team>
  void operator()(Team& team) const {
    SolveContext<Team> s{team, view, memory};
    s.particleContacts = particleContacts, s.contacts = contacts, s.nodes = nodes;
    linkNodes(s);
  }
};

Model modelOf(const RandomStep& step) {
  Model model;
  model.nodes.x.resize(static_cast<std::size_t>(step.particles()));
  for (const int body : RandomStep::kBodyOf) model.geometries.emplace_back().body = body;
  return model;
}

/// A step on the host executor, whose memory is this machine's.
class OutcomeOnHost {
 public:
  OutcomeOnHost(const RandomStep& step, std::uint64_t seed)
      : step_(step), executor_({.seed = seed}), memory_(modelOf(step), executor_), readBack_(executor_) {
    for (const RandomSubstep& s : step.substeps()) {
      contactCapacity_ = std::max(contactCapacity_, static_cast<int>(s.problem.contacts.size()) + 3);
      nodeCapacity_ = std::max(nodeCapacity_, static_cast<int>(s.places.size()) + 2);
    }
  }

  /// @return whether there was room for all pairs; if not there will be
  bool run(SoftOutcome& result) {
    memory_.ensure(RandomStep::kSubsteps, contactCapacity_, nodeCapacity_);
    readBack_.layOut([&](CopyLayout& layout) {
      counts_ = layout.take<GridCounts>(1);
      memory_.placeReadBack(layout, RandomStep::kSubsteps);
    });
    *counts_.device = {};
    given_.assign(3 * static_cast<std::size_t>(nodeCapacity_), {});
    mpm::StepAccount account;
    account.begin(RandomStep::kBodies, RandomStep::kBoundaries);
    std::vector<mpm::BoundaryImpulse> ofBoundaries(RandomStep::kBoundaries);
    for (int k = 0; k < RandomStep::kSubsteps; ++k) {
      std::fill(given_.begin(), given_.end(), DeviceImpulse{});
      runSubstep(k);
      for (std::size_t b = 0; b < bounds_.size(); ++b) {
        mpm::BoundaryImpulse& sum = ofBoundaries[static_cast<std::size_t>(bounds_[b].boundary)];
        sum.sum += Vec3(given_[b].x, given_[b].y, given_[b].z);
        sum.magnitude += given_[b].magnitude;
      }
    }
    std::vector<DeviceGeometry> geometries(RandomStep::kGeometries);
    for (std::size_t g = 0; g < geometries.size(); ++g) {
      geometries[g].body = RandomStep::kBodyOf[g];
      for (int a = 0; a < 3; ++a)
        geometries[g].p_WB[a] = step_.origins()[static_cast<std::size_t>(geometries[g].body)](a);
    }
    memory_.recordSums(executor_, grid(), geometries.data(), RandomStep::kSubsteps);
    readBack_.download();
    executor_.wait();
    if (memory_.grow(*counts_.host)) return false;
    memory_.enter(RandomStep::kSubsteps, account);
    account.addBoundaries(ofBoundaries);
    account.finish(result);
    memory_.takeContacts(counts_.host->pairs, result.contacts);
    return true;
  }
  int failed() const { return counts_.host->failed; }

 private:
  GridView grid() {
    GridView view{};
    view.counts = counts_.device;
    view.h = RandomStep::kSpacing;
    view.gridKeys = gridKeys_.data();
    return view;
  }

  void runSubstep(int k) {
    const RandomSubstep& s = step_.substeps()[static_cast<std::size_t>(k)];
    const int contacts = static_cast<int>(s.detected.size()),
              all = static_cast<int>(s.problem.contacts.size()), nodes = static_cast<int>(s.places.size());
    ContactCounts counts{contacts, nodes, all - contacts, 0};
    DetectView view{};
    view.contacts.counts = &counts;
    view.contacts.contactCapacity = contactCapacity_;
    view.contacts.nodeCapacity = nodeCapacity_;
    view.contacts.dt = s.problem.dt;
    memory_.show(view, k);
    *view.contacts.report = {contacts,
                             nodes,
                             s.solution.iterations,
                             0,
                             s.solution.converged ? 1 : 0,
                             0,
                             static_cast<double>(s.solution.potential),
                             0};
    const auto room = static_cast<std::size_t>(contactCapacity_),
               nodeCapacity = static_cast<std::size_t>(nodeCapacity_);
    bound_.assign(room, -7), weight_.assign(9 * room, 0);
    mass_.assign(nodeCapacity, 0), vStar_.assign(3 * nodeCapacity, 0), v_ = vStar_;
    firstBound_.assign(nodeCapacity, 0), boundCount_ = firstBound_, gridNode_ = firstBound_;
    view.contacts.bound = bound_.data(), view.contacts.weight = weight_.data();
    for (int c = 0; c < all; ++c) putContact(view, s, c);
    bounds_.clear(), gridKeys_.clear();
    for (int i = 0; i < nodes; ++i) putNode(s, i);
    view.contacts.mass = mass_.data(), view.contacts.vStar = vStar_.data(), view.contacts.v = v_.data();
    view.contacts.firstBound = firstBound_.data(), view.contacts.bounds = boundCount_.data();
    view.contacts.boundList = bounds_.data();
    view.boundaries.given = given_.data();
    view.gridNode = gridNode_.data();
    view.grid = grid();
    solve_.resize(contactMemoryBytes(contactCapacity_, nodeCapacity_) + 256);
    const auto at = reinterpret_cast<std::uintptr_t>(solve_.data());
    const ContactMemory solve =
        contactMemory(solve_.data() + (256 - at % 256) % 256, contactCapacity_, nodeCapacity_);
    executor_.launch(LinkNodes{view.contacts, solve, contacts, all, nodes}, 1);
    memory_.recordSubstep(executor_, view, solve, k);
  }

  void putContact(const DetectView& view, const RandomSubstep& s, int c) {
    const auto i = static_cast<std::size_t>(c);
    const mpm::ContactPoint<float>& point = s.problem.contacts[i];
    const bool ofParticle = i < s.detected.size();
    view.contacts.bound[c] = point.bound;
    view.contacts.friction[c] = point.friction;
    view.contacts.n0[c] = point.n0;
    storeVector(view.contacts.gamma, contactCapacity_, c, s.solution.gamma[i]);
    storeVector(view.contacts.u, contactCapacity_, c, s.solution.u[i]);
    for (int k = 0; k < 9; ++k)
      weight_[static_cast<std::size_t>(k * contactCapacity_ + c)] =
          ofParticle   ? s.factors[i][static_cast<std::size_t>(k)]
          : k % 3 == 0 ? 1
                       : 0;
    for (int n = 0; n < 27; ++n) {
      const auto at = static_cast<std::size_t>(n);
      view.contacts.node[n * contactCapacity_ + c] = point.weight[at] != 0 ? point.node[at] : -1;
    }
    if (!ofParticle) return;
    const mpm::DetectedContact& d = s.detected[i];
    view.log.particle[c] = d.particle;
    view.log.geometry[c] = d.geometry;
    view.log.penetration[c] = static_cast<float>(d.penetration);
    view.log.middle[c] = static_cast<float>(d.middle);
    storeVector(view.log.normal, contactCapacity_, c, lanes::toLanes<float>(d.normal));
    for (int a = 0; a < 3; ++a) view.log.position[a * contactCapacity_ + c] = d.x(a);
  }

  void putNode(const RandomSubstep& s, int i) {
    const auto at = static_cast<std::size_t>(i);
    const Place& p = s.places[at];
    mass_[at] = s.problem.mass[at];
    storeVector(vStar_.data(), nodeCapacity_, i, s.problem.vStar[at]);
    storeVector(v_.data(), nodeCapacity_, i, s.solution.v[at]);
    gridKeys_.push_back(deviceBlockKey(mpm::blockOf(p[0]), mpm::blockOf(p[1]), mpm::blockOf(p[2])));
    gridNode_[at] = i * kBlockNodes +
                    (mpm::withinBlock(p[0]) * kBlockEdge + mpm::withinBlock(p[1])) * kBlockEdge +
                    mpm::withinBlock(p[2]);
    firstBound_[at] = static_cast<int>(bounds_.size());
    if (s.problem.bounds.empty()) return;
    for (const mpm::NodeBound& b : s.problem.bounds[at]) {
      DeviceBound& to = bounds_.emplace_back();
      to = {static_cast<int>(b.kind), b.boundary, {}, {}, static_cast<float>(b.friction)};
      for (int a = 0; a < 3; ++a) {
        to.normal[a] = static_cast<float>(b.normal(a));
        to.velocity[a] = static_cast<float>(b.velocity(a));
      }
      ++boundCount_[at];
    }
  }

  const RandomStep& step_;
  HostExecutor executor_;
  OutcomeMemory memory_;
  CopiedMemory readBack_;
  Copied<GridCounts> counts_;
  int contactCapacity_ = 0, nodeCapacity_ = 0;
  std::vector<float> weight_, mass_, vStar_, v_;
  std::vector<int> bound_, firstBound_, boundCount_, gridNode_;
  std::vector<DeviceBound> bounds_;
  std::vector<DeviceImpulse> given_;
  std::vector<std::uint64_t> gridKeys_;
  std::vector<std::byte> solve_;
};

SoftOutcome outcomeOnHost(const RandomStep& step, std::uint64_t seed = 0) {
  SoftOutcome result;
  OutcomeOnHost host(step, seed);
  EXPECT_TRUE(host.run(result));
  return result;
}

SoftOutcome outcomeOnCpu(const RandomStep& step) {
  mpm::ContactOutcome<float> outcome;
  mpm::StepAccount account;
  account.begin(RandomStep::kBodies, RandomStep::kBoundaries);
  for (const RandomSubstep& s : step.substeps()) {
    if (s.detected.empty())
      account.addFreeSubstep();
    else
      outcome.enter(s.problem, s.solution, s.detected, s.nodeAt, account);
  }
  SoftOutcome result;
  account.finish(result);
  return result;
}

/// Σ m (|v* + M⁻¹Jᵀγ| + 1) of the bounded nodes: what the pushes of bounds, found in floats, are rounded relative to.
/// Velocities here are of the size of 1 m/s.
double boundedMomentum(const RandomStep& step) {
  double sum = 0;
  for (const RandomSubstep& s : step.substeps()) {
    std::vector<Vec3> impulse(s.places.size(), Vec3::Zero());
    for (std::size_t c = 0; c < s.problem.contacts.size(); ++c)
      for (std::size_t n = 0; n < 27; ++n)
        impulse[static_cast<std::size_t>(s.problem.contacts[c].node[n])] +=
            static_cast<double>(s.problem.contacts[c].weight[n]) * toEigen(s.solution.gamma[c]);
    for (std::size_t i = 0; i < s.problem.bounds.size(); ++i) {
      const auto mass = static_cast<double>(s.problem.mass[i]);
      if (!s.problem.bounds[i].empty())
        sum += mass * (toEigen(s.problem.vStar[i]).norm() + 1) + impulse[i].norm();
    }
  }
  return sum;
}

/// Impulses to `tolerance` [N s]; what no bound has a part in to a few roundings of doubles.
void expectSame(const SoftOutcome& got, const SoftOutcome& expected, double tolerance) {
  constexpr double kFew = 1e-13;  // of sums of some hundred numbers of the size of 1
  ASSERT_EQ(got.contacts.size(), expected.contacts.size());
  for (std::size_t i = 0; i < got.contacts.size(); ++i) {
    const TouchImpulse &a = got.contacts[i], &b = expected.contacts[i];
    SCOPED_TRACE(i);
    EXPECT_EQ(a.particle, b.particle);
    EXPECT_EQ(a.geometry, b.geometry);
    EXPECT_LE((a.impulse - b.impulse).norm(), kFew);
    EXPECT_LE((a.point - b.point).norm(), kFew);
    EXPECT_LE((a.normal - b.normal).norm(), kFew);
    EXPECT_EQ(a.penetration, b.penetration);
    EXPECT_EQ(a.beyondMiddle, b.beyondMiddle);
    EXPECT_EQ(a.middle, b.middle);
    EXPECT_NEAR(a.springDepth, b.springDepth, kFew);
    EXPECT_NEAR(a.slipSpeed, b.slipSpeed, kFew);
    EXPECT_NEAR(a.frictionBound, b.frictionBound, kFew);
  }
  const auto expectNear = [&](const Wrench& a, const Wrench& b) {
    constexpr double kReach = 3;  // from W's origin to the nodes, and from there to the bodies [m]
    EXPECT_LE((a.force - b.force).norm(), tolerance);
    EXPECT_LE((a.torque - b.torque).norm(), kReach * tolerance);
  };
  for (std::size_t b = 0; b < RandomStep::kBodies; ++b) {
    SCOPED_TRACE(b);
    expectNear(got.wrenchImpulse[b], expected.wrenchImpulse[b]);
    expectNear(got.remainderImpulse[b], expected.remainderImpulse[b]);
  }
  for (std::size_t b = 0; b < RandomStep::kBoundaries; ++b)
    EXPECT_LE((got.boundaryImpulse[b] - expected.boundaryImpulse[b]).norm(), tolerance) << b;
  EXPECT_NEAR(got.boundaryMagnitude, expected.boundaryMagnitude, tolerance);
  EXPECT_EQ(got.potential, expected.potential);
  EXPECT_EQ(got.report.contacts, expected.report.contacts);
  EXPECT_EQ(got.report.contactIterationsMean, expected.report.contactIterationsMean);
  EXPECT_EQ(got.report.contactIterationsMax, expected.report.contactIterationsMax);
  EXPECT_EQ(got.report.notConvergedSolves, expected.report.notConvergedSolves);
  double magnitude = 0;  // no more than this is what the shares are relative to
  for (const TouchImpulse& c : expected.contacts) magnitude += c.impulse.norm();
  EXPECT_NEAR(got.report.contactRemainder, expected.report.contactRemainder, tolerance / magnitude);
  EXPECT_NEAR(got.report.momentumError, expected.report.momentumError, tolerance / magnitude);
}

TEST(OutcomeMemory, GivesWhatTheCpuGives) {
  const RandomStep step(false);
  const SoftOutcome expected = outcomeOnCpu(step);
  ASSERT_GT(expected.remainderImpulse[1].force.norm(), 1e-3) << "remainders are meant to matter";
  ASSERT_GT(expected.contacts.size(), 50u);
  int beyond = 0, pressed = 0, gone = 0;
  for (const TouchImpulse& c : expected.contacts) {
    beyond += c.beyondMiddle > 1;
    ++(c.springDepth > 0 ? pressed : gone);
  }
  ASSERT_GT(beyond, 5);
  ASSERT_GT(pressed, 5);
  ASSERT_GT(gone, 5);
  expectSame(outcomeOnHost(step), expected, 1e-13);
}

TEST(OutcomeMemory, GivesBoundariesWhatTheCpuGives) {
  const RandomStep step(true);
  const SoftOutcome expected = outcomeOnCpu(step);
  for (const Vec3& impulse : expected.boundaryImpulse) ASSERT_GT(impulse.norm(), 1e-3);
  // Some fifty operations in floats make up a push.
  const double tolerance = 64 * std::numeric_limits<float>::epsilon() / 2 * boundedMomentum(step);
  expectSame(outcomeOnHost(step), expected, tolerance);
}

TEST(OutcomeMemory, GivesTheSameBitsInWhateverOrderThreadsRun) {
  const RandomStep step(true);
  const SoftOutcome first = outcomeOnHost(step);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const SoftOutcome result = outcomeOnHost(step, seed);
    EXPECT_TRUE(sameBits(result.contacts, first.contacts));
    EXPECT_TRUE(sameBits(result.wrenchImpulse, first.wrenchImpulse));
    EXPECT_TRUE(sameBits(result.remainderImpulse, first.remainderImpulse));
    EXPECT_TRUE(sameBits(result.boundaryImpulse, first.boundaryImpulse));
    EXPECT_EQ(result.boundaryMagnitude, first.boundaryMagnitude);
    EXPECT_EQ(result.report.contactRemainder, first.report.contactRemainder);
    EXPECT_EQ(result.report.momentumError, first.report.momentumError);
  }
}

TEST(OutcomeMemory, FindsRoomForAsManyPairsAsThereAre) {
  const RandomStep step(false, 60);
  OutcomeOnHost host(step, 0);
  SoftOutcome result;
  EXPECT_FALSE(host.run(result));
  EXPECT_EQ(host.failed(), 1);
  ASSERT_TRUE(host.run(result));
  EXPECT_EQ(host.failed(), 0);
  EXPECT_EQ(result.contacts.size(), 360u);
  expectSame(result, outcomeOnCpu(step), 1e-12);
}

}  // namespace
}  // namespace slipstick::gpu::testing
