// MJCF files: bodies, joints, defaults, geoms, contacts and equalities. Masses and mass matrices: mjcf_reference_test.cpp.
#include <cmath>
#include <numbers>

#include "engine/model/world_link.h"
#include "tests/assets/mjcf_text.h"
#include "tests/assets/zero_poses.h"
#include "tests/support/comma_locale.h"

namespace slipstick {
namespace {

using multibody::JointType;
using testing::expectFault;
using testing::jointOf;
using testing::linkOf;
using testing::loadedMjcf;
using testing::mjcf;
using testing::mjcfFault;
using testing::noticesWith;
using testing::zeroPoses;

constexpr double kExact = 1e-12;
constexpr double kDegree = std::numbers::pi / 180;

TEST(Mjcf, BodiesHangFromTheWorldOfTheFile) {
  const assets::LoadedMjcf loaded = loadedMjcf(mjcf(R"(<geom name="floor" type="plane" size="1 1 1"/>
    <body name="table" pos="1 0 0"><geom type="box" size=".1 .1 .1"/></body>
    <body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body>
    <body pos="0 1 0"><joint name="turn" axis="0 2 0"/><geom size=".1"/></body>)"));
  const RobotDescription& robot = loaded.robot;
  EXPECT_EQ(robot.name, "mini");
  ASSERT_EQ(robot.links.size(), 4u);
  EXPECT_EQ(robot.links[0].name, kWorldLink);
  EXPECT_EQ(robot.links[0].mass, 0);
  ASSERT_EQ(robot.links[0].collisions.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<shape::Plane>(robot.links[0].collisions[0].shape));
  for (const JointSpec& joint : robot.joints) EXPECT_EQ(joint.parent, kWorldLink);
  EXPECT_EQ(jointOf(robot, "table::fixed")->type, JointType::Fixed);
  EXPECT_EQ(jointOf(robot, "ball::joint")->type, JointType::Floating);
  const JointSpec* turn = jointOf(robot, "turn");
  EXPECT_EQ(turn->type, JointType::Continuous);
  EXPECT_EQ(turn->child, "body3") << "a body without a name has its number";
  EXPECT_LT((turn->axis - Vec3::UnitY()).norm(), kExact);
  EXPECT_LT((turn->X_PJ.p - Vec3(0, 1, 0)).norm(), kExact);
}

TEST(Mjcf, SeveralJointsOfOneBodyBecomeAChainWithoutMass) {
  const RobotDescription robot = loadedMjcf(mjcf(R"(<body name="torso" pos="0 0 1" euler="0 0 90">
      <joint name="x" type="slide" axis="1 0 0" pos="9 9 9"/><joint name="turn" axis="0 1 0" pos="0.1 0 0"/>
      <joint name="lift" type="slide" axis="0 0 1"/><geom size=".1"/></body>)"))
                                     .robot;
  ASSERT_EQ(robot.joints.size(), 3u);
  EXPECT_EQ(robot.joints[0].child, "x::frame");
  EXPECT_EQ(robot.joints[1].parent, "x::frame");
  EXPECT_EQ(robot.joints[1].child, "turn::frame");
  EXPECT_EQ(robot.joints[2].parent, "turn::frame");
  EXPECT_EQ(robot.joints[2].child, "torso");
  EXPECT_EQ(linkOf(robot, "turn::frame")->mass, 0);
  const std::map<std::string, Pose> poses = zeroPoses(robot);
  EXPECT_LT((poses.at("torso").p - Vec3(0, 0, 1)).norm(), kExact);
  EXPECT_LT((poses.at("turn::frame").p - Vec3(0, 0.1, 1)).norm(), kExact)
      << "at its anchor, turned with the body";
  EXPECT_LT((poses.at("x::frame").p - Vec3(0, 0, 1)).norm(), kExact) << "a slide has no anchor";
}

TEST(Mjcf, AJointBesideTheOriginCarriesItsBodyByALinkWithoutMass) {
  const RobotDescription robot = loadedMjcf(mjcf(R"(<body name="door" pos="1 0 0">
      <joint name="hinge" pos="0 -.4 0" axis="0 0 1"/><geom type="box" size=".02 .4 1"/></body>)"))
                                     .robot;
  EXPECT_EQ(jointOf(robot, "hinge")->child, "hinge::frame");
  EXPECT_EQ(jointOf(robot, "hinge::offset")->child, "door");
  const std::map<std::string, Pose> poses = zeroPoses(robot);
  EXPECT_LT((poses.at("door").p - Vec3(1, 0, 0)).norm(), kExact);
  EXPECT_LT((poses.at("hinge::frame").p - Vec3(1, -0.4, 0)).norm(), kExact);
}

TEST(Mjcf, WhatHasNoNameTakesNoneThatTheFileGives) {
  const RobotDescription robot =
      loadedMjcf(
          mjcf(
              R"(<body><joint/><geom size=".1"/></body><body name="body1"><joint/><geom size=".1"/></body>)"))
          .robot;
  EXPECT_EQ(robot.links[1].name, "body1_");
  EXPECT_EQ(robot.links[2].name, "body1");
}

TEST(Mjcf, LimitsAndSpringsAreMeasuredFromTheReference) {
  const std::string bodies = R"(<body><joint name="a" range="-30 60" ref="10" stiffness="3" springref="25"
      damping=".2" frictionloss=".1" armature=".05"/><joint name="b" type="slide" axis="1 0 0" range="-1 2" ref=".5"/>
      <joint name="c" range="0 10" limited="false"/><geom size=".1"/></body>)";
  const RobotDescription robot = loadedMjcf(mjcf(bodies)).robot;
  const JointSpec* a = jointOf(robot, "a");
  EXPECT_EQ(a->type, JointType::Revolute);
  EXPECT_NEAR(a->lower, -40 * kDegree, kExact);
  EXPECT_NEAR(a->upper, 50 * kDegree, kExact);
  EXPECT_NEAR(a->springReference, 15 * kDegree, kExact);
  EXPECT_EQ(a->stiffness, 3);
  EXPECT_EQ(a->damping, 0.2);
  EXPECT_EQ(a->dryFriction, 0.1);
  EXPECT_EQ(a->armature, 0.05);
  EXPECT_NEAR(jointOf(robot, "b")->lower, -1.5, kExact) << "metres are no degrees";
  EXPECT_EQ(jointOf(robot, "c")->type, JointType::Continuous);
  const RobotDescription inRadians = loadedMjcf(mjcf(bodies, "<compiler angle=\"radian\"/>")).robot;
  EXPECT_NEAR(jointOf(inRadians, "a")->lower, -40, kExact);
  const RobotDescription byHand = loadedMjcf(mjcf(bodies, "<compiler autolimits=\"false\"/>")).robot;
  EXPECT_EQ(jointOf(byHand, "a")->type, JointType::Continuous) << "a range alone does not limit";
}

/// A point of mass m at the end of a rod: I = m l² about the hinge; k = I/(τ ζ)², d = 2 I/τ.
TEST(Mjcf, ATimeConstantAndADampingRatioBecomeASpringAndADamper) {
  const std::string bodies =
      R"(<body pos="0 0 1"><joint name="j" axis="0 1 0" springdamper="0.5 0.2" armature=".1"/>
      <inertial pos="0 0 -.4" mass="2" diaginertia="1e-3 1e-3 1e-3"/></body>)";
  const double inertia = 2 * 0.4 * 0.4 + 1e-3 + 0.1;
  const JointSpec joint = *jointOf(loadedMjcf(mjcf(bodies)).robot, "j");
  EXPECT_NEAR(joint.stiffness, inertia / (0.5 * 0.2 * 0.5 * 0.2), kExact * joint.stiffness);
  EXPECT_NEAR(joint.damping, 2 * inertia / 0.5, kExact);
}

TEST(Mjcf, FlagsSwitchLimitsSpringsDampersAndFrictionOff) {
  const std::string bodies =
      R"(<body><joint name="j" range="-30 60" stiffness="3" damping=".2" frictionloss=".1"/>
      <geom size=".1"/></body>)";
  const auto with = [&](const std::string& flag) {
    return *jointOf(loadedMjcf(mjcf(bodies, "<option><flag " + flag + "/></option>")).robot, "j");
  };
  EXPECT_TRUE(std::isinf(with("limit=\"disable\"").upper));
  EXPECT_EQ(with("spring=\"disable\"").stiffness, 0);
  EXPECT_EQ(with("damper=\"disable\"").damping, 0);
  EXPECT_EQ(with("frictionloss=\"disable\"").dryFriction, 0);
  const JointSpec none = with("constraint=\"disable\"");
  EXPECT_TRUE(std::isinf(none.upper));
  EXPECT_EQ(none.dryFriction, 0);
  EXPECT_EQ(none.damping, 0.2);
}

TEST(Mjcf, AClassGivesWhatAnElementDoesNotSay) {
  const std::string defaults = R"(<default><geom friction="0.7 0.1" rgba="1 0 0 1"/>
      <default class="soft"><geom friction="0.3" size=".2"/><default class="softer"><geom rgba="0 1 0 1"/></default></default>
    </default>)";
  const RobotDescription robot = loadedMjcf(mjcf(R"(<geom name="a" size=".1"/>
      <body name="b" childclass="softer"><freejoint/><geom name="b"/><geom name="c" class="main" size=".3" friction=".9"/></body>)",
                                                 defaults))
                                     .robot;
  const LinkGeometry& a = robot.links[0].collisions[0];
  EXPECT_EQ(*a.contact.friction, 0.7);
  EXPECT_EQ(robot.links[0].visuals[0].color, Color(1, 0, 0, 1));
  const LinkSpec* b = linkOf(robot, "b");
  EXPECT_EQ(*b->collisions[0].contact.friction, 0.3);
  EXPECT_EQ(std::get<shape::Sphere>(b->collisions[0].shape).radius, 0.2);
  EXPECT_EQ(b->visuals[0].color, Color(0, 1, 0, 1));
  EXPECT_EQ(b->visuals[1].color, Color(1, 0, 0, 1)) << "its own class, whatever the body's";
}

TEST(Mjcf, GeomsAreSeenByTheirGroupAndTouchByTheirMasks) {
  const RobotDescription robot = loadedMjcf(mjcf(R"(<body name="b"><freejoint/>
      <geom name="seen" size=".1" contype="0" conaffinity="0" rgba=".2 .4 .6 .5"/>
      <geom name="felt" size=".1" group="3"/><geom name="both" size=".1" condim="1"/>
      <geom name="neither" size=".1" group="4" contype="0" conaffinity="0"/></body>)"))
                                     .robot;
  const LinkSpec* b = linkOf(robot, "b");
  ASSERT_EQ(b->visuals.size(), 2u);
  EXPECT_EQ(b->visuals[0].name, "seen");
  EXPECT_FLOAT_EQ(b->visuals[0].color.w(), 0.5f);
  EXPECT_EQ(b->visuals[1].name, "both");
  ASSERT_EQ(b->collisions.size(), 2u);
  EXPECT_EQ(b->collisions[0].name, "felt");
  EXPECT_EQ(*b->collisions[0].contact.friction, 1) << "MuJoCo's default, not ours";
  EXPECT_EQ(*b->collisions[1].contact.friction, 0) << "condim 1: no friction";
  const RobotDescription off = loadedMjcf(mjcf("<body name=\"b\"><freejoint/><geom size=\".1\"/></body>",
                                               "<option><flag contact=\"disable\"/></option>"))
                                   .robot;
  EXPECT_TRUE(linkOf(off, "b")->collisions.empty());
}

TEST(Mjcf, MaterialsColourGeomsAndPatternsShowTheirMean) {
  const assets::LoadedMjcf loaded =
      loadedMjcf(mjcf(R"(<geom size=".1" material="red"/><geom size=".1" material="grid"/>
      <geom size=".1" material="red" rgba="0 0 1 1"/><geom size=".1"/>)",
                      R"(<asset><material name="red" rgba="1 0 0 1" roughness=".9" metallic=".2"/>
      <texture name="t" type="2d" builtin="checker" rgb1="1 1 1" rgb2="1 1 1" width="8" height="8"/>
      <material name="grid" texture="t" rgba="0 1 0 1"/><texture type="skybox" builtin="gradient" width="8" height="8"/></asset>)"));
  const auto& visuals = loaded.robot.links[0].visuals;
  ASSERT_EQ(visuals.size(), 4u);
  EXPECT_EQ(visuals[0].color, Color(1, 0, 0, 1));
  EXPECT_FLOAT_EQ(visuals[0].finish.roughness, 0.9f);
  EXPECT_FLOAT_EQ(visuals[0].finish.metallic, 0.2f);
  EXPECT_EQ(visuals[1].color, Color(0, 1, 0, 1));
  EXPECT_EQ(visuals[2].color, Color(0, 0, 1, 1)) << "a colour of its own goes over the material's";
  EXPECT_NEAR(visuals[3].color.x(), 0.2140f, 1e-3f) << "sRGB 0.5";
  EXPECT_EQ(noticesWith(loaded.notices, "mean colour").size(), 1u);
}

const std::string kTetrahedron = "vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 2 1 0 1 3 0 3 2 1 2 3\"";
/// The same with a dent in its sloping face.
const std::string kDented =
    "vertex=\"0 0 0 1 0 0 0 1 0 0 0 1 .2 .2 .2\" face=\"0 2 1 0 1 3 0 3 2 1 2 4 2 3 4 3 1 4\"";

TEST(Mjcf, AMeshIsSeenAsItIsAndTouchesAsItsConvexHull) {
  const RobotDescription robot =
      loadedMjcf(mjcf("<body name=\"b\"><freejoint/><geom type=\"mesh\" mesh=\"m\" pos=\"0 0 1\"/></body>",
                      "<asset><mesh name=\"m\" " + kDented + "/></asset>"))
          .robot;
  const LinkSpec* b = linkOf(robot, "b");
  EXPECT_EQ(std::get<shape::Mesh>(b->visuals[0].shape).mesh->triangles.size(), 6u);
  const TriangleMesh& hull = *std::get<shape::Mesh>(b->collisions[0].shape).mesh;
  EXPECT_EQ(hull.triangles.size(), 4u);
  EXPECT_EQ(hull.vertices.size(), 4u);
  EXPECT_EQ(b->collisions[0].X_BG.p, Vec3(0, 0, 1));
}

TEST(Mjcf, AMeshThatIsMissingIsABoxWhereItIsOnlySeenAndAFaultWhereItWeighs) {
  const std::string assets = "<asset><mesh name=\"m\" file=\"gone.stl\"/></asset>";
  const std::string geom = "<geom type=\"mesh\" mesh=\"m\" contype=\"0\" conaffinity=\"0\"/>";
  const assets::LoadedMjcf seen =
      loadedMjcf(mjcf("<body name=\"b\"><freejoint/>" + geom +
                          "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/></body>",
                      assets));
  EXPECT_TRUE(std::holds_alternative<shape::Box>(linkOf(seen.robot, "b")->visuals[0].shape));
  EXPECT_EQ(noticesWith(seen.notices, "gone.stl").size(), 1u);
  expectFault(mjcfFault(mjcf("<body name=\"b\"><freejoint/>" + geom + "</body>", assets)),
              {"model.xml:2, mesh 'm'", "gone.stl"});
}

/// Bytes of a .msh file: counts, vertices, faces.
std::string msh(const std::vector<float>& vertices, const std::vector<std::int32_t>& faces) {
  const std::int32_t counts[] = {static_cast<std::int32_t>(vertices.size() / 3), 0, 0,
                                 static_cast<std::int32_t>(faces.size() / 3)};
  std::string bytes(reinterpret_cast<const char*>(counts), sizeof counts);
  bytes.append(reinterpret_cast<const char*>(vertices.data()), 4 * vertices.size());
  return bytes.append(reinterpret_cast<const char*>(faces.data()), 4 * faces.size());
}

TEST(Mjcf, ReadsMeshesOfMujocosOwnFormat) {
  const std::vector<float> corners = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::string text =
      mjcf("<body name=\"b\"><freejoint/><geom type=\"mesh\" mesh=\"m\" density=\"6\"/></body>",
           "<compiler meshdir=\"meshes\"/><asset><mesh file=\"m.msh\" scale=\"2 1 1\"/></asset>");
  std::filesystem::create_directories(testing::writeFile("model.xml", text).parent_path() / "meshes");
  testing::writeFile("meshes/m.msh", msh(corners, {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}));
  EXPECT_NEAR(linkOf(loadedMjcf(text).robot, "b")->mass, 2, kExact);
  testing::writeFile("meshes/m.msh", msh(corners, {}));
  EXPECT_NEAR(linkOf(loadedMjcf(text).robot, "b")->mass, 2, kExact) << "without faces: the hull";
  testing::writeFile("meshes/m.msh", msh(corners, {0, 2, 7}));
  expectFault(mjcfFault(text), {"mesh"});
  testing::writeFile("meshes/m.msh", msh(corners, {0, 2, 1}).substr(0, 50));
  expectFault(mjcfFault(text), {"cut short"});
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(Mjcf, MasksThatSeparateWholeLinksKeepThemApart) {
  const auto pairs = [](const std::string& sections) {
    return loadedMjcf(mjcf(R"(<geom type="plane" size="1 1 1" contype="1" conaffinity="3"/>
        <body name="a" pos="0 0 1"><freejoint/><geom name="ga" size=".1" contype="1" conaffinity="0"/></body>
        <body name="b" pos="1 0 1"><freejoint/><geom name="gb" size=".1" contype="1" conaffinity="0"/></body>
        <body name="c" pos="2 0 1"><freejoint/><geom size=".1" contype="0" conaffinity="1"/></body>)",
                           sections))
        .robot.excludedLinks;
  };
  EXPECT_EQ(pairs(""), (Pairs{{"a", "b"}})) << "c lies in the way of a and b, and all meet the floor";
  EXPECT_EQ(pairs("<contact><exclude body1=\"c\" body2=\"world\"/></contact>"),
            (Pairs{{kWorldLink, "c"}, {"a", "b"}}));
  EXPECT_EQ(pairs("<contact><pair geom1=\"ga\" geom2=\"gb\"/></contact>"), Pairs{})
      << "a pair goes over the masks";
}

TEST(Mjcf, MasksThatSeparateSingleGeomsAreNamed) {
  const assets::LoadedMjcf loaded = loadedMjcf(mjcf(R"(
        <body name="a"><freejoint/><geom size=".1"/><geom size=".1" contype="2" conaffinity="2"/></body>
        <body name="b"><freejoint/><geom size=".1"/></body>)"));
  EXPECT_TRUE(loaded.robot.excludedLinks.empty());
  const std::vector<Notice> said = noticesWith(loaded.notices, "'a' and 'b'");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].level, Notice::Level::Warning);
}

TEST(Mjcf, BodiesThatSeveralJointsConnectDoNotMeet) {
  const RobotDescription robot =
      loadedMjcf(mjcf(R"(<body name="a"><joint name="w1"/><joint name="w2" axis="1 0 0"/><geom size=".1"/>
        <body name="plate"><geom size=".1"/></body>
        <body name="b" pos="0 0 .1"><joint name="j1"/><joint name="j2" axis="1 0 0"/><geom size=".1"/></body></body>)"))
          .robot;
  EXPECT_EQ(robot.excludedLinks, (Pairs{{"a", "b"}, {"plate", "b"}}))
      << "with what is welded to them, and not with the world";
}

TEST(Mjcf, EqualitiesBecomeLoopsThatHoldWhereTheFilePutsTheBodies) {
  const RobotDescription robot = assets::loadMjcf(testing::dataDir() / "mjcf" / "four_bar.xml")->robot;
  ASSERT_EQ(robot.loops.size(), 4u);
  const std::map<std::string, Pose> X_W = zeroPoses(robot);
  const auto ends = [&](const LoopSpec& loop) {
    return std::pair{X_W.at(loop.linkA) * loop.X_LaA, X_W.at(loop.linkB) * loop.X_LbB};
  };
  EXPECT_EQ(robot.loops[0].name, "bar_end");
  EXPECT_EQ(robot.loops[0].kind, LoopKind::Ball);
  EXPECT_EQ(robot.loops[0].linkB, kWorldLink);
  for (const std::size_t i : {0u, 1u, 2u}) {
    const auto [A, B] = ends(robot.loops[i]);
    EXPECT_LT((A.p - B.p).norm(), kExact) << robot.loops[i].name;
  }
  EXPECT_EQ(robot.loops[2].kind, LoopKind::Weld);
  const auto [A, B] = ends(robot.loops[2]);
  EXPECT_LT((A.R - B.R).norm(), kExact);
  const LoopSpec& posed = robot.loops[3];
  EXPECT_EQ(posed.X_LaA.p, Vec3(0.1, 0.4, 0)) << "relpose: of the second body in the first";
  EXPECT_EQ(posed.X_LbB.p, Vec3::Zero());
}

TEST(Mjcf, JointsFollowOthersAlongLines) {
  const std::string bodies = R"(<body><joint name="a" ref="20"/><geom size=".1"/></body>
      <body><joint name="b"/><geom size=".1"/></body><body><joint name="c"/><geom size=".1"/></body>)";
  const auto with = [&](const std::string& equalities) {
    return loadedMjcf(mjcf(bodies, "<equality>" + equalities + "</equality>"));
  };
  const assets::LoadedMjcf line = with("<joint joint1=\"a\" joint2=\"b\" polycoef=\"0.1 -2 0 0 0\"/>");
  EXPECT_EQ(jointOf(line.robot, "a")->mimic, "b");
  EXPECT_EQ(jointOf(line.robot, "a")->mimicRatio, -2);
  EXPECT_EQ(jointOf(line.robot, "a")->mimicOffset, 0.1);
  const assets::LoadedMjcf curve = with("<joint joint1=\"a\" joint2=\"b\" polycoef=\"0 1 3 0 0\"/>");
  EXPECT_EQ(jointOf(curve.robot, "a")->mimic, "");
  EXPECT_EQ(noticesWith(curve.notices, "curve").size(), 1u);
  const assets::LoadedMjcf held = with("<joint joint1=\"a\" polycoef=\"0.1\"/>");
  EXPECT_EQ(jointOf(held.robot, "a")->lower, 0.1);
  EXPECT_EQ(jointOf(held.robot, "a")->upper, 0.1);
  const assets::LoadedMjcf circle = with(
      "<joint joint1=\"a\" joint2=\"b\"/><joint joint1=\"b\" joint2=\"c\"/><joint joint1=\"c\" "
      "joint2=\"a\"/>");
  EXPECT_EQ(jointOf(circle.robot, "c")->mimic, "") << "no circles";
  EXPECT_EQ(noticesWith(circle.notices, "'c' follows another joint already").size(), 1u);
  const assets::LoadedMjcf off = with("<joint joint1=\"a\" joint2=\"b\" active=\"false\"/>");
  EXPECT_EQ(jointOf(off.robot, "a")->mimic, "");
}

TEST(Mjcf, ReplicasStandInARowUnderNamesOfTheirOwn) {
  const RobotDescription robot =
      loadedMjcf(mjcf(R"(<replicate count="3" sep="_" offset="1 0 0" euler="0 0 90">
        <body name="post" pos="0 0 2"><joint name="sway"/><geom name="g" size=".1"/></body></replicate>)",
                      R"(<contact><exclude body1="post" body2="world"/></contact>)"))
          .robot;
  const std::map<std::string, Pose> poses = zeroPoses(robot);
  EXPECT_LT((poses.at("post_1").p - Vec3(1, 0, 2)).norm(), kExact);
  EXPECT_LT((poses.at("post_2").p - Vec3(1, 1, 2)).norm(), kExact) << "from the one before, in its frame";
  EXPECT_EQ(linkOf(robot, "post_2")->collisions[0].name, "g_2");
  EXPECT_EQ(jointOf(robot, "sway_2")->child, "post_2");
  EXPECT_EQ(robot.excludedLinks.size(), 3u) << "who names the original means them all";
}

TEST(Mjcf, WhatIsNotUsedIsNamedOnceWithItsFirstLine) {
  const assets::LoadedMjcf loaded = loadedMjcf(mjcf(R"(<light pos="0 0 3"/>
      <site name="s"/><body gravcomp="1"><freejoint/><geom size=".1" solref="0.1 1"/><light/></body>
      <body gravcomp="0"><freejoint/><geom size=".1" margin="0.1" solimp="0.9 0.9 0.1"/></body>)",
                                                    R"(<option cone="elliptic" density="1.2" viscosity="0"/>
<size njmax="100"/><visual><map znear="0.1"/></visual>
<tendon><fixed name="t"><joint joint="x" coef="1"/></fixed></tendon>
<sensor><gyro site="s"/><gyro site="s"/><touch site="s"/></sensor>)"));
  const auto expectOnce = [&](const std::string& text, Notice::Level level) {
    const std::vector<Notice> found = noticesWith(loaded.notices, text);
    ASSERT_EQ(found.size(), 1u) << text;
    EXPECT_EQ(found[0].level, level) << text;
  };
  expectOnce("model.xml:2, <option>: cone of <option> is not used", Notice::Level::Info);
  expectOnce("density of <option> is not used", Notice::Level::Warning);
  expectOnce("gravcomp of <body> is not used", Notice::Level::Warning);
  expectOnce("<light> is not used (2 places, this is the first)", Notice::Level::Info);
  expectOnce("solref, margin, solimp of <geom> is not used (3 places, this is the first)",
             Notice::Level::Info);
  expectOnce("2 <gyro>, 1 <touch>", Notice::Level::Info);
  expectOnce("1 <fixed>", Notice::Level::Warning);
  EXPECT_TRUE(noticesWith(loaded.notices, "njmax").empty()) << "sizes of buffers are nobody's business";
  EXPECT_TRUE(noticesWith(loaded.notices, "viscosity").empty()) << "zero changes nothing";
}

TEST(Mjcf, WhatMjcfDoesNotKnowIsNamedWithWhatIsLikeIt) {
  const assets::LoadedMjcf loaded =
      loadedMjcf(mjcf(R"(<body><joint dampng="1"/><geom size=".1"/><geomm/></body>)"));
  EXPECT_EQ(noticesWith(loaded.notices, "did you mean 'damping'").size(), 1u);
  EXPECT_EQ(noticesWith(loaded.notices, "did you mean 'geom'").size(), 1u);
}

TEST(Mjcf, FaultsNameFileLineAndRemedy) {
  const std::string ball = "<geom size=\".1\"/>";
  const auto body = [&](const std::string& inside) {
    return mjcf("<body name=\"b\">" + inside + ball + "</body>");
  };
  expectFault(mjcfFault("<mujoco><worldbody></mujoco>"), {"model.xml:1", "not well-formed"});
  expectFault(mjcfFault("<mujoco/>"), {"no <worldbody>"});
  expectFault(mjcfFault("<robot name=\"r\"/>"), {"URDF", "'urdf'"});
  expectFault(mjcfFault(body("<joint range=\"1 nan\"/>")), {"model.xml:3, <joint> of body 'b'", "finite"});
  expectFault(mjcfFault(body("<joint range=\"1\"/>")), {"'range' of <joint> is '1'", "write 2 numbers"});
  expectFault(mjcfFault(body("<joint range=\"1 two\"/>")), {"'1 two'"});
  expectFault(mjcfFault(body("<joint axis=\"0 0 0\"/>")), {"'axis' is zero"});
  expectFault(mjcfFault(body("<joint type=\"hing\"/>")), {"'type' is 'hing'", "did you mean 'hinge'"});
  expectFault(mjcfFault(body("<joint damping=\"-1\"/>")), {"negative"});
  expectFault(mjcfFault(body("<joint type=\"ball\"/><joint/>")), {"ball joint"});
  expectFault(mjcfFault(body("<freejoint/><joint/>")), {"six degrees"});
  expectFault(mjcfFault(body("<body><freejoint/>" + ball + "</body>")), {"not on a body of the world"});
  expectFault(mjcfFault(mjcf("<joint/>")), {"the world itself has a joint"});
  expectFault(mjcfFault(body("<geom type=\"box\" size=\".1 .1\"/>")), {"size 3 of the box"});
  expectFault(mjcfFault(body("<geom type=\"mesh\" mesh=\"m\"/>")), {"there is no mesh 'm'"});
  expectFault(mjcfFault(body("<geom size=\".1\" mass=\"-1\"/>")), {"mass is negative"});
  expectFault(mjcfFault(body("<geom size=\".1\" material=\"m\"/>")), {"there is no material 'm'"});
  expectFault(mjcfFault(body("<geom size=\".1\" class=\"c\"/>")), {"class of defaults 'c'", "main"});
  expectFault(mjcfFault(body("<geom size=\".1\" quat=\"1 0 0 0\" euler=\"0 0 0\"/>")), {"two ways"});
  expectFault(mjcfFault(body("<geom size=\".1\" quat=\"0 0 0 0\"/>")), {"'quat' is zero"});
  expectFault(mjcfFault(body("<body name=\"b\"/>")), {"there is a body 'b' already"});
  expectFault(mjcfFault(body("<body name=\"world\"/>")), {"'world'"});
  expectFault(mjcfFault(body("<inertial pos=\"0 0 0\"/>")), {"no mass"});
  expectFault(mjcfFault(body("<flexcomp name=\"f\"/>")), {"<flexcomp> makes parts"});
  expectFault(mjcfFault(body("<frame scale=\"2\"/>")), {"change sizes"});
  expectFault(mjcfFault(body("<replicate count=\"0\"/>")), {"count of <replicate>"});
  expectFault(mjcfFault(body("<replicate count=\"2\"><joint/></replicate>")), {"<replicate> holds"});
}

TEST(Mjcf, FaultsInSectionsNameFileLineAndRemedy) {
  const auto sections = [](const std::string& text) {
    return mjcf("<body name=\"b\"><joint name=\"j\"/><geom name=\"g\" size=\".1\"/></body>", text);
  };
  expectFault(mjcfFault(sections("<compiler coordinate=\"global\"/>")), {"global coordinates"});
  expectFault(mjcfFault(sections("<compiler eulerseq=\"xyw\"/>")), {"eulerseq is 'xyw'"});
  expectFault(mjcfFault(sections("<option timestep=\"0\"/>")), {"time step"});
  expectFault(mjcfFault(sections("<default class=\"c\"/>")), {"outermost class"});
  expectFault(mjcfFault(sections("<default><default/></default>")), {"class of defaults has no name"});
  expectFault(mjcfFault(sections("<contact><exclude body1=\"b\" body2=\"c\"/></contact>")),
              {"there is no body 'c'"});
  expectFault(mjcfFault(sections("<contact><pair geom1=\"g\" geom2=\"h\"/></contact>")),
              {"there is no geom 'h'"});
  expectFault(mjcfFault(sections("<equality><connect body1=\"b\"/></equality>")), {"no anchor"});
  expectFault(mjcfFault(sections("<equality><weld body1=\"c\"/></equality>")), {"there is no body 'c'"});
  expectFault(mjcfFault(sections("<equality><weld site1=\"s\" site2=\"s\"/></equality>")),
              {"there is no site 's'"});
  expectFault(mjcfFault(sections("<equality><joint joint1=\"k\"/></equality>")), {"there is no joint 'k'"});
  expectFault(mjcfFault(sections("<actuator><motor joint=\"k\"/></actuator>")), {"there is no joint 'k'"});
  expectFault(mjcfFault(sections("<asset><mesh name=\"m\" vertex=\"0 0\"/></asset>")), {"groups of 3"});
  expectFault(mjcfFault(sections("<keyframe><key qpos=\"1 2\"/></keyframe>")), {"qpos has 2 numbers for 1"});
}

TEST(Mjcf, MeshesThatCannotWeighAreFaults) {
  const auto with = [](const std::string& mesh) {
    return mjcf("<body><joint/><geom type=\"mesh\" mesh=\"m\"/></body>",
                "<asset><mesh name=\"m\" " + mesh + "/></asset>");
  };
  expectFault(mjcfFault(with("")), {"neither a file nor vertices"});
  expectFault(mjcfFault(with("builtin=\"sphere\" params=\"1\"")), {"builtin=\"sphere\""});
  expectFault(mjcfFault(with("vertex=\"0 0 0 1 0 0 0 1 0\"")), {"plane"});
  expectFault(mjcfFault(with(
                  "inertia=\"exact\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 2 0 3 1 0 2 3 1 3 2\"")),
              {"faces inwards"});
  expectFault(mjcfFault(with("vertex=\"0 0 0 1 0 0 0 1 0\" face=\"0 1 9\"")), {"mesh 'm'"});
}

TEST(Mjcf, IncludesAreReadOnceFromBesideTheMainFile) {
  testing::writeFile("inner.xml", "<mujocoinclude>\n<geom size=\"bad\"/></mujocoinclude>");
  testing::writeFile("self.xml", "<mujoco><include file=\"self.xml\"/></mujoco>");
  expectFault(mjcfFault(mjcf("<include file=\"inner.xml\"/>")), {"inner.xml:2, <geom>"});
  expectFault(mjcfFault(mjcf("<include file=\"gone.xml\"/>")), {"model.xml:3, <include>", "gone.xml"});
  expectFault(mjcfFault(mjcf("<include/>")), {"names no file"});
  testing::writeFile("inner.xml", "<mujocoinclude><geom size=\".1\"/></mujocoinclude>");
  expectFault(mjcfFault(mjcf("<include file=\"inner.xml\"/><include file=\"./inner.xml\"/>")),
              {"second time"});
  expectFault(mjcfFault(mjcf("", "<include file=\"self.xml\"/>")), {"self.xml", "includes itself"});
  EXPECT_EQ(loadedMjcf(mjcf("<include file=\"inner.xml\"/>")).robot.links[0].visuals.size(), 1u);
}

TEST(Mjcf, SizesAreLimited) {
  expectFault(mjcfFault(mjcf("<!--" + std::string(assets::limits::kXmlBytes, ' ') + "-->")), {"4 MiB"});
  testing::writeFile("half.xml",
                     "<mujoco><!--" + std::string(assets::limits::kXmlBytes - 100, ' ') + "--></mujoco>");
  expectFault(mjcfFault(mjcf("", "<include file=\"half.xml\"/>")), {"4 MiB with all that it includes"});
  std::string many;
  for (int i = 0; i < 11000; ++i) many += "<body/>";
  expectFault(mjcfFault(mjcf(many)), {"more than 10,000 bodies"});
  std::string deep, end;
  for (int i = 0; i < 200; ++i) deep += "<body>", end += "</body>";
  expectFault(mjcfFault(mjcf(deep + end)), {"model.xml"});
  expectFault(
      mjcfFault(mjcf("<replicate count=\"9999\"><replicate count=\"9999\"><body/></replicate></replicate>")),
      {"more than 10,000 bodies"});
  expectFault(mjcfFault(mjcf("<replicate count=\"9999\"><replicate count=\"9999\"/></replicate>")),
              {"more than 100,000 replicas"});
  std::string sites;
  for (int i = 0; i < 31; ++i) sites += "<site/>";
  expectFault(mjcfFault(mjcf("<replicate count=\"10000\">" + sites + "</replicate>")),
              {"<site>", "more than 300,000 elements", "lower counts"});
}

/// They are written for each of many things: in notices, for pairs of bodies, for what replicas and attached models repeat.
TEST(Mjcf, NamesAndClassesAreNoLongerThanLimitsSay) {
  const std::string longest(assets::limits::kNameBytes, 'n'), tooLong = longest + "n";
  const auto named = [](const std::string& name) {
    return mjcf("<body name=\"" + name + "\"><joint/><geom size=\".1\"/></body>");
  };
  EXPECT_EQ(mjcfFault(named(longest)), "");
  expectFault(mjcfFault(named(tooLong)), {"model.xml:3, body 'nnn", "its 'name' is longer than 200 bytes"});
  expectFault(mjcfFault(mjcf("<frame name=\"" + tooLong + "\"/>")), {"its 'name' is longer"});
  expectFault(mjcfFault(mjcf("<frame childclass=\"" + tooLong + "\"/>")), {"its 'childclass' is longer"});
  expectFault(mjcfFault(mjcf("", "<default><default class=\"" + tooLong + "\"/></default>")),
              {"its 'class' is longer"});
  expectFault(mjcfFault(mjcf("", "<sensor><gyro name=\"" + tooLong + "\"/></sensor>")), {"gyro", "longer"});
  const auto replicated = [&](const std::string& sep, const std::string& inside) {
    return mjcfFault(mjcf("<replicate count=\"2\" sep=\"" + sep + "\">" + inside + "</replicate>"));
  };
  expectFault(replicated(tooLong, ""), {"its 'sep' is longer"});
  for (const char* tag : {"body", "site", "camera"})
    expectFault(replicated("", "<" + std::string(tag) + " name=\"" + longest + "\"/>"),
                {tag, "longer than 200 bytes"});
  expectFault(replicated(longest, "<site/>"), {"<replicate>", "longer than 200 bytes"});
}

TEST(Mjcf, WhatNamesAreMadeOfStandsOnOneLine) {
  expectFault(mjcfFault(mjcf("<replicate count=\"2\" sep=\"&#10;\"><body name=\"b\"/></replicate>")),
              {"model.xml:3, <replicate>", "line breaks"});
  expectFault(mjcfFault(mjcf("<body><joint/><geom size=\".1\"/><site name=\"s\"/></body>",
                             "<sensor><gyro name=\"a&#27;b\" site=\"s\"/></sensor>")),
              {"model.xml:2, gyro 'a b'", "line breaks"});
}

TEST(Mjcf, ReadsPointsUnderACommaLocale) {
  const testing::CommaLocale comma;
  const RobotDescription robot =
      loadedMjcf(mjcf("<body name=\"b\" pos=\"0.5 0 1.25\"><freejoint/><geom size=\".1\"/></body>")).robot;
  EXPECT_EQ(robot.joints[0].X_PJ.p, Vec3(0.5, 0, 1.25));
}

}  // namespace
}  // namespace slipstick
