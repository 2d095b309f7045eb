#include "engine/lanes/lane.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace slipstick::lanes;

namespace {

Pack ramp(float first, float step) {
  Pack p;
  for (int i = 0; i < Pack::kLanes; ++i) p.x[i] = first + step * static_cast<float>(i);
  return p;
}

}  // namespace

TEST(Pack, LogarithmAgreesWithTheLibraryToRounding) {
  for (float start = 1e-6f; start < 1e6f; start *= 1.37f) {
    const Pack a = ramp(start, 0.013f * start), y = log(a);
    for (int i = 0; i < Pack::kLanes; ++i) {
      const double expected = std::log(static_cast<double>(a[i]));
      EXPECT_NEAR(y[i], expected, 1.5e-7 * std::max(std::abs(expected), 1e-7)) << a[i];
    }
  }
}

TEST(Pack, LogarithmKeepsItsRelativeAccuracyNearOne) {
  const Pack a = ramp(1.0f - 8e-5f, 1e-5f), y = log(a);
  for (int i = 0; i < Pack::kLanes; ++i) {
    const double expected = std::log(static_cast<double>(a[i]));
    EXPECT_NEAR(y[i], expected, 2e-7 * std::abs(expected)) << a[i];
  }
}

TEST(Pack, ExponentialAgreesWithTheLibraryToRounding) {
  for (float start = -80; start < 80; start += 0.37f) {
    const Pack a = ramp(start, 0.02f), y = exp(a);
    for (int i = 0; i < Pack::kLanes; ++i) {
      const double expected = std::exp(static_cast<double>(a[i]));
      EXPECT_NEAR(y[i], expected, 3e-7 * expected) << a[i];
    }
  }
}

TEST(Pack, SineAgreesWithTheLibraryToRoundingWithinAQuarterTurn) {
  for (float start = -1.57f; start < 1.55f; start += 0.013f) {
    const Pack a = ramp(start, 0.001f), y = sin(a);
    for (int i = 0; i < Pack::kLanes; ++i) {
      const double expected = std::sin(static_cast<double>(a[i]));
      EXPECT_NEAR(y[i], expected, 2e-7 * std::max(std::abs(expected), 1e-3)) << a[i];
    }
  }
}

TEST(Pack, FloorRoundsTowardsMinusInfinity) {
  const Pack y = floor(ramp(-3.25f, 0.5f));
  for (int i = 0; i < Pack::kLanes; ++i) EXPECT_EQ(y[i], std::floor(-3.25f + 0.5f * static_cast<float>(i)));
  EXPECT_EQ(floor(Pack(-2.0f))[0], -2.0f);
}

TEST(Pack, AnyFindsASingleLane) {
  EXPECT_TRUE(any(ramp(0, 1) > Pack(14.5f)));
  EXPECT_FALSE(any(ramp(0, 1) > Pack(15.0f)));
  EXPECT_FALSE(any(Pack(NAN) <= Pack(1.0f)));
}
