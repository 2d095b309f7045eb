// Boundaries of the grid in both backends.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/mpm/walled.h"

using namespace slipstick;
using namespace slipstick::mpm;
using namespace slipstick::testing;

namespace {

std::vector<std::unique_ptr<Backend>> bothBackends(const std::shared_ptr<const Model>& model) {
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(makeReferenceBackend(model));
  backends.push_back(makeCpuBackend(model, 1));
  return backends;
}

}  // namespace

TEST(Boundaries, AStickyOneImposesItsRigidMotionOnAllThatIsInside) {
  for (const bool fast : {false, true}) {
    Walled w(4, 1);
    const Velocity V{{0.5, -1, 2}, {1, 2, 3}};
    const Pose X_WS = Pose::translation({0.3, 0.2, 1});
    w.add(BoundaryKind::Sticky, shape::Plane{}, X_WS, V);
    w.particles = initialParticles(*w.model);
    const ParticleState before = w.particles;
    w.run(*bothBackends(w.model)[fast], 1, 1e-3);
    for (std::size_t i = 0; i < before.x.size(); ++i) {
      EXPECT_LT((w.particles.v[i] - V.at(before.x[i] - X_WS.p)).norm(), fast ? 1e-5 : 1e-12);
      EXPECT_LT((w.particles.C[i] - skew(V.w)).norm(), fast ? 1e-3 : 1e-10);
    }
    EXPECT_LT((w.impulse[0] + w.momentum() - w.mass() * 1e-3 * w.motion.gravity).norm(),
              1e-5 * w.momentum().norm());
  }
}

/// One step of 20 substeps, in which a wall goes on by a cell, is what 20 steps of one substep are.
TEST(Boundaries, MoveWithinAStepAsTheyDoBetweenSteps) {
  const auto pushed = [](bool fast, int steps, SubstepGeometry geometry) {
    Walled w(8, 20 / steps);
    w.model->solver.geometry = geometry;
    w.add(BoundaryKind::Separate, shape::Plane{}, Pose::fromRpy({0, M_PI / 2, 0}, {-0.01, 0, 0}),
          {{0, 0, 0.5}, {2, 0.3, 0}});
    w.run(*bothBackends(w.model)[fast], steps, 0.02 / steps);
    return w.particles;
  };
  for (const bool fast : {false, true}) {
    const ParticleState whole = pushed(fast, 1, SubstepGeometry::Moving),
                        parts = pushed(fast, 20, SubstepGeometry::Moving),
                        frozen = pushed(fast, 1, SubstepGeometry::Frozen);
    double moving = 0, standing = 0;
    for (std::size_t i = 0; i < parts.x.size(); ++i) {
      moving = std::max(moving, (whole.x[i] - parts.x[i]).norm());
      standing = std::max(standing, (frozen.x[i] - parts.x[i]).norm());
    }
    EXPECT_LT(moving, 1e-2 * standing);
    EXPECT_GT(standing, 1e-3) << "a frozen wall is meant to be left behind";
  }
}

TEST(Boundaries, BothBackendsAgreeOnAllKindsWithContact) {
  Walled exact = obstacleCourse(), fast = obstacleCourse();
  exact.run(*makeReferenceBackend(exact.model), 6, 0.008);
  fast.run(*makeCpuBackend(fast.model, 1), 6, 0.008);
  double worst = 0;
  for (std::size_t i = 0; i < exact.particles.x.size(); ++i)
    worst = std::max(worst, (exact.particles.x[i] - fast.particles.x[i]).norm());
  EXPECT_LT(worst, 3e-5);
  ASSERT_FALSE(exact.result.contacts.empty()) << "the box is meant to touch";
  for (std::size_t b = 0; b < exact.impulse.size(); ++b) {
    EXPECT_GT(exact.impulse[b].norm(), 1e-3) << "boundary " << b << " is meant to take part";
    EXPECT_LT((exact.impulse[b] - fast.impulse[b]).norm(), 3e-3 * exact.impulse[b].norm());
  }
}

/// The CPU backend keeps what resting boundaries ask of the nodes: not beyond the rest.
TEST(Boundaries, OneThatHasBeenMovedWhileNobodyLookedIsFoundAnew) {
  Walled walled;
  walled.add(BoundaryKind::Slip, shape::Plane{}, Pose::translation({0, 0, 0.01}));
  const auto used = makeCpuBackend(walled.model, 1);
  walled.run(*used, 5, 0.002);
  walled.motion.boundaries[0].X_WS = Pose::translation({0, 0, 0.03});
  Walled other = walled;
  walled.run(*used, 3, 0.002);
  other.run(*makeCpuBackend(other.model, 1), 3, 0.002);
  for (std::size_t p = 0; p < other.particles.x.size(); ++p)
    ASSERT_EQ(walled.particles.x[p], other.particles.x[p]) << p;
  EXPECT_EQ(walled.impulse[0], other.impulse[0]);
}

TEST(Boundaries, WhatTheyReceiveIsWhatTheParticlesLose) {
  for (const bool fast : {false, true}) {
    Walled w = obstacleCourse();
    w.run(*bothBackends(w.model)[fast], 4, 0.008);
    EXPECT_LT(w.worstImbalance, (fast ? 1e-6 : 1e-13) * w.mass());
    EXPECT_GT(w.result.boundaryMagnitude, w.result.boundaryImpulse[0].norm());
  }
}

TEST(Boundaries, GiveTheSameBitsForAnyNumberOfThreads) {
  Walled one = obstacleCourse(20), three = obstacleCourse(20);  // 8000 particles
  one.run(*makeCpuBackend(one.model, 1), 2, 0.004);
  three.run(*makeCpuBackend(three.model, 3), 2, 0.004);
  for (std::size_t i = 0; i < one.particles.x.size(); ++i)
    ASSERT_TRUE(sameBits(one.particles.x[i], three.particles.x[i]));
  for (std::size_t b = 0; b < one.impulse.size(); ++b)
    EXPECT_TRUE(sameBits(one.impulse[b], three.impulse[b]));
}

TEST(Boundaries, WhereNoneActsNoBitChanges) {
  Walled without(8, 1), with(8, 1);
  with.add(BoundaryKind::Sticky, shape::Sphere{0.05}, Pose::translation({0, 0, 0}));
  with.add(BoundaryKind::Slip, shape::Box{{1, 1, 1}}, Pose::translation({5, 0, 0}));
  without.run(*makeCpuBackend(without.model, 1), 1, 1e-3);
  with.run(*makeCpuBackend(with.model, 1), 1, 1e-3);
  int changed = 0, near = 0;
  for (std::size_t i = 0; i < with.particles.x.size(); ++i) {
    const bool same = sameBits(with.particles.v[i], without.particles.v[i]);
    changed += !same;
    // The particle's nodes lie within 1.5 cells per axis.
    const bool isNear = with.particles.x[i].norm() < 0.05 + 1.5 * std::sqrt(3.0) * 0.04 + 1e-3;
    near += isNear;
    EXPECT_TRUE(same || isNear);
  }
  EXPECT_GT(changed, 0);
  EXPECT_LT(near, 500);
  EXPECT_EQ(with.impulse[1], Vec3(0, 0, 0));
}

TEST(Boundaries, ABlockRestsOnAStickyFloorWithItsWeight) {
  Walled w;
  w.model->deformables[0].apicDamping = 0;  // settles sooner
  w.add(BoundaryKind::Sticky, shape::Plane{}, Pose{});
  const auto backend = makeCpuBackend(w.model, 1);
  w.run(*backend, 200, 0.004);
  const Vec3 settled = w.centre();
  w.run(*backend, 50, 0.004);
  const Vec3 weight = w.mass() * w.motion.gravity;
  EXPECT_LT((w.impulse[0] / 0.2 - weight).norm(), 0.02 * weight.norm());
  EXPECT_LT((w.centre() - settled).norm(), 1e-4);
  EXPECT_GT(w.centre().z(), 0.05);
}

TEST(Boundaries, AMovingStickyBoxDragsWhatItHolds) {
  Walled w;
  const Vec3 v(0.2, 0, 0.1);
  w.model->nodes.v.assign(w.model->nodes.x.size(), v);
  w.motion.gravity.setZero();
  w.add(BoundaryKind::Sticky, shape::Box{{0.2, 0.2, 0.04}}, Pose::translation({0.08, 0.08, 0}),
        {Vec3::Zero(), v});
  w.particles = initialParticles(*w.model);
  const Vec3 start = w.centre();
  const auto backend = makeCpuBackend(w.model, 1);
  for (BoundaryMotion& m : w.motion.boundaries) m.V_WS.v *= 2;  // faster than the block starts
  w.run(*backend, 100, 0.004);
  EXPECT_LT((w.centre() - start - 0.4 * 2 * v).norm(), 0.1 * 0.4 * 2 * v.norm());
}

TEST(Boundaries, ASlipFloorHoldsUpAndLetsSlide) {
  Walled w;
  w.model->nodes.v.assign(w.model->nodes.x.size(), Vec3(0.5, -0.3, 0));
  w.add(BoundaryKind::Slip, shape::Plane{}, Pose{});
  w.particles = initialParticles(*w.model);
  const Vec3 start = w.centre();
  w.run(*makeCpuBackend(w.model, 1), 100, 0.004);
  EXPECT_NEAR(w.momentum().x(), 0.5 * w.mass(), 1e-4 * w.mass());
  EXPECT_NEAR(w.momentum().y(), -0.3 * w.mass(), 1e-4 * w.mass());
  EXPECT_LT(std::abs(w.centre().z() - start.z()), 0.02);
}

/// Coulomb's law: a block that slides at v comes to rest after v²/(2 μ g), and the floor takes what it loses.
TEST(Boundaries, FrictionBrakesWhatSlidesOnTheFloorAndHoldsItAtRest) {
  for (const double mu : {0.2, 0.6}) {
    Walled w;
    const double speed = 0.5, g = 9.81, path = speed * speed / (2 * mu * g);
    w.model->nodes.v.assign(w.model->nodes.x.size(), Vec3(speed, 0, 0));
    w.add(BoundaryKind::Separate, shape::Plane{}, Pose{});
    w.model->boundaries[0].friction = mu;
    w.particles = initialParticles(*w.model);
    const double start = w.centre().x();
    const auto backend = makeCpuBackend(w.model, 1);
    w.run(*backend, static_cast<int>(2 * speed / (mu * g) / 0.004), 0.004);
    EXPECT_NEAR(w.centre().x() - start, path, 0.1 * path + 2e-3) << "it still trembles by about 1.5 mm";
    EXPECT_NEAR(w.impulse[0].x(), speed * w.mass() - w.momentum().x(), 1e-4 * w.mass());
    EXPECT_LT(w.worstImbalance, 1e-5 * w.mass());
    const double stopped = w.centre().x();
    w.run(*backend, 50, 0.004);
    EXPECT_NEAR(w.centre().x(), stopped, 3e-3);
  }
}

/// Thrown upwards from the floor: a separating one lets go without a pull, a slipping one holds.
TEST(Boundaries, ASeparatingFloorLetsLiftAndASlipFloorDoesNot) {
  for (const bool separates : {true, false}) {
    Walled w;
    const double h = w.model->gridSpacing;
    w.model->nodes.v.assign(w.model->nodes.x.size(), Vec3(0, 0, 1));
    for (Vec3& x : w.model->nodes.x) x.z() -= 0.5 * h;  // some nodes with mass stand inside
    w.add(separates ? BoundaryKind::Separate : BoundaryKind::Slip, shape::Plane{}, Pose{});
    w.particles = initialParticles(*w.model);
    const double start = w.centre().z();
    const int steps = separates ? 20 : 5;  // 20 ms: the pull has just run through the cube
    const double time = steps * 0.004, freely = (1 - 9.81 * time) * w.mass();
    w.run(*makeCpuBackend(w.model, 1), steps, 0.004);
    if (separates) {
      EXPECT_NEAR(w.centre().z() - start, time - 0.5 * 9.81 * time * time, 2e-3);
      EXPECT_LT(w.impulse[0].norm(), 1e-4 * w.mass());
    } else {
      EXPECT_LT(w.momentum().z(), 0.8 * freely);
      EXPECT_GT(w.impulse[0].z(), 0.2 * freely) << "it is pulled upwards";
    }
  }
}

/// A column in a corner of three separating walls: held in all directions, by what each wall says.
TEST(Boundaries, ACornerOfSeparatingWallsTakesThePushOfEachDirection) {
  Walled w;
  w.motion.gravity = {-4, -3, -9};
  w.model->deformables[0].apicDamping = 0;
  w.add(BoundaryKind::Separate, shape::Plane{}, Pose{});
  w.add(BoundaryKind::Separate, shape::Plane{}, Pose::fromRpy({0, M_PI / 2, 0}, Vec3::Zero()));
  w.add(BoundaryKind::Separate, shape::Plane{}, Pose::fromRpy({-M_PI / 2, 0, 0}, Vec3::Zero()));
  const auto backend = makeCpuBackend(w.model, 1);
  w.run(*backend, 200, 0.004);
  w.run(*backend, 100, 0.004);
  const Vec3 weight = w.mass() * w.motion.gravity * 0.4;
  EXPECT_LT((w.impulse[0] - Vec3(0, 0, weight.z())).norm(), 0.03 * weight.norm());
  EXPECT_LT((w.impulse[1] - Vec3(weight.x(), 0, 0)).norm(), 0.03 * weight.norm());
  EXPECT_LT((w.impulse[2] - Vec3(0, weight.y(), 0)).norm(), 0.03 * weight.norm());
}
