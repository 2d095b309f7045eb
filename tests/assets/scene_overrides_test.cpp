// What a scene says over its robots' files, starts of joints with several degrees of freedom, and sensors: read, compiled,
// written again, refused.
#include <algorithm>
#include <cmath>

#include "assets/scene_writer.h"
#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

using testing::expectFault;
using testing::parsed;
using testing::writeFile;

const std::string kInertial = R"(<inertial><mass value="1"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial>)";

/// base → a by 'swing' (revolute), base → b by 'ball', base → c by 'plane', base → d by 'float'.
std::string robotFile() {
  std::string urdf = "<robot name=\"r\"><link name=\"base\"/>";
  for (const char* link : {"a", "b", "c", "d"})
    urdf += std::string("<link name=\"") + link + "\">" + kInertial + "</link>";
  const auto joint = [](const std::string& name, const std::string& type, const std::string& child,
                        const std::string& more) {
    return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"base\"/><child link=\"" +
           child + "\"/>" + more + "</joint>";
  };
  urdf += joint("swing", "revolute", "a",
                "<axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" effort=\"9\" velocity=\"2\"/>");
  urdf += joint("ball", "ball", "b", "") + joint("plane", "planar", "c", "<axis xyz=\"0 0 1\"/>") +
          joint("float", "floating", "d", "");
  return writeFile("robot.urdf", urdf + "</robot>").string();
}

std::string sceneWith(const std::string& keys, const std::string& more = "") {
  return "robots: {r: {urdf: " + robotFile() + ", " + keys + "}}\n" + more;
}

std::shared_ptr<const Model> modelOf(const std::string& yaml) {
  const Result<assets::LoadedScene> loaded = parsed(yaml);
  if (!loaded) {
    ADD_FAILURE() << loaded.error().message();
    return nullptr;
  }
  const Result<CompiledScene> compiled = assets::compileLoaded(*loaded);
  if (!compiled) ADD_FAILURE() << compiled.error().message();
  return compiled ? compiled->model : nullptr;
}

const multibody::Joint& jointOf(const Model& model, const std::string& name) {
  return model.tree.joints[static_cast<std::size_t>(model.findJoint(name))];
}

TEST(SceneOverrides, MassesAndLimitsOfTheSceneGoOverThoseOfTheFile) {
  const auto model = modelOf(
      sceneWith("links: {a: {mass: 2, com: [0, 0, 0.1], inertia: [0.1, 0.1, 0.1, 0.01, 0, 0]}, b: {inertia: "
                "[0.2, 0.2, 0.2]}}, "
                "limits: {swing: {lower: -2, upper: 0.5, velocity: 7, effort: 3}}, armature: {swing: 0.25}"));
  ASSERT_TRUE(model);
  const multibody::Body& a = model->tree.bodies[static_cast<std::size_t>(model->findBody("r.a"))];
  EXPECT_EQ(a.mass, 2);
  EXPECT_EQ(a.com, Vec3(0, 0, 0.1));
  EXPECT_EQ(a.inertia(0, 1), 0.01);
  const multibody::Body& b = model->tree.bodies[static_cast<std::size_t>(model->findBody("r.b"))];
  EXPECT_EQ(b.mass, 1) << "what is not said stays";
  EXPECT_EQ(b.inertia(2, 2), 0.2);
  const multibody::Joint& swing = jointOf(*model, "r.swing");
  EXPECT_EQ(swing.lower, -2);
  EXPECT_EQ(swing.upper, 0.5);
  EXPECT_EQ(swing.velocityLimit, 7);
  EXPECT_EQ(swing.effortLimit, 3);
  EXPECT_EQ(swing.armature, 0.25);
}

TEST(SceneOverrides, EffortsMayDifferByDirection) {
  const std::string yaml = sceneWith("limits: {swing: {effort: [-1, 50]}}");
  const auto model = modelOf(yaml);
  ASSERT_TRUE(model);
  EXPECT_EQ(jointOf(*model, "r.swing").effortLimit, multibody::EffortRange(-1, 50));
  const Result<assets::LoadedScene> read = parsed(yaml);
  const Result<std::string> text =
      assets::writeScene(read->scene, testing::sourceDir() / "assets" / "scenes");
  ASSERT_TRUE(text) << text.error().message();
  const Result<assets::LoadedScene> again = parsed(*text);
  ASSERT_TRUE(again) << again.error().message() << *text;
  EXPECT_EQ(again->scene.robots[0].jointLimits, read->scene.robots[0].jointLimits);
  expectFault(testing::faultOf(sceneWith("limits: {swing: {effort: [2, 1]}}")),
              {"limits.swing.effort", "the lower effort is above the upper one"});
  expectFault(testing::faultOf(sceneWith("limits: {swing: {effort: -3}}")),
              {"limits.swing.effort", "at least 0"});
}

TEST(SceneOverrides, LimitsMayBeTakenAway) {
  const auto model = modelOf(sceneWith("limits: {swing: {lower: -.inf, upper: .inf}}, joints: {swing: 5}"));
  ASSERT_TRUE(model);
  EXPECT_TRUE(std::isinf(jointOf(*model, "r.swing").upper));
  EXPECT_EQ(model->initialQ[jointOf(*model, "r.swing").qStart], 5);
}

TEST(SceneOverrides, FaultsNameTheKey) {
  expectFault(testing::faultOf(sceneWith("links: {aa: {mass: 2}}")),
              {"test.yaml:1, robot 'r'", "no link 'aa'", "known: base, a"});
  expectFault(testing::faultOf(sceneWith("limits: {swnig: {upper: 2}}")),
              {"robot 'r'", "did you mean 'swing'?"});
  expectFault(testing::faultOf(sceneWith("links: {a: {mass: -2}}")), {"links.a.mass", "at least 0"});
  expectFault(testing::faultOf(sceneWith("links: {a: {inertia: [1, 1, 5]}}")), {"inertia"});
  expectFault(testing::faultOf(sceneWith("limits: {swing: {lower: 3}}")),
              {"joint 'swing'", "lower limit is above"});
  expectFault(testing::faultOf(sceneWith("limits: {swing: {max: 3}}")), {"limits.swing.max", "unknown key"});
  expectFault(testing::faultOf(sceneWith("links: {a: {inertia: [1, 1]}}")), {"links.a.inertia", "list of 6"});
}

TEST(JointStarts, BallPlanarAndFloatingJointsStartInPosesAndMotions) {
  const auto model = modelOf(
      sceneWith("joints: {ball: {rpy_deg: [0, 0, 90]}, plane: {position: [1, 2, 0], rpy_deg: [0, 0, 30]}, "
                "float: {position: [3, 4, 5], rpy_deg: [90, 0, 0]}}, "
                "velocities: {ball: {angular_velocity: [1, 2, 3]}, plane: {velocity: [4, 5, 0], "
                "angular_velocity: [0, 0, 6]}, "
                "float: {velocity: [7, 8, 9]}}"));
  ASSERT_TRUE(model);
  const double h = std::sqrt(0.5);
  const auto q = [&](const char* name, int count) {
    return model->initialQ.segment(jointOf(*model, name).qStart, count).eval();
  };
  const auto v = [&](const char* name, int count) {
    return model->initialV.segment(jointOf(*model, name).vStart, count).eval();
  };
  EXPECT_LT((q("r.ball", 4) - Eigen::Vector4d(h, 0, 0, h)).norm(), 1e-15);
  EXPECT_LT((q("r.plane", 3) - Vec3(1, 2, M_PI / 6)).norm(), 1e-15);
  VecX floating(7);
  floating << 3, 4, 5, h, h, 0, 0;
  EXPECT_LT((q("r.float", 7) - floating).norm(), 1e-15);
  EXPECT_EQ(v("r.ball", 3), Vec3(1, 2, 3));
  EXPECT_EQ(v("r.plane", 3), Vec3(4, 5, 6));
  EXPECT_EQ(v("r.float", 6).tail(3), Vec3(7, 8, 9));
}

TEST(JointStarts, WhatAJointCannotDoIsRefused) {
  expectFault(testing::faultOf(sceneWith("joints: {swing: {rpy_deg: [0, 0, 9]}}")),
              {"joint 'swing'", "write one number"});
  expectFault(testing::faultOf(sceneWith("joints: {ball: 0.5}")), {"joint 'ball'", "rpy_deg"});
  expectFault(testing::faultOf(sceneWith("joints: {ball: {position: [1, 0, 0]}}")),
              {"joint 'ball'", "about its centre"});
  expectFault(testing::faultOf(sceneWith("joints: {plane: {position: [1, 0, 1]}}")),
              {"joint 'plane'", "cannot leave its plane"});
  expectFault(testing::faultOf(sceneWith("joints: {plane: {rpy_deg: [10, 0, 0]}}")),
              {"joint 'plane'", "cannot leave its plane"});
  expectFault(testing::faultOf(sceneWith("joints: {flaot: {position: [1, 0, 1]}}")),
              {"'flaot'", "did you mean 'float'?"});
}

const std::string kSensors = R"(sensors:
  wrist: {kind: force_torque, joint: r.swing, rpy_deg: [0, 0, 90]}
  touch: {kind: contact, link: r.b, other: r}
  imu: {kind: imu, link: r.d, position: [0.1, 0, 0]}
)";

TEST(SceneSensors, AreCompiledToBodiesAndJoints) {
  const auto model = modelOf(sceneWith("base: fixed", kSensors));
  ASSERT_TRUE(model);
  ASSERT_EQ(model->sensors.size(), 3u);
  EXPECT_EQ(model->sensors[0].joint, model->findJoint("r.swing"));
  EXPECT_EQ(model->sensors[0].body, model->findBody("r.a"));
  EXPECT_EQ(std::count(model->sensors[1].other.begin(), model->sensors[1].other.end(), 1), 5)
      << "all links of r";
  EXPECT_EQ(model->sensors[2].X_BS.p, Vec3(0.1, 0, 0));
}

TEST(SceneSensors, FaultsNameTheSensor) {
  const auto fault = [](const std::string& sensor) {
    return testing::faultOf(sceneWith("base: fixed", "sensors: {s: {" + sensor + "}}\n"));
  };
  expectFault(fault("kind: imu, link: r.x"), {"test.yaml:2, sensor 's'", "there is no link 'r.x'"});
  expectFault(fault("kind: imo, link: r.a"), {"sensors.s.kind", "did you mean 'imu'?"});
  expectFault(fault("kind: imu, joint: r.swing"), {"sensors.s.joint", "force_torque"});
  expectFault(fault("kind: force_torque, joint: r.swng"), {"sensors.s.joint", "did you mean 'r.swing'?"});
  expectFault(fault("kind: force_torque, link: world"), {"sensor 's'", "world"});
  expectFault(fault("kind: contact, link: r.a, other: nobody"), {"sensor 's'", "nobody"});
  expectFault(testing::faultOf(sceneWith("base: fixed", "sensors: {r.a: {kind: imu, link: r.a}}\n")),
              {"taken"});
}

TEST(SceneSensors, GoWithTheRobotThatTheyMeasure) {
  const std::string box = "bodies: {box: {base: free, mass: 1, shapes: [{shape: sphere, radius: 1}]}}\n";
  const Result<assets::LoadedScene> loaded = parsed(sceneWith("base: fixed", kSensors + box));
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Result<Scene> edited = slipstick::edited(loaded->scene, Remove{"r"});
  ASSERT_TRUE(edited) << edited.error().message();
  EXPECT_TRUE(edited->sensors.empty());
}

TEST(SceneWriter, WritesOverridesStartsAndSensorsAsTheyWereRead) {
  const std::string yaml = sceneWith(
      "stiffness: {swing: 4}, spring_reference: {swing: 0.5}, "
      "links: {a: {mass: 2, inertia: [0.1, 0.1, 0.1, 0.01, 0, 0]}, b: {com: [1, 0, 0], contact: {friction: "
      "1}}}, "
      "limits: {swing: {lower: -.inf, upper: 2, effort: 3}}, armature: {swing: 0.25}, "
      "joints: {swing: 0.5, float: {position: [1, 2, 3], rpy_deg: [0, 0, 90]}}, "
      "velocities: {ball: {angular_velocity: [1, 2, 3]}}",
      kSensors);
  const Result<assets::LoadedScene> first = parsed(yaml);
  ASSERT_TRUE(first) << first.error().message();
  const Result<std::string> text =
      assets::writeScene(first->scene, testing::sourceDir() / "assets" / "scenes");
  ASSERT_TRUE(text) << text.error().message();
  const Result<assets::LoadedScene> second = parsed(*text);
  ASSERT_TRUE(second) << second.error().message() << "\n" << *text;
  const RobotSpec &a = first->scene.robots[0], &b = second->scene.robots[0];
  EXPECT_EQ(a.linkInertias, b.linkInertias);
  EXPECT_EQ(a.jointLimits, b.jointLimits);
  ASSERT_EQ(b.jointPoses.size(), 2u) << *text;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(a.jointPoses[i].joint, b.jointPoses[i].joint);
    EXPECT_EQ(a.jointPoses[i].X_JC.p, b.jointPoses[i].X_JC.p);
    EXPECT_EQ(a.jointPoses[i].X_JC.R, b.jointPoses[i].X_JC.R);
    EXPECT_EQ(a.jointPoses[i].angularVelocity, b.jointPoses[i].angularVelocity);
  }
  EXPECT_EQ(a.jointNumbers.size(), b.jointNumbers.size());
  ASSERT_EQ(second->scene.sensors.size(), 3u);
  EXPECT_EQ(second->scene.sensors[0].link, "r.a");
  EXPECT_EQ(second->scene.sensors[1].other, "r");
  EXPECT_EQ(second->scene.sensors[0].X_LS.R, first->scene.sensors[0].X_LS.R);
}

}  // namespace
}  // namespace slipstick
