// A model that is stepped in the foreground; what a gate leaves out of its commands is in command_gate_test.cpp.
#include "engine/runtime/headless_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/foundation/stopping.h"
#include "tests/engine/runtime/fake_stepper.h"

namespace slipstick {
namespace {

using testing::FakeBehaviour;
using testing::FakeStepper;
using ::testing::HasSubstr;

/// Gives up a step where it is asked to, and has no room for a state where a test says so.
struct StoppingStepper final : FakeStepper {
  using FakeStepper::FakeStepper;
  StepReport step(std::span<const Command> commands, Snapshot& snapshot, Detail detail,
                  const std::stop_token& stop) override {
    if (stop.stop_requested()) throw Stopped();
    details.push_back(detail);
    return FakeStepper::step(commands, snapshot, detail, stop);
  }
  void observe(Snapshot& snapshot, Detail detail) override {
    if (full)
      throw StepFailure(
          {ErrorCode::DeviceFailure, "it has no memory left", "the device", "take another one"});
    details.push_back(detail);
    FakeStepper::observe(snapshot, detail);
  }
  std::vector<Detail> details;  ///< that were asked for
  bool full = false;
};

struct HeadlessRuns : ::testing::Test {
  std::shared_ptr<Model> model = testing::oneBodyModel();
  std::shared_ptr<FakeBehaviour> behaviour = std::make_shared<FakeBehaviour>();
  StoppingStepper* stepper = nullptr;
  std::unique_ptr<HeadlessRun> run = make();

  std::unique_ptr<HeadlessRun> make() {
    auto owned = std::make_unique<StoppingStepper>(model, behaviour);
    stepper = owned.get();
    return HeadlessRun::of(model, std::move(owned)).value();
  }
};

TEST_F(HeadlessRuns, BeginsAtTheStart) {
  EXPECT_EQ(run->snapshot().step, 0u);
  EXPECT_EQ(run->model(), model);
  EXPECT_EQ(&run->stepper(), stepper);
  EXPECT_EQ(behaviour->calls, 0);
}

TEST_F(HeadlessRuns, ABackendWithoutRoomIsAnError) {
  auto full = std::make_unique<StoppingStepper>(model, behaviour);
  full->full = true;
  const auto begun = HeadlessRun::of(model, std::move(full));
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().code, ErrorCode::DeviceFailure);
  stepper->full = true;
  EXPECT_FALSE(run->observe(Detail::Particles));
  EXPECT_FALSE(run->restore(State::initial(*model)));
}

TEST_F(HeadlessRuns, StepsOnWithTheNumbersThatWereSet) {
  ASSERT_TRUE(run->step());
  EXPECT_EQ(run->snapshot().step, 1u);
  EXPECT_DOUBLE_EQ(run->snapshot().v[5], -0.1);
  const std::vector<Command> commands = {SetParameter{"gravity.z", {-3}}};
  ASSERT_TRUE(run->step(commands, Detail::Facts));
  EXPECT_EQ(run->applied().size(), 1u);
  EXPECT_DOUBLE_EQ(run->snapshot().v[5], -0.13);
  ASSERT_TRUE(run->step());
  EXPECT_TRUE(run->applied().empty());
  EXPECT_DOUBLE_EQ(run->snapshot().v[5], -0.16);
}

TEST_F(HeadlessRuns, SnapshotsHoldWhatTheyAreAskedFor) {
  ASSERT_TRUE(run->step());
  EXPECT_EQ(stepper->details.back(), Detail::Facts);
  ASSERT_TRUE(run->step({}, Detail::Particles));
  EXPECT_EQ(stepper->details.end()[-1], Detail::Particles);
  auto owned = std::make_unique<StoppingStepper>(model, behaviour);
  stepper = owned.get();
  run = HeadlessRun::of(model, std::move(owned), Detail::Particles).value();
  EXPECT_EQ(stepper->details.back(), Detail::Particles);
  ASSERT_TRUE(run->step());
  EXPECT_EQ(stepper->details.back(), Detail::Particles);
}

TEST_F(HeadlessRuns, AStepThatIsRefusedSaysWhichAndWhyAndHasNotBeen) {
  model->name = "falling";
  ASSERT_TRUE(run->step());
  behaviour->nonFiniteAt = 2;
  const std::vector<Command> commands = {SetParameter{"gravity.z", {-3}}};
  const Result<void> refused = run->step(commands, Detail::Facts);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::SimulationFailed);
  EXPECT_EQ(refused.error().what, infoOf(Health::NonFinite).name);
  EXPECT_THAT(refused.error().where, HasSubstr("falling"));
  EXPECT_THAT(refused.error().where, HasSubstr("step 2 (t = 0.02 s)"));
  EXPECT_EQ(run->snapshot().step, 1u);
  behaviour->nonFiniteAt = -1;
  ASSERT_TRUE(run->step());
  EXPECT_DOUBLE_EQ(run->snapshot().v[5], -0.2) << "the number that it was to set is not in force";
}

TEST_F(HeadlessRuns, ABackendThatFailsSaysWhereAndWhatToDo) {
  behaviour->failAt = 1;
  const Result<void> failed = run->step();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::SimulationFailed);
  EXPECT_THAT(failed.error().what, HasSubstr("the device has failed"));
  EXPECT_THAT(failed.error().where, HasSubstr("step 1"));
  EXPECT_THAT(failed.error().remedy, HasSubstr("take another one"));
  EXPECT_EQ(run->snapshot().step, 0u);
}

TEST_F(HeadlessRuns, AStepThatIsGivenUpIsNoFailure) {
  std::stop_source stop;
  stop.request_stop();
  const Result<void> given = run->step({}, Detail::Facts, stop.get_token());
  ASSERT_FALSE(given);
  EXPECT_EQ(given.error().code, ErrorCode::Cancelled);
  EXPECT_TRUE(run->step()) << "it can go on";
}

TEST_F(HeadlessRuns, GoesOnFromAnotherState) {
  State state = State::initial(*model);
  state.step = 40;
  state.time = 0.4;
  auto tuning = std::make_shared<Tuning>(*state.tuning);
  tuning->gravity.z() = -1;
  state.tuning = tuning;
  ASSERT_TRUE(run->restore(state));
  EXPECT_EQ(run->snapshot().step, 40u) << "it is seen at once";
  ASSERT_TRUE(run->step());
  EXPECT_EQ(run->snapshot().step, 41u);
  EXPECT_DOUBLE_EQ(run->snapshot().v[5], -0.01);
}

TEST_F(HeadlessRuns, StepsToATimeAreThoseThatReachIt) {
  EXPECT_EQ(run->stepsTo(0), 0u);
  EXPECT_EQ(run->stepsTo(-1), 0u);
  EXPECT_EQ(run->stepsTo(0.001), 1u);
  EXPECT_EQ(run->stepsTo(0.021), 3u);
  // Whatever rounding says: 0.07 / 0.01 is more than 7.
  for (std::uint64_t steps = 0; steps < 200; ++steps)
    EXPECT_EQ(run->stepsTo(0.01 * static_cast<double>(steps)), steps);
}

}  // namespace
}  // namespace slipstick
