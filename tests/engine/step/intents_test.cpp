// Pulls and twists become the wrenches of critically damped springs against the mobility of what they hold.
#include "engine/step/intents.h"

#include <gtest/gtest.h>

#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"

namespace slipstick {
namespace {

using multibody::JointType;

constexpr double kMass = 2, kInertia = 0.05;
/// What each direction is made heavier by, so that the mobility can be inverted: forces on a free body are smaller by it.
constexpr double kSofter = 1.01;

/// One body on a joint to the world, its centre of mass at `com` [m]; Δt = 10 ms.
struct Intents : ::testing::Test {
  void make(JointType type, const Vec3& com = Vec3::Zero(), const Vec3& axis = Vec3::UnitZ()) {
    model.time.dt = 0.01;
    model.gravity = {0, 0, -10};
    multibody::Joint joint;
    joint.type = type;
    joint.axis = axis;
    model.tree.add({.name = "body", .mass = kMass, .com = com, .inertia = kInertia * Mat3::Identity()},
                   joint);
    model.initialQ = model.tree.zeroPosition();
    model.initialV = VecX::Zero(model.tree.nv);
    state = State::initial(model);
    X_WB.assign(2, {});
    V_WB.assign(2, {});
    wrenches.assign(2, {});
  }
  /// Gives a floating body a velocity.
  void moves(const Vec3& w, const Vec3& v) {
    state.v << w, v;
    V_WB[1] = {w, v};
  }
  Wrench add() { return addIntentWrenches(model, state, X_WB, V_WB, wrenches); }

  Model model;
  State state;
  std::vector<Pose> X_WB;
  std::vector<Velocity> V_WB;
  std::vector<Wrench> wrenches;
};

TEST_F(Intents, WhereNobodyPullsNothingIsAdded) {
  make(JointType::Floating);
  moves({1, 2, 3}, {4, 5, 6});
  const Wrench given = add();
  EXPECT_EQ(given.force, Vec3::Zero());
  EXPECT_EQ(given.torque, Vec3::Zero());
  EXPECT_EQ(wrenches[1].force, Vec3::Zero());
  EXPECT_EQ(wrenches[1].torque, Vec3::Zero());
}

// ---- pulls

TEST_F(Intents, APullIsACriticallyDampedSpringTimesTheMass) {
  make(JointType::Floating);
  moves(Vec3::Zero(), {0, 0.1, 0});
  state.pulls = {Pull{.body = 1, .goal_W = {0.05, 0, 0}, .naturalFrequency = 20}};
  const Wrench given = add();
  // ω² e − 2 ω v
  EXPECT_NEAR(wrenches[1].force.x(), kMass * 400 * 0.05 / kSofter, 1e-9);
  EXPECT_NEAR(wrenches[1].force.y(), -kMass * 2 * 20 * 0.1 / kSofter, 1e-9);
  EXPECT_NEAR(wrenches[1].force.z(), 0, 1e-9);
  EXPECT_NEAR(wrenches[1].torque.norm(), 0, 1e-9);
  EXPECT_EQ(given.force, wrenches[1].force);
}

TEST_F(Intents, APullFromAfarKeepsItsDirectionAtTheLargestAcceleration) {
  make(JointType::Floating);
  state.pulls = {Pull{.body = 1, .goal_W = {30, 0, -40}}};
  add();
  EXPECT_TRUE(wrenches[1].force.isApprox(kMass * 60 / kSofter * Vec3(0.6, 0, -0.8), 1e-9));
}

TEST_F(Intents, APullThatTheStepCannotResolveActsSofter) {
  make(JointType::Floating);
  state.pulls = {Pull{.body = 1, .goal_W = {0.01, 0, 0}, .naturalFrequency = 1000}};
  add();
  // ω Δt = ½: 50 rad/s
  EXPECT_NEAR(wrenches[1].force.x(), kMass * 2500 * 0.01 / kSofter, 1e-9);
  model.time.dt = 0.02;
  wrenches[1] = {};
  add();
  EXPECT_NEAR(wrenches[1].force.x(), kMass * 625 * 0.01 / kSofter, 1e-9);
}

TEST_F(Intents, APullBrakesTheTurningAndDoesNotCallItATwist) {
  make(JointType::Floating);
  moves({0, 0, 3}, Vec3::Zero());
  state.pulls = {Pull{.body = 1, .naturalFrequency = 20}};
  const Wrench given = add();
  EXPECT_NEAR(wrenches[1].torque.z(), -kInertia * 20 * 3 / kSofter, 1e-9);
  EXPECT_NEAR(wrenches[1].force.norm(), 0, 1e-9);
  EXPECT_EQ(given.torque, Vec3::Zero());
}

TEST_F(Intents, APullBrakesTheTurningByTheLargestAccelerationAtMost) {
  make(JointType::Floating);
  moves({0, -100, 0}, Vec3::Zero());
  state.pulls = {Pull{.body = 1, .naturalFrequency = 20}};  // 2,000 rad/s² are asked for
  add();
  EXPECT_NEAR(wrenches[1].torque.y(), kInertia * 400 / kSofter, 1e-9);
}

TEST_F(Intents, APullBesideTheCentreOfMassMovesABodyAtRestWithoutTurningIt) {
  make(JointType::Floating);
  state.pulls = {Pull{.body = 1, .p_B = {0.1, 0, 0}, .goal_W = {0.1, 0.05, 0}, .naturalFrequency = 20}};
  add();
  EXPECT_NEAR(wrenches[1].force.y(), kMass * 20, 0.03 * kMass * 20);
  // The force alone would turn it by 0.1 m times itself.
  EXPECT_LT(wrenches[1].torque.norm(), 0.02 * 0.1 * wrenches[1].force.norm());
}

TEST_F(Intents, TheGrippedPointTurnsWithItsBody) {
  make(JointType::Floating);
  X_WB[1] = Pose::fromRpy({0, 0, M_PI / 2}, {1, 2, 3});
  state.q << 1, 2, 3, std::sqrt(0.5), 0, 0, std::sqrt(0.5);
  state.pulls = {Pull{.body = 1, .p_B = {0.1, 0, 0}, .goal_W = {1, 2.1, 3}}};  // there it is
  add();
  EXPECT_NEAR(wrenches[1].force.norm(), 0, 1e-9);
  EXPECT_NEAR(wrenches[1].torque.norm(), 0, 1e-9);
}

TEST_F(Intents, APullDampsTheGrippedPointAndNotTheOrigin) {
  make(JointType::Floating);
  moves({0, 0, 3}, Vec3::Zero());
  state.pulls = {Pull{.body = 1, .p_B = {0.1, 0, 0}, .goal_W = {0.1, 0, 0}, .naturalFrequency = 20}};
  add();
  // The point goes at 0.3 m/s along y: −2 ω v = −12 m/s²; of it −ω w · 0.1 m = −6 m/s² come from the braked turn.
  EXPECT_NEAR(wrenches[1].force.y(), kMass * (-12 + 6), 0.03 * kMass * 6);
}

TEST_F(Intents, APullOnParticlesIsNotForBodies) {
  make(JointType::Floating);
  state.pulls = {Pull{.body = -1, .particle = 0, .goal_W = {1, 0, 0}}};
  EXPECT_EQ(add().force, Vec3::Zero());
  EXPECT_EQ(wrenches[0].force, Vec3::Zero());
  EXPECT_EQ(wrenches[1].force, Vec3::Zero());
}

TEST_F(Intents, WrenchesAddUp) {
  make(JointType::Floating);
  state.pulls = {Pull{.body = 1, .goal_W = {0.05, 0, 0}}};
  add();
  const Wrench one = wrenches[1];
  wrenches[1] = {{1, 2, 3}, {4, 5, 6}};
  state.pulls.push_back(state.pulls[0]);
  const Wrench given = add();
  EXPECT_TRUE(wrenches[1].force.isApprox(Vec3(1, 2, 3) + 2 * one.force, 1e-12));
  EXPECT_TRUE(wrenches[1].torque.isApprox(Vec3(4, 5, 6), 1e-9));
  EXPECT_TRUE(given.force.isApprox(2 * one.force, 1e-12)) << "what people give, without what was there";
}

TEST_F(Intents, WeightAndSpeedAreNotPartOfTheMobility) {
  make(JointType::Floating, {0.1, 0, 0});
  state.pulls = {Pull{.body = 1, .p_B = {0.1, 0, 0}, .goal_W = {0.15, 0, 0}}};
  add();
  const Wrench light = wrenches[1];
  wrenches[1] = {};
  model.gravity = {3, -20, 7};
  state.v << 0, 0, 9, 0, 0, 0;  // the spring itself knows V_WB only
  add();
  EXPECT_EQ(wrenches[1].force, light.force);
  EXPECT_EQ(wrenches[1].torque, light.torque);
}

// ---- in mechanisms

TEST_F(Intents, ASlideIsPulledAlongItsRail) {
  make(JointType::Prismatic, Vec3::Zero(), Vec3::UnitX());
  state.pulls = {Pull{.body = 1, .goal_W = {0.05, 0, 0}, .naturalFrequency = 20}};
  add();
  EXPECT_NEAR(wrenches[1].force.x(), kMass * 20, 0.01 * kMass * 20);
  EXPECT_NEAR(wrenches[1].force.tail<2>().norm(), 0, 1e-9);
}

TEST_F(Intents, ASlideThatIsPulledAcrossDoesNotMove) {
  make(JointType::Prismatic, Vec3::Zero(), Vec3::UnitX());
  state.pulls = {Pull{.body = 1, .goal_W = {0, 0.05, 0.02}, .naturalFrequency = 20}};
  add();
  EXPECT_NEAR(wrenches[1].force.norm(), 0, 1e-9);
  EXPECT_NEAR(wrenches[1].torque.norm(), 0, 1e-6) << "it cannot turn at all";
}

TEST_F(Intents, AHingedBodyIsPulledAboutItsHinge) {
  make(JointType::Revolute, {0.5, 0, 0});
  const double J = kMass * 0.25 + kInertia;
  state.pulls = {Pull{.body = 1, .p_B = {1, 0, 0}, .goal_W = {1, 0.05, 0}, .naturalFrequency = 20}};
  const Wrench given = add();
  // The point is 1 m from the hinge: 20 m/s² of it are 20 rad/s².
  EXPECT_NEAR(wrenches[1].torque.z(), J * 20, 0.01 * J * 20);
  EXPECT_NEAR(given.force.y(), J * 20, 0.01 * J * 20) << "nobody pulls harder than it takes";
  EXPECT_NEAR(given.force.x(), 0, 1e-6);
}

TEST_F(Intents, AHingedBodyIsNotPulledTowardsItsHinge) {
  make(JointType::Revolute, {0.5, 0, 0});
  state.pulls = {Pull{.body = 1, .p_B = {1, 0, 0}, .goal_W = {0.95, 0, 0.05}, .naturalFrequency = 20}};
  EXPECT_LT(add().force.norm(), 1e-6);
  EXPECT_LT(wrenches[1].torque.norm(), 1e-6);
}

TEST_F(Intents, AHingedBodyThatTurnsIsBrakedByThePullAlone) {
  make(JointType::Revolute, {0.5, 0, 0});
  const double J = kMass * 0.25 + kInertia;
  state.v << 3;
  V_WB[1].w = {0, 0, 3};
  state.pulls = {Pull{.body = 1, .p_B = {1, 0, 0}, .goal_W = {1, 0, 0}, .naturalFrequency = 20}};
  add();
  // −2 ω v of the point at 3 m/s, capped at 60 m/s²; its turning, which comes with it, has no spring of its own.
  EXPECT_NEAR(wrenches[1].torque.z(), -J * 60, 0.01 * J * 60);
}

TEST_F(Intents, WhatIsFixedIsNotPulled) {
  make(JointType::Fixed);
  state.pulls = {Pull{.body = 1, .p_B = {0.1, 0, 0}, .goal_W = {9, 9, 9}},
                 Pull{.body = 0, .goal_W = {9, 9, 9}}};
  state.twists = {Twist{1, Quat(0, 1, 0, 0)}};
  const Wrench given = add();
  for (const Wrench& wrench : {given, wrenches[0], wrenches[1]}) {
    EXPECT_LT(wrench.force.norm(), 1e-6);
    EXPECT_LT(wrench.torque.norm(), 1e-6);
  }
}

TEST_F(Intents, ARotorMakesASlideHeavier) {
  make(JointType::Prismatic, Vec3::Zero(), Vec3::UnitX());
  state.pulls = {Pull{.body = 1, .goal_W = {0.05, 0, 0}}};
  add();
  const double light = wrenches[1].force.x();
  model.tree.joints[0].armature = 3 * kMass;
  wrenches[1] = {};
  add();
  EXPECT_NEAR(wrenches[1].force.x(), 4 * light, 1e-9);
}

// ---- twists

Quat aboutZ(double angle) {
  return Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
}

TEST_F(Intents, ATwistIsACriticallyDampedSpringTimesTheInertia) {
  make(JointType::Floating);
  moves({0, 0.5, 0}, {1, 1, 1});
  state.twists = {Twist{1, aboutZ(0.1), 20}};
  const Wrench given = add();
  EXPECT_NEAR(wrenches[1].torque.z(), kInertia * 400 * 0.1 / kSofter, 1e-9);
  EXPECT_NEAR(wrenches[1].torque.y(), -kInertia * 2 * 20 * 0.5 / kSofter, 1e-9);
  EXPECT_EQ(wrenches[1].force, Vec3::Zero());
  EXPECT_EQ(given.torque, wrenches[1].torque);
  EXPECT_EQ(given.force, Vec3::Zero());
}

TEST_F(Intents, ATwistTurnsFromWhereTheBodyIs) {
  make(JointType::Floating);
  X_WB[1] = Pose::fromRpy({0, 0, 0.7}, Vec3::Zero());
  const Quat now = aboutZ(0.7);
  state.q << 0, 0, 0, now.w(), now.x(), now.y(), now.z();
  state.twists = {Twist{1, aboutZ(0.6), 20}};
  add();
  EXPECT_NEAR(wrenches[1].torque.z(), -kInertia * 400 * 0.1 / kSofter, 1e-9);
}

TEST_F(Intents, AGoalOfATwistMayHaveAnyLengthAndEitherSign) {
  make(JointType::Floating);
  state.twists = {Twist{1, aboutZ(0.1), 20}};
  add();
  const Vec3 torque = wrenches[1].torque;
  for (const double factor : {-1.0, 0.01, 30.0}) {
    wrenches[1] = {};
    state.twists[0].goal_WB.coeffs() = factor * aboutZ(0.1).coeffs();
    add();
    EXPECT_TRUE(wrenches[1].torque.isApprox(torque, 1e-9)) << factor;
  }
}

TEST_F(Intents, ATwistStaysBelowTheLargestAcceleration) {
  make(JointType::Floating);
  state.twists = {Twist{1, aboutZ(3), 20}};  // 1,200 rad/s² are asked for
  add();
  EXPECT_NEAR(wrenches[1].torque.z(), kInertia * 400 / kSofter, 1e-9);
}

TEST_F(Intents, ATwistThatTheStepCannotResolveActsSofter) {
  make(JointType::Floating);
  state.twists = {Twist{1, aboutZ(0.1), 1000}};
  add();
  EXPECT_NEAR(wrenches[1].torque.z(), kInertia * 2500 * 0.1 / kSofter, 1e-9);
}

TEST_F(Intents, ATwistOfAFreeBodyTurnsItAboutItsCentreOfMass) {
  make(JointType::Floating, {0.4, 0, 0});
  state.twists = {Twist{1, aboutZ(0.1), 20}};
  add();
  EXPECT_NEAR(wrenches[1].torque.z(), kInertia * 400 * 0.1 / kSofter, 1e-9);
}

TEST_F(Intents, ATwistAcrossItsHingeDoesNothing) {
  make(JointType::Revolute, {0.4, 0, 0});
  state.twists = {Twist{1, Quat(Eigen::AngleAxisd(0.1, Vec3::UnitX())), 20}};
  EXPECT_LT(add().torque.norm(), 1e-6);
}

TEST_F(Intents, ATwistOfAHingedBodyTurnsItAboutItsHinge) {
  make(JointType::Revolute, {0.4, 0, 0});
  state.twists = {Twist{1, aboutZ(0.1), 20}};
  add();
  const double J = kMass * 0.4 * 0.4 + kInertia;
  EXPECT_NEAR(wrenches[1].torque.z(), J * 40, 0.01 * J * 40);
}

}  // namespace
}  // namespace slipstick
