// What a run does by itself, without a thread around it: where it stands, and that a step is either whole or has not been.
#include "engine/runtime/live_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/engine/runtime/fake_stepper.h"

namespace slipstick {
namespace {

using testing::FakeBehaviour;
using testing::FakeStepper;

Error full() {
  return {ErrorCode::DeviceFailure, "it has no memory left", "the device", "take another one"};
}

/// Computes, but has no room for a state.
struct FullStepper final : FakeStepper {
  using FakeStepper::FakeStepper;
  void restore(const State&) override { throw StepFailure(full()); }
};

struct LiveRuns : ::testing::Test {
  std::shared_ptr<Model> model = testing::oneBodyModel();
  std::shared_ptr<FakeBehaviour> behaviour = std::make_shared<FakeBehaviour>();
  LiveRun run = LiveRun::start(testing::makeFakeStepper(behaviour), model).value();
  StepReport report;
  DroppedCommands dropped;

  std::shared_ptr<Snapshot> advance(std::vector<Command> commands = {}) {
    return run.advance(commands, report, dropped);
  }
  std::uint64_t hash() const { return hashOf(run.state()); }
};

TEST(StepName, SaysTheStepAndItsTime) {
  EXPECT_EQ(stepName(12, 0.12), "step 12 (t = 0.12 s)");
  EXPECT_EQ(stepName(0, 0), "step 0 (t = 0 s)");
}

// ---- beginnings

TEST_F(LiveRuns, StartsWhereItsSceneStarts) {
  EXPECT_EQ(run.step, 0u);
  EXPECT_EQ(run.time, 0);
  EXPECT_EQ(run.model, model);
  EXPECT_EQ(hashOf(*run.tuning), hashOf(model->tuning));
  EXPECT_EQ(hash(), hashOf(State::initial(*model)));
  EXPECT_EQ(run.nextStepName(), "step 1 (t = 0.01 s)");
}

TEST_F(LiveRuns, WhereNoStepperCanBeMadeThereIsNoRun) {
  const MakeStepper none = [](std::shared_ptr<const Model>) -> Result<std::unique_ptr<Stepper>> {
    return full();
  };
  const Result<LiveRun> started = LiveRun::start(none, model);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().what, full().what);
  const Result<LiveRun> restored = LiveRun::from(none, model, State::initial(*model));
  ASSERT_FALSE(restored);
  EXPECT_EQ(restored.error().what, full().what);
}

TEST_F(LiveRuns, GoesOnFromAState) {
  advance({SetParameter{"gravity.z", {-3}}});
  advance();
  LiveRun second = LiveRun::from(testing::makeFakeStepper(behaviour), model, run.state()).value();
  EXPECT_EQ(second.step, 2u);
  EXPECT_EQ(second.time, 0.02);
  EXPECT_EQ(second.tuning->gravity.z(), -3);
  EXPECT_EQ(hashOf(second.state()), hash());
  std::vector<Command> none;
  EXPECT_EQ(second.advance(none, report, dropped)->stateHash, advance()->stateHash);
}

TEST_F(LiveRuns, AStateThatTheBackendHasNoRoomForIsAnError) {
  const MakeStepper make = [this](std::shared_ptr<const Model> of) -> Result<std::unique_ptr<Stepper>> {
    return std::unique_ptr<Stepper>(std::make_unique<FullStepper>(std::move(of), behaviour));
  };
  EXPECT_TRUE(LiveRun::start(make, model)) << "the start needs none";
  const Result<LiveRun> restored = LiveRun::from(make, model, run.state());
  ASSERT_FALSE(restored);
  EXPECT_EQ(restored.error().code, ErrorCode::DeviceFailure);
  EXPECT_EQ(restored.error().what, full().what);
  run.makeStepper = make;
  const Result<LiveRun> edited = run.as(model);
  ASSERT_FALSE(edited);
  EXPECT_EQ(edited.error().what, full().what);
}

// ---- a step

TEST_F(LiveRuns, AStepMovesOnAndItsSnapshotKnowsTheModel) {
  const std::shared_ptr<Snapshot> first = advance();
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->step, 1u);
  EXPECT_EQ(first->model, model);
  EXPECT_EQ(first->stateHash, hash());
  EXPECT_EQ(run.step, 1u);
  EXPECT_EQ(run.time, 0.01);
  const std::shared_ptr<Snapshot> second = advance();
  EXPECT_EQ(second->step, 2u);
  EXPECT_EQ(first->step, 1u) << "one that is held is not written to";
  EXPECT_NE(second->stateHash, first->stateHash);
}

TEST_F(LiveRuns, ReportsWhatTheStepSays) {
  behaviour->notConvergedAt = 1;
  EXPECT_NE(advance(), nullptr);
  EXPECT_TRUE(has(report.health, Health::NotConverged));
  advance();
  EXPECT_EQ(report.health, 0u);
}

TEST_F(LiveRuns, WhatCannotBeAppliedIsLeftOutAndCounted) {
  std::vector<Command> commands = {Pull{.body = 77}, SetParameter{"gravity.z", {-3}}, FreeJoint{-2}};
  dropped.count = 5;
  ASSERT_NE(run.advance(commands, report, dropped), nullptr);
  EXPECT_EQ(commands.size(), 1u) << "the caller's log has what was applied";
  EXPECT_EQ(behaviour->commands, 1u);
  EXPECT_EQ(dropped.count, 7u);
}

TEST_F(LiveRuns, NumbersThatAStepSetsAreInForceFromThenOn) {
  advance({SetParameter{"gravity.z", {-3}}, SetParameter{"gravity.x", {2}}});
  EXPECT_EQ(run.tuning->gravity, Vec3(2, 0, -3));
  EXPECT_EQ(hashOf(*run.tuning), hashOf(*run.state().tuning));
  EXPECT_EQ(model->tuning.gravity, Vec3(0, 0, -10)) << "the model is as it was";
  const std::shared_ptr<const Tuning> before = run.tuning;
  advance({Release{}});
  EXPECT_EQ(run.tuning, before) << "none is made anew where nothing changes";
}

TEST_F(LiveRuns, AStepThatIsRefusedHasNotBeen) {
  advance();
  const std::uint64_t before = hash();
  const std::shared_ptr<const Tuning> tuning = run.tuning;
  behaviour->nonFiniteAt = 2;
  EXPECT_EQ(advance({SetParameter{"gravity.z", {-3}}}), nullptr);
  EXPECT_TRUE(has(report.health, Health::NonFinite)) << "why";
  EXPECT_EQ(run.step, 1u);
  EXPECT_EQ(run.time, 0.01);
  EXPECT_EQ(run.tuning, tuning);
  EXPECT_EQ(hash(), before);
  behaviour->nonFiniteAt = -1;
  EXPECT_EQ(advance()->step, 2u);
}

TEST_F(LiveRuns, AStepThatThrowsHasNotBeen) {
  advance();
  const std::uint64_t before = hash();
  const std::shared_ptr<const Tuning> tuning = run.tuning;
  behaviour->failAt = 2;
  EXPECT_THROW(advance({SetParameter{"gravity.z", {-3}}}), StepFailure);
  behaviour->failAt = -1;
  behaviour->throwAt = 2;
  EXPECT_THROW(advance({SetParameter{"gravity.z", {-3}}}), std::runtime_error);
  behaviour->throwAt = -1;
  EXPECT_EQ(run.step, 1u);
  EXPECT_EQ(run.time, 0.01);
  EXPECT_EQ(run.tuning, tuning);
  EXPECT_EQ(hash(), before);
}

// ---- back

TEST_F(LiveRuns, AStepThatIsTakenBackHasNotBeen) {
  advance();
  const std::uint64_t before = hash();
  const std::uint64_t next = advance({SetParameter{"gravity.z", {-3}}})->stateHash;
  run.takeBack();
  EXPECT_EQ(run.step, 1u);
  EXPECT_EQ(run.time, 0.01);
  EXPECT_EQ(run.tuning->gravity.z(), -10);
  EXPECT_EQ(hash(), before);
  EXPECT_EQ(advance({SetParameter{"gravity.z", {-3}}})->stateHash, next);
}

TEST_F(LiveRuns, AStepInHandIsTakenBackUnlessItIsKept) {
  const std::uint64_t before = hash();
  const auto stepAnd = [this](bool keeps) {
    advance();
    StepInHand inHand(run);
    if (keeps) return inHand.keep();
    throw std::runtime_error("no room to keep it");
  };
  EXPECT_THROW(stepAnd(false), std::runtime_error);
  EXPECT_EQ(run.step, 0u);
  EXPECT_EQ(hash(), before);
  stepAnd(true);
  EXPECT_EQ(run.step, 1u);
  EXPECT_NE(hash(), before);
}

// ---- the end

TEST(LiveRun, IsAtTheEndWithinHalfAStepOfItsDuration) {
  for (const double duration : {0.024, 0.016}) {
    const auto model = testing::oneBodyModel(duration);
    LiveRun run = LiveRun::start(testing::makeFakeStepper(std::make_shared<FakeBehaviour>()), model).value();
    std::vector<Command> none;
    StepReport report;
    DroppedCommands dropped;
    for (int step = 0; step < 2; ++step) {
      EXPECT_FALSE(run.atTheEnd()) << duration << " after " << step;
      run.advance(none, report, dropped);
    }
    EXPECT_TRUE(run.atTheEnd()) << duration;
  }
}

TEST(LiveRun, OfNoDurationIsAtTheEndFromItsStartOn) {
  EXPECT_TRUE(
      LiveRun::start(testing::makeFakeStepper(std::make_shared<FakeBehaviour>()), testing::oneBodyModel(0))
          .value()
          .atTheEnd());
}

// ---- looking

TEST_F(LiveRuns, AKeyframeHoldsAllThatIsNeededToGoOn) {
  behaviour->backend = "paper";
  advance({SetParameter{"gravity.z", {-3}}});
  const std::shared_ptr<const Keyframe> keyframe = run.keyframe();
  EXPECT_EQ(keyframe->model, model);
  EXPECT_EQ(keyframe->state.step, 1u);
  EXPECT_EQ(hashOf(keyframe->state), hash());
  EXPECT_EQ(keyframe->backend, "paper");
}

TEST_F(LiveRuns, LookingDoesNotStep) {
  advance();
  const std::shared_ptr<const Snapshot> seen = run.observe();
  EXPECT_EQ(seen->step, 1u);
  EXPECT_EQ(seen->model, model);
  EXPECT_EQ(seen->stateHash, hash());
  EXPECT_EQ(run.step, 1u);
  EXPECT_EQ(behaviour->calls, 1);
}

// ---- as another model sees it

TEST_F(LiveRuns, AnEditGoesOnWithWhatBothModelsHave) {
  advance({SetParameter{"gravity.z", {-3}}});
  const auto longer = testing::oneBodyModel(20);
  const LiveRun edited = run.as(longer).value();
  EXPECT_EQ(edited.model, longer);
  EXPECT_EQ(edited.step, 1u);
  EXPECT_EQ(edited.time, 0.01);
  EXPECT_EQ(edited.tuning->gravity.z(), -3);
  EXPECT_EQ(edited.state().q, run.state().q);
  EXPECT_EQ(edited.state().v, run.state().v);
  EXPECT_EQ(run.model, model) << "the run itself stays";
}

TEST_F(LiveRuns, WhatAnEditBringsStartsAsItsSceneSays) {
  advance();
  const auto other = testing::oneBodyModel();
  other->tree.joints[0].name = "box.free";
  other->initialQ[2] = 5;
  const LiveRun edited = run.as(other).value();
  EXPECT_EQ(edited.step, 1u);
  EXPECT_EQ(edited.state().q, other->initialQ);
  EXPECT_EQ(edited.state().v, VecX::Zero(6));
}

/// Remembers a number, and knows what it means to other models.
struct RememberingStepper final : FakeStepper {
  using FakeStepper::FakeStepper;
  VecX carried(const std::shared_ptr<const Model>& from, std::string_view name,
               const VecX& values) const override {
    return name == "known" ? VecX::Constant(1, values[0] + from->time.duration) : VecX();
  }
};

TEST_F(LiveRuns, WhatTheMethodRemembersIsCarriedByTheStepperThatGoesOn) {
  run.makeStepper = [this](std::shared_ptr<const Model> of) -> Result<std::unique_ptr<Stepper>> {
    return std::unique_ptr<Stepper>(std::make_unique<RememberingStepper>(std::move(of), behaviour));
  };
  State state = run.state();
  state.remembered("known").setConstant(1, 4);
  state.remembered("unknown").setConstant(1, 4);
  run.stepper->restore(state);
  State after = run.as(testing::oneBodyModel(20)).value().state();
  ASSERT_EQ(after.remembered("known").size(), 1);
  EXPECT_EQ(after.remembered("known")[0], 4 + 10) << "as the model before has it, which lasts 10 s";
  EXPECT_EQ(after.remembered("unknown").size(), 0);
}

}  // namespace
}  // namespace slipstick
