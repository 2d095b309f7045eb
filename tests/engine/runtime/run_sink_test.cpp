#include "engine/runtime/run_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/runtime/departure.h"
#include "tests/engine/runtime/fake_stepper.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using testing::FakeBehaviour;
using ::testing::HasSubstr;
using testing::oneBodyModel;

/// Remembers what it was given.
struct Notebook final : RunSink {
  struct Stretch {
    std::shared_ptr<const Keyframe> start;
    Computes computes;
    std::vector<std::shared_ptr<const Snapshot>> steps;  ///< with the first
    std::vector<StampedCommand> commands;
    std::vector<std::uint64_t> keyframes;  ///< after the first
  };
  std::vector<Stretch> stretches;
  std::uint64_t keyframeEvery = 10;

  void begin(std::shared_ptr<const Snapshot> first, std::shared_ptr<const Keyframe> keyframe,
             const Computes& computes) override {
    EXPECT_EQ(keyframe->state.step, first->step);
    EXPECT_EQ(keyframe->model, first->model);
    stretches.push_back({std::move(keyframe), computes, {std::move(first)}, {}, {}});
  }
  bool wantsKeyframe(std::uint64_t step) const override { return step % keyframeEvery == 0; }
  void add(std::shared_ptr<const Snapshot> snapshot, std::span<const Command> applied,
           std::shared_ptr<const Keyframe> keyframe) override {
    Stretch& stretch = stretches.back();
    EXPECT_EQ(snapshot->step, stretch.steps.back()->step + 1);
    for (const Command& command : applied) stretch.commands.push_back({snapshot->step - 1, command});
    if (wantsKeyframe(snapshot->step)) {
      ASSERT_NE(keyframe, nullptr);
      stretch.keyframes.push_back(keyframe->state.step);
    }
    stretch.steps.push_back(std::move(snapshot));
  }
};

struct Running {
  explicit Running(std::shared_ptr<const Model> model = oneBodyModel())
      : owner(SimulationThread::create(std::move(model), testing::makeFakeStepper(behaviour)).value()),
        thread(*owner) {}

  void runTo(double time) {
    thread.runUntil(time);
    thread.waitUntilIdle();
  }
  void attach(std::shared_ptr<RunSink> sink) {
    thread.setSink(std::move(sink));
    thread.waitUntilIdle();
  }

  std::shared_ptr<FakeBehaviour> behaviour = std::make_shared<FakeBehaviour>();
  std::unique_ptr<SimulationThread> owner;
  SimulationThread& thread;
};

/// A stretch of another simulation as a run that is only looked at.
class Stored final : public StoredRun {
 public:
  Stored(Notebook::Stretch stretch, std::string runsOn)
      : stretch_(std::move(stretch)), runsOn_(std::move(runsOn)) {}

  std::string name() const override { return "monday"; }
  std::string file() const override { return "/tmp/monday.h5"; }
  std::shared_ptr<const Tuning> tuningAt(std::uint64_t) const override {
    return stretch_.start->state.tuning;
  }
  Result<Departure> departureFor(std::uint64_t step) const override {
    if (isLost) return Error{ErrorCode::FileUnreadable, "the disk is gone", file(), "mount it"};
    return Departure{stretch_.start, stretch_.commands, step, at(step)->stateHash, runsOn_};
  }
  std::shared_ptr<const Snapshot> latest() const override { return stretch_.steps.back(); }
  std::shared_ptr<const Snapshot> at(std::uint64_t step) const override {
    return stretch_.steps.at(step - stretch_.start->state.step);
  }
  std::shared_ptr<const Snapshot> contactsAt(std::uint64_t step) const override { return at(step); }
  std::optional<TimelineMark> mark(std::uint64_t) const override { return std::nullopt; }
  std::vector<TimelineMark> marks(std::uint64_t) const override { return {}; }
  RunColumns columns() const override { return {}; }
  RunStatus status() const override { return {}; }

  bool isLost = false;

 private:
  Notebook::Stretch stretch_;
  std::string runsOn_;
};

TEST(RunSink, GetsEveryStepFromTheNewestOnWithItsCommandsAndStates) {
  Running run;
  run.runTo(0.1);
  const auto notebook = std::make_shared<Notebook>();
  run.attach(notebook);
  ASSERT_TRUE(run.thread.post(SetParameter{"gravity.x", {4}}));
  run.runTo(0.35);
  run.attach(nullptr);
  run.runTo(0.5);
  ASSERT_EQ(notebook->stretches.size(), 1u);
  const Notebook::Stretch& stretch = notebook->stretches.front();
  EXPECT_EQ(stretch.steps.front()->step, 10u);
  EXPECT_EQ(stretch.steps.back()->step, 35u);
  EXPECT_EQ(stretch.computes.method, "fake");
  EXPECT_EQ(stretch.computes.runsOn, run.thread.status().runsOn);
  EXPECT_THAT(stretch.keyframes, ElementsAre(20, 30));
  ASSERT_EQ(stretch.commands.size(), 1u);
  EXPECT_EQ(stretch.commands.front().step, 10u);
  for (const auto& step : stretch.steps) EXPECT_EQ(step->stateHash, run.thread.mark(step->step)->stateHash);
}

TEST(RunSink, IsToldWhereTheRunGoesOnFromElsewhere) {
  Running run;
  const auto notebook = std::make_shared<Notebook>();
  run.attach(notebook);
  run.runTo(0.2);
  run.thread.resumeFrom(0, 5);
  run.thread.waitUntilIdle();
  run.runTo(0.08);
  run.thread.reset();
  run.thread.waitUntilIdle();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;
  for (const Notebook::Stretch& stretch : notebook->stretches)
    spans.emplace_back(stretch.steps.front()->step, stretch.steps.back()->step);
  EXPECT_THAT(spans, ElementsAre(std::pair(0u, 20u), std::pair(5u, 8u), std::pair(0u, 0u)));
}

TEST(RunSink, IsToldOfAnotherBackend) {
  Running run;
  const auto notebook = std::make_shared<Notebook>();
  run.attach(notebook);
  run.behaviour->failAt = 11;
  run.runTo(0.2);
  const auto cpu = std::make_shared<FakeBehaviour>();
  cpu->backend = "cpu";
  run.thread.goOnWith(testing::makeFakeStepper(cpu));
  run.thread.waitUntilIdle();
  ASSERT_EQ(notebook->stretches.size(), 2u);
  EXPECT_EQ(notebook->stretches[1].computes.backend, "cpu");
  EXPECT_EQ(notebook->stretches[1].steps.front()->step, 10u);
  EXPECT_EQ(notebook->stretches[1].steps.back()->step, 20u);
}

// ---- going on from another run's step

/// Of a run with a push in it, from its step 5 on.
std::shared_ptr<Stored> recordedMonday(const std::shared_ptr<const Model>& model, const std::string& runsOn) {
  Running run(model);
  run.runTo(0.05);
  const auto notebook = std::make_shared<Notebook>();
  run.attach(notebook);
  EXPECT_TRUE(run.thread.post(SetParameter{"gravity.x", {4}}));
  run.runTo(0.3);
  return std::make_shared<Stored>(notebook->stretches.front(), runsOn);
}

TEST(ResumeElsewhere, ArrivesAtTheSameStateOnABranchOfTheRunsName) {
  const auto model = oneBodyModel();
  Running run(model);
  const auto monday = recordedMonday(model, run.thread.status().runsOn);
  run.runTo(0.1);
  run.thread.resumeFrom(monday, 20);
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.status().error, "");
  EXPECT_EQ(run.thread.latest()->step, 20u);
  EXPECT_EQ(run.thread.latest()->stateHash, monday->at(20)->stateHash);
  EXPECT_EQ(run.thread.status().firstStored, 20u);
  EXPECT_EQ(run.thread.status().jumps, 1u);
  run.runTo(0.25);
  EXPECT_EQ(run.thread.latest()->stateHash, monday->at(25)->stateHash);
  EXPECT_EQ(run.thread.columns().firstStep(), 20u);
  const std::vector<BranchFacts> branches = run.thread.branches();
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(branches[1].name, "monday");
  EXPECT_FALSE(branches[1].parent);
  EXPECT_EQ(branches[1].start, 20u);

  // What was simulated of it can be gone back to, and what was there before too.
  run.thread.resumeFrom(branches[1].id, 22);
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.status().error, "");
  EXPECT_EQ(run.thread.latest()->stateHash, monday->at(22)->stateHash);
  run.thread.reset();
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.latest()->step, 0u);
  run.thread.resumeFrom(monday, 20);
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.branches().back().name, "monday (2)");
}

TEST(ResumeElsewhere, SaysWhereTheStateIsNotReproducedAndStaysWhereItWas) {
  const auto model = oneBodyModel();
  Running run(model);
  const auto monday = recordedMonday(model, run.thread.status().runsOn);
  run.runTo(0.1);
  run.behaviour->rounding = 1e-9;
  run.thread.resumeFrom(monday, 20);
  run.thread.waitUntilIdle();
  EXPECT_THAT(run.thread.status().error, HasSubstr("does not reproduce"));
  EXPECT_EQ(run.thread.latest()->step, 10u);
  EXPECT_EQ(run.thread.branches().size(), 1u);
}

TEST(ResumeElsewhere, DoesNotCompareWhatAnotherMachineHasComputed) {
  const auto model = oneBodyModel();
  Running run(model);
  const auto monday = recordedMonday(model, "another machine");
  run.behaviour->rounding = 1e-9;
  run.thread.resumeFrom(monday, 20);
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.status().error, "");
  EXPECT_EQ(run.thread.latest()->step, 20u);
  EXPECT_NEAR(run.thread.latest()->v[5], monday->at(20)->v[5], 1e-7);
  EXPECT_NE(run.thread.latest()->v[5], monday->at(20)->v[5]);
}

TEST(ResumeElsewhere, SaysWhatIsWrongWithTheOtherRunAndCanBeCancelled) {
  const auto model = oneBodyModel();
  Running run(model);
  const auto monday = recordedMonday(model, run.thread.status().runsOn);
  monday->isLost = true;
  run.thread.resumeFrom(monday, 20);
  run.thread.waitUntilIdle();
  EXPECT_THAT(run.thread.status().error, HasSubstr("the disk is gone"));
  monday->isLost = false;
  run.behaviour->holdTheStepOf([&] { run.thread.resumeFrom(monday, 20); });
  run.thread.cancelGoingBack();
  run.behaviour->letGo();
  run.thread.waitUntilIdle();
  EXPECT_EQ(run.thread.latest()->step, 0u);
  EXPECT_FALSE(run.thread.status().goingBack);
}

// ---- the end of a branch, to be written down

TEST(EndOfRun, BeginsWithTheKeyframeBeforeTheTimeAndHasTheCommandsSinceThen) {
  Running run;
  ASSERT_TRUE(run.thread.post(SetParameter{"gravity.x", {4}}));
  run.runTo(0.2);
  ASSERT_TRUE(run.thread.post(SetParameter{"gravity.x", {-3}}));
  run.runTo(0.4);
  const Result<SimulationThread::End> end = run.thread.endOf(0, 0.155);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->stretch.first, 15u);  // a state of every step is still kept
  EXPECT_EQ(end->stretch.last, 40u);
  EXPECT_EQ(end->stretch.keyframes.front()->state.step, 15u);
  ASSERT_EQ(end->stretch.commands.size(), 1u);
  EXPECT_EQ(end->stretch.commands.front().step, 20u);
  EXPECT_EQ(end->computes.runsOn, run.thread.status().runsOn);
  EXPECT_EQ(run.thread.endOf(0, -1)->stretch.first, 0u);
  EXPECT_FALSE(run.thread.endOf(7, 0));
}

TEST(EndOfRun, FollowsTheWayOfABranchAndStopsAtAnotherBackend) {
  Running run;
  run.runTo(0.2);
  ASSERT_TRUE(run.thread.post(SetParameter{"gravity.x", {9}}));
  run.runTo(0.3);
  run.thread.resumeFrom(0, 10);
  run.thread.waitUntilIdle();
  run.runTo(0.15);
  const Result<SimulationThread::End> whole = run.thread.endOf(1, 0);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->stretch.last, 15u);
  // Only the release with which a resume begins: the push was on the other branch.
  for (const StampedCommand& command : whole->stretch.commands)
    EXPECT_TRUE(std::holds_alternative<Release>(command.command));
  run.behaviour->failAt = 16;
  run.runTo(0.2);
  const auto cpu = std::make_shared<FakeBehaviour>();
  cpu->backend = "cpu";
  run.thread.goOnWith(testing::makeFakeStepper(cpu));
  run.thread.waitUntilIdle();
  const Result<SimulationThread::End> end = run.thread.endOf(run.thread.status().branch, 0);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->stretch.first, 15u);
  EXPECT_EQ(end->computes.backend, "cpu");
  EXPECT_EQ(run.thread.endOf(1, 0)->computes.runsOn, "");  // of hardware that has failed
}

}  // namespace
}  // namespace slipstick
