// Signed gaps of meshes that are not convex, against the channel's measures and distances by trial.
#include "engine/geometry/surface_gap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/geometry/contact_meshes.h"
#include "tests/engine/geometry/near_pair.h"

namespace slipstick {
namespace {

/// The channel's floor is at z = 0, its inner walls at x = ±0.05 are 0.1 high, floor and walls 0.02 thick.
std::vector<Facet> channelFacets() {
  std::vector<Facet> facets;
  const shape::Mesh channel = channelMesh();
  for (const Eigen::Vector3i& t : channel.mesh->triangles)
    facets.push_back(facetOf(cornersOf(*channel.mesh, t)));
  return facets;
}

TEST(SurfaceFeatures, OfAChannelStandOutAllButTheTwoEdgesInside) {
  const SurfaceFeatures features = SurfaceFeatures::of(channelFacets());
  // A prism over 8 corners has 8 edges along it, two of them hollow, and 8 around each end.
  EXPECT_EQ(features.edges.size(), 22u);
  EXPECT_EQ(features.vertices.size(), 16u);
  EXPECT_EQ(features.planeCount, 10) << "triangles that are level are one";
  EXPECT_FALSE(features.isOpen);
  std::vector<Facet> open = channelFacets();
  open.pop_back();
  EXPECT_TRUE(SurfaceFeatures::of(open).isOpen);
}

TEST(SurfaceGap, ABallInAChannelHasItsHeightOverTheFloorAndTheWall) {
  NearPair pair(channelMesh(), shape::Sphere{0.02});
  for (const double gap : {-0.001, 0.004}) {
    const auto& onFloor = pair.at(Pose(), Pose::translation({0, 0.03, 0.02 + gap}));
    ASSERT_EQ(onFloor.size(), 1u);
    EXPECT_NEAR(onFloor[0].gap, gap, 1e-12);
    EXPECT_NEAR((onFloor[0].normal_W - Vec3::UnitZ()).norm(), 0, 1e-12) << "out of the channel";
    EXPECT_NEAR((onFloor[0].p_W - Vec3(0, 0.03, gap / 2)).norm(), 0, 1e-12);
    const auto& inCorner = pair.at(Pose(), Pose::translation({0.03 - gap, 0, 0.02 + gap}), 0.01);
    ASSERT_EQ(inCorner.size(), 2u);
    EXPECT_NE(inCorner[0].featureA, inCorner[1].featureA);
    for (const RigidContactPoint& place : inCorner) EXPECT_NEAR(place.gap, gap, 1e-12);
  }
}

/// Straight over the edge x = −0.05, z = 0.1, half-way between the directions of its two facets.
TEST(SurfaceGap, ABallOverAnEdgeHasItsDistanceFromThat) {
  NearPair pair(shape::Sphere{0.02}, channelMesh());
  const Vec3 out = Vec3(1, 0, 1).normalized();
  for (const double gap : {-0.001, 0.004}) {
    const auto& places =
        pair.at(Pose::translation(Vec3(-0.05, 0.07, 0.1) + (0.02 + gap) * out), Pose(), 0.01);
    ASSERT_EQ(places.size(), 1u);
    EXPECT_NEAR(places[0].gap, gap, 1e-8);
    EXPECT_NEAR((places[0].normal_W + out).norm(), 0, 1e-3) << "into the channel";
  }
}

TEST(SurfaceGap, ABoxInAChannelStandsOnItsCorners) {
  NearPair pair(channelMesh(), shape::Box{Vec3(0.03, 0.03, 0.02)});
  for (const double gap : {-0.001, 0.004}) {
    const auto& places = pair.at(Pose(), Pose::translation({0, 0.03, 0.02 + gap}), 0.01);
    ASSERT_EQ(places.size(), 4u);
    EXPECT_EQ(featuresOf(places).size(), 4u);
    for (const RigidContactPoint& place : places) {
      EXPECT_NEAR(place.gap, gap, 1e-12);
      EXPECT_NEAR((place.normal_W - Vec3::UnitZ()).norm(), 0, 1e-12);
    }
  }
}

TEST(SurfaceGap, CapsulesCylindersAndEllipsoidsInAChannelHaveTheirHeight) {
  for (const double gap : {-0.001, 0.004}) {
    const Pose X = Pose::translation({0, 0.03, 0.03 + gap});
    NearPair can(channelMesh(), shape::Cylinder{0.03, 0.06}), pill(channelMesh(), shape::Capsule{0.01, 0.04}),
        egg(channelMesh(), shape::Ellipsoid{Vec3(0.02, 0.03, 0.03)});
    EXPECT_EQ(can.at(Pose(), X, 0.01).size(), 4u);
    EXPECT_EQ(pill.at(Pose(), X, 0.01).size(), 1u);
    for (NearPair* pair : {&can, &pill, &egg})
      EXPECT_NEAR(leastOf(pair->at(Pose(), X, 0.01)).gap, gap, 1e-12);
  }
}

/// What is in the middle of the floor, and comes out below it, is pushed back up: that way is shorter.
TEST(SurfaceGap, ABallThroughTheFloorComesOutTheShorterWay) {
  NearPair pair(channelMesh(), shape::Sphere{0.045});
  const auto& places = pair.at(Pose(), Pose::translation({0, 0, 0.01}), 0.001);
  ASSERT_FALSE(places.empty());
  EXPECT_NEAR(leastOf(places).gap, -0.035, 1e-12);
  EXPECT_NEAR((leastOf(places).normal_W - Vec3::UnitZ()).norm(), 0, 1e-12);
}

/// Corners of the lower one's walls are below the upper one's floor, and the other way round.
TEST(SurfaceGap, ChannelsStandOnEachOthersWalls) {
  NearPair pair(channelMesh(), channelMesh());
  for (const double gap : {-0.001, 0.004}) {
    const auto& places = pair.at(Pose(), Pose::translation({0.01, 0.05, 0.12 + gap}), 0.005);
    ASSERT_GE(places.size(), 4u);
    EXPECT_EQ(featuresOf(places).size(), places.size());
    for (const RigidContactPoint& place : places) {
      EXPECT_NEAR(place.gap, gap, 1e-12);
      EXPECT_NEAR((place.normal_W - Vec3::UnitZ()).norm(), 0, 1e-12);
    }
  }
}

/// No centre of a ball that is apart lies in the solid: none of it is 0.015 from the surface.
TEST(SurfaceGap, BallsThatAreApartHaveTheDistanceOfTheirCentreLessTheirRadius) {
  const double radius = 0.015, margin = 0.02;
  NearPair pair(shape::Sphere{radius}, channelMesh());
  const std::vector<Facet> facets = channelFacets();
  std::mt19937 random(1);
  int apart = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Pose A = randomPose(random, 0.15), B = randomPose(random, 0.02);
    const Vec3 centre = B.inverse() * A.p;
    double distance = 1;
    for (const Facet& facet : facets)
      distance = std::min(distance, (nearestPoint(facet, centre) - centre).norm());
    const double gap = distance - radius;
    if (gap <= 0) continue;
    const auto& places = pair.at(A, B, margin);
    ASSERT_EQ(places.empty(), gap >= margin) << trial;
    if (places.empty()) continue;
    EXPECT_NEAR(leastOf(places).gap, gap, 1e-5) << trial << ", less where it is hardly beside a facet";
    ++apart;
  }
  EXPECT_GT(apart, 40);
}

TEST(SurfaceGap, TheOtherWayRoundNormalsChangeSides) {
  std::mt19937 random(2);
  for (const Shape& shape : {Shape(shape::Box{Vec3(0.03, 0.03, 0.02)}), Shape(shape::Cylinder{0.03, 0.06}),
                             Shape(shape::Ellipsoid{Vec3(0.02, 0.03, 0.04)})}) {
    NearPair forward(shape, channelMesh()), backward(channelMesh(), shape);
    for (int trial = 0; trial < 20; ++trial) {
      const Pose A = randomPose(random, 0.05), B = randomPose(random, 0.05);
      const auto there = forward.at(A, B), back = backward.at(B, A);
      ASSERT_EQ(there.size(), back.size());
      for (std::size_t i = 0; i < there.size(); ++i) {
        EXPECT_EQ(there[i].gap, back[i].gap);
        EXPECT_NEAR((there[i].normal_W + back[i].normal_W).norm(), 0, 1e-15);
        EXPECT_EQ(there[i].featureA, back[i].featureB);
      }
    }
  }
}

}  // namespace
}  // namespace slipstick
