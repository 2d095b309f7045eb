// What robot files in the wild have that a solver cannot take as it is: each is repaired with a notice that says what was
// assumed, where, and how a scene makes it its own.
#include <algorithm>
#include <cmath>

#include "assets/robot_io.h"
#include "engine/compile/compile.h"
#include "engine/model/state.h"
#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"
#include "tests/assets/scene_text.h"
#include "tests/support/load_robot.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

using testing::expectFault;
using testing::writeFile;

std::string inertial(double mass, const std::string& moments) {
  return "<inertial><mass value=\"" + std::to_string(mass) + "\"/><inertia " + moments + "/></inertial>";
}

const std::string kSolid = R"(ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02")";

const std::string kRod = R"(ixx="1e-2" ixy="0" ixz="0" iyy="1e-2" iyz="0" izz="0")";

/// base → arm by the joint 'swing' about y → tip by the joint 'turn', of which tests write the type and the rest.
std::string robot(const std::string& tip, const std::string& turn, const std::string& more = "") {
  return "<robot name=\"r\">\n<link name=\"base\"/>\n<link name=\"arm\">" + inertial(1, kSolid) +
         "</link>\n<link name=\"tip\">" + tip +
         "</link>\n<joint name=\"swing\" type=\"continuous\"><parent link=\"base\"/><child "
         "link=\"arm\"/><axis "
         "xyz=\"0 1 0\"/></joint>\n<joint name=\"turn\" " +
         turn + "<parent link=\"arm\"/><child link=\"tip\"/><origin xyz=\"0 0 0.3\"/></joint>\n" + more +
         "</robot>\n";
}

const std::string kContinuous = "type=\"continuous\"><axis xyz=\"0 0 1\"/>";
const std::string kFixed = "type=\"fixed\">";

assets::LoadedRobot load(const std::string& urdf) {
  Result<assets::LoadedRobot> loaded = assets::loadUrdf(writeFile("robot.urdf", urdf));
  if (!loaded) ADD_FAILURE() << loaded.error().message();
  return loaded ? *loaded : assets::LoadedRobot{};
}

const Notice* noticeOf(const assets::LoadedRobot& loaded, const std::string& what) {
  const auto found = std::find_if(loaded.notices.begin(), loaded.notices.end(),
                                  [&](const Notice& n) { return n.what.find(what) != std::string::npos; });
  return found == loaded.notices.end() ? nullptr : &*found;
}

void expectNotice(const assets::LoadedRobot& loaded, const std::string& what, const std::string& where) {
  const Notice* notice = noticeOf(loaded, what);
  ASSERT_NE(notice, nullptr) << what;
  EXPECT_NE(notice->where.find(where), std::string::npos) << notice->where;
}

Result<CompiledScene> compiled(const assets::LoadedRobot& loaded, bool freeBase = false) {
  Scene scene;
  scene.robots.emplace_back();
  scene.robots[0].name = "r";
  scene.robots[0].freeBase = freeBase;
  scene.robots[0].description = loaded.robot;
  return compile(scene);
}

/// The robot falls for half a second, and all that it does stays a number.
void expectToFall(const assets::LoadedRobot& loaded) {
  const Result<CompiledScene> scene = compiled(loaded);
  ASSERT_TRUE(scene) << scene.error().message();
  const auto stepper = testing::stepperOf(scene->model);
  Snapshot snapshot;
  for (int i = 0; i < 50; ++i) {
    const StepReport report = stepper->step({}, snapshot, Detail::Facts);
    ASSERT_FALSE(has(report.health, Health::NonFinite)) << "step " << i;
  }
}

TEST(RobotRepairs, FramesWithoutMassStayWithoutMass) {
  const assets::LoadedRobot loaded = load(robot("", kFixed));
  EXPECT_EQ(loaded.robot.links[2].mass, 0);
  EXPECT_TRUE(loaded.notices.empty()) << loaded.notices.front().what;
  expectToFall(loaded);
}

TEST(RobotRepairs, AnIndefiniteInertiaWithoutMassIsNone) {
  const assets::LoadedRobot loaded =
      load(robot(inertial(0, R"(ixx="0" ixy="1e-3" ixz="0" iyy="0" iyz="0" izz="0")"), kFixed));
  expectNotice(loaded, "negative principal moment", "robot.urdf:4, link 'tip'");
  EXPECT_TRUE(loaded.robot.links[2].inertia.isZero(0));
  expectToFall(loaded);
}

TEST(RobotRepairs, AnIndefiniteInertiaWithMassIsThatOfABall) {
  const assets::LoadedRobot loaded =
      load(robot(inertial(4, R"(ixx="-0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1")"), kContinuous));
  expectNotice(loaded, "ball of its mass", "robot.urdf:4, link 'tip'");
  const double radius = std::cbrt(3 * 4 / (4 * M_PI * 1000));
  EXPECT_NEAR(loaded.robot.links[2].inertia(0, 0), 0.4 * 4 * radius * radius, 1e-12);
  expectToFall(loaded);
}

TEST(RobotRepairs, RoundingBelowZeroIsNoFault) {
  const assets::LoadedRobot loaded =
      load(robot(inertial(1, R"(ixx="1e-2" ixy="0" ixz="0" iyy="1e-2" iyz="0" izz="-1e-9")"), kFixed));
  EXPECT_TRUE(loaded.notices.empty()) << loaded.notices.front().what;
  EXPECT_EQ(loaded.robot.links[2].inertia.diagonal().minCoeff(), 0);
}

TEST(RobotRepairs, AnIdealRodIsTakenAsItIsWhereItNeverTurnsAboutItself) {
  const std::string rod = inertial(1, kRod);
  const assets::LoadedRobot across = load(robot(rod, "type=\"continuous\"><axis xyz=\"1 0 0\"/>"));
  EXPECT_TRUE(across.notices.empty()) << across.notices.front().what;
  expectToFall(across);
  const assets::LoadedRobot along = load(robot(rod, kContinuous));
  expectNotice(along, "nothing that the joint 'turn' moves resists it", "link 'tip'");
  EXPECT_GT(along.robot.links[2].inertia(2, 2), 0);
  expectToFall(along);
}

TEST(RobotRepairs, WhatMovesNothingGetsAGram) {
  const assets::LoadedRobot loaded = load(robot("", kContinuous));
  expectNotice(loaded, "given 1 g", "robot.urdf:4, link 'tip'");
  EXPECT_EQ(loaded.robot.links[2].mass, 1e-3);
  const Notice* notice = noticeOf(loaded, "1 g");
  ASSERT_EQ(notice->overrides.size(), 2u);
  EXPECT_EQ(notice->overrides[0], (std::pair<std::string, std::string>("links.tip.mass", "0.001")));
  expectToFall(loaded);
}

TEST(RobotRepairs, ASceneMakesARepairItsOwnAndTheNoticeIsGone) {
  const auto file = writeFile("robot.urdf", robot("", kContinuous));
  const std::string plain = "robots: {r: {urdf: " + file.string() + "}}\n";
  Result<assets::LoadedScene> loaded = testing::parsed(plain);
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_EQ(loaded->notices.size(), 1u);
  std::string block;
  for (const auto& [path, value] : loaded->notices[0].overrides) {
    EXPECT_TRUE(path.starts_with("robots.r.links.tip.")) << path;
    block +=
        (block.empty() ? "" : ", ") + path.substr(std::string("robots.r.links.tip.").size()) + ": " + value;
  }
  loaded = testing::parsed("robots: {r: {urdf: " + file.string() + ", links: {tip: {" + block + "}}}}\n");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_TRUE(loaded->notices.empty()) << loaded->notices[0].what;
  const Result<CompiledScene> scene = assets::compileLoaded(*loaded);
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(scene->model->tree.bodies.back().mass, 1e-3);
}

TEST(RobotRepairs, JointsWithoutLimitsHaveNone) {
  const assets::LoadedRobot loaded =
      load(robot(inertial(1, kSolid), "type=\"revolute\"><axis xyz=\"0 0 1\"/>"));
  expectNotice(loaded, "moves without limits", "robot.urdf:6, joint 'turn'");
  EXPECT_TRUE(std::isinf(loaded.robot.joints[1].upper) && std::isinf(loaded.robot.joints[1].lower));
  EXPECT_FALSE(loaded.robot.joints[1].effortLimit.isBounded());
  const assets::LoadedRobot half = load(robot(
      inertial(1, kSolid), "type=\"prismatic\"><axis xyz=\"0 0 1\"/><limit effort=\"5\" velocity=\"1\"/>"));
  expectNotice(half, "neither 'lower' nor 'upper'", "joint 'turn'");
  EXPECT_TRUE(std::isinf(half.robot.joints[1].lower));
  EXPECT_EQ(half.robot.joints[1].effortLimit, 5);
}

TEST(RobotRepairs, MimicsThatCannotActAreLeftOut) {
  const auto mimicking = [](const std::string& type, const std::string& leader) {
    return load(robot(inertial(1, kSolid),
                      "type=\"" + type + "\"><axis xyz=\"0 0 1\"/><mimic joint=\"" + leader + "\"/>"));
  };
  expectNotice(mimicking("fixed", "swing"), "fixed joint cannot follow", "robot.urdf:6, joint 'turn'");
  expectNotice(mimicking("continuous", "swnig"), "no joint 'swnig'", "joint 'turn'");
  expectNotice(mimicking("continuous", "turn"), "in a circle", "joint 'turn'");
  const assets::LoadedRobot kept = mimicking("continuous", "swing");
  EXPECT_EQ(kept.robot.joints[1].mimic, "swing");
  EXPECT_TRUE(kept.notices.empty());
}

TEST(RobotRepairs, AColourThatIsNoneIsLeftOut) {
  const auto colored = [](const std::string& rgba) {
    return load(
        robot("<visual><geometry><sphere radius=\"0.1\"/></geometry><material name=\"m\"><color rgba=\"" +
                  rgba + "\"/></material></visual>",
              kFixed));
  };
  expectNotice(colored("red"), "not a colour", "robot.urdf:4, material 'm'");
  expectNotice(colored("0 nan 0 1"), "not a colour", "robot.urdf:4, material 'm'");
  const assets::LoadedRobot bright = colored("2 0 0 1");
  EXPECT_EQ(noticeOf(bright, "colour"), nullptr);
  EXPECT_EQ(bright.robot.links[2].visuals.at(0).color[0], 1);
  EXPECT_EQ(colored("1 0 0").robot.links[2].visuals.at(0).color[3], 1) << "three numbers: opaque";
}

TEST(RobotRepairs, WhatOtherReadersTakeIsTakenAndSaid) {
  const assets::LoadedRobot free = load(robot(
      inertial(1, kSolid), "type=\"prismatic\"><axis xyz=\"0 0 1\"/><limit lower=\"1\" upper=\"-1\"/>"));
  expectNotice(free, "lower limit is above the upper one: it moves without limits", "joint 'turn'");
  EXPECT_TRUE(std::isinf(free.robot.joints[1].lower));
  EXPECT_EQ(load(robot(inertial(1, kSolid), "type=\"spherical\">")).robot.joints[1].type,
            multibody::JointType::Ball);
  const auto shaped = [](const std::string& shape) {
    return load(robot("<collision><geometry>" + shape + "</geometry></collision>", kFixed));
  };
  const assets::LoadedRobot point = shaped("<sphere radius=\"0\"/>");
  expectNotice(point, "<sphere> has a size of 0 was dropped", "robot.urdf:4, link 'tip'");
  EXPECT_TRUE(point.robot.links[2].collisions.empty());
  const assets::LoadedRobot commas = shaped("<box size=\"1, 2, 3\"/>");
  expectNotice(commas, "commas are taken as spaces", "link 'tip'");
  EXPECT_EQ(std::get<shape::Box>(commas.robot.links[2].collisions.at(0).shape).halfExtents,
            Vec3(0.5, 1, 1.5));
  expectNotice(shaped("<mesh filename=\"a.obj\" scale=\"1 1 1 1\"/>"), "first three numbers", "link 'tip'");
  expectNotice(shaped("<mesh filename=\"a.obj\" scale=\"0.001\"/>"), "scales all directions", "link 'tip'");
}

TEST(RobotRepairs, AnInertialWithoutMassHasNone) {
  const assets::LoadedRobot loaded = load(robot("<inertial/>", kFixed));
  expectNotice(loaded, "no mass", "robot.urdf:4, link 'tip'");
  expectToFall(loaded);
}

TEST(RobotRepairs, SeveralRootsAreTreesOfTheirOwn) {
  const std::string more = "<link name=\"dock\">" + inertial(3, kSolid) + "</link>\n";
  const assets::LoadedRobot loaded = load(robot(inertial(1, kSolid), kFixed, more));
  expectNotice(loaded, "2 trees ('base', 'dock')", "robot.urdf:7, link 'dock'");
  const Result<CompiledScene> fixed = compiled(loaded);
  ASSERT_TRUE(fixed) << fixed.error().message();
  EXPECT_EQ(fixed->model->tree.nv, 1);
  assets::LoadedRobot heavy = loaded;
  heavy.robot.links[0].mass = 1;
  heavy.robot.links[0].inertia = Mat3::Identity();
  heavy.robot.rootPoses["dock"] = Pose::translation(Vec3(1, 0, 0));
  Scene scene;
  scene.robots.emplace_back();
  scene.robots[0].name = "r";
  scene.robots[0].freeBase = true;
  scene.robots[0].X_PB.p = Vec3(0, 0, 2);
  scene.robots[0].angularVelocity = Vec3(0, 0, 3);
  scene.robots[0].description = heavy.robot;
  const Result<CompiledScene> free = compile(scene);
  ASSERT_TRUE(free) << free.error().message();
  EXPECT_EQ(free->model->tree.nv, 13) << "two floating bases and a joint";
  const int dock = free->model->findBody("r.dock");
  const multibody::Joint& base = free->model->tree.joints[static_cast<std::size_t>(dock - 1)];
  EXPECT_TRUE(free->model->initialQ.segment<3>(base.qStart).isApprox(Vec3(1, 0, 2)));
  EXPECT_TRUE(free->model->initialV.segment<3>(base.vStart + 3).isApprox(Vec3(0, 3, 0))) << "w × r";
  scene.robots[0].path = "p";
  scene.paths.push_back({"p", {{0, Vec3::Zero(), Quat::Identity()}}, Interpolation::Linear});
  expectFault(compile(scene).error().message(), {"several trees", "fixed joints"});
}

TEST(RobotRepairs, NamesWithPointsAndSpacesAreOnesOwn) {
  std::string urdf = robot(inertial(1, kSolid), kContinuous);
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"\"tip\"", "\"left.tip 1\""}, {"\"turn\"", "\"turn.z 1\""}})
    for (std::size_t at = urdf.find(from); at != std::string::npos; at = urdf.find(from))
      urdf.replace(at, from.size(), to);
  const auto file = writeFile("robot.urdf", urdf);
  const std::string yaml =
      "robots: {r: {urdf: " + file.string() +
      ", joints: {turn.z 1: 0.5}, damping: {turn.z 1: 2}, links: {left.tip 1: {mass: 3}}}}\n";
  const Result<assets::LoadedScene> loaded = testing::parsed(yaml);
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Result<CompiledScene> scene = assets::compileLoaded(*loaded);
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(scene->model->tree.bodies.back().name, "r.left.tip 1");
  EXPECT_EQ(scene->model->tree.bodies.back().mass, 3);
  EXPECT_EQ(scene->model->tree.joints.back().damping, 2);
}

TEST(RobotRepairs, EmptyFilesAreRefusedInWords) {
  for (const std::string text : {"", "  \n\t\n"})
    for (const char* name : {"robot.urdf", "robot.sdf"}) {
      if (std::string(name) == "robot.sdf" && !assets::readsSdf()) continue;
      const Result<assets::LoadedRobot> loaded = testing::loadRobot(writeFile(name, text));
      ASSERT_FALSE(loaded);
      expectFault(loaded.error().message(), {name, "the file is empty"});
    }
}

/// Only a scene knows that a base is free; and what it says itself of the link is taken as it is.
TEST(RobotRepairs, AFreeRodGetsWhatItNeedsToTurn) {
  const auto file = writeFile(
      "rod.urdf", "<robot name=\"r\"><link name=\"rod\">" + inertial(0.1, kRod) + "</link></robot>");
  const auto scene = [&](const std::string& more) {
    return testing::parsed("robots: {r: {urdf: " + file.string() + ", base: free" + more + "}}\n");
  };
  const Result<assets::LoadedScene> repaired = scene("");
  ASSERT_TRUE(repaired) << repaired.error().message();
  ASSERT_EQ(repaired->notices.size(), 1u);
  const Notice& notice = repaired->notices[0];
  EXPECT_NE(notice.where.find("rod.urdf, link 'rod'"), std::string::npos) << notice.where;
  const double radius = std::cbrt(3 * 0.1 / (4 * M_PI * 1000));
  ASSERT_EQ(notice.overrides.size(), 1u) << "its mass is the file's";
  EXPECT_EQ(notice.overrides[0].first, "robots.r.links.rod.inertia");
  const Result<CompiledScene> compiled = assets::compileLoaded(*repaired);
  ASSERT_TRUE(compiled) << compiled.error().message();
  EXPECT_NEAR(compiled->model->tree.bodies[1].inertia(2, 2), 0.4 * 0.1 * radius * radius, 1e-15);
  EXPECT_NEAR(compiled->model->tree.bodies[1].inertia(0, 0), 1e-2, 1e-4);

  const Result<assets::LoadedScene> own =
      scene(", links: {rod: {mass: 0.1, inertia: " + notice.overrides[0].second + "}}");
  ASSERT_TRUE(own) << own.error().message();
  EXPECT_TRUE(own->notices.empty());
  EXPECT_TRUE(assets::compileLoaded(*own));
  const Result<assets::LoadedScene> useless = scene(", links: {rod: {inertia: [1, 1, 0]}}");
  ASSERT_TRUE(useless) << useless.error().message();
  EXPECT_TRUE(useless->notices.empty());
  expectFault(assets::compileLoaded(*useless).error().message(), {"no inertia in some direction", "'r.rod'"});
}

TEST(RobotRepairs, ABaseThatCannotBeFreeSaysSo) {
  const assets::LoadedRobot rod =
      load("<robot name=\"r\"><link name=\"rod\">" + inertial(1, kRod) + "</link></robot>");
  EXPECT_TRUE(compiled(rod));
  expectFault(compiled(rod, true).error().message(),
              {"robot 'r'", "no inertia in some direction", "'r.rod'"});
}

/// A byte above 0x7f before a quotation mark: urdfdom counts the mark to the letter that it takes this for.
TEST(RobotRepairs, AFileInLatin1IsReadAsThat) {
  const std::string latin1 =
      "<robot name=\"r\"><link name=\"K\xf6rper\"/>\n<link name=\"ende\xf4\"/>\n"
      "<joint name=\"glied\xf4\" type=\"fixed\"><parent link=\"K\xf6rper\"/><child "
      "link=\"ende\xf4\"/></joint>"
      "</robot>";
  const assets::LoadedRobot loaded = load(latin1);
  ASSERT_EQ(loaded.robot.links.size(), 2u);
  EXPECT_EQ(loaded.robot.links[0].name, "K\u00f6rper");
  EXPECT_EQ(loaded.robot.links[1].name, "ende\u00f4");
  EXPECT_EQ(loaded.robot.joints.at(0).name, "glied\u00f4");
  expectNotice(loaded, "read as Latin-1", "robot.urdf:1");
  const assets::LoadedRobot utf8 = load("<robot name=\"r\"><link name=\"K\u00f6rper\"/></robot>");
  EXPECT_EQ(utf8.robot.links.at(0).name, "K\u00f6rper");
  EXPECT_EQ(noticeOf(utf8, "Latin-1"), nullptr);
}

}  // namespace
}  // namespace slipstick
