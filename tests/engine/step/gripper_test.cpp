// Grippers and scripted forces, from the scene to the motion.
#include <gtest/gtest.h>

#include "engine/compile/compile.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

LinkSpec boxLink(const std::string& name, const Vec3& halfExtents) {
  LinkSpec link;
  link.name = name;
  link.mass = 0.1;
  link.inertia = 1e-4 * Mat3::Identity();
  LinkGeometry geometry;
  geometry.shape = shape::Box{halfExtents};
  link.collisions = {geometry};
  return link;
}

/// A finger on a rail along x: at 0 it would be inside the wall, at 0.02 it just touches it.
Scene fingerAndWall(double effort, double jointLimit) {
  Scene scene;
  scene.gravity.setZero();
  scene.time.dt = 0.005;
  RobotSpec gripper;
  gripper.name = "gripper";
  gripper.description.links = {LinkSpec{}, boxLink("finger", Vec3::Constant(0.01))};
  gripper.description.links[0].name = "palm";
  JointSpec rail;
  rail.name = "rail";
  rail.type = multibody::JointType::Prismatic;
  rail.parent = "palm";
  rail.child = "finger";
  rail.effortLimit = jointLimit;
  gripper.description.joints = {rail};
  gripper.jointPositions = {{"rail", 0.05}};
  RobotSpec wall;
  wall.name = "wall";
  wall.description.links = {boxLink("", {0.01, 0.05, 0.05})};
  scene.robots = {gripper, wall};
  scene.controllers.push_back(GripperSpec{"gripper", {}, {{0, 0.05}, {0.2, 0}}, effort, {{}, {}}});
  return scene;
}

struct SceneRun {
  explicit SceneRun(const Scene& scene) {
    Result<CompiledScene> compiled = compile(scene);
    EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().message());
    model = compiled->model;
    stepper = testing::stepperOf(model);
    stepper->observe(snapshot);
  }
  void until(double time) {
    while (snapshot.time < time - 1e-9) health |= stepper->step({}, snapshot).health;
  }

  std::size_t body(const std::string& name) const {
    EXPECT_GE(model->findBody(name), 0) << name;
    return static_cast<std::size_t>(model->findBody(name));
  }

  std::shared_ptr<const Model> model;
  std::unique_ptr<Stepper> stepper;
  Snapshot snapshot;
  HealthFlags health = 0;
};

TEST(Gripper, PressesWithItsEffortAndThatIsNoSaturation) {
  SceneRun run(fingerAndWall(5, 50));
  run.until(0.1);
  EXPECT_NEAR(run.snapshot.q[0], 0.025, 2e-3) << "half-way, it follows its keys";
  run.until(0.6);
  EXPECT_NEAR(run.snapshot.contactWrench[run.body("gripper.finger")].force.x(), 5, 0.05)
      << "what the wall gives the finger";
  EXPECT_NEAR(run.snapshot.tau[0], -5, 1e-9);
  EXPECT_FALSE(has(run.health, Health::ActuatorSaturated));
}

TEST(Gripper, AJointsOwnLowerLimitSaturates) {
  SceneRun run(fingerAndWall(5, 2));
  run.until(0.6);
  EXPECT_NEAR(run.snapshot.contactWrench[run.body("gripper.finger")].force.x(), 2, 0.05);
  EXPECT_TRUE(has(run.health, Health::ActuatorSaturated));
}

TEST(Gripper, DefaultGainsFollowTheEffortAndGivenOnesStay) {
  Scene scene = fingerAndWall(5, 50);
  const auto byDefault = std::get<JointPath>(SceneRun(scene).model->controllers.at(0));
  EXPECT_EQ(byDefault.kp.at(0), 5 / 0.005);
  EXPECT_EQ(byDefault.kd.at(0), 20);
  std::get<GripperSpec>(scene.controllers[0]).gains.kp = {300};
  const auto given = std::get<JointPath>(SceneRun(scene).model->controllers.at(0));
  EXPECT_EQ(given.kp.at(0), 300);
  EXPECT_EQ(given.kd.at(0), 6);
}

/// A free cube of 2 kg, pushed between 0.1 and 0.3 s.
Scene pushedCube(const Vec3& point, const Vec3& torque) {
  Scene scene;
  scene.gravity.setZero();
  scene.time.dt = 0.01;
  RobotSpec cube;
  cube.name = "cube";
  cube.freeBase = true;
  cube.description.links = {boxLink("", Vec3::Constant(0.1))};
  cube.description.links[0].mass = 2;
  cube.description.links[0].inertia = 0.04 * Mat3::Identity();
  scene.robots = {cube};
  scene.controllers.push_back(LinkForceSpec{
      "cube", point, {{0.1, {3, 0, 0}, torque}, {0.2, {3, 0, 0}, torque}, {0.3, {1, 0, 0}, Vec3::Zero()}}});
  return scene;
}

TEST(LinkForce, AcceleratesByForceOverMassWhileItActs) {
  SceneRun run(pushedCube(Vec3::Zero(), Vec3::Zero()));
  run.until(0.1);
  EXPECT_EQ(run.snapshot.V_WB[1].v, Vec3(0, 0, 0));
  run.until(0.2);
  EXPECT_NEAR(run.snapshot.V_WB[1].v.x(), 3.0 / 2 * 0.1, 1e-12);
  run.until(0.3);
  EXPECT_NEAR(run.snapshot.V_WB[1].v.x(), (3.0 * 0.1 + 2.0 * 0.1) / 2, 1e-12) << "linear from 3 to 1 N";
  run.until(0.5);
  EXPECT_NEAR(run.snapshot.V_WB[1].v.x(), 0.25, 1e-12);
  EXPECT_EQ(run.snapshot.V_WB[1].w, Vec3(0, 0, 0));
}

TEST(LinkForce, TurnsByItsLeverAndItsTorque) {
  SceneRun lever(pushedCube({0, 0.05, 0}, Vec3::Zero())), both(pushedCube({0, 0.05, 0}, {0, 0, 0.15}));
  lever.until(0.11);
  EXPECT_NEAR(lever.snapshot.V_WB[1].w.z(), -0.05 * 3 / 0.04 * 0.01, 1e-12);
  both.until(0.11);
  EXPECT_NEAR(both.snapshot.V_WB[1].w.z(), 0, 1e-12) << "the torque undoes the lever";
}

TEST(LinkForce, FaultsSayWhatToDo) {
  const auto faultOf = [](const Scene& scene) {
    const Result<CompiledScene> compiled = compile(scene);
    return compiled ? "" : compiled.error().message();
  };
  Scene scene = pushedCube(Vec3::Zero(), Vec3::Zero());
  std::get<LinkForceSpec>(scene.controllers[0]).keys.resize(1);
  EXPECT_NE(faultOf(scene).find("never acts"), std::string::npos);
  scene = pushedCube(Vec3::Zero(), Vec3::Zero());
  std::get<LinkForceSpec>(scene.controllers[0]).link = "world";
  EXPECT_NE(faultOf(scene).find("no force moves the world"), std::string::npos);
  std::get<LinkForceSpec>(scene.controllers[0]).link = "cub";
  EXPECT_NE(faultOf(scene).find("did you mean 'cube'?"), std::string::npos);
}

}  // namespace
}  // namespace slipstick
