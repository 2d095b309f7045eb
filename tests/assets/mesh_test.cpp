#include "assets/mesh_io.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "assets/file_log.h"
#include "assets/limits.h"
#include "assets/mesh_cache.h"
#include "assets/mesh_formats.h"
#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using testing::expectFault;
using ::testing::HasSubstr;
using testing::writeFile;

const std::string kTriangleObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
const std::string kTwoParts =
    "o left\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no right\nv 4 0 2\nv 6 0 2\nv 4 1 2\nf 4 5 6\n";

/// An empty folder of its own.
fs::path emptyFolder(const std::string& name) {
  const fs::path folder = fs::path(::testing::TempDir()) / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

fs::path write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

std::string dae(const std::string& asset) {
  return R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>)" +
         asset + R"(</asset><library_geometries><geometry id="g" name="plate"><mesh><source id="p">
<float_array id="pa" count="9">0 0 0 100 0 0 0 200 0</float_array><technique_common><accessor source="#pa" count="3" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node id="n" name="blade">
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

std::string faultOf(const fs::path& file) {
  const Result<assets::LoadedMesh> mesh = assets::loadMesh(file);
  return mesh ? "" : mesh.error().message();
}

Vec3 sizeOf(const TriangleMesh& mesh) {
  Vec3 lower = mesh.vertices.front(), upper = lower;
  for (const Vec3& v : mesh.vertices) lower = lower.cwiseMin(v), upper = upper.cwiseMax(v);
  return upper - lower;
}

// ------------------------------------------------------------------------------------------------- formats

TEST(MeshFormats, AreWhatBothNameAndContentSay) {
  const auto formatOf = [](const std::string& name, const std::string& content) {
    const auto format = assets::formatOf(name, content, content.size());
    return format ? std::string(assets::nameOf(*format)) : "";
  };
  std::string binary(84 + 50, '\1');
  const std::uint32_t one = 1;
  std::memcpy(binary.data() + 80, &one, sizeof one);
  EXPECT_EQ(formatOf("a.STL", binary), "STL");
  EXPECT_EQ(formatOf("a.stl", "solid s\nendsolid s\n"), "STL");
  EXPECT_EQ(formatOf("a.obj", kTriangleObj), "OBJ");
  EXPECT_EQ(formatOf("a.dae", dae("")), "DAE");
  EXPECT_EQ(formatOf("a.gltf", "\n {\"asset\": {}}"), "glTF");
  EXPECT_EQ(formatOf("a.glb", "glTF\2"), "GLB");
  EXPECT_EQ(formatOf("a.ply", "ply\r\nformat ascii 1.0\n"), "PLY");
  EXPECT_EQ(formatOf("a.off", "COFF\n3 1 0\n"), "OFF");
  binary.pop_back();
  EXPECT_EQ(formatOf("a.stl", binary), "") << "its last triangle is cut off";
  EXPECT_EQ(formatOf("a.fbx", "Kaydara FBX Binary"), "");
}

TEST(LoadMesh, WhatIsNotWhatItsNameSaysIsRefusedByWhatItIs) {
  expectFault(faultOf(writeFile("robe.stl", "ply\nformat ascii 1.0\n")),
              {"robe.stl", "STL", "begins as PLY"});
  expectFault(faultOf(writeFile("robe.obj", "solid s\nfacet\n")), {"OBJ", "begins as STL"});
  expectFault(faultOf(writeFile("robe.ply", kTriangleObj)), {"PLY", "does not begin as one"});
  expectFault(faultOf(writeFile("robe.blend", "BLENDER")), {"not read", "export it as STL"});
  expectFault(faultOf(writeFile("old.gltf", R"({"asset": {"version": "1.0"}})")),
              {"version: 1.0", "glTF 2.0"});
}

// ------------------------------------------------------------------------------------------------- parts

TEST(LoadMesh, ASubmeshIsTheOneOfItsNameAndMayBeCentred) {
  const fs::path file = writeFile("parts.obj", kTwoParts);
  const auto right = assets::loadMesh({.file = file, .submesh = "right"});
  ASSERT_TRUE(right) << right.error().message();
  ASSERT_EQ(right->mesh->triangles.size(), 1u);
  EXPECT_EQ(right->mesh->vertices.front(), Vec3(4, 0, 2));
  const auto centred =
      assets::loadMesh({.file = file, .scale = Vec3::Constant(0.5), .submesh = "right", .center = true});
  ASSERT_TRUE(centred) << centred.error().message();
  EXPECT_EQ(centred->mesh->vertices.front(), Vec3(-0.5, -0.25, 0));
  EXPECT_EQ(assets::loadMesh(file)->mesh->triangles.size(), 2u);
  const auto typo = assets::loadMesh({.file = file, .submesh = "rigth"});
  ASSERT_FALSE(typo);
  EXPECT_EQ(typo.error().code, ErrorCode::UnknownName);
  expectFault(typo.error().message(), {"rigth", "did you mean 'right'"});
}

TEST(LoadMesh, ASubmeshOfDaeHasTheNameOfItsNodeOrOfItsGeometry) {
  const fs::path file = writeFile("plate.dae", dae(""));
  for (const char* name : {"blade", "plate"}) {
    const auto part = assets::loadMesh({.file = file, .submesh = name});
    EXPECT_TRUE(part) << part.error().message();
  }
}

// ------------------------------------------------------------------------------------------ unit and axes

std::string infoOf(const fs::path& file) {
  const Result<assets::LoadedMesh> mesh = assets::loadMesh(file);
  EXPECT_TRUE(mesh) << mesh.error().message();
  std::vector<Notice> notices;
  if (mesh) assets::noteConventions(file, *mesh, notices);
  return notices.empty() ? "" : notices.front().what;
}

TEST(LoadMesh, TheUnitOfDaeCountsItsAxisDoesNotAndBothAreSaid) {
  const fs::path file =
      writeFile("cm.dae", dae(R"(<unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis>)"));
  const Result<assets::LoadedMesh> mesh = assets::loadMesh(file);
  ASSERT_TRUE(mesh) << mesh.error().message();
  EXPECT_TRUE(sizeOf(*mesh->mesh).isApprox(Vec3(1, 2, 0), 1e-6)) << sizeOf(*mesh->mesh).transpose();
  EXPECT_THAT(infoOf(file), HasSubstr("1 x 2 x 0 m"));
  EXPECT_THAT(infoOf(file), HasSubstr("0.01 m (centimeter)"));
  EXPECT_THAT(infoOf(file), HasSubstr("Y its upper axis"));
  EXPECT_EQ(infoOf(writeFile("plain.obj", kTriangleObj)), "") << "OBJ says nothing of units";
}

// ------------------------------------------------------------------------------------- what Assimp trusts

/// Of the plate: how its one accessor counts.
std::string daeWith(const std::string& accessor, int arrayCount = 9) {
  std::string text = dae("");
  const auto put = [&](const std::string& old, const std::string& with) {
    text.replace(text.find(old), old.size(), with);
  };
  put(R"(source="#pa" count="3" stride="3")", accessor);
  put(R"(count="9")", "count=\"" + std::to_string(arrayCount) + "\"");
  return text;
}

TEST(LoadMesh, AnAccessorOfDaeGivesNothingFromBeyondItsArray) {
  const auto faultWith = [](const std::string& accessor, int arrayCount = 9) {
    return faultOf(writeFile("accessor.dae", daeWith(accessor, arrayCount)));
  };
  EXPECT_EQ(faultWith(R"(source="#pa" count="3" stride="3")"), "");
  EXPECT_EQ(faultWith(R"(source="#pa" count="3" stride="2" offset="2")"), "") << "ends with the array";
  EXPECT_EQ(faultWith(R"(source="#pa" count="3")"), "") << "a stride of 1";
  EXPECT_EQ(faultWith(R"(source="#pa" count="5000" stride="3")"), "") << "counts further than any index goes";
  EXPECT_EQ(faultWith(R"(source="#pa" count="2147483647" stride="0" offset="6")"), "");
  for (const char* beyond :
       {R"(source="#pa" count="3" stride="8")", R"(source="#pa" count="3" stride="3" offset="1")",
        R"(source="#pa" count="3" stride="0" offset="7")", R"(source="#pa" count="3" offset="9")",
        R"(source="#pa" count="2147483647" stride="2147483647")", R"(source="#pb" count="3" stride="3")"})
    expectFault(faultWith(beyond), {"accessor.dae", "cannot be read", "export it again"});
  expectFault(faultWith(R"(source="#pa" count="-1" stride="3")"),
              {"accessor.dae:2", "<accessor>", "count=\"-1\"", "whole number"});
  expectFault(faultWith(R"(source="#pa" count="3" stride="0x8")"), {"stride=\"0x8\""});
  expectFault(faultWith(R"(source="#pa" count="3" stride="3")", -9), {"<float_array>", "count=\"-9\""});
  std::string open = dae("");
  expectFault(faultOf(writeFile("accessor.dae", open.erase(open.rfind("</COLLADA>")))),
              {"accessor.dae", "not well-formed XML"});
}

/// Assimp checks no index of skins and animations; a mesh needs neither.
TEST(LoadMesh, ASkinOfDaeStandsAsTheGeometryThatItMoves) {
  std::string text = dae("");
  const auto put = [&](const std::string& old, const std::string& with) {
    text.replace(text.find(old), old.size(), with);
  };
  put("<library_visual_scenes>", R"(<library_animations><animation><source id="t"><technique_common>
<accessor source="#none" count="9"/></technique_common></source></animation></library_animations>
<library_controllers><controller id="c"><skin source="#mo"><vertex_weights count="1"><vcount>1</vcount><v>7 7</v></vertex_weights></skin></controller>
<controller id="mo"><morph source="#g"/></controller></library_controllers><library_visual_scenes>)");
  put(R"(<instance_geometry url="#g"/>)", R"(<instance_controller url="#c"/>)");
  const auto skin = assets::loadMesh(writeFile("skin.dae", text));
  ASSERT_TRUE(skin) << skin.error().message();
  EXPECT_EQ(skin->mesh->triangles.size(), 1u);
  EXPECT_EQ(skin->mesh->vertices, assets::loadMesh(writeFile("plate.dae", dae("")))->mesh->vertices);
  put("#g\"/></controller>", "#c\"/></controller>");
  expectFault(faultOf(writeFile("ring.dae", text)),
              {"<instance_controller>", "'#c'", "no controller of a geometry"});
  put("url=\"#c\"", "url=\"#x\"");
  expectFault(faultOf(writeFile("ring.dae", text)), {"'#x'"});
}

TEST(LoadMesh, ArraysOfDaeMayHaveOneId) {
  std::string text = dae("");
  const std::size_t begin = text.find("<geometry "), end = text.find("</library_geometries>");
  std::string other = text.substr(begin, end - begin);
  const auto put = [&](const std::string& old, const std::string& with) {
    other.replace(other.find(old), old.size(), with);
  };
  put("id=\"g\"", "id=\"h\"");
  put("count=\"9\">0 0 0 100 0 0 0 200 0", "count=\"12\">0 0 0 0 0 0 0 0 0 0 0 300");
  put("count=\"3\"", "count=\"4\"");
  put("0 1 2", "1 2 3");
  text.insert(text.find("</node>"), R"(<instance_geometry url="#h"/>)");
  text.insert(end, other);
  const auto both = assets::loadMesh(writeFile("twice.dae", text));
  ASSERT_TRUE(both) << both.error().message();
  EXPECT_EQ(sizeOf(*both->mesh), Vec3(100, 200, 300));
}

TEST(LoadMesh, CamerasOfDaeMayHaveOneName) {
  std::string text = dae("");
  const std::string camera = R"(<node name="eye"><instance_camera url="#e"/></node>)", at = "</visual_scene>";
  text.insert(text.find(at), camera + camera);
  text.insert(text.find("<library_geometries>"),
              R"(<library_cameras><camera id="e" name="eye"><optics><technique_common><perspective>
<xfov>40</xfov><znear>1</znear><zfar>9</zfar></perspective></technique_common></optics></camera></library_cameras>)");
  EXPECT_EQ(faultOf(writeFile("cameras.dae", text)), "");
}

// --------------------------------------------------------------------------------------- what goes between

assets::MeshContent content() {
  assets::MeshContent content;
  content.unit = 0.01;
  content.unitName = "centimetre";
  content.up = 'Y';
  content.materials.resize(2);
  content.materials[1].roughness = 0.25f;
  content.materials[1].maps[0] = {"wood.png", 0, 1, true};
  assets::MeshPart part;
  part.node = "left";
  part.mesh = "plate";
  part.material = 1;
  part.isMirrored = true;
  part.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  part.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  part.colors = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}};
  part.channels = {{1, {{0, 0}, {1, 0}, {0, 1}}}};
  part.triangles = {{0, 1, 2}};
  content.parts = {part};
  content.images = {{true, "bytes\0of it"}};
  content.opened = {"a.mtl"};
  content.missed = {"b.mtl"};
  return content;
}

TEST(MeshContent, ComesBackFromItsBytes) {
  const std::string bytes = assets::encoded(content());
  const Result<assets::MeshContent> back = assets::decoded(bytes);
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(assets::encoded(*back), bytes);
  EXPECT_EQ(back->unit, 0.01);
  EXPECT_EQ(back->up, 'Y');
  EXPECT_EQ(back->materials[1].maps[0].name, "wood.png");
  EXPECT_EQ(back->parts[0].channels[0].uvs[1], Eigen::Vector2f(1, 0));
  EXPECT_EQ(back->parts[0].triangles, content().parts[0].triangles);
  EXPECT_THAT(back->opened, ElementsAre(fs::path("a.mtl")));
  const Result<assets::MeshContent> error =
      assets::decoded(assets::encoded(Error{ErrorCode::SyntaxError, "what", "where", "remedy"}));
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().message(), Error({ErrorCode::SyntaxError, "what", "where", "remedy"}).message());
}

TEST(MeshContent, BytesThatAreCutOrChangedAreErrorsAndNothingElse) {
  const std::string bytes = assets::encoded(content());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(assets::decoded(bytes.substr(0, length))) << length;
  EXPECT_FALSE(assets::decoded(bytes + "x"));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = '\xff';
    const auto read = assets::decoded(changed);  // may succeed: a coordinate is a coordinate
    EXPECT_TRUE(!read || assets::checkContent(*read)) << at;
  }
  assets::MeshContent wild = content();
  wild.parts[0].triangles = {{0, 1, 3}};
  EXPECT_FALSE(assets::decoded(assets::encoded(wild)));
  wild = content();
  wild.parts[0].normals.pop_back();
  EXPECT_FALSE(assets::decoded(assets::encoded(wild)));
  wild = content();
  wild.materials[1].maps[0].held = 1;
  EXPECT_FALSE(assets::decoded(assets::encoded(wild)));
}

// --------------------------------------------------------------------------------------------------- files

TEST(LoadMesh, OnlyItsOwnMaterialsAreReadAndNoted) {
  const fs::path folder = emptyFolder("mesh_files");
  write(folder / "secret.txt", "newmtl red\nKd 1 0 0\n");
  write(folder / "red.mtl", "newmtl red\nKd 1 0 0\n");
  const auto load = [&](const std::string& library) {
    const assets::FileLog log;
    const fs::path file = write(folder / "part.obj", "mtllib " + library + "\nusemtl red\n" + kTriangleObj);
    const Result<assets::LoadedMesh> mesh = assets::loadMesh(file);
    EXPECT_TRUE(mesh) << mesh.error().message();
    return std::pair(*mesh, log.files());
  };
  const auto [red, redFiles] = load("red.mtl");
  EXPECT_THAT(redFiles, ElementsAre(folder / "part.obj", folder / "red.mtl"));
  ASSERT_FALSE(red.mesh->colors.empty());
  EXPECT_EQ(red.mesh->colors[0], Eigen::Vector4f(1, 0, 0, 1));
  const auto [blank, blankFiles] = load("secret.txt");
  EXPECT_THAT(blankFiles, ElementsAre(folder / "part.obj"));
  for (const Eigen::Vector4f& color : blank.mesh->colors) EXPECT_NE(color, Eigen::Vector4f(1, 0, 0, 1));
}

TEST(LoadMesh, AMissingListOfMaterialsIsSaid) {
  const fs::path folder = emptyFolder("mesh_missed");
  const auto mesh =
      assets::loadMesh(write(folder / "part.obj", "mtllib gone.mtl\nusemtl red\n" + kTriangleObj));
  ASSERT_TRUE(mesh) << mesh.error().message();
  ASSERT_FALSE(mesh->notices.empty());
  EXPECT_EQ(mesh->notices[0].level, Notice::Level::Warning);
  EXPECT_THAT(mesh->notices[0].what, HasSubstr("gone.mtl"));
}

// --------------------------------------------------------------------------------------------------- cache

TEST(MeshCache, TheSameBytesAreReadOnceWhereverTheyLie) {
  const fs::path folder = emptyFolder("mesh_cache");
  assets::MeshCache cache(assets::limits::kMiB);
  const auto first = cache.contentOf(write(folder / "a.obj", kTriangleObj));
  const auto again = cache.contentOf(write(folder / "b.obj", kTriangleObj));
  ASSERT_TRUE(first) << first.error().message();
  ASSERT_TRUE(again);
  EXPECT_EQ(*first, *again);
  EXPECT_EQ(cache.reads(), 1u);
  const auto other = cache.contentOf(write(folder / "a.obj", kTwoParts));
  ASSERT_TRUE(other);
  EXPECT_NE(*other, *first);
  EXPECT_EQ(cache.reads(), 2u);
}

TEST(MeshCache, FilesBesideTheMeshCountToo) {
  const fs::path folder = emptyFolder("mesh_beside");
  const fs::path file = write(folder / "a.obj", "mtllib a.mtl\nusemtl paint\n" + kTriangleObj);
  assets::MeshCache cache(assets::limits::kMiB);
  const auto color = [&] { return (*cache.contentOf(file))->materials.back().color; };
  (void)cache.contentOf(file);
  write(folder / "a.mtl", "newmtl paint\nKd 1 0 0\n");  // which was not there before
  EXPECT_EQ(color(), Eigen::Vector4f(1, 0, 0, 1));
  write(folder / "a.mtl", "newmtl paint\nKd 0 1 0\n");
  EXPECT_EQ(color(), Eigen::Vector4f(0, 1, 0, 1));
  EXPECT_EQ(color(), Eigen::Vector4f(0, 1, 0, 1));
  EXPECT_EQ(cache.reads(), 3u);
}

TEST(MeshCache, ForgetsTheOldestBeyondItsBudget) {
  const fs::path folder = emptyFolder("mesh_budget");
  const fs::path a = write(folder / "a.obj", kTriangleObj), b = write(folder / "b.obj", kTwoParts);
  const std::size_t larger =
      (*assets::MeshCache(assets::limits::kMiB).contentOf(b))->bytes() + kTwoParts.size();
  assets::MeshCache cache(larger + 100);  // room for one of them
  (void)cache.contentOf(a);
  (void)cache.contentOf(b);
  (void)cache.contentOf(b);
  EXPECT_EQ(cache.reads(), 2u);
  (void)cache.contentOf(a);
  EXPECT_EQ(cache.reads(), 3u);
}

// -------------------------------------------------------------------------------------------- who reads them

class CountingReader final : public assets::MeshReader {
 public:
  explicit CountingReader(int& reads) : reads_(reads) {}
  Result<assets::MeshContent> read(const fs::path& file, const LoadProgress*) override {
    ++reads_;
    return assets::readMeshContent(file);
  }

 private:
  int& reads_;
};

TEST(MeshReading, OneReaderServesAWholeLoadAndAnotherTheNext) {
  int made = 0, read = 0;
  assets::readMeshesWith([&] {
    ++made;
    return std::make_unique<CountingReader>(read);
  });
  const fs::path folder = emptyFolder("mesh_reading");
  std::string shapes;
  for (const char* name : {"one", "two", "three"}) {
    write(folder / (std::string(name) + ".obj"), "# " + std::string(name) + "\n" + kTriangleObj);
    shapes += "{shape: mesh, file: " + std::string(name) + ".obj, collides: false}, ";
  }
  const fs::path scene = write(folder / "scene.yaml",
                               "bodies: {part: {shapes: [" + shapes + "{shape: sphere, radius: 0.1}]}}\n");
  EXPECT_TRUE(assets::loadScene(scene.string()));
  EXPECT_EQ(made, 1);
  EXPECT_EQ(read, 3);
  EXPECT_TRUE(assets::loadScene(scene.string()));
  EXPECT_EQ(read, 3) << "the bytes are known";
  write(folder / "two.obj", kTwoParts + "# changed\n");
  EXPECT_TRUE(assets::loadScene(scene.string()));
  EXPECT_EQ(read, 4);
  EXPECT_EQ(made, 2);
  assets::readMeshesWith(nullptr);
}

}  // namespace
}  // namespace slipstick
