// Hands on an arm: what devices say becomes goals, by the simulation's own time, and stops where the hand stops.
#include <gtest/gtest.h>

#include "assets/scene_io.h"
#include "engine/compile/compile.h"
#include "engine/multibody/kinematics.h"
#include "engine/runtime/simulation_thread.h"
#include "engine/teleop/teleop.h"
#include "tests/support/stepping.h"
#include "tests/support/test_paths.h"
#include "tests/validation/arm_scene.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

DeviceInfo padInfo() {
  return {"pad", "Pad", DeviceKind::Other, {"x", "y", "z", "roll", "pitch", "yaw"}, {"A", "B", "C"}, false};
}

double toolHeight(const Model& model) {
  std::vector<Pose> X_WB;
  multibody::computePoses(model.tree, model.initialQ, X_WB);
  return X_WB[static_cast<std::size_t>(model.findBody("arm7.flange"))].p.z();
}

/// A hand on one device, and steps of the arm that it drives.
class DrivenArm {
 public:
  DrivenArm() : run(testing::armScene()) {
    teleop.plugged(1, padInfo());
    teleop.setActive(true);
    DeviceUse use = teleop.devices().front().use;
    for (MotionMap& motion : use.map.motions) motion.response = {};
    use.map.of(Motion::X).scale = use.map.of(Motion::Y).scale = use.map.of(Motion::Z).scale = 0.2;
    teleop.setUse(1, use);
    reading.axes.assign(6, 0);
  }
  void hold(std::size_t axis, double value) {
    reading.axes[axis] = value;
    say();
  }
  void say() {
    reading.at = DeviceReading::Clock::now();
    teleop.moved(1, reading);
    reading.pressed = 0;
    reading.poses.clear();
  }
  void use(MotionFrame frame) {
    DeviceUse use = teleop.devices().front().use;
    use.frame = frame;
    teleop.setUse(1, use);
  }
  std::vector<Command> step() {
    auto now = std::make_shared<Snapshot>(run.snapshot());
    now->model = run.sharedModel();
    std::vector<Command> commands;
    teleop.addCommands(now, commands);
    for (const Command& command : commands) EXPECT_TRUE(check(command, run.model()));
    run.step(commands);
    return commands;
  }
  void stepFor(double seconds) {
    const double end = run.snapshot().time + seconds;
    while (run.snapshot().time < end - 0.5 * run.model().time.dt) step();
  }
  Pose tool() const {
    const multibody::Chain& chain = run.model().effectors.front().chain;
    return run.snapshot().X_WB[static_cast<std::size_t>(chain.body)] * chain.X_BE;
  }

  testing::SceneRun run;
  Teleop teleop;
  DeviceReading reading;
};

TEST(DrivingByHand, TheToolGoesAsFarPerSimulatedSecondAsTheHandAsks) {
  DrivenArm arm;
  const Pose start = arm.tool();
  arm.hold(2, 0.5);  // up by 0.1 m/s
  arm.stepFor(1);
  arm.hold(2, 0);
  arm.stepFor(0.5);
  const Vec3 moved = arm.tool().p - start.p;
  EXPECT_NEAR(moved.z(), 0.1, 2e-3);
  EXPECT_LT(moved.head<2>().norm(), 1e-3);
  EXPECT_TRUE(arm.run.snapshot().goals.front().reached);
  EXPECT_TRUE(arm.step().empty()) << "a hand at rest says nothing";
}

TEST(DrivingByHand, RatesAreOfTheChosenAxes) {
  DrivenArm arm;
  arm.use(MotionFrame::Tool);
  const Pose start = arm.tool();
  arm.hold(0, 0.5);
  arm.stepFor(0.5);
  EXPECT_LT((arm.tool().p - start.p).normalized().dot(-start.R.col(0)), -0.99);
  DrivenArm other;
  Mat3 R_WV;
  R_WV << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  other.teleop.setCameraAxes(R_WV);
  other.use(MotionFrame::Camera);
  other.hold(0, 0.5);
  other.stepFor(0.5);
  EXPECT_GT((other.tool().p - start.p).normalized().y(), 0.99);
}

TEST(DrivingByHand, AGoalDoesNotRunAheadOfAnArmThatCannotFollow) {
  DrivenArm arm;
  arm.hold(0, 1);
  arm.stepFor(8);  // to the end of its reach, and on
  const StepFacts::EffectorGoal& goal = arm.run.snapshot().goals.front();
  EXPECT_LT((goal.wanted.p - arm.tool().p).norm(), Teleop::kLeash + 0.01);
  const double x = arm.tool().p.x();
  arm.hold(0, -1);
  arm.stepFor(0.7);  // the leash is 0.3 s long at this speed
  EXPECT_LT(arm.tool().p.x(), x - 0.03) << "it comes back without delay";
}

TEST(DrivingByHand, AHandFasterThanTheToolDoesNotLeaveItBehind) {
  DrivenArm arm;
  const EffectorSpeed& speed = arm.run.model().effectors.front().speed;
  DeviceUse use = arm.teleop.devices().front().use;
  for (const Motion motion : {Motion::X, Motion::Y, Motion::Z}) use.map.of(motion).scale = speed.linear;
  arm.teleop.setUse(1, use);
  arm.hold(0, -1);
  arm.hold(1, 1);
  arm.hold(2, 0.5);  // 1.5 times as fast as it may go
  arm.stepFor(0.8);
  const Pose released = arm.tool();
  arm.hold(0, 0);
  arm.hold(1, 0);
  arm.hold(2, 0);
  arm.stepFor(1);
  const double braking = speed.linear * speed.linear / (2 * speed.acceleration);
  EXPECT_LT((arm.tool().p - released.p).norm(), braking + 5e-3) << "no farther than it needs to stop";
}

TEST(DrivingByHand, StopFreezesUntilItGoesOn) {
  DrivenArm arm;
  arm.hold(1, 1);
  arm.stepFor(0.5);
  arm.teleop.stop();
  arm.stepFor(0.5);
  const Pose stopped = arm.tool();
  arm.stepFor(0.5);
  EXPECT_LT((arm.tool().p - stopped.p).norm(), 5e-4);
  EXPECT_TRUE(arm.teleop.isStopped());
  arm.teleop.resume();
  EXPECT_TRUE(arm.step().empty())
      << "a stick that is still pushed moves nothing: letting go of Stop is no start";
  arm.hold(1, 0.9);
  EXPECT_TRUE(arm.step().empty());
  arm.hold(1, 0);
  arm.hold(1, 1);
  arm.stepFor(0.5);
  EXPECT_GT((arm.tool().p - stopped.p).norm(), 0.05);
}

TEST(DrivingByHand, NothingThatADeviceSaysOrDoesGoesOnAfterStop) {
  DrivenArm arm;
  DeviceUse use = arm.teleop.devices().front().use;
  for (const ButtonAction action :
       {ButtonAction::ToggleGripper, ButtonAction::Stop, ButtonAction::Reset, ButtonAction::NextFrame,
        ButtonAction::SlowWhileHeld, ButtonAction::Keep, ButtonAction::Discard})
    use.map.buttons.push_back({"A", action});
  arm.teleop.setUse(1, use);
  arm.step();
  arm.teleop.stop();
  arm.step();
  for (std::size_t axis = 0; axis < 6; ++axis) arm.hold(axis, 1);
  arm.reading.pressed = 1;
  arm.reading.poses = {{"", Pose::translation({0, 0, 1}), 1.0}};  // as a policy on the network sends them
  arm.say();
  EXPECT_TRUE(arm.step().empty());
  arm.teleop.setUse(1, use);
  arm.teleop.unplugged(1);
  arm.teleop.plugged(2, padInfo());
  arm.teleop.plugged(3, {"other", "Other", DeviceKind::Gamepad, {"x"}, {"A"}, false});
  arm.teleop.setActive(false);
  arm.teleop.setActive(true);
  arm.step();
  EXPECT_TRUE(arm.teleop.isStopped());
  EXPECT_TRUE(arm.step().empty());
}

TEST(DrivingByHand, WhatWasSentWhileNothingMovedIsNotDoneLater) {
  DrivenArm arm;
  arm.step();
  const auto send = [&] {
    arm.reading.poses = {{"", Pose::translation({0, 0, 1}), std::nullopt}};
    arm.say();
  };
  arm.teleop.stop();
  arm.step();
  send();  // and no step until it goes on: the simulation rests
  arm.teleop.resume();
  EXPECT_TRUE(arm.step().empty());
  arm.teleop.setActive(false);
  send();
  arm.teleop.setActive(true);
  EXPECT_TRUE(arm.step().empty());
  send();
  EXPECT_EQ(arm.step().size(), 1u);
}

TEST(DrivingByHand, AStopThatIsTakenBackBeforeAnyStepHasFrozenItsGoals) {
  DrivenArm arm;
  arm.reading.poses = {{"", arm.tool() * Pose::translation({0, 0, 0.2}), std::nullopt}};
  arm.say();
  arm.stepFor(0.2);
  arm.teleop.stop();
  arm.teleop.resume();
  arm.stepFor(0.5);
  EXPECT_TRUE(arm.run.snapshot().goals.front().reached) << "where the tool came to rest";
  const Pose rests = arm.tool();
  arm.stepFor(0.5);
  EXPECT_LT((arm.tool().p - rests.p).norm(), 5e-4);
}

TEST(DrivingByHand, ALostDeviceHoldsItsLastPoseAndSaysSo) {
  DrivenArm arm;
  arm.hold(1, 1);
  arm.stepFor(0.3);
  arm.teleop.unplugged(1);
  arm.stepFor(0.6);
  const Pose held = arm.tool();
  arm.stepFor(0.5);
  EXPECT_LT((arm.tool().p - held.p).norm(), 5e-4);
  ASSERT_EQ(arm.teleop.devices().size(), 1U);
  EXPECT_TRUE(arm.teleop.devices().front().isLost);
  DeviceUse use = arm.teleop.devices().front().use;
  arm.teleop.plugged(2, padInfo());
  ASSERT_EQ(arm.teleop.devices().size(), 1U) << "it is the same one";
  EXPECT_EQ(arm.teleop.devices().front().use, use) << "and is used as before";
}

TEST(DrivingByHand, EveryPoseIsAGoalInItsOrder) {
  DrivenArm arm;
  const Pose start = arm.tool();
  std::vector<Vec3> sent;
  for (int i = 0; i < 7; ++i) {
    Pose X = start;
    X.p.z() += 0.001 * i;
    sent.push_back(X.p);
    arm.reading.poses.push_back({"", X, std::nullopt});
    if (i == 3) arm.say();
  }
  arm.reading.poses.push_back({"nobody", start, std::nullopt});
  arm.say();
  const std::vector<Command> commands = arm.step();
  ASSERT_EQ(commands.size(), sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i) EXPECT_EQ(std::get<Goal>(commands[i]).p, sent[i]);
  const std::optional<Error> trouble = arm.teleop.devices().front().trouble;
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->where, "nobody");
}

TEST(DrivingByHand, ButtonsStopAndAskForWhatIsOthersToDo) {
  DrivenArm arm;
  DeviceUse use = arm.teleop.devices().front().use;
  use.map.buttons = {{"A", ButtonAction::Reset}, {"B", ButtonAction::Stop}, {"C", ButtonAction::NextFrame}};
  arm.teleop.setUse(1, use);
  arm.reading.pressed = 0b111;
  arm.say();
  EXPECT_EQ(arm.teleop.takeActions(), std::vector{ButtonAction::Reset});
  EXPECT_TRUE(arm.teleop.takeActions().empty()) << "once";
  EXPECT_TRUE(arm.teleop.isStopped());
  EXPECT_EQ(arm.teleop.devices().front().use.frame, MotionFrame::Tool);
  arm.teleop.setActive(false);
  arm.teleop.resume();
  arm.hold(0, 1);
  EXPECT_TRUE(arm.step().empty()) << "nobody drives";
}

TEST(DrivingByHand, StepsKnowWhichInputTheyAreTheFirstToShow) {
  DrivenArm arm;
  arm.step();
  EXPECT_FALSE(arm.teleop.inputOf(1));
  arm.hold(0, 1);
  const auto at = arm.reading.at;
  arm.step();
  ASSERT_TRUE(arm.teleop.inputOf(2));
  EXPECT_EQ(*arm.teleop.inputOf(2), at);
  arm.step();
  EXPECT_FALSE(arm.teleop.inputOf(3)) << "the hand has not moved since";
}

TEST(DrivingByHand, TheTaskIsWatchedStepByStep) {
  Scene scene = testing::armScene();
  TaskSpec task;
  task.text = "Lift the flange";
  task.timeLimit = 5;
  task.success = {{.observable = "arm7.flange.z", .above = 0.0, .below = {}}};
  scene.task = task;
  const Result<CompiledScene> first = compile(scene);
  ASSERT_TRUE(first) << first.error().message();
  const double start = toolHeight(*first->model);
  scene.task->success[0].above = start + 0.02;
  const Result<CompiledScene> compiled = compile(scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  const auto made = SimulationThread::create(compiled->model, [](std::shared_ptr<const Model> model) {
    return Result<std::unique_ptr<Stepper>>(testing::stepperOf(std::move(model), {}));
  });
  ASSERT_TRUE(made);
  const auto teleop = std::make_shared<Teleop>();
  (*made)->setPilot(teleop);
  EXPECT_FALSE(teleop->task()) << "before the first step";
  (*made)->runUntil(0.1);
  (*made)->waitUntilIdle();
  ASSERT_TRUE(teleop->task());
  EXPECT_EQ(teleop->task()->outcome(), TaskOutcome::Running);
  const StepFacts& now = *(*made)->latest();
  const multibody::Chain& chain = compiled->model->effectors.front().chain;
  const Pose X = now.X_WB[static_cast<std::size_t>(chain.body)] * chain.X_BE;
  ASSERT_TRUE((*made)->post(Goal{0, X.p + Vec3(0, 0, 0.05), Quat(X.R)}));
  (*made)->runUntil(1.5);
  (*made)->waitUntilIdle();
  EXPECT_EQ(teleop->task()->outcome(), TaskOutcome::Succeeded);
  EXPECT_GT(teleop->task()->time(), 0.1);
  EXPECT_LT(teleop->task()->time(), 1.5);
}

/// The same with the thread that simulates: what the pilot asked for is in the log, and replays without it.
TEST(DrivingByHand, WhatWasDrivenReplaysBitForBit) {
  const Result<CompiledScene> compiled = compile(testing::armScene());
  ASSERT_TRUE(compiled);
  const auto made = SimulationThread::create(compiled->model, [](std::shared_ptr<const Model> model) {
    return Result<std::unique_ptr<Stepper>>(testing::stepperOf(std::move(model), {}));
  });
  ASSERT_TRUE(made);
  SimulationThread& simulation = **made;
  const auto teleop = std::make_shared<Teleop>();
  simulation.setPilot(teleop);
  teleop->plugged(1, padInfo());
  teleop->setActive(true);
  DeviceReading reading;
  for (const double push : {0.3, -0.7, 1.0}) {
    reading.axes = {push, 0.5 * push, -0.2, 0, push, 0};
    reading.at = DeviceReading::Clock::now();
    teleop->moved(1, reading);
    simulation.runUntil(simulation.latest()->time + 0.3);
    simulation.waitUntilIdle();
  }
  const auto end = simulation.latest();
  ASSERT_FALSE(end->goals.empty());
  teleop->setActive(false);
  const std::uint64_t middle = end->step / 2;
  const std::uint64_t hash = simulation.at(middle + 5)->stateHash;
  simulation.resumeFrom(simulation.status().branch, middle + 5);
  simulation.waitUntilIdle();
  EXPECT_EQ(simulation.status().error, "");
  EXPECT_EQ(simulation.latest()->step, middle + 5);
  EXPECT_EQ(simulation.latest()->stateHash, hash);
}

}  // namespace
}  // namespace slipstick
