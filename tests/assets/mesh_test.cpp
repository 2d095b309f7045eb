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

TEST(LoadMesh, CommentsOfAnyLengthStandBeforeDae) {
  const std::string comment =
      "<!-- <unit meter=\"7\"/> <up_axis>X_UP</up_axis> " + std::string(200'000, 'x') + " -->";
  std::string text = dae(comment + R"(<unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis>)");
  text.insert(text.find("<COLLADA"), comment);
  const Result<assets::LoadedMesh> mesh = assets::loadMesh(writeFile("licence.dae", text));
  ASSERT_TRUE(mesh) << mesh.error().message();
  EXPECT_TRUE(sizeOf(*mesh->mesh).isApprox(Vec3(1, 2, 0), 1e-6)) << "centimetres, whatever comments say";
  EXPECT_THAT(faultOf(writeFile("cut.dae", "<?xml version=\"1.0\"?>" + comment)),
              HasSubstr("does not begin as one"));
  EXPECT_THAT(faultOf(writeFile("other.dae", comment + "<svg/>")), HasSubstr("does not begin as one"));
}

TEST(LoadMesh, WhateverMayStandBeforeDaeItIsRead) {
  const std::string text = dae(R"(<unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis>)");
  const std::string body = text.substr(text.find("<COLLADA"));
  for (const std::string& before :
       {std::string(), std::string("\xef\xbb\xbf<?xml version=\"1.0\"?>"),
        std::string("<?xml version=\"1.0\"?><?a b?>\n"), std::string("<!DOCTYPE COLLADA>"),
        std::string("\n\n <!-- a --> <!-- <svg/> -->\n")}) {
    const Result<assets::LoadedMesh> mesh = assets::loadMesh(writeFile("before.dae", before + body));
    ASSERT_TRUE(mesh) << before << mesh.error().message();
    EXPECT_TRUE(sizeOf(*mesh->mesh).isApprox(Vec3(1, 2, 0), 1e-6)) << before;
  }
}

TEST(LoadMesh, DaeMayBeUtf16WithCommentsOfAnyLength) {
  const std::string text = dae(R"(<unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis>)");
  const std::string before =
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?><!-- " + std::string(20'000, 'x') + " -->";
  std::string little = "\xff\xfe", big = "\xfe\xff";
  for (const char c : before + text.substr(text.find("<COLLADA"))) little += {c, '\0'}, big += {'\0', c};
  for (const std::string& bytes : {little, big}) {
    const Result<assets::LoadedMesh> mesh = assets::loadMesh(writeFile("wide.dae", bytes));
    ASSERT_TRUE(mesh) << mesh.error().message();
    EXPECT_TRUE(sizeOf(*mesh->mesh).isApprox(Vec3(1, 2, 0), 1e-6));
  }
  EXPECT_THAT(faultOf(writeFile("cut.dae", little.substr(0, 8'001))), HasSubstr("does not begin as one"));
}

// ------------------------------------------------------------------------------------------- quantised glTF

void put(std::string& bytes, std::uint32_t value, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
}

/// A .glb file of one JSON chunk and one binary chunk.
std::string glb(std::string json, std::string binary) {
  while (json.size() % 4 != 0) json += ' ';
  while (binary.size() % 4 != 0) binary += '\0';
  std::string file = "glTF";
  put(file, 2, 4);
  put(file, static_cast<std::uint32_t>(28 + json.size() + binary.size()), 4);
  put(file, static_cast<std::uint32_t>(json.size()), 4);
  put(file, 0x4E4F534A, 4);
  file += json;
  put(file, static_cast<std::uint32_t>(binary.size()), 4);
  put(file, 0x004E4942, 4);
  return file + binary;
}

/// A tetrahedron on three unit axes in numbers of a kind: `whole` is 1, or what is 1 after normalising.
std::string tetrahedron(int componentType, int bytes, bool isNormalized, std::uint32_t whole,
                        const std::string& node,
                        const std::string& more = R"("extensionsRequired": ["KHR_mesh_quantization"],)") {
  const int stride = (3 * bytes + 3) / 4 * 4;
  std::string binary;
  for (int vertex = 0; vertex < 4; ++vertex) {
    for (int axis = 0; axis < 3; ++axis) put(binary, vertex == axis + 1 ? whole : 0, bytes);
    binary.resize(static_cast<std::size_t>(stride * (vertex + 1)), '\0');
  }
  for (const std::uint32_t index : {0u, 2u, 1u, 0u, 1u, 3u, 0u, 3u, 2u, 1u, 2u, 3u}) put(binary, index, 2);
  const std::string json =
      R"({"asset": {"version": "2.0"}, )" + more +
      R"("scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0)" + node +
      R"(}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], "accessors": [{"bufferView": 0,
      "componentType": )" +
      std::to_string(componentType) + (isNormalized ? R"(, "normalized": true)" : "") +
      R"(, "count": 4, "type": "VEC3"}, {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
      "bufferViews": [{"buffer": 0, "byteLength": )" +
      std::to_string(4 * stride) + R"(, "byteStride": )" + std::to_string(stride) +
      R"(}, {"buffer": 0, "byteOffset": )" + std::to_string(4 * stride) +
      R"(, "byteLength": 24}], "buffers": [{"byteLength": )" + std::to_string(4 * stride + 24) + "}]}";
  return glb(json, binary);
}

/// An integer c is c/(2^n − 1) normalised, with a sign c/(2^(n−1) − 1), else itself; the node's scale and place follow.
TEST(LoadMesh, QuantisedGltfIsAsLargeAsItsNodesSay) {
  struct Case {
    int type, bytes;
    bool isNormalized;
    std::uint32_t whole;
  };
  for (const Case& c : {Case{5120, 1, true, 127}, Case{5121, 1, true, 255}, Case{5122, 2, true, 32767},
                        Case{5123, 2, true, 65535}, Case{5120, 1, false, 1}, Case{5123, 2, false, 1}}) {
    const Result<assets::LoadedMesh> mesh = assets::loadMesh(
        writeFile("q.glb", tetrahedron(c.type, c.bytes, c.isNormalized, c.whole,
                                       R"(, "scale": [0.5, 0.25, 2], "translation": [1, 0, 0])")));
    ASSERT_TRUE(mesh) << mesh.error().message();
    // glTF's y is up: x, −z, y.
    EXPECT_TRUE(sizeOf(*mesh->mesh).isApprox(Vec3(0.5, 2, 0.25), 1e-6)) << sizeOf(*mesh->mesh).transpose();
    double lowest = 9;
    for (const Vec3& v : mesh->mesh->vertices) lowest = std::min(lowest, v.x());
    EXPECT_NEAR(lowest, 1, 1e-6) << c.type;
  }
  // −32768 is −1, as −32767 is.
  const Result<assets::LoadedMesh> least =
      assets::loadMesh(writeFile("least.glb", tetrahedron(5122, 2, true, 0x8000, "")));
  ASSERT_TRUE(least) << least.error().message();
  EXPECT_TRUE(sizeOf(*least->mesh).isApprox(Vec3(1, 1, 1), 1e-6)) << sizeOf(*least->mesh).transpose();
}

TEST(LoadMesh, GltfOfExtensionsThatAreNotReadIsRefusedByTheirName) {
  for (const std::string name :
       {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_texture_basisu"})
    expectFault(faultOf(writeFile("c.glb", tetrahedron(5126, 4, false, 0x3F800000, "",
                                                       "\"extensionsRequired\": [\"" + name + "\"],"))),
                {"c.glb", "the mesh requires the glTF extension " + name + ", which is not read"});
  const std::string used = R"("extensionsUsed": ["KHR_lights_punctual", "EXT_of_somebody"],)";
  EXPECT_EQ(faultOf(writeFile("u.glb", tetrahedron(5126, 4, false, 0x3F800000, "", used))), "")
      << "not required";
}

TEST(LoadMesh, QuantisedGltfThatReadsBeyondItsBuffersIsRefused) {
  std::string cut = tetrahedron(5122, 2, true, 32767, "");
  const std::string count = "\"count\": 4";
  cut.replace(cut.find(count), count.size(), "\"count\": 9");
  EXPECT_THAT(faultOf(writeFile("beyond.glb", cut)), HasSubstr("reads beyond its buffer"));
  std::string none = tetrahedron(5122, 2, true, 32767, "");
  none.replace(none.find("\"bufferView\": 0"), 15, "\"bufferView\": 7");
  EXPECT_THAT(faultOf(writeFile("none.glb", none)), HasSubstr("fewer bufferViews"));
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
