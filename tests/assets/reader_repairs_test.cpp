// What every reader of robot files mends alike, in the same words: encodings, what is said twice, commas, limits the wrong
// way round, sizes of 0; and what tells a file's kind.
#include <cmath>
#include <numbers>

#include "assets/openable.h"
#include "assets/robot_format.h"
#include "assets/robot_io.h"
#include "assets/scene_io.h"
#include "assets/srdf_io.h"
#include "assets/utf8.h"
#include "tests/assets/mjcf_text.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using testing::expectFault;
using testing::jointOf;
using testing::linkOf;
using testing::loadedMjcf;
using testing::mjcf;
using testing::mjcfFault;
using testing::noticesWith;
using testing::writeFile;

constexpr double kExact = 1e-12;
const std::string kSolid = R"(<inertia ixx=".01" ixy="0" ixz="0" iyy=".01" iyz="0" izz=".01"/>)";

assets::LoadedRobot urdf(const std::string& inside, const std::string& attributes = "") {
  Result<assets::LoadedRobot> loaded = assets::loadUrdf(
      writeFile("robot.urdf", "<robot name=\"r\" " + attributes + ">\n" + inside + "\n</robot>"));
  if (loaded) return std::move(*loaded);
  ADD_FAILURE() << loaded.error().message();
  return {};
}

std::string urdfFault(const std::string& inside, const std::string& attributes = "") {
  const auto loaded = assets::loadUrdf(
      writeFile("robot.urdf", "<robot name=\"r\" " + attributes + ">\n" + inside + "\n</robot>"));
  return loaded ? "" : loaded.error().message();
}

/// base → a by the joint j, with what tests put into each.
std::string arm(const std::string& joint, const std::string& link = "") {
  return "<link name=\"base\"/>\n<joint name=\"j\" type=\"revolute\"><parent link=\"base\"/><child "
         "link=\"a\"/>\n" +
         joint + "</joint>\n<link name=\"a\">\n" + link + "</link>";
}

const std::string kLimit = R"(<limit lower="-1" upper="1" effort="1" velocity="1"/>)";
const std::string kBody = "<inertial><mass value=\"1\"/>" + kSolid + "</inertial>";

std::string all(const std::vector<Notice>& notices) {
  std::string text;
  for (const Notice& n : notices) text += n.where + ": " + n.what + "\n";
  return text;
}

// ------------------------------------------------------------------------------------------------ said twice

TEST(SaidTwice, TheFirstCountsAndTheLineOfTheSecondIsSaid) {
  const assets::LoadedRobot loaded =
      urdf(arm("<origin xyz=\"0 0 .1\"/>\n<origin xyz=\"0 0 .7\"/>\n" + kLimit + "\n" +
                   R"(<limit lower="-2" upper="2" effort="9" velocity="9"/>)",
               kBody + "\n<inertial><mass value=\"3\"/>" + kSolid +
                   "</inertial>\n<collision><geometry><box size=\".1 .1 .1\"/>\n<sphere "
                   "radius=\".2\"/></geometry></collision>"));
  EXPECT_EQ(linkOf(loaded.robot, "a")->mass, 1);
  EXPECT_EQ(jointOf(loaded.robot, "j")->X_PJ.p.z(), 0.1);
  EXPECT_EQ(jointOf(loaded.robot, "j")->upper, 1);
  for (const char* said :
       {"robot.urdf:5, joint 'j': a second <origin> in <joint> is not used: the first, of line 4, counts",
        "robot.urdf:7, joint 'j': a second <limit> in <joint> is not used: the first, of line 6, counts",
        "robot.urdf:10, link 'a': a second <inertial> in <link> is not used: the first, of line 9",
        "robot.urdf:12, link 'a': a second shape in <geometry>, <sphere>, is not used: the first, of"})
    EXPECT_EQ(noticesWith(loaded.notices, said).size(), 1u) << said << "\nin\n" << all(loaded.notices);
}

TEST(SaidTwice, NeighboursAreSaidToo) {
  const auto said = [](const std::string& joint, const std::string& link) {
    return all(urdf(arm(joint + kLimit, link)).notices);
  };
  const auto expectSaid = [](const std::string& text, const std::string& what) {
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  expectSaid(said("<axis xyz=\"0 0 1\"/><axis xyz=\"1 0 0\"/>", kBody), "a second <axis> in <joint>");
  expectSaid(said("<dynamics damping=\"1\"/><dynamics damping=\"2\"/>", kBody),
             "a second <dynamics> in <joint>");
  expectSaid(said("", "<inertial><mass value=\"1\"/><mass value=\"2\"/>" + kSolid + "</inertial>"),
             "a second <mass> in <inertial>");
  expectSaid(
      said("", kBody + "<visual><geometry><sphere radius=\"1\"/></geometry><geometry><box size=\"1 1 1\"/>"
                       "</geometry></visual>"),
      "a second <geometry> in <visual>");
  expectSaid(said("<mimic joint=\"k\" multiplyer=\"2\"/>", kBody), "'multiplyer' of <mimic> is not used");
  EXPECT_EQ(said("", kBody), "") << "nothing is said of what stands once";
}

TEST(SaidTwice, InMjcfAsInUrdf) {
  const assets::LoadedMjcf loaded =
      loadedMjcf(mjcf("<body name=\"b\"><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\".1 .1 .1\"/>\n"
                      "<inertial pos=\"0 0 0\" mass=\"5\" diaginertia=\".1 .1 .1\"/><joint/></body>"));
  EXPECT_EQ(linkOf(loaded.robot, "b")->mass, 2);
  EXPECT_EQ(
      noticesWith(loaded.notices, "a second <inertial> in <body> is not used: the first, of line 3").size(),
      1u)
      << all(loaded.notices);
}

// -------------------------------------------------------------------------------------------------- encodings

const std::string kName =
    "gr\xf6\xdf"
    "e";  // of ISO 8859-1
const std::string kUtf8Name = "größe";

/// Read as declared, or with a notice as Latin-1; the name is whole in each.
TEST(Encodings, AreThoseThatTheFileDeclaresOrLatin1) {
  const std::string bodies = "<body name=\"" + kName + "\"><joint/><geom size=\".1\"/></body>";
  const assets::LoadedMjcf silent = loadedMjcf(mjcf(bodies));
  EXPECT_EQ(noticesWith(silent.notices, "model.xml:3: this is not UTF-8: read as Latin-1").size(), 1u)
      << all(silent.notices);
  linkOf(silent.robot, kUtf8Name);
  const assets::LoadedMjcf declared =
      loadedMjcf("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n" + mjcf(bodies));
  EXPECT_TRUE(noticesWith(declared.notices, "UTF-8").empty()) << all(declared.notices);
  linkOf(declared.robot, kUtf8Name);
  // 0x80 is the sign of the euro in Windows-1252, and a control character in Latin-1.
  const assets::LoadedMjcf windows =
      loadedMjcf("<?xml version='1.0' encoding='windows-1252'?>\n" +
                 mjcf("<body name=\"\x80\"><joint/><geom size=\".1\"/></body>"));
  linkOf(windows.robot, "€");
  const assets::LoadedRobot robot = urdf("<link name=\"" + kName + "\"/>");
  EXPECT_EQ(robot.robot.links.at(0).name, kUtf8Name);
  EXPECT_EQ(noticesWith(robot.notices, "this is not UTF-8: read as Latin-1").size(), 1u);
}

TEST(Encodings, OfUtf16AreToldByTheirMark) {
  std::string wide = "\xff\xfe";
  for (const char c : mjcf("<body name=\"b\"><joint/><geom size=\".1\"/></body>")) wide += {c, '\0'};
  const fs::path file = writeFile("wide.xml", wide);
  ASSERT_NE(assets::robotFormatShownBy(file), nullptr);
  EXPECT_EQ(assets::robotFormatShownBy(file)->key, "mjcf");
  const Result<assets::LoadedMjcf> loaded = assets::loadMjcf(file);
  ASSERT_TRUE(loaded) << loaded.error().message();
  linkOf(loaded->robot, "b");
}

TEST(Encodings, OfIncludedFilesSrdfAndScenesAreReadSo) {
  writeFile("part.xml",
            "<mujocoinclude><body name=\"" + kName + "\"><joint/><geom size=\".1\"/></body></mujocoinclude>");
  const assets::LoadedMjcf including = loadedMjcf(mjcf("<include file=\"part.xml\"/>"));
  EXPECT_EQ(noticesWith(including.notices, "part.xml:1: this is not UTF-8").size(), 1u);
  RobotDescription robot;
  robot.links.resize(2);
  robot.links[0].name = kUtf8Name;
  robot.links[1].name = "b";
  std::vector<Notice> notices;
  const auto srdf =
      writeFile("r.srdf", "<robot><disable_collisions link1=\"" + kName + "\" link2=\"b\"/></robot>");
  ASSERT_TRUE(assets::addSrdf(srdf, robot, notices, nullptr));
  EXPECT_EQ(robot.excludedLinks.size(), 1u);
  EXPECT_EQ(noticesWith(notices, "this is not UTF-8: read as Latin-1").size(), 1u);
  const auto scene = assets::loadScene(writeFile("scene.yaml", "title: " + kName + "\n").string());
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(scene->scene.title, kUtf8Name);
  EXPECT_EQ(noticesWith(scene->notices, "scene.yaml:1: this is not UTF-8: read as Latin-1").size(), 1u);
}

// ------------------------------------------------------------------------------------- commas, limits, sizes

TEST(Commas, AreSpacesOrDecimalPointsWhicheverFitsTheCount) {
  const assets::LoadedRobot spaces = urdf(arm("<origin xyz=\"1,2,3\"/>" + kLimit, kBody));
  EXPECT_EQ(jointOf(spaces.robot, "j")->X_PJ.p, Vec3(1, 2, 3));
  EXPECT_EQ(noticesWith(spaces.notices, "'1,2,3': its commas are taken as spaces").size(), 1u);
  const assets::LoadedRobot points = urdf(arm("<origin xyz=\"0,1 0,2 0,3\"/>" + kLimit, kBody));
  EXPECT_EQ(jointOf(points.robot, "j")->X_PJ.p, Vec3(0.1, 0.2, 0.3));
  EXPECT_EQ(noticesWith(points.notices, "its commas are taken as decimal points").size(), 1u);
  const assets::LoadedMjcf model =
      loadedMjcf(mjcf("<body name=\"b\" pos=\"0,5 0,25 1\"><joint/><geom size=\".1\"/></body>",
                      "<option gravity=\"0,0,-1\"/>"));
  EXPECT_EQ(model.scene.gravity.z(), -1);
  EXPECT_EQ(model.robot.joints.at(0).X_PJ.p, Vec3(0.5, 0.25, 1));
  EXPECT_EQ(
      noticesWith(model.notices, "'pos' of <body> is '0,5 0,25 1': its commas are taken as decimal points")
          .size(),
      1u)
      << all(model.notices);
}

TEST(Limits, TheWrongWayRoundAreNone) {
  const auto free = [](const std::vector<Notice>& notices, const JointSpec& joint) {
    EXPECT_EQ(noticesWith(notices, "the lower limit is above the upper one: it moves without limits").size(),
              1u)
        << all(notices);
    EXPECT_TRUE(std::isinf(joint.lower) && std::isinf(joint.upper));
  };
  const assets::LoadedRobot robot =
      urdf(arm(R"(<limit lower="1" upper="-1" effort="1" velocity="1"/>)", kBody));
  free(robot.notices, *jointOf(robot.robot, "j"));
  const assets::LoadedMjcf model =
      loadedMjcf(mjcf("<body><joint name=\"j\" range=\"1 -1\"/><geom size=\".1\"/></body>"));
  free(model.notices, *jointOf(model.robot, "j"));
  const assets::LoadedMjcf forces =
      loadedMjcf(mjcf("<body><joint name=\"j\" actuatorfrcrange=\"5 -5\"/><geom size=\".1\"/></body>",
                      "<actuator><motor joint=\"j\" ctrlrange=\"1 -1\"/></actuator>"));
  EXPECT_EQ(noticesWith(forces.notices, "its 'actuatorfrcrange' is not used").size(), 1u)
      << all(forces.notices);
  EXPECT_EQ(noticesWith(forces.notices, "its 'ctrlrange' is not used").size(), 1u);
  EXPECT_FALSE(jointOf(forces.robot, "j")->effortLimit.isBounded());
}

TEST(Sizes, OfZeroLeaveTheirShapeOut) {
  const assets::LoadedMjcf model = loadedMjcf(
      mjcf("<body name=\"b\"><joint/><geom size=\".1\"/><geom type=\"box\" size=\".1 0 .1\"/></body>"));
  EXPECT_EQ(linkOf(model.robot, "b")->collisions.size(), 1u);
  EXPECT_EQ(noticesWith(model.notices, "a <geom> whose <box> has a size of 0 was dropped").size(), 1u);
  expectFault(mjcfFault(mjcf("<geom type=\"box\" size=\".1\"/>")), {"size 2 of the box is missing"});
  const assets::LoadedRobot robot =
      urdf("<link name=\"a\"><collision><geometry><box size=\"0 1 1\"/></geometry></collision></link>");
  EXPECT_EQ(noticesWith(robot.notices, "a <collision> whose <box> has a size of 0 was dropped").size(), 1u);
}

// --------------------------------------------------------------------------------------------- kinds of files

TEST(FileKinds, AreToldByTheFirstElementWhateverComesBeforeAndTheSuffix) {
  const std::string licence = "<?xml version=\"1.0\"?>\n<!--" + std::string(400'000, 'x') + " <sdf> -->\n";
  EXPECT_EQ(assets::robotFormatOf(writeFile("a.xml", licence + "<robot name=\"r\">")).key, "urdf");
  EXPECT_EQ(assets::kindOfFile(writeFile("arm.txt", "<mujoco/>")), assets::FileKind::Robot);
  EXPECT_EQ(assets::kindOfFile(writeFile("arm.robot", "<robot/>")), assets::FileKind::Robot);
  EXPECT_EQ(assets::kindOfFile(writeFile("arm.yaml", "<sdf/>")), assets::FileKind::Robot);
  EXPECT_EQ(assets::kindOfFile(writeFile("b.yaml", "# <robot/>\ntitle: a\n")), assets::FileKind::Scene);
  EXPECT_EQ(assets::kindOfFile(writeFile("notes.txt", "a <robot> stands here")), std::nullopt);
  EXPECT_EQ(assets::kindOfFile(writeFile("page.html", "<html><robot/></html>")), std::nullopt);
  EXPECT_EQ(assets::kindOfFile("cell.world"), assets::FileKind::Robot);
  EXPECT_EQ(assets::robotFormatOf("cell.world").key, "sdf");
}

// ------------------------------------------------------------------------------------------------ URDF 1.1, 1.2

TEST(UrdfVersions, ElevenBringsCapsules) {
  const assets::LoadedRobot loaded = urdf(
      "<link name=\"a\"><collision><geometry><capsule radius=\".05\" "
      "length=\".2\"/></geometry></collision></link>",
      "version=\"1.1\"");
  EXPECT_EQ(std::get<shape::Capsule>(loaded.robot.links.at(0).collisions.at(0).shape).length, 0.2);
  EXPECT_TRUE(loaded.notices.empty()) << all(loaded.notices);
}

/// The quaternion is what its axis and angle say, whole at the pole of roll, pitch and yaw, too.
TEST(UrdfVersions, TwelveBringsQuaternions) {
  struct Case {
    const char* text;
    Quat turn;
  };
  const double h = std::sqrt(0.5);
  for (const Case& c :
       {Case{"0 0 0.7071067811865476 0.7071067811865476", {h, 0, 0, h}}, Case{"0 1 0 1", {h, 0, h, 0}},
        Case{"0 -3 0 3", {h, 0, -h, 0}}, Case{"0.5 0.5 0.5 0.5", {0.5, 0.5, 0.5, 0.5}},
        Case{"1 0 0 0", {0, 1, 0, 0}}, Case{"0.1 -0.2 0.3 -0.9", Quat(-0.9, 0.1, -0.2, 0.3).normalized()}}) {
    const assets::LoadedRobot loaded =
        urdf(arm("<origin quat_xyzw=\"" + std::string(c.text) + "\"/>" + kLimit, kBody), "version=\"1.2\"");
    EXPECT_LT((jointOf(loaded.robot, "j")->X_PJ.R - c.turn.toRotationMatrix()).norm(), 1e-12) << c.text;
  }
}

TEST(UrdfVersions, AQuaternionOfAnOlderFileIsSaidAndFaultsAreFaults) {
  const std::string turned = arm("<origin quat_xyzw=\"0 0 1 0\"/>" + kLimit, kBody);
  for (const char* version : {"", "version=\"1.0\"", "version=\"1.1\""}) {
    const assets::LoadedRobot loaded = urdf(turned, version);
    EXPECT_TRUE(jointOf(loaded.robot, "j")->X_PJ.R.isIdentity(kExact));
    EXPECT_EQ(noticesWith(loaded.notices, "'quat_xyzw' of <origin> is not used").size(), 1u) << version;
  }
  expectFault(
      urdfFault(arm("<origin rpy=\"0 0 1\" quat_xyzw=\"0 0 1 0\"/>" + kLimit, kBody), "version=\"1.2\""),
      {"its orientation is written in two ways"});
  expectFault(urdfFault(arm("<origin quat_xyzw=\"0 0 0 0\"/>" + kLimit, kBody), "version=\"1.2\""),
              {"is zero"});
  const assets::LoadedRobot later = urdf(turned, "version=\"3.7\"");
  EXPECT_NEAR(jointOf(later.robot, "j")->X_PJ.R(0, 0), -1, kExact);
  EXPECT_EQ(noticesWith(later.notices, "the version '3.7' is not known: read as the newest").size(), 1u);
}

// ---------------------------------------------------------------------------------------------- MJCF's includes

/// Beside the main file first, then beside the file that includes: with both, the main file's counts, as in MuJoCo.
TEST(MjcfIncludes, AreFoundBesideTheFileThatNamesThem) {
  const auto geom = [](const std::string& mass) {
    return "<mujocoinclude><geom size=\".1\" mass=\"" + mass + "\"/></mujocoinclude>";
  };
  const fs::path folder = writeFile("start", "").parent_path();
  fs::create_directories(folder / "parts");
  writeFile("parts/a.xml", "<mujocoinclude><include file=\"b.xml\"/></mujocoinclude>");
  writeFile("parts/b.xml", geom("2"));
  fs::remove(folder / "b.xml");
  const std::string main =
      mjcf("<body name=\"m\"><joint/><geom size=\".1\" mass=\"1\"/><include file=\"parts/a.xml\"/></body>");
  EXPECT_EQ(linkOf(loadedMjcf(main).robot, "m")->mass, 3);
  writeFile("b.xml", geom("7"));
  EXPECT_EQ(linkOf(loadedMjcf(main).robot, "m")->mass, 8);
  fs::remove(folder / "b.xml");
  fs::remove(folder / "parts/b.xml");
  expectFault(mjcfFault(main), {"parts/a.xml:1, <include>: the file 'b.xml' does not exist"});
}

}  // namespace
}  // namespace slipstick
