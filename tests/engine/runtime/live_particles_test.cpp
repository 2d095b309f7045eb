// Particles of the steps of a live run, whoever looks at them when.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/mpm/backend.h"
#include "engine/runtime/packed_snapshot.h"
#include "engine/runtime/run_sink.h"
#include "engine/runtime/simulation_thread.h"
#include "engine/step/stepper.h"
#include "tests/engine/runtime/same_particles.h"
#include "tests/support/async_on.h"
#include "tests/support/cube_model.h"

namespace slipstick {
namespace {

using testing::expectSameParticles;

/// A cube that falls and turns; Δt = 1 ms.
std::shared_ptr<const Model> fallingCube() {
  const auto model = testing::cubeModel(16, MaterialModel::NeoHookean);
  model->time.dt = 1e-3;
  model->time.duration = 100;
  model->gravity = model->tuning.gravity = {0, 0, -9.81};
  for (std::size_t i = 0; i < model->nodeCount(); ++i)
    model->nodes.v[i] = Vec3(0.5, 0.2, 1).cross(model->nodes.x[i]);
  return model;
}

/// Keeps copies of the exact steps.
class Copies final : public RunSink {
 public:
  void begin(std::shared_ptr<const Snapshot> first, std::shared_ptr<const Keyframe>,
             const Computes&) override {
    copy(*first);
  }
  bool wantsKeyframe(std::uint64_t) const override { return false; }
  void add(std::shared_ptr<const Snapshot> snapshot, std::span<const Command>,
           std::shared_ptr<const Keyframe>) override {
    copy(*snapshot);
  }
  std::map<std::uint64_t, Snapshot> steps() const {
    const std::scoped_lock lock(mutex_);
    return steps_;
  }

 private:
  void copy(const Snapshot& snapshot) {
    const std::scoped_lock lock(mutex_);
    steps_[snapshot.step] = snapshot;
  }
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Snapshot> steps_;
};

class LiveParticles : public ::testing::Test {
 protected:
  LiveParticles() {
    const MakeStepper make = [](std::shared_ptr<const Model> model) -> Result<std::unique_ptr<Stepper>> {
      return testing::asyncOn(model, mpm::makeCpuBackend(model, 1));
    };
    run_ = SimulationThread::create(fallingCube(), make).value();
    run_->setSink(copies_);
    run_->waitUntilIdle();
  }
  void runTo(std::uint64_t step) {
    run_->runUntil(static_cast<double>(step) * 1e-3);
    run_->waitUntilIdle();
    ASSERT_EQ(run_->latest()->step, step) << run_->status().error;
  }

  std::shared_ptr<Copies> copies_ = std::make_shared<Copies>();
  std::unique_ptr<SimulationThread> run_;
};

TEST_F(LiveParticles, TheNewestStepHasThemAsTheyAre) {
  for (std::uint64_t step = 0; step < 3; ++step) {
    expectSameParticles(*run_->latest(), copies_->steps().at(step));
    EXPECT_EQ(run_->latest()->particles.size(), 4096u);
    EXPECT_EQ(run_->at(step), run_->latest());
    run_->stepOnce();
    run_->waitUntilIdle();
  }
}

TEST_F(LiveParticles, EveryStepBeforeHasThemAsTheHistoryPacksThem) {
  runTo(20);
  for (const auto& [step, exact] : copies_->steps())
    if (step < 20) expectSameParticles(*run_->at(step), *PackedSnapshot(exact).unpack());
}

/// Its last step is packed like all others, though the run left it while that may have been to come.
TEST_F(LiveParticles, TheEndOfABranchThatTheRunHasLeftHasThem) {
  runTo(9);
  const Snapshot end = copies_->steps().at(9);
  run_->resumeFrom(0, 4);
  run_->waitUntilIdle();
  ASSERT_EQ(run_->status().error, "");
  expectSameParticles(*run_->branch(0)->latest(), *PackedSnapshot(end).unpack());
  runTo(12);
  expectSameParticles(*run_->branch(0)->latest(), *PackedSnapshot(end).unpack());
}

TEST_F(LiveParticles, StepsThatFollowEachOtherTakeTurnsInTheSameMemory) {
  run_->setSink(nullptr);
  runTo(5);
  std::vector<const Eigen::Vector3f*> memory;
  for (std::uint64_t step = 6; step < 12; ++step) {
    runTo(step);
    memory.push_back(run_->latest()->particles.data());
  }
  for (std::size_t i = 2; i < memory.size(); ++i) EXPECT_EQ(memory[i], memory[i - 2]) << i;
}

TEST_F(LiveParticles, AStepThatSomebodyHoldsStaysAsItIs) {
  runTo(3);
  const std::shared_ptr<const Snapshot> held = run_->latest();
  runTo(10);
  expectSameParticles(*held, copies_->steps().at(3));
  EXPECT_EQ(held->step, 3u);
}

/// A history that has room for one step and no more has no other.
TEST_F(LiveParticles, WithoutRoomForThePastTheNewestStepHasThem) {
  run_->setHistoryBudget(0);
  runTo(8);
  expectSameParticles(*run_->latest(), copies_->steps().at(8));
  EXPECT_EQ(run_->at(2)->step, 8u);
}

}  // namespace
}  // namespace slipstick
