#include "gpu/host_backend.h"

#include <gtest/gtest.h>

#include <functional>

#include "gpu/device_backend.h"

#include "tests/engine/mpm/impact_scene.h"
#include "tests/engine/mpm/walled.h"

using namespace slipstick;
using namespace slipstick::testing;

/// The backend with its executor at hand.
struct Watched {
  gpu::DeviceBackend<gpu::HostExecutor> backend;

  explicit Watched(const Impact& impact, const gpu::HostExecutor::Settings& settings = {})
      : backend(impact.model, std::make_unique<gpu::HostExecutor>(settings)) {
    backend.restore(initialParticles(*impact.model));
  }
  SoftOutcome step(const Impact& impact, double dt = 0.008) {
    SoftOutcome result;
    backend.advance(impact.motion, dt, result);
    backend.accept();
    return result;
  }
};

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
  mpm::ParticleState saved;
  live.backend.save(saved);
  EXPECT_FALSE(saved.contacts.empty());
  other.backend.restore(saved);
  EXPECT_EQ(other.backend.facts().hash, live.backend.facts().hash);
  EXPECT_EQ(hashOf(saved), live.backend.facts().hash);
  live.step(impact), other.step(impact);
  EXPECT_EQ(other.backend.facts().hash, live.backend.facts().hash);
}

/// Some steps, and then the next one again and again.
void expectOneCopyEachWay(const std::shared_ptr<Model>& model, const mpm::StepInput& motion) {
  gpu::DeviceBackend<gpu::HostExecutor> backend(model, std::make_unique<gpu::HostExecutor>());
  backend.restore(initialParticles(*model));
  SoftOutcome result;
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
  EXPECT_GT(at(result.report.phases, Phase::Device), 0);
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
    mpm::ParticleState state = initialParticles(*impact.model), saved;
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
  mpm::ParticleState before, after;
  watched.backend.save(before);
  gpu::HostExecutor::Settings settings;
  settings.failingAllocation = watched.backend.executor().counts().allocations;
  watched.backend.executor().configure(settings);
  impact.model->time.substeps = 60;  // needs a longer log
  SoftOutcome result;
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
  SoftOutcome result;
  mpm::ParticleState particles;
  expectDeviceFailure([&] { watched.backend.advance(impact.motion, 0.008, result); });
  expectDeviceFailure([&] { watched.backend.save(particles); });
}
