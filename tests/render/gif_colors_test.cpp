// Which few colours stand for all of a picture's, and how pixels are drawn with them.
#include "render/jobs/gif_colors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <set>

namespace slipstick::render {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::Matcher;
using ::testing::UnorderedElementsAreArray;

struct Pixels {
  Rgb color;
  int count;
};

Image imageOf(const std::vector<Pixels>& pixels) {
  Image image;
  for (const auto& [color, count] : pixels)
    for (int i = 0; i < count; ++i) image.rgba.insert(image.rgba.end(), {color.r, color.g, color.b, 255});
  return image;
}

std::vector<Rgb> colorsOf(const std::vector<Pixels>& pixels, int most) {
  ColorCount count;
  count.add(imageOf(pixels));
  return count.colors(most);
}

Rgb gray(int level) {
  const auto byte = static_cast<std::uint8_t>(level);
  return {byte, byte, byte};
}

/// Colours are counted in steps of two.
Matcher<Rgb> near(Rgb color) {
  const auto by = [](std::uint8_t wanted) {
    return AllOf(::testing::Ge(wanted - 1), ::testing::Le(wanted + 1));
  };
  return AllOf(Field("r", &Rgb::r, by(color.r)), Field("g", &Rgb::g, by(color.g)),
               Field("b", &Rgb::b, by(color.b)));
}

class RandomColors {
 public:
  Rgb next() { return {byte(), byte(), byte()}; }
  /// Of which no two are counted as one.
  std::vector<Rgb> distinct(std::size_t count) {
    std::set<std::array<int, 3>> taken;
    std::vector<Rgb> colors;
    while (colors.size() < count) {
      const Rgb c = next();
      if (taken.insert({c.r / 2, c.g / 2, c.b / 2}).second) colors.push_back(c);
    }
    return colors;
  }
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

 private:
  std::uint8_t byte() { return static_cast<std::uint8_t>(random_() % 256); }
  std::mt19937 random_{1};
};

// ----------------------------------------------------------------------------------------------------- palettes

TEST(ColorCount, OfNothingIsBlack) {
  EXPECT_THAT(ColorCount().colors(8), ElementsAre(Rgb{0, 0, 0}));
  EXPECT_THAT(colorsOf({}, 8), ElementsAre(Rgb{0, 0, 0}));
}

TEST(ColorCount, KeepsBlackAndWhiteAndEveryColourToAStep) {
  EXPECT_THAT(colorsOf({{gray(0), 5}, {gray(255), 2}}, 2),
              ::testing::UnorderedElementsAre(gray(0), gray(255)));
  for (int level = 0; level < 256; level += 5)
    EXPECT_THAT(colorsOf({{{static_cast<std::uint8_t>(level), 7, 200}, 3}}, 4),
                ElementsAre(near({static_cast<std::uint8_t>(level), 7, 200})));
}

TEST(ColorCount, HasThemAllWhereThereIsRoomWhateverTheirNumbers) {
  RandomColors random;
  for (const std::size_t many : {2, 3, 17, 256}) {
    const std::vector<Rgb> colors = random.distinct(many);
    std::vector<Pixels> pixels;
    for (const Rgb c : colors) pixels.push_back({c, 1 + random.below(50)});
    std::vector<Matcher<Rgb>> wanted;
    for (const Rgb c : colors) wanted.push_back(near(c));
    EXPECT_THAT(colorsOf(pixels, static_cast<int>(many)), UnorderedElementsAreArray(wanted));
    EXPECT_EQ(colorsOf(pixels, 256).size(), many) << "none twice";
  }
}

TEST(ColorCount, HasNoMoreThanItMayAndNoneOutsideOfThoseThatItStandsFor) {
  RandomColors random;
  for (const int most : {1, 2, 5, 64, 256}) {
    std::vector<Pixels> pixels;
    for (int i = 0; i < 500; ++i)
      pixels.push_back({{static_cast<std::uint8_t>(40 + random.below(100)), 90,
                         static_cast<std::uint8_t>(200 + random.below(50))},
                        1 + random.below(9)});
    const std::vector<Rgb> colors = colorsOf(pixels, most);
    EXPECT_EQ(colors.size(), static_cast<std::size_t>(most)) << "there are more to tell apart";
    for (const Rgb c : colors) {
      EXPECT_TRUE(c.r >= 39 && c.r <= 140) << int{c.r};
      EXPECT_TRUE(c.g >= 89 && c.g <= 91) << int{c.g};
      EXPECT_TRUE(c.b >= 199 && c.b <= 250) << int{c.b};
    }
  }
}

/// 1 pixel of 10 and 9 of 50 weigh 1 and 3: (10 + 3 · 50) / 4 = 40.
TEST(ColorCount, MixesByTheRootsOfTheirPixels) {
  EXPECT_THAT(colorsOf({{gray(10), 1}, {gray(50), 9}}, 1), ElementsAre(near(gray(40))));
  EXPECT_THAT(colorsOf({{gray(10), 1}, {gray(50), 9}, {gray(200), 4}}, 2),
              ::testing::UnorderedElementsAre(near(gray(40)), near(gray(200))));
}

/// Five greys within 8 of each other err by 40, squared; two that are 40 apart by 800.
TEST(ColorCount, SplitsWhereTheErrorIsLargestNotWhereMostColoursAre) {
  std::vector<Pixels> pixels = {{gray(200), 1}, {gray(240), 1}};
  for (const int level : {10, 12, 14, 16, 18}) pixels.push_back({gray(level), 1});
  EXPECT_THAT(colorsOf(pixels, 3),
              ::testing::UnorderedElementsAre(near(gray(14)), near(gray(200)), near(gray(240))));
}

/// The roots weigh 100, 100 and 10, so that the mean, (100 · 100 + 100 · 112 + 10 · 250) / 210 = 112.9, parts the arrow
/// from the floor. By their pixels it would part the floor, at 106.7.
TEST(ColorCount, SeesAThinArrowOnALargeFloor) {
  EXPECT_THAT(colorsOf({{gray(100), 10000}, {gray(112), 10000}, {gray(250), 100}}, 2),
              ::testing::UnorderedElementsAre(near(gray(106)), near(gray(250))));
}

TEST(ColorCount, SplitsAlongGreenBeforeRedAndRedBeforeBlue) {
  // Twenty apart in green weighs 2 · 20, more than twenty-five in blue or red: 1 · 25 and 1.4 · 25.
  const std::vector<Pixels> pixels = {{{100, 100, 100}, 1}, {{100, 120, 100}, 1}, {{100, 100, 125}, 1}};
  EXPECT_THAT(colorsOf(pixels, 2),
              ::testing::UnorderedElementsAre(near({100, 120, 100}), near({100, 100, 112})));
  const std::vector<Pixels> red = {{{100, 100, 100}, 1}, {{120, 100, 100}, 1}, {{100, 100, 125}, 1}};
  EXPECT_THAT(colorsOf(red, 2),
              ::testing::UnorderedElementsAre(near({120, 100, 100}), near({100, 100, 112})));
}

TEST(ColorCount, IsTheSameInWhateverOrderPicturesAndPixelsCome) {
  RandomColors random;
  std::vector<Pixels> pixels;
  for (int i = 0; i < 300; ++i) pixels.push_back({random.next(), 1 + random.below(20)});
  const std::vector<Rgb> once = colorsOf(pixels, 20);
  ColorCount parts;
  std::reverse(pixels.begin(), pixels.end());
  for (const Pixels& p : pixels) parts.add(imageOf({p}));
  EXPECT_EQ(parts.colors(20), once);
  EXPECT_EQ(parts.colors(20), once) << "asking changes nothing";
}

TEST(ColorCount, TakesNoPartOfAPixel) {
  Image image = imageOf({{gray(50), 1}});
  image.rgba.insert(image.rgba.end(), {255, 255, 255});
  ColorCount count;
  count.add(image);
  EXPECT_THAT(count.colors(4), ElementsAre(near(gray(50))));
}

// ------------------------------------------------------------------------------------------------------- drawing

double distance(Rgb a, Rgb b) {
  return std::hypot(1.4 * (a.r - b.r), 2.0 * (a.g - b.g), 1.0 * (a.b - b.b));
}

TEST(GifColors, WithoutDitherTakesTheNearestEverywhere) {
  RandomColors random;
  for (const std::size_t many : {1, 2, 30, 256}) {
    const std::vector<Rgb> palette = random.distinct(many);
    GifColors colors(palette, false);
    for (int i = 0; i < 300; ++i) {
      Rgb c = random.next();
      c = {static_cast<std::uint8_t>(c.r & 254), static_cast<std::uint8_t>(c.g & 254),
           static_cast<std::uint8_t>(c.b & 254)};
      double least = 1e9;
      for (const Rgb& p : palette) least = std::min(least, distance(p, c));
      const std::uint8_t index = colors.indexAt(c, random.below(100), random.below(100));
      ASSERT_LT(index, many);
      EXPECT_NEAR(distance(palette[index], c), least, 1e-3);
      EXPECT_EQ(colors.indexAt(c, i, i + 1), index);
    }
  }
}

TEST(GifColors, DrawsItsOwnColoursAsTheyAreAtEveryPixel) {
  const std::vector<Rgb> palette = RandomColors().distinct(60);
  GifColors colors(palette, true);
  EXPECT_EQ(colors.colors(), palette);
  for (std::size_t i = 0; i < palette.size(); ++i)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) EXPECT_EQ(colors.indexAt(palette[i], x, y), i);
}

/// Which pixels of a tile are white, where a grey is drawn with black and white.
std::vector<bool> tileOf(int level) {
  GifColors colors({gray(0), gray(255)}, true);
  std::vector<bool> white;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) white.push_back(colors.indexAt(gray(level), x, y) == 1);
  return white;
}
auto whites(int level) {
  const std::vector<bool> tile = tileOf(level);
  return std::count(tile.begin(), tile.end(), true);
}

TEST(GifColors, DithersAsManyPixelsOfSixtyFourAsTheColourIsFar) {
  for (const int level : {40, 64, 100, 128, 150, 200, 220}) {
    const double part = level / 255.0;
    EXPECT_NEAR(static_cast<double>(whites(level)), 64 * part, 1) << level;
  }
}

/// Dots of a part p cost 0.12 p (1 − p) of the squared distance, which pays where that is less than the p² of one colour
/// alone: from p = 0.12 / 1.12 = 0.107 on.
TEST(GifColors, LeavesOutDotsThatWouldBeSeenMoreThanTheError) {
  for (const int level : {0, 10, 26}) EXPECT_EQ(whites(level), 0) << level;
  for (const int level : {29, 40}) EXPECT_GT(whites(level), 0) << level;
  for (const int level : {255, 246, 230}) EXPECT_EQ(whites(level), 64) << level;
  EXPECT_LT(whites(226), 64);
}

TEST(GifColors, SpreadsThePixelsEvenly) {
  const std::vector<bool> half = tileOf(128), quarter = tileOf(64);
  const auto at = [](const std::vector<bool>& tile, int x, int y) {
    return tile[static_cast<std::size_t>(8 * y + x)];
  };
  for (int y = 0; y < 8; y += 2)
    for (int x = 0; x < 8; x += 2) {
      EXPECT_EQ(at(half, x, y), at(half, x + 1, y + 1)) << "a chequerboard";
      EXPECT_NE(at(half, x, y), at(half, x + 1, y));
      EXPECT_NE(at(half, x, y), at(half, x, y + 1));
      EXPECT_EQ(at(quarter, x, y) + at(quarter, x + 1, y) + at(quarter, x, y + 1) + at(quarter, x + 1, y + 1),
                1);
    }
}

/// So that a slow change of light moves no dots about.
TEST(GifColors, BrighterGreysKeepTheDotsOfDarkerOnes) {
  std::vector<bool> before = tileOf(0);
  for (int level = 2; level < 127; level += 2) {
    const std::vector<bool> now = tileOf(level);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_LE(before[i], now[i]) << level;
    before = now;
  }
}

TEST(GifColors, RepeatTheirPatternEveryEightPixels) {
  GifColors colors({gray(0), gray(255)}, true);
  const std::vector<bool> tile = tileOf(90);
  for (int y = 0; y < 24; ++y)
    for (int x = 0; x < 24; ++x)
      EXPECT_EQ(colors.indexAt(gray(90), x, y) == 1, tile[static_cast<std::size_t>(8 * (y % 8) + x % 8)]);
}

TEST(GifColors, MixANearPairRatherThanAFarOne) {
  GifColors colors({gray(0), gray(90), gray(110), gray(255)}, true);
  std::set<int> used;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) used.insert(colors.indexAt(gray(100), x, y));
  EXPECT_THAT(used, ElementsAre(1, 2));
}

TEST(GifColorsDeathTest, NeedOneColourAndNoMoreThanAByteCounts) {
  EXPECT_DEATH(GifColors({}, true), "required");
  EXPECT_DEATH(GifColors(std::vector<Rgb>(257), true), "257");
}

}  // namespace
}  // namespace slipstick::render
