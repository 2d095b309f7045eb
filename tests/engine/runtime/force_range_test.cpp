// The largest lasting force, by its closed form; what a history makes of it is in history_test.cpp.
#include "engine/runtime/force_range.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slipstick {
namespace {

constexpr double kSmooth = 0.05;  // [s]

StepFacts pressed(double time, const std::vector<double>& forces) {
  StepFacts step;
  step.time = time;
  for (const double force : forces)
    step.contactWrench.push_back({Vec3(0, 0.6 * force, -0.8 * force), Vec3(9e9, 0, 0)});
  return step;
}

TEST(ForceRange, OfNothingIsNothing) {
  ForceRange range;
  EXPECT_EQ(range.largest(), 0);
  EXPECT_EQ(range.update(pressed(0, {}), nullptr), 0);
  EXPECT_EQ(range.update(pressed(1, {}), nullptr), 0);
}

TEST(ForceRange, ASteadyForceComesInExponentially) {
  ForceRange range;
  EXPECT_EQ(range.update(pressed(2, {10}), nullptr), 0) << "nothing has lasted yet";
  for (int step = 1; step <= 100; ++step) {
    const double lasted = 0.003 * step;
    EXPECT_NEAR(range.update(pressed(2 + lasted, {10}), nullptr), 10 * (1 - std::exp(-lasted / kSmooth)),
                1e-9);
  }
}

TEST(ForceRange, DoesNotDependOnHowLongStepsAre) {
  ForceRange one, many;
  one.update(pressed(0, {10}), nullptr);
  one.update(pressed(0.05, {10}), nullptr);
  for (int step = 0; step <= 50; ++step) many.update(pressed(0.001 * step, {10}), nullptr);
  EXPECT_NEAR(one.largest(), many.largest(), 1e-9);
}

TEST(ForceRange, NeverShrinks) {
  ForceRange range;
  range.update(pressed(0, {10}), nullptr);
  const double largest = range.update(pressed(1, {10}), nullptr);
  EXPECT_NEAR(largest, 10, 1e-6);
  for (int step = 2; step < 9; ++step) EXPECT_EQ(range.update(pressed(step, {0}), nullptr), largest);
}

TEST(ForceRange, EachBodyIsSmoothedByItself) {
  ForceRange range;
  // By turns on one of two bodies: neither has much of it for long.
  for (int step = 0; step <= 4000; ++step) {
    const bool first = step % 2 == 0;
    range.update(pressed(0.0001 * step, {first ? 10.0 : 0.0, first ? 0.0 : 10.0}), nullptr);
  }
  EXPECT_NEAR(range.largest(), 5, 0.05);
}

TEST(ForceRange, GoesOnFromWhereAnotherHasBeen) {
  ForceRange range(4, 1);
  EXPECT_EQ(range.largest(), 4);
  EXPECT_EQ(range.update(pressed(1.001, {10}), nullptr), 4) << "it takes a while to be more";
  EXPECT_NEAR(range.update(pressed(2, {10}), nullptr), 10, 1e-6);
  ForceRange other(0, 1);
  EXPECT_NEAR(other.update(pressed(1 + kSmooth, {10}), nullptr), 10 * (1 - std::exp(-1)), 1e-9)
      << "its time is that of the step before";
}

TEST(ForceRange, WhereNothingCanMoveAllCounts) {
  Model model;
  model.compositeOf = {0, 0};
  ForceRange range;
  range.update(pressed(0, {0, 10}), &model);
  EXPECT_NEAR(range.update(pressed(5, {0, 10}), &model), 10, 1e-6);
  model.compositeOf = {0, 0, 2};
  ForceRange moving;
  moving.update(pressed(0, {0, 10, 3}), &model);
  EXPECT_NEAR(moving.update(pressed(5, {0, 10, 3}), &model), 3, 1e-6);
}

TEST(ForceRange, BodiesMayComeAndGo) {
  ForceRange range;
  range.update(pressed(0, {1}), nullptr);
  range.update(pressed(5, {1, 8}), nullptr);
  EXPECT_NEAR(range.update(pressed(10, {1, 8, 2}), nullptr), 8, 1e-6);
  EXPECT_NEAR(range.update(pressed(15, {9}), nullptr), 9, 1e-6);
}

}  // namespace
}  // namespace slipstick
