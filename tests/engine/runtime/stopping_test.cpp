// Whoever closes a run, goes back or cancels does not wait for a step, however long it takes.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "engine/compile/compile.h"
#include "engine/foundation/stopping.h"
#include "engine/runtime/companion.h"
#include "engine/runtime/simulation_thread.h"
#include "tests/engine/runtime/fake_stepper.h"

namespace slipstick {
namespace {

using testing::FakeBehaviour;
using testing::FakeStepper;
using testing::oneBodyModel;

/// Steps that take for ever from a number on: until somebody has them stop.
struct Endless {
  std::atomic<std::uint64_t> from = 5;  ///< the first such step
  std::atomic<int> begun = 0, stopped = 0;

  void waitUntilBegun(int count) const {
    while (begun < count) std::this_thread::yield();
  }
};

class EndlessStepper final : public FakeStepper {
 public:
  EndlessStepper(std::shared_ptr<const Model> model, std::shared_ptr<FakeBehaviour> behaviour,
                 std::shared_ptr<Endless> endless)
      : FakeStepper(std::move(model), std::move(behaviour)), endless_(std::move(endless)) {}

  StepReport step(std::span<const Command> commands, Snapshot& snapshot, Detail detail,
                  const std::stop_token& stop) override {
    State state;
    save(state);
    if (state.step + 1 >= endless_->from) wait(stop);
    return FakeStepper::step(commands, snapshot, detail, stop);
  }

 private:
  /// A minute stands for ever: the test has failed by then.
  void wait(const std::stop_token& stop) const {
    ++endless_->begun;
    for (int ms = 0; ms < 60'000 && !stop.stop_requested(); ++ms)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!stop.stop_requested()) return;
    ++endless_->stopped;
    throw Stopped();
  }

  std::shared_ptr<Endless> endless_;
};

struct Slow {
  Slow() {
    const auto make = [behaviour = behaviour, endless = endless](
                          std::shared_ptr<const Model> model) -> Result<std::unique_ptr<Stepper>> {
      return std::unique_ptr<Stepper>(std::make_unique<EndlessStepper>(std::move(model), behaviour, endless));
    };
    thread = SimulationThread::create(oneBodyModel(), make).value();
  }
  void runTo(double time) {
    thread->runUntil(time);
    thread->waitUntilIdle();
  }

  std::shared_ptr<FakeBehaviour> behaviour = std::make_shared<FakeBehaviour>();
  std::shared_ptr<Endless> endless = std::make_shared<Endless>();
  std::unique_ptr<SimulationThread> thread;
};

TEST(StopOfAStep, ClosingEndsIt) {
  Slow run;
  run.thread->play();
  run.endless->waitUntilBegun(1);
  run.thread.reset();
  EXPECT_EQ(run.endless->stopped, 1);
}

TEST(StopOfAStep, GoingBackEndsItAndWhatWasPostedWaits) {
  Slow run;
  run.thread->play();
  run.endless->waitUntilBegun(1);
  ASSERT_TRUE(run.thread->post(SetParameter{"gravity.x", {2}}));
  run.thread->resumeFrom(0, 2);
  run.thread->waitUntilIdle();
  EXPECT_EQ(run.endless->stopped, 1);
  EXPECT_EQ(run.thread->latest()->step, 2u);
  EXPECT_TRUE(run.thread->status().error.empty()) << run.thread->status().error;
  run.endless->from = 100;
  run.runTo(0.1);
  EXPECT_EQ(run.thread->latest()->step, 10u);
  EXPECT_EQ(run.behaviour->commands, 2u);  // and the release after a going back
}

TEST(StopOfAStep, CancellingAReplayEndsTheOneUnderWay) {
  Slow run;
  run.endless->from = 100;
  run.runTo(0.4);
  run.endless->from = 3;
  run.thread->resumeFrom(0, 20);
  run.endless->waitUntilBegun(1);
  run.thread->cancelGoingBack();
  run.thread->waitUntilIdle();
  EXPECT_EQ(run.endless->stopped, 1);
  EXPECT_EQ(run.thread->latest()->step, 40u);
  EXPECT_TRUE(run.thread->status().error.empty()) << run.thread->status().error;
  run.endless->from = 100;
  run.runTo(0.5);
  EXPECT_EQ(run.thread->latest()->step, 50u);
}

/// A step that is given up for somewhere else to go has no say in what comes after.
TEST(StopOfAStep, AnotherGoingBackEndsTheReplayUnderWay) {
  Slow run;
  run.endless->from = 100;
  run.runTo(0.4);
  run.endless->from = 3;
  run.thread->resumeFrom(0, 20);
  run.endless->waitUntilBegun(1);
  run.thread->resumeFrom(0, 1);
  run.thread->waitUntilIdle();
  EXPECT_EQ(run.thread->latest()->step, 1u);
}

TEST(StopOfAStep, ClosingEndsThatOfARunBesideIt) {
  Slow run;
  run.endless->from = 100;
  run.runTo(0.1);
  const auto slow = std::make_shared<Endless>();
  const auto make =
      [slow, own = run.behaviour](std::shared_ptr<const Model> model) -> Result<std::unique_ptr<Stepper>> {
    return std::unique_ptr<Stepper>(std::make_unique<EndlessStepper>(std::move(model), own, slow));
  };
  auto beside = std::make_unique<Companion>(run.thread->record(), CompanionSettings{"slow", "", {}}, make);
  slow->waitUntilBegun(1);
  beside.reset();
  EXPECT_EQ(slow->stopped, 1);
}

TEST(StopOfAStep, PausingLetsItBe) {
  Slow run;
  run.thread->play();
  run.endless->waitUntilBegun(1);
  run.thread->pause();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(run.endless->stopped, 0);
}

/// A run of one box, whose readers are told when something is compiled: then they do as the test says.
struct Compiling {
  explicit Compiling(std::function<void(SimulationThread&)> whenCompiling) {
    const auto onPublish = [this, whenCompiling] {
      if (thread && thread->status().compiling && ++seen == 1) whenCompiling(*thread);
    };
    thread = SimulationThread::create(compile(scene()).value().model,
                                      testing::makeFakeStepper(std::make_shared<FakeBehaviour>()), onPublish)
                 .value();
  }
  static Scene scene() {
    Scene scene;
    scene.robots = {box("first")};
    return scene;
  }
  static RobotSpec box(const std::string& name) {
    return floatingBody(name, shape::Box{Vec3::Constant(0.1)}, 500, Pose::translation({0, 0, 1}), {}).value();
  }

  std::atomic<int> seen = 0;
  std::unique_ptr<SimulationThread> thread;
};

TEST(StopOfACompile, AnEditThatIsGivenUpChangesNothing) {
  Compiling run([](SimulationThread& thread) { thread.cancelEdit(); });
  const std::shared_ptr<const Model> before = run.thread->latest()->model;
  const Result<void> done = run.thread->edit(SpawnBody{Compiling::box("second")}).get();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::Cancelled);
  run.thread->waitUntilIdle();
  EXPECT_EQ(run.thread->latest()->model, before);
  EXPECT_FALSE(run.thread->status().compiling);
  EXPECT_TRUE(run.thread->status().error.empty()) << run.thread->status().error;
  EXPECT_TRUE(run.thread->edit(SpawnBody{Compiling::box("second")}).get());
  EXPECT_EQ(run.thread->latest()->model->robots.size(), 2u);
}

TEST(StopOfACompile, StartingOverThatIsGivenUpChangesNothing) {
  Compiling run([](SimulationThread& thread) { thread.cancelGoingBack(); });
  const std::shared_ptr<const Model> before = run.thread->latest()->model;
  run.thread->startOver(Compiling::scene(), "again", nullptr);
  run.thread->waitUntilIdle();
  EXPECT_EQ(run.seen, 1);
  EXPECT_EQ(run.thread->latest()->model, before);
  EXPECT_EQ(run.thread->branches().size(), 1u);
  EXPECT_TRUE(run.thread->status().error.empty()) << run.thread->status().error;
}

}  // namespace
}  // namespace slipstick
