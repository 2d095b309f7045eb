// <attach> in MJCF files: what comes along, under which names, by whose units and classes. Masses and mass matrices:
// mjcf_reference_test.cpp (attached.xml).
#include <numbers>

#include "assets/file_log.h"
#include "engine/model/world_link.h"
#include "tests/assets/inside_folder.h"
#include "tests/assets/mjcf_text.h"
#include "tests/assets/zero_poses.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using multibody::JointType;
using testing::expectFault;
using testing::jointOf;
using testing::linkOf;
using testing::loadedMjcf;
using testing::mjcf;
using testing::mjcfFault;
using testing::noticesWith;
using testing::writeFile;
using testing::zeroPoses;

constexpr double kExact = 1e-12;

/// Two links that a joint, an actuator, a sensor, a coupling and an exclusion name, beside one that stays alone.
const std::string kArm = R"(<mujoco model="robot"><compiler angle="radian"/>
  <default><geom density="500"/><default class="red"><geom size=".2" rgba="1 0 0 1"/></default></default>
  <asset><material name="green" rgba="0 1 0 1"/></asset>
  <worldbody><geom name="floor" type="plane" size="1 1 1"/>
    <body name="upper" pos="0 0 1"><joint name="a" range="-1 1"/><geom name="g" class="red"/>
      <site name="tip" pos="0 0 .5"/>
      <body name="lower" pos="0 0 .5"><joint name="b" type="slide"/><geom size=".1" material="green"/></body>
    </body>
    <body name="other" pos="2 0 0"><joint name="c"/><geom size=".1"/></body>
  </worldbody>
  <contact><exclude body1="upper" body2="lower"/><exclude body1="upper" body2="other"/></contact>
  <equality><joint joint1="b" joint2="a" polycoef="0 2"/><weld name="held" body1="lower" body2="world"/>
    <weld name="far" body1="lower" body2="other"/></equality>
  <tendon><fixed name="t"><joint joint="b" coef="1"/></fixed><fixed name="u"><joint joint="c" coef="1"/></fixed></tendon>
  <actuator><position name="servo" joint="a" kp="7"/><motor joint="c"/><motor tendon="t"/><motor tendon="u"/></actuator>
  <sensor><gyro name="turn" site="tip"/></sensor>
</mujoco>)";

std::string attaching(const std::string& bodies, const std::string& models = {}) {
  writeFile("robot.xml", kArm);
  return mjcf(bodies, "<asset><model name=\"arm\" file=\"robot.xml\"/>" + models + "</asset>");
}

const std::string kUpper =
    "<frame pos=\"1 0 0\"><attach model=\"arm\" body=\"upper\" prefix=\"r_\"/></frame>";

TEST(MjcfAttach, ABodyComesWithAllThatHangsFromItUnderNamesWithAPrefix) {
  const RobotDescription robot = loadedMjcf(attaching(kUpper)).robot;
  std::vector<std::string> links;
  for (const LinkSpec& link : robot.links) links.push_back(link.name);
  EXPECT_EQ(links, (std::vector<std::string>{kWorldLink, "r_upper", "r_lower"}));
  EXPECT_EQ(jointOf(robot, "r_a")->child, "r_upper");
  EXPECT_EQ(jointOf(robot, "r_b")->type, JointType::Prismatic);
  const std::map<std::string, Pose> poses = zeroPoses(robot);
  EXPECT_LT((poses.at("r_upper").p - Vec3(1, 0, 1)).norm(), kExact)
      << "its place is in the frame that takes it";
  EXPECT_LT((poses.at("r_lower").p - Vec3(1, 0, 1.5)).norm(), kExact);
}

TEST(MjcfAttach, UnitsClassesAndMaterialsAreThoseOfTheModelThatIsAttached) {
  const std::string defaults =
      "<compiler angle=\"degree\"/><default><geom density=\"9000\"/><joint damping=\"3\"/></default>";
  writeFile("robot.xml", kArm);
  const RobotDescription robot =
      loadedMjcf(mjcf("<body name=\"cart\"><joint name=\"j\"/><geom size=\".1\"/>" + kUpper + "</body>",
                      defaults + "<asset><model name=\"arm\" file=\"robot.xml\"/></asset>"))
          .robot;
  const double ball = 4.0 / 3 * std::numbers::pi;
  EXPECT_NEAR(linkOf(robot, "r_upper")->mass, 500 * ball * 0.008, kExact);
  EXPECT_NEAR(linkOf(robot, "cart")->mass, 9000 * ball * 0.001, 1e-9);
  EXPECT_EQ(jointOf(robot, "r_a")->lower, -1) << "radians there, degrees here";
  EXPECT_EQ(jointOf(robot, "r_a")->damping, 0);
  EXPECT_EQ(jointOf(robot, "j")->damping, 3);
  EXPECT_EQ(linkOf(robot, "r_upper")->visuals.at(0).color.x(), 1);
  EXPECT_EQ(linkOf(robot, "r_lower")->visuals.at(0).color.y(), 1);
}

TEST(MjcfAttach, WhatNamesThingsThatStayBehindStaysWithThem) {
  const assets::LoadedMjcf part = loadedMjcf(attaching(kUpper));
  EXPECT_EQ(jointOf(part.robot, "r_b")->mimic, "r_a");
  ASSERT_EQ(part.robot.loops.size(), 1u);
  EXPECT_EQ(part.robot.loops[0].name, "r_held");
  EXPECT_EQ(part.robot.loops[0].linkB, kWorldLink) << "the world has no prefix";
  EXPECT_EQ(noticesWith(part.notices, "r_servo on 'r_a'").size(), 1u);
  EXPECT_EQ(noticesWith(part.notices, "acts on no joint").size(), 1u);
  ASSERT_EQ(part.scene.sensors.size(), 1u);
  EXPECT_EQ(part.scene.sensors[0].name, "r_turn");
  const assets::LoadedMjcf all = loadedMjcf(attaching("<attach model=\"arm\" prefix=\"r_\"/>"));
  EXPECT_EQ(all.robot.loops.size(), 2u);
  EXPECT_EQ(linkOf(all.robot, "r_other")->mass, linkOf(part.robot, "r_lower")->mass);
  EXPECT_EQ(all.robot.links[0].collisions.size(), 1u) << "the floor";
}

TEST(MjcfAttach, AModelIsAttachedAsOftenAsIsAsked) {
  const RobotDescription robot =
      loadedMjcf(
          attaching(
              kUpper +
              "<attach model=\"arm\" body=\"lower\" prefix=\"s/\"/>"
              "<replicate count=\"2\" offset=\"0 1 0\"><attach model=\"arm\" prefix=\"\"/></replicate>"))
          .robot;
  EXPECT_EQ(robot.links.size(), 1u + 2 + 1 + 2 * 3);
  EXPECT_LT((zeroPoses(robot).at("other1").p - Vec3(2, 1, 0)).norm(), kExact);
  EXPECT_EQ(jointOf(robot, "b1")->mimic, "a1");
  EXPECT_EQ(jointOf(robot, "s/b")->mimic, "") << "it followed a joint that stays behind";
  expectFault(mjcfFault(attaching(kUpper + kUpper)),
              {"robot.xml:3, material 'r_green'", "there is a material 'r_green' already"});
}

TEST(MjcfAttach, ModelsThatAreAttachedAttachOthers) {
  writeFile(
      "middle.xml",
      mjcf("<body name=\"m\"><joint name=\"m\"/><geom size=\".1\"/><attach model=\"robot\" body=\"lower\" "
           "prefix=\"in_\"/></body>",
           "<asset><model file=\"robot.xml\"/></asset>"));
  const std::string bodies =
      "<attach model=\"mid\" body=\"in_lower\" prefix=\"x_\"/><attach model=\"mid\" prefix=\"y_\"/>";
  const RobotDescription robot =
      loadedMjcf(attaching(bodies, "<model name=\"mid\" file=\"middle.xml\"/>")).robot;
  std::vector<std::string> joints;
  for (const JointSpec& joint : robot.joints) joints.push_back(joint.name);
  EXPECT_EQ(joints, (std::vector<std::string>{"x_in_b", "y_m", "y_in_b"}));
}

/// A frame brings what is in it, joints, too, to the body that takes it.
TEST(MjcfAttach, AFrameIsAttachedWithWhatIsInIt) {
  writeFile(
      "robot.xml",
      "<mujoco><default><default class=\"c\"><geom mass=\"3\"/></default></default><worldbody>"
      "<frame pos=\"9 9 9\" childclass=\"c\"><body name=\"b\"><frame name=\"f\" pos=\"0 0 2\">"
      "<joint name=\"j\" axis=\"1 0 0\"/><geom size=\".1\"/></frame></body></frame></worldbody></mujoco>");
  const RobotDescription robot = loadedMjcf(mjcf("<body name=\"own\"><geom size=\".1\" mass=\"1\"/><attach "
                                                 "model=\"arm\" frame=\"f\" prefix=\"p\"/></body>",
                                                 "<asset><model name=\"arm\" file=\"robot.xml\"/></asset>"))
                                     .robot;
  EXPECT_EQ(linkOf(robot, "own")->mass, 4);
  EXPECT_LT((linkOf(robot, "own")->com - Vec3(0, 0, 1.5)).norm(), kExact);
  EXPECT_LT((jointOf(robot, "pj")->X_PJ.p - Vec3(0, 0, 2)).norm(), kExact);
  EXPECT_EQ(jointOf(robot, "pj::offset")->child, "own");
}

/// In the folder of the model that names them; models and parts beside the file that names them, too.
TEST(MjcfAttach, FilesOfAnAttachedModelAreBesideIt) {
  const fs::path folder = writeFile("start", "").parent_path();
  fs::create_directories(folder / "one" / "two");
  writeFile("one/two/tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  writeFile("one/two/geom.xml", "<mujocoinclude><geom type=\"mesh\" mesh=\"tetra\"/></mujocoinclude>");
  writeFile("one/k.xml", mjcf("<body name=\"b\"><joint/><include file=\"two/geom.xml\"/></body>",
                              "<compiler meshdir=\"two\"/><asset><mesh file=\"tetra.obj\"/></asset>"));
  writeFile("one/models.xml", "<mujoco><asset><model name=\"k\" file=\"k.xml\"/></asset></mujoco>");
  const RobotDescription robot =
      loadedMjcf(mjcf("<attach model=\"k\" prefix=\"p_\"/>",
                      "<compiler meshdir=\"nowhere\"/><include file=\"one/models.xml\"/>"))
          .robot;
  EXPECT_NEAR(linkOf(robot, "p_b")->mass, 1000.0 / 6, 1e-5);
}

const std::string kTetra = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const std::string kMeshBody = "<body name=\"b\"><joint/><geom type=\"mesh\" mesh=\"tetra\"/></body>";

std::string attachingFile(const std::string& file, const std::string& bodies = {}) {
  return mjcf(bodies + "<attach model=\"k\" prefix=\"p_\"/>",
              "<asset><model name=\"k\" file=\"" + file + "\"/></asset>");
}

/// A file in a folder below that of the test.
fs::path writeBelow(const fs::path& name, const std::string& text) {
  fs::create_directories((writeFile("start", "").parent_path() / name).parent_path());
  return writeFile(name.string(), text);
}

void expectTetra(const Result<assets::LoadedMjcf>& loaded) {
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_NEAR(linkOf(loaded->robot, "p_b")->mass, 1000.0 / 6, 1e-5);
}

TEST(MjcfAttach, AModelThatIsNamedWithoutAFolderAttachesOneFromAnother) {
  writeBelow("sub/tetra.obj", kTetra);
  writeBelow("sub/k.xml", mjcf(kMeshBody, "<asset><mesh file=\"tetra.obj\"/></asset>"));
  const testing::InsideFolder inside(writeFile("model.xml", attachingFile("sub/k.xml")).parent_path());
  expectTetra(assets::loadMjcf("model.xml"));
  fs::remove("sub/tetra.obj");
  expectFault(assets::loadMjcf("model.xml").error().message(),
              {"sub/k.xml:2", fs::absolute("sub/tetra.obj").string()});
}

TEST(MjcfAttach, AFolderThatIsALinkDoesNotMoveWhatIsAttached) {
  const fs::path root = writeBelow("lib/tetra.obj", kTetra).parent_path().parent_path();
  const fs::path k = writeBelow("lib/k.xml", mjcf(kMeshBody, "<asset><mesh file=\"tetra.obj\"/></asset>"));
  writeBelow("deep/er/robots/model.xml", attachingFile(k.string()));
  writeBelow("deep/er/robots/above.xml", attachingFile("../lib/k.xml"));
  fs::remove(root / "robots");
  fs::create_directory_symlink("deep/er/robots", root / "robots");
  expectTetra(assets::loadMjcf(root / "robots" / "model.xml"));
  expectTetra(assets::loadMjcf(root / "robots" / "above.xml"));  // MuJoCo takes ".." from the names, too
}

/// Folders of <compiler> are not for them, as in MuJoCo.
TEST(MjcfAttach, UrisOfMeshesAreWholeInEveryModel) {
  writeBelow("sub/pkg/package.xml", "<package><name>pkg</name></package>");
  writeBelow("sub/pkg/tetra.obj", kTetra);
  for (const char* compiler : {"", "<compiler meshdir=\"nowhere\"/>"}) {
    const std::string k =
        mjcf(kMeshBody, std::string(compiler) + "<asset><mesh file=\"package://pkg/tetra.obj\"/></asset>");
    const Result<assets::LoadedMjcf> alone = assets::loadMjcf(writeBelow("sub/k.xml", k));
    ASSERT_TRUE(alone) << alone.error().message();
    EXPECT_NEAR(linkOf(alone->robot, "b")->mass, 1000.0 / 6, 1e-5);
    expectTetra(assets::loadMjcf(writeFile("model.xml", attachingFile("sub/k.xml"))));
  }
}

TEST(MjcfAttach, AssetsWithoutANameHaveThatOfTheirFileWhereverTheyStand) {
  writeFile("tetra.obj", kTetra);
  writeFile("parts.xml", "<mujocoinclude><mesh file=\"tetra.obj\"/></mujocoinclude>");
  for (const char* asset : {"<include file=\"parts.xml\"/>", "<mesh name=\"\" file=\"tetra.obj\"/>"}) {
    writeFile("k.xml", mjcf(kMeshBody, "<asset>" + std::string(asset) + "</asset>"));
    expectTetra(assets::loadMjcf(writeFile("model.xml", attachingFile("k.xml"))));
  }
}

TEST(MjcfAttach, TheWorldIsTheWorldOnlyAsABody) {
  writeFile("k.xml",
            mjcf("<site name=\"world\"/><geom name=\"world\" size=\".1\" material=\"world\"/>"
                 "<body name=\"b\"><joint name=\"world\"/><geom size=\".1\" material=\"world\"/>"
                 "<site name=\"tip\"/></body>",
                 "<asset><material name=\"world\" rgba=\"0 1 0 1\"/></asset>"
                 "<equality><weld name=\"held\" body1=\"b\" body2=\"world\"/></equality>"
                 "<actuator><motor name=\"m\" joint=\"world\"/></actuator>"
                 "<sensor><gyro name=\"g\" site=\"tip\"/><gyro name=\"w\" site=\"world\"/></sensor>"));
  const assets::LoadedMjcf loaded = loadedMjcf(attachingFile("k.xml"));
  EXPECT_EQ(linkOf(loaded.robot, "p_b")->visuals.at(0).color.y(), 1);
  EXPECT_EQ(jointOf(loaded.robot, "p_world")->child, "p_b");
  EXPECT_EQ(noticesWith(loaded.notices, "p_m on 'p_world'").size(), 1u);
  ASSERT_EQ(loaded.robot.loops.size(), 1u);
  EXPECT_EQ(loaded.robot.loops[0].linkB, kWorldLink);
}

/// A file with one <body> in another; what stands in the innermost of them.
void writeDeep(const std::string& name, int levels, const std::string& innermost) {
  std::string begin = "<mujocoinclude>", end = "</mujocoinclude>";
  for (int i = 0; i < levels; ++i) begin += "<body>", end.insert(0, "</body>");
  writeFile(name, begin + innermost + end);
}

/// Of each of its files an included one is in the body that is the innermost of the one before.
void writeDeepModel(const std::string& name, int files, const std::string& innermost,
                    const std::string& sections = {}) {
  const auto part = [&](int i) { return name + std::to_string(i) + ".xml"; };
  for (int i = 0; i < files; ++i)
    writeDeep(part(i), 95, i + 1 < files ? "<include file=\"" + part(i + 1) + "\"/>" : innermost);
  writeFile(name + ".xml", mjcf("<include file=\"" + part(0) + "\"/>", sections));
}

TEST(MjcfAttach, BodiesStandInEachOtherOnlySoDeep) {
  const auto depth = [](int files) {
    writeDeepModel("inner", files, "<geom size=\".1\"/>");
    writeDeepModel("outer", 5, "<attach model=\"k\" prefix=\"p_\"/>",
                   "<asset><model name=\"k\" file=\"inner.xml\"/></asset>");
    return assets::loadMjcf(writeFile("start", "").parent_path() / "outer.xml");
  };
  const Result<assets::LoadedMjcf> allowed = depth(5);
  ASSERT_TRUE(allowed) << allowed.error().message();
  EXPECT_EQ(allowed->robot.links.size(), 1u + 950);
  const Result<assets::LoadedMjcf> deeper = depth(6);
  ASSERT_FALSE(deeper);
  expectFault(deeper.error().message(), {"inner5.xml:1", "more than 1,000 deep", "flatten"});
}

TEST(MjcfAttach, NamesAreNoLongerWithTheirPrefixesThanLimitsSay) {
  const std::string long90(90, 'l'), tooLong(assets::limits::kNameBytes + 1, 'l');
  const std::string asset = "<asset><model name=\"k\" file=\"k.xml\"/></asset>";
  const auto fault = [&](const std::string& prefix) {
    return mjcfFault(mjcf("<attach model=\"k\" prefix=\"" + prefix + "\"/>", asset));
  };
  writeFile("k.xml", mjcf("<body name=\"" + long90 + "\"><joint/><geom size=\".1\"/></body>"));
  EXPECT_EQ(fault(long90), "");
  expectFault(fault(tooLong), {"model.xml:3, <attach>", "its 'prefix' is longer than 200 bytes"});
  expectFault(fault(std::string(111, 'p')), {"k.xml:3", "longer than 200 bytes with its prefixes"});
  writeFile("k.xml", mjcf("<body><joint/><geom size=\".1\" material=\"" + long90 + long90 + "\"/></body>"));
  expectFault(fault(long90), {"k.xml:3, <geom>", "longer than 200 bytes with its prefixes"});
  expectFault(fault("a&#10;b"), {"model.xml:3, <attach>", "line breaks"});
}

/// Each is a whole file that is read for its name.
TEST(MjcfAttach, ModelsListedWithoutTheirNamesAreFewAndAreFilesOfTheScene) {
  writeFile("k.xml", "<mujoco model=\"k\"><worldbody><body name=\"b\"/></worldbody></mujoco>");
  writeFile("other.xml", "<mujoco model=\"other\"><worldbody/></mujoco>");
  const auto listing = [](int others) {
    std::string models;
    for (int i = 0; i < others; ++i) models += "<model file=\"other.xml\"/>";
    return writeFile("model.xml", mjcf("<attach model=\"k\" prefix=\"p_\"/>",
                                       "<asset>" + models + "<model file=\"k.xml\"/></asset>"));
  };
  const assets::FileLog log;
  const Result<assets::LoadedMjcf> loaded = assets::loadMjcf(listing(99));
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(linkOf(loaded->robot, "p_b")->name, "p_b");
  EXPECT_EQ(
      std::count(log.files().begin(), log.files().end(), writeFile("start", "").parent_path() / "other.xml"),
      1);
  expectFault(assets::loadMjcf(listing(100)).error().message(),
              {"model.xml:2, <model>", "more than 100 models", "add name="});
}

/// As in MuJoCo, also where a body alone is attached, or nothing at all.
TEST(MjcfAttach, WorldsOfAttachedModelsHaveNoJointsEither) {
  const std::string own = "<body name=\"own\"><geom size=\".1\"/>",
                    moving = "<body name=\"b\"><joint/><geom size=\".1\"/></body>";
  const std::string asset = "<asset><model name=\"k\" file=\"k.xml\"/></asset>";
  for (const char* loose : {"<joint name=\"q\"/>", "<frame><freejoint/></frame>",
                            "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>"})
    for (const char* body : {"", "body=\"b\" "}) {
      writeFile("k.xml", mjcf(loose + moving));
      expectFault(mjcfFault(mjcf(own + "<attach model=\"k\" " + body + "prefix=\"p_\"/></body>", asset)),
                  {"k.xml:3", "the world itself has a joint or an <inertial>", "<body>"});
    }
  writeFile("f.xml", mjcf("<body><frame name=\"f\"><joint name=\"q\"/><geom size=\".1\"/></frame></body>"));
  writeFile("k.xml", mjcf("<attach model=\"f\" frame=\"f\" prefix=\"f_\"/>",
                          "<asset><model name=\"f\" file=\"f.xml\"/></asset>"));
  const RobotDescription robot =
      loadedMjcf(mjcf(own + "<attach model=\"k\" prefix=\"p_\"/></body>", asset)).robot;
  EXPECT_EQ(jointOf(robot, "p_f_q")->child, "own") << "what a world attaches moves who attaches the world";
}

TEST(MjcfAttach, WhatIsAttachedToNoBodyIsNotUsedAtAll) {
  writeFile("robot.xml", kArm);
  const assets::LoadedMjcf loaded =
      loadedMjcf(attaching("<geom size=\"1\"><attach model=\"arm\" prefix=\"p_\"/></geom>"));
  EXPECT_EQ(loaded.robot.links.size(), 1u);
  EXPECT_EQ(noticesWith(loaded.notices, "<attach> is not known here and not used").size(), 1u);
  EXPECT_EQ(loaded.robot.loops.size(), 0u);
}

TEST(MjcfAttach, WhatAModelSaysOfTheWorldIsNamedOnceAndNotUsed) {
  writeFile("robot.xml", mjcf("<body name=\"b\"><joint/><geom size=\".1\" wings=\"2\"/></body>",
                              "<option gravity=\"0 0 -3\"/><keyframe><key qpos=\"1\"/></keyframe>"));
  const assets::LoadedMjcf loaded =
      loadedMjcf(mjcf("<attach model=\"k\" prefix=\"p_\"/><attach model=\"k\" prefix=\"q_\"/>",
                      "<asset><model name=\"k\" file=\"robot.xml\"/></asset>"));
  EXPECT_EQ(loaded.scene.gravity.z(), -9.81);
  EXPECT_EQ(noticesWith(loaded.notices, "robot.xml:2, <option>: <option> of an attached model").size(), 1u);
  EXPECT_EQ(noticesWith(loaded.notices, "<keyframe> of an attached model is not used").size(), 1u);
  EXPECT_EQ(noticesWith(loaded.notices, "<geom> has no 'wings'").size(), 1u);
}

TEST(MjcfAttach, FaultsNameFileLineAndRemedy) {
  const auto fault = [](const std::string& attach, const std::string& models = {}) {
    return mjcfFault(attaching("<attach " + attach + "/>", models));
  };
  expectFault(fault("model=\"leg\" prefix=\"\""),
              {"model.xml:3, <attach>", "there is no model 'leg'", "known: arm"});
  expectFault(fault("model=\"arm\" body=\"uper\" prefix=\"\""),
              {"there is no body in the model 'arm': 'uper'", "did you mean 'upper'"});
  expectFault(fault("model=\"arm\" frame=\"f\" prefix=\"\""), {"there is no frame in the model 'arm': 'f'"});
  expectFault(fault("model=\"arm\""), {"no prefix", "prefix=\"…\""});
  expectFault(fault("model=\"arm\" body=\"upper\" frame=\"f\" prefix=\"\""), {"a body and a frame"});
  expectFault(fault("body=\"upper\" prefix=\"p\""), {"a part of its own model", "a file of its own"});
  expectFault(fault("model=\"m\" prefix=\"\"", "<model name=\"m\"/>"), {"<model> names no file"});
  expectFault(fault("model=\"m\" prefix=\"\"", "<model name=\"m\" file=\"gone.xml\"/>"), {"gone.xml"});
  expectFault(
      fault("model=\"m\" prefix=\"\"", "<model name=\"m\" file=\"a.usd\" content_type=\"text/usd\"/>"),
      {"'text/usd'"});
  writeFile("bad.xml", "<mujoco>\n<worldbody><geom size=\"bad\"/></worldbody></mujoco>");
  expectFault(fault("model=\"m\" prefix=\"\"", "<model name=\"m\" file=\"bad.xml\"/>"),
              {"bad.xml:2, <geom>"});
  writeFile("part.xml", "<mujocoinclude/>");
  expectFault(fault("model=\"m\" prefix=\"\"", "<model name=\"m\" file=\"part.xml\"/>"),
              {"part.xml:1", "part of other files"});
}

TEST(MjcfAttach, CirclesEnd) {
  const auto model = [](const std::string& other) {
    return mjcf("<attach model=\"o\" prefix=\"p_\"/>",
                "<asset><model name=\"o\" file=\"" + other + "\"/></asset>");
  };
  expectFault(mjcfFault(model("model.xml")), {"model.xml:3, <attach>", "the model 'o' attaches itself"});
  writeFile("left.xml", model("right.xml"));
  writeFile("right.xml", model("./left.xml"));
  expectFault(mjcfFault(model("left.xml")), {"right.xml", "attaches itself, directly or by others"});
  for (int i = 0; i < 12; ++i)
    writeFile("deep" + std::to_string(i) + ".xml", model("deep" + std::to_string(i + 1) + ".xml"));
  expectFault(mjcfFault(model("deep0.xml")), {"more than 10 deep"});
}

TEST(MjcfAttach, FilesCountEachTimeThatTheyAreAttached) {
  const auto often = [](const std::string& comment, int times) {
    writeFile("k.xml", "<mujoco><!--" + comment + "--><worldbody/></mujoco>");
    std::string bodies;
    for (int i = 0; i < times; ++i) bodies += "<attach model=\"k\" prefix=\"\"/>";
    return mjcfFault(mjcf(bodies, "<asset><model name=\"k\" file=\"k.xml\"/></asset>"));
  };
  EXPECT_EQ(often("", 100), "");
  expectFault(often("", 101), {"100 files in all", "counts each time that it is attached"});
  expectFault(often(std::string(assets::limits::kXmlBytes / 4, ' '), 4),
              {"larger than 4 MiB", "counts each time that it is attached"});
}

}  // namespace
}  // namespace slipstick
