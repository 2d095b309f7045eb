// What every backend must report and refuse.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "engine/mpm/backend.h"
#include "tests/engine/mpm/reference_scene.h"
#include "tests/support/backend_calls.h"

using namespace slipstick;
using namespace slipstick::mpm;
using namespace slipstick::testing;

namespace {

using Maker = std::unique_ptr<Backend> (*)(std::shared_ptr<const Model>);

struct Named {
  const char* name;
  Maker make;
};

class EveryBackend : public ::testing::TestWithParam<Named> {
 protected:
  std::shared_ptr<Model> model = cubeModel(6, MaterialModel::HenckyVonMises);
  ParticleState particles = initialParticles(*model);
  StepInput motion;
  SoftOutcome result;

  void advance(double dt) {
    slipstick::testing::advance(*GetParam().make(model), motion, dt, particles, result);
  }
  void expectRefused(const ParticleState& before) const {
    EXPECT_TRUE(result.contacts.empty());
    for (const Wrench& w : result.wrenchImpulse) EXPECT_EQ(asVector(w).norm(), 0);
    for (std::size_t i = 1; i < before.x.size(); ++i) {
      EXPECT_EQ(particles.x[i], before.x[i]);
      EXPECT_EQ(particles.v[i], before.v[i]);
      EXPECT_EQ(particles.F[i], before.F[i]);
    }
  }
  double wholeStep() const { return 0.5 * model->gridSpacing / model->deformables[0].material.waveSpeed(); }
};

}  // namespace

TEST_P(EveryBackend, RefusesNumbersThatAreNotFiniteAndLeavesTheParticlesAlone) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    particles = initialParticles(*model);
    particles.F[0](1, 2) = bad;
    const ParticleState before = particles;
    advance(1e-4);
    EXPECT_TRUE(has(result.report.health, Health::NonFinite));
    expectRefused(before);
  }
}

TEST_P(EveryBackend, RefusesAStepThatOverflowsOnTheWay) {
  for (Vec3& v : particles.v) v.setConstant(1e30);
  const ParticleState before = particles;
  advance(1e-4);
  EXPECT_NE(result.report.health, 0u);
  expectRefused(before);
}

TEST_P(EveryBackend, ReportsParticlesOutsideTheDomain) {
  particles.x[0] = Vec3(1.1e4 * model->gridSpacing, 0, 0);
  const ParticleState before = particles;
  advance(1e-4);
  EXPECT_TRUE(has(result.report.health, Health::ParticlesOutside));
  EXPECT_FALSE(has(result.report.health, Health::NonFinite));
  expectRefused(before);
}

TEST_P(EveryBackend, HandlesFarApartAndNegativePositions) {
  particles.x[0] = Vec3(-900, 3, 5) * model->gridSpacing;
  particles.x[1] = Vec3(4000, -7000, -2.5) * model->gridSpacing;
  advance(1e-4);
  EXPECT_EQ(result.report.health, 0u);
  EXPECT_LT(result.report.activeNodes, 2000);
}

TEST_P(EveryBackend, SaysWhenAGivenNumberOfSubstepsBreaksTheElasticCondition) {
  advance(0.99 * wholeStep());
  EXPECT_FALSE(has(result.report.health, Health::CflExceeded));
  advance(1.5 * wholeStep());
  EXPECT_TRUE(has(result.report.health, Health::CflExceeded));
}

TEST_P(EveryBackend, SaysWhenAGivenNumberOfSubstepsBreaksTheAdvectionCondition) {
  const double dt = 0.5 * wholeStep();
  for (Vec3& v : particles.v) v = Vec3(0.6 * model->gridSpacing / dt, 0, 0);
  advance(dt);
  EXPECT_TRUE(has(result.report.health, Health::CflExceeded));
}

TEST_P(EveryBackend, TakesAsManySubstepsAsBothConditionsNeedWhenAutomatic) {
  model->time.substeps = 0;
  advance(6.5 * wholeStep());
  EXPECT_EQ(result.report.substeps, 7);
  EXPECT_EQ(result.report.health, 0u);
  const double dt = 0.5 * wholeStep();
  for (Vec3& v : particles.v) v = Vec3(2.2 * model->gridSpacing / dt, 0, 0);
  advance(dt);
  EXPECT_EQ(result.report.substeps, 5);
  EXPECT_EQ(result.report.health, 0u);
}

TEST_P(EveryBackend, ViscosityDecidesTheSubstepsOfAThickLiquid) {
  MaterialParameters& honey = model->deformables[0].material;
  honey.model = MaterialModel::Liquid;
  honey.viscosity = 2000;
  particles = initialParticles(*model);
  const double whole =
      model->time.cfl * honey.density * model->gridSpacing * model->gridSpacing / (4 * honey.viscosity);
  ASSERT_LT(whole, wholeStep());
  model->time.substeps = 0;
  advance(6.5 * whole);
  EXPECT_EQ(result.report.substeps, 7);
  model->time.substeps = 6;
  advance(6.5 * whole);
  EXPECT_TRUE(has(result.report.health, Health::CflExceeded));
}

/// A particle alone is what explicit viscosity makes unstable first.
TEST_P(EveryBackend, ALonelyDropOfAThickLiquidStopsShearing) {
  model = cubeModel(1, MaterialModel::Liquid);
  model->deformables[0].material.viscosity = 2000;
  model->time.substeps = 0;
  model->time.cfl = 0.9;  // 1.8 of the gradient go in a substep: it swings, and dies away
  particles = initialParticles(*model);
  particles.C[0] << 0, 3, 0, 3, 0, 0, 0, 0, 0;
  double shear = particles.C[0].norm();
  for (int step = 0; step < 20; ++step) {
    advance(1e-3);
    EXPECT_LE(particles.C[0].norm(), shear * (1 + 1e-5) + 1e-12);
    shear = particles.C[0].norm();
  }
  EXPECT_LT(shear, 0.1);
}

TEST_P(EveryBackend, CompactedSnowAndLiquidNeedMoreSubsteps) {
  MaterialParameters& material = model->deformables[0].material;
  model->time.substeps = 0;
  material.model = MaterialModel::Snow;
  particles = initialParticles(*model);
  particles.internal[5].x() = 0.8;  // e^{10 · 0.2} times as stiff
  advance(6.5 * wholeStep());
  EXPECT_EQ(result.report.substeps, std::ceil(6.5 * std::exp(1)));
  material.model = MaterialModel::Liquid;
  particles = initialParticles(*model);
  particles.F[5] *= 0.9;  // c² grows by 0.9^{−18}
  advance(6.5 * wholeStep());
  EXPECT_EQ(result.report.substeps, std::ceil(6.5 * std::pow(0.9, -9)));
}

TEST_P(EveryBackend, ASqueezedSolidNeedsMoreSubsteps) {
  model->time.substeps = 0;
  particles.F[5] = Vec3(0.4, 1, 0.9).asDiagonal();
  const ParticleState before = particles;
  const MaterialParameters& m = model->deformables[0].material;
  const double squared =
      (2 * m.mu() * (1 - std::log(0.4)) + m.lambda() * (1 - std::log(0.36))) / (2 * m.mu() + m.lambda());
  advance(6.5 * wholeStep());
  EXPECT_EQ(result.report.substeps, std::ceil(6.5 * std::sqrt(squared)));
  model->time.substeps = result.report.substeps - 1;
  particles = before;
  advance(6.5 * wholeStep());
  EXPECT_TRUE(has(result.report.health, Health::CflExceeded));
}

/// A block squeezed to 0.4 of its edges between slippery walls keeps still, whatever C < 1 the scene asks
/// for; with the substeps of the material at rest its noise would grow without bound.
TEST_P(EveryBackend, ASqueezedBlockIsStableAtTheEdgeOfTheElasticCondition) {
  model = cubeModel(8, MaterialModel::NeoHookean);
  model->deformables[0].material.nu = 0.45;
  model->time.cfl = 0.95;
  const double h = model->gridSpacing;
  const auto wall = [&](const Vec3& rpy, const Vec3& at) {
    const Pose X_WS = Pose::fromRpy(rpy, at);
    motion.boundaries.push_back({static_cast<int>(model->boundaries.size()), X_WS, {}});
    model->boundaries.push_back({"", BoundaryKind::Slip, shape::Plane{}, X_WS, -1});
  };
  const double quarter = std::numbers::pi / 2;
  wall({0, 0, 0}, {0, 0, 0});
  wall({2 * quarter, 0, 0}, {0, 0, 4 * h});
  wall({-quarter, 0, 0}, {0, 0, 0});
  wall({quarter, 0, 0}, {0, 4 * h, 0});
  wall({0, quarter, 0}, {0, 0, 0});
  wall({0, -quarter, 0}, {4 * h, 0, 0});
  const auto fastestAfter = [&](int substeps) {
    model->time.substeps = substeps;
    particles = initialParticles(*model);
    std::mt19937 random(3);
    std::normal_distribution<double> noise(0, 1e-3);
    for (std::size_t i = 0; i < particles.x.size(); ++i) {
      particles.F[i] = 0.4 * Mat3::Identity();
      particles.v[i] = Vec3(noise(random), noise(random), noise(random));
    }
    double fastest = 0;
    for (int step = 0; step < 40; ++step) {
      advance(4 * 1.9 * wholeStep());
      fastest = 0;
      for (const Vec3& v : particles.v) fastest = std::max(fastest, v.norm());
    }
    return fastest;
  };
  EXPECT_LT(fastestAfter(0), 1);
  EXPECT_GT(fastestAfter(4), 10);  // N of the material at rest
}

TEST_P(EveryBackend, SplitsFurtherWhenParticlesSpeedUpWithinAnAutomaticStep) {
  model->time.substeps = 0;
  motion.gravity = {0, 0, -2000};  // falls 0.4 m in one step of ten cells' worth
  advance(0.02);
  const int planned = substepsByCfl(*model, 0.02, 0);
  EXPECT_GT(result.report.substeps, planned);
  EXPECT_FALSE(has(result.report.health, Health::CflExceeded));
}

TEST_P(EveryBackend, AUniformVelocityIsCarriedWithoutStrain) {
  for (Vec3& v : particles.v) v = Vec3(0.3, -0.2, 0.1);
  model->time.substeps = 10;
  advance(5 * wholeStep());
  for (std::size_t i = 0; i < particles.x.size(); ++i) {
    EXPECT_LT((particles.v[i] - Vec3(0.3, -0.2, 0.1)).norm(), 1e-5);
    EXPECT_LT((particles.F[i] - Mat3::Identity()).norm(), 1e-5);
    EXPECT_LT(particles.C[i].norm(), 1e-3);
  }
}

TEST_P(EveryBackend, DisabledPairsDoNotTouch) {
  Geometry box;
  box.shape = shape::Box{Vec3::Constant(1)};
  model->geometries.push_back(box);
  model->contactLaws.push_back({false, 0.5, 1e3, 0});
  motion.bodies.push_back({});
  motion.laws = model->contactLaws;
  advance(1e-4);
  EXPECT_TRUE(result.contacts.empty());
  motion.laws[0].enabled = true;
  advance(1e-4);
  EXPECT_EQ(result.contacts.size(), particles.x.size());
}

TEST_P(EveryBackend, ContactsThatEndWithinAStepAreNotThereAtItsEnd) {
  Geometry plane;
  plane.shape = shape::Plane{};
  plane.X_BG = Pose::translation({0, 0, particles.x[0].z() + 1e-4});
  model->geometries.push_back(plane);
  model->contactLaws.push_back({true, 0.5, 1e3, 0.2});
  motion.bodies.push_back({});
  motion.laws = model->contactLaws;
  model->time.substeps = 8;
  for (Vec3& v : particles.v) v.z() = 0.5;
  advance(4 * wholeStep());
  EXPECT_FALSE(result.contacts.empty());
  EXPECT_EQ(result.report.contacts, 0);
  EXPECT_EQ(result.potential, 0);
}

TEST_P(EveryBackend, AStateThatCannotBeSteppedCanBeLookedAt) {
  particles.x[0].x() = std::numeric_limits<double>::quiet_NaN();
  const auto backend = GetParam().make(model);
  const SoftView view = slipstick::testing::look(*backend, particles);
  EXPECT_EQ(view.x.size(), particles.x.size());
  EXPECT_EQ(view.stress.size(), particles.x.size());
  EXPECT_EQ(view.pressure.size(), particles.x.size());
}

TEST_P(EveryBackend, ContactSumsAddUpToTheWrenchOverManySubsteps) {
  Geometry plane;
  plane.shape = shape::Plane{};
  plane.X_BG = Pose::translation({0, 0, 0.01});
  model->geometries.push_back(plane);
  model->contactLaws.push_back({true, 0.5, 1e3, 0.2});
  motion.bodies.push_back({Pose::translation({0.3, 0.1, -0.2}), Velocity{{0, 0, 3}, {0.1, 0, 0.2}}});
  motion.bodies[0].X_WB.p.z() = 0.01;
  motion.laws = model->contactLaws;
  model->time.substeps = 8;
  advance(4 * wholeStep());
  ASSERT_FALSE(result.contacts.empty());
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < result.contacts.size(); ++i) {
    const TouchImpulse& c = result.contacts[i];
    sum -= c.impulse;
    EXPECT_LE((c.impulse - c.impulse.dot(c.normal) * c.normal).norm(), c.frictionBound * (1 + 1e-5) + 1e-12);
    if (i > 0) {
      EXPECT_LT(result.contacts[i - 1].particle, c.particle);
    }
  }
  sum += result.remainderImpulse[0].force;
  EXPECT_LT((sum - result.wrenchImpulse[0].force).norm(), 1e-6 * sum.norm());
  EXPECT_LT(result.report.momentumError, 1e-5);
  EXPECT_GT(result.report.contactIterationsMax, 0);
}

INSTANTIATE_TEST_SUITE_P(Backends, EveryBackend,
                         ::testing::Values(Named{"reference", makeReferenceBackend},
                                           Named{"cpu",
                                                 [](std::shared_ptr<const Model> m) {
                                                   return makeCpuBackend(std::move(m), 1);
                                                 }}),
                         [](const auto& backend) { return std::string(backend.param.name); });
