#include "gpu/host_backend.h"

#include <gtest/gtest.h>

#include <functional>

#include "gpu/device_backend.h"

#include "tests/engine/mpm/impact_scene.h"
#include "tests/engine/mpm/reference_noise.h"
#include "tests/engine/mpm/walled.h"

using namespace slipstick;
using namespace slipstick::testing;

namespace {

std::unique_ptr<mpm::Backend> onHost(std::shared_ptr<const Model> model) {
  return std::move(gpu::makeHostBackend(std::move(model))).value();
}


}  // namespace

TEST(HostBackend, StaysWithinFloatNoiseOfTheReferenceInFreeMotion) {
  EXPECT_EQ(expectScenesWithinNoise("mpm/free_motion.json", onHost), 13);
}

TEST(HostBackend, StaysWithinFloatNoiseOfTheReferenceInContact) {
  EXPECT_EQ(expectScenesWithinNoise("mpm/contact_substeps.json", onHost), 11);
}

TEST(HostBackend, StaysWithinFloatNoiseOfTheReferenceCoupledBothWays) {
  EXPECT_EQ(expectScenesWithinNoise("mpm/async_two_way.json", onHost), 2);
}

/// The backend with its executor at hand.
struct Watched {
  gpu::DeviceBackend<gpu::HostExecutor> backend;

  explicit Watched(const Impact& impact, const gpu::HostExecutor::Settings& settings = {})
      : backend(impact.model, std::make_unique<gpu::HostExecutor>(settings)) {
    backend.restore(initialParticles(*impact.model));
  }
  mpm::StepResult step(const Impact& impact, double dt = 0.008) {
    mpm::StepResult result;
    backend.advance(impact.motion, dt, result);
    backend.accept();
    return result;
  }
};

TEST(HostBackend, GivesTheSameBitsInWhateverOrderThreadsRun) {
  const Impact impact(MaterialModel::NeoHookean, 8);
  std::uint64_t hash = 0;
  for (std::uint64_t seed = 0; seed <= 10; ++seed) {
    gpu::HostExecutor::Settings settings;
    settings.seed = seed;
    Watched watched(impact, settings);
    for (int i = 0; i < 2; ++i) watched.step(impact);
    if (seed == 0) hash = watched.backend.facts().hash;
    EXPECT_EQ(watched.backend.facts().hash, hash) << seed;
  }
  EXPECT_NE(hash, 0u);
}

TEST(HostBackend, StepsOnDevicesWhoseBlocksHaveLessMemory) {
  const Impact impact(MaterialModel::NeoHookean, 8);
  std::uint64_t hash = 0;
  for (const std::size_t kibibytes : {227, 163, 99}) {
    gpu::HostExecutor::Settings settings;
    settings.blockSharedBytes = kibibytes << 10;
    Watched watched(impact, settings);
    watched.step(impact);
    EXPECT_FALSE(watched.step(impact).contacts.empty());
    if (hash == 0) hash = watched.backend.facts().hash;
    EXPECT_EQ(watched.backend.facts().hash, hash) << "few contacts: a block solves them";
  }
}

TEST(HostBackend, RestoringWhatItSavedChangesNothing) {
  const Impact impact(MaterialModel::DruckerPrager, 8);
  Watched live(impact), other(impact);
  for (int i = 0; i < 2; ++i) live.step(impact);
  ParticleState saved;
  live.backend.save(saved);
  EXPECT_FALSE(saved.contacts.empty());
  other.backend.restore(saved);
  EXPECT_EQ(other.backend.facts().hash, live.backend.facts().hash);
  EXPECT_EQ(hashOf(saved), live.backend.facts().hash);
  live.step(impact), other.step(impact);
  EXPECT_EQ(other.backend.facts().hash, live.backend.facts().hash);
}

TEST(HostBackend, AgreesWithTheReferenceBackendOverStepsOfManySubsteps) {
  for (const MaterialModel material :
       {MaterialModel::NeoHookean, MaterialModel::HenckyVonMises, MaterialModel::Snow}) {
    SCOPED_TRACE(static_cast<int>(material));
    const Impact impact(material, 8);
    impact.model->solver.relativeTolerance = 1e-5;
    mpm::StepResult fast, exact;
    const ParticleState a = impact.run(*onHost(impact.model), 4, fast);
    const ParticleState b = impact.run(*mpm::makeReferenceBackend(impact.model), 4, exact);
    double worst = 0;
    for (std::size_t i = 0; i < a.x.size(); ++i) worst = std::max(worst, (a.x[i] - b.x[i]).norm());
    EXPECT_LT(worst, 2e-5);  // as for the CPU's lanes
    ASSERT_GT(exact.wrenchImpulse[0].force.norm(), 0);
    EXPECT_LT((fast.wrenchImpulse[0].force - exact.wrenchImpulse[0].force).norm(),
              2e-3 * exact.wrenchImpulse[0].force.norm());
    EXPECT_NEAR(fast.report.activeNodes, exact.report.activeNodes, 0.02 * exact.report.activeNodes);
  }
}

TEST(HostBackend, SortsAnewWhenParticlesLeaveTheirTilesWithinAStep) {
  const auto model = cubeModel(8, MaterialModel::NeoHookean);
  model->time.substeps = 40;
  for (std::size_t i = 0; i < model->particles.x.size(); ++i)  // flies six cells and turns
    model->particles.v[i] = Vec3(-24, 12, 9) + Vec3(2, 3, -4).cross(model->particles.x[i]);
  ParticleState fast = initialParticles(*model), exact = fast;
  mpm::StepResult result;
  slipstick::testing::advance(*onHost(model), {}, 0.01, fast, result);
  EXPECT_EQ(result.report.health, 0u);
  slipstick::testing::advance(*mpm::makeReferenceBackend(model), {}, 0.01, exact, result);
  for (std::size_t i = 0; i < fast.x.size(); ++i) EXPECT_LT((fast.x[i] - exact.x[i]).norm(), 2e-5) << i;
}

/// Some steps, and then the next one again and again.
void expectOneCopyEachWay(const std::shared_ptr<Model>& model, const mpm::StepInput& motion) {
  gpu::DeviceBackend<gpu::HostExecutor> backend(model, std::make_unique<gpu::HostExecutor>());
  backend.restore(initialParticles(*model));
  mpm::StepResult result;
  for (int i = 0; i < 3; ++i) {
    backend.advance(motion, 0.008, result);
    backend.accept();
  }
  backend.advance(motion, 0.008, result);
  ASSERT_EQ(result.report.health, 0u);
  ASSERT_GT(result.contacts.size(), 0u);
  const gpu::ExecutorCounts before = backend.executor().counts();
  for (int i = 0; i < 3; ++i) backend.advance(motion, 0.008, result);
  const gpu::ExecutorCounts after = backend.executor().counts();
  EXPECT_EQ(after.allocations, before.allocations);
  EXPECT_EQ(after.graphs, before.graphs);
  EXPECT_EQ(after.uploads - before.uploads, 3);
  EXPECT_EQ(after.downloads - before.downloads, 3);
}

/// A step is one upload of what moves, one graph, one read-back, and nothing else.
TEST(HostBackend, AllocatesNothingAndCopiesOnceEachWayInASteadyStep) {
  const Impact impact(MaterialModel::NeoHookean, 8);
  expectOneCopyEachWay(impact.model, impact.motion);
  Walled course = obstacleCourse(6);
  expectOneCopyEachWay(course.model, course.motion);
}

TEST(HostBackend, RestoresStatesWithAnyNumberOfContacts) {
  const Impact impact(MaterialModel::NeoHookean, 8);
  Watched used(impact);
  for (const int contacts : {300, 500}) {
    ParticleState state = initialParticles(*impact.model), saved;
    for (int p = 0; p < contacts; ++p) state.contacts.push_back({p, 0, 0x1p-30 * Vec3(p, 1, -2)});
    used.backend.restore(state);
    used.backend.save(saved);
    ASSERT_EQ(saved.contacts.size(), state.contacts.size());
    EXPECT_EQ(saved.contacts.back().impulse, state.contacts.back().impulse);
    EXPECT_EQ(hashOf(saved), used.backend.facts().hash);
    Watched fresh(impact);
    fresh.backend.restore(state);
    EXPECT_EQ(fresh.step(impact).facts.hash, used.step(impact).facts.hash);
  }
}

void expectDeviceFailure(const std::function<void()>& call) {
  try {
    call();
    FAIL() << "must not succeed";
  } catch (const gpu::DeviceError& error) {
    EXPECT_EQ(error.error().code, ErrorCode::DeviceFailure);
    EXPECT_NE(error.error().remedy.find("cpu"), std::string::npos) << error.what();
  }
}

/// The state before is still there: another backend goes on from it.
TEST(HostBackend, WithoutMemoryAStepFailsAndLeavesTheStateAsItWas) {
  const Impact impact(MaterialModel::NeoHookean, 8);
  Watched watched(impact);
  watched.step(impact);
  ParticleState before, after;
  watched.backend.save(before);
  gpu::HostExecutor::Settings settings;
  settings.failingAllocation = watched.backend.executor().counts().allocations;
  watched.backend.executor().configure(settings);
  impact.model->time.substeps = 60;  // needs a longer log
  mpm::StepResult result;
  expectDeviceFailure([&] { watched.backend.advance(impact.motion, 0.008, result); });
  watched.backend.save(after);
  EXPECT_EQ(hashOf(before), hashOf(after));
  const auto cpu = mpm::makeCpuBackend(impact.model, 1);
  cpu->restore(after);
  cpu->advance(impact.motion, 0.008, result);
  EXPECT_EQ(result.report.health, 0u);

  watched.backend.executor().configure({});  // somebody has closed another program
  impact.model->time.substeps = 20;
  Watched undisturbed(impact);
  undisturbed.step(impact);
  EXPECT_EQ(undisturbed.step(impact).facts.hash, watched.step(impact).facts.hash);
}

/// What was on it is gone with it; it says so whenever it is asked.
TEST(HostBackend, ALostDeviceStopsTheStepAndSaysSo) {
  const Impact impact(MaterialModel::NeoHookean, 8);
  Watched watched(impact);
  watched.step(impact);
  gpu::HostExecutor::Settings settings;
  settings.losingLaunch = watched.backend.executor().counts().launches + 40;
  watched.backend.executor().configure(settings);
  mpm::StepResult result;
  ParticleState particles;
  expectDeviceFailure([&] { watched.backend.advance(impact.motion, 0.008, result); });
  expectDeviceFailure([&] { watched.backend.save(particles); });
}
