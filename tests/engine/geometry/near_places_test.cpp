// Signed gaps between shapes, against distances that are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "tests/engine/geometry/contact_meshes.h"
#include "tests/engine/geometry/contact_scene.h"
#include "tests/engine/geometry/near_pair.h"

namespace slipstick {
namespace {

constexpr double kPi = std::numbers::pi;
const Vec3 kHalf(0.05, 0.04, 0.03);

Pose up(double z) {
  return Pose::translation({0, 0, z});
}

TEST(NearPlaces, BallsHaveTheDistanceOfTheirCentresLessTheirRadii) {
  NearPair balls(shape::Sphere{0.05}, shape::Sphere{0.03});
  const Vec3 n = Vec3(1, 2, -2) / 3;
  for (const double gap : {-0.01, -1e-6, 1e-6, 0.0199}) {
    const auto& places = balls.at(up(1), Pose::translation(Vec3(0, 0, 1) + (0.08 + gap) * n));
    ASSERT_EQ(places.size(), 1u) << gap;
    EXPECT_NEAR(places[0].gap, gap, 1e-15);
    EXPECT_NEAR((places[0].normal_W - n).norm(), 0, 1e-14);
    EXPECT_NEAR((places[0].p_W - Vec3(0, 0, 1) - (0.05 + gap / 2) * n).norm(), 0, 1e-15);
    EXPECT_NEAR(balls.laws()[0].force, 5e5 * std::max(-gap, 0.0), 1e-8) << "what is apart carries none";
  }
  EXPECT_TRUE(balls.at(Pose(), up(0.1001)).empty());
  NearPair onGround(shape::Plane{}, shape::Sphere{0.05});
  const Pose slope = Pose::fromRpy({0.3, -0.2, 0}, {1, 2, 3});
  const auto& places = onGround.at(slope, Pose::translation(slope * Vec3(7, 8, 0.057)));
  ASSERT_EQ(places.size(), 1u);
  EXPECT_NEAR(places[0].gap, 0.007, 1e-14);
  EXPECT_NEAR((places[0].normal_W - slope.R.col(2)).norm(), 0, 1e-14);
}

TEST(NearPlaces, ABoxOnAPlaneHasTheHeightsOfItsCorners) {
  NearPair pair(shape::Plane{}, shape::Box{kHalf});
  for (const double gap : {-0.002, 0.003}) {
    for (const Vec3& rpy :
         {Vec3(0, 0, 0.4), Vec3(0.02, -0.03, 1), Vec3(kPi / 4, 0, 0), Vec3(0.6, 0.7, 0.2)}) {
      Pose X = Pose::fromRpy(rpy, {3, -2, 0});
      X.p.z() = X.R.row(2).cwiseAbs().dot(kHalf) + gap;
      const auto places = pair.at(Pose(), X);
      ASSERT_FALSE(places.empty());
      EXPECT_NEAR(leastOf(places).gap, gap, 1e-15);
      std::size_t below = 0;
      for (int c = 0; c < 8; ++c) {
        const Vec3 sign(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1);
        below += (X * sign.cwiseProduct(kHalf)).z() < 0.02;
      }
      EXPECT_EQ(places.size(), below);
      EXPECT_EQ(featuresOf(places).size(), below) << "each corner has a feature of its own";
      for (const RigidContactPoint& place : places) EXPECT_NEAR(place.p_W.z(), place.gap / 2, 1e-15);
    }
  }
}

/// Of two segments, by trying many places on one of them.
double segmentDistance(const Pose& X_WA, double halfA, const Pose& X_WB, double halfB) {
  const auto distance = [&](double s) {
    const Vec3 p = X_WA * Vec3(0, 0, s), r = p - X_WB.p, axis = X_WB.R.col(2);
    return (r - std::clamp(r.dot(axis), -halfB, halfB) * axis).norm();
  };
  double low = -halfA, high = halfA;
  for (int i = 0; i < 200; ++i) {  // convex along the segment
    const double a = (2 * low + high) / 3, b = (low + 2 * high) / 3;
    (distance(a) < distance(b) ? high : low) = distance(a) < distance(b) ? b : a;
  }
  return std::min({distance(low), distance(-halfA), distance(halfA)});
}

TEST(NearPlaces, CapsulesHaveTheDistanceOfTheirAxes) {
  NearPair pair(shape::Capsule{0.02, 0.1}, shape::Capsule{0.03, 0.06});
  std::mt19937 random(1);
  int near = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Pose A = randomPose(random, 0.06), B = randomPose(random, 0.06);
    const double gap = segmentDistance(A, 0.05, B, 0.03) - 0.05;
    const auto& places = pair.at(A, B);
    ASSERT_EQ(places.empty(), gap >= 0.02) << trial;
    if (places.empty() || gap < -0.04) continue;  // axes that cross have no normal
    EXPECT_NEAR(leastOf(places).gap, gap, 1e-8);
    ++near;
  }
  EXPECT_GT(near, 100);
  const auto& parallel = pair.at(Pose(), Pose::translation({0.055, 0, 0.01}), 0.01);
  EXPECT_EQ(featuresOf(parallel), (std::set<std::pair<int, int>>{{0, 0}, {2, 0}}))
      << "the other end is farther off";
  const auto& crossed = pair.at(Pose(), Pose::fromRpy({kPi / 2, 0, 0}, {0.055, 0, 0.01}), 0.01);
  ASSERT_EQ(crossed.size(), 1u);
  EXPECT_NEAR(crossed[0].gap, 0.005, 1e-12);
  EXPECT_NEAR(crossed[0].normal_W.x(), 1, 1e-6);
}

TEST(NearPlaces, ACapsuleOnABoxRestsOnBothEnds) {
  NearPair pair(shape::Capsule{0.02, 0.06}, shape::Box{Vec3(0.1, 0.1, 0.05)});
  const Pose lying = Pose::fromRpy({0, kPi / 2, 0.3}, {0.01, 0.02, 0.073});
  const auto& places = pair.at(lying, Pose());
  ASSERT_EQ(places.size(), 2u);
  for (const RigidContactPoint& place : places) {
    EXPECT_NEAR(place.gap, 0.003, 1e-14);
    EXPECT_NEAR((place.normal_W + Vec3::UnitZ()).norm(), 0, 1e-14) << "out of the capsule, into the box";
    EXPECT_NEAR(place.p_W.z(), 0.0515, 1e-14);
  }
}

TEST(NearPlaces, ACylinderOnAPlaneHasItsLowestRim) {
  NearPair pair(shape::Plane{}, shape::Cylinder{0.04, 0.1});
  for (const double tilt : {0.0, 1e-4, 0.3, kPi / 2})
    for (const double gap : {-0.001, 0.004}) {
      Pose X = Pose::fromRpy({tilt, 0, 0.2}, Vec3::Zero());
      X.p.z() = 0.05 * std::abs(std::cos(tilt)) + 0.04 * std::sin(tilt) + gap;
      const auto& places = pair.at(Pose(), X);
      ASSERT_FALSE(places.empty());
      EXPECT_NEAR(leastOf(places).gap, gap, 1e-12) << tilt;
      EXPECT_EQ(places.size(), featuresOf(places).size());
    }
  EXPECT_EQ(pair.at(Pose(), up(0.055)).size(), 4u) << "on its cap";
}

TEST(NearPlaces, ABallHasTheDistanceOfAllConvexShapes) {
  const double r = 0.01;
  NearPair onBox(shape::Sphere{r}, shape::Box{kHalf});
  const Vec3 diagonal = Vec3(1, 1, 1).normalized();
  EXPECT_NEAR(leastOf(onBox.at(Pose::translation(kHalf + 0.015 * diagonal), Pose())).gap, 0.005, 1e-15);
  NearPair onCylinder(shape::Sphere{r}, shape::Cylinder{0.04, 0.1});
  EXPECT_NEAR(leastOf(onCylinder.at(Pose::translation({0.043, 0, 0.054}), Pose())).gap, 0.005 - r, 1e-15);
  NearPair onEgg(shape::Sphere{r}, shape::Ellipsoid{kHalf});
  EXPECT_NEAR(leastOf(onEgg.at(Pose::translation({0, 0.055, 0}), Pose())).gap, 0.005, 1e-12);
  NearPair onMesh(shape::Sphere{r}, boxMesh(kHalf));
  EXPECT_NEAR(leastOf(onMesh.at(Pose::translation(kHalf + 0.015 * diagonal), Pose())).gap, 0.005, 1e-12);
  NearPair onGround(shape::Plane{}, shape::Ellipsoid{kHalf});
  EXPECT_NEAR(leastOf(onGround.at(Pose(), Pose::fromRpy({kPi / 2, 0, 0}, {0, 0, 0.045}))).gap, 0.005, 1e-15);
}

TEST(NearPlaces, BoxesFaceToFaceShareTheCornersOfTheirOverlap) {
  NearPair pair(shape::Box{kHalf}, shape::Box{Vec3(0.02, 0.02, 0.02)});
  for (const double gap : {-0.001, 0.004}) {
    const auto& within = pair.at(Pose(), Pose::fromRpy({0, 0, 0.3}, {0.01, 0, 0.05 + gap}));
    ASSERT_EQ(within.size(), 4u);
    for (const RigidContactPoint& place : within) {
      EXPECT_NEAR(place.gap, gap, 1e-15);
      EXPECT_NEAR(place.p_W.z(), 0.03 + gap / 2, 1e-15);
      EXPECT_NEAR((place.normal_W - Vec3::UnitZ()).norm(), 0, 1e-15);
    }
    EXPECT_EQ(featuresOf(within).size(), 4u);
    const auto& beyond = pair.at(Pose(), Pose::translation({0.05, 0.04, 0.05 + gap}));
    ASSERT_EQ(beyond.size(), 4u) << "a quarter of its face";
    for (const RigidContactPoint& place : beyond) {
      EXPECT_NEAR(place.gap, gap, 1e-15);
      EXPECT_TRUE(place.p_W.x() < 0.05 + 1e-7 && place.p_W.y() < 0.04 + 1e-7);
    }
    EXPECT_EQ(featuresOf(beyond).size(), 4u) << "a corner of each, and two crossings of edges";
  }
}

TEST(NearPlaces, BoxesEdgeToEdgeAndCornerToCornerHaveOnePlace) {
  NearPair pair(shape::Box{kHalf}, shape::Box{kHalf});
  const double d = 0.005;
  const auto& corners = pair.at(Pose(), Pose::translation(2 * kHalf + Vec3(d, d, d)));
  ASSERT_EQ(corners.size(), 1u);
  EXPECT_NEAR(corners[0].gap, std::sqrt(3.0) * d, 1e-15);
  EXPECT_NEAR((corners[0].p_W - kHalf - Vec3(d, d, d) / 2).norm(), 0, 1e-15);
  const auto& parallel = pair.at(Pose(), Pose::translation({0, 2 * kHalf.y() + d, 2 * kHalf.z() + d}));
  ASSERT_FALSE(parallel.empty());
  EXPECT_NEAR(leastOf(parallel).gap, std::sqrt(2.0) * d, 1e-15);
  // An edge along x over one along y, both turned by 45 degrees.
  NearPair cubes(shape::Box{Vec3::Constant(0.05)}, shape::Box{Vec3::Constant(0.05)});
  const double reach = 0.05 * std::sqrt(2.0);
  for (const double gap : {-0.002, 0.003}) {
    const auto& crossed = cubes.at(Pose::fromRpy({kPi / 4, 0, 0}, Vec3::Zero()),
                                   Pose::fromRpy({0, kPi / 4, 0}, {0.01, 0.02, 2 * reach + gap}));
    ASSERT_EQ(crossed.size(), 1u);
    EXPECT_NEAR(crossed[0].gap, gap, 1e-14);
    EXPECT_NEAR((crossed[0].normal_W - Vec3::UnitZ()).norm(), 0, 1e-14);
    EXPECT_NEAR((crossed[0].p_W - Vec3(0.01, 0, reach + gap / 2)).norm(), 0, 1e-14);
  }
}

/// Of two boxes, by taking the nearest point of the one and of the other in turn.
double boxDistance(const Vec3& halfA, const Pose& X_WA, const Vec3& halfB, const Pose& X_WB) {
  const auto nearest = [](const Vec3& half, const Pose& X, const Vec3& p) -> Vec3 {
    return X * Vec3((X.inverse() * p).cwiseMax(-half).cwiseMin(half));
  };
  Vec3 a = X_WA.p, b = X_WB.p;
  for (int i = 0; i < 4000; ++i) b = nearest(halfB, X_WB, a), a = nearest(halfA, X_WA, b);
  return (a - b).norm();
}

TEST(NearPlaces, BoxesAndConvexMeshesAnyhowHaveTheirDistance) {
  const Vec3 halfB(0.03, 0.05, 0.04);
  NearPair boxes(shape::Box{kHalf}, shape::Box{halfB}), meshes(boxMesh(kHalf), boxMesh(halfB));
  std::mt19937 random(2);
  int apart = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const Pose A = randomPose(random, 0.06), B = randomPose(random, 0.06);
    const double distance = boxDistance(kHalf, A, halfB, B);
    const auto places = boxes.at(A, B), same = meshes.at(A, B);
    ASSERT_EQ(places.size(), same.size()) << trial;
    EXPECT_TRUE(places.empty() || distance < 0.021) << trial;
    if (distance < 1e-4 || distance > 0.019) continue;
    ++apart;
    ASSERT_FALSE(places.empty()) << trial;
    EXPECT_NEAR(leastOf(places).gap, distance, 1e-5) << trial;
    EXPECT_NEAR(leastOf(same).gap, leastOf(places).gap, 1e-8) << trial;
    EXPECT_EQ(featuresOf(places).size(), places.size()) << trial;
  }
  EXPECT_GT(apart, 40);
}

TEST(NearPlaces, BoxesThatOverlapComeApartByTheirGap) {
  const Vec3 halfB(0.03, 0.05, 0.04);
  NearPair pair(shape::Box{kHalf}, shape::Box{halfB});
  std::mt19937 random(3);
  int overlapping = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Pose A = randomPose(random, 0.05);
    Pose B = randomPose(random, 0.05);
    const auto places = pair.at(A, B);
    if (places.empty() || leastOf(places).gap >= 0) continue;
    ++overlapping;
    const RigidContactPoint deepest = leastOf(places);
    B.p -= deepest.gap * deepest.normal_W;
    const auto& parted = pair.at(A, B);
    ASSERT_FALSE(parted.empty());
    EXPECT_GT(leastOf(parted).gap, -1e-4) << trial << ", " << deepest.gap;
    EXPECT_LT(leastOf(parted).gap, 1e-4 - 0.06 * deepest.gap) << "no deeper than it must be, but for edges";
  }
  EXPECT_GT(overlapping, 50);
}

struct Posture {
  Shape a, b;
  Pose X_WB;
};

/// Pairs that lie on each other in many ways, a little apart or pressed in.
std::vector<Posture> postures() {
  const shape::Box box{kHalf}, floor{Vec3(0.2, 0.2, 0.05)};
  const shape::Cylinder can{0.04, 0.1}, rod{0.03, 0.06};
  const shape::Ellipsoid egg{Vec3(0.05, 0.03, 0.04)};
  const double reach = 0.05 * std::sqrt(2.0);
  return {{shape::Plane{}, box, up(0.031)},
          {shape::Plane{}, box, Pose::fromRpy({0.6, 0.7, 0.2}, {0, 0, 0.068})},
          {shape::Plane{}, shape::Cylinder{0.04, 0.1}, up(0.0499)},
          {shape::Plane{}, shape::Capsule{0.02, 0.1}, Pose::fromRpy({0, kPi / 2, 0}, {0, 0, 0.021})},
          {floor, box, up(0.081)},
          {floor, box, up(0.0799)},
          {box, box, up(0.061)},
          {box, box, Pose::translation({0.03, 0.02, 0.0599})},
          {box, boxMesh(kHalf), Pose::fromRpy({0, 0, 0.4}, {0.01, 0, 0.061})},
          {floor, box, Pose::fromRpy({kPi / 4, 0, 0.2}, {0, 0, 0.05 + 0.07 / std::sqrt(2.0) + 0.001})},
          {box, box, Pose::translation(2 * kHalf + Vec3(0.005, 0.004, 0.003))},
          {shape::Box{Vec3::Constant(0.05)}, shape::Box{Vec3::Constant(0.05)},
           Pose::fromRpy({0.1, kPi / 4, 0.8}, {0.11, 0, reach})},
          {shape::Capsule{0.02, 0.06}, floor, up(-0.0999) * Pose()},
          {shape::Sphere{0.02}, box, up(-0.051)},
          {can, floor, up(-0.101)},
          {can, floor, up(-0.0999)},
          {can, box, Pose::translation({-0.06, 0, -0.081})},
          {can, floor, Pose::fromRpy({kPi / 2, 0, 0}, {0, 0.091, 0.01})},
          {can, can, up(0.1001)},
          {can, can, Pose::translation({0.02, 0, 0.0999})},
          {can, rod, Pose::translation({0.071, 0, 0.01})},
          {can, rod, Pose::fromRpy({kPi / 2, 0, 0}, {0.0699, 0, 0.01})},
          {egg, floor, up(-0.0901)},
          {egg, egg, Pose::fromRpy({0.3, 0.2, 0.1}, {0.09, 0.01, 0.01})},
          {egg, can, Pose::translation({0.09, 0, 0.02})},
          {channelMesh(), box, Pose::fromRpy({0, 0, kPi / 2}, {0.003, 0.01, 0.031})},
          {channelMesh(), shape::Sphere{0.02}, Pose::translation({0.028, 0, 0.0199})},
          {channelMesh(), channelMesh(), Pose::translation({0.012, 0.05, 0.121})}};
}

TEST(NearPlaces, FeaturesAndNormalsLastAsBodiesMoveALittle) {
  std::mt19937 random(4);
  std::normal_distribution<double> gauss;
  const auto vector = [&] { return Vec3(gauss(random), gauss(random), gauss(random)); };
  int index = 0;
  for (const Posture& posture : postures()) {
    NearPair pair(posture.a, posture.b);
    const auto first = pair.at(Pose(), posture.X_WB, 0.01);
    ASSERT_FALSE(first.empty()) << index;
    EXPECT_EQ(featuresOf(first).size(), first.size()) << index;
    for (int move = 0; move < 100; ++move) {
      const Vec3 turn = 1e-6 * vector(), shift = 1e-6 * vector();
      const auto& now = pair.at(
          Pose(), Pose{Pose::fromRpy(turn, Vec3::Zero()).R * posture.X_WB.R, posture.X_WB.p + shift}, 0.01);
      std::map<std::pair<int, int>, Vec3> normals;
      for (const RigidContactPoint& place : now) normals[{place.featureA, place.featureB}] = place.normal_W;
      for (const RigidContactPoint& place : first) {
        const auto same = normals.find({place.featureA, place.featureB});
        ASSERT_NE(same, normals.end()) << index << ", move " << move;
        EXPECT_LT((same->second - place.normal_W).norm(), 1e-2) << index;
      }
    }
    ++index;
  }
}

TEST(NearPlaces, TheOtherWayRoundNormalsAndFeaturesChangeSides) {
  for (const Posture& posture : postures()) {
    NearPair forward(posture.a, posture.b), backward(posture.b, posture.a);
    const auto there = forward.at(Pose(), posture.X_WB), back = backward.at(posture.X_WB, Pose());
    ASSERT_FALSE(there.empty());
    ASSERT_FALSE(back.empty());
    EXPECT_NEAR(leastOf(there).gap, leastOf(back).gap, 2e-8);
    if (std::holds_alternative<shape::Plane>(posture.a)) {
      ASSERT_EQ(there.size(), back.size());
      for (std::size_t i = 0; i < there.size(); ++i) {
        EXPECT_NEAR((there[i].normal_W + back[i].normal_W).norm(), 0, 1e-14);
        EXPECT_EQ(there[i].featureB, back[i].featureA);
      }
    }
  }
}

/// Its base is wider than what is behind it.
shape::Mesh pyramidMesh() {
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->vertices = {{-0.06, -0.06, 0}, {0.06, -0.06, 0}, {0.06, 0.06, 0}, {-0.06, 0.06, 0}, {0, 0, -0.05}};
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}, {1, 0, 4}, {2, 1, 4}, {3, 2, 4}, {0, 3, 4}};
  return {mesh};
}

std::vector<Shape> allShapes() {
  return {shape::Plane{},
          shape::Sphere{0.05},
          shape::Box{kHalf},
          shape::Capsule{0.03, 0.06},
          shape::Cylinder{0.04, 0.07},
          shape::Ellipsoid{Vec3(0.05, 0.03, 0.04)},
          boxMesh(Vec3(0.03, 0.05, 0.04)),
          sphereMesh(0.05, 6),
          pyramidMesh(),
          channelMesh()};
}

TEST(NearPlaces, WithoutAMarginAllContactsAreThoseOfBefore) {
  std::mt19937 random(5);
  for (const Shape& a : allShapes())
    for (const Shape& b : allShapes()) {
      PairOfShapes pair(contactShape(a), contactShape(b));
      NearPair same(a, b);
      for (int trial = 0; trial < 10; ++trial) {
        const Pose A = randomPose(random, 0.04), B = randomPose(random, 0.04);
        const RigidContactSet& before = pair.at(A, B);
        const auto& now = same.at(A, B, 0);
        ASSERT_EQ(now.size(), before.points.size());
        for (std::size_t i = 0; i < now.size(); ++i) {
          EXPECT_EQ(now[i].p_W, before.points[i].p_W);
          EXPECT_EQ(now[i].gap, before.points[i].gap);
          EXPECT_EQ(now[i].featureA, -1);
          EXPECT_EQ(same.laws()[i].stiffness, before.laws[i].stiffness);
        }
      }
    }
}

/// Whether what touches is found without a margin, too: not all ellipsoids at corners and edges are, nor balls and corners in the
/// solid of a mesh that is not convex.
bool isSeenWithoutMargin(const Shape& a, const Shape& b) {
  const auto isEgg = [](const Shape& s) { return std::holds_alternative<shape::Ellipsoid>(s); };
  const auto isBall = [](const Shape& s) { return std::holds_alternative<shape::Sphere>(s); };
  const auto isSurface = [](const Shape& s) { return contactShape(s)->isSurface(); };
  const auto hasCorners = [](const Shape& s) {
    return std::holds_alternative<shape::Box>(s) || std::holds_alternative<shape::Mesh>(s) ||
           std::holds_alternative<shape::Cylinder>(s);
  };
  return !(isEgg(a) && hasCorners(b)) && !(isEgg(b) && hasCorners(a)) &&
         !(isSurface(a) && (isBall(b) || isSurface(b))) && !(isSurface(b) && isBall(a));
}

TEST(NearPlaces, RandomPosesOfAllPairsGiveSoundPlacesWhereverTheyTouch) {
  std::mt19937 random(6);
  const std::vector<Shape> shapes = allShapes();
  for (std::size_t a = 0; a < shapes.size(); ++a)
    for (std::size_t b = 0; b < shapes.size(); ++b) {
      PairOfShapes pair(contactShape(shapes[a]), contactShape(shapes[b]));
      // Of two pressure fields, patches fade out where no two faces oppose each other.
      PairOfShapes hard(contactShape(shapes[a], surfaceOf(ContactRepresentation::Rigid)),
                        contactShape(shapes[b]));
      NearPair near(shapes[a], shapes[b]);
      const bool isSeen = isSeenWithoutMargin(shapes[a], shapes[b]);
      for (int trial = 0; trial < 40; ++trial) {
        const Pose A = randomPose(random, 0.05), B = randomPose(random, 0.05);
        const auto& places = near.at(A, B, 0.01);
        EXPECT_EQ(near.laws().size(), places.size());
        for (const RigidContactPoint& place : places) {
          EXPECT_TRUE(place.p_W.allFinite());
          EXPECT_NEAR(place.normal_W.norm(), 1, 1e-9);
          EXPECT_LT(place.gap, 0.01);
        }
        const RigidContactSet& touching = pair.at(A, B);
        const bool isApart = isSeen && touching.points.empty() && hard.at(A, B).points.empty();
        EXPECT_TRUE(!isApart || places.empty() || leastOf(places).gap > -1e-4)
            << a << ' ' << b << ' ' << leastOf(places).gap;
        double deepest = 0;
        for (const RigidContactPoint& c : touching.points) deepest = std::max(deepest, c.penetration());
        EXPECT_TRUE(deepest <= 1e-3 || !places.empty()) << a << ' ' << b << ' ' << deepest;
      }
    }
}

TEST(NearPlaces, PartsOfAMeshHaveFeaturesOfTheirOwn) {
  shape::Mesh channel = channelMesh();
  std::vector<TriangleMesh> parts(2);
  appendBox(parts[0], Vec3(0.05, 0.2, 0.01), Vec3(0, 0, -0.01));
  appendBox(parts[1], Vec3(0.01, 0.2, 0.06), Vec3(-0.06, 0, 0.04));
  channel.parts = std::make_shared<const ConvexParts>(std::move(parts));
  NearPair pair(channel, shape::Sphere{0.02});
  const auto& places = pair.at(Pose(), Pose::translation({-0.028, 0, 0.022}), 0.005);
  ASSERT_EQ(places.size(), 2u);
  EXPECT_NEAR(places[0].gap, 0.002, 1e-9);
  EXPECT_NEAR(places[1].gap, 0.002, 1e-9);
  EXPECT_NE(places[0].featureA, places[1].featureA);
}

}  // namespace
}  // namespace slipstick
