// The lines that a series is drawn with: nothing of it is lost, however few places there are.
#include "ui/plot_strokes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <set>

namespace slipstick::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

PlotSeries seriesOf(const std::vector<double>& values, std::uint64_t firstStep = 0) {
  PlotSeries series(firstStep);
  series.append(values);
  return series;
}

/// All of a series, drawn where its steps and values are.
SeriesStretch allOf(const PlotSeries& series, std::uint64_t stride = 1) {
  SeriesStretch stretch;
  stretch.begin = series.firstStep();
  stretch.end = series.endStep();
  stretch.stride = stride;
  stretch.xOf = [](double step) { return step; };
  stretch.yOf = [](double value) { return value; };
  return stretch;
}

struct Stroke {
  QPolygonF points;
  std::uint64_t step;
};
std::vector<Stroke> strokesOf(const PlotSeries& series, const SeriesStretch& stretch) {
  std::vector<Stroke> strokes;
  forEachStroke(series, stretch, [&](const QPolygonF& points, std::uint64_t step) {
    strokes.push_back({points, step});
  });
  return strokes;
}
std::vector<QPolygonF> linesOf(const PlotSeries& series, const SeriesStretch& stretch) {
  std::vector<QPolygonF> lines;
  for (const Stroke& stroke : strokesOf(series, stretch)) lines.push_back(stroke.points);
  return lines;
}

using Lines = std::vector<QPolygonF>;

TEST(PlotStrokes, AreALineOfOnePointPerStep) {
  const PlotSeries series = seriesOf({1, 3, 2}, 10);
  EXPECT_EQ(linesOf(series, allOf(series)), (Lines{{{10, 1}, {11, 3}, {12, 2}}}));
}

TEST(PlotStrokes, StandWhereTheStretchSays) {
  const PlotSeries series = seriesOf({1, 3, 2, 5});
  SeriesStretch stretch = allOf(series);
  stretch.begin = 1;
  stretch.end = 3;
  stretch.xOf = [](double step) { return 100 + 10 * step; };
  stretch.yOf = [](double value) { return -value; };
  EXPECT_EQ(linesOf(series, stretch), (Lines{{{110, -3}, {120, -2}}}));
}

TEST(PlotStrokes, AreNoneOfNothing) {
  EXPECT_TRUE(linesOf(PlotSeries(), allOf(PlotSeries())).empty());
  const PlotSeries empty = seriesOf({kNone, kNone});
  EXPECT_TRUE(linesOf(empty, allOf(empty)).empty());
  const PlotSeries series = seriesOf({1, 2});
  SeriesStretch stretch = allOf(series);
  stretch.begin = stretch.end;
  EXPECT_TRUE(linesOf(series, stretch).empty());
}

TEST(PlotStrokes, EndWhereThereIsNoValueUnlessThatIsBridged) {
  const PlotSeries series = seriesOf({kNone, 1, 2, kNone, kNone, 3, kNone});
  SeriesStretch stretch = allOf(series);
  EXPECT_EQ(linesOf(series, stretch), (Lines{{{1, 1}, {2, 2}}, {{5, 3}}}));
  EXPECT_EQ(strokesOf(series, stretch).back().step, 5u) << "where it begins";
  stretch.bridged = true;
  EXPECT_EQ(linesOf(series, stretch), (Lines{{{1, 1}, {2, 2}, {5, 3}}}));
}

TEST(PlotStrokes, OfSharedPlacesGoToLowestAndHighestOnTheShortestWay) {
  const PlotSeries series = seriesOf({1, 5, 4, 8, 3, 0, 6, 6});
  EXPECT_EQ(linesOf(series, allOf(series, 2)),
            (Lines{{{0, 5}, {0, 1}, {2, 4}, {2, 8}, {4, 3}, {4, 0}, {6, 6}}}))
      << "from 8 the nearer of 0 and 3 comes first";
}

/// The same steps share a place however the stretch moves: a curve does not flicker while time goes on.
TEST(PlotStrokes, ShareAPlaceFromMultiplesOfTheStrideOn) {
  const PlotSeries series = seriesOf({9, 1, 2, 7, 4, 3, 8, 5, 6, 0});
  SeriesStretch stretch = allOf(series, 4);
  const Lines whole = linesOf(series, stretch);
  ASSERT_EQ(whole.size(), 1u);
  stretch.begin = 2;
  const Lines later = linesOf(series, stretch);
  ASSERT_EQ(later.size(), 1u);
  EXPECT_EQ(later[0].mid(0, 2), (QPolygonF{{0, 7}, {0, 2}})) << "of the first place what is left of it";
  EXPECT_EQ(later[0].mid(2), whole[0].mid(2));
}

TEST(PlotStrokes, ChangeWhereSlipBeginsOrEndsAndStayConnected) {
  const PlotSeries series = seriesOf({1, 2, 3, 4, 5, 6});
  SeriesStretch stretch = allOf(series);
  stretch.slips = [](std::uint64_t step) { return step == 2 || step == 3; };
  const std::vector<Stroke> strokes = strokesOf(series, stretch);
  ASSERT_EQ(strokes.size(), 3u);
  EXPECT_EQ(strokes[0].points, (QPolygonF{{0, 1}, {1, 2}}));
  EXPECT_EQ(strokes[1].points, (QPolygonF{{1, 2}, {2, 3}, {3, 4}}));
  EXPECT_EQ(strokes[2].points, (QPolygonF{{3, 4}, {4, 5}, {5, 6}}));
  EXPECT_EQ(strokes[1].step, 2u);
  EXPECT_EQ(strokes[2].step, 4u);
}

TEST(PlotStrokes, SayWhichStepIsTheirFirst) {
  const PlotSeries series = seriesOf({1, 2, 3, 4, kNone, 6, 7, 8}, 10);
  const std::vector<Stroke> strokes = strokesOf(series, allOf(series));
  ASSERT_EQ(strokes.size(), 2u);
  EXPECT_EQ(strokes[0].step, 10u);
  EXPECT_EQ(strokes[1].step, 15u);
}

/// The first place begins before the stretch. What is asked about a stroke's first step is of one that is drawn.
TEST(PlotStrokes, DoNotBeginBeforeTheirStretch) {
  const PlotSeries series = seriesOf({1, 2, 3, 4, 5, 6, 7, 8});
  SeriesStretch stretch = allOf(series, 4);
  stretch.begin = 2;
  const auto slips = [](std::uint64_t step) { return step >= 2; };
  stretch.slips = slips;
  const std::vector<Stroke> strokes = strokesOf(series, stretch);
  ASSERT_EQ(strokes.size(), 1u);
  EXPECT_EQ(strokes[0].step, 2u);
  EXPECT_TRUE(slips(strokes[0].step)) << "its colour";
}

/// What comes before it is the end of the stroke before.
TEST(PlotStrokes, SlipAllTheWayAsTheirFirstStepDoes) {
  std::mt19937 random(2);
  for (int run = 0; run < 300; ++run) {
    std::vector<double> values;
    for (std::size_t i = 0, n = random() % 60; i < n; ++i)
      values.push_back(random() % 4 == 0 ? kNone : static_cast<double>(random() % 3));
    const PlotSeries series = seriesOf(values, random() % 10);
    SeriesStretch stretch = allOf(series, std::uint64_t{1} << random() % 4);
    stretch.begin += random() % 5;
    stretch.bridged = run % 2 == 0;
    const std::uint64_t period = 1 + random() % 9;
    stretch.slips = [=](std::uint64_t step) { return step / period % 2 == 1; };
    for (const auto& [points, step] : strokesOf(series, stretch)) {
      EXPECT_TRUE(step >= stretch.begin && step < stretch.end) << step;
      std::set<std::uint64_t> places;
      for (const QPointF& point : points) places.insert(static_cast<std::uint64_t>(point.x()));
      const auto first = places.find(step / stretch.stride * stretch.stride);
      ASSERT_LE(std::distance(places.begin(), first), 1) << step;
      for (auto place = first; place != places.end(); ++place)
        EXPECT_EQ(stretch.slips(std::max(*place, stretch.begin)), stretch.slips(step)) << step;
    }
  }
}

TEST(PlotStrokes, DoNotConnectAcrossAGapBehindWhichItSlips) {
  const PlotSeries series = seriesOf({1, 2, kNone, 4, 5});
  SeriesStretch stretch = allOf(series);
  stretch.slips = [](std::uint64_t step) { return step >= 3; };
  EXPECT_EQ(linesOf(series, stretch), (Lines{{{0, 1}, {1, 2}}, {{3, 4}, {4, 5}}}));
}

/// Lowest and highest of what is drawn at each place; points go from left to right.
std::map<double, PlotSeries::Extremes> drawnAt(const Lines& lines) {
  std::map<double, PlotSeries::Extremes> drawn;
  double x = -1e300;
  for (const QPolygonF& line : lines) {
    EXPECT_FALSE(line.isEmpty());
    for (const QPointF& point : line) {
      EXPECT_GE(point.x(), x);
      x = point.x();
      drawn[x].include(point.y());
    }
  }
  return drawn;
}

TEST(PlotStrokes, OfAnySeriesHaveTheLowestAndHighestOfEveryPlaceAndNoneBeyond) {
  std::mt19937 random(1);
  for (int run = 0; run < 300; ++run) {
    const std::uint64_t first = random() % 20, stride = std::uint64_t{1} << random() % 6;
    std::vector<double> values;
    for (std::size_t i = 0, n = random() % 200; i < n; ++i)
      values.push_back(random() % 6 == 0 ? kNone : static_cast<double>(random() % 100));
    const PlotSeries series = seriesOf(values, first);
    SeriesStretch stretch = allOf(series, stride);
    stretch.bridged = run % 2 == 0;
    if (run % 3 == 0) stretch.slips = [](std::uint64_t step) { return step / 37 % 2 == 1; };
    const auto drawn = drawnAt(linesOf(series, stretch));
    std::size_t places = 0;
    for (std::uint64_t at = first / stride * stride; at < series.endStep(); at += stride) {
      const PlotSeries::Extremes expected = series.extremes(at, at + stride);
      if (!expected.any()) continue;
      ++places;
      const auto found = drawn.find(static_cast<double>(at));
      ASSERT_NE(found, drawn.end()) << at;
      EXPECT_EQ(found->second.lowest, expected.lowest);
      EXPECT_EQ(found->second.highest, expected.highest);
    }
    EXPECT_EQ(drawn.size(), places) << "and no others";
  }
}

}  // namespace
}  // namespace slipstick::ui
