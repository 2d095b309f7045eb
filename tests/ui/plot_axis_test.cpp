// What an axis of a plot spans, and the numbers at it.
#include "ui/plot_axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <vector>

namespace slipstick::ui {
namespace {

PlotSeries::Extremes between(double lowest, double highest) {
  PlotSeries::Extremes extremes;
  extremes.include(lowest);
  extremes.include(highest);
  return extremes;
}

double widthOf(const AxisRange& range) {
  return range.highest - range.lowest;
}

std::string textOf(double value, double step) {
  return tickText(value, step).toStdString();
}

// ----------------------------------------------------------------------------------------------------- axisRange

TEST(AxisRange, LeavesRoomAboveAndStandsOnZeroWhereSizesMatter) {
  const AxisRange force = axisRange(between(20, 50), "N");
  EXPECT_EQ(force.lowest, 0);
  EXPECT_DOUBLE_EQ(force.highest, 54);
  const AxisRange both = axisRange(between(-50, 50), "N");
  EXPECT_DOUBLE_EQ(both.lowest, -56);
  EXPECT_DOUBLE_EQ(both.highest, 58);
  const AxisRange down = axisRange(between(-50, -20), "N");
  EXPECT_DOUBLE_EQ(down.lowest, -53);
  EXPECT_DOUBLE_EQ(down.highest, 4) << "zero is in sight";
}

TEST(AxisRange, OfPlacesAnglesTimesAndVolumesIsAroundTheValues) {
  for (const char* unit : {"m", "rad", "s", "m^3"}) {
    const AxisRange range = axisRange(between(20, 50), unit);
    EXPECT_DOUBLE_EQ(range.lowest, 18.2) << unit;
    EXPECT_DOUBLE_EQ(range.highest, 52.4) << unit;
  }
}

TEST(AxisRange, DoesNotShowNoiseLarge) {
  const AxisRange force = axisRange(between(0, 1e-9), "N");
  EXPECT_EQ(force.lowest, 0);
  EXPECT_DOUBLE_EQ(force.highest, 1.08e-3) << "a thousandth of the unit, and room";
  const AxisRange place = axisRange(between(2, 2 + 1e-9), "m");
  EXPECT_NEAR(widthOf(place), 1.14e-4, 1e-12);
  EXPECT_NEAR((place.lowest + place.highest) / 2, 2, 2e-6)
      << "in the middle, less the difference of the rooms";
  const AxisRange far = axisRange(between(1e4, 1e4 + 1e-6), "m");
  EXPECT_NEAR(widthOf(far), 1.14e-2, 1e-9) << "a millionth of the distance from zero";
}

TEST(AxisRange, IsThereWithoutValues) {
  for (const char* unit : {"N", "m", ""}) {
    const AxisRange range = axisRange({}, unit);
    EXPECT_LE(range.lowest, 0) << unit;
    EXPECT_GT(range.highest, 0) << unit;
  }
}

TEST(AxisRange, OfAnyValuesIsNotEmptyAndHoldsThem) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-12, 12), sign(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    const double a = sign(random) * std::pow(10, exponent(random));
    const double b = i % 3 == 0 ? a : sign(random) * std::pow(10, exponent(random));
    for (const char* unit : {"N", "m"}) {
      const PlotSeries::Extremes values = between(a, b);
      const AxisRange range = axisRange(values, unit);
      EXPECT_LT(range.lowest, range.highest) << a << " " << b;
      EXPECT_LE(range.lowest, values.lowest) << a << " " << b;
      EXPECT_GE(range.highest, values.highest) << a << " " << b;
    }
    const AxisRange force = axisRange(between(a, b), "N");
    EXPECT_TRUE(force.lowest <= 0 && force.highest >= 0);
  }
}

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();

/// A recording may hold any number.
TEST(AxisRange, IsOfNumbersWhateverTheValues) {
  const std::vector<double> values = {-kInfinite,
                                      -kLargest,
                                      -1e305,
                                      -2,
                                      0,
                                      1e-320,
                                      3,
                                      1e305,
                                      kLargest,
                                      kInfinite,
                                      std::numeric_limits<double>::quiet_NaN()};
  for (const double a : values)
    for (const double b : values)
      for (const char* unit : {"N", "m"}) {
        const AxisRange range = axisRange(between(a, b), unit);
        EXPECT_TRUE(std::isfinite(range.lowest) && std::isfinite(range.highest)) << a << " " << b;
        EXPECT_LT(range.lowest, range.highest) << a << " " << b;
        const double step = tickStep(widthOf(range), 5);
        ASSERT_TRUE(std::isfinite(step) && step > 0) << a << " " << b;
        int ticks = 0;
        for (double at = std::ceil(range.lowest / step) * step; at <= range.highest && ticks < 20; at += step)
          ++ticks;
        EXPECT_TRUE(ticks > 1 && ticks < 10) << ticks << " of " << a << " " << b;
      }
}

TEST(AxisRange, LeavesOutWhatIsInfinite) {
  EXPECT_DOUBLE_EQ(axisRange(between(50, kInfinite), "N").highest, 54);
  EXPECT_DOUBLE_EQ(axisRange(between(-kInfinite, -50), "N").lowest, -53);
  EXPECT_NEAR(widthOf(axisRange(between(2, kInfinite), "m")), 1.14e-4, 1e-12) << "around the 2";
  for (const auto& none : {between(-kInfinite, kInfinite), between(kInfinite, kInfinite)})
    EXPECT_DOUBLE_EQ(axisRange(none, "N").highest, axisRange({}, "N").highest);
}

// --------------------------------------------------------------------------------------------------- decadeRange

void expectDecades(double lowest, double highest, int from, int to) {
  const AxisRange range = decadeRange(between(lowest, highest));
  EXPECT_DOUBLE_EQ(range.lowest, std::pow(10, from)) << lowest << " to " << highest;
  EXPECT_DOUBLE_EQ(range.highest, std::pow(10, to)) << lowest << " to " << highest;
}

TEST(DecadeRange, IsOfWholeDecadesAndOneOfThemAtLeast) {
  expectDecades(2, 300, 0, 3);
  expectDecades(1e-5, 1e-2, -5, -2);
  expectDecades(5, 5, 0, 1);
  expectDecades(10, 10, 0, 1);
}

TEST(DecadeRange, EndsSixBelowTheHighest) {
  expectDecades(1e-12, 0.5, -6, 0);
  expectDecades(0, 70, -4, 2);
  expectDecades(-8, 70, -4, 2);
}

TEST(DecadeRange, IsThereWithoutAnyAboveZero) {
  expectDecades(-3, 0, -6, 0);
  EXPECT_DOUBLE_EQ(decadeRange({}).lowest, 1e-6);
  EXPECT_DOUBLE_EQ(decadeRange({}).highest, 1);
}

TEST(DecadeRange, IsOfNumbersWhateverTheValues) {
  expectDecades(20, kInfinite, 1, 2);
  expectDecades(kInfinite, kInfinite, -6, 0);
  for (const double a : {-kInfinite, -1.0, 0.0, 5e-324, 1e-310, 1e-290, 1.0, 1e305, kLargest, kInfinite})
    for (const double b : {-kInfinite, 0.0, 5e-324, 1e-310, 1e-290, 1.0, 1e305, kLargest, kInfinite}) {
      const AxisRange range = decadeRange(between(a, b));
      EXPECT_GT(range.lowest, 0) << a << " " << b;
      EXPECT_TRUE(std::isnormal(range.lowest) && std::isfinite(range.highest)) << a << " " << b;
      EXPECT_GT(range.highest / range.lowest, 9.99) << a << " " << b;
      EXPECT_LT(range.highest / range.lowest, 1.01e6) << a << " " << b;
    }
}

// ------------------------------------------------------------------------------------------------------ tickStep

TEST(TickStep, IsOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_DOUBLE_EQ(tickStep(10, 10), 1);
  EXPECT_DOUBLE_EQ(tickStep(10, 9), 2);
  EXPECT_DOUBLE_EQ(tickStep(10, 5), 2);
  EXPECT_DOUBLE_EQ(tickStep(10, 4), 5);
  EXPECT_DOUBLE_EQ(tickStep(10, 2), 5);
  EXPECT_DOUBLE_EQ(tickStep(10, 1.5), 10);
  EXPECT_DOUBLE_EQ(tickStep(0.03, 4), 0.01);
  EXPECT_DOUBLE_EQ(tickStep(7e6, 3), 5e6);
}

TEST(TickStep, FillsTheRangeWithNoMoreThanItsCountAndMoreThanTwoFifthsOfThat) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-9, 9), counts(1, 30);
  for (int i = 0; i < 3000; ++i) {
    const double range = std::pow(10, exponent(random)), count = counts(random),
                 step = tickStep(range, count);
    EXPECT_LE(range / step, count * (1 + 1e-12)) << range;
    EXPECT_GT(range / step, 0.4 * count * (1 - 1e-12)) << "the next finer one would be too many: " << range;
    const double mantissa = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
    EXPECT_TRUE(std::abs(mantissa - 1) < 1e-9 || std::abs(mantissa - 2) < 1e-9 ||
                std::abs(mantissa - 5) < 1e-9)
        << step;
  }
}

TEST(TickStep, OfNothingIsMoreThanNothing) {
  EXPECT_GT(tickStep(0, 5), 0);
  EXPECT_GT(tickStep(-1, 5), 0);
}

// ----------------------------------------------------------------------------------------------------- the numbers

TEST(DecimalsOf, AreAsManyAsTellTicksApart) {
  for (const double step : {1.0, 2.0, 5.0, 10.0, 2000.0}) EXPECT_EQ(decimalsOf(step), 0) << step;
  for (const double step : {0.5, 0.2, 0.1}) EXPECT_EQ(decimalsOf(step), 1) << step;
  for (const double step : {0.05, 0.02, 0.01}) EXPECT_EQ(decimalsOf(step), 2) << step;
  for (const double step : {5e-6, 1e-6, 1e-9}) EXPECT_EQ(decimalsOf(step), 6) << step;
  for (int k = 0; k <= 6; ++k) EXPECT_EQ(decimalsOf(std::pow(10, -k)), k) << "whichever way it was rounded";
}

TEST(TickText, HasTheDecimalsOfItsStep) {
  EXPECT_EQ(textOf(3, 1), "3");
  EXPECT_EQ(textOf(0.5, 0.5), "0.5");
  EXPECT_EQ(textOf(0.30000000000000004, 0.1), "0.3");
  EXPECT_EQ(textOf(2, 0.05), "2.00");
  EXPECT_EQ(textOf(-1.5, 0.5), "\u22121.5");
  EXPECT_EQ(textOf(500, 500), "500");
}

TEST(TickText, OfLargeStepsCountsThousandsAndMillions) {
  EXPECT_EQ(textOf(12000, 1000), "12k");
  EXPECT_EQ(textOf(-5000, 5000), "\u22125k");
  EXPECT_EQ(textOf(3e6, 1e6), "3M");
  EXPECT_EQ(textOf(2e9, 5e8), "2000M");
  EXPECT_EQ(textOf(12000, 500), "12000") << "thousands would not tell them apart";
}

/// Adding up steps does not end at zero exactly.
TEST(TickText, OfWhatRoundingLeavesOfZeroIsZero) {
  for (const double step : {1e-9, 0.1, 1.0, 1e3, 1e6}) {
    EXPECT_EQ(textOf(0, step), "0");
    EXPECT_EQ(textOf(1e-12 * step, step), "0");
    EXPECT_EQ(textOf(-1e-12 * step, step), "0");
  }
}

TEST(TickText, OfNoNumberIsADash) {
  EXPECT_EQ(textOf(std::numeric_limits<double>::quiet_NaN(), 1), "\u2013");
  EXPECT_EQ(textOf(std::numeric_limits<double>::infinity(), 1), "\u2013");
}

/// No two ticks of an axis look the same, and each says where it is to a hundredth of a step.
TEST(TickText, TellsAllTicksOfAnAxisApart) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-2.5, 7.5), sign(-1, 1);
  for (int i = 0; i < 1000; ++i) {
    const double size = std::pow(10, exponent(random));
    const AxisRange range = axisRange(between(sign(random) * size, sign(random) * size), "N");
    const double step = tickStep(widthOf(range), 6);
    std::set<std::string> seen;
    for (double value = std::ceil(range.lowest / step) * step; value <= range.highest; value += step) {
      const QString text = tickText(value, step);
      EXPECT_TRUE(seen.insert(text.toStdString()).second) << text.toStdString() << " twice, step " << step;
      QString digits = text;
      digits.replace(QChar(0x2212), '-').replace("k", "e3").replace("M", "e6");
      EXPECT_NEAR(digits.toDouble(), value, 0.01 * step) << text.toStdString();
    }
  }
}

/// A place at rest, drawn as large as its changes are.
TEST(TickText, TellsTicksApartThatAreFarFromZeroForTheirStep) {
  EXPECT_EQ(textOf(0.99995, 5e-5), "0.99995");
  EXPECT_EQ(textOf(1, 5e-5), "1.00000");
  EXPECT_EQ(textOf(0.5, 2e-7), "0.5000000");
}

}  // namespace
}  // namespace slipstick::ui
