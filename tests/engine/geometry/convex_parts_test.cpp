// A mesh with convex parts meets others as its parts do, one by one.
#include <gtest/gtest.h>

#include "engine/geometry/contact_shape.h"
#include "tests/engine/geometry/contact_meshes.h"
#include "tests/engine/geometry/contact_scene.h"

namespace slipstick {
namespace {

/// The channel as its floor and its two walls.
shape::Mesh splitChannel() {
  shape::Mesh channel = channelMesh();
  ConvexParts parts(3);
  appendBox(parts[0], Vec3(0.05, 0.2, 0.01), Vec3(0, 0, -0.01));
  appendBox(parts[1], Vec3(0.01, 0.2, 0.06), Vec3(-0.06, 0, 0.04));
  appendBox(parts[2], Vec3(0.01, 0.2, 0.06), Vec3(0.06, 0, 0.04));
  channel.parts = std::make_shared<const ConvexParts>(std::move(parts));
  return channel;
}

std::size_t pointsOf(const RigidContactSet& contacts) {
  return contacts.points.size();
}

TEST(ConvexPartsInContact, AreNoSurfaceAndHaveTheBoundsOfAll) {
  const auto whole = contactShape(channelMesh()), split = contactShape(splitChannel());
  EXPECT_TRUE(whole->isSurface());
  EXPECT_FALSE(split->isSurface());
  EXPECT_EQ(whole->properties().representation, ContactRepresentation::Rigid);
  EXPECT_EQ(split->properties().representation, ContactRepresentation::Compliant);
  const Pose X_WG{Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix(), Vec3(1, 2, 3)};
  for (const Pose& X : {Pose(), X_WG}) {
    const Aabb a = whole->bounds(X), b = split->bounds(X);
    EXPECT_TRUE((b.lower.array() >= a.lower.array() - 1e-9).all() &&
                (b.upper.array() <= a.upper.array() + 1e-9).all());
  }
  EXPECT_TRUE(split->bounds(Pose()).lower.isApprox(whole->bounds(Pose()).lower, 1e-9));
  EXPECT_TRUE(split->bounds(Pose()).upper.isApprox(whole->bounds(Pose()).upper, 1e-9));
}

TEST(ConvexPartsInContact, OnePairHasTheContactsOfAllParts) {
  const shape::Mesh channel = splitChannel();
  const auto ball = contactShape(shape::Sphere{0.0505}),
             box = contactShape(shape::Box{Vec3(0.0505, 0.05, 0.02)});
  for (const auto& other : {ball, box}) {
    const Pose X_WO = Pose::translation(Vec3(0, 0, other == ball ? 0.05 : 0.0199));
    PairOfShapes together(contactShape(channel), other);
    const RigidContactSet all = together.at(Pose(), X_WO);
    ASSERT_EQ(all.pairs.size(), 1u);
    EXPECT_EQ(all.pairs[0].pointBegin, 0);
    EXPECT_EQ(static_cast<std::size_t>(all.pairs[0].pointEnd), pointsOf(all));
    std::size_t points = 0, touched = 0;
    double force = 0, forceOfAll = 0;
    for (const TriangleMesh& part : *channel.parts) {
      PairOfShapes alone(contactShape(shape::Mesh{std::make_shared<const TriangleMesh>(part)}), other);
      const RigidContactSet& one = alone.at(Pose(), X_WO);
      points += pointsOf(one), touched += one.pairs.size();
      for (const RigidContactLaw& law : one.laws) force += law.force;
    }
    for (const RigidContactLaw& law : all.laws) forceOfAll += law.force;
    EXPECT_EQ(touched, 3u) << "floor and walls";
    EXPECT_EQ(pointsOf(all), points);
    EXPECT_NEAR(forceOfAll, force, 1e-9 * force);
  }
}

TEST(ConvexPartsInContact, TwoMeshesWithPartsMeetInPatches) {
  PairOfShapes split(contactShape(splitChannel()), contactShape(splitChannel()));
  const RigidContactSet& contacts = split.atHeight(0.1195);
  ASSERT_EQ(contacts.pairs.size(), 1u);
  EXPECT_GT(contacts.pairs[0].polygonEnd, contacts.pairs[0].polygonBegin);
  EXPECT_TRUE(split.atHeight(0.1205).pairs.empty());
}

TEST(ConvexPartsInContact, APartWithoutVolumeIsAnError) {
  shape::Mesh channel = channelMesh();
  ConvexParts parts(1);
  channel.parts = std::make_shared<const ConvexParts>(std::move(parts));
  EXPECT_FALSE(ContactShape::build(channel, {}).ok());
}

}  // namespace
}  // namespace slipstick
