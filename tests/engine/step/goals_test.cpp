// Tools on their way to where people want them, on arms that are simple enough to know the way.
#include "engine/step/goals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/multibody/kinematics.h"

namespace slipstick {
namespace {

using multibody::Joint;
using multibody::JointType;
using ::testing::ElementsAre;

constexpr double kDt = 0.01;

/// A tool on three slides along x, y and z, within ±10 m, and two fingers that nobody drives at first. No gravity: targets
/// are where the way is. Every slide moves 1 kg more than the one it carries.
struct Goals : ::testing::Test {
  Goals() {
    model.time.dt = kDt;
    for (int axis = 0; axis < 3; ++axis) {
      Joint joint;
      joint.type = JointType::Prismatic;
      joint.parent = axis;
      joint.axis = Vec3::Unit(axis);
      joint.lower = -10;
      joint.upper = 10;
      model.tree.add({.name = "slide", .mass = 1, .inertia = Mat3::Identity()}, joint);
    }
    for (int finger = 0; finger < 2; ++finger) {
      Joint joint;
      joint.type = JointType::Prismatic;
      joint.parent = 3;
      joint.lower = -1;
      joint.upper = 1;
      model.tree.add({.name = "finger", .mass = 0.1, .inertia = Mat3::Identity()}, joint);
    }
    model.initialQ = VecX::Zero(5);
    model.initialV = VecX::Zero(5);
    Effector effector;
    effector.name = "tool";
    effector.chain = {.body = 3,
                      .X_BE = Pose::translation({0, 0, 0.5}),
                      .joints = {0, 1, 2},
                      .speed = {5, 5, 5},
                      .quickness = {100, 100, 100}};
    effector.speed = {.linear = 0.3, .acceleration = 2, .turn = 1.5, .turnAcceleration = 10};
    effector.gripper = {.joints = {3, 4},
                        .open = {0.04, 0},
                        .closed = {0, -0.02},
                        .effort = 15,
                        .kp = {700, 800},
                        .kd = {7, 8},
                        .closingTime = 0.5};
    model.effectors = {effector};
    state = State::initial(model);
    targets.effort = VecX::Zero(5);
  }
  /// Asks for the tool's origin; its frame stands 0.5 m above the last slide.
  State::Goal& ask(const Vec3& p) {
    apply(Goal{.effector = 0, .p = p + Vec3(0, 0, 0.5)}, model, state);
    return state.goals[0];
  }
  void evaluate() {
    targets.pd.clear();
    evaluateOn(targets);
  }
  void evaluateOn(ActuatorTargets& on) {
    std::vector<Pose> X_WB;
    multibody::computePoses(model.tree, state.q, X_WB);
    servo.prepare(model, X_WB);
    goals.evaluate(model, X_WB, servo, state, on);
  }
  StepFacts::EffectorGoal facts() const { return goalFacts(model, state, state.goals[0]); }
  std::vector<int> jointsWithTargets() const {
    std::vector<int> joints;
    for (const PdTarget& target : targets.pd) joints.push_back(target.joint);
    return joints;
  }

  Model model;
  State state;
  JointServo servo;
  EffectorGoals goals;
  ActuatorTargets targets;
};

TEST_F(Goals, WithoutAGoalNothingIsTouched) {
  targets.pd = {{.joint = 1, .q = 0.3}};
  targets.effort[2] = 4;
  evaluateOn(targets);
  EXPECT_THAT(jointsWithTargets(), ElementsAre(1));
  EXPECT_EQ(targets.effort[2], 4);
}

// ---- the way

TEST_F(Goals, AToolStartsWithItsAcceleration) {
  ask({0.6, 0.8, 0});
  evaluate();
  // v = a Δt along (0.6, 0.8, 0), and q = v Δt.
  EXPECT_TRUE(state.goals[0].v.isApprox(2 * kDt * Vec3(0.6, 0.8, 0), 1e-6));
  EXPECT_TRUE(state.goals[0].q.isApprox(kDt * 2 * kDt * Vec3(0.6, 0.8, 0), 1e-6));
  EXPECT_EQ(state.q, VecX::Zero(5)) << "what is on the way is not the arm itself";
}

TEST_F(Goals, AToolGoesStraightAndNoFasterThanItMayAndStopsAtItsGoal) {
  const Vec3 goal(0.6, -0.8, 0.3);
  ask(goal);
  double left = goal.norm(), fastest = 0;
  Vec3 before = Vec3::Zero();
  for (int k = 0; k < 1000; ++k) {
    evaluate();
    const Vec3 q = state.goals[0].q, v = state.goals[0].v;
    EXPECT_LT(q.cross(goal).norm(), 1e-6) << "step " << k;
    ASSERT_LE((goal - q).norm(), left + 1e-9) << "step " << k;
    EXPECT_LE((v - before).norm(), 2 * kDt + 1e-6) << "step " << k;
    EXPECT_LE(v.norm(), 0.3 + 1e-6) << "step " << k;
    fastest = std::max(fastest, v.norm());
    left = (goal - q).norm();
    before = v;
  }
  EXPECT_NEAR(fastest, 0.3, 1e-6) << "the way is long enough for that";
  EXPECT_LT(left, 1e-4);
  EXPECT_TRUE(facts().reached);
}

TEST_F(Goals, AToolThatIsWhereItShallBeStaysThere) {
  ask(Vec3::Zero());
  for (int k = 0; k < 10; ++k) evaluate();
  EXPECT_LT(state.goals[0].q.norm(), 1e-9);
  EXPECT_LT(state.goals[0].v.norm(), 1e-9);
}

TEST_F(Goals, AToolThatCannotTurnMovesAllTheSame) {
  ask({0.5, 0, 0}).R = Quat(Eigen::AngleAxisd(1, Vec3::UnitX()));
  for (int k = 0; k < 600; ++k) evaluate();
  EXPECT_NEAR(state.goals[0].q[0], 0.5, 1e-3);
  EXPECT_TRUE(state.goals[0].q.allFinite());
  EXPECT_FALSE(facts().reached) << "it is there, but not turned";
}

TEST_F(Goals, AGoalBeyondALimitIsComeAsNearAsItGoes) {
  model.tree.joints[0].upper = 0.2;
  ask({0.5, 0, 0});
  for (int k = 0; k < 600; ++k) evaluate();
  EXPECT_NEAR(state.goals[0].q[0], 0.2, 1e-3);
  EXPECT_LE(state.goals[0].q[0], 0.2 + 1e-9);
  EXPECT_FALSE(facts().reached);
  EXPECT_EQ(facts().atLimit, 0);
  // Nothing has run ahead: it comes back at once.
  ask({0, 0, 0});
  const double end = state.goals[0].q[0];
  evaluate();
  EXPECT_LT(state.goals[0].q[0], end);
}

TEST_F(Goals, AWristTurnsWithItsAccelerationToItsGoal) {
  // Three hinges about z, x and y through one point: any turn near to none.
  for (int axis = 0; axis < 3; ++axis) {
    model.tree.joints[static_cast<std::size_t>(axis)].type = JointType::Revolute;
    model.tree.joints[static_cast<std::size_t>(axis)].axis = Vec3::Unit((axis + 2) % 3);
  }
  model.effectors[0].chain.X_BE = {};
  apply(Goal{.effector = 0, .R = Quat(Eigen::AngleAxisd(1, Vec3::UnitZ()))}, model, state);
  evaluate();
  EXPECT_NEAR(state.goals[0].v[0], 10 * kDt, 1e-6);
  for (int k = 0; k < 600; ++k) {
    evaluate();
    EXPECT_LE(state.goals[0].v[0], 1.5 + 1e-6);
    EXPECT_LE(state.goals[0].q[0], 1 + 1e-3);
  }
  EXPECT_NEAR(state.goals[0].q[0], 1, 1e-3);
  EXPECT_TRUE(facts().reached);
}

// ---- what the actuators are asked for

TEST_F(Goals, JointsOfTheChainAreTakenFromTheControllersAndNoOtherIs) {
  ask({0.5, 0, 0});
  targets.pd = {{.joint = 3, .q = 0.01}, {.joint = 1, .q = 9}};
  targets.effort << 1, 2, 3, 4, 5;
  evaluateOn(targets);
  EXPECT_THAT(jointsWithTargets(), ElementsAre(3, 0, 1, 2));
  EXPECT_EQ(targets.pd[0].q, 0.01);
  EXPECT_TRUE(targets.effort.isApprox((VecX(5) << 0, 0, 0, 4, 5).finished(), 0));
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k + 1);
    EXPECT_EQ(targets.pd[i].q, state.goals[0].q[k]);
    EXPECT_EQ(targets.pd[i].v, state.goals[0].v[k]);
  }
}

TEST_F(Goals, AJointUsesItsFullEffortAtFiveMillimetresOrAFiftiethOfARadian) {
  model.tree.joints[0].effortLimit = 1000;      // 200,000 N/m: more than its inertia asks for
  model.tree.joints[1].effortLimit = {0, 4e3};  // the larger of both bounds
  model.tree.joints[2].type = JointType::Revolute;
  model.tree.joints[2].axis = Vec3::UnitZ();
  model.tree.joints[2].effortLimit = 2000;
  ask(Vec3::Zero());
  evaluate();
  EXPECT_DOUBLE_EQ(targets.pd[0].kp, 1000 / 5e-3);
  EXPECT_DOUBLE_EQ(targets.pd[1].kp, 4e3 / 5e-3);
  EXPECT_DOUBLE_EQ(targets.pd[2].kp, 2000 / 0.02);
  EXPECT_EQ(targets.pd[1].effortLimit, multibody::EffortRange(0, 4e3));
}

TEST_F(Goals, AJointWithoutAnEffortLimitIsAsStiffAsADrivenOne) {
  ask(Vec3::Zero());
  evaluate();
  for (int joint = 0; joint < 3; ++joint)
    EXPECT_EQ(targets.pd[static_cast<std::size_t>(joint)].kp, servo.targetOf(model, joint, 0, 0).kp);
}

// ---- detours

TEST_F(Goals, OnADetourAllJointsArriveTogetherAndThePostureIsKept) {
  for (double& quickness : model.effectors[0].chain.quickness) quickness = 1000;
  State::Goal& goal = ask({9, 9, 9});
  goal.detour = Vec3(1, -0.5, 0);
  double left = 1, fastest = 0;
  int steps = 0;
  for (; goal.detour.size() > 0 && steps < 2000; ++steps) {
    evaluate();
    // Up to the last steps, where each of them brakes by itself.
    if (left > 0.03) {
      EXPECT_NEAR(goal.q[1], -0.5 * goal.q[0], 1e-9) << "step " << steps;
    }
    EXPECT_EQ(goal.q[2], 0) << "step " << steps;
    left = 1 - goal.q[0];
    fastest = std::max(fastest, goal.v[0]);
  }
  EXPECT_LT(steps, 2000);
  EXPECT_NEAR(fastest, 0.5 * 5, 1e-9) << "half of the speed of the one that has the longest way";
  EXPECT_LE((goal.q - Vec3(1, -0.5, 0)).lpNorm<Eigen::Infinity>(), 1e-3);
  EXPECT_EQ(goal.home, Vec3(1, -0.5, 0));
  for (int k = 0; k < 200; ++k) evaluate();
  EXPECT_GT(goal.q[1], -0.3) << "then the way to the goal goes on";
}

TEST_F(Goals, ADetourChangesSpeedsByNoMoreThanTheJointsCan) {
  for (double& quickness : model.effectors[0].chain.quickness) quickness = 3;
  ask(Vec3::Zero()).detour = Vec3(2, 2, 2);
  double before = 0, fastest = 0;
  for (int k = 0; k < 400 && state.goals[0].detour.size() > 0; ++k) {
    evaluate();
    EXPECT_LE(std::abs(state.goals[0].v[0] - before), 3 * kDt + 1e-12) << "step " << k;
    EXPECT_LE(state.goals[0].q[0], 2 + 1e-9);
    before = state.goals[0].v[0];
    fastest = std::max(fastest, before);
  }
  EXPECT_EQ(state.goals[0].detour.size(), 0);
  EXPECT_GT(fastest, 1);
}

TEST_F(Goals, ADetourToWhereTheArmIsEndsAtOnce) {
  ask(Vec3::Zero()).detour = Vec3::Zero();
  evaluate();
  EXPECT_EQ(state.goals[0].detour.size(), 0);
  EXPECT_TRUE(state.goals[0].q.allFinite());
}

// ---- fingers

TEST_F(Goals, FingersThatAreNotDrivenAreLeftAlone) {
  ask(Vec3::Zero());
  evaluate();
  EXPECT_THAT(jointsWithTargets(), ElementsAre(0, 1, 2));
  EXPECT_EQ(facts().closing, -1);
}

TEST_F(Goals, FingersCloseWithinTheirTimeAndStopThere) {
  State::Goal& goal = ask(Vec3::Zero());
  goal.grips = true;
  goal.closing = 1;
  for (int k = 1; k <= 60; ++k) {
    evaluate();
    const double closed = std::min(1.0, k * kDt / 0.5), rate = k <= 50 ? 1 / 0.5 : 0;
    ASSERT_THAT(jointsWithTargets(), ElementsAre(0, 1, 2, 3, 4));
    EXPECT_NEAR(state.goals[0].closed, closed, 1e-12);
    EXPECT_NEAR(targets.pd[3].q, 0.04 - 0.04 * closed, 1e-12);
    EXPECT_NEAR(targets.pd[4].q, -0.02 * closed, 1e-12);
    EXPECT_NEAR(targets.pd[3].v, -0.04 * rate, 1e-9);
    EXPECT_NEAR(targets.pd[4].v, -0.02 * rate, 1e-9);
  }
  EXPECT_EQ(facts().closing, 1);
}

TEST_F(Goals, FingersOpenAsFast) {
  State::Goal& goal = ask(Vec3::Zero());
  goal.grips = true;
  goal.closed = 1;
  goal.closing = 0.97;
  evaluate();
  EXPECT_NEAR(state.goals[0].closed, 0.98, 1e-12);
  evaluate();
  EXPECT_NEAR(state.goals[0].closed, 0.97, 1e-12) << "no further than it is asked to";
}

TEST_F(Goals, FingersPressWithTheGrippersEffortAndMeanTo) {
  State::Goal& goal = ask(Vec3::Zero());
  goal.grips = true;
  model.tree.joints[4].effortLimit = {-4, 40};
  targets.pd = {{.joint = 4, .q = 9}};
  targets.effort[3] = 6;
  evaluateOn(targets);
  ASSERT_THAT(jointsWithTargets(), ElementsAre(0, 1, 2, 3, 4))
      << "they are taken from the scene's controllers";
  EXPECT_EQ(targets.effort[3], 0);
  EXPECT_EQ(targets.pd[3].effortLimit, multibody::EffortRange(15));
  EXPECT_EQ(targets.pd[4].effortLimit, multibody::EffortRange(-4, 15)) << "within the joint's own";
  EXPECT_EQ(targets.pd[3].kp, 700);
  EXPECT_EQ(targets.pd[4].kd, 8);
  EXPECT_TRUE(targets.pd[3].lowerIsMeant && targets.pd[3].upperIsMeant);
}

// ---- what a snapshot says

TEST_F(Goals, FactsSayWhatIsWantedAndHowFarTheWayIs) {
  ask({0.5, 0, 0}).q = Vec3(0.1, 0.2, 0.3);
  const StepFacts::EffectorGoal now = facts();
  EXPECT_EQ(now.effector, 0);
  EXPECT_TRUE(now.wanted.p.isApprox(Vec3(0.5, 0, 0.5)));
  EXPECT_TRUE(now.onTheWay.p.isApprox(Vec3(0.1, 0.2, 0.8)));
  EXPECT_FALSE(now.reached);
  EXPECT_EQ(now.atLimit, -1);
}

TEST_F(Goals, AGoalIsReachedWithinAMillimetreAndHalfADegree) {
  State::Goal& goal = ask({0.5, 0, 0});
  goal.q = Vec3(0.5 - 0.9e-3, 0, 0);
  EXPECT_TRUE(facts().reached);
  goal.q[0] = 0.5 - 1.1e-3;
  EXPECT_FALSE(facts().reached);
  goal.q[0] = 0.5;
  const auto turned = [](double degrees) {
    return Quat(Eigen::AngleAxisd(degrees / 180 * std::numbers::pi, Vec3::UnitY()));
  };
  goal.R = turned(0.4);
  EXPECT_TRUE(facts().reached);
  goal.R = turned(0.6);
  EXPECT_FALSE(facts().reached);
}

TEST_F(Goals, ALimitIsNamedWhereItKeepsTheToolFromItsGoal) {
  State::Goal& goal = ask({0.5, 0, 0});
  goal.q = Vec3(0, -10 + 0.9e-3, 10);
  EXPECT_EQ(facts().atLimit, 1) << "the first one";
  goal.q = Vec3(0, -10 + 1.1e-3, 10 - 0.9e-3);
  EXPECT_EQ(facts().atLimit, 2);
  model.tree.joints[2].type = JointType::Continuous;
  model.tree.joints[2].axis = Vec3::UnitZ();
  EXPECT_EQ(facts().atLimit, -1) << "it has none";
}

TEST_F(Goals, ALimitIsNoMatterOnceTheGoalIsReached) {
  ask({10, 0, 0}).q = Vec3(10, 0, 0);
  EXPECT_TRUE(facts().reached);
  EXPECT_EQ(facts().atLimit, -1);
}

}  // namespace
}  // namespace slipstick
