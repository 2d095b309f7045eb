// Images from mesh, robot and scene files onto meshes.
#include "assets/image_io.h"

#include <algorithm>

#include "assets/robot_io.h"
#include "tests/assets/scene_text.h"
#include "tests/support/load_robot.h"
#include "tests/support/sdf_needed.h"
#include "tests/support/textured_quad.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using assets::ImageUse;
using assets::SharedImage;
using testing::expectFault;
using testing::kBlue;
using testing::kGreen;
using testing::kRed;
using testing::kYellow;
using testing::Texel;
using testing::varied;
using testing::writeFile;

fs::path folderOfTest() {
  return writeFile("folder", "").parent_path();
}

Texel texelOf(const TextureImage& image, int x, int y) {
  const auto at = static_cast<std::size_t>(y * image.width + x) * 3;
  return {image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]};
}

/// The texel that lies on a place of a mesh, without filtering.
Texel texelAt(const TriangleMesh& mesh, const Vec3& place) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if ((mesh.vertices[i] - place).norm() > 1e-6) continue;
    const TextureImage& image = *mesh.textured.at(0).maps.color;
    const auto texel = [&](int k, int size) {
      return std::min(static_cast<int>(mesh.uvs[i][k] * static_cast<float>(size)), size - 1);
    };
    return texelOf(image, texel(0, image.width), texel(1, image.height));
  }
  ADD_FAILURE() << "no vertex at " << place.transpose();
  return {};
}

bool mentions(const std::vector<Notice>& notices, const std::string& words) {
  return std::any_of(notices.begin(), notices.end(), [&](const Notice& n) {
    return (n.where + ": " + n.what).find(words) != std::string::npos;
  });
}

std::size_t warningsIn(const std::vector<Notice>& notices) {
  return static_cast<std::size_t>(std::count_if(
      notices.begin(), notices.end(), [](const Notice& n) { return n.level == Notice::Level::Warning; }));
}

assets::LoadedMesh loaded(const fs::path& file) {
  Result<assets::LoadedMesh> mesh = assets::loadMesh(file);
  EXPECT_TRUE(mesh.ok()) << mesh.error().message();
  return mesh ? *mesh : assets::LoadedMesh{std::make_shared<TriangleMesh>(), {}};
}

TEST(LoadMesh, AnObjWearsItsImageTheRightWayRound) {
  const fs::path folder = folderOfTest();
  testing::writeFourColours(folder / "images" / "four colours.png");
  testing::writeFourColours(folder / "four colours.png");
  const assets::LoadedMesh elsewhere =
      loaded(testing::writeQuad(folder, "C:\\somebody\\else\\four%20colours.png"));
  EXPECT_EQ(elsewhere.mesh->textured.size(), 1u) << "found by its name beside the mesh";
  const assets::LoadedMesh found = loaded(testing::writeQuad(folder, "images\\four colours.png"));
  EXPECT_TRUE(found.notices.empty());
  ASSERT_EQ(found.mesh->textured.size(), 1u);
  EXPECT_EQ(found.mesh->textured[0].triangleCount, 2u);
  EXPECT_EQ(texelAt(*found.mesh, Vec3(-1, 0, 1)), kRed);
  EXPECT_EQ(texelAt(*found.mesh, Vec3(1, 0, 1)), kGreen);
  EXPECT_EQ(texelAt(*found.mesh, Vec3(-1, 0, -1)), kBlue);
  EXPECT_EQ(texelAt(*found.mesh, Vec3(1, 0, -1)), kYellow);
  for (const Eigen::Vector4f& color : found.mesh->colors)
    EXPECT_EQ(color, Eigen::Vector4f::Ones()) << "the image stands in the place of Kd and of red vertices";
}

TEST(LoadMesh, ManyShareAnImageAsLongAsItDoesNotChange) {
  const fs::path folder = folderOfTest();
  testing::writeFourColours(folder / "print.png");
  const fs::path file = testing::writeQuad(folder, "print.png");
  const assets::LoadedMesh first = loaded(file), second = loaded(file);
  EXPECT_EQ(first.mesh->textured.at(0).maps.color, second.mesh->textured.at(0).maps.color);
  testing::writeImage(folder / "print.png", 3, {kRed, kRed, kRed});
  EXPECT_EQ(loaded(file).mesh->textured.at(0).maps.color->width, 3);
}

TEST(LoadMesh, ImagesThatCannotBeHadAreLeftOutWithANotice) {
  const fs::path folder = folderOfTest();
  const auto noticeOf = [&](const std::string& image) {
    const assets::LoadedMesh quad = loaded(testing::writeQuad(folder, image));
    EXPECT_EQ(quad.mesh->triangles.size(), 2u);
    EXPECT_TRUE(quad.mesh->textured.empty());
    EXPECT_FALSE(quad.mesh->colors.empty());
    EXPECT_EQ(quad.notices.size(), 1u);
    return quad.notices.empty() ? "" : quad.notices[0].what;
  };
  expectFault(noticeOf("nowhere.png"), {"nowhere.png", "does not exist", "check the path"});
  writeFile("noise.png", std::string(500, '\x7f'));
  expectFault(noticeOf("noise.png"), {"noise.png", "not read", "PNG or JPEG"});
  testing::writeImage(folder / "long.png", 8193, std::vector<Texel>(8193, kRed));
  expectFault(noticeOf("long.png"), {"8193 × 1", "8192"});
  std::vector<Texel> noise;
  for (int i = 0; i < 64 * 64; ++i) noise.push_back({static_cast<std::uint8_t>(i * i), 7, 9});
  testing::writeImage(folder / "cut.png", 64, noise);
  fs::resize_file(folder / "cut.png", fs::file_size(folder / "cut.png") / 2);
  expectFault(noticeOf("cut.png"), {"cut.png", "cut off"});
  writeFile("light.png", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n1234");
  expectFault(noticeOf("light.png"), {"light.png", "not read"});
  // A large black picture that says it is one texel: as it unpacks, it would be 12 MB.
  testing::writeImage(folder / "bomb.png", 2000, std::vector<Texel>(2000 * 2000, Texel{}));
  std::fstream bomb(folder / "bomb.png", std::ios::in | std::ios::out | std::ios::binary);
  bomb.seekp(16);
  bomb.write("\0\0\0\1\0\0\0\1", 8);
  bomb.close();
  expectFault(noticeOf("bomb.png"), {"bomb.png", "unpacks to more"});
  std::string scans = "\xff\xd8\xff\xc0";
  scans += std::string("\0\x0b\x08\0\1\0\1\1\1\x11\0", 11);
  for (int i = 0; i < 101; ++i) scans += "\xff\xda";
  writeFile("scans.jpg", scans + "\xff\xd9");
  expectFault(noticeOf("scans.jpg"), {"scans.jpg", "100 times"});
  fs::create_directories(folder / "a_folder.png");
  expectFault(noticeOf("a_folder.png"), {"a_folder.png"});
}

/// Of two by two texels: red and green over blue and yellow.
struct RawImage {
  std::string name, bytes;
};

std::vector<RawImage> rawImages() {
  using namespace std::string_literals;
  // Texels are blue, green, red, from the lower row up; rows of a BMP have two bytes more.
  const std::string red = "\0\0\xff"s, green = "\0\xff\0"s, blue = "\xff\0\0"s, yellow = "\0\xff\xff"s,
                    end = "\0\0"s;
  const std::string upper = red + green, lower = blue + yellow;
  const auto tga = [](char kind) { return "\0\0"s + kind + "\0\0\0\0\0\0\0\0\0\2\0\2\0\x18\0"s; };
  const std::string info = "\x28\0\0\0\2\0\0\0"s, rest = "\1\0\x18\0"s + std::string(24, '\0');
  const auto bmp = [](char begin) { return "BM\0\0\0\0\0\0\0\0"s + begin + "\0\0\0"s; };
  return {
      {"raw.tga", tga(2) + lower + upper},
      {"runs.tga", tga(10) + "\1"s + lower + "\1"s + upper},
      {"up.bmp", bmp(54) + info + "\2\0\0\0"s + rest + lower + end + upper + end},
      {"down.bmp", bmp(54) + info + "\xfe\xff\xff\xff"s + rest + upper + end + lower + end},
      {"core.bmp", bmp(26) + "\x0c\0\0\0\2\0\2\0\1\0\x18\0"s + lower + end + upper + end},
  };
}

TEST(LoadImage, ATgaOrBmpWithoutAllItsTexelsIsCutOff) {
  for (const RawImage& raw : rawImages()) {
    SCOPED_TRACE(raw.name);
    const Result<SharedImage> whole = assets::loadImage(writeFile(raw.name, raw.bytes), ImageUse::Color);
    ASSERT_TRUE(whole.ok()) << whole.error().message();
    EXPECT_EQ(texelOf(**whole, 0, 0), kRed);
    EXPECT_EQ(texelOf(**whole, 1, 0), kGreen);
    EXPECT_EQ(texelOf(**whole, 0, 1), kBlue);
    EXPECT_EQ(texelOf(**whole, 1, 1), kYellow);
    if (raw.name == "runs.tga") continue;  // of runs only the fewest are known
    const std::string most = raw.bytes.substr(0, raw.bytes.size() - 1);
    const Result<SharedImage> cut = assets::loadImage(writeFile("cut_" + raw.name, most), ImageUse::Color);
    ASSERT_FALSE(cut.ok());
    expectFault(cut.error().message(), {"cut_" + raw.name, "cut off"});
  }
}

TEST(LoadImage, AHeaderOfALargeTgaAloneIsRefusedBeforeItsTexelsAreMade) {
  using namespace std::string_literals;
  for (const char kind : {2, 10}) {
    const std::string header =
        "\0\0"s + kind + "\0\0\0\0\0\0\0\0\0\0\x20\0\x20\x18\0"s + std::string(100, '\1');
    const Result<SharedImage> image = assets::loadImage(writeFile("header.tga", header), ImageUse::Color);
    ASSERT_FALSE(image.ok());
    expectFault(image.error().message(), {"header.tga", "cut off"});
  }
}

TEST(LoadImage, APngEndsAtItsEndWhateverFollowsAndNotBefore) {
  const fs::path file = folderOfTest() / "ends.png";
  testing::writeFourColours(file);
  std::ofstream(file, std::ios::binary | std::ios::app) << std::string(40, '\x7f');
  EXPECT_TRUE(assets::loadImage(file, ImageUse::Color).ok());
  std::fstream pixels(file, std::ios::in | std::ios::out | std::ios::binary);
  pixels.seekp(8 + 25);  // behind the header: the length of what may be the pixels
  pixels.write("\x3f\0\0\0", 4);
  pixels.close();
  const Result<SharedImage> image = assets::loadImage(file, ImageUse::Color);
  ASSERT_FALSE(image.ok());
  expectFault(image.error().message(), {"ends.png", "cut off"});
}

/// Of two colours; its one picture, of a texel, lies on a screen that may be larger.
std::string gif(const std::string& screen) {
  using namespace std::string_literals;
  return "GIF89a"s + screen + "\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"s;
}

TEST(LoadImage, AGifOfFewBytesHasAScreenThatIsNeitherNothingNorHuge) {
  using namespace std::string_literals;
  EXPECT_TRUE(assets::loadImage(writeFile("one.gif", gif("\1\0\1\0"s)), ImageUse::Color).ok());
  for (const auto& [screen, word] : {std::pair("\0\0\0\x20"s, "no texels"), {"\0\x20\0\x20"s, "cut off"}}) {
    const Result<SharedImage> image =
        assets::loadImage(writeFile("screen.gif", gif(screen)), ImageUse::Color);
    ASSERT_FALSE(image.ok());
    expectFault(image.error().message(), {"screen.gif", word});
  }
}

TEST(LoadMesh, AGltfsImagesAreItsColourItsFinishAndItsNormals) {
  const fs::path folder = folderOfTest();
  testing::writeImage(folder / "orm.png", 1, {Texel{10, 20, 30}});
  const auto triangle = [](const std::string& material) {
    return writeFile(
        "part.gltf",
        R"({"asset": {"version": "2.0"}, "extensionsUsed": ["KHR_texture_transform"], "scene": 0, "scenes": [{"nodes": [0]}],
  "nodes": [{"mesh": 0}], "materials": [)" +
            material + R"(],
  "textures": [{"source": 0}, {"source": 1}],
  "images": [{"mimeType": "image/png", "uri": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP438AAAAQBAYDFKhhdAAAAAElFTkSuQmCC"},
             {"uri": "orm.png"}],
  "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}]}],
  "buffers": [{"byteLength": 66, "uri":
    "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD4AAIA/AACAPgAAAAAAAIA/AAABAAIA"}],
  "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 24},
                  {"buffer": 0, "byteOffset": 60, "byteLength": 6}],
  "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                 "min": [0, 0, 0], "max": [1, 1, 0]},
                {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2"},
                {"bufferView": 2, "componentType": 5123, "count": 3, "type": "SCALAR"}]})");
  };
  const std::string pbr = R"("pbrMetallicRoughness": {"baseColorTexture": {"index": 0},
    "metallicRoughnessTexture": {"index": 1}})";
  const assets::LoadedMesh part = loaded(triangle(
      R"({"name": "m", "occlusionTexture": {"index": 1}, "normalTexture": {"index": 1}, )" + pbr + "}"));
  EXPECT_EQ(warningsIn(part.notices), 0u);
  ASSERT_EQ(part.mesh->textured.size(), 1u);
  const SurfaceMaps& maps = part.mesh->textured[0].maps;
  ASSERT_TRUE(maps.color && maps.finish && maps.normal);
  EXPECT_EQ(texelOf(*maps.color, 0, 0), (Texel{255, 128, 0}));
  EXPECT_TRUE(maps.color->srgb);
  EXPECT_EQ(texelOf(*maps.finish, 0, 0), (Texel{10, 20, 30}));
  EXPECT_FALSE(maps.finish->srgb);
  EXPECT_EQ(maps.normal, maps.finish) << "the same file, decoded once";
  EXPECT_LT((part.mesh->uvs.at(0) - Eigen::Vector2f(0, 0.25f)).norm(), 1e-6f) << "glTF counts from the top";
  ASSERT_FALSE(part.mesh->finishes.empty());
  EXPECT_EQ(part.mesh->finishes[0].roughness, 1) << "a factor that is not written is 1";
  const assets::LoadedMesh open = loaded(triangle(R"({"name": "m", )" + pbr + "}"));
  EXPECT_EQ(texelOf(*open.mesh->textured.at(0).maps.finish, 0, 0), (Texel{255, 20, 30}))
      << "its red means nothing unless the material says so";
  const assets::LoadedMesh shifted = loaded(triangle(
      R"({"name": "m", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0,
          "extensions": {"KHR_texture_transform": {"offset": [0.5, 0]}}}}})"));
  EXPECT_TRUE(mentions(shifted.notices, "without the shift"));
  fs::remove(folder / "orm.png");
  const assets::LoadedMesh dull = loaded(triangle(R"({"name": "m", )" + pbr + "}"));
  EXPECT_EQ(warningsIn(dull.notices), 1u);
  EXPECT_TRUE(dull.mesh->finishes.empty()) << "without its image it is not bare metal";
}

TEST(LoadImage, LargeOnesAreHalvedInTheirLight) {
  std::vector<Texel> stripes;
  for (int i = 0; i < 4096; ++i) stripes.push_back(i % 2 == 0 ? Texel{255, 255, 255} : Texel{0, 0, 0});
  const fs::path file = testing::writeImage(folderOfTest() / "stripes.png", 4096, stripes);
  const Result<SharedImage> color = assets::loadImage(file, ImageUse::Color);
  const Result<SharedImage> data = assets::loadImage(file, ImageUse::Data);
  ASSERT_TRUE(color.ok() && data.ok());
  EXPECT_EQ((*color)->width, 2048);
  EXPECT_EQ((*color)->height, 1);
  EXPECT_EQ((*color)->rgb.at(0), 188) << "half the light of white";
  EXPECT_EQ((*data)->width, 1024);
  EXPECT_NEAR((*data)->rgb.at(0), 128, 1);
}

TEST(LoadImage, FinishTakesEachChannelFromItsImage) {
  const fs::path folder = folderOfTest();
  const auto grey = [&](const char* name, int width, std::uint8_t value) {
    return *assets::loadImage(
        testing::writeImage(folder / name, width,
                            std::vector<Texel>(static_cast<std::size_t>(width), Texel{value, value, value})),
        ImageUse::Data);
  };
  const SharedImage rough = grey("rough.png", 1, 40), metal = grey("metal.png", 2, 50);
  const SharedImage packed = assets::packFinish(nullptr, rough, metal);
  ASSERT_EQ(packed->width, 2);
  EXPECT_EQ(texelOf(*packed, 1, 0), (Texel{255, 40, 50}));
  EXPECT_EQ(assets::packFinish(nullptr, nullptr, nullptr), nullptr);
  EXPECT_EQ(assets::packFinish(rough, rough, rough), rough);
}

struct RobotWithImages : ::testing::Test {
  fs::path folder;
  void SetUp() override {
    folder = folderOfTest();
    testing::writeFourColours(folder / "four.png");
    testing::writeFourColours(folder / "own.png");
    testing::writeQuad(folder, "own.png");
  }
  assets::LoadedRobot robot(const std::string& name, const std::string& text) {
    Result<assets::LoadedRobot> read = testing::loadRobot(writeFile(name, text));
    EXPECT_TRUE(read.ok()) << read.error().message();
    return read ? *read : assets::LoadedRobot{};
  }
  static SurfaceMaps mapsOf(const assets::LoadedRobot& robot, std::size_t visual = 0) {
    const auto& mesh = *std::get<shape::Mesh>(robot.robot.links.at(0).visuals.at(visual).shape).mesh;
    return mesh.textured.empty() ? SurfaceMaps{} : mesh.textured[0].maps;
  }
};

TEST_F(RobotWithImages, TheTextureOfAUrdfMaterialGoesOverTheMeshs) {
  const auto robotWith = [&](const std::string& material, const std::string& shape) {
    return robot("r.urdf", "<robot name=\"r\"><link name=\"a\"><visual><geometry>" + shape + "</geometry>" +
                               material + "</visual></link></robot>");
  };
  const std::string quad = "<mesh filename=\"quad.obj\"/>";
  EXPECT_EQ(fs::path(mapsOf(robotWith("", quad)).color->name).filename(), "own.png");
  const std::string printed = "<material name=\"print\"><texture filename=\"four.png\"/></material>";
  const assets::LoadedRobot worn = robotWith(printed, quad);
  EXPECT_TRUE(worn.notices.empty());
  EXPECT_EQ(fs::path(mapsOf(worn).color->name).filename(), "four.png");
  EXPECT_TRUE(mapsOf(robotWith("<material name=\"red\"><color rgba=\"1 0 0 1\"/></material>", quad)).empty())
      << "a colour that is given is what one sees";
  EXPECT_TRUE(
      mentions(robotWith(printed, "<box size=\"1 1 1\"/>").notices, "only meshes with texture coordinates"));
  EXPECT_TRUE(
      mentions(robotWith("<material name=\"p\"><texture filename=\"lost.png\"/></material>", quad).notices,
               "without its image lost.png"));
}

TEST_F(RobotWithImages, TheMapsOfASdfMaterialGoOverTheMeshs) {
  SLIPSTICK_REQUIRE_SDF();
  const assets::LoadedRobot worn = robot("r.sdf", R"(<sdf version="1.7"><model name="r"><link name="a">
    <inertial><mass>1</mass></inertial>
    <visual name="v"><geometry><mesh><uri>quad.obj</uri></mesh></geometry><material><pbr><metal>
      <albedo_map>four.png</albedo_map><roughness_map>own.png</roughness_map></metal></pbr></material></visual>
    </link></model></sdf>)");
  const SurfaceMaps maps = mapsOf(worn);
  ASSERT_TRUE(maps.color && maps.finish);
  EXPECT_EQ(fs::path(maps.color->name).filename(), "four.png");
  EXPECT_EQ(texelOf(*maps.finish, 1, 0), (Texel{255, 255, 255})) << "green is the roughness";
  EXPECT_EQ(texelOf(*maps.finish, 0, 0), (Texel{255, 0, 255}));
  EXPECT_EQ(worn.robot.links[0].visuals[0].finish.roughness, 1);
  EXPECT_EQ(worn.robot.links[0].visuals[0].finish.metallic, 0) << "only an image makes metal";
  EXPECT_FALSE(mentions(worn.notices, "albedo_map"));
}

TEST_F(RobotWithImages, ASceneNamesTheImageOfAMesh) {
  const auto scene = [&](const std::string& keys) {
    return varied("- {name: top, shape: box, size: [1, 1, 0.1]}",
                  "- {name: top, " + keys + ", collides: false}\n      - {shape: box, size: [1, 1, 0.1]}");
  };
  const std::string quad = "shape: mesh, file: " + (folder / "quad.obj").string();
  const Result<assets::LoadedScene> read =
      testing::parsed(scene(quad + ", texture: " + (folder / "four.png").string()));
  ASSERT_TRUE(read.ok()) << read.error().message();
  const Shape& shape = read->scene.robots.at(0).description.links.at(0).visuals.at(0).shape;
  EXPECT_EQ(fs::path(std::get<shape::Mesh>(shape).mesh->textured.at(0).maps.color->name).filename(),
            "four.png");
  expectFault(testing::faultOf(scene(quad + ", texture: lost.png")), {"test.yaml", "texture", "lost.png"});
  writeFile("noise.png", "noise");
  expectFault(testing::faultOf(scene(quad + ", texture: " + (folder / "noise.png").string())),
              {"texture", "not read"});
  expectFault(testing::faultOf(scene("shape: sphere, radius: 1, texture: four.png")),
              {"'sphere' has no 'texture'"});
  const fs::path bare = writeFile("bare.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  expectFault(testing::faultOf(scene("shape: mesh, file: " + bare.string() +
                                     ", texture: " + (folder / "four.png").string())),
              {"no texture coordinates"});
}

}  // namespace
}  // namespace slipstick
