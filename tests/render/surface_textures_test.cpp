// Images on the surfaces of bodies, in pixels.
#include "render/surface_textures.h"

#include <array>

#include "assets/robot_io.h"
#include "tests/render/rendered_world.h"
#include "tests/support/textured_quad.h"

namespace slipstick::render {
namespace {

/// The quad of 2 m in front of the camera, with nothing else near.
struct TexturedQuad : RenderedWorld {
  const Vec3 center = Vec3(0, -6, 6);
  Model model;
  std::filesystem::path folder;

  void SetUp() override {
    RenderedWorld::SetUp();
    folder = std::filesystem::path(::testing::TempDir()) / "slipstick" / "TexturedQuad" /
             ::testing::UnitTest::GetInstance()->current_test_info()->name();
    slipstick::testing::writeFourColours(folder / "four.png");
    model = *world.model;
    camera = Camera::from({"level", center + Vec3(0, -5, 0), center, 40, {}});
    options.forces = false;
  }
  std::shared_ptr<TriangleMesh> quad() const {
    const Result<assets::LoadedMesh> mesh =
        assets::loadMesh(slipstick::testing::writeQuad(folder, "four.png"));
    EXPECT_TRUE(mesh.ok());
    return std::make_shared<TriangleMesh>(*mesh->mesh);
  }
  void show(const std::vector<std::shared_ptr<const TriangleMesh>>& meshes,
            const Color& color = Color::Ones()) {
    model.visuals.clear();
    for (std::size_t i = 0; i < meshes.size(); ++i)
      model.visuals.push_back({.name = "quad",
                               .body = 0,
                               .X_BV = Pose::translation(center + Vec3(2.2 * static_cast<double>(i), 0, 0)),
                               .shape = shape::Mesh{meshes[i]},
                               .color = color,
                               .finish = {}});
    world.model = std::make_shared<const Model>(model);
    offscreen->setModel(world.model);
  }
  Pixel corner(const Image& image, double x, double z) const { return at(image, center + Vec3(x, 0, z)); }
};

void expectFourColours(const std::array<Pixel, 4>& seen) {
  const auto [red, green, blue, yellow] = seen;
  EXPECT_GT(red.r, 2 * std::max(red.g, red.b));
  EXPECT_GT(green.g, 2 * std::max(green.r, green.b));
  EXPECT_GT(blue.b, 2 * std::max(blue.r, blue.g));
  EXPECT_GT(std::min(yellow.r, yellow.g), 2 * yellow.b);
}

TEST_F(TexturedQuad, AnImageIsTheRightWayRound) {
  show({quad()});
  const Image image = draw(frame());
  expectFourColours({corner(image, -0.5, 0.5), corner(image, 0.5, 0.5), corner(image, -0.5, -0.5),
                     corner(image, 0.5, -0.5)});
}

TEST_F(TexturedQuad, ATransparentBodyWearsItsImageToo) {
  show({quad()}, Color(1, 1, 1, 0.8f));
  const Image image = draw(frame());
  expectFourColours({corner(image, -0.5, 0.5), corner(image, 0.5, 0.5), corner(image, -0.5, -0.5),
                     corner(image, 0.5, -0.5)});
}

TEST_F(TexturedQuad, TheRestOfAMeshKeepsItsColour) {
  const auto mesh = quad();
  mesh->textured[0].triangleCount = 1;  // the lower right half
  show({mesh});
  const Image image = draw(frame());
  EXPECT_GT(std::min(corner(image, 0.5, -0.5).r, corner(image, 0.5, -0.5).g), 2 * corner(image, 0.5, -0.5).b);
  const Pixel plain = corner(image, -0.5, 0.5);
  EXPECT_NEAR(plain.r, plain.g, 12);
  EXPECT_NEAR(plain.r, plain.b, 12);
}

/// As the same mesh without images: nothing that is not there changes its light.
TEST_F(TexturedQuad, AWhiteImageChangesNothing) {
  const auto mesh = quad();
  const auto bare = std::make_shared<TriangleMesh>(*mesh);
  bare->textured.clear();
  show({bare});
  const Image expected = draw(frame());
  const auto white = std::make_shared<TextureImage>(TextureImage{"white", 1, 1, true, {255, 255, 255}});
  mesh->textured[0].maps.color = white;
  show({mesh});
  const Image image = draw(frame());
  int largest = 0;
  for (std::size_t i = 0; i < image.rgba.size(); ++i)
    largest = std::max(largest, std::abs(image.rgba[i] - expected.rgba[i]));
  EXPECT_LE(largest, 1);
}

/// The key light comes from the left, above and in front.
TEST_F(TexturedQuad, NormalsLeanAsTheirImageSays) {
  const auto brightness = [&](std::uint8_t along, std::uint8_t up) {
    const auto mesh = quad();
    mesh->textured[0].maps = {.color = nullptr, .finish = nullptr, .normal = nullptr};
    mesh->textured[0].maps.normal =
        std::make_shared<TextureImage>(TextureImage{"normal", 1, 1, false, {along, up, 200}});
    show({mesh});
    return corner(draw(frame()), 0.3, 0.2).luminance();
  };
  const int flat = brightness(128, 128);
  EXPECT_GT(brightness(70, 128), flat + 3) << "against u: to the left";
  EXPECT_LT(brightness(186, 128), flat - 3);
  EXPECT_GT(brightness(128, 186), flat + 3) << "green is up";
  EXPECT_LT(brightness(128, 70), flat - 3);
}

/// Uploading it again would wash off what was written on it meanwhile.
TEST(SurfaceTextures, AnImageIsUploadedOnceForAllWhoWearItAndStaysForTheNextList) {
  const auto context = EglContext::create();
  ASSERT_TRUE(context.ok()) << context.error().message();
  SurfaceTextures textures;
  const auto red = std::make_shared<TextureImage>(TextureImage{"red", 1, 1, true, {255, 0, 0}});
  const auto grey = std::make_shared<TextureImage>(TextureImage{"grey", 1, 1, false, {128, 128, 128}});
  const auto nameIn = [&textures](int maps) {
    textures.bind(maps);
    glActiveTexture(GL_TEXTURE0 + kSurfaceTextureUnit);
    GLint name = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &name);
    return static_cast<GLuint>(name);
  };
  const auto redOf = [](GLuint name) {
    std::array<std::uint8_t, 4> texel{};
    glGetTextureImage(name, 0, GL_RGBA, GL_UNSIGNED_BYTE, 4, texel.data());
    return static_cast<int>(texel[0]);
  };
  textures.beginList();
  const int bare = textures.add({.color = red, .finish = nullptr, .normal = nullptr});
  const int rough = textures.add({.color = red, .finish = grey, .normal = nullptr});
  EXPECT_EQ(textures.add({.color = red, .finish = nullptr, .normal = nullptr}), bare);
  textures.endList();
  EXPECT_NE(rough, bare);
  EXPECT_EQ(nameIn(rough), nameIn(bare));
  EXPECT_EQ(redOf(nameIn(bare)), 255);

  constexpr std::array<std::uint8_t, 4> kMark = {77, 0, 0, 255};
  glTextureSubImage2D(nameIn(bare), 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, kMark.data());
  textures.beginList();
  const int next = textures.add({.color = red, .finish = nullptr, .normal = nullptr});
  textures.endList();
  EXPECT_EQ(redOf(nameIn(next)), kMark[0]);

  textures.beginList();  // nobody wears it any more
  textures.endList();
  textures.beginList();
  const int again = textures.add({.color = red, .finish = nullptr, .normal = nullptr});
  textures.endList();
  EXPECT_EQ(redOf(nameIn(again)), 255);
}

}  // namespace
}  // namespace slipstick::render
