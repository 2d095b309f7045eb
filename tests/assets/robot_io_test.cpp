#include "assets/robot_io.h"

#include <cmath>
#include <cstdlib>
#include <map>

#include "engine/compile/compile.h"
#include "tests/assets/scene_text.h"
#include "tests/support/comma_locale.h"
#include "tests/support/load_robot.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using testing::expectFault;
using testing::writeFile;

const std::string kRobot = R"(<?xml version="1.0"?>
<robot name="mini">
  <material name="steel"><color rgba="1 0.5 0 1"/></material>
  <link name="base"/>
  <link name="arm">
    <inertial><origin xyz="0 0 0.1" rpy="0 0 1.5707963267948966"/><mass value="2"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.01001"/></inertial>
    <visual><geometry><capsule radius="0.02" length="0.2"/></geometry><material name="steel"/></visual>
    <collision name="tube"><origin xyz="0 0 0.1"/><geometry><capsule radius="0.02" length="0.2"/></geometry></collision>
  </link>
  <link name="finger"><inertial><mass value="0.1"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/></inertial></link>
  <joint name="swing" type="revolute">
    <parent link="base"/><child link="arm"/><origin xyz="0 0 1"/><axis xyz="0 2 0"/>
    <limit lower="-1" upper="2" effort="30" velocity="3"/><dynamics damping="0.5" friction="0.1"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="arm"/><child link="finger"/><axis xyz="1 0 0"/><limit lower="0" upper="0.1" effort="0" velocity="1"/>
    <mimic joint="swing" multiplier="0.05" offset="0.01"/>
  </joint>
  <gazebo reference="arm"/>
</robot>
)";

std::string faultOf(const std::string& urdf) {
  const Result<assets::LoadedRobot> loaded = assets::loadUrdf(writeFile("robot.urdf", urdf));
  return loaded ? "" : loaded.error().message();
}

std::string varied(const std::string& from, const std::string& to, const std::string& text = kRobot) {
  return testing::varied(from, to, text);
}

TEST(LoadUrdf, ReadsJointsInertiaShapesAndColours) {
  const Result<assets::LoadedRobot> loaded = assets::loadUrdf(writeFile("robot.urdf", kRobot));
  ASSERT_TRUE(loaded) << loaded.error().message();
  const RobotDescription& robot = loaded->robot;
  ASSERT_EQ(robot.links.size(), 3u);
  const LinkSpec& arm = robot.links[1];
  EXPECT_DOUBLE_EQ(arm.mass, 2);
  EXPECT_NEAR(arm.inertia(0, 0), 0.03, 1e-12) << "the inertial frame is turned by 90 degrees";
  EXPECT_NEAR(arm.inertia(1, 1), 0.02, 1e-12);
  ASSERT_TRUE(std::holds_alternative<shape::Capsule>(arm.collisions.at(0).shape));
  EXPECT_DOUBLE_EQ(std::get<shape::Capsule>(arm.collisions[0].shape).length, 0.2);
  EXPECT_NEAR(static_cast<double>(arm.visuals.at(0).color[1]), std::pow((0.5 + 0.055) / 1.055, 2.4), 1e-5);
  const JointSpec &swing = robot.joints.at(0), &slide = robot.joints.at(1);
  EXPECT_EQ(swing.type, multibody::JointType::Revolute);
  EXPECT_DOUBLE_EQ(swing.upper, 2);
  EXPECT_EQ(swing.effortLimit, 30);
  EXPECT_DOUBLE_EQ(swing.damping, 0.5);
  EXPECT_DOUBLE_EQ(swing.dryFriction, 0.1);
  EXPECT_EQ(slide.mimic, "swing");
  EXPECT_DOUBLE_EQ(slide.mimicRatio, 0.05);
  EXPECT_FALSE(slide.effortLimit.isBounded()) << "0 means that no limit was given";
}

TEST(LoadUrdf, SaysWhatItDidNotUse) {
  const Result<assets::LoadedRobot> loaded = assets::loadUrdf(writeFile("robot.urdf", kRobot));
  ASSERT_TRUE(loaded);
  const auto mentions = [&](const std::string& text) {
    return std::any_of(loaded->notices.begin(), loaded->notices.end(), [&](const Notice& n) {
      return n.what.find(text) != std::string::npos && n.where.find(':') != std::string::npos;
    });
  };
  EXPECT_TRUE(mentions("<gazebo>"));
  EXPECT_TRUE(mentions("effort limit"));
}

TEST(LoadUrdf, BrokenXmlNamesTheLine) {
  expectFault(faultOf(varied("<link name=\"base\"/>", "<link name=\"base\">")),
              {"robot.urdf:", "not well-formed XML"});
  expectFault(faultOf(kRobot.substr(0, 700)), {"robot.urdf:", "not well-formed XML"});
  expectFault(faultOf(""), {"robot.urdf"});
  expectFault(faultOf("<sdf/>"), {"no <robot> element"});
}

TEST(LoadUrdf, NumbersThatAreNoNumbersNameLineAndLink) {
  expectFault(faultOf(varied("<mass value=\"2\"", "<mass value=\"nan\"")),
              {"robot.urdf:6", "link 'arm'", "not a finite number"});
  expectFault(faultOf(varied("<mass value=\"2\"", "<mass value=\"2kg\"")),
              {"robot.urdf:6", "link 'arm'", "2kg"});
  expectFault(faultOf(varied("<mass value=\"2\"", "<mass value=\"-2\"")), {"link 'arm'", "negative"});
  expectFault(faultOf(varied("xyz=\"0 0 1\"", "xyz=\"0 0\"")),
              {"robot.urdf:13", "joint 'swing'", "3 numbers"});
  expectFault(faultOf(varied("radius=\"0.02\"", "radius=\"-1\"")), {"link 'arm'", "not positive"});
  expectFault(faultOf(varied("xyz=\"0 2 0\"", "xyz=\"0 0 0\"")), {"joint 'swing'", "axis is zero"});
}

TEST(LoadUrdf, MessagesStayOnOneLineWhateverTheFileContains) {
  expectFault(faultOf(varied("<mass value=\"2\"", "<mass value=\"2\n3\"")), {"link 'arm'", "2 3"});
  expectFault(faultOf(varied("<link name=\"base\"/>", "<link name=\"ba\nse\"/>")), {"ba se", "line breaks"});
  expectFault(faultOf(varied("<link name=\"base\"/>", "<link name=\"" + std::string(201, 'b') + "\"/>")),
              {"link 'bbb", "longer than 200 bytes"});
}

TEST(LoadUrdf, AMomentAboveTheSumOfTheOthersIsLoweredToIt) {
  const Result<assets::LoadedRobot> loaded =
      assets::loadUrdf(writeFile("breach.urdf", varied("ixx=\"0.02\"", "ixx=\"0.05\"")));
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_NEAR(loaded->robot.links[1].inertia.maxCoeff(), 0.03 + 0.01001, 1e-12);
  EXPECT_TRUE(std::any_of(loaded->notices.begin(), loaded->notices.end(),
                          [](const Notice& n) { return n.what.find("lowered") != std::string::npos; }));
}

TEST(LoadUrdf, TreeFaultsAreNamed) {
  // base → arm → finger and finger → base: every link has a parent.
  const std::string loop = varied("  <gazebo",
                                  "  <joint name=\"back\" type=\"fixed\"><parent link=\"finger\"/><child "
                                  "link=\"base\"/></joint>\n  <gazebo");
  expectFault(faultOf(loop), {"cycle", "base", "finger"});
  expectFault(faultOf(varied("<child link=\"finger\"/>", "<child link=\"arm\"/>")), {"'arm' already hangs"});
  expectFault(faultOf(varied("<child link=\"finger\"/>", "<child link=\"fingre\"/>")),
              {"robot.urdf:17", "did you mean 'finger'?"});
  expectFault(faultOf(varied("<link name=\"base\"/>", "<link name=\"arm\"/>")), {"already taken", "line 4"});
  expectFault(faultOf(varied("name=\"slide\"", "name=\"swing\"")), {"already taken"});
  expectFault(faultOf(varied("type=\"prismatic\"", "type=\"prismatik\"")), {"did you mean 'prismatic'?"});
}

TEST(LoadUrdf, HostileFilesEndInAnErrorSoon) {
  std::string laughs = "<!DOCTYPE r [<!ENTITY a \"ha\">";
  for (char c = 'b'; c < 'z'; ++c) {
    laughs += std::string("<!ENTITY ") + c + " \"";
    for (int i = 0; i < 10; ++i) laughs += std::string("&") + static_cast<char>(c - 1) + ";";
    laughs += "\">";
  }
  expectFault(faultOf(laughs + "]><robot name=\"&y;\"><link name=\"a\"/></robot>"), {"entities"});
  std::string deep = "<robot name=\"d\">";
  for (int i = 0; i < 100000; ++i) deep += "<link>";
  expectFault(faultOf(deep), {"robot.urdf", "98 deep"});
  std::string many = "<robot name=\"m\">";
  for (int i = 0; i < 400'001; ++i) many += "<a/>";
  expectFault(faultOf(many + "</robot>"), {"400000 elements"});
  expectFault(faultOf("<robot name=\"l\"><!--" + std::string(4 << 20, 'x') + "--></robot>"),
              {"larger than 4 MiB"});
  std::string wide = "<robot name=\"w\">";
  for (int i = 0; i < 20000; ++i) wide += "<link name=\"l" + std::to_string(i) + "\"/>";
  expectFault(faultOf(wide + "</robot>"), {"more than 10,000 links"});
  expectFault(assets::loadUrdf("/nonexistent.urdf").error().message(), {"does not exist"});
}

TEST(LoadUrdf, AChainAsLongAsMayBeOpens) {
  std::string chain = "<robot name=\"c\"><link name=\"l0\"/>";
  for (int i = 1; i < 10'000; ++i) {
    const std::string above = "l" + std::to_string(i - 1), link = "l" + std::to_string(i);
    chain += "<link name=\"" + link + "\"/><joint name=\"j" + link + "\" type=\"fixed\"><parent link=\"" +
             above + "\"/><child link=\"" + link + "\"/></joint>";
  }
  const auto loaded = assets::loadModel(writeFile("chain.urdf", chain + "</robot>").string());
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->model->tree.bodies.size(), 10'001u) << "with the world";
}

TEST(LoadUrdf, MoreShapesToTouchThanMayBeAreRefusedBeforeEveryTwoOfThemAreLookedAt) {
  std::string robot = "<robot name=\"r\"><link name=\"l\">";
  for (int i = 0; i < 60'000; ++i)
    robot += "<collision><geometry><sphere radius=\"1\"/></geometry></collision>";
  expectFault(assets::loadModel(writeFile("r.urdf", robot + "</link></robot>").string()).error().message(),
              {"r.urdf", "60000 collision shapes, more than 3000"});
}

TEST(LoadUrdf, MissingMeshLeavesAPlaceholderToSeeAndNothingToTouch) {
  const std::string text =
      varied("<capsule radius=\"0.02\" length=\"0.2\"/>", "<mesh filename=\"package://nowhere/part.stl\"/>");
  const Result<assets::LoadedRobot> loaded = assets::loadUrdf(writeFile("robot.urdf", text));
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_TRUE(std::holds_alternative<shape::Box>(loaded->robot.links[1].visuals.at(0).shape));
  EXPECT_TRUE(std::any_of(loaded->notices.begin(), loaded->notices.end(), [](const Notice& n) {
    return n.what.find("part.stl") != std::string::npos && n.what.find("tried") != std::string::npos;
  }));
}

TEST(LoadUrdf, FindsPackagesByThePackagePathAndByTheManifest) {
  const fs::path part = writeFile("part.stl",
                                  "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 "
                                  "0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n");
  writeFile("package.xml", "<package><name>my_parts</name></package>");
  const std::string text = varied("<capsule radius=\"0.02\" length=\"0.2\"/>",
                                  "<mesh filename=\"package://my_parts/part.stl\" scale=\"2 2 2\"/>");
  const fs::path far = fs::path(::testing::TempDir()) / "slipstick_far.urdf";
  std::ofstream(far) << text;
  for (const auto& [file, paths] : std::map<fs::path, std::vector<fs::path>>{
           {writeFile("robot.urdf", text), {}}, {far, {part.parent_path()}}}) {
    const Result<assets::LoadedRobot> loaded = assets::loadUrdf(file, paths);
    ASSERT_TRUE(loaded) << loaded.error().message();
    const auto* mesh = std::get_if<shape::Mesh>(&loaded->robot.links[1].visuals.at(0).shape);
    ASSERT_TRUE(mesh) << file;
    double reach = 0;
    for (const Vec3& v : mesh->mesh->vertices) reach = std::max(reach, v.norm());
    EXPECT_NEAR(reach, 2, 1e-6);
  }
}

TEST(LoadMesh, BrokenMeshesAreErrors) {
  expectFault(assets::loadMesh("/nonexistent.obj").error().message(), {"does not exist"});
  expectFault(assets::loadMesh(writeFile("empty.obj", "# nothing\n")).error().message(), {"empty.obj"});
  expectFault(assets::loadMesh(writeFile("noise.stl", std::string(500, '\xff'))).error().message(),
              {"noise.stl"});
  expectFault(
      assets::loadMesh(writeFile("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")).error().message(),
      {"nan.obj"});
}

TEST(LoadMesh, MirroredScaleKeepsTrianglesFacingOutwards) {
  const fs::path file =
      writeFile("tet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  for (const Vec3& scale : {Vec3(1, 1, 1), Vec3(-1, 1, 1), Vec3(-2, -1, -1)}) {
    const Result<assets::LoadedMesh> mesh = assets::loadMesh(file, scale);
    ASSERT_TRUE(mesh) << mesh.error().message();
    double volume = 0;
    for (const Eigen::Vector3i& t : mesh->mesh->triangles) {
      const auto at = [&](int i) { return mesh->mesh->vertices[static_cast<std::size_t>(t[i])]; };
      volume += at(0).dot(at(1).cross(at(2))) / 6;
    }
    EXPECT_NEAR(volume, std::abs(scale.prod()) / 6, 1e-6);
  }
}

/// A triangle. @param materials  the file's list; the triangle has the first, or none of an empty list
fs::path gltfTriangle(const std::string& name, const std::string& materials) {
  const std::string used = materials.empty() ? "" : R"(, "material": 0)";
  return writeFile(name, R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
  "nodes": [{"mesh": 0}], "materials": [)" +
                             materials +
                             R"(],
  "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1)" +
                             used + R"(}]}],
  "buffers": [{"byteLength": 42, "uri":
    "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA"}],
  "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
  "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                 "min": [0, 0, 0], "max": [1, 1, 0]},
                {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}]})");
}

TEST(LoadMesh, AMaterialsRoughnessAndMetalAreThoseOfItsVertices) {
  const auto finishes = [](const fs::path& file) {
    const Result<assets::LoadedMesh> mesh = assets::loadMesh(file);
    EXPECT_TRUE(mesh) << mesh.error().message();
    return mesh ? mesh->mesh->finishes : std::vector<Finish>{};
  };
  const std::vector<Finish> steel = finishes(gltfTriangle(
      "steel.gltf",
      R"({"name": "steel", "pbrMetallicRoughness": {"roughnessFactor": 0.25, "metallicFactor": 0.75}})"));
  ASSERT_EQ(steel.size(), 3u);
  for (const Finish& finish : steel) {
    EXPECT_EQ(finish.roughness, 0.25f);
    EXPECT_EQ(finish.metallic, 0.75f);
  }
  EXPECT_TRUE(finishes(gltfTriangle("plain.gltf", "")).empty());
  EXPECT_TRUE(finishes(writeFile("plain.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")).empty());
}

TEST(LoadUrdf, SaysOnceWhatWasMadeOfTheUnitsOfMeshesThatAgree) {
  gltfTriangle("a.gltf", "");
  gltfTriangle("b.gltf", "");
  const auto visual = [](const std::string& file, const std::string& scale) {
    return "<visual><geometry><mesh filename=\"" + file + "\" scale=\"" + scale + "\"/></geometry></visual>";
  };
  const auto remarks = [&](const std::string& visuals) {
    const Result<assets::LoadedRobot> loaded = assets::loadUrdf(
        writeFile("robot.urdf", "<robot name=\"r\"><link name=\"l\">" + visuals + "</link></robot>"));
    EXPECT_TRUE(loaded) << loaded.error().message();
    std::vector<std::string> found;
    for (const Notice& notice : loaded ? loaded->notices : std::vector<Notice>())
      if (notice.what.find("became z") != std::string::npos)
        found.push_back(fs::path(notice.where).filename().string() + ": " + notice.what);
    return found;
  };
  const std::string large = visual("a.gltf", "2 2 2"), small = visual("b.gltf", "1 1 1");
  const std::string size = "it is 2 x 0 x 2 m large", rule = "the y axis, which is up in glTF, became z";
  ASSERT_EQ(remarks(large).size(), 1u);
  EXPECT_EQ(remarks(large)[0].find("a.gltf: " + size + ": "), 0u) << remarks(large)[0];
  const std::vector<std::string> both = remarks(small + large);
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].find("a.gltf: " + size + ", and the largest of 2 meshes: "), 0u) << both[0];
  EXPECT_NE(both[0].find(rule), std::string::npos) << both[0];
}

TEST(LoadMesh, CollisionMeshSharesVerticesAtTheSamePlace) {
  const fs::path file = writeFile(
      "quad.stl",
      "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
      "facet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid "
      "s\n");
  const Result<assets::LoadedMesh> mesh = assets::loadMesh(file);
  ASSERT_TRUE(mesh) << mesh.error().message();
  EXPECT_EQ(assets::collisionMesh(*mesh->mesh)->vertices.size(), 4u);
}

TEST(LoadUrdf, DrakeTagsBecomeContactFrictionAndShapes) {
  std::string text = varied(
      "<collision name=\"tube\"><origin xyz=\"0 0 0.1\"/><geometry><capsule radius=\"0.02\" "
      "length=\"0.2\"/></geometry>",
      "<collision name=\"tube\"><geometry><drake:capsule radius=\"0.02\" length=\"0.2\"/></geometry>"
      "<drake:proximity_properties><drake:compliant_hydroelastic/><drake:hydroelastic_modulus value=\"2e6\"/>"
      "<drake:mesh_resolution_hint value=\"0.1\"/><drake:hunt_crossley_dissipation value=\"1.5\"/>"
      "<drake:mu_static value=\"0.9\"/><drake:mu_dynamic value=\"0.7\"/><drake:relaxation_time "
      "value=\"0.1\"/>"
      "</drake:proximity_properties></collision><collision>"
      "<geometry><drake:ellipsoid a=\"0.1\" b=\"0.2\" c=\"0.3\"/></geometry><drake:proximity_properties>"
      "<drake:point_contact_stiffness value=\"3e4\"/></drake:proximity_properties></collision><collision>"
      "<geometry><box size=\"1 1 "
      "1\"/></geometry><drake:proximity_properties><drake:rigid_hydroelastic/></drake:proximity_properties>");
  const Result<assets::LoadedRobot> loaded = assets::loadUrdf(writeFile("robot.urdf", text));
  ASSERT_TRUE(loaded) << loaded.error().message();
  const std::vector<LinkGeometry>& shapes = loaded->robot.links[1].collisions;
  ASSERT_EQ(shapes.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<shape::Capsule>(shapes[0].shape));
  EXPECT_EQ(shapes[0].contact.rigid.representation.value(), ContactRepresentation::Compliant);
  EXPECT_DOUBLE_EQ(shapes[0].contact.rigid.modulus.value(), 2e6);
  EXPECT_DOUBLE_EQ(shapes[0].contact.rigid.dissipation.value(), 1.5);
  EXPECT_DOUBLE_EQ(shapes[0].contact.friction.value(), 0.7);
  ASSERT_TRUE(std::holds_alternative<shape::Ellipsoid>(shapes[1].shape));
  EXPECT_EQ(std::get<shape::Ellipsoid>(shapes[1].shape).radii, Vec3(0.1, 0.2, 0.3));
  EXPECT_EQ(shapes[1].contact.rigid.representation.value(), ContactRepresentation::Point);
  EXPECT_DOUBLE_EQ(shapes[1].contact.rigid.stiffness.value(), 3e4);
  EXPECT_FALSE(shapes[1].contact.friction.has_value());
  EXPECT_EQ(shapes[2].contact.rigid.representation.value(), ContactRepresentation::Rigid);
  for (const char* said : {"mesh_resolution_hint", "relaxation_time", "mu_static differs"})
    EXPECT_TRUE(std::any_of(loaded->notices.begin(), loaded->notices.end(), [&](const Notice& n) {
      return n.what.find(said) != std::string::npos;
    })) << said;
  expectFault(faultOf(varied("value=\"2e6\"", "value=\"-1\"", text)),
              {"hydroelastic_modulus", "link 'arm'", "greater than 0"});
  expectFault(faultOf(varied("a=\"0.1\"", "a=\"-1\"", text)), {"'a' of <ellipsoid>", "not positive"});
}

TEST(LoadUrdf, DrakeJointsAreBallsAndPlanes) {
  const std::string text = R"(<robot name="r"><link name="a"/>
    <link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
    <link name="c"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
    <drake:joint name="ball" type="ball"><parent link="a"/><child link="b"/></drake:joint>
    <drake:joint name="slab" type="planar"><parent link="b"/><child link="c"/><dynamics damping="1 1 2"/></drake:joint>
    <drake:linear_bushing_rpy/></robot>)";
  const Result<assets::LoadedRobot> loaded = assets::loadUrdf(writeFile("robot.urdf", text));
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->robot.joints[0].type, multibody::JointType::Ball);
  EXPECT_EQ(loaded->robot.joints[1].type, multibody::JointType::Planar);
  EXPECT_LT((loaded->robot.joints[1].X_PJ.R - Mat3::Identity()).norm(), 1e-15) << "the plane is xy";
  EXPECT_DOUBLE_EQ(loaded->robot.joints[1].damping, 1);
  const auto warned = [&](const std::string& text_) {
    return std::any_of(loaded->notices.begin(), loaded->notices.end(), [&](const Notice& n) {
      return n.level == Notice::Level::Warning && n.what.find(text_) != std::string::npos;
    });
  };
  EXPECT_TRUE(warned("dampings differ"));
  EXPECT_TRUE(warned("linear_bushing_rpy"));
  expectFault(faultOf(varied("type=\"ball\"", "type=\"universal\"", text)),
              {"robot.urdf:4", "universal", "two revolute joints"});
}

TEST(LoadUrdf, FilterGroupsExcludePairsOfLinks) {
  const std::string groups =
      R"(<drake:collision_filter_group name="low"><drake:member link="base"/><drake:member link="arm"/>
    <drake:ignored_collision_filter_group name="high"/><drake:ignored_collision_filter_group name="low"/></drake:collision_filter_group>
    <drake:collision_filter_group name="high"><drake:member link="finger"/><drake:member link="fingr"/></drake:collision_filter_group>)";
  const Result<assets::LoadedRobot> loaded =
      assets::loadUrdf(writeFile("robot.urdf", varied("<gazebo reference=\"arm\"/>", groups)));
  ASSERT_TRUE(loaded) << loaded.error().message();
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"arm", "base"}, {"arm", "finger"}, {"base", "finger"}};
  EXPECT_EQ(loaded->robot.excludedLinks, expected);
  EXPECT_TRUE(std::any_of(loaded->notices.begin(), loaded->notices.end(), [](const Notice& n) {
    return n.what.find("'fingr'") != std::string::npos && n.what.find("finger") != std::string::npos;
  }));
}

TEST(LoadUrdf, ExcludedLinksDoNotMeetInTheModel) {
  std::string chain = "<robot name='c'>";
  for (const std::string name : {"a", "b", "c"})
    chain +=
        "<link name='" + name +
        "'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
        "<collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>";
  for (const std::string name : {"ab", "bc"})
    chain += "<joint name='" + name + "' type='continuous'><origin xyz='1 0 0'/><parent link='" +
             name.substr(0, 1) + "'/><child link='" + name.substr(1) + "'/></joint>";
  const auto meet = [&](const std::string& groups) {
    const Result<assets::LoadedModel> loaded =
        assets::loadModel(writeFile("chain.urdf", chain + groups + "</robot>").string());
    if (!loaded) ADD_FAILURE() << loaded.error().message();
    return loaded && loaded->model->rigidPairLaw(0, 2).enabled;
  };
  EXPECT_TRUE(meet(""));
  EXPECT_FALSE(
      meet("<drake:collision_filter_group name='g'><drake:member link='a'/><drake:member link='c'/>"
           "<drake:ignored_collision_filter_group name='g'/></drake:collision_filter_group>"));
}

TEST(LoadUrdf, XacroFilesSayHowToExpandThem) {
  expectFault(faultOf(varied("<gazebo reference=\"arm\"/>", "<xacro:arm/>")),
              {"robot.urdf:20", "xacro file", "--xacro", "run 'xacro"});
  expectFault(testing::loadRobot(writeFile("a.urdf.xacro", kRobot)).error().message(),
              {"run 'xacro a.urdf.xacro"});
}

/// A program called xacro, first on the path as long as it exists.
class FakeXacro {
 public:
  explicit FakeXacro(const std::string& script) : path_(std::getenv("PATH")) {
    const fs::path program = writeFile("xacro", "#!/bin/sh\n" + script);
    fs::permissions(program, fs::perms::owner_all);
    ::setenv("PATH", (program.parent_path().string() + ":" + path_).c_str(), 1);
  }
  ~FakeXacro() { ::setenv("PATH", path_.c_str(), 1); }
  FakeXacro(const FakeXacro&) = delete;
  FakeXacro& operator=(const FakeXacro&) = delete;

 private:
  std::string path_;
};

TEST(Xacro, RunsOnlyWhereAPersonAllowsIt) {
  const fs::path mark = writeFile("mark", "").parent_path() / "has_run";
  fs::remove(mark);
  const FakeXacro program("touch " + mark.string() + "\nsed 's/WEIGHT/7/' \"$1\"\n");
  const fs::path file = writeFile("a.urdf.xacro", varied("<mass value=\"2\"", "<mass value=\"WEIGHT\""));
  EXPECT_FALSE(assets::loadScene(file.string()));
  EXPECT_FALSE(fs::exists(mark));
  const Result<assets::LoadedScene> loaded =
      assets::loadScene(file.string(), {.overrides = {}, .packagePaths = {}, .mayRunXacro = true});
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->scene.robots.at(0).description.links.at(1).mass, 7);
  EXPECT_FALSE(assets::loadScene(file.string())) << "the permission was for one load";
}

TEST(Xacro, WhatItSaysIsSaid) {
  const auto fault = [](const std::string& script) {
    const FakeXacro program(script);
    const Result<assets::LoadedScene> loaded = assets::loadScene(
        writeFile("a.xacro", kRobot).string(), {.overrides = {}, .packagePaths = {}, .mayRunXacro = true});
    return loaded ? "" : loaded.error().message();
  };
  expectFault(fault("echo 'no such property: width' >&2\nexit 1\n"), {"a.xacro", "no such property: width"});
  expectFault(fault("head -c 5000000 /dev/zero\n"), {"4 MiB"});
  expectFault(fault("kill -SEGV $$\n"), {"xacro cannot expand it"});
}

TEST(RobotInScene, KeysOfTheSceneGoOverThoseOfTheFile) {
  const fs::path file = writeFile(
      "robot.urdf",
      varied("</collision>",
             "<drake:proximity_properties><drake:mu_dynamic value=\"0.9\"/>"
             "<drake:hydroelastic_modulus value=\"1e5\"/></drake:proximity_properties></collision>"));
  const Result<assets::LoadedScene> loaded =
      testing::parsed("robots: {r: {urdf: " + file.string() + ", contact: {friction: 0.2}}}\n");
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Result<CompiledScene> compiled = compile(loaded->scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  const Laws laws = lawsOf(*compiled->model, compiled->model->tuning);
  EXPECT_DOUBLE_EQ(laws.friction.at(0), 0.2);
  EXPECT_DOUBLE_EQ(laws.surfaces.at(0).modulus, 1e5);
  expectFault(testing::faultOf("robots: {r: {base: free}}\n"), {"one file", "sdf: FILE"});
  expectFault(testing::faultOf("robots: {r: {sdf: " + file.string() + "}}\n"),
              {"no <sdf> element", "URDF file"});
}

TEST(LoadUrdf, ReadsPointsUnderACommaLocale) {
  const testing::CommaLocale comma;
  const Result<assets::LoadedRobot> loaded = assets::loadUrdf(writeFile("robot.urdf", kRobot));
  ASSERT_TRUE(loaded) << loaded.error().message();
  const LinkSpec& arm = loaded->robot.links.at(1);
  const JointSpec &swing = loaded->robot.joints.at(0), &slide = loaded->robot.joints.at(1);
  EXPECT_EQ(arm.inertia(2, 2), 0.01001);
  EXPECT_EQ(arm.com.z(), 0.1);
  EXPECT_EQ(std::get<shape::Capsule>(arm.collisions.at(0).shape).radius, 0.02);
  EXPECT_EQ(swing.damping, 0.5);
  EXPECT_EQ(slide.upper, 0.1);
  EXPECT_EQ(slide.mimicRatio, 0.05);
  const auto mended = assets::loadUrdf(writeFile("comma.urdf", varied("radius=\"0.02\"", "radius=\"0,02\"")));
  ASSERT_TRUE(mended) << mended.error().message();
  EXPECT_EQ(std::get<shape::Capsule>(mended->robot.links.at(1).collisions.at(0).shape).radius, 0.02);
  EXPECT_NE(mended->notices.front().what.find("'0,02': its commas are taken as decimal points"),
            std::string::npos)
      << mended->notices.front().what;
}

}  // namespace
}  // namespace slipstick
