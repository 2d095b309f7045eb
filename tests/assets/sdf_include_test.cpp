// Models in models: included ones with meshes of their own, of other versions, static ones; springs and inertias that follow
// from shapes.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "assets/robot_io.h"
#include "engine/compile/compile.h"
#include "engine/multibody/kinematics.h"
#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using multibody::JointType;
using testing::expectFault;
using testing::writeFile;

constexpr double kExact = 1e-12;
const std::string kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::string model(const std::string& inside, const std::string& version = "1.7",
                  const std::string& name = "m") {
  return "<sdf version='" + version + "'><model name='" + name + "'>\n" + inside + "\n</model></sdf>";
}

fs::path write(const std::string& name, const std::string& text) {
  const fs::path file = writeFile("start", "").parent_path() / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
  return file;
}

assets::LoadedRobot load(const std::string& text) {
  Result<assets::LoadedRobot> loaded = assets::loadSdf(write("robot.sdf", text));
  if (!loaded) ADD_FAILURE() << loaded.error().message();
  return loaded ? *loaded : assets::LoadedRobot{};
}

std::string faultOf(const std::string& text) {
  const Result<assets::LoadedRobot> loaded = assets::loadSdf(write("robot.sdf", text));
  return loaded ? "" : loaded.error().message();
}

const LinkSpec* linkOf(const assets::LoadedRobot& loaded, const std::string& name) {
  const auto& links = loaded.robot.links;
  const auto found =
      std::find_if(links.begin(), links.end(), [&](const LinkSpec& l) { return l.name == name; });
  if (found == links.end()) ADD_FAILURE() << "no link '" << name << "'";
  return found == links.end() ? nullptr : &*found;
}

/// Poses of all links in W when every joint is at zero, by name.
std::map<std::string, Pose> zeroPoses(const RobotDescription& robot) {
  Scene scene;
  scene.robots.emplace_back();
  scene.robots[0].name = "r";
  scene.robots[0].description = robot;
  const Result<CompiledScene> compiled = compile(scene);
  if (!compiled) ADD_FAILURE() << compiled.error().message();
  std::map<std::string, Pose> poses;
  if (!compiled) return poses;
  const multibody::Tree& tree = compiled->model->tree;
  std::vector<Pose> X_WB;
  multibody::computePoses(tree, tree.zeroPosition(), X_WB);
  for (std::size_t b = 1; b < X_WB.size(); ++b) poses[tree.bodies[b].name.substr(2)] = X_WB[b];
  return poses;
}

TEST(SdfInclude, MeshesOfAnIncludedModelLieBesideIt) {
  write("parts/meshes/tet.obj", kTetrahedron);
  write("parts/part.sdf",
        model("<link name='l'><collision name='c'><geometry><mesh><uri>meshes/tet.obj</uri></mesh>"
              "</geometry></collision></link>"));
  const assets::LoadedRobot loaded =
      load(model("<include><uri>parts/part.sdf</uri><name>p</name></include>"));
  const LinkSpec* link = linkOf(loaded, "p::l");
  ASSERT_TRUE(link);
  ASSERT_EQ(link->collisions.size(), 1u) << loaded.notices.front().what;
  EXPECT_TRUE(std::holds_alternative<shape::Mesh>(link->collisions[0].shape));
}

TEST(SdfInclude, ItsNameIsOneLikeThoseOfModels) {
  write("part.sdf", model("<link name='l'/>"));
  const auto fault = [](const std::string& name) {
    return faultOf(model("<include><uri>part.sdf</uri><name>" + name + "</name></include>"));
  };
  EXPECT_EQ(fault("p"), "");
  testing::expectFault(fault("p&#10;q"), {"robot.sdf", "line breaks"});
  testing::expectFault(fault(std::string(201, 'p')), {"robot.sdf", "longer than 200 bytes"});
}

TEST(SdfInclude, APartOfAMeshIsReadAlone) {
  write("two.obj",
        "o left\n" + kTetrahedron +
            "o right\nv 9 9 9\nv 10 9 9\nv 9 10 9\nv 9 9 10\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n");
  const auto loaded = [](const std::string& submesh) {
    return load(model("<link name='l'><visual name='v'><geometry><mesh><uri>two.obj</uri>" + submesh +
                      "</mesh></geometry></visual></link>"));
  };
  const auto vertices = [](const assets::LoadedRobot& robot) {
    return std::get<shape::Mesh>(robot.robot.links.at(0).visuals.at(0).shape).mesh->vertices;
  };
  const auto right = vertices(loaded("<submesh><name>right</name></submesh>"));
  ASSERT_EQ(right.size(), 4u);
  for (const Vec3& v : right) EXPECT_GE(v.minCoeff(), 9);
  for (const Vec3& v : vertices(loaded("<submesh><name>right</name><center>true</center></submesh>")))
    EXPECT_LE(v.cwiseAbs().maxCoeff(), 0.5 + 1e-6);
  EXPECT_EQ(vertices(loaded("")).size(), 8u);
}

TEST(SdfInclude, ModelsIncludeModelsThatIncludeModels) {
  write("c/model.sdf", model("<link name='tip'/>"));
  write("b/model.sdf",
        model("<link name='arm'/><include><uri>../c</uri><name>c</name><pose>0 0 1 0 0 0</pose></include>"
              "<joint name='j' type='fixed'><parent>arm</parent><child>c::tip</child></joint>"));
  const assets::LoadedRobot loaded =
      load(model("<link name='base'/><include><uri>b</uri><name>b</name><pose>1 0 0 0 0 0</pose></include>"
                 "<joint name='j' type='fixed'><parent>base</parent><child>b::arm</child></joint>"));
  const auto X = zeroPoses(loaded.robot);
  ASSERT_TRUE(X.contains("b::c::tip"));
  EXPECT_LT((X.at("b::c::tip").p - Vec3(1, 0, 1)).norm(), kExact);
}

TEST(SdfInclude, TheIncludeGoesOverTheModel) {
  write("part.sdf", model("<pose>9 9 9 0 0 0</pose><static>true</static><link name='l'/>"
                          "<link name='t'><pose>0 0 1 0 0 0</pose></link>"
                          "<joint name='j' type='revolute'><parent>l</parent><child>t</child><axis><xyz>1 0 "
                          "0</xyz></axis></joint>",
                          "1.7", "part"));
  const auto including = [](const std::string& says) {
    return load(
        model("<link name='base'/><include><uri>part.sdf</uri>" + says +
              "</include><joint name='w' type='fixed'><parent>base</parent><child>part::l</child></joint>"));
  };
  const assets::LoadedRobot over = including("<static>false</static><pose>1 0 0 0 0 0</pose>");
  EXPECT_LT((zeroPoses(over.robot).at("part::l").p - Vec3(1, 0, 0)).norm(), kExact);
  const auto turns = [](const assets::LoadedRobot& loaded) {
    return std::any_of(loaded.robot.joints.begin(), loaded.robot.joints.end(),
                       [](const JointSpec& j) { return j.type == JointType::Revolute; });
  };
  EXPECT_TRUE(turns(over));
  const assets::LoadedRobot own = including("");
  EXPECT_LT((zeroPoses(own.robot).at("part::l").p - Vec3(9, 9, 9)).norm(), kExact);
  EXPECT_FALSE(turns(own)) << "nothing moves in a static model";
}

TEST(SdfInclude, AnOlderFileStandsInANewerOne) {
  // 1.6: the axis may be of the model, and poses name frames by another attribute.
  const std::string arm =
      "<link name='l'/><link name='t'><pose>0 0 1 0 0 1.5707963267948966</pose></link>"
      "<joint name='j' type='revolute'><parent>l</parent><child>t</child><axis><xyz>1 0 0</xyz>"
      "<use_parent_model_frame>1</use_parent_model_frame></axis></joint>";
  write("old.sdf", model(arm, "1.6"));
  const assets::LoadedRobot loaded =
      load(model("<include><uri>old.sdf</uri><name>o</name></include><frame name='f'/>", "1.9"));
  ASSERT_EQ(loaded.robot.joints.size(), 1u);
  EXPECT_LT((loaded.robot.joints[0].axis - Vec3(0, -1, 0)).norm(), kExact)
      << "x of the model in the turned child";
}

TEST(SdfInclude, ModelConfigNamesTheNewestFile) {
  write("thing/model.config",
        "<model><name>Thing</name><sdf version='1.5'>old.sdf</sdf><sdf version='1.8'>new.sdf</sdf>"
        "<sdf version='1.10'>newest.sdf</sdf></model>");
  write("thing/old.sdf", model("<link name='old'/>"));
  write("thing/new.sdf", model("<link name='new'/>"));
  write("thing/newest.sdf", model("<link name='newest'/>", "1.10"));
  const assets::LoadedRobot loaded = load(model("<include><uri>model://thing</uri><name>t</name></include>"));
  EXPECT_TRUE(linkOf(loaded, "t::newest")) << "1.10 is newer than 1.8";
}

TEST(SdfInclude, FaultsNameTheFileThatHasThem) {
  write("part.sdf", model("<link name='l'><inertial><mass>x</mass></inertial></link>"));
  expectFault(faultOf(model("<include><uri>part.sdf</uri></include>")), {"part.sdf:2", "<mass> is 'x'"});
  write("a.sdf", model("<include><uri>b.sdf</uri></include>"));
  write("b.sdf", model("<include><uri>a.sdf</uri></include>"));
  expectFault(faultOf(model("<include><uri>a.sdf</uri></include>")), {"b.sdf:2", "includes itself"});
  for (int i = 0; i < 12; ++i)
    write("deep" + std::to_string(i) + ".sdf",
          model("<link name='l'/><include><uri>deep" + std::to_string(i + 1) + ".sdf</uri></include>"));
  expectFault(faultOf(model("<include><uri>deep0.sdf</uri></include>")), {"more than 8 deep"});
  write("c.sdf", model("<link name='l'/>"));
  expectFault(faultOf(model("<include merge='true'><uri>c.sdf</uri></include>")), {"robot.sdf:2", "merge"});
  expectFault(faultOf(model("<include><uri>model://c/../../etc</uri></include>")), {"leaves its package"});
}

const std::string kTwoModels =
    "<model name='ball'><pose>0 0 5 0 0 0</pose><link name='l'/></model>"
    "<model name='wall'><static>1</static><link name='l'><pose>2 0 0 0 0 0</pose></link></model>";

TEST(SdfWorld, OfOneModelIsThatModel) {
  const assets::LoadedRobot loaded = load(
      "<sdf version='1.6'><world name='w'><gravity>0 0 -9.8</gravity><physics type='ode'/><light name='s'/>"
      "<model name='m'><link name='a'/></model></world></sdf>");
  EXPECT_EQ(loaded.robot.name, "m");
  EXPECT_TRUE(linkOf(loaded, "a"));
  EXPECT_TRUE(std::any_of(loaded.notices.begin(), loaded.notices.end(), [](const Notice& n) {
    return n.what.find("<light> is not used") != std::string::npos;
  }));
}

TEST(SdfWorld, OfSeveralModelsHoldsTheStaticOnesAndLetsTheOthersGo) {
  for (const std::string& text : {"<sdf version='1.7'><world name='w'>" + kTwoModels + "</world></sdf>",
                                  "<sdf version='1.7'>" + kTwoModels + "</sdf>"}) {
    const assets::LoadedRobot loaded = load(text);
    const auto X = zeroPoses(loaded.robot);
    ASSERT_TRUE(X.contains("ball::l") && X.contains("wall::l")) << text;
    EXPECT_LT((X.at("ball::l").p - Vec3(0, 0, 5)).norm(), kExact);
    EXPECT_LT((X.at("wall::l").p - Vec3(2, 0, 0)).norm(), kExact);
    for (const JointSpec& joint : loaded.robot.joints)
      EXPECT_EQ(joint.type, joint.child == "ball::l" ? JointType::Floating : JointType::Fixed) << joint.name;
  }
}

TEST(SdfNames, ThatClashAreMadeDifferentAndThatIsSaid) {
  const std::string ball =
      "<collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry></collision>";
  const assets::LoadedRobot loaded =
      load("<sdf version='1.5'><world name='w'><model name='m'><link name='world'>" + ball + ball +
           "</link><link name='l'/>" +
           "<joint name='j' type='fixed'><parent>world</parent><child>l</child></joint></model><model "
           "name='m'><link name='l'/>" +
           "</model></world></sdf>");
  ASSERT_TRUE(linkOf(loaded, "m::world_link"));
  EXPECT_EQ(linkOf(loaded, "m::world_link")->collisions.at(1).name, "c_2");
  EXPECT_TRUE(linkOf(loaded, "m_2::l"));
  EXPECT_EQ(std::count_if(loaded.notices.begin(), loaded.notices.end(),
                          [](const Notice& n) { return n.what.find("here") != std::string::npos; }),
            3);
}

TEST(SdfWorld, IncludesModels) {
  write("part.sdf", model("<link name='l'/>", "1.7", "part"));
  const assets::LoadedRobot loaded = load(
      "<sdf version='1.7'><world name='w'><include><uri>part.sdf</uri><name>a</name></include>"
      "<include><uri>part.sdf</uri><name>b</name><pose>1 0 0 0 0 0</pose></include></world></sdf>");
  EXPECT_LT((zeroPoses(loaded.robot).at("b::l").p - Vec3(1, 0, 0)).norm(), kExact);
}

/// Models that only Gazebo has are known, others are named, and the world goes on; a plane's top is at z = 0.
TEST(SdfWorld, GoesOnWithoutModelsThatAreNotThere) {
  const auto said = [](const assets::LoadedRobot& loaded, const std::string& text) {
    return std::count_if(loaded.notices.begin(), loaded.notices.end(), [&](const Notice& n) {
      return (n.where + ": " + n.what).find(text) != std::string::npos;
    });
  };
  const auto world = [](const std::string& includes) {
    return load(
        "<sdf version='1.6'><world name='w'>\n" + includes +
        "<model name='crate'><pose>.2 .1 .15 0 0 0</pose><link name='l'><collision name='c'><geometry><box>"
        "<size>.3 .3 .3</size></box></geometry></collision></link></model></world></sdf>");
  };
  const assets::LoadedRobot cell = world(
      "<include><uri>model://sun</uri></include>\n<include><uri>model://ground_plane</uri></include>\n"
      "<include><uri>https://models.example/coffee mug</uri></include>");
  ASSERT_NE(linkOf(cell, "ground_plane::link"), nullptr);
  EXPECT_TRUE(
      std::holds_alternative<shape::Plane>(linkOf(cell, "ground_plane::link")->collisions.at(0).shape));
  const auto X = zeroPoses(cell.robot);
  EXPECT_NEAR(X.at("ground_plane::link").p.z(), 0, kExact);
  EXPECT_LT((X.at("crate::l").p - Vec3(0.2, 0.1, 0.15)).norm(), kExact);
  EXPECT_EQ(said(cell, "robot.sdf:2: the model 'sun' of Gazebo is a light"), 1);
  EXPECT_EQ(said(cell, "robot.sdf:3: the model 'ground_plane' of Gazebo is a plane at z = 0 here"), 1);
  EXPECT_EQ(said(cell, "'https://models.example/coffee mug' does not exist: the world goes on without it"),
            1);
  const assets::LoadedRobot fuel = world(
      "<include><uri>https://fuel.gazebosim.org/1.0/OpenRobotics/models/Sun</uri></include><include>"
      "<uri>https://fuel.gazebosim.org/1.0/OpenRobotics/models/Ground Plane/</uri><name>floor</name><pose>0 "
      "0 -1 0 0 0</pose>"
      "</include>");
  EXPECT_NEAR(zeroPoses(fuel.robot).at("floor::link").p.z(), -1, kExact);
  EXPECT_EQ(said(fuel, "is a light"), 1);
  // With a light alone a world is still that of its one model.
  EXPECT_NE(linkOf(world("<include><uri>model://sun</uri></include>"), "l"), nullptr);
  // A model of the same name that is there goes over what is known.
  write("ground_plane/model.sdf", model("<static>1</static><link name='own'/>", "1.6", "ground_plane"));
  EXPECT_NE(linkOf(world("<include><uri>model://ground_plane</uri></include>"), "ground_plane::own"),
            nullptr);
  fs::remove_all(write("ground_plane/model.sdf", "").parent_path());
  expectFault(
      faultOf("<sdf version='1.6'><world name='w'><include><uri>model://gone</uri></include></world></sdf>"),
      {"none of the world's models is there", "--package-path"});
  // A robot is another one without its parts.
  expectFault(faultOf(model("<link name='a'/><include><uri>model://gone</uri></include>")),
              {"'model://gone' does not exist"});
}

TEST(SdfStatic, AnInnerStaticModelIsFixedToTheWorldAndTheRestIsNot) {
  const assets::LoadedRobot loaded =
      load(model("<link name='ball'><pose>0 0 5 0 0 0</pose></link><model "
                 "name='wall'><static>1</static><pose>2 0 0 0 0 0</pose>"
                 "<link name='a'/><link name='b'><pose>0 1 0 0 0 0</pose></link></model>"));
  const auto X = zeroPoses(loaded.robot);
  EXPECT_LT((X.at("wall::b").p - Vec3(2, 1, 0)).norm(), kExact);
  EXPECT_LT((X.at("ball").p - Vec3(0, 0, 5)).norm(), kExact) << "relative to the model";
  int fixed = 0;
  for (const JointSpec& joint : loaded.robot.joints) fixed += joint.type == JointType::Fixed ? 1 : 0;
  EXPECT_EQ(fixed, 2);
}

TEST(SdfJoint, HasASpring) {
  const assets::LoadedRobot loaded = load(
      model("<link name='a'/><link name='b'/><joint name='j' "
            "type='revolute'><parent>a</parent><child>b</child><axis>"
            "<xyz>0 0 "
            "1</xyz><dynamics><spring_stiffness>12</spring_stiffness><spring_reference>0.5</spring_reference>"
            "</dynamics></axis></joint>"));
  EXPECT_EQ(loaded.robot.joints.at(0).stiffness, 12);
  EXPECT_EQ(loaded.robot.joints.at(0).springReference, 0.5);
}

TEST(SdfInertial, AutoIsThatOfTheCollisionShapesAndTheirDensities) {
  const auto box = [](const std::string& name, const std::string& pose, const std::string& density) {
    return "<collision name='" + name + "'><pose>" + pose + " 0 0 0</pose>" + density +
           "<geometry><box><size>1 1 1</size></box></geometry></collision>";
  };
  const assets::LoadedRobot loaded =
      load(model("<link name='l'><inertial auto='true'><density>10</density></inertial>" +
                     box("light", "0 0 0", "") + box("heavy", "3 0 0", "<density>30</density>") + "</link>",
                 "1.11"));
  const LinkSpec* link = linkOf(loaded, "l");
  ASSERT_TRUE(link);
  EXPECT_NEAR(link->mass, 40, kExact * 40);
  EXPECT_LT((link->com - Vec3(2.25, 0, 0)).norm(), kExact);
  // Two unit cubes, (10 + 30)/6, and their distances 2.25 and .75 from the middle.
  EXPECT_NEAR(link->inertia(0, 0), 40.0 / 6, 1e-11);
  EXPECT_NEAR(link->inertia(1, 1), 40.0 / 6 + 10 * 2.25 * 2.25 + 30 * 0.75 * 0.75, 1e-11);
  // A mass that is written scales them: 6 kg in place of 40.
  const assets::LoadedRobot scaled =
      load(model("<link name='l'><inertial auto='true'><mass>6</mass><density>10</density></inertial>" +
                     box("light", "0 0 0", "") + box("heavy", "3 0 0", "<density>30</density>") + "</link>",
                 "1.11"));
  EXPECT_NEAR(linkOf(scaled, "l")->mass, 6, kExact);
  EXPECT_LT((linkOf(scaled, "l")->com - Vec3(2.25, 0, 0)).norm(), kExact);
  EXPECT_NEAR(linkOf(scaled, "l")->inertia(0, 0), 6.0 / 6, kExact);
  const assets::LoadedRobot both =
      load(model("<link name='l'><inertial auto='true'><pose>0 0 9 0 0 "
                 "0</pose><inertia><ixx>5</ixx></inertia></inertial>" +
                     box("c", "0 0 0", "") + "</link>",
                 "1.11"));
  EXPECT_LT(linkOf(both, "l")->com.norm(), kExact);
  for (const char* tag : {"<inertia>", "<pose>"})
    EXPECT_TRUE(std::any_of(both.notices.begin(), both.notices.end(), [&](const Notice& n) {
      return n.what.find(tag + std::string(" of its <inertial> is not used")) != std::string::npos;
    })) << tag;
  const assets::LoadedRobot plane =
      load(model("<link name='l'><inertial auto='true'/><collision "
                 "name='c'><geometry><plane/></geometry></collision></link>",
                 "1.11"));
  EXPECT_EQ(linkOf(plane, "l")->mass, 0);
  EXPECT_TRUE(std::any_of(plane.notices.begin(), plane.notices.end(), [](const Notice& n) {
    return n.what.find("none has a volume") != std::string::npos;
  }));
}

/// A box of 6 l at 1000 kg/m³; what is written beside `auto` counts, or is said not to.
TEST(SdfInertial, WhatStandsBesideAutoCountsOrIsSaid) {
  struct Row {
    const char* inertial;
    double mass, ixx;
    const char* said;  ///< empty: nothing
  };
  const double unit = (0.2 * 0.2 + 0.3 * 0.3) / 12;
  for (const Row& row :
       {Row{"<inertial auto='true'/>", 6, 6 * unit, ""},
        Row{"<inertial auto='1'><mass>9</mass></inertial>", 9, 9 * unit, ""},
        Row{"<inertial auto='true'><mass>9</mass><density>7</density></inertial>", 9, 9 * unit, ""},
        Row{"<inertial auto='true'><mass>0</mass></inertial>", 6, 6 * unit,
            "<mass> of its <inertial> is not"},
        Row{"<inertial auto='false'><mass>9</mass></inertial>", 9, 1, ""}}) {
    const assets::LoadedRobot loaded = load(model(
        "<link name='l'>" + std::string(row.inertial) +
            "<visual name='v'><geometry><sphere><radius>1</radius></sphere></geometry></visual>"
            "<collision name='c'><geometry><box><size>.1 .2 .3</size></box></geometry></collision></link>",
        "1.11"));
    const LinkSpec* link = linkOf(loaded, "l");
    ASSERT_TRUE(link);
    EXPECT_NEAR(link->mass, row.mass, kExact * 10) << row.inertial;
    EXPECT_NEAR(link->inertia(0, 0), row.ixx, kExact * 10) << row.inertial;
    ASSERT_EQ(loaded.notices.size(), *row.said ? 1u : 0u) << row.inertial;
    const std::string said = loaded.notices.empty() ? "" : loaded.notices.front().what;
    EXPECT_NE(said.find(row.said), std::string::npos) << said;
  }
}

TEST(SdfWorld, ASecondOneIsNamedOnce) {
  const std::string world =
      "<world name='w'>" + std::string("<model name='m'><link name='l'/></model></world>");
  const assets::LoadedRobot loaded = load("<sdf version='1.6'>" + world + "\n" + world + "</sdf>");
  EXPECT_EQ(loaded.robot.links.size(), 1u);
  EXPECT_EQ(std::count_if(loaded.notices.begin(), loaded.notices.end(),
                          [](const Notice& n) { return n.what == "<world> is not used"; }),
            1);
}

}  // namespace
}  // namespace slipstick
