// Boundaries of the grid as kernels.
#include <gtest/gtest.h>

#include <cmath>

#include "gpu/boundary_memory.h"
#include "tests/engine/mpm/walled.h"
#include "tests/gpu/kernel_test.h"

using namespace slipstick;
using namespace slipstick::mpm;
using namespace slipstick::testing;

class KernelBoundaries : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(On, KernelBoundaries, KernelTest::places(), KernelTest::nameOf);

TEST_P(KernelBoundaries, AStickyOneImposesItsRigidMotionOnAllThatIsInside) {
  Walled w(4, 1);
  const Velocity V{{0.5, -1, 2}, {1, 2, 3}};
  const Pose X_WS = Pose::translation({0.3, 0.2, 1});
  w.add(BoundaryKind::Sticky, shape::Plane{}, X_WS, V);
  w.particles = initialParticles(*w.model);
  const ParticleState before = w.particles;
  w.run(*backend(w.model), 1, 1e-3);
  for (std::size_t i = 0; i < before.x.size(); ++i) {
    EXPECT_LT((w.particles.v[i] - V.at(before.x[i] - X_WS.p)).norm(), 1e-5);
    EXPECT_LT((w.particles.C[i] - skew(V.w)).norm(), 1e-3);
  }
  EXPECT_LT((w.impulse[0] + w.momentum() - w.mass() * 1e-3 * w.motion.gravity).norm(),
            1e-5 * w.momentum().norm());
}

/// One step of 20 substeps, in which a wall goes on by a cell, is what 20 steps of one substep are.
TEST_P(KernelBoundaries, MoveWithinAStepAsTheyDoBetweenSteps) {
  const auto pushed = [](int steps, SubstepGeometry geometry) {
    Walled w(6, 20 / steps);
    w.model->solver.geometry = geometry;
    w.add(BoundaryKind::Separate, shape::Plane{}, Pose::fromRpy({0, M_PI / 2, 0}, {-0.01, 0, 0}),
          {{0, 0, 0.5}, {2, 0.3, 0}});
    w.run(*backend(w.model), steps, 0.02 / steps);
    return w;
  };
  const Walled whole = pushed(1, SubstepGeometry::Moving), parts = pushed(20, SubstepGeometry::Moving),
               frozen = pushed(1, SubstepGeometry::Frozen);
  const double standing = largestDistance(frozen.particles.x, parts.particles.x);
  EXPECT_LT(largestDistance(whole.particles.x, parts.particles.x), 1e-2 * standing);
  EXPECT_GT(standing, 1e-3) << "a frozen wall is meant to be left behind";
  EXPECT_GT(whole.impulse[0].norm(), 0.1);
  EXPECT_LT(whole.worstImbalance, 1e-6 * whole.mass());
}

TEST_P(KernelBoundaries, AgreeWithTheReferenceBackendOnAllKinds) {
  Walled exact = wallCourse(), device = wallCourse();
  exact.run(*makeReferenceBackend(exact.model), 3, 0.008);
  device.run(*backend(device.model), 3, 0.008);
  EXPECT_LT(largestDistance(exact.particles.x, device.particles.x), 3e-5);
  for (std::size_t b = 0; b < exact.impulse.size(); ++b) {
    EXPECT_GT(exact.impulse[b].norm(), 1e-3) << "boundary " << b << " is meant to take part";
    EXPECT_LT((exact.impulse[b] - device.impulse[b]).norm(), 3e-3 * exact.impulse[b].norm()) << b;
  }
  EXPECT_NEAR(device.result.boundaryMagnitude, exact.result.boundaryMagnitude,
              3e-3 * exact.result.boundaryMagnitude);
}

TEST_P(KernelBoundaries, WhatTheyReceiveIsWhatTheParticlesLose) {
  Walled w = wallCourse();
  w.run(*backend(w.model), 3, 0.008);
  EXPECT_LT(w.worstImbalance, 1e-6 * w.mass());
  EXPECT_GT(w.impulse[0].norm(), 1e-2);
  EXPECT_GT(w.result.boundaryMagnitude, w.result.boundaryImpulse[0].norm());
}

/// Six cells in one step: what the nodes gave before a sort counts, too.
TEST_P(KernelBoundaries, KeepTheirImpulsesWhenParticlesAreSortedAnewWithinAStep) {
  Walled exact(4, 60), device(4, 60);
  for (Walled* w : {&exact, &device}) {
    w->add(BoundaryKind::Slip, shape::Plane{}, Pose::translation({0, 0, 0.01}));
    w->model->boundaries[0].friction = 0.3;
    w->model->nodes.v.assign(w->model->nodes.x.size(), Vec3(-20, 12, -0.5));
  }
  exact.run(*makeReferenceBackend(exact.model), 1, 0.01);
  device.run(*backend(device.model), 1, 0.01);
  EXPECT_LT(device.worstImbalance, 1e-5 * device.mass());
  EXPECT_GT(exact.impulse[0].norm(), 0.1 * exact.mass());
  EXPECT_LT((device.impulse[0] - exact.impulse[0]).norm(), 1e-3 * exact.impulse[0].norm());
}

TEST_P(KernelBoundaries, ComeToTheSameHashInAnyOrderOfThreads) {
  const auto ran = [](std::uint64_t seed) {
    Walled w = wallCourse(5);
    w.run(*backend(w.model, seed), 1, 0.008);
    return w;
  };
  const Walled expected = ran(0);
  EXPECT_GT(expected.result.boundaryMagnitude, 1e-3);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Walled w = ran(seed);
    EXPECT_EQ(w.result.facts.hash, expected.result.facts.hash) << seed;
    for (std::size_t b = 0; b < w.impulse.size(); ++b)
      EXPECT_TRUE(sameBits(w.impulse[b], expected.impulse[b])) << seed;
    EXPECT_EQ(w.result.boundaryMagnitude, expected.result.boundaryMagnitude) << seed;
  }
}

/// A floor that holds more nodes than there is room for at first.
TEST_P(KernelBoundaries, FindRoomForAsManyNodesAsThereAre) {
  Walled exact(4, 1), device(4, 1);
  for (Walled* w : {&exact, &device}) {
    // Far from each other: 125 nodes around each particle's block, all of them inside.
    for (std::size_t i = 0; i < w->model->nodes.x.size(); ++i)
      w->model->nodes.x[i] += 0.5 * static_cast<double>(i) * Vec3(1, 0, 0);
    w->add(BoundaryKind::Slip, shape::Plane{}, Pose::translation({0, 0, 1}));
    w->particles = initialParticles(*w->model);
  }
  exact.run(*makeCpuBackend(exact.model, 1), 2, 1e-3);
  device.run(*backend(device.model), 2, 1e-3);
  EXPECT_LT(largestDistance(exact.particles.x, device.particles.x), 1e-7);
  EXPECT_LT((exact.impulse[0] - device.impulse[0]).norm(), 1e-5 * exact.impulse[0].norm());
}

/// Of a node's bounds the first few count; of boundaries there may be more than one team tests at a time.
TEST_P(KernelBoundaries, AreFoundBehindManyOthers) {
  Walled alone(4, 10), many(4, 10), reference(4, 10);
  for (Walled* w : {&many, &reference}) {
    for (int i = 0; i < 70; ++i)
      w->add(BoundaryKind::Sticky, shape::Sphere{0.1}, Pose::translation({1.0 + i, 5, 0}));
  }
  for (Walled* w : {&alone, &many, &reference})
    for (int i = 0; i < 8; ++i)
      w->add(BoundaryKind::Separate, shape::Plane{}, Pose::fromRpy({0.05 * i, 0, 0}, {0, 0, 0.01}));
  alone.run(*backend(alone.model), 2, 0.004);
  many.run(*backend(many.model), 2, 0.004);
  reference.run(*makeReferenceBackend(reference.model), 2, 0.004);
  double sum = 0;
  for (std::size_t b = 0; b < 8; ++b) {
    EXPECT_TRUE(sameBits(many.impulse[70 + b], alone.impulse[b])) << b;
    EXPECT_LT((many.impulse[70 + b] - reference.impulse[70 + b]).norm(), 1e-5) << b;
    sum += alone.impulse[b].norm();
  }
  EXPECT_GT(sum, 1e-3);
  EXPECT_EQ(many.result.facts.hash, alone.result.facts.hash);
  EXPECT_LT(largestDistance(many.particles.x, reference.particles.x), 1e-6);
}

/// One that stops acting, and one that has been moved while nobody looked.
TEST_P(KernelBoundaries, AreWhereTheStepSaysAndNoLonger) {
  Walled walled(6);
  walled.add(BoundaryKind::Slip, shape::Plane{}, Pose::translation({0, 0, 0.01}));
  walled.add(BoundaryKind::Sticky, shape::Box{{0.5, 0.03, 0.5}}, Pose::translation({0, 0.14, 0}));
  const auto used = backend(walled.model);
  walled.run(*used, 2, 0.004);
  EXPECT_GT(walled.impulse[0].norm(), 0);
  EXPECT_GT(walled.impulse[1].norm(), 0);
  walled.motion.boundaries[0].X_WS = Pose::translation({0, 0, 0.03});
  walled.motion.boundaries.pop_back();
  Walled other = walled;
  walled.run(*used, 2, 0.004);
  other.run(*backend(other.model), 2, 0.004);
  for (std::size_t p = 0; p < other.particles.x.size(); ++p)
    ASSERT_EQ(walled.particles.x[p], other.particles.x[p]) << p;
  EXPECT_EQ(walled.impulse[0], other.impulse[0]);
  EXPECT_EQ(walled.impulse[1], Vec3(0, 0, 0));
}

TEST_P(KernelBoundaries, WhereNoneActsNoBitChanges) {
  Walled without(6, 1), with(6, 1);
  with.add(BoundaryKind::Sticky, shape::Sphere{0.03}, Pose{});
  without.run(*backend(without.model), 1, 1e-3);
  with.run(*backend(with.model), 1, 1e-3);
  int changed = 0, same = 0;
  for (std::size_t i = 0; i < with.particles.x.size(); ++i) {
    // The particle's nodes lie within 1.5 cells per axis.
    const bool isNear = with.particles.x[i].norm() < 0.03 + 1.5 * std::sqrt(3.0) * 0.04 + 1e-3;
    const bool equal = sameBits(with.particles.v[i], without.particles.v[i]);
    EXPECT_TRUE(equal || isNear);
    (equal ? same : changed) += 1;
  }
  EXPECT_GT(changed, 0);
  EXPECT_GT(same, 0);
}

/// Coulomb's law: a block that slides at v has lost μ g t after t.
TEST_P(KernelBoundaries, FrictionBrakesWhatSlidesOnTheFloor) {
  Walled w(4);
  const double mu = 0.4, speed = 0.5, time = 0.08;
  w.model->nodes.v.assign(w.model->nodes.x.size(), Vec3(speed, 0, 0));
  w.add(BoundaryKind::Separate, shape::Plane{}, Pose{});
  w.model->boundaries[0].friction = mu;
  w.run(*backend(w.model), static_cast<int>(time / 0.004), 0.004);
  EXPECT_NEAR(w.impulse[0].x(), -mu * w.impulse[0].z(), 1e-3 * w.impulse[0].norm());
  EXPECT_NEAR(w.impulse[0].x(), speed * w.mass() - w.momentum().x(), 1e-4 * w.mass());
  EXPECT_LT(w.worstImbalance, 1e-5 * w.mass());
}

/// What contacts decide about keeps its velocity and gives nothing.
TEST(BoundaryMemory, LeavesAloneTheNodesThatContactsTouch) {
  Walled w(1, 1);
  w.add(BoundaryKind::Sticky, shape::Plane{}, Pose::translation({0, 0, 10}));
  gpu::HostExecutor executor;
  gpu::BoundaryMemory boundaries(executor, *w.model);
  gpu::CopiedMemory uploads(executor), readBack(executor);
  boundaries.plan(w.motion, 1e-3, 1);
  boundaries.ensure(1);
  uploads.layOut([&](gpu::CopyLayout& layout) { boundaries.placeUploads(layout); });
  readBack.layOut([&](gpu::CopyLayout& layout) { boundaries.placeReadBack(layout); });
  boundaries.freeze(w.motion, 1e-3, 1);

  // One block of nodes, all with mass; contacts touch those in even places.
  std::vector<gpu::DeviceNode> nodes(gpu::kBlockNodes, {3, 0, 4, 2});
  gpu::GridCounts counts{};
  counts.gridBlocks = 1;
  std::uint64_t key = gpu::deviceBlockKey(0, 0, 0), massive = ~std::uint64_t{0};
  const std::uint64_t touched = 0x5555555555555555u;
  gpu::GridView grid{};
  grid.gridBlockCapacity = 1;
  grid.h = w.model->gridSpacing;
  grid.counts = &counts;
  grid.gridKeys = &key;
  grid.nodes = nodes.data();
  grid.massive = &massive;
  uploads.upload();
  boundaries.begin(executor);
  boundaries.findNodes(executor, grid, 0, true);
  boundaries.apply(executor, grid, &touched);
  boundaries.sumUp(executor, grid, true);
  readBack.download();

  for (std::size_t n = 0; n < nodes.size(); ++n) {
    EXPECT_EQ(nodes[n].x, n % 2 == 0 ? 3 : 0) << n;
    EXPECT_EQ(nodes[n].z, n % 2 == 0 ? 4 : 0) << n;
  }
  w.result.reset(0, 1);
  boundaries.addTo(w.result);
  constexpr double kHeld = gpu::kBlockNodes / 2;
  EXPECT_EQ(w.result.boundaryImpulse[0], kHeld * Vec3(6, 0, 8));
  EXPECT_EQ(w.result.boundaryMagnitude, kHeld * 10);
}
