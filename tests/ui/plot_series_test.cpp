// A plotted series at its ends: of what is held, of groups, of values that are none. See plots_test.cpp, too.
#include "ui/plot_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace slipstick::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

PlotSeries seriesOf(const std::vector<double>& values, std::uint64_t firstStep = 0) {
  PlotSeries series(firstStep);
  series.append(values);
  return series;
}

/// Each step by itself.
PlotSeries::Extremes oneByOne(const PlotSeries& series, std::uint64_t from, std::uint64_t to) {
  PlotSeries::Extremes found;
  for (std::uint64_t step = std::max(from, series.firstStep()); step < std::min(to, series.endStep()); ++step)
    found.include(series.value(step));
  return found;
}

/// Whole numbers: their sums are exact in any order.
std::vector<double> randomValues(std::size_t count, std::mt19937& random) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(random() % 5 == 0 ? kNone : static_cast<double>(random() % 2001) - 1000);
  return values;
}

void expectSame(const PlotSeries::Extremes& a, const PlotSeries::Extremes& b, const std::string& where) {
  EXPECT_EQ(a.lowest, b.lowest) << where;
  EXPECT_EQ(a.highest, b.highest) << where;
  EXPECT_EQ(a.sum, b.sum) << where;
  EXPECT_EQ(a.count, b.count) << where;
}

TEST(PlotSeriesEdges, HasTheValuesOfItsStepsAndNoneBeside) {
  const PlotSeries series = seriesOf({1, kNone, 3}, 10);
  EXPECT_EQ(series.firstStep(), 10u);
  EXPECT_EQ(series.endStep(), 13u);
  EXPECT_EQ(series.value(10), 1);
  EXPECT_EQ(series.value(12), 3);
  for (const std::uint64_t step : {std::uint64_t{0}, std::uint64_t{9}, std::uint64_t{11}, std::uint64_t{13},
                                   std::numeric_limits<std::uint64_t>::max()})
    EXPECT_TRUE(std::isnan(series.value(step))) << step;
}

TEST(PlotSeriesEdges, RemembersTheLastValueAcrossSteps) {
  const PlotSeries series = seriesOf({kNone, 5, kNone, kNone, 7, kNone}, 10);
  EXPECT_TRUE(std::isnan(series.lastValue(9)));
  EXPECT_TRUE(std::isnan(series.lastValue(10)));
  for (const std::uint64_t step : {11u, 12u, 13u}) EXPECT_EQ(series.lastValue(step), 5) << step;
  for (const std::uint64_t step :
       {std::uint64_t{14}, std::uint64_t{15}, std::uint64_t{99}, std::numeric_limits<std::uint64_t>::max()})
    EXPECT_EQ(series.lastValue(step), 7) << step;
}

TEST(PlotSeriesEdges, OfNothingHasNothing) {
  const PlotSeries series(5);
  EXPECT_TRUE(series.isEmpty());
  EXPECT_EQ(series.endStep(), 5u);
  EXPECT_TRUE(std::isnan(series.value(5)));
  EXPECT_TRUE(std::isnan(series.lastValue(5)));
  EXPECT_FALSE(series.extremes(0, 100).any());
  EXPECT_FALSE(seriesOf({kNone, kNone}).extremes(0, 2).any());
  EXPECT_EQ(seriesOf({kNone, kNone}).extremes(0, 2).mean(), 0);
}

TEST(PlotSeriesEdges, FindsExtremesOfStepsThatAreHeldAlone) {
  const PlotSeries series = seriesOf({4, -2, 8}, 10);
  EXPECT_EQ(series.extremes(0, 11).highest, 4);
  EXPECT_EQ(series.extremes(12, 1000).lowest, 8);
  EXPECT_EQ(series.extremes(0, std::numeric_limits<std::uint64_t>::max()).count, 3u);
  EXPECT_FALSE(series.extremes(0, 10).any());
  EXPECT_FALSE(series.extremes(13, 20).any());
  EXPECT_FALSE(series.extremes(12, 11).any()) << "backwards";
  EXPECT_FALSE(series.extremes(11, 11).any());
}

/// Groups of 16, 256, 4096 and 65536 values end here, and beside their ends.
TEST(PlotSeriesEdges, ExtremesAreRightWhereGroupsBeginAndEnd) {
  std::mt19937 random(2);
  const PlotSeries series = seriesOf(randomValues(2 * 65536 + 100, random));
  for (const std::uint64_t group : {16, 256, 4096, 65536})
    for (const std::uint64_t from : {std::uint64_t{0}, std::uint64_t{1}, group - 1, group, group + 1})
      for (const std::uint64_t to : {group, 2 * group - 1, 2 * group, 2 * group + 1})
        expectSame(series.extremes(from, to), oneByOne(series, from, to),
                   std::to_string(from) + " to " + std::to_string(to));
}

TEST(PlotSeriesEdges, HoldsMoreThanItsLargestGroups) {
  constexpr std::uint64_t kCount = 16 * 65536;
  std::vector<double> values;
  for (std::uint64_t i = 0; i < kCount; ++i) values.push_back(static_cast<double>(i));
  const PlotSeries::Extremes found = seriesOf(values).extremes(0, kCount);
  EXPECT_EQ(found.lowest, 0);
  EXPECT_EQ(found.highest, static_cast<double>(kCount - 1));
  EXPECT_EQ(found.sum, static_cast<double>(kCount * (kCount - 1) / 2)) << "exact: below 2⁵³";
}

TEST(PlotSeriesEdges, GrowsByPiecesAsItWouldAtOnce) {
  std::mt19937 random(3);
  const std::vector<double> values = randomValues(3000, random);
  const PlotSeries whole = seriesOf(values);
  PlotSeries grown;
  for (std::size_t at = 0; at < values.size();) {
    const std::size_t count = std::min<std::size_t>(random() % 40, values.size() - at);
    grown.append(std::span(values).subspan(at, count));
    at += count;
    EXPECT_EQ(grown.endStep(), at);
    expectSame(grown.extremes(0, at), whole.extremes(0, at), std::to_string(at));
  }
}

TEST(PlotSeriesEdges, MeansCountValuesAndNotSteps) {
  EXPECT_EQ(seriesOf({1, kNone, 5}).extremes(0, 3).mean(), 3);
  PlotSeries::Extremes both = seriesOf({2}).extremes(0, 1);
  both.include(seriesOf({4, 6}).extremes(0, 2));
  EXPECT_EQ(both.mean(), 4);
  both.include(PlotSeries::Extremes{});
  EXPECT_EQ(both.mean(), 4);
  EXPECT_EQ(both.lowest, 2);
  EXPECT_EQ(both.highest, 6);
}

TEST(PlotSeriesEdges, InfinityIsAValue) {
  const double infinite = std::numeric_limits<double>::infinity();
  const PlotSeries::Extremes found = seriesOf({1, infinite, -infinite}).extremes(0, 3);
  EXPECT_EQ(found.highest, infinite);
  EXPECT_EQ(found.lowest, -infinite);
  EXPECT_EQ(found.count, 3u);
}

}  // namespace
}  // namespace slipstick::ui
