// Gains that follow from what a joint moves and what brakes it, and a share that carries what hangs from it.
#include "engine/step/joint_servo.h"

#include <gtest/gtest.h>

#include "engine/multibody/kinematics.h"

namespace slipstick {
namespace {

using multibody::Joint;
using multibody::JointType;

/// ω² of a joint that follows its reference [1/s²]
constexpr double kStiff = 60.0 * 60.0;

Joint jointOf(JointType type, int parent = 0, const Vec3& axis = Vec3::UnitZ()) {
  Joint joint;
  joint.type = type;
  joint.parent = parent;
  joint.axis = axis;
  return joint;
}

/// Of 2 kg, its centre of mass 0.5 m along x from its joint: J = 2 · 0.25 + 0.1 = 0.6 kg m².
multibody::Body rod() {
  return {.name = "rod", .mass = 2, .com = Vec3(0.5, 0, 0), .inertia = 0.1 * Mat3::Identity()};
}
constexpr double kRodInertia = 0.6;  // [kg m²]
constexpr double kRodWeight = 10;    // that the hinge feels where the rod lies, 2 · 10 · 0.5 [N m]

Model modelOf(const Joint& joint) {
  Model model;
  model.gravity = {0, -10, 0};
  model.tree.add(rod(), joint);
  return model;
}

PdTarget targetOf(const Model& model, int joint = 0, double q = 0, double v = 0, double leastStiffness = 0,
                  const VecX& at = {}) {
  std::vector<Pose> X_WB;
  multibody::computePoses(model.tree, at.size() ? at : model.tree.zeroPosition(), X_WB);
  JointServo servo;
  servo.prepare(model, X_WB);
  return servo.targetOf(model, joint, q, v, leastStiffness);
}

TEST(JointServo, GainsAreThoseOfTheInertiaThatTheJointMoves) {
  const PdTarget target = targetOf(modelOf(jointOf(JointType::Revolute)));
  EXPECT_NEAR(target.kp, kRodInertia * kStiff, 1e-9);
  EXPECT_NEAR(target.kd, 2 * kRodInertia * 60, 1e-9) << "critically damped";
}

TEST(JointServo, AShareOfTheTargetCarriesTheWeight) {
  const PdTarget target = targetOf(modelOf(jointOf(JointType::Revolute)), 0, 0.3, 0.7);
  EXPECT_NEAR(target.kp * (target.q - 0.3), kRodWeight, 1e-9);
  EXPECT_EQ(target.v, 0.7);
}

TEST(JointServo, TheWeightIsThatOfThePoseThatItIsPreparedFor) {
  const Model model = modelOf(jointOf(JointType::Revolute));
  // Turned by 120°, its weight pulls the other way, by half as much.
  const PdTarget target = targetOf(model, 0, 0, 0, 0, VecX::Constant(1, 2 * M_PI / 3));
  EXPECT_NEAR(target.kp * target.q, -kRodWeight / 2, 1e-9);
}

TEST(JointServo, WithoutGravityTheReferenceIsTheTarget) {
  Model model = modelOf(jointOf(JointType::Revolute));
  model.gravity.setZero();
  EXPECT_EQ(targetOf(model, 0, 0.3).q, 0.3);
}

TEST(JointServo, ASlideCarriesMassAndWeight) {
  const PdTarget target = targetOf(modelOf(jointOf(JointType::Prismatic, 0, Vec3::UnitY())));
  EXPECT_NEAR(target.kp, 2 * kStiff, 1e-9);
  EXPECT_NEAR(target.kp * target.q, 2 * 10, 1e-9);
}

TEST(JointServo, NamesTheJointAndKeepsItsEffortRange) {
  Joint joint = jointOf(JointType::Revolute);
  joint.effortLimit = {-5, 40};
  Model model = modelOf(jointOf(JointType::Fixed));
  joint.parent = 1;
  model.tree.add(rod(), joint);
  const PdTarget target = targetOf(model, 1);
  EXPECT_EQ(target.joint, 1);
  EXPECT_EQ(target.effortLimit, multibody::EffortRange(-5, 40));
  EXPECT_FALSE(target.lowerIsMeant);
  EXPECT_FALSE(target.upperIsMeant);
}

// ---- what else asks for stiffness; the damping is always that of the inertia

void expectStiffness(const PdTarget& target, double kp, double inertia) {
  EXPECT_NEAR(target.kp, kp, 1e-9 * kp);
  EXPECT_NEAR(target.kd, 2 * std::sqrt(kp * inertia), 1e-9 * target.kd);
}

TEST(JointServo, ARotorCountsAsInertia) {
  Joint joint = jointOf(JointType::Revolute);
  joint.armature = 0.4;
  expectStiffness(targetOf(modelOf(joint)), 1.0 * kStiff, 1.0);
}

TEST(JointServo, DryFrictionHoldsAJointOffItsReferenceByAFifthOfAMilliradianAtMost) {
  Joint joint = jointOf(JointType::Revolute);
  joint.dryFriction = 0.1;  // 500 N m/rad: less than the inertia asks for
  expectStiffness(targetOf(modelOf(joint)), kRodInertia * kStiff, kRodInertia);
  joint.dryFriction = 2;
  expectStiffness(targetOf(modelOf(joint)), 2 / 2e-4, kRodInertia);
}

TEST(JointServo, ViscousDampingIsOvercomeAsFast) {
  Joint joint = jointOf(JointType::Revolute);
  joint.damping = 100;
  expectStiffness(targetOf(modelOf(joint)), 100 * 60, kRodInertia);
}

TEST(JointServo, TheLeastStiffnessThatIsAskedForHolds) {
  const Model model = modelOf(jointOf(JointType::Revolute));
  expectStiffness(targetOf(model, 0, 0, 0, 100), kRodInertia * kStiff, kRodInertia);
  expectStiffness(targetOf(model, 0, 0, 0, 9000), 9000, kRodInertia);
  const PdTarget target = targetOf(model, 0, 0, 0, 9000);
  EXPECT_NEAR(target.kp * target.q, kRodWeight, 1e-9) << "a stiffer joint needs less of a share";
}

TEST(JointServo, AJointThatMovesNothingHasGainsAllTheSame) {
  Model model;
  model.gravity = {0, -10, 0};
  model.tree.add({.name = "frame"}, jointOf(JointType::Revolute));
  const PdTarget target = targetOf(model, 0, 0.3);
  EXPECT_GT(target.kp, 0);
  EXPECT_GT(target.kd, 0);
  EXPECT_EQ(target.q, 0.3);
}

// ---- mechanisms

TEST(JointServo, AJointCarriesAllThatHangsFromIt) {
  Model model = modelOf(jointOf(JointType::Revolute));
  Joint elbow = jointOf(JointType::Revolute, 1);
  elbow.X_PJ = Pose::translation({1, 0, 0});
  model.tree.add(rod(), elbow);
  const PdTarget shoulder = targetOf(model, 0), outer = targetOf(model, 1);
  // The second rod's centre of mass is 1.5 m from the shoulder.
  expectStiffness(shoulder, (kRodInertia + 2 * 1.5 * 1.5 + 0.1) * kStiff, kRodInertia + 2 * 1.5 * 1.5 + 0.1);
  EXPECT_NEAR(shoulder.kp * shoulder.q, kRodWeight + 2 * 10 * 1.5, 1e-9);
  expectStiffness(outer, kRodInertia * kStiff, kRodInertia);
  EXPECT_NEAR(outer.kp * outer.q, kRodWeight, 1e-9);
}

TEST(JointServo, AJointCarriesThoseThatFollowItByTheirRatio) {
  for (const double ratio : {2.0, -0.5}) {
    Model model = modelOf(jointOf(JointType::Revolute));
    Joint follower = jointOf(JointType::Revolute);
    follower.mimic = 0;
    follower.mimicRatio = ratio;
    follower.armature = 0.2;
    model.tree.add(rod(), follower);
    model.tree.add(rod(), jointOf(JointType::Revolute));  // follows nobody
    const PdTarget target = targetOf(model);
    const double inertia = kRodInertia + ratio * ratio * (kRodInertia + 0.2);
    expectStiffness(target, inertia * kStiff, inertia);
    EXPECT_NEAR(target.kp * target.q, (1 + ratio) * kRodWeight, 1e-9) << ratio;
  }
}

TEST(JointServo, MayBePreparedForAnotherTree) {
  const Model small = modelOf(jointOf(JointType::Revolute));
  Model large = modelOf(jointOf(JointType::Revolute));
  large.tree.add(rod(), jointOf(JointType::Revolute, 1));
  JointServo servo;
  std::vector<Pose> X_WB;
  for (const Model* model : {static_cast<const Model*>(&large), &small}) {
    multibody::computePoses(model->tree, model->tree.zeroPosition(), X_WB);
    servo.prepare(*model, X_WB);
  }
  EXPECT_EQ(servo.targetOf(small, 0, 0, 0).kp, targetOf(small).kp);
}

}  // namespace
}  // namespace slipstick
