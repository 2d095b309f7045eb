// References that move to their goals, and joints that are taken from the scene's controllers.
#include "engine/step/drives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/multibody/kinematics.h"

namespace slipstick {
namespace {

using multibody::JointType;
using ::testing::ElementsAre;

constexpr double kFrequency = 15;  // of the reference [rad/s]
constexpr double kTurnSpeed = 2.5, kSlideSpeed = 0.5;

/// Joints beside each other, each with a body of 1 kg; no gravity.
struct Drives : ::testing::Test {
  explicit Drives(double dt = 0.01) { model.time.dt = dt; }
  int add(JointType type, double velocityLimit = std::numeric_limits<double>::infinity()) {
    multibody::Joint joint;
    joint.type = type;
    joint.velocityLimit = velocityLimit;
    model.tree.add({.name = "body", .mass = 1, .inertia = Mat3::Identity()}, joint);
    model.initialQ = model.tree.zeroPosition();
    model.initialV = VecX::Zero(model.tree.nv);
    state = State::initial(model);
    targets.effort = VecX::Zero(model.tree.nv);
    return static_cast<int>(model.tree.joints.size()) - 1;
  }
  void evaluate() {
    std::vector<Pose> X_WB;
    multibody::computePoses(model.tree, state.q, X_WB);
    servo.prepare(model, X_WB);
    evaluateDrives(model, servo, state, targets);
  }
  State::Drive& drive(int joint, double goal) {
    return state.drives.emplace_back(State::Drive{joint, goal, 0, 0});
  }
  std::vector<int> jointsWithTargets() const {
    std::vector<int> joints;
    for (const PdTarget& target : targets.pd) joints.push_back(target.joint);
    return joints;
  }

  Model model;
  State state;
  JointServo servo;
  ActuatorTargets targets;
};

TEST_F(Drives, WhereNothingIsDrivenAllStaysAsItIs) {
  add(JointType::Revolute);
  targets.pd = {{.joint = 0, .q = 0.3}};
  targets.effort[0] = 7;
  evaluate();
  EXPECT_THAT(jointsWithTargets(), ElementsAre(0));
  EXPECT_EQ(targets.pd[0].q, 0.3);
  EXPECT_EQ(targets.effort[0], 7);
}

TEST_F(Drives, TheReferenceMovesAsACriticallyDampedMass) {
  drive(add(JointType::Revolute), 0.1);
  // Implicit Euler from rest, with h = ω Δt: e_k = e_0 (1 + k h / (1 + h)) / (1 + h)^k.
  const double h = kFrequency * 0.01;
  for (int k = 1; k <= 80; ++k) {
    const double before = state.drives[0].q;
    evaluate();
    const double left = 0.1 * (1 + k * h / (1 + h)) / std::pow(1 + h, k);
    EXPECT_NEAR(0.1 - state.drives[0].q, left, 1e-14) << "step " << k;
    EXPECT_NEAR(state.drives[0].q - before, 0.01 * state.drives[0].v, 1e-15) << "step " << k;
  }
  EXPECT_EQ(state.q[0], 0) << "it is the reference that moves; the joint follows by its actuator";
}

TEST_F(Drives, TheReferenceNeverOvershootsWhateverTheStep) {
  const int joint = add(JointType::Revolute);
  for (const double dt : {1e-3, 0.05, 0.5, 10.0}) {
    for (const double goal : {0.01, 3.0, -3.0}) {
      model.time.dt = dt;
      state.drives.clear();
      drive(joint, goal);
      double left = std::abs(goal);
      for (int k = 0; k < 5000 && left > 1e-9; ++k) {
        evaluate();
        const double now = (goal - state.drives[0].q) * std::copysign(1, goal);
        ASSERT_GE(now, -1e-12) << dt << " " << goal;
        ASSERT_LT(now, left) << dt << " " << goal;
        left = now;
      }
      EXPECT_LT(left, 1e-6) << dt << " " << goal;
    }
  }
}

TEST_F(Drives, TheReferenceGoesOnAsItMoves) {
  State::Drive& moving = drive(add(JointType::Revolute), 0);
  moving.v = 1;
  evaluate();
  const double h = kFrequency * 0.01;
  EXPECT_NEAR(state.drives[0].v, 1 / ((1 + h) * (1 + h)), 1e-14) << "it brakes, and does not stop at once";
}

TEST_F(Drives, TheReferenceIsNoFasterThanTheJointMayBe) {
  const double inf = std::numeric_limits<double>::infinity();
  struct Case {
    JointType type;
    double limit, fastest;
  };
  for (const Case& c :
       {Case{JointType::Revolute, inf, kTurnSpeed}, Case{JointType::Continuous, inf, kTurnSpeed},
        Case{JointType::Prismatic, inf, kSlideSpeed}, Case{JointType::Revolute, 1, 1},
        Case{JointType::Revolute, 4, 4}, Case{JointType::Prismatic, 0.1, 0.1},
        // No limits, as files have them:
        Case{JointType::Revolute, 0, kTurnSpeed}, Case{JointType::Prismatic, -1, kSlideSpeed},
        Case{JointType::Revolute, std::nan(""), kTurnSpeed}}) {
    const int joint = add(c.type, c.limit);
    for (const double goal : {100.0, -100.0}) {
      state.drives.clear();
      drive(joint, goal);
      evaluate();
      EXPECT_EQ(state.drives[0].v, std::copysign(c.fastest, goal)) << c.limit;
      EXPECT_EQ(state.drives[0].q, 0.01 * std::copysign(c.fastest, goal)) << c.limit;
    }
  }
}

TEST_F(Drives, TheTargetIsThatOfTheServoAtTheNewReference) {
  drive(add(JointType::Revolute), 0.1);
  model.tree.joints[0].effortLimit = 30;
  evaluate();
  ASSERT_EQ(targets.pd.size(), 1u);
  const PdTarget expected = servo.targetOf(model, 0, state.drives[0].q, state.drives[0].v);
  EXPECT_GT(state.drives[0].q, 0);
  EXPECT_EQ(targets.pd[0].joint, 0);
  EXPECT_EQ(targets.pd[0].q, expected.q);
  EXPECT_EQ(targets.pd[0].v, expected.v);
  EXPECT_EQ(targets.pd[0].kp, expected.kp);
  EXPECT_EQ(targets.pd[0].kd, expected.kd);
  EXPECT_EQ(targets.pd[0].effortLimit, multibody::EffortRange(30));
}

TEST_F(Drives, ADrivenJointIsTakenFromTheControllersAndNoOtherIs) {
  for (int i = 0; i < 3; ++i) add(JointType::Revolute);
  targets.pd = {{.joint = 1, .q = 8}, {.joint = 0, .q = 0.3}, {.joint = 1, .q = 9}};
  targets.effort << 1, 2, 3;
  drive(1, 0.1);
  evaluate();
  EXPECT_THAT(jointsWithTargets(), ElementsAre(0, 1));
  EXPECT_EQ(targets.pd[0].q, 0.3);
  EXPECT_LT(targets.pd[1].q, 0.1);
  EXPECT_EQ(targets.effort, Vec3(1, 0, 3));
}

TEST_F(Drives, AJointIsTakenByWhereItsVelocityIs) {
  add(JointType::Floating);
  const int hinge = add(JointType::Revolute);
  targets.effort.setOnes();
  targets.pd = {{.joint = hinge}};
  takeJoint(model.tree.joints[1], hinge, targets);
  EXPECT_TRUE(targets.pd.empty());
  EXPECT_EQ(targets.effort[6], 0);
  EXPECT_EQ(targets.effort.head<6>().sum(), 6);
}

TEST_F(Drives, EachGoesToItsOwnGoal) {
  const int hinge = add(JointType::Revolute), slide = add(JointType::Prismatic);
  drive(slide, -0.1);
  drive(hinge, 0.2);
  for (int k = 0; k < 200; ++k) {
    targets.pd.clear();
    evaluate();
  }
  EXPECT_THAT(jointsWithTargets(), ElementsAre(slide, hinge));
  EXPECT_NEAR(targets.pd[0].q, -0.1, 1e-6);
  EXPECT_NEAR(targets.pd[1].q, 0.2, 1e-6);
}

}  // namespace
}  // namespace slipstick
