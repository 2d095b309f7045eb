// Signed gaps of ellipsoids and cylinders, against formulas and sampled directions.
#include "engine/geometry/round_gap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/geometry/convex_query.h"
#include "tests/engine/geometry/contact_meshes.h"
#include "tests/engine/geometry/near_pair.h"

namespace slipstick {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kClose = 1e-8;  // [m]; ConvexGap::kAccuracy of the shapes here is 5e-9 m

Vec3 unit(std::mt19937& random) {
  std::normal_distribution<double> gauss;
  return Vec3(gauss(random), gauss(random), gauss(random)).normalized();
}

ContactGeometry geometry(ContactKind kind, ShapeType type, const Vec3& half) {
  ContactGeometry shape;
  shape.kind = kind, shape.halfExtents = half;
  shape.analytic.type = type;
  for (int i = 0; i < 3; ++i) shape.analytic.halfExtents[i] = half[i];
  shape.analytic.radius = half.x(), shape.analytic.halfLength = half.z();
  return shape;
}
ContactGeometry ellipsoid(const Vec3& radii) {
  return geometry(ContactKind::Ellipsoid, ShapeType::Ellipsoid, radii);
}
ContactGeometry cylinder(double radius, double halfLength) {
  return geometry(ContactKind::Cylinder, ShapeType::Cylinder, Vec3(radius, radius, halfLength));
}
ContactGeometry boxGeometry(const Vec3& half) {
  ContactGeometry shape = geometry(ContactKind::Polytope, ShapeType::Box, half);
  shape.polytope = Polytope::box(half);
  return shape;
}

/// What keeps two shapes apart along a direction out of A.
double widthBetween(const ContactGeometry& a, const Pose& X_WA, const ContactGeometry& b, const Pose& X_WB,
                    const Vec3& n) {
  return n.dot(X_WB * supportPoint(b, -(X_WB.R.transpose() * n)) -
               X_WA * supportPoint(a, X_WA.R.transpose() * n));
}

std::vector<ContactGeometry> convexShapes() {
  std::vector<ContactGeometry> shapes;
  shapes.push_back(ellipsoid({0.05, 0.03, 0.04}));
  shapes.push_back(ellipsoid({0.02, 0.08, 0.04}));
  shapes.push_back(cylinder(0.04, 0.035));
  shapes.push_back(cylinder(0.02, 0.08));
  shapes.push_back(boxGeometry({0.05, 0.04, 0.03}));
  return shapes;
}

/// The gap of two convex shapes is the most that keeps them apart along any direction.
TEST(ConvexGap, NoSampledDirectionKeepsTheShapesFartherApart) {
  std::mt19937 random(1);
  const std::vector<ContactGeometry> shapes = convexShapes();
  ConvexGap search;
  int overlapping = 0, apart = 0;
  for (const ContactGeometry& a : shapes)
    for (const ContactGeometry& b : shapes)
      for (int trial = 0; trial < 12; ++trial) {
        const Pose A = randomPose(random, 0.05), B = randomPose(random, 0.05);
        ConvexGap::Result found;
        const bool isNear = search.find(a, A, b, B, 0.02, found);
        const double gap = isNear ? found.gap : 0.02;
        (gap < 0 ? overlapping : apart) += isNear;
        const Vec3 n = found.normal_W;
        if (isNear) {
          EXPECT_NEAR(widthBetween(a, A, b, B, n), gap, 1e-12) << "it is along its normal";
        }
        double most = -1;
        for (int sample = 0; sample < 400; ++sample) {
          const Vec3 direction =
              sample % 2 || !isNear ? unit(random) : (n + 0.02 * unit(random)).normalized();
          most = std::max(most, widthBetween(a, A, b, B, direction));
        }
        EXPECT_TRUE(!isNear || most <= gap + found.error + kClose) << most - gap;
      }
  EXPECT_GT(overlapping, 50);
  EXPECT_GT(apart, 30);
}

TEST(ConvexGap, ShapesThatAreFartherThanTheMarginAreNotNear) {
  ConvexGap search;
  ConvexGap::Result found;
  const ContactGeometry a = ellipsoid({0.05, 0.03, 0.04}), b = cylinder(0.04, 0.035);
  EXPECT_FALSE(search.find(a, Pose(), b, Pose::translation({0.111, 0, 0}), 0.02, found));
  ASSERT_TRUE(search.find(a, Pose(), b, Pose::translation({0.109, 0, 0}), 0.02, found));
  EXPECT_NEAR(found.gap, 0.019, kClose);
  EXPECT_NEAR((found.onA_W - Vec3(0.05, 0, 0)).norm(), 0, 1e-4);
  EXPECT_NEAR((found.onB_W - Vec3(0.069, 0, 0)).norm(), 0, 1e-4);
}

TEST(ConvexGap, ShapesWithinEachOtherHaveSomeLeastDepth) {
  ConvexGap search;
  for (const ContactGeometry& a : convexShapes())
    for (const ContactGeometry& b : convexShapes()) {
      ConvexGap::Result found;
      ASSERT_TRUE(search.find(a, Pose(), b, Pose(), 1e-6, found));
      EXPECT_TRUE(found.normal_W.allFinite() && found.onA_W.allFinite() && found.onB_W.allFinite());
      EXPECT_NEAR(found.normal_W.norm(), 1, 1e-9);
      // Along x, y or z they come apart after the sum of the half extents.
      EXPECT_GE(found.gap, -(a.halfExtents + b.halfExtents).minCoeff() - 0.01 * b.halfExtents.maxCoeff());
    }
}

TEST(RoundGap, EllipsoidsOfEqualRadiiAreBalls) {
  NearPair pair(shape::Ellipsoid{Vec3::Constant(0.05)}, shape::Ellipsoid{Vec3::Constant(0.03)});
  const Vec3 n = Vec3(1, 2, -2) / 3;
  for (const double gap : {-0.01, -1e-5, 0.0, 1e-5, 0.0199}) {
    const auto& places = pair.at(Pose(), Pose::translation((0.08 + gap) * n));
    ASSERT_EQ(places.size(), 1u) << gap;
    EXPECT_NEAR(places[0].gap, gap, 1e-10);
    EXPECT_NEAR((places[0].normal_W - n).norm(), 0, 1e-6);
    EXPECT_NEAR((places[0].p_W - (0.05 + gap / 2) * n).norm(), 0, 1e-6);
  }
  EXPECT_TRUE(pair.at(Pose(), Pose::translation(0.1001 * n)).empty());
}

/// The distance apart is least on the line between, for it is the same mirrored at that line and there is one least place.
TEST(RoundGap, EllipsoidsInLineHaveTheDistanceOfTheirEnds) {
  NearPair pair(shape::Ellipsoid{Vec3(0.05, 0.03, 0.04)}, shape::Ellipsoid{Vec3(0.02, 0.08, 0.04)});
  for (const double gap : {-0.0005, 0.004}) {
    const auto& places = pair.at(Pose(), Pose::translation({0.07 + gap, 0, 0}));
    ASSERT_EQ(places.size(), 1u);
    EXPECT_NEAR(places[0].gap, gap, kClose);
    EXPECT_NEAR((places[0].normal_W - Vec3::UnitX()).norm(), 0, 1e-4);
  }
}

TEST(RoundGap, AnEllipsoidOnACornerAndOnAFaceOfABox) {
  const Vec3 half(0.05, 0.04, 0.03), diagonal = Vec3(1, 1, 1).normalized();
  NearPair ball(shape::Ellipsoid{Vec3::Constant(0.02)}, shape::Box{half});
  NearPair egg(shape::Ellipsoid{Vec3(0.02, 0.03, 0.01)}, shape::Box{half});
  for (const double gap : {-0.0005, 0.004}) {
    const auto& corner = ball.at(Pose::translation(half + (0.02 + gap) * diagonal), Pose());
    ASSERT_EQ(corner.size(), 1u);
    EXPECT_NEAR(corner[0].gap, gap, kClose);
    EXPECT_NEAR((corner[0].normal_W + diagonal).norm(), 0, 1e-4) << "out of the ball, into the box";
    const auto& face = egg.at(Pose::translation({0.01, 0, 0.04 + gap}), Pose());
    ASSERT_EQ(face.size(), 1u);
    EXPECT_NEAR(face[0].gap, gap, kClose);
    EXPECT_NEAR((face[0].p_W - Vec3(0.01, 0, 0.03 + gap / 2)).norm(), 0, 1e-4);
  }
}

TEST(RoundGap, ACylinderStandsOnABoxWithFourPointsOfItsRim) {
  NearPair pair(shape::Box{Vec3(0.2, 0.2, 0.05)}, shape::Cylinder{0.04, 0.1});
  for (const double gap : {-0.001, 0.004}) {
    const auto& places = pair.at(Pose(), Pose::fromRpy({0, 0, 0.3}, {0.01, 0, 0.1 + gap}));
    ASSERT_EQ(places.size(), 4u);
    EXPECT_EQ(featuresOf(places).size(), 4u);
    for (const RigidContactPoint& place : places) {
      EXPECT_NEAR(place.gap, gap, 1e-12);
      EXPECT_NEAR((place.normal_W - Vec3::UnitZ()).norm(), 0, 1e-12);
      EXPECT_NEAR(std::hypot(place.p_W.x() - 0.01, place.p_W.y()), 0.04, 1e-12);
      EXPECT_NEAR(place.p_W.z(), 0.05 + gap / 2, 1e-12);
    }
  }
}

/// Of its rim, the point at x = 0.02 is over the box; the box's side x = 0.05 cuts the rim at y² = 0.04² − 0.01².
TEST(RoundGap, ACylinderOverTheSideOfABoxStandsOnWhereItsRimIsCut) {
  NearPair pair(shape::Box{Vec3::Constant(0.05)}, shape::Cylinder{0.04, 0.1});
  for (const double gap : {-0.001, 0.004}) {
    const auto& places = pair.at(Pose(), Pose::translation({0.06, 0, 0.1 + gap}), 0.01);
    ASSERT_EQ(places.size(), 3u);
    EXPECT_EQ(featuresOf(places).size(), 3u);
    double low = 1, high = -1, left = 1;
    for (const RigidContactPoint& place : places) {
      EXPECT_NEAR(place.gap, gap, 1e-12);
      low = std::min(low, place.p_W.y()), high = std::max(high, place.p_W.y());
      left = std::min(left, place.p_W.x());
    }
    EXPECT_NEAR(low, -std::sqrt(0.0015), 1e-12);
    EXPECT_NEAR(high, std::sqrt(0.0015), 1e-12);
    EXPECT_NEAR(left, 0.02, 1e-12);
  }
}

/// Shifted by 0.02 each has one rim point over the other, and the rims cross at y² = 0.04² − 0.01².
TEST(RoundGap, CylindersStackOnTheirRims) {
  NearPair pair(shape::Cylinder{0.04, 0.1}, shape::Cylinder{0.04, 0.06});
  for (const double gap : {-0.001, 0.004}) {
    const auto& centred = pair.at(Pose(), Pose::fromRpy({0, 0, 0.3}, {0, 0, 0.08 + gap}));
    ASSERT_EQ(centred.size(), 4u);
    for (const RigidContactPoint& place : centred) EXPECT_NEAR(place.gap, gap, 1e-12);
    const auto& shifted = pair.at(Pose(), Pose::translation({0.02, 0, 0.08 + gap}));
    ASSERT_EQ(shifted.size(), 4u);
    EXPECT_EQ(featuresOf(shifted).size(), 4u);
    Vec3 low = Vec3::Ones(), high = -low;
    for (const RigidContactPoint& place : shifted) {
      EXPECT_NEAR(place.gap, gap, 1e-12);
      low = low.cwiseMin(place.p_W), high = high.cwiseMax(place.p_W);
    }
    EXPECT_NEAR((low.head<2>() - Eigen::Vector2d(-0.02, -std::sqrt(0.0015))).norm(), 0, 1e-12);
    EXPECT_NEAR((high.head<2>() - Eigen::Vector2d(0.04, std::sqrt(0.0015))).norm(), 0, 1e-12);
  }
}

TEST(RoundGap, ParallelCylindersMeetAlongTheShorterAndCrossedOnesInOnePlace) {
  NearPair pair(shape::Cylinder{0.04, 0.1}, shape::Cylinder{0.03, 0.06});
  for (const double gap : {-0.001, 0.004}) {
    const auto& parallel = pair.at(Pose(), Pose::translation({0.07 + gap, 0, 0.01}), 0.01);
    ASSERT_EQ(parallel.size(), 2u);
    for (const RigidContactPoint& place : parallel) {
      EXPECT_NEAR(place.gap, gap, 1e-12);
      EXPECT_NEAR((place.normal_W - Vec3::UnitX()).norm(), 0, 1e-9);
      EXPECT_NEAR(std::abs(place.p_W.z() - 0.01), 0.03, 1e-9);
    }
    const auto& crossed = pair.at(Pose(), Pose::fromRpy({kPi / 2, 0, 0}, {0.07 + gap, 0, 0.01}), 0.01);
    ASSERT_EQ(crossed.size(), 1u);
    EXPECT_NEAR(crossed[0].gap, gap, kClose);
    EXPECT_NEAR((crossed[0].normal_W - Vec3::UnitX()).norm(), 0, 1e-4);
    EXPECT_NEAR((crossed[0].p_W - Vec3(0.04 + gap / 2, 0, 0.01)).norm(), 0, 1e-4);
  }
}

TEST(RoundGap, ACylinderLiesOnTheEndsOfItsLine) {
  NearPair pair(shape::Box{Vec3(0.2, 0.08, 0.05)}, shape::Cylinder{0.04, 0.1});
  for (const double gap : {-0.001, 0.004}) {
    Pose lying = Pose::fromRpy({kPi / 2, 0, 0}, {0.01, 0, 0.09 + gap});
    lying.R = lying.R * Pose::fromRpy({0, 0, kPi / 4}, Vec3::Zero()).R;
    const auto within = pair.at(Pose(), lying, 0.01);
    ASSERT_EQ(within.size(), 2u);
    lying.p.y() = 0.07;
    const auto beyond = pair.at(Pose(), lying, 0.01);
    ASSERT_EQ(beyond.size(), 2u);
    for (const RigidContactPoint& place : beyond) EXPECT_NEAR(place.gap, gap, 1e-12);
    for (const RigidContactPoint& place : within) EXPECT_NEAR(place.gap, gap, 1e-12);
    EXPECT_NEAR(std::max(beyond[0].p_W.y(), beyond[1].p_W.y()), 0.08, 1e-12) << "cut off at the side";
    EXPECT_NEAR(std::min(beyond[0].p_W.y(), beyond[1].p_W.y()), 0.02, 1e-12);
  }
}

/// The gap changes no faster than a body moves, through 0; but for faces that decide where edges are hardly less deep.
TEST(RoundGap, TheGapGoesOnThroughZero) {
  std::mt19937 random(2);
  const std::vector<Shape> shapes = {shape::Cylinder{0.04, 0.07}, shape::Ellipsoid{Vec3(0.05, 0.03, 0.04)},
                                     shape::Box{Vec3(0.05, 0.04, 0.03)}, sphereMesh(0.04, 5)};
  constexpr double kStep = 2e-4;
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t b = 0; b < shapes.size(); ++b) {
      NearPair pair(shapes[a], shapes[b]);
      for (int trial = 0; trial < 2; ++trial) {
        const Vec3 direction = unit(random);
        const Pose A = randomPose(random, 0.01);
        Pose B = randomPose(random, 0.01);
        B.p = A.p + 0.12 * direction;
        double last = 1;
        for (int step = 0; step < 600; ++step) {
          B.p -= kStep * direction;
          const auto& places = pair.at(A, B, 0.02);
          if (places.empty()) continue;
          const double gap = leastOf(places).gap;
          EXPECT_TRUE(last == 1 || std::abs(gap - last) <= kStep + 1e-7 + 0.06 * std::abs(gap))
              << a << ' ' << b << ' ' << step << ' ' << last << ' ' << gap;
          last = gap;
          if (gap < -0.002) break;
        }
        EXPECT_LT(last, 0);
      }
    }
}

TEST(RoundGap, PartingTheShapesByTheirDepthBringsThemToTouch) {
  constexpr double kFlatOfA = 1e-3 * 0.05;  // what a flat of A may be deeper by, and decide [m]
  std::mt19937 random(3);
  const std::vector<Shape> shapes = {shape::Cylinder{0.04, 0.07}, shape::Ellipsoid{Vec3(0.05, 0.03, 0.04)},
                                     shape::Box{Vec3(0.05, 0.04, 0.03)}};
  for (std::size_t a = 0; a < 2; ++a)
    for (const Shape& b : shapes) {
      NearPair pair(shapes[a], b);
      for (int trial = 0; trial < 15; ++trial) {
        const Pose A = randomPose(random, 0.05);
        Pose B = randomPose(random, 0.05);
        const auto& places = pair.at(A, B);
        if (places.empty() || leastOf(places).gap >= 0) continue;
        const RigidContactPoint deepest = leastOf(places);
        B.p -= deepest.gap * deepest.normal_W;
        const auto& parted = pair.at(A, B);
        ASSERT_FALSE(parted.empty());
        EXPECT_GT(leastOf(parted).gap, -kFlatOfA);
        EXPECT_LT(leastOf(parted).gap, 1e-5 - 0.06 * deepest.gap)
            << "no deeper than it must be, but for edges";
      }
    }
}

}  // namespace
}  // namespace slipstick
