#include <algorithm>
#include <cmath>
#include <map>

#include "assets/robot_io.h"
#include "engine/compile/compile.h"
#include "tests/assets/scene_text.h"
#include "tests/assets/zero_poses.h"
#include "tests/support/comma_locale.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using multibody::JointType;
using testing::expectFault;
using testing::writeFile;
using testing::zeroPoses;

constexpr double kExact = 1e-12;

// The drake: prefix is not declared: many files do that.
const std::string kModel = R"(<?xml version="1.0"?>
<sdf version="1.7">
  <model name="mini">
    <link name="base"><pose>0 0 1 0 0 0</pose>
      <inertial><mass>3</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
    <link name="arm"><pose relative_to="base">0 0 0.5 0 0 1.5707963267948966</pose>
      <inertial><pose>0 0 0.1 0 0 1.5707963267948966</pose><mass>2</mass>
        <inertia><ixx>0.02</ixx><iyy>0.03</iyy><izz>0.01001</izz></inertia></inertial>
      <visual name="v"><geometry><ellipsoid><radii>0.1 0.2 0.3</radii></ellipsoid></geometry>
        <material><diffuse>1 0.5 0 1</diffuse></material></visual>
      <collision name="tube"><pose>0 0 0.1 0 0 0</pose><geometry><capsule><radius>0.02</radius><length>0.2</length></capsule></geometry>
        <surface><friction><ode><mu>0.8</mu><mu2>0.8</mu2></ode></friction></surface></collision>
      <collision name="tip"><geometry><drake:ellipsoid><a>0.1</a><b>0.1</b><c>0.2</c></drake:ellipsoid></geometry>
        <drake:proximity_properties><drake:compliant_hydroelastic/><drake:hydroelastic_modulus>1e5</drake:hydroelastic_modulus>
          <drake:mu_dynamic>0.6</drake:mu_dynamic></drake:proximity_properties></collision></link>
    <link name="finger"><pose>0.2 0 1.5 0 0 0</pose>
      <inertial><mass>0.1</mass><inertia><ixx>1e-4</ixx><iyy>1e-4</iyy><izz>1e-4</izz></inertia></inertial></link>
    <joint name="swing" type="revolute"><parent>base</parent><child>arm</child>
      <axis><xyz expressed_in="__model__">0 1 0</xyz><limit><lower>-1</lower><upper>2</upper><effort>30</effort><velocity>3</velocity></limit>
        <dynamics><damping>0.5</damping><friction>0.1</friction></dynamics></axis>
      <drake:rotor_inertia>1e-4</drake:rotor_inertia><drake:gear_ratio>100</drake:gear_ratio></joint>
    <joint name="slide" type="prismatic"><parent>arm</parent><child>finger</child>
      <axis><xyz>1 0 0</xyz><limit><lower>0</lower></limit></axis>
      <drake:mimic joint="swing" multiplier="0.05" offset="0.01"/></joint>
    <plugin name="p" filename="p.so"/>
  </model>
</sdf>
)";

std::string varied(const std::string& from, const std::string& to, const std::string& text = kModel) {
  return testing::varied(from, to, text);
}

std::string faultOf(const std::string& sdf) {
  const Result<assets::LoadedRobot> loaded = assets::loadSdf(writeFile("robot.sdf", sdf));
  return loaded ? "" : loaded.error().message();
}

assets::LoadedRobot load(const std::string& sdf) {
  Result<assets::LoadedRobot> loaded = assets::loadSdf(writeFile("robot.sdf", sdf));
  if (!loaded) {
    ADD_FAILURE() << loaded.error().message();
    return {};
  }
  return *loaded;
}

bool mentions(const assets::LoadedRobot& loaded, const std::string& text) {
  return std::any_of(loaded.notices.begin(), loaded.notices.end(), [&](const Notice& n) {
    return n.what.find(text) != std::string::npos && n.where.find("robot.sdf") != std::string::npos;
  });
}

TEST(LoadSdf, ReadsLinksJointsInertiaAndShapes) {
  const assets::LoadedRobot loaded = load(kModel);
  const RobotDescription& robot = loaded.robot;
  ASSERT_EQ(robot.links.size(), 3u);
  EXPECT_EQ(robot.name, "mini");
  EXPECT_NEAR(loaded.X_FR.p.z(), 1, kExact) << "the root link's place in the file";
  const LinkSpec& arm = robot.links[1];
  EXPECT_DOUBLE_EQ(arm.mass, 2);
  EXPECT_NEAR(arm.inertia(0, 0), 0.03, kExact) << "the inertial frame is turned by 90 degrees";
  EXPECT_NEAR(arm.com.z(), 0.1, kExact);
  ASSERT_TRUE(std::holds_alternative<shape::Ellipsoid>(arm.visuals.at(0).shape));
  EXPECT_NEAR(static_cast<double>(arm.visuals[0].color[1]), std::pow((0.5 + 0.055) / 1.055, 2.4), 1e-5);
  ASSERT_EQ(arm.collisions.size(), 2u);
  EXPECT_DOUBLE_EQ(std::get<shape::Capsule>(arm.collisions[0].shape).length, 0.2);
  EXPECT_DOUBLE_EQ(arm.collisions[0].contact.friction.value(), 0.8);
  EXPECT_EQ(std::get<shape::Ellipsoid>(arm.collisions[1].shape).radii, Vec3(0.1, 0.1, 0.2));
  EXPECT_DOUBLE_EQ(arm.collisions[1].contact.rigid.modulus.value(), 1e5);
  EXPECT_DOUBLE_EQ(arm.collisions[1].contact.friction.value(), 0.6);
  const JointSpec &swing = robot.joints.at(0), &slide = robot.joints.at(1);
  EXPECT_EQ(swing.type, JointType::Revolute);
  EXPECT_LT((swing.axis - Vec3(1, 0, 0)).norm(), kExact) << "y of the model is x of the arm";
  EXPECT_EQ(swing.effortLimit, 30);
  EXPECT_DOUBLE_EQ(swing.velocityLimit, 3);
  EXPECT_DOUBLE_EQ(swing.damping, 0.5);
  EXPECT_DOUBLE_EQ(swing.dryFriction, 0.1);
  EXPECT_NEAR(swing.armature, 1, kExact);
  EXPECT_EQ(slide.type, JointType::Prismatic);
  EXPECT_DOUBLE_EQ(slide.lower, 0);
  EXPECT_TRUE(std::isinf(slide.upper) && !slide.effortLimit.isBounded() && std::isinf(slide.velocityLimit));
  EXPECT_EQ(slide.mimic, "swing");
  EXPECT_DOUBLE_EQ(slide.mimicRatio, 0.05);
  EXPECT_TRUE(mentions(loaded, "<plugin>"));
}

TEST(LoadSdf, RoughnessAndMetalAreThoseOfThePbrMaterial) {
  const auto finishOf = [](const std::string& pbr) {
    return load(varied("<diffuse>1 0.5 0 1</diffuse>", "<diffuse>1 0.5 0 1</diffuse>" + pbr))
        .robot.links.at(1)
        .visuals.at(0)
        .finish;
  };
  EXPECT_EQ(finishOf("").metallic, 0);
  const Finish steel =
      finishOf("<pbr><metal><roughness>0.2</roughness><metalness>0.9</metalness></metal></pbr>");
  EXPECT_FLOAT_EQ(steel.roughness, 0.2f);
  EXPECT_FLOAT_EQ(steel.metallic, 0.9f);
  EXPECT_EQ(finishOf("<pbr><metal><roughness>0.2</roughness></metal></pbr>").metallic, 0)
      << "what is not written is not metal";
  expectFault(faultOf(varied("<diffuse>1 0.5 0 1</diffuse>",
                             "<pbr><metal><roughness>smooth</roughness></metal></pbr>")),
              {"<roughness> is 'smooth'"});
}

TEST(LoadSdf, PosesAreThoseOfTheModelRelativeToItsRoot) {
  const std::map<std::string, Pose> X = zeroPoses(load(kModel).robot);
  ASSERT_TRUE(X.contains("finger"));
  EXPECT_LT((X.at("arm").p - Vec3(0, 0, 0.5)).norm(), kExact);
  EXPECT_LT((X.at("arm").R * Vec3::UnitX() - Vec3::UnitY()).norm(), kExact);
  EXPECT_LT((X.at("finger").p - Vec3(0.2, 0, 0.5)).norm(), kExact);
  EXPECT_LT((X.at("finger").R - Mat3::Identity()).norm(), kExact);
}

TEST(LoadSdf, AJointAwayFromItsChildKeepsTheLinksFrameAndTurnsAboutItsOwnAxis) {
  const assets::LoadedRobot loaded =
      load(varied("<parent>base</parent><child>arm</child>",
                  "<parent>base</parent><child>arm</child><pose>0 0 -0.5 0 0 0</pose>"));
  const std::map<std::string, Pose> X = zeroPoses(loaded.robot);
  ASSERT_TRUE(X.contains("arm"));
  EXPECT_LT((X.at("arm").p - Vec3(0, 0, 0.5)).norm(), kExact);
  EXPECT_LT((X.at("finger").p - Vec3(0.2, 0, 0.5)).norm(), kExact);
  EXPECT_LT(X.at("swing::frame").p.norm(), kExact) << "the axis passes through the base's origin";
}

TEST(LoadSdf, WorldJointsAndStaticModels) {
  const std::string fixed = varied(
      "    <plugin",
      "    <joint name=\"w\" type=\"fixed\"><parent>world</parent><child>base</child></joint>\n    <plugin");
  const assets::LoadedRobot one = load(fixed);
  EXPECT_EQ(one.robot.joints.size(), 2u);
  EXPECT_TRUE(mentions(one, "fixes the robot to the world"));
  const assets::LoadedRobot turning = load(varied(
      "name=\"w\" type=\"fixed\"><parent>world</parent><child>base</child>",
      "name=\"w\" type=\"continuous\"><parent>world</parent><child>base</child><axis><xyz>0 0 1</xyz></axis>",
      fixed));
  EXPECT_EQ(turning.robot.links.size(), 4u);
  EXPECT_LT((zeroPoses(turning.robot).at("base").p - Vec3(0, 0, 1)).norm(), kExact);
  Scene scene;
  scene.robots.emplace_back();
  scene.robots[0].name = "r";
  scene.robots[0].freeBase = true;
  scene.robots[0].description = turning.robot;
  const Result<CompiledScene> free = compile(scene);
  ASSERT_FALSE(free) << "a base without mass cannot be free";
  expectFault(free.error().message(), {"'r.__model__'", "base: fixed"});
  const assets::LoadedRobot still = load(
      "<sdf version='1.7'><model name='m'><static>1</static><link name='a'/>"
      "<link name='b'><pose>1 2 3 0 0 0</pose></link></model></sdf>");
  EXPECT_LT((zeroPoses(still.robot).at("b").p - Vec3(1, 2, 3)).norm(), kExact);
  for (const JointSpec& joint : still.robot.joints) EXPECT_EQ(joint.type, JointType::Fixed);
}

TEST(LoadSdf, InnerAndIncludedModelsCarryTheirNameAsAScope) {
  writeFile(
      "part.sdf",
      "<sdf version='1.7'><model name='part'><link name='l'><pose>0 0 1 0 0 0</pose></link></model></sdf>");
  const std::string text =
      "<sdf version='1.7'><model name='m'><link name='a'/>"
      "<include><uri>part.sdf</uri><name>hand</name><pose>1 0 0 0 0 0</pose></include>"
      "<model name='inner'><pose>0 1 0 0 0 0</pose><link name='l'/></model>"
      "<joint name='h' type='fixed'><parent>a</parent><child>hand::l</child></joint>"
      "<joint name='i' type='fixed'><parent>a</parent><child>inner::l</child></joint></model></sdf>";
  const assets::LoadedRobot loaded = load(text);
  const std::map<std::string, Pose> X = zeroPoses(loaded.robot);
  ASSERT_TRUE(X.contains("hand::l") && X.contains("inner::l"));
  EXPECT_LT((X.at("hand::l").p - Vec3(1, 0, 1)).norm(), kExact);
  EXPECT_LT((X.at("inner::l").p - Vec3(0, 1, 0)).norm(), kExact);
  expectFault(faultOf(varied("part.sdf", "nowhere.sdf", text)), {"robot.sdf:1", "nowhere.sdf", "tried"});
  writeFile("part.sdf",
            "<sdf version='1.7'><model name='part'><include><uri>part.sdf</uri></include></model></sdf>");
  expectFault(faultOf(text), {"part.sdf:1", "includes itself"});
  writeFile("part.sdf",
            "<sdf version='1.7'><model name='part'><link "
            "name='l'><inertial><mass>x</mass></inertial></link></model></sdf>");
  expectFault(faultOf(text), {"part.sdf:1", "link 'l'", "<mass> is 'x'"});
}

TEST(LoadSdf, MeshesAreFoundBesideTheFileAndInPackages) {
  writeFile("tet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  writeFile("package.xml", "<package><name>my_parts</name></package>");
  for (const std::string uri : {"tet.obj", "package://my_parts/tet.obj", "model://my_parts/tet.obj"}) {
    const assets::LoadedRobot loaded =
        load(varied("<capsule><radius>0.02</radius><length>0.2</length></capsule>",
                    "<mesh><uri>" + uri + "</uri><scale>2 2 -2</scale></mesh>"));
    const auto* mesh = std::get_if<shape::Mesh>(&loaded.robot.links.at(1).collisions.at(0).shape);
    ASSERT_TRUE(mesh) << uri;
    EXPECT_EQ(mesh->mesh->vertices.size(), 4u);
    double lowest = 0;
    for (const Vec3& v : mesh->mesh->vertices) lowest = std::min(lowest, v.z());
    EXPECT_NEAR(lowest, -2, 1e-6);
  }
  const assets::LoadedRobot missing = load(varied(
      "<capsule><radius>0.02</radius><length>0.2</length></capsule>", "<mesh><uri>gone.obj</uri></mesh>"));
  EXPECT_EQ(missing.robot.links.at(1).collisions.size(), 1u);
  EXPECT_TRUE(mentions(missing, "gone.obj"));
}

TEST(LoadSdf, FilterGroupsExcludePairsOfLinks) {
  const assets::LoadedRobot loaded =
      load(varied("<plugin name=\"p\" filename=\"p.so\"/>",
                  "<drake:collision_filter_group name=\"g\"><drake:member>arm</drake:member>"
                  "<drake:member>finger</drake:member><drake:ignored_collision_filter_group>g"
                  "</drake:ignored_collision_filter_group></drake:collision_filter_group>"));
  ASSERT_EQ(loaded.robot.excludedLinks.size(), 1u);
  EXPECT_EQ(loaded.robot.excludedLinks[0], (std::pair<std::string, std::string>("arm", "finger")));
}

TEST(LoadSdf, FaultsNameLineElementAndRemedy) {
  expectFault(faultOf(kModel.substr(0, 900)), {"robot.sdf:", "not well-formed XML"});
  expectFault(faultOf(""), {"robot.sdf", "the file is empty"});
  expectFault(faultOf("<robot name='r'/>"), {"no <sdf> element", "URDF file"});
  expectFault(faultOf("<sdf version='1.0'><model name='m'/></sdf>"), {"version '1.0'"});
  expectFault(faultOf("<sdf version='1.7'><world name='w'/></sdf>"), {"no <model>"});
  expectFault(faultOf("<sdf version='1.7'/>"), {"no <model>"});
  expectFault(faultOf(varied("<mass>2</mass>", "<mass>nan</mass>")),
              {"robot.sdf:7", "link 'arm'", "<mass> is 'nan'"});
  expectFault(faultOf(varied("<mass>2</mass>", "<mass>-2</mass>")), {"link 'arm'", "at least 0"});
  expectFault(faultOf(varied("<mass>2</mass>", "<mass>2kg</mass>")), {"link 'arm'", "2kg"});
  expectFault(faultOf(varied("<pose>0 0 1 0 0 0</pose>", "<pose>0 0 1</pose>")),
              {"robot.sdf:4", "link 'base'", "6 numbers"});
  expectFault(faultOf(varied("<radius>0.02</radius>", "<radius>-1</radius>")),
              {"robot.sdf:11", "greater than 0"});
  expectFault(faultOf(varied("type=\"revolute\"", "type=\"revolut\"")),
              {"robot.sdf:18", "did you mean 'revolute'?"});
  expectFault(faultOf(varied("type=\"revolute\"", "type=\"universal\"")),
              {"robot.sdf:18", "two revolute joints"});
  expectFault(faultOf(varied("<child>arm</child>", "<child>amr</child>")),
              {"robot.sdf:18", "joint 'swing'", "amr"});
  expectFault(faultOf(varied("<parent>arm</parent><child>finger</child>",
                             "<parent>finger</parent><child>arm</child>")),
              {"already hangs"});
  expectFault(faultOf(varied("<xyz>1 0 0</xyz>", "<xyz>0 0 0</xyz>")), {"robot.sdf", "zero"});
  expectFault(faultOf(varied("relative_to=\"base\"", "relative_to=\"bse\"")), {"robot.sdf:6", "bse"});
  expectFault(faultOf(varied("name=\"finger\"", "name=\"arm\"")), {"already taken in line 6"});
  expectFault(faultOf(varied("name=\"finger\"", "name=\"" + std::string(201, 'f') + "\"")),
              {"link 'fff", "longer than 200 bytes"});
  expectFault(faultOf(varied("multiplier=\"0.05\"", "multiplier=\"much\"")), {"joint 'slide'", "mimic"});
  expectFault(faultOf(varied("1e5</drake", "soft</drake")), {"link 'arm'", "hydroelastic_modulus"});
  expectFault(
      faultOf(
          "<sdf version='1.7'><model name='m'><link name='a'><pose relative_to='b'/></link><link name='b'>"
          "<pose relative_to='a'/></link></model></sdf>"),
      {"robot.sdf"});
  expectFault(assets::loadSdf("/nonexistent.sdf").error().message(), {"does not exist"});
}

TEST(LoadSdf, WhatItsLibraryWouldTakeTheMemoryForIsRefused) {
  const auto many = [](const std::string& element, int count) {
    std::string text = "<sdf version='1.7'><model name='m'><link name='a'/>";
    for (int i = 0; i < count; ++i) text += testing::varied("#", std::to_string(i), element);
    return text + "</model></sdf>";
  };
  // A megabyte for each link, more for a model with one.
  expectFault(faultOf(many("<link name='l#'/>", 1300)), {"robot.sdf", "more than 1024 MiB"});
  expectFault(faultOf(many("<model name='m#'><link name='l'/></model>", 500)), {"more than 1024 MiB"});
  expectFault(faultOf(many("<frame name='f#'/>", 100'000)), {"more than 1024 MiB"});
  EXPECT_EQ(faultOf(many("<link name='l#'/>", 20)), "");
}

TEST(LoadSdf, LinksThatNoJointHoldsAreTreesOfTheirOwnWhereTheFileHasThem) {
  const assets::LoadedRobot loaded =
      load(varied("    <joint name=\"slide\"",
                  "    <link name=\"lost\"><pose>0 0 5 0 0 0</pose></link><joint name=\"slide\""));
  EXPECT_TRUE(mentions(loaded, "2 trees"));
  const Pose X_RL = loaded.robot.rootPoses.at("lost");
  EXPECT_LT((X_RL.p - Vec3(0, 0, 4)).norm(), kExact) << "the root 'base' stands 1 m above the model";
}

TEST(LoadSdf, AnInertiaThatNoBodyHasIsReplacedAndSaid) {
  const assets::LoadedRobot loaded = load(varied("<ixx>0.02</ixx>", "<ixx>-0.02</ixx>"));
  EXPECT_TRUE(mentions(loaded, "negative principal moment"));
}

TEST(LoadSdf, SlightlyImpossibleInertiaIsRepairedAndSaid) {
  const assets::LoadedRobot loaded = load(varied("<ixx>0.02</ixx>", "<ixx>0.05</ixx>"));
  ASSERT_EQ(loaded.robot.links.size(), 3u);
  EXPECT_NEAR(loaded.robot.links[1].inertia.maxCoeff(), 0.03 + 0.01001, kExact);
  EXPECT_TRUE(mentions(loaded, "lowered to the sum"));
}

TEST(LoadSdf, AStrayQuotationMarkAfterANumberIsIgnoredAndSaid) {
  const assets::LoadedRobot loaded = load(varied("<velocity>3</velocity>", "<velocity>3\"</velocity>"));
  ASSERT_EQ(loaded.robot.joints.size(), 2u);
  EXPECT_DOUBLE_EQ(loaded.robot.joints[0].velocityLimit, 3);
  EXPECT_TRUE(mentions(loaded, "quotation mark"));
}

bool mentionsAt(const assets::LoadedRobot& loaded, const std::string& text) {
  return std::any_of(loaded.notices.begin(), loaded.notices.end(), [&](const Notice& n) {
    return (n.where + ": " + n.what).find(text) != std::string::npos;
  });
}

/// What URDF files are mended of, in the same words.
TEST(LoadSdf, IsMendedAsUrdfIs) {
  const assets::LoadedRobot limits = load(varied("<lower>-1</lower>", "<lower>3</lower>"));
  EXPECT_TRUE(std::isinf(limits.robot.joints[0].lower) && std::isinf(limits.robot.joints[0].upper));
  EXPECT_TRUE(
      mentionsAt(limits, "joint 'swing': the lower limit is above the upper one: it moves without limits"));
  const assets::LoadedRobot zero = load(varied("<radius>0.02</radius>", "<radius>0</radius>"));
  EXPECT_EQ(zero.robot.links[1].collisions.size(), 1u);
  EXPECT_TRUE(mentionsAt(zero, "link 'arm': a <collision> whose <capsule> has a size of 0 was dropped"));
  const assets::LoadedRobot flat = load(varied("<radii>0.1 0.2 0.3</radii>", "<radii>0.1 0 0.3</radii>"));
  EXPECT_TRUE(flat.robot.links[1].visuals.empty());
  const assets::LoadedRobot comma = load(varied("<mass>2</mass>", "<mass>2,5</mass>"));
  EXPECT_EQ(comma.robot.links[1].mass, 2.5);
  EXPECT_TRUE(mentionsAt(comma, "<mass> is '2,5': its commas are taken as decimal points"));
  const assets::LoadedRobot listed = load(varied("<xyz>1 0 0</xyz>", "<xyz>1, 0, 0</xyz>"));
  EXPECT_TRUE(mentionsAt(listed, "its commas are taken as spaces"));
  const assets::LoadedRobot twice = load(varied("<mass>2</mass>", "<mass>2</mass><mass>3</mass>"));
  EXPECT_EQ(twice.robot.links[1].mass, 2);
  EXPECT_TRUE(mentionsAt(
      twice, "robot.sdf:7, link 'arm': a second <mass> in <inertial> is not used: the first, of line 7"));
  const assets::LoadedRobot shapes =
      load(varied("<ellipsoid><radii>0.1 0.2 0.3</radii></ellipsoid>",
                  "<ellipsoid><radii>0.1 0.2 0.3</radii></ellipsoid><sphere><radius>1</radius></sphere>"));
  EXPECT_TRUE(mentionsAt(shapes, "a second shape in <geometry>, <sphere>, is not used"));
  const assets::LoadedRobot latin1 = load(varied("name=\"finger\"",
                                                 "name=\"f\xfc"
                                                 "r\"",
                                                 varied("<child>finger</child>",
                                                        "<child>f\xfc"
                                                        "r</child>")));
  EXPECT_EQ(latin1.robot.links.at(2).name, "für");
  EXPECT_TRUE(mentionsAt(latin1, "this is not UTF-8: read as Latin-1"));
  const assets::LoadedRobot plain = load(varied(" version=\"1.7\"", ""));
  EXPECT_EQ(plain.robot.links.size(), 3u);
  EXPECT_TRUE(mentionsAt(plain, "<sdf> has no version: read as 1.7"));
}

TEST(LoadSdf, AJointStartsWhereTheFileHasItAndThatIsSaid) {
  const std::string file = writeFile("start.sdf", varied("<lower>-1</lower>", "<lower>0.5</lower>")).string();
  const auto loaded = assets::loadModel(file);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->model->initialQ[0], 0);
  EXPECT_TRUE(std::any_of(loaded->notices.begin(), loaded->notices.end(), [](const Notice& n) {
    return (n.where + ": " + n.what)
               .find(
                   "joint 'swing': it starts at 0 rad as its file says, outside its limits of 0.5 to 2 "
                   "rad") != std::string::npos;
  }));
}

TEST(LoadSdf, FaultsInUnusedElementsDoNotMatter) {
  const assets::LoadedRobot loaded = load(varied("<mu>0.8</mu>", "<mu>0.8</mu><max_vel>fast</max_vel>"));
  EXPECT_EQ(loaded.robot.links.size(), 3u);
}

TEST(LoadSdf, NeverWritesToTheConsole) {
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  faultOf(varied("<child>arm</child>", "<child>amr</child>"));
  faultOf(varied("<geometry><drake:ellipsoid>",
                 "<geometry><heightmap><size>x</size></heightmap><drake:ellipsoid>"));
  load(varied("    <plugin", "    <unheard_of/>\n    <plugin"));
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(LoadSdf, ReadsPointsUnderACommaLocale) {
  const testing::CommaLocale comma;
  const RobotDescription robot = load(kModel).robot;
  const LinkSpec& arm = robot.links.at(1);
  const JointSpec &swing = robot.joints.at(0), &slide = robot.joints.at(1);
  EXPECT_NEAR(arm.inertia(2, 2), 0.01001, kExact);
  EXPECT_NEAR(arm.com.z(), 0.1, kExact);
  EXPECT_EQ(std::get<shape::Capsule>(arm.collisions.at(0).shape).radius, 0.02);
  EXPECT_EQ(arm.collisions.at(0).contact.friction, 0.8);
  EXPECT_EQ(swing.damping, 0.5);
  EXPECT_EQ(slide.mimicRatio, 0.05);
}

}  // namespace
}  // namespace slipstick
