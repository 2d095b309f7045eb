// Simulated against wall time, by clocks that the tests set.
#include "engine/runtime/rate_meter.h"

#include <gtest/gtest.h>

namespace slipstick {
namespace {

using namespace std::chrono_literals;

RateMeter::Clock::time_point at(std::chrono::milliseconds wall) {
  return RateMeter::Clock::time_point(wall);
}

TEST(RateMeter, KnowsNothingBeforeTwoSteps) {
  RateMeter meter;
  EXPECT_EQ(meter.rate(), 0);
  EXPECT_EQ(meter.meanStepWall(), 0);
  meter.add(at(0ms), 5, 0.25);
  EXPECT_EQ(meter.rate(), 0);
  EXPECT_EQ(meter.meanStepWall(), 0.25);
}

TEST(RateMeter, TheRateIsSimulatedByWallTimeBetweenTheFirstAndTheLast) {
  RateMeter meter;
  meter.add(at(1000ms), 0.5, 0.1);
  meter.add(at(1200ms), 0.6, 0.2);
  meter.add(at(1400ms), 1.3, 0.6);
  EXPECT_DOUBLE_EQ(meter.rate(), 0.8 / 0.4);
  EXPECT_DOUBLE_EQ(meter.meanStepWall(), 0.3);
}

TEST(RateMeter, StepsOfMoreThanASecondAgoCountNoMore) {
  RateMeter meter;
  for (int i = 0; i <= 10; ++i) meter.add(at(i * 100ms), 0, 9);  // stands still for a second …
  for (int i = 1; i <= 10; ++i) meter.add(at(1000ms + i * 100ms), i * 0.5, 1);  // … and then goes at 5
  EXPECT_DOUBLE_EQ(meter.rate(), 5) << "the oldest is that of one second ago";
  EXPECT_DOUBLE_EQ(meter.meanStepWall(), (9 + 10 * 1) / 11.0);
}

TEST(RateMeter, TwoStepsAreKeptHoweverSlowTheyAre) {
  RateMeter meter;
  meter.add(at(0ms), 0, 1);
  meter.add(at(10'000ms), 1, 10);
  EXPECT_DOUBLE_EQ(meter.rate(), 0.1);
  meter.add(at(30'000ms), 2, 20);
  EXPECT_DOUBLE_EQ(meter.rate(), 0.05) << "of the last two";
  EXPECT_DOUBLE_EQ(meter.meanStepWall(), 15);
}

TEST(RateMeter, OfMoreStepsThanItHasRoomForTheLastCount) {
  RateMeter meter;
  double time = 0;
  for (int i = 0; i < 1000; ++i) meter.add(at(0ms) + i * 100us, time, 1);  // all within a tenth of a second
  EXPECT_EQ(meter.rate(), 0);
  // As many as it holds, and so no other: 0.1 s each, at 100 µs.
  for (int i = 0; i < 256; ++i) meter.add(at(100ms) + i * 100us, time += 0.1, 2);
  EXPECT_NEAR(meter.rate(), 0.1 / 100e-6, 1e-6);
  EXPECT_DOUBLE_EQ(meter.meanStepWall(), 2);
}

TEST(RateMeter, WhereNoTimePassesThereIsNoRate) {
  RateMeter meter;
  meter.add(at(7ms), 0, 0);
  meter.add(at(7ms), 1, 0);
  EXPECT_EQ(meter.rate(), 0);
}

TEST(RateMeter, ARestartForgetsWhatWasBefore) {
  RateMeter meter;
  for (int i = 0; i < 300; ++i) meter.add(at(i * 1ms), i, 9);
  meter.restart();
  EXPECT_EQ(meter.rate(), 0);
  EXPECT_EQ(meter.meanStepWall(), 0);
  meter.add(at(900ms), 2, 1);
  meter.add(at(1000ms), 2.5, 3);
  EXPECT_DOUBLE_EQ(meter.rate(), 0.5 / 0.1);
  EXPECT_DOUBLE_EQ(meter.meanStepWall(), 2);
}

TEST(RateMeter, GoingBackInSimulatedTimeIsToldAsItIs) {
  RateMeter meter;
  meter.add(at(0ms), 4, 1);
  meter.add(at(500ms), 3, 1);
  EXPECT_DOUBLE_EQ(meter.rate(), -2);
}

}  // namespace
}  // namespace slipstick
