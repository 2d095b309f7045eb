#include "engine/step/controllers.h"

#include <gtest/gtest.h>

#include "engine/multibody/kinematics.h"

namespace slipstick {
namespace {

/// A planar arm: two revolute joints about z, links of 0.5 m along x, and a tip.
std::shared_ptr<Model> planarArm() {
  auto model = std::make_shared<Model>();
  model->time.dt = 0.01;
  const Mat3 inertia = 0.01 * Mat3::Identity();
  multibody::Joint joint;
  joint.type = multibody::JointType::Revolute;
  joint.lower = -3;
  joint.upper = 3;
  joint.effortLimit = 20;
  joint.name = "arm.shoulder";
  model->tree.add({.name = "arm.upper", .mass = 1, .com = Vec3(0.25, 0, 0), .inertia = inertia}, joint);
  joint.name = "arm.elbow";
  joint.parent = 1;
  joint.X_PJ = Pose::translation({0.5, 0, 0});
  model->tree.add({.name = "arm.lower", .mass = 1, .com = Vec3(0.25, 0, 0), .inertia = inertia}, joint);
  model->initialQ = VecX::Zero(2);
  model->initialQ << 0.3, 0.6;
  model->initialV = VecX::Zero(2);
  return model;
}

TEST(Controllers, JointPathGivesTheGoalAtTheEndOfTheStepAndItsRate) {
  auto model = planarArm();
  model->controllers.push_back(
      JointPath{.joints = {1}, .keys = {{0, {0.0}}, {1, {2.0}}}, .kp = {50}, .kd = {5}});
  State state = State::initial(*model);
  state.time = 0.5;
  ActuatorTargets targets;
  evaluateControllers(*model, 0.01, state, targets);
  ASSERT_EQ(targets.pd.size(), 1u);
  EXPECT_EQ(targets.pd[0].joint, 1);
  EXPECT_NEAR(targets.pd[0].q, 1.02, 1e-12);
  EXPECT_NEAR(targets.pd[0].v, 2.0, 1e-10);
  EXPECT_EQ(targets.pd[0].kp, 50);
  EXPECT_EQ(targets.pd[0].kd, 5);
  EXPECT_EQ(targets.pd[0].effortLimit, 20);
  state.time = 3;  // past the last key it rests there
  evaluateControllers(*model, 0.01, state, targets);
  EXPECT_EQ(targets.pd[0].q, 2.0);
  EXPECT_EQ(targets.pd[0].v, 0.0);
}

TEST(Controllers, JointEffortStartsAtItsTimeAndIsCutAtTheLimit) {
  auto model = planarArm();
  model->controllers.push_back(JointEffort{.joint = 0, .effort = 30, .from = 0.2});
  State state = State::initial(*model);
  ActuatorTargets targets;
  evaluateControllers(*model, 0.01, state, targets);
  EXPECT_EQ(targets.effort[0], 0);
  EXPECT_TRUE(targets.saturated.empty());
  state.time = 0.2;
  evaluateControllers(*model, 0.01, state, targets);
  EXPECT_EQ(targets.effort[0], 20);
  EXPECT_EQ(targets.saturated, std::vector<std::int32_t>{0});
}

TEST(Controllers, EndEffectorPathMovesTheGoalWithThePath) {
  auto model = planarArm();
  // The path starts where the elbow link is and turns the whole arm about the base by 0.2 rad in one second.
  std::vector<Pose> X_WB;
  multibody::computePoses(model->tree, model->initialQ, X_WB);
  Path path;
  for (int i = 0; i <= 100; ++i) {
    const Pose turned = Pose::fromRpy({0, 0, 0.002 * i}, Vec3::Zero()) * X_WB[2];
    path.keys.push_back({0.01 * i, turned.p, Quat(turned.R)});
  }
  model->paths.push_back(path);
  model->controllers.push_back(EndEffectorPath{
      .robot = 0, .body = 2, .path = 0, .X_PathE = {}, .joints = {0, 1}, .kp = {9, 9}, .kd = {1, 1}});
  State state = State::initial(*model);
  ActuatorTargets targets;
  for (int step = 0; step < 100; ++step) {
    evaluateControllers(*model, 0.01, state, targets);
    ASSERT_TRUE(targets.unreached.empty()) << "step " << step;
    ASSERT_EQ(targets.pd.size(), 2u);
    EXPECT_NEAR(targets.pd[0].v, 0.2, 0.02) << "step " << step;
    EXPECT_NEAR(targets.pd[0].q, state.controllerQ[0], 0);
    ++state.step;
    state.time = 0.01 * static_cast<double>(state.step);
  }
  EXPECT_NEAR(state.controllerQ[0], 0.5, 1e-3);
  EXPECT_NEAR(state.controllerQ[1], 0.6, 1e-3);
}

TEST(Controllers, AnUnreachableGoalIsReported) {
  auto model = planarArm();
  model->paths.push_back({.name = "away", .keys = {{0, Vec3(9, 0, 0), Quat::Identity()}}});
  model->controllers.push_back(EndEffectorPath{
      .robot = 0, .body = 2, .path = 0, .X_PathE = {}, .joints = {0, 1}, .kp = {9, 9}, .kd = {1, 1}});
  State state = State::initial(*model);
  ActuatorTargets targets;
  evaluateControllers(*model, 0.01, state, targets);
  EXPECT_EQ(targets.unreached, std::vector<std::int32_t>{0});
  EXPECT_TRUE(state.controllerQ.allFinite());
}

}  // namespace
}  // namespace slipstick
