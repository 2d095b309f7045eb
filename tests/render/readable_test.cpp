// What is written and drawn over the picture can be told from it: in the dark studio, in the light one, on white paper.
#include "tests/render/rendered_world.h"
#include "tests/support/contrast.h"

namespace slipstick::render {
namespace {

using testing::contrast;
using testing::kReadable;
using testing::kTold;
using testing::Srgb;
using testing::srgbOf;

constexpr std::array kBackdrops = {Backdrop::Dark, Backdrop::Light, Backdrop::White};

TEST(Readable, WordsOnCardsAreOverAnything) {
  for (const Backdrop backdrop : kBackdrops) {
    const Tokens& t = tokensOn(backdrop);
    for (const Hex below : {0x000000u, 0x808080u, 0xFFFFFFu}) {
      const Srgb card = testing::over(srgbOf(t.hud), static_cast<double>(kCardOpacity), srgbOf(below));
      const bool usual = backdrop == Backdrop::Dark ? below != 0xFFFFFF : below != 0x000000;
      for (const Hex words : {t.bright, t.text, t.secondary, t.stick, t.slip, t.error, t.good, t.bookmark})
        EXPECT_GE(contrast(srgbOf(words), card), kReadable)
            << std::hex << words << " on a card over " << below << ", " << static_cast<int>(backdrop);
      // Units and what is switched off are quieter, and are read where the picture is of the studio's own lightness.
      if (usual) {
        EXPECT_GE(contrast(srgbOf(t.faint), card), kReadable) << std::hex << t.faint << " over " << below;
      }
    }
  }
}

Srgb seen(const Pixel& pixel) {
  return {pixel.r / 255.0, pixel.g / 255.0, pixel.b / 255.0};
}

/// Arrows and marks on the floor and before the backdrop as they are drawn.
TEST_F(RenderedWorld, ArrowsAndMarksAreToldFromTheStudioAndFromPaper) {
  for (const Backdrop backdrop : kBackdrops) {
    options.light = backdrop == Backdrop::Light;
    options.whiteBackground = backdrop == Backdrop::White;
    options.forces = false;
    ASSERT_EQ(options.backdrop(), backdrop);
    const Image image = draw(frame());
    const Tokens& t = options.tokens();
    for (const Pixel& ground : {at(image, kWidth / 2, 3), at(image, 4, kHeight / 2),
                                at(image, 6, kHeight - 6), at(image, Vec3(-0.1, -0.5, 0))})
      for (const Hex mark : {t.normal, t.stick, t.slip, t.axis, t.boundary, t.bookmark, t.collision, t.text})
        EXPECT_GE(contrast(srgbOf(mark), seen(ground)), kTold)
            << std::hex << mark << " on " << ground.r << " " << ground.g << " " << ground.b << ", "
            << static_cast<int>(backdrop);
  }
}

TEST_F(RenderedWorld, TheLightStudioIsLightAndNotPaper) {
  options.forces = false;
  options.light = true;
  const Image light = draw(frame());
  EXPECT_GT(at(light, kWidth / 2, 3).luminance(), 190);
  EXPECT_LT(at(light, kWidth / 2, 3).luminance(), 250);
  EXPECT_GT(at(light, Vec3(-0.1, -0.5, 0)).luminance(), 190);
  options.light = false;
  EXPECT_LT(at(draw(frame()), kWidth / 2, 3).luminance(), 60);
}

TEST_F(RenderedWorld, ForcesAreDrawnInTheColoursOfTheBackdrop) {
  options.light = true;
  const Frame f = frame();
  ASSERT_FALSE(f.contact->arrows.empty());
  EXPECT_EQ(Eigen::Vector3f(f.contact->arrows[0].color.head<3>()), linear(tokensOn(Backdrop::Light).normal));
  options.whiteBackground = true;
  EXPECT_EQ(Eigen::Vector3f(frame().contact->arrows[0].color.head<3>()),
            linear(tokensOn(Backdrop::White).normal));
}

}  // namespace
}  // namespace slipstick::render
