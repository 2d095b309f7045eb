#include "engine/geometry/clip_polygon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace slipstick {
namespace {

/// Four sides around the origin of a plane, turned and shifted a little.
TEST(ClipPolygon, StartsWithTheQuadrangleThatFourCutsLeave) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> some(-0.3, 0.3);
  const PlaneFrame plane;
  for (int repeat = 0; repeat < 50; ++repeat) {
    HalfSpace sides[4];
    for (int k = 0; k < 4; ++k) {
      const double angle = k * 1.5707963 + some(random);
      sides[k] = {1.5 * Vec3(std::cos(angle), std::sin(angle), some(random)), 1 + some(random)};
    }
    ClipPolygon cut, quick;
    cut.startSquare(100);
    for (const HalfSpace& side : sides) ASSERT_TRUE(cut.keep(side, plane));
    const bool clockwise = repeat % 2 == 1;
    if (clockwise) std::reverse(sides, sides + 4);
    ASSERT_TRUE(quick.startWithin(sides, clockwise, plane));
    const PolygonMoments expected = PolygonMoments::of(cut.data(), cut.size()),
                         found = PolygonMoments::of(quick.data(), quick.size());
    EXPECT_EQ(quick.size(), 4);
    EXPECT_NEAR(found.area, expected.area, 1e-12);
    EXPECT_NEAR(found.x, expected.x, 1e-12);
    EXPECT_NEAR(found.y, expected.y, 1e-12);
    EXPECT_NEAR(found.xx, expected.xx, 1e-11);
  }
}

TEST(ClipPolygon, StartsWithNothingWhereFourSidesMakeATriangleOrLeaveItOpen) {
  const PlaneFrame plane;
  const auto side = [](double angle, double offset) {
    return HalfSpace{Vec3(std::cos(angle), std::sin(angle), 0), offset};
  };
  ClipPolygon polygon;
  const HalfSpace triangle[4] = {side(0, 10), side(1, 1), side(3, 1), side(5, 1)};
  EXPECT_FALSE(polygon.startWithin(triangle, false, plane));
  const HalfSpace open[4] = {side(0, 1), side(0.5, 1), side(1, 1), side(1.5, 1)};
  EXPECT_FALSE(polygon.startWithin(open, false, plane));
  EXPECT_EQ(polygon.size(), 0);
}

TEST(ClipPolygon, CutsEveryCornerOffAlike) {
  // A hexagon, cut by a line that turns around it: the same area whichever corners are outside.
  std::vector<ClipPolygon::Point> hexagon;
  for (int k = 0; k < 6; ++k) hexagon.push_back({std::cos(k * M_PI / 3), std::sin(k * M_PI / 3)});
  for (const double offset : {-0.7, -0.2, 0.4, 0.9}) {
    double first = 0;
    for (int k = 0; k < 6; ++k) {
      ClipPolygon polygon;
      polygon.start(hexagon.data(), 6);
      const double angle = 0.2 + k * M_PI / 3;
      ASSERT_TRUE(polygon.keep(std::cos(angle), std::sin(angle), offset));
      const double area = PolygonMoments::of(polygon.data(), polygon.size()).area;
      if (k == 0) first = area;
      EXPECT_NEAR(area, first, 1e-14) << offset << ' ' << k;
      EXPECT_LT(area, 1.5 * std::sqrt(3.0));
    }
  }
}

}  // namespace
}  // namespace slipstick
