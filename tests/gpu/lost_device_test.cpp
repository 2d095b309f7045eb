// A live run on a device that is lost or full in mid-run, and goes on on the CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "engine/runtime/simulation_thread.h"
#include "tests/support/failing_device.h"

using namespace slipstick;
using namespace slipstick::testing;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

MakeStepper on(const std::string& backend, std::shared_ptr<FailingDevice> device) {
  return [registry = deviceRegistry(std::move(device)), backend](std::shared_ptr<const Model> model) {
    return registry.makeStepper(std::move(model), StepperOptions{.backend = backend, .threads = 1});
  };
}

/// A run of the soft cube that begins on the device, or on the CPU.
struct CubeRun {
  explicit CubeRun(const std::string& backend = "auto")
      : owner(SimulationThread::create(model, on(backend, device)).value()), thread(*owner) {}

  void runTo(double time) {
    thread.runUntil(time);
    thread.waitUntilIdle();
  }
  void goOnOnCpu() {
    thread.goOnWith(on("cpu", device));
    thread.waitUntilIdle();
  }

  std::shared_ptr<const Model> model = compile(softCube()).value().model;
  std::shared_ptr<FailingDevice> device = std::make_shared<FailingDevice>();
  std::unique_ptr<SimulationThread> owner;
  SimulationThread& thread;
};

/// Largest distance between the particles of two snapshots [m].
double distance(const Snapshot& a, const Snapshot& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.particles.size(), b.particles.size());
  float worst = 0;
  for (std::size_t i = 0; i < a.particles.size(); ++i)
    worst = std::max(worst, (a.particles[i] - b.particles[i]).norm());
  return static_cast<double>(worst);
}

/// As between the device's backend and the reference with this tolerance of the solver, see HostBackend [m].
constexpr double kClose = 2e-5;

TEST(LostDevice, StopsTheRunKeepsTheHistoryAndTheCpuGoesOnFromTheSameStep) {
  CubeRun run, cpu("cpu");
  EXPECT_EQ(run.thread.status().runsOn, "CPU · 1 thread · as a CUDA device");
  run.runTo(0.1);
  const std::uint64_t hashAt12 = run.thread.at(12)->stateHash;
  run.device->lose();
  run.runTo(0.2);
  RunStatus status = run.thread.status();
  EXPECT_TRUE(status.backendFailed);
  EXPECT_EQ(status.lastStep, 20u);
  EXPECT_THAT(status.error, StartsWith("step 21 (t = 0.105 s): the device was lost (cuda-host, kernel "));
  EXPECT_THAT(status.error, HasSubstr("--backend cpu"));
  EXPECT_EQ(run.thread.at(12)->step, 12u);
  run.thread.resumeFrom(0, 12);  // the device cannot
  run.thread.waitUntilIdle();
  EXPECT_TRUE(run.thread.status().backendFailed);
  EXPECT_EQ(run.thread.latest()->step, 20u);

  run.runTo(0.2);  // neither now
  EXPECT_EQ(run.thread.latest()->step, 20u);
  run.goOnOnCpu();
  status = run.thread.status();
  EXPECT_EQ(status.error, "");
  EXPECT_FALSE(status.backendFailed);
  EXPECT_THAT(status.runsOn, StartsWith("CPU · 1 thread · "));
  EXPECT_EQ(status.lastStep, 40u);
  EXPECT_EQ(run.thread.at(12)->stateHash, hashAt12);
  EXPECT_EQ(run.thread.branches().back().name, "branch 1 on cpu");
  cpu.runTo(0.2);
  EXPECT_LT(distance(*run.thread.latest(), *cpu.thread.latest()), kClose);
  EXPECT_GT(cpu.thread.latest()->contacts.size(), 0u) << "it has fallen";
}

TEST(LostDevice, WithSparseKeyframesTheStepsBetweenAreComputedAgainOnTheCpu) {
  CubeRun run, cpu("cpu");
  run.thread.setHistoryBudget(200'000);
  run.runTo(0.155);
  run.device->lose();
  run.runTo(0.2);
  EXPECT_THAT(run.thread.status().error, HasSubstr(" to 31 again"));
  run.goOnOnCpu();
  EXPECT_EQ(run.thread.status().error, "");
  EXPECT_LT(run.thread.branches().back().start, 31u);
  EXPECT_EQ(run.thread.latest()->step, 40u);
  cpu.runTo(0.2);
  EXPECT_LT(distance(*run.thread.latest(), *cpu.thread.latest()), kClose);
}

/// A hand that pulls needs room for a second copy of the particles.
TEST(FullDevice, WithoutMemoryInAStepNothingIsLost) {
  CubeRun run;
  run.runTo(0.1);
  const std::uint64_t hash = run.thread.latest()->stateHash;
  run.device->fill();
  Pull pull;
  pull.particle = 63;
  pull.goal_W = Vec3(0.05, 0.05, 0.3);
  ASSERT_TRUE(run.thread.post(pull));
  run.runTo(0.2);
  EXPECT_TRUE(run.thread.status().backendFailed);
  EXPECT_THAT(run.thread.status().error, HasSubstr("bytes of memory left (cuda-host); nothing is lost"));
  run.goOnOnCpu();
  EXPECT_EQ(run.thread.status().error, "");
  EXPECT_EQ(run.thread.latest()->step, 40u);
  EXPECT_EQ(run.thread.branches().back().start, 20u);
  EXPECT_EQ(run.thread.marks()[20].stateHash, hash);

  // With memory again the device goes on as if nothing had been.
  CubeRun patient, undisturbed;
  for (CubeRun* cube : {&patient, &undisturbed}) {
    cube->runTo(0.1);
    ASSERT_TRUE(cube->thread.post(pull));
    if (cube == &patient) {
      cube->device->fill();
      cube->runTo(0.2);
      EXPECT_EQ(cube->thread.latest()->step, 20u);
      cube->device->empty();
    }
    cube->runTo(0.2);
    EXPECT_EQ(cube->thread.status().error, "");
  }
  EXPECT_EQ(patient.thread.latest()->stateHash, undisturbed.thread.latest()->stateHash);
}

/// Other numbers mean other arrays.
TEST(FullDevice, WithoutMemoryForOtherNumbersTheOldOnesStayInForce) {
  CubeRun run, undisturbed;
  for (CubeRun* cube : {&run, &undisturbed}) cube->runTo(0.1);
  run.device->fill();
  ASSERT_TRUE(run.thread.post(SetParameter{"gravity.x", {3}}));
  run.runTo(0.2);
  EXPECT_TRUE(run.thread.status().backendFailed);
  EXPECT_EQ(run.thread.latest()->step, 20u);
  run.device->empty();
  ASSERT_TRUE(run.thread.post(SetParameter{"gravity.x", {0}}));
  for (CubeRun* cube : {&run, &undisturbed}) cube->runTo(0.2);
  EXPECT_EQ(run.thread.status().error, "");
  EXPECT_LT(distance(*run.thread.latest(), *undisturbed.thread.latest()), 1e-12);
}

std::vector<std::uint64_t> hashesOf(const SimulationThread& run) {
  std::vector<std::uint64_t> hashes;
  for (const TimelineMark& mark : run.marks()) hashes.push_back(mark.stateHash);
  return hashes;
}

/// One step, at which the n-th call to the device is refused. @return whether it has come to that
bool stepRefusing(CubeRun& run, long n) {
  const std::uint64_t before = run.thread.latest()->step;
  run.device->refuse(n);
  run.thread.stepOnce();
  run.thread.waitUntilIdle();
  const RunStatus status = run.thread.status();
  EXPECT_EQ(status.lastStep == before, status.backendFailed) << n << " " << status.error;
  EXPECT_EQ(status.lastStep == before, !status.error.empty()) << n;
  const bool refused = run.device->hasRefused();
  run.device->empty();
  return refused;
}

/// Then the same device goes on, as if nothing had been.
TEST(RefusingDevice, AtAnyCallOfAStepLeavesTheRunAsItWas) {
  CubeRun run, alone;
  run.runTo(0.03);
  long calls = 0;
  while (stepRefusing(run, calls)) ++calls;
  EXPECT_GT(calls, 5);
  const double end = run.thread.latest()->time + 0.1;
  for (CubeRun* cube : {&run, &alone}) cube->runTo(end);
  EXPECT_EQ(hashesOf(run.thread), hashesOf(alone.thread));
  run.thread.resumeFrom(0, run.thread.latest()->step - 3);
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.status().error, "");
}

/// In it memory is asked for, and graphs are recorded.
TEST(RefusingDevice, AtAnyCallOfTheFirstStepLeavesTheRunAsItWas) {
  CubeRun alone;
  alone.runTo(0.05);
  const std::vector<std::uint64_t> undisturbed = hashesOf(alone.thread);
  bool refused = true;
  for (long n = 0; refused && !HasFailure(); ++n) {
    CubeRun run;
    refused = stepRefusing(run, n);
    run.runTo(0.05);
    ASSERT_EQ(hashesOf(run.thread), undisturbed) << n;
  }
}

/// Other numbers mean another step, other graphs and other arrays.
TEST(RefusingDevice, AtAnyCallOfAStepWithOtherNumbersLeavesTheRunAsItWas) {
  CubeRun alone;
  const SetParameter stiffer{"materials.gel.E", {2e4}};
  alone.runTo(0.01);
  ASSERT_TRUE(alone.thread.post(stiffer));
  alone.runTo(0.025);
  const std::vector<std::uint64_t> undisturbed = hashesOf(alone.thread);
  bool refused = true;
  long n = 0;
  for (; refused && !HasFailure(); ++n) {
    CubeRun run;
    run.runTo(0.01);
    ASSERT_TRUE(run.thread.post(stiffer));
    refused = stepRefusing(run, n);
    run.runTo(0.025);
    ASSERT_EQ(hashesOf(run.thread), undisturbed) << n;
  }
  EXPECT_GT(n, 50);
}

TEST(RefusingDevice, AtAnyCallOfAResumeLeavesTheRunWhereItWas) {
  CubeRun run, alone;
  for (CubeRun* cube : {&run, &alone}) cube->runTo(0.05);
  const std::size_t branches = run.thread.branches().size();
  for (long n = 0; run.thread.latest()->step == 10 && !HasFailure(); ++n) {
    run.device->settings.failingCall = n;  // of the device that the replay makes
    run.thread.resumeFrom(0, 4);
    run.thread.waitUntilIdle();
    const RunStatus status = run.thread.status();
    ASSERT_EQ(status.lastStep == 10, !status.error.empty()) << n << " " << status.error;
    if (status.lastStep == 10) {
      EXPECT_EQ(run.thread.branches().size(), branches);
    }
  }
  EXPECT_EQ(run.thread.latest()->step, 4u);
  run.device->empty();
  for (CubeRun* cube : {&run, &alone}) cube->runTo(0.15);
  EXPECT_EQ(hashesOf(run.thread), hashesOf(alone.thread));
}

TEST(FullDevice, ASceneThatItHasNoRoomForIsAnErrorNotAnException) {
  const auto device = std::make_shared<FailingDevice>();
  const auto model = compile(softCube()).value().model;
  for (const long most : {0, 3, 30}) {
    device->settings.failingAllocation = most;
    const auto made = SimulationThread::create(model, on("auto", device));
    ASSERT_FALSE(made.ok()) << most;
    EXPECT_EQ(made.error().code, ErrorCode::DeviceFailure);
    EXPECT_THAT(made.error().remedy, HasSubstr("--backend cpu"));
  }
}

}  // namespace
