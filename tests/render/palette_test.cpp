#include "render/palette.h"

#include <gtest/gtest.h>

namespace slipstick::render {
namespace {

TEST(RoundUp125, GivesTheNextRoundNumber) {
  EXPECT_DOUBLE_EQ(roundUp125(1.2), 2);
  EXPECT_DOUBLE_EQ(roundUp125(2), 2);
  EXPECT_DOUBLE_EQ(roundUp125(2.1), 5);
  EXPECT_DOUBLE_EQ(roundUp125(7), 10);
  EXPECT_NEAR(roundUp125(0.034), 0.05, 1e-12);
  EXPECT_EQ(roundUp125(0), 0);
  EXPECT_EQ(roundUp125(-3), 0);
}

TEST(Palette, LinearAndDisplayColoursAreInverse) {
  const Eigen::Vector3f c(0.02f, 0.4f, 0.93f);
  EXPECT_LT((toSrgb(toLinear(c)) - c).norm(), 1e-5f);
}

TEST(ScalarMap, RunsFromDoughToWineAndDarkensOnTheWay) {
  EXPECT_LT((scalarMap(0) - srgb(0xD9CBA8)).norm(), 1e-6f);
  EXPECT_LT((scalarMap(1) - srgb(0x8F2338)).norm(), 1e-6f);
  EXPECT_EQ(scalarMap(7), scalarMap(1));
  for (int i = 0; i < 20; ++i) {
    const double t = i / 20.0;
    EXPECT_GT(toLinear(scalarMap(t)).dot(Eigen::Vector3f(0.21f, 0.72f, 0.07f)),
              toLinear(scalarMap(t + 0.05)).dot(Eigen::Vector3f(0.21f, 0.72f, 0.07f)));
  }
}

TEST(DivergingMap, IsPaleAtZeroBlueBelowAndRedAbove) {
  const Eigen::Vector3f below = divergingMap(-1), zero = divergingMap(0), above = divergingMap(1);
  EXPECT_GT(below.z(), below.x() + 0.3f);
  EXPECT_GT(above.x(), above.z() + 0.3f);
  EXPECT_GT(zero.minCoeff(), std::max(below.maxCoeff(), above.maxCoeff()));
  EXPECT_EQ(divergingMap(-7), below);
}

}  // namespace
}  // namespace slipstick::render
