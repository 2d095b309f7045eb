// Sheets of cloth in both backends.
#include <gtest/gtest.h>

#include "engine/model/cloth.h"
#include "tests/engine/mpm/flying_sheet.h"
#include "tests/support/same_bits.h"

using namespace slipstick;
using namespace slipstick::mpm;
using slipstick::testing::FlyingSheet;
using slipstick::testing::largestDistance;
using slipstick::testing::sameBits;

namespace {

double energyOf(Backend& backend, const ParticleState& p) {
  backend.restore(p);
  const Totals totals = backend.facts().totals(Vec3::Zero());
  return totals.elasticEnergy + totals.kineticEnergy;
}

}  // namespace

TEST(ClothForces, VanishWhenTheSheetHasOnlyMovedRigidly) {
  const FlyingSheet sheet(9);
  ParticleState p = mpm::particlesAtStart(*sheet.model);
  const Pose X = Pose::fromRpy({1, -2, 0.5}, {0.3, 2, -1});
  for (Vec3& x : p.x) x = X * x;
  for (Mat3& F : p.F) F.col(2) = X.R * F.col(2);
  followVertices(sheet.model->deformables[0], p);
  ClothForces forces;
  computeClothForces(sheet.model->deformables[0], p, forces);
  for (const Vec3& f : forces.force) EXPECT_LT(f.norm(), 1e-11);
  for (const Vec3& c : forces.couple) EXPECT_LT(c.norm(), 1e-11);
}

TEST(ClothForces, AreTheGradientOfTheEnergyWithoutNetForceOrTorque) {
  const FlyingSheet sheet(5, 1, 1e-2);
  const Deformable& d = sheet.model->deformables[0];
  ParticleState p = sheet.crumpled(0.3);
  const auto backend = makeReferenceBackend(sheet.model);
  const auto energy = [&](const ParticleState& at) {
    backend->restore(at);
    return backend->facts().deformables[0].elasticEnergy;
  };
  ClothForces forces;
  computeClothForces(d, p, forces);
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  for (std::size_t v = 0; v < forces.force.size(); ++v) {
    sum += forces.force[v];
    torque += p.x[v].cross(forces.force[v]);
    constexpr double kStep = 1e-8;
    for (int a = 0; a < 3; ++a) {
      ParticleState moved = p;
      const auto energyAt = [&](double step) {
        moved.x[v](a) = p.x[v](a) + step;
        // Directors stay at rest relative to their triangles: r33 = 1 and no shear, so that only edges count.
        followVertices(d, moved);
        for (int t = 0; t < clothOf(d)->triangleCount(); ++t)
          moved.F[static_cast<std::size_t>(clothOf(d)->vertices + t)].col(2) =
              triangleNormal(*clothOf(d), t, moved.x.data());
        return energy(moved);
      };
      const double slope = (energyAt(kStep) - energyAt(-kStep)) / (2 * kStep);
      EXPECT_NEAR(forces.force[v](a), -slope, 1e-5 * (1 + forces.force[v].norm()));
    }
  }
  EXPECT_LT(sum.norm(), 1e-12);
  EXPECT_LT(torque.norm(), 1e-12);
}

TEST(ClothBackends, AgreeWhenASheetFallsOnABall) {
  FlyingSheet sheet(21, 12);
  sheet.addBall();
  sheet.model->solver.relativeTolerance = 1e-5;
  SoftOutcome fast, exact;
  const ParticleState start = mpm::particlesAtStart(*sheet.model);
  const ParticleState a = sheet.run(*makeCpuBackend(sheet.model, 1), start, 25, fast);
  const ParticleState b = sheet.run(*makeReferenceBackend(sheet.model), start, 25, exact);
  EXPECT_GT(exact.contacts.size(), 20u);
  EXPECT_LT(largestDistance(a.x, b.x), 3e-5);
  EXPECT_NEAR(fast.facts.deformables[0].elasticEnergy, exact.facts.deformables[0].elasticEnergy,
              2e-3 * exact.facts.deformables[0].elasticEnergy);
}

TEST(ClothBackends, AgreeWhenTheSheetIsSortedAnewWithinAStep) {
  FlyingSheet sheet(13, 60);
  for (Vec3& v : sheet.model->nodes.v) v += Vec3(-20, 12, 9);  // six cells and more
  SoftOutcome result;
  const ParticleState start = mpm::particlesAtStart(*sheet.model);
  const ParticleState a = sheet.run(*makeCpuBackend(sheet.model, 1), start, 1, result, 0.01);
  const ParticleState b = sheet.run(*makeReferenceBackend(sheet.model), start, 1, result, 0.01);
  EXPECT_GT((b.x[0] - start.x[0]).norm(), 10 * sheet.model->gridSpacing);
  EXPECT_LT(largestDistance(a.x, b.x), 3e-6);
  EXPECT_LT(largestDistance(a.v, b.v), 2e-3);
  for (std::size_t i = 0; i < a.F.size(); ++i) EXPECT_LT((a.F[i] - b.F[i]).norm(), 3e-4) << i;
}

TEST(ClothBackends, KeepMomentumOfACrumpledSheet) {
  const FlyingSheet sheet(17);
  const ParticleState start = sheet.crumpled(0.3);
  const Totals before = factsOf(*sheet.model, start).totals(Vec3::Zero());
  const auto reference = makeReferenceBackend(sheet.model), cpu = makeCpuBackend(sheet.model, 1);
  for (Backend* backend : {reference.get(), cpu.get()}) {
    SoftOutcome result;
    const ParticleState p = sheet.run(*backend, start, 10, result);
    const Totals after = factsOf(*sheet.model, p).totals(Vec3::Zero());
    const double rounding = backend == cpu.get() ? 2e-6 : 1e-13;
    EXPECT_LT((after.momentum - before.momentum).norm(), rounding * before.momentum.norm())
        << backend->name();
    // Setting centroids back between their corners shifts a quarter of the mass by little.
    EXPECT_LT((after.angularMomentum - before.angularMomentum).norm(), 1e-3 * before.angularMomentum.norm())
        << backend->name();
  }
}

TEST(ClothBackends, ACrumpledSheetGainsNoEnergy) {
  const FlyingSheet sheet(17, 20, 2e-4);
  const auto backend = makeReferenceBackend(sheet.model);
  ParticleState p = sheet.crumpled(0.3);
  const double start = energyOf(*backend, p);
  SoftOutcome result;
  double last = start;
  for (int i = 0; i < 20; ++i) {
    p = sheet.run(*backend, p, 1, result);
    const double now = energyOf(*backend, p);
    EXPECT_LT(now, last * (1 + 1e-3)) << i;
    last = now;
  }
  EXPECT_LT(last, 0.9 * start);  // the creases have smoothed out
}

TEST(ClothBackends, CentroidsStayBetweenTheirCornersAndVerticesCarryNoDeformation) {
  const FlyingSheet sheet(9);
  SoftOutcome result;
  for (const auto& backend : {makeReferenceBackend(sheet.model), makeCpuBackend(sheet.model, 1)})
    sheet.expectMeshFollowed(sheet.run(*backend, sheet.crumpled(0.2), 3, result), 1e-7, 1e-4);
}

/// A sheet stretched to 1.4 both ways within a frame keeps still at the edge of the elastic condition; with
/// the substeps of a sheet at rest its noise would grow without bound.
TEST(ClothBackends, KeepAStretchedSheetStableAtTheEdgeOfTheElasticCondition) {
  for (const bool fast : {false, true}) {
    FlyingSheet sheet(21);
    sheet.model->deformables[0].apicDamping = 0;
    sheet.model->time.cfl = 0.95;
    sheet.model->deformables[0].material.normalStiffness = 1e3;  // in-plane waves are the fastest
    ParticleState still = mpm::particlesAtStart(*sheet.model);
    std::mt19937 random(2);
    std::normal_distribution<double> noise(0, 1e-4);
    const int vertices = clothOf(sheet.model->deformables[0])->vertices;
    Vec3 centre = Vec3::Zero();
    for (int v = 0; v < vertices; ++v) centre += still.x[static_cast<std::size_t>(v)] / vertices;
    for (std::size_t i = 0; i < still.x.size(); ++i) {
      still.x[i] = 1.4 * (still.x[i] - centre);
      still.v[i] = Vec3(noise(random), noise(random), noise(random));
    }
    followVertices(sheet.model->deformables[0], still);
    const Mat3 R = Pose::fromRpy({0.4, 0.3, 0.2}, Vec3::Zero()).R;
    for (const double side : {-0.14, 0.14})
      for (const int axis : {0, 1}) {
        Vec3 size = Vec3::Ones();
        size(axis) = 0.06;
        const Pose X_WS{R, R.col(axis) * side};
        sheet.motion.boundaries.push_back({static_cast<int>(sheet.model->boundaries.size()), X_WS, {}});
        sheet.model->boundaries.push_back({"", BoundaryKind::Sticky, shape::Box{size}, X_WS, -1});
      }
    const double whole =
        sheet.model->time.cfl * sheet.model->gridSpacing / sheet.model->deformables[0].material.waveSpeed();
    const auto fastestAfter = [&](int substeps) {
      sheet.model->time.substeps = substeps;
      const auto backend = fast ? makeCpuBackend(sheet.model, 1) : makeReferenceBackend(sheet.model);
      ParticleState p = still;
      SoftOutcome result;
      double fastest = 0;
      for (int step = 0; step < 60 && fastest < 100; ++step) {
        slipstick::testing::advance(*backend, sheet.motion, 4 * whole, p, result);
        fastest = 0;
        for (const Vec3& v : p.v) fastest = std::max(fastest, v.norm());
      }
      return fastest;
    };
    EXPECT_LT(fastestAfter(0), 0.01);
    EXPECT_GT(fastestAfter(4), 1);
  }
}

/// What fills up the packs has no place on the mesh.
TEST(ClothCpuBackend, TheBoxIsThatOfVerticesAndCentroids) {
  FlyingSheet sheet(9);
  const auto backend = makeCpuBackend(sheet.model, 1);
  backend->restore(sheet.crumpled(0.3));
  SoftOutcome result;
  ParticleState p;
  for (int step = 0; step < 20; ++step) {
    backend->advance(sheet.motion, 0.004, result);
    backend->accept();
    backend->save(p);
    Vec3 lower = p.x[0], upper = p.x[0];
    for (const Vec3& x : p.x) {
      lower = lower.cwiseMin(x);
      upper = upper.cwiseMax(x);
    }
    EXPECT_EQ(backend->facts().deformables[0].lower, lower) << "step " << step;
    EXPECT_EQ(backend->facts().deformables[0].upper, upper) << "step " << step;
  }
}

TEST(ClothCpuBackend, GivesTheSameBitsForAnyNumberOfThreads) {
  FlyingSheet sheet(41, 16);  // 4881 particles: up to three threads are used
  sheet.addBall();
  SoftOutcome result;
  const ParticleState start = sheet.crumpled(0.2);
  const ParticleState expected = sheet.run(*makeCpuBackend(sheet.model, 1), start, 3, result);
  for (const int threads : {2, 3}) {
    const ParticleState p = sheet.run(*makeCpuBackend(sheet.model, threads), start, 3, result);
    EXPECT_TRUE(sameBits(p, expected)) << threads;
  }
}

TEST(ClothCpuBackend, KeepsNoMemoryBetweenSteps) {
  FlyingSheet sheet(13, 20);
  sheet.addBall();
  const auto used = makeCpuBackend(sheet.model, 1);
  SoftOutcome result;
  const ParticleState middle = sheet.run(*used, sheet.crumpled(0.2), 3, result);
  const ParticleState continued = sheet.run(*used, middle, 1, result);
  const ParticleState resumed = sheet.run(*makeCpuBackend(sheet.model, 1), middle, 1, result);
  EXPECT_TRUE(sameBits(continued, resumed));
}

TEST(ClothBackends, MeasureTheStressOfAUniformStretch) {
  const FlyingSheet sheet(9, 1, 0);
  const Deformable& d = sheet.model->deformables[0];
  ParticleState p = mpm::particlesAtStart(*sheet.model);
  constexpr double kStretch = 1.1;
  const Vec3 centre = p.x[40];  // the middle vertex of 9 × 9
  for (Vec3& x : p.x) x = centre + kStretch * (x - centre);
  followVertices(d, p);
  const double mu = d.material.mu(), lambda = d.material.lambda(), area = kStretch * kStretch;
  const double inPlane = 2 * mu * (kStretch - 1) * kStretch + lambda * (area - 1) * area;  // τ₁₁ = τ₂₂
  const double energy = 2 * mu * 0.1 * 0.1 + 0.5 * lambda * (area - 1) * (area - 1);
  for (const auto& backend : {makeReferenceBackend(sheet.model), makeCpuBackend(sheet.model, 2)}) {
    const SoftView m = slipstick::testing::look(*backend, p);
    for (std::size_t i = 0; i < p.x.size(); ++i) {
      EXPECT_NEAR(m.stress[i], inPlane, 1e-4 * inPlane);
      EXPECT_NEAR(m.pressure[i], -2 * inPlane / 3, 1e-4 * inPlane);
    }
    EXPECT_NEAR(backend->facts().deformables[0].elasticEnergy, energy * 0.08 * 0.08 * 1e-3, 1e-9 * energy);
  }
}

TEST(ClothSubsteps, FollowTheStiffestOfStretchNormalStiffnessAndBending) {
  const auto count = [](double E, double K, double D) {
    FlyingSheet sheet(9, 0, D);
    sheet.model->deformables[0].material.E = E;
    sheet.model->deformables[0].material.normalStiffness = K;
    return substepsByCfl(*sheet.model, 0.01, 0);
  };
  const int plain = count(1e5, 1e3, 0);
  EXPECT_GT(count(4e5, 1e3, 0), 1.9 * plain);
  EXPECT_GT(count(1e5, 1e6, 0), 2 * plain);
  EXPECT_GT(count(1e5, 1e3, 1e-3), 2 * plain);
}
