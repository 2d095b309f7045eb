#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "engine/mpm/backend.h"
#include "tests/engine/mpm/impact_scene.h"
#include "tests/engine/mpm/json_values.h"
#include "tests/engine/mpm/reference_noise.h"
#include "tests/engine/mpm/reference_scene.h"
#include "tests/support/backend_calls.h"
#include "tests/support/same_bits.h"
#include "tests/support/test_paths.h"

using namespace slipstick;
using namespace slipstick::mpm;
using namespace slipstick::testing;

namespace {

std::unique_ptr<Backend> oneThread(std::shared_ptr<const Model> model) {
  return makeCpuBackend(std::move(model), 1);
}

class CpuBackendMaterials : public ::testing::TestWithParam<int> {};

}  // namespace

TEST(CpuBackend, StaysWithinFloatNoiseOfTheReferenceInFreeMotion) {
  EXPECT_EQ(expectScenesWithinNoise("mpm/free_motion.json", oneThread), 13);
}

TEST(CpuBackend, StaysWithinFloatNoiseOfTheReferenceInContact) {
  EXPECT_EQ(expectScenesWithinNoise("mpm/contact_substeps.json", oneThread), 11);
}

TEST(CpuBackend, StaysWithinFloatNoiseOfTheReferenceCoupledBothWays) {
  EXPECT_EQ(expectScenesWithinNoise("mpm/async_two_way.json", oneThread), 2);
}

TEST(CpuBackend, AStepStartsItsContactsFromTheImpulsesOfTheLast) {
  Impact impact(MaterialModel::FixedCorotated, 8), one(MaterialModel::FixedCorotated, 8, 1);
  for (Impact* i : {&impact, &one}) {  // lies in the box and is pressed out
    for (Vec3& v : i->model->nodes.v) v = {0, 0, -0.2};
    i->motion.bodies[0].V_WB = {};
  }
  one.model->solver.relativeTolerance = 1e-4;
  for (const bool reference : {false, true}) {
    SCOPED_TRACE(reference);
    const auto make = [&](const Impact& i) {
      return reference ? makeReferenceBackend(i.model) : makeCpuBackend(i.model, 1);
    };
    SoftOutcome result;
    const ParticleState warm = impact.run(*make(impact), 2, result);
    ASSERT_FALSE(warm.contacts.empty());
    ParticleState cold = warm;
    cold.contacts.clear();
    const auto substepFrom = [&](ParticleState p) {
      slipstick::testing::advance(*make(one), impact.motion, 0.0004, p, result);
      return result.report.contactIterationsMax;
    };
    const int fromWarm = substepFrom(warm), fromCold = substepFrom(cold);
    EXPECT_LT(fromWarm, fromCold);
    EXPECT_NE(hashOf(warm), hashOf(cold));
  }
}

/// With many substeps per step: particles cross blocks and are sorted anew in between.
TEST_P(CpuBackendMaterials, AgreesWithTheReferenceBackendOverStepsOfManySubsteps) {
  const Impact impact(static_cast<MaterialModel>(GetParam()), 8);
  impact.model->solver.relativeTolerance = 1e-5;
  SoftOutcome fast, exact;
  const ParticleState a = impact.run(*makeCpuBackend(impact.model, 1), 4, fast);
  const ParticleState b = impact.run(*makeReferenceBackend(impact.model), 4, exact);
  double worst = 0, plastic = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) {
    worst = std::max(worst, (a.x[i] - b.x[i]).norm());
    plastic = std::max(plastic, std::abs(a.plastic[i] - b.plastic[i]));
  }
  EXPECT_LT(worst, 2e-5);
  EXPECT_LT(plastic, 2e-3);
  ASSERT_GT(exact.wrenchImpulse[0].force.norm(), 0);
  EXPECT_LT((fast.wrenchImpulse[0].force - exact.wrenchImpulse[0].force).norm(),
            2e-3 * exact.wrenchImpulse[0].force.norm());
  EXPECT_NEAR(fast.report.activeNodes, exact.report.activeNodes, 0.02 * exact.report.activeNodes);
}
INSTANTIATE_TEST_SUITE_P(Materials, CpuBackendMaterials, ::testing::Range(0, kPointMaterials),
                         [](const auto& m) {
                           return std::string(kMaterialNames[static_cast<std::size_t>(m.param)]);
                         });

TEST(CpuBackend, SortsAnewWhenParticlesLeaveTheirTilesWithinAStep) {
  const auto model = cubeModel(8, MaterialModel::NeoHookean);
  model->time.substeps = 40;
  for (std::size_t i = 0; i < model->nodes.x.size(); ++i)  // flies six cells and turns
    model->nodes.v[i] = Vec3(-24, 12, 9) + Vec3(2, 3, -4).cross(model->nodes.x[i]);
  ParticleState fast = initialParticles(*model), exact = fast;
  SoftOutcome result;
  slipstick::testing::advance(*makeCpuBackend(model, 1), {}, 0.01, fast, result);
  EXPECT_EQ(result.report.health, 0u);
  slipstick::testing::advance(*makeReferenceBackend(model), {}, 0.01, exact, result);
  for (std::size_t i = 0; i < fast.x.size(); ++i) {
    EXPECT_LT((fast.x[i] - exact.x[i]).norm(), 5e-6);
    EXPECT_LT((fast.v[i] - exact.v[i]).norm(), 5e-4);
    EXPECT_LT((fast.F[i] - exact.F[i]).norm(), 1e-4);
  }
}

TEST(CpuBackend, GivesTheSameBitsForAnyNumberOfThreads) {
  const Impact impact(MaterialModel::HenckyVonMises, 20);  // 8000 particles: up to five threads are used
  SoftOutcome one, other;
  const ParticleState expected = impact.run(*makeCpuBackend(impact.model, 1), 3, one);
  ASSERT_FALSE(one.contacts.empty());
  for (const int threads : {2, 3}) {
    const ParticleState p = impact.run(*makeCpuBackend(impact.model, threads), 3, other);
    EXPECT_TRUE(sameBits(p, expected)) << threads;
    ASSERT_EQ(other.contacts.size(), one.contacts.size());
    EXPECT_EQ(std::memcmp(&other.wrenchImpulse[0], &one.wrenchImpulse[0], sizeof(Wrench)), 0);
  }
}

/// The rigid velocity is that of t_n; the shapes move with it from substep to substep.
TEST(MovingGeometry, ManySubstepsAreManyStepsOfABodyThatKeepsItsVelocity) {
  constexpr int kSubsteps = 20;
  constexpr double kStep = 0.008;
  const auto deviation = [&](auto makeBackend, SubstepGeometry geometry) {
    const Impact coarse(MaterialModel::NeoHookean, 8, kSubsteps), fine(MaterialModel::NeoHookean, 8, 1);
    for (const Impact* impact : {&coarse, &fine}) impact->model->solver.relativeTolerance = 1e-6;
    coarse.model->solver.geometry = geometry;
    ParticleState a = initialParticles(*coarse.model), b = a;
    SoftOutcome result;
    slipstick::testing::advance(*makeBackend(coarse.model), coarse.motion, kStep, a, result);
    StepInput motion = fine.motion;
    const auto backend = makeBackend(fine.model);
    Vec3 impulse = Vec3::Zero();
    for (int i = 0; i < kSubsteps; ++i) {
      StepInput::BodyMotion& body = motion.bodies[0];
      const double elapsed = i * kStep / kSubsteps, angle = elapsed * body.V_WB.w.norm();
      body.X_WB.p = elapsed * body.V_WB.v;
      body.X_WB.R = Eigen::AngleAxisd(angle, body.V_WB.w.normalized()).toRotationMatrix();
      SoftOutcome part;
      slipstick::testing::advance(*backend, motion, kStep / kSubsteps, b, part);
      impulse += part.wrenchImpulse[0].force;
    }
    double worst = 0;
    for (std::size_t i = 0; i < a.x.size(); ++i) worst = std::max(worst, (a.x[i] - b.x[i]).norm());
    EXPECT_GT(impulse.norm(), 0.1);
    return std::max(worst / 0.01, (result.wrenchImpulse[0].force - impulse).norm() / impulse.norm());
  };
  const auto cpu = [](const auto& model) { return makeCpuBackend(model, 1); };
  EXPECT_LT(deviation(makeReferenceBackend, SubstepGeometry::Moving), 1e-4);
  EXPECT_LT(deviation(cpu, SubstepGeometry::Moving), 1e-3);
  EXPECT_GT(deviation(makeReferenceBackend, SubstepGeometry::Frozen), 0.1);
  EXPECT_GT(deviation(cpu, SubstepGeometry::Frozen), 0.1);
}

TEST(CpuBackend, KeepsNoMemoryBetweenSteps) {
  const Impact impact(MaterialModel::LinearCorotatedVonMises, 8);
  const auto used = makeCpuBackend(impact.model, 1);
  SoftOutcome result;
  const ParticleState middle = impact.run(*used, 2, result);
  ParticleState continued = middle, resumed = middle;
  slipstick::testing::advance(*used, impact.motion, 0.008, continued, result);
  slipstick::testing::advance(*makeCpuBackend(impact.model, 1), impact.motion, 0.008, resumed, result);
  EXPECT_TRUE(sameBits(continued, resumed));
}

TEST(CpuBackend, SavesExactlyWhatItGoesOnWith) {
  const Impact impact(MaterialModel::HenckyVonMises, 6);
  const auto whole = makeCpuBackend(impact.model, 1), restored = makeCpuBackend(impact.model, 2);
  whole->restore(mpm::particlesAtStart(*impact.model));
  SoftOutcome result;
  ParticleState saved, again;
  for (int step = 0; step < 8; ++step) {
    whole->save(saved);
    restored->restore(saved);
    restored->save(again);
    EXPECT_TRUE(sameBits(saved, again)) << "step " << step;
    EXPECT_EQ(whole->facts().hash, hashOf(saved));
    EXPECT_EQ(restored->facts().hash, hashOf(saved));
    for (const auto& backend : {whole.get(), restored.get()}) {
      backend->advance(impact.motion, 0.008, result);
      backend->accept();
    }
    EXPECT_EQ(whole->facts().hash, restored->facts().hash) << "step " << step;
  }
}

TEST(CpuBackend, RefusedStepsLeaveTheLiveParticlesAlone) {
  const Impact impact(MaterialModel::HenckyVonMises, 6);
  impact.model->time.substeps = 1;  // far too few
  const auto backend = makeCpuBackend(impact.model, 1);
  backend->restore(mpm::particlesAtStart(*impact.model));
  SoftOutcome result;
  ParticleState before, after;
  HealthFlags health = 0;
  for (int step = 0; step < 1000 && !refused(health); ++step) {
    backend->save(before);
    backend->advance(impact.motion, 0.05, result);
    health = result.report.health;
    if (!refused(health)) backend->accept();
  }
  ASSERT_TRUE(refused(health));
  backend->save(after);
  EXPECT_TRUE(sameBits(before, after));
}

/// The distance that one free particle has gone, from 10 m off the origin.
Vec3 creep(Backend& backend, const Model& model, const Vec3& velocity, int substeps, double dt) {
  ParticleState start = mpm::particlesAtStart(model), end;
  start.x[0] = Vec3(10, -7, 3) + 0.1 * Vec3(1, 2, 3) * model.gridSpacing;
  start.v[0] = velocity;
  backend.restore(start);
  backend.save(start);
  SoftOutcome result;
  for (int i = 0; i < substeps; ++i) {
    backend.advance({}, dt, result);
    backend.accept();
  }
  backend.save(end);
  return end.x[0] - start.x[0];
}

TEST(Backends, MoveParticlesThatCreepFarFromTheOrigin) {
  auto model = std::make_shared<Model>();
  model->gridSpacing = 0.02;
  model->time.substeps = 1;
  Deformable d;
  d.material.model = MaterialModel::NeoHookean;
  d.end = 1;
  model->deformables.push_back(d);
  model->nodes = {{Vec3::Zero()}, {Vec3::Zero()}, {Mat3::Zero()}, {1e-3}, {1e-6}};
  const Vec3 velocity(1e-5, -1e-5, 0.7e-5);
  constexpr double kDt = 1e-5;
  for (const auto& backend : {makeReferenceBackend(model), makeCpuBackend(model, 1)})
    for (const int substeps : {1, 1000}) {
      const Vec3 gone = creep(*backend, *model, velocity, substeps, kDt),
                 expected = substeps * kDt * velocity;
      EXPECT_LT((gone - expected).norm(), 0.01 * expected.norm())
          << backend->name() << ", " << substeps << " substeps: " << gone.transpose();
    }
}

TEST(CpuBackend, MeasuresTheStressAndEnergyOfTheReference) {
  for (int m = 0; m < kPointMaterials; ++m) {
    const Impact impact(static_cast<MaterialModel>(m), 7);  // 343: the last pack is not full
    impact.model->deformables[0].material.viscosity = 5;
    SoftOutcome result;
    ParticleState p = impact.run(*makeReferenceBackend(impact.model), 3, result);
    for (Mat3& F : p.F) F = Vec3(0.99, 0.985, 0.995).asDiagonal() * F;  // sand in flight has no stress
    const auto cpu = makeCpuBackend(impact.model, 1), reference = makeReferenceBackend(impact.model);
    const SoftView fast = slipstick::testing::look(*cpu, p), exact = slipstick::testing::look(*reference, p);
    const float largestStress = *std::max_element(exact.stress.begin(), exact.stress.end());
    const float largestPressure = *std::max_element(exact.pressure.begin(), exact.pressure.end());
    EXPECT_GT(largestStress, 100);
    EXPECT_GT(largestPressure, 100);
    for (std::size_t i = 0; i < exact.stress.size(); ++i) {
      EXPECT_NEAR(fast.stress[i], exact.stress[i], 1e-2 + 1e-3 * largestStress);
      EXPECT_NEAR(fast.pressure[i], exact.pressure[i], 1e-2 + 1e-3 * largestPressure);
    }
    const double energy = reference->facts().deformables[0].elasticEnergy;
    EXPECT_NEAR(cpu->facts().deformables[0].elasticEnergy, energy, 1e-3 * energy) << m;
  }
}
