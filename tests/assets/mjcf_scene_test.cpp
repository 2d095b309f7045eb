// MJCF files opened alone and in scenes: options, servos, keyframes, cameras; by content whatever the suffix.
#include <cmath>
#include <numbers>

#include "assets/openable.h"
#include "assets/robot_format.h"
#include "assets/scene_file.h"
#include "engine/compile/compile.h"
#include "engine/model/world_link.h"
#include "tests/assets/mjcf_text.h"

namespace slipstick {
namespace {

using testing::expectFault;
using testing::jointOf;
using testing::loadedMjcf;
using testing::mjcf;
using testing::noticesWith;
using testing::writeFile;

constexpr double kExact = 1e-12;
constexpr double kDegree = std::numbers::pi / 180;

const std::string kArm = R"(<body name="upper"><joint name="a" ref="10" range="-90 90"/><geom size=".1"/>
  <body name="lower" pos="0 0 .5"><joint name="b" type="slide" axis="0 0 1"/><geom size=".1" mass="2"/></body></body>)";

TEST(MjcfScene, OptionsAreThoseOfTheFileOrOfMujoco) {
  const Scene usual = loadedMjcf(mjcf(kArm)).scene;
  EXPECT_EQ(usual.time.dt, 0.002);
  EXPECT_EQ(usual.gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(usual.rigidSolver.frictionRule, FrictionRule::Maximum);
  EXPECT_EQ(usual.robots.front().name, "mini");
  EXPECT_FALSE(usual.robots.front().isHeld) << "what has no servo is limp, as in MuJoCo";
  const Scene moon =
      loadedMjcf(mjcf(kArm, "<option timestep=\"0.005\" gravity=\"0 0 -1.6\"/><option timestep=\"0.004\"/>"))
          .scene;
  EXPECT_EQ(moon.time.dt, 0.004) << "the last one counts";
  EXPECT_EQ(moon.gravity.z(), -1.6);
  EXPECT_TRUE(loadedMjcf(mjcf(kArm, "<option><flag gravity=\"disable\"/></option>")).scene.gravity.isZero());
}

TEST(MjcfScene, ServosHoldTheirJointsAtTheirControl) {
  const assets::LoadedMjcf loaded =
      loadedMjcf(mjcf(kArm, R"(<actuator><position joint="a" kp="20" kv="3" gear="2"/>
      <velocity joint="b" kv="7"/><motor joint="b"/></actuator>)"));
  ASSERT_EQ(loaded.scene.controllers.size(), 2u);
  const auto& brake = std::get<JointVelocitySpec>(loaded.scene.controllers[0]);
  EXPECT_EQ(brake.joint, "b");
  EXPECT_EQ(brake.kd, 7);
  EXPECT_EQ(brake.velocity, 0);
  const auto& servo = std::get<JointPathSpec>(loaded.scene.controllers[1]);
  EXPECT_EQ(servo.joints, std::vector<std::string>{"a"});
  EXPECT_EQ(servo.gains.kp, std::vector<double>{80}) << "gear² · kp";
  EXPECT_EQ(servo.gains.kd, std::vector<double>{12});
  EXPECT_NEAR(servo.keys[0].q[0], -10 * kDegree, kExact) << "0 of the file lies 10° before the reference";
  const assets::LoadedMjcf off = loadedMjcf(mjcf(
      kArm, "<option><flag actuation=\"disable\"/></option><actuator><position joint=\"a\"/></actuator>"));
  EXPECT_TRUE(off.scene.controllers.empty());
}

/// f = g (gain · control + b₀ + b₁ g q + b₂ g q̇).
TEST(MjcfScene, GeneralActuatorsOfOneJointAddUp) {
  const assets::LoadedMjcf loaded = loadedMjcf(mjcf(kArm, R"(<actuator>
      <general joint="a" biastype="affine" biasprm="1 -5 -.5" gainprm="4" ctrlrange="2 3"/>
      <general joint="a" gear="3" biastype="affine" biasprm="0 -1 0"/>
      <general joint="b" ctrlrange="2 3"/></actuator>)"));
  ASSERT_EQ(loaded.scene.controllers.size(), 2u);
  EXPECT_EQ(std::get<JointEffortSpec>(loaded.scene.controllers[0]).effort, 2) << "the control nearest to 0";
  const auto& servo = std::get<JointPathSpec>(loaded.scene.controllers[1]);
  EXPECT_NEAR(servo.gains.kp[0], 5 + 9, kExact);
  EXPECT_NEAR(servo.gains.kd[0], 0.5, kExact);
  EXPECT_NEAR(servo.keys[0].q[0], (4 * 2 + 1) / 14.0 - 10 * kDegree, kExact);
}

/// 2 ζ √(k m), m what the joint moves.
TEST(MjcfScene, ADampingRatioIsThatOfTheMassThatAServoMoves) {
  const assets::LoadedMjcf loaded =
      loadedMjcf(mjcf(kArm, "<actuator><position joint=\"b\" kp=\"50\" dampratio=\"0.7\"/></actuator>"));
  const auto& servo = std::get<JointPathSpec>(loaded.scene.controllers.at(0));
  EXPECT_NEAR(servo.gains.kd[0], 2 * 0.7 * std::sqrt(50 * 2.0), 1e-9);
}

TEST(MjcfScene, ActuatorsBoundEffortsAndBringTheirRotors) {
  const assets::LoadedMjcf loaded =
      loadedMjcf(mjcf(kArm, R"(<actuator><motor name="m" joint="a" gear="-4" ctrlrange="-2 1" armature=".01"/>
      <position joint="b" forcerange="-30 10" damping="2"/><motor tendon="t"/><muscle joint="b"/></actuator>)"));
  EXPECT_EQ(jointOf(loaded.robot, "a")->effortLimit, multibody::EffortRange(-4, 8)) << "-4 times -2 … 1";
  EXPECT_NEAR(jointOf(loaded.robot, "a")->armature, 0.16, kExact);
  EXPECT_EQ(jointOf(loaded.robot, "b")->effortLimit, multibody::EffortRange(-30, 10));
  EXPECT_EQ(jointOf(loaded.robot, "b")->damping, 2);
  EXPECT_EQ(noticesWith(loaded.notices, "m on 'a', gear -4, -2 … 1").size(), 1u);
  EXPECT_EQ(noticesWith(loaded.notices, "it acts on no joint").size(), 1u);
  EXPECT_EQ(noticesWith(loaded.notices, "actuators of this kind are not simulated").size(), 1u);
  const assets::LoadedMjcf own =
      loadedMjcf(mjcf("<body><joint name=\"j\" actuatorfrcrange=\"-5 3\"/><geom size=\".1\"/></body>",
                      "<actuator><motor joint=\"j\"/></actuator>"));
  EXPECT_EQ(jointOf(own.robot, "j")->effortLimit, multibody::EffortRange(-5, 3));
}

/// Ranges of several actuators add up; the joint bears its own alone, and the nearest effort of it where they do not meet.
TEST(MjcfScene, EffortsThatDifferByDirectionStaySo) {
  const auto range = [](const std::string& joint, const std::string& actuators) {
    const assets::LoadedMjcf loaded =
        loadedMjcf(mjcf("<body><joint name=\"j\" " + joint + "/><geom size=\".1\"/></body>",
                        "<actuator>" + actuators + "</actuator>"));
    return jointOf(loaded.robot, "j")->effortLimit;
  };
  using multibody::EffortRange;
  EXPECT_EQ(range("", R"(<position joint="j" forcerange="0 40"/>)"), EffortRange(0, 40));
  EXPECT_EQ(range("", R"(<position joint="j" forcerange="0 40" gear="-2"/>)"), EffortRange(-80, 0));
  EXPECT_EQ(range("", R"(<motor joint="j" ctrlrange="0 1" gear="7"/>)"), EffortRange(0, 7));
  EXPECT_EQ(range("", R"(<general joint="j" ctrlrange="0 1" gainprm="-3"/>)"), EffortRange(-3, 0));
  EXPECT_EQ(range("", R"(<motor joint="j" ctrlrange="0 5"/><motor joint="j" ctrlrange="-2 0"/>)"),
            EffortRange(-2, 5))
      << "two cables";
  EXPECT_EQ(range(R"(actuatorfrcrange="-1 50")", R"(<position joint="j"/>)"), EffortRange(-1, 50));
  EXPECT_EQ(range(R"(actuatorfrcrange="-1 1")", R"(<motor joint="j" forcerange="5 40"/>)"),
            EffortRange(1, 1));
}

/// A motor that may not exert what its control asks for exerts the nearest that it may.
TEST(MjcfScene, AMotorsConstantForceStaysWithinItsRange) {
  const assets::LoadedMjcf loaded =
      loadedMjcf(mjcf(kArm, R"(<actuator><motor joint="b" gear="2" forcerange="3 9"/></actuator>)"));
  EXPECT_EQ(std::get<JointEffortSpec>(loaded.scene.controllers.at(0)).effort, 6) << "3 at a control of 0";
}

TEST(MjcfScene, StartsInTheKeyframeHomeOrInTheFirst) {
  const std::string ball =
      "<body name=\"ball\" pos=\"0 0 1\" euler=\"0 0 90\"><freejoint name=\"free\"/><geom "
      "size=\".1\"/></body>";
  const auto start = [&](const std::string& keys) {
    return loadedMjcf(mjcf(kArm + ball, "<actuator><position joint=\"a\" kp=\"2\"/></actuator><keyframe>" +
                                            keys + "</keyframe>"))
        .scene;
  };
  const Scene first = start("<key qpos=\"0.5 0.1\"/><key qpos=\"0.7\"/>");
  ASSERT_EQ(first.robots[0].jointPositions.size(), 2u)
      << "coordinates beyond those written are the usual ones";
  EXPECT_NEAR(first.robots[0].jointPositions[0].second, 0.5 - 10 * kDegree, kExact);
  const Scene home = start(
      "<key qpos=\"0.5\"/><key name=\"home\" qpos=\"9 0 1 2 3 1 0 0 0\" qvel=\"0 0 1 0 0 0 0 5\" "
      "ctrl=\"0.4\"/>");
  const RobotSpec& robot = home.robots[0];
  EXPECT_NEAR(robot.jointPositions[0].second, 9 - 10 * kDegree, kExact)
      << "beyond its limit, as the file says";
  EXPECT_NEAR(std::get<JointPathSpec>(home.controllers.at(0)).keys[0].q[0], 0.4 - 10 * kDegree, kExact);
  ASSERT_EQ(robot.jointPoses.size(), 1u);
  const JointPoseSpec& free = robot.jointPoses[0];
  EXPECT_EQ(free.joint, "free");
  // The joint's frame lies at (0, 0, 1) and is turned by 90° about z.
  EXPECT_LT((free.X_JC.p - Vec3(2, -1, 2)).norm(), kExact);
  EXPECT_LT((free.velocity - Vec3(0, -1, 0)).norm(), kExact);
  EXPECT_EQ(
      noticesWith(loadedMjcf(mjcf(kArm, "<keyframe><key/></keyframe>")).sceneNotices, "keyframe").size(), 1u);
}

/// Without a keyframe a file starts at zero, outside the limits, too.
TEST(MjcfScene, StartsOutsideLimitsWhereTheFileSays) {
  const std::string file =
      writeFile(
          "arm.xml",
          mjcf("<body><joint name=\"a\" range=\".4 1\"/><geom size=\".1\"/>"
               "</body><body><joint name=\"b\" type=\"slide\" range=\"-2 -.5\"/><geom size=\".1\"/></body>"
               "<body><joint name=\"c\" range=\"-1 1\"/><geom size=\".1\"/></body>",
               "<compiler angle=\"radian\"/>"))
          .string();
  const auto loaded = assets::loadModel(file);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_TRUE(loaded->model->initialQ.isZero(0));
  EXPECT_EQ(noticesWith(loaded->notices,
                        "joint 'a': it starts at 0 rad as its file says, outside its limits of 0.4 to 1 rad")
                .size(),
            1u);
  EXPECT_EQ(noticesWith(loaded->notices,
                        "joint 'b': it starts at 0 m as its file says, outside its limits of -2 to -0.5 m")
                .size(),
            1u);
  EXPECT_TRUE(noticesWith(loaded->notices, "joint 'c'").empty());
}

TEST(MjcfScene, CamerasLookAsTheyDoInMujoco) {
  const Scene scene = loadedMjcf(mjcf(R"(<camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1" fovy="30"/>
      <body name="b" pos="0 0 1"><freejoint/><geom size=".1"/><camera name="eye" pos=".1 0 0"/>
      <camera name="chase" mode="trackcom" pos="-1 0 0"/></body>
      <camera name="watch" pos="2 0 0" mode="targetbody" target="b"/>)"))
                          .scene;
  EXPECT_TRUE(scene.opensOnAll) << "as in MuJoCo, nobody looks through them at first";
  ASSERT_EQ(scene.cameras.size(), 4u);
  const CameraSpec& side = scene.cameras[0];
  EXPECT_EQ(side.fieldOfView, 30);
  EXPECT_EQ(side.body, "");
  EXPECT_LT(((side.target - side.position).normalized() - Vec3::UnitY()).norm(), kExact);
  EXPECT_LT((side.up - Vec3::UnitZ()).norm(), kExact);
  const CameraSpec& eye = scene.cameras[1];
  EXPECT_EQ(eye.body, "mini.b");
  EXPECT_LT((eye.target - Vec3(0.1, 0, -1)).norm(), kExact) << "along −z of the body";
  EXPECT_EQ(scene.cameras[2].body, "");
  EXPECT_LT((scene.cameras[2].position - Vec3(-1, 0, 1)).norm(), kExact);
  EXPECT_LT((scene.cameras[3].target - Vec3(0, 0, 1)).norm(), kExact);
}

TEST(MjcfScene, SensorsAtSitesAreSensorsOfTheScene) {
  const std::string body =
      "<site name=\"still\"/><body name=\"b\"><freejoint/><geom size=\".1\"/>"
      "<site name=\"s\" pos=\"0 0 .1\" euler=\"0 0 90\"/></body>";
  const assets::LoadedMjcf loaded =
      loadedMjcf(mjcf(body, R"(<sensor><gyro name="turn" site="s"/><accelerometer site="s"/>
      <torque name="mini" site="s"/><touch name="touch" site="s"/><touch site="still"/><rangefinder site="s"/></sensor>)"));
  const std::vector<SensorSpec>& sensors = loaded.scene.sensors;
  ASSERT_EQ(sensors.size(), 3u) << "an inertial one for both, and none in the world";
  EXPECT_EQ(sensors[0].name, "turn");
  EXPECT_EQ(sensors[0].kind, SensorSpec::Kind::Imu);
  EXPECT_EQ(sensors[0].link, "mini.b");
  EXPECT_EQ(sensors[0].X_LS.p, Vec3(0, 0, 0.1));
  EXPECT_NEAR(sensors[0].X_LS.R(1, 0), 1, kExact);
  EXPECT_EQ(sensors[1].kind, SensorSpec::Kind::ForceTorque);
  EXPECT_EQ(sensors[1].name, "mini_") << "the robot has its name";
  EXPECT_EQ(sensors[2].kind, SensorSpec::Kind::Contact);
  const Result<CompiledScene> compiled = compile(loaded.scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  EXPECT_EQ(compiled->model->sensors.size(), 3u);
  expectFault(testing::mjcfFault(mjcf(body, "<sensor><gyro site=\"t\"/></sensor>")),
              {"there is no site 't'"});
}

TEST(RobotFormat, IsThatOfTheFirstElement) {
  const auto keyOf = [](const std::filesystem::path& file) { return assets::robotFormatOf(file).key; };
  EXPECT_EQ(keyOf(writeFile("a.xml", "<?xml version=\"1.0\"?>\n<!-- <sdf> -->\n<robot name=\"r\">")), "urdf");
  EXPECT_EQ(keyOf(writeFile("b.xml", "<sdf/>")), "sdf");
  EXPECT_EQ(keyOf(writeFile("c.urdf", "<mujoco>")), "mjcf");
  EXPECT_EQ(keyOf(writeFile("d.sdf", "nothing")), "sdf") << "by its suffix";
  EXPECT_EQ(keyOf("missing.mjcf"), "mjcf");
  EXPECT_EQ(keyOf("missing.urdf"), "urdf");
  EXPECT_EQ(assets::kindOfFile("model.XML"), assets::FileKind::Robot);
}

TEST(MjcfScene, OpensByItsContentWhateverTheSuffix) {
  const std::string urdf = R"(<robot name="r"><link name="a"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1"/></inertial></link></robot>)";
  const Result<assets::LoadedScene> named = assets::loadScene(writeFile("arm.xml", mjcf(kArm)).string());
  ASSERT_TRUE(named) << named.error().message();
  EXPECT_EQ(named->scene.robots[0].description.links[0].name, kWorldLink);
  EXPECT_TRUE(noticesWith(named->notices, "suffix").empty());
  const Result<assets::LoadedScene> other = assets::loadScene(writeFile("robot.xml", urdf).string());
  ASSERT_TRUE(other) << other.error().message();
  EXPECT_EQ(other->scene.robots[0].description.links[0].name, "a");
  const Result<assets::LoadedScene> wrong = assets::loadScene(writeFile("arm.urdf", mjcf(kArm)).string());
  ASSERT_TRUE(wrong) << wrong.error().message();
  EXPECT_EQ(noticesWith(wrong->notices, "of the format MJCF, whatever its suffix says").size(), 1u);
}

TEST(MjcfScene, AScenePlacesAModelWithItsLoopsAndWritesItAgain) {
  std::filesystem::copy(testing::dataDir() / "mjcf" / "four_bar.xml",
                        writeFile("scene.yaml", "").parent_path() / "four_bar.xml",
                        std::filesystem::copy_options::overwrite_existing);
  const std::filesystem::path file =
      writeFile("scene.yaml", "robots:\n  bars: {mjcf: four_bar.xml, position: [1, 2, 3]}\n");
  const Result<assets::LoadedScene> loaded = assets::loadScene(file.string());
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Result<CompiledScene> compiled = assets::compileLoaded(*loaded);
  ASSERT_TRUE(compiled) << compiled.error().message();
  EXPECT_EQ(compiled->model->loops.size(), 4u);
  EXPECT_EQ(compiled->model->loops[0].name, "bars.bar_end");
  EXPECT_TRUE(noticesWith(compiled->notices, "apart").empty()) << "the loops stand where the model is placed";
  Scene anew = loaded->scene;
  anew.file.clear();
  const Result<std::string> text = assets::textOfScene(anew, {}, file.parent_path());
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_NE(text->find("mjcf: four_bar.xml"), std::string::npos) << *text;
  EXPECT_EQ(text->find("loops:"), std::string::npos) << *text;
  EXPECT_EQ(text->find("bar_end"), std::string::npos) << *text;
}

TEST(MjcfScene, AModelThatIsOpenedAloneIsASceneThatCanBeSaved) {
  const std::filesystem::path file = testing::dataDir() / "mjcf" / "planar_walker.xml";
  const Result<assets::LoadedScene> alone = assets::loadScene(file.string());
  ASSERT_TRUE(alone) << alone.error().message();
  const std::filesystem::path saved = writeFile("walker.yaml", "");
  ASSERT_TRUE(assets::saveScene(alone->scene, {}, saved));
  const Result<assets::LoadedScene> again = assets::loadScene(saved.string());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->scene.time.dt, alone->scene.time.dt);
  EXPECT_EQ(again->scene.controllers.size(), alone->scene.controllers.size());
  EXPECT_EQ(again->scene.robots[0].description.joints.size(),
            alone->scene.robots[0].description.joints.size());
}

TEST(MjcfScene, ASceneThatNamesTwoFilesOrTheWrongKindIsAFault) {
  const std::filesystem::path arm = writeFile("arm.xml", mjcf(kArm));
  const std::filesystem::path urdf = writeFile("arm.urdf", "<robot name=\"r\"/>");
  const auto fault = [&](const std::string& keys) {
    return testing::faultOf("robots:\n  r: {" + keys + "}\n");
  };
  expectFault(fault("mjcf: " + arm.string() + ", urdf: " + urdf.string()), {"one file", "'mjcf: FILE'"});
  expectFault(fault("mjcf: " + urdf.string()), {"this is a URDF file", "'urdf'"});
}

}  // namespace
}  // namespace slipstick
