// Live runs on a device: a scene that grows under it, and steps that it does not reproduce.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "engine/runtime/simulation_thread.h"
#include "gpu/host_backend.h"
#include "tests/support/async_on.h"
#include "tests/support/failing_device.h"

using namespace slipstick;
using namespace slipstick::testing;

namespace {

/// As they come, in an order that goes on being drawn from run to run.
MakeStepper onFastDevice() {
  return [](std::shared_ptr<const Model> model) {
    gpu::HostExecutor::Settings settings;
    settings.seed = 3;
    auto backend = gpu::makeHostBackend(model, std::make_unique<gpu::HostExecutor>(settings),
                                        gpu::Reproducibility::NotGuaranteed);
    return Result<std::unique_ptr<Stepper>>(asyncOn(model, std::move(*backend)));
  };
}

MakeStepper on(const std::string& backend) {
  return [registry = deviceRegistry(std::make_shared<FailingDevice>()),
          backend](std::shared_ptr<const Model> model) {
    return registry.makeStepper(std::move(model), StepperOptions{.backend = backend, .threads = 1});
  };
}

}  // namespace

TEST(LiveDevice, AStepThatIsNotReproducedIsComputedAnewOnABranchOfItsOwn) {
  const auto model = compile(softCube()).value().model;
  auto owner = SimulationThread::create(model, onFastDevice()).value();
  SimulationThread& thread = *owner;
  EXPECT_THAT(thread.status().runsOn, ::testing::HasSubstr("not reproducible"));
  thread.runUntil(0.2);
  thread.waitUntilIdle();
  const auto before = thread.at(20);
  thread.resumeFrom(0, 20);
  thread.waitUntilIdle();
  EXPECT_EQ(thread.status().error, "");
  EXPECT_EQ(thread.latest()->step, 20u);
  EXPECT_EQ(thread.branches().size(), 2u);
  EXPECT_EQ(thread.branch(0)->at(20)->stateHash, before->stateHash) << "what was seen is kept";
  thread.runUntil(0.2);
  thread.waitUntilIdle();
  EXPECT_EQ(thread.latest()->step, 40u);
}

/// Rooms of 100 particles become those of 100,000 between two steps.
TEST(LiveDevice, ASceneGrowsFromAHundredToAHundredThousandParticlesInMidRun) {
  Scene scene = softCube();
  scene.deformables[0].sampling.count = {5, 5, 4};
  const auto model = compile(scene).value().model;
  auto device = SimulationThread::create(model, on("cuda-host")).value();
  auto cpu = SimulationThread::create(model, on("cpu")).value();
  SpawnDeformable spawn;
  spawn.deformable = scene.deformables[0];
  spawn.deformable.name = "block";
  spawn.deformable.shape = shape::Box{{1, 1, 0.5}};
  spawn.deformable.X_WD = Pose::translation({2, 0, 0.243});  // the lowest particles in the ground
  spawn.deformable.sampling.count = {50, 50, 40};
  for (SimulationThread* thread : {device.get(), cpu.get()}) {
    thread->runUntil(0.02);
    thread->waitUntilIdle();
    EXPECT_EQ(thread->latest()->particles.size(), 100u);
    const Result<void> done = thread->edit(spawn).get();
    ASSERT_TRUE(done.ok()) << done.error().message();
    thread->runUntil(0.03);
    thread->waitUntilIdle();
    EXPECT_EQ(thread->status().error, "");
    EXPECT_EQ(thread->latest()->step, 6u);
    EXPECT_EQ(thread->latest()->particles.size(), 100'100u);
    EXPECT_GE(thread->latest()->report.contacts, 2500);
  }
  const auto &a = *device->latest(), &b = *cpu->latest();
  float worst = 0;
  for (std::size_t i = 0; i < a.particles.size(); ++i)
    worst = std::max(worst, (a.particles[i] - b.particles[i]).norm());
  EXPECT_LT(worst, 2e-5f);  // as between backends elsewhere
}
