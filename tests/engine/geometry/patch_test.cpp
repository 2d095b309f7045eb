#include "engine/geometry/patch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/engine/geometry/contact_scene.h"

namespace slipstick {
namespace {

constexpr double kModulus = 1e7;
const Vec3 kHalf(0.1, 0.06, 0.05);

PairOfShapes boxOnGround(const Vec3& half = kHalf) {
  return {contactShape(shape::Plane{}, surfaceOf(ContactRepresentation::Rigid)),
          contactShape(shape::Box{half})};
}

/// Force and moment of p = E/L min depth over the part of z = 0 within the box. Cells of faces that lean away
/// carry nothing; see kFadingCosine.
Wrench integratedBoxOnGround(const Vec3& half, const Pose& X_WB, int n) {
  const Pose X_BW = X_WB.inverse();
  const double reach = half.norm(), step = 2 * reach / n;
  Wrench sum;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const Vec3 p(X_WB.p.x() - reach + (i + 0.5) * step, X_WB.p.y() - reach + (j + 0.5) * step, 0);
      const Vec3 q = X_BW * p;
      int axis = 0;
      const double depth = (half - q.cwiseAbs()).minCoeff(&axis);
      if (depth <= 0) continue;
      const double cosine = -X_WB.R(2, axis) * (q[axis] > 0 ? 1 : -1);
      const double weight = std::clamp(cosine / 0.05, 0.0, 1.0);
      const Vec3 f(0, 0, weight * kModulus / half.minCoeff() * depth * step * step);
      sum += {f, p.cross(f)};
    }
  return sum;
}

TEST(Patch, FlushBoxOnHalfSpaceIsFourPointsOfDepthTimesArea) {
  PairOfShapes pair = boxOnGround();
  const double depth = 1e-6;
  const RigidContactSet& contacts = pair.atHeight(kHalf.z() - depth);
  ASSERT_EQ(contacts.points.size(), 4u);
  const Wrench w = wrenchOnB(contacts);
  const double area = 4 * (kHalf.x() - depth) * (kHalf.y() - depth);  // the rim's cells belong to the sides
  EXPECT_NEAR(w.force.z(), kModulus / kHalf.z() * depth * area, 1e-9 * w.force.z());
  EXPECT_NEAR(w.force.head<2>().norm(), 0, 1e-12 * w.force.z());
  EXPECT_NEAR(w.torque.norm(), 0, 1e-12 * w.force.z());
  for (const RigidContactPoint& c : contacts.points) {
    EXPECT_NEAR(std::abs(c.p_W.x()), (kHalf.x() - depth) / std::sqrt(3), 1e-12);
    EXPECT_NEAR(std::abs(c.p_W.y()), (kHalf.y() - depth) / std::sqrt(3), 1e-12);
    EXPECT_NEAR(c.penetration(), depth, 1e-15);
  }
  for (std::size_t i = 0; i < contacts.points.size(); ++i) {
    const RigidContactLaw& law = contacts.laws[i];
    EXPECT_NEAR(law.force, law.stiffness * contacts.points[i].penetration(), 1e-12 * law.force);
  }
}

TEST(Patch, TiltedBoxHasTheForceAndMomentOfItsPressure) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> angle(-0.4, 0.4), depth(0.002, 0.02);
  for (int trial = 0; trial < 10; ++trial) {
    Pose X = Pose::fromRpy({angle(random), angle(random), 3 * angle(random)}, {0.3, -0.2, 0});
    X.p.z() = X.R.row(2).cwiseAbs().dot(kHalf) - depth(random);
    PairOfShapes pair = boxOnGround();
    const Wrench w = wrenchOnB(pair.at(Pose(), X)), exact = integratedBoxOnGround(kHalf, X, 2000);
    EXPECT_NEAR((w.force - exact.force).norm(), 0, 3e-3 * exact.force.norm());
    EXPECT_NEAR((w.torque - exact.torque).norm(), 0, 3e-3 * exact.force.norm() * 0.1);
  }
}

/// Whoever lifts the box by that much has it out of the ground.
TEST(Patch, NoPointIsDeeperThanTheBodiesOverlap) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> angle(-1.5, 1.5), depth(0.0005, 0.02);
  double nearest = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    Pose X = Pose::fromRpy({angle(random), angle(random), angle(random)}, {0.3, -0.2, 0});
    const double overlap = depth(random);
    X.p.z() = X.R.row(2).cwiseAbs().dot(kHalf) - overlap;
    PairOfShapes pair = boxOnGround();
    for (const RigidContactPoint& c : pair.at(Pose(), X).points) {
      ASSERT_LE(c.penetration(), overlap * (1 + 1e-9)) << "trial " << trial;
      nearest = std::max(nearest, c.penetration() / overlap);
    }
  }
  EXPECT_GT(nearest, 0.5);
}

TEST(Patch, PressuresOfBothBoxesAgreeAtEveryCornerOfThePolygons) {
  const Vec3 halfA(0.1, 0.08, 0.05), halfB(0.04, 0.06, 0.05);
  const Pose X_WA, X_WB = Pose::fromRpy({0.1, -0.2, 0.6}, {0.03, 0.02, 0.105});
  PairOfShapes pair(contactShape(shape::Box{halfA}),
                    contactShape(shape::Box{halfB}, surfaceOf(ContactRepresentation::Compliant, 3e6)));
  const RigidContactSet& contacts = pair.at(X_WA, X_WB);
  ASSERT_GT(contacts.points.size(), 3u);
  const auto pressure = [](const Vec3& half, double modulus, const Pose& X, const Vec3& p) {
    return modulus / half.minCoeff() * (half - (X.inverse() * p).cwiseAbs()).minCoeff();
  };
  for (const RigidContactPoint& c : contacts.points) {
    EXPECT_NEAR(c.pressure, pressure(halfA, 1e7, X_WA, c.p_W), 1e-12 * 1e7);
    EXPECT_NEAR(c.pressure, pressure(halfB, 3e6, X_WB, c.p_W), 1e-12 * 1e7);
  }
  for (const PressurePatch::Vertex& v : contacts.vertices) {
    const Vec3 p = v.p_W.cast<double>();
    EXPECT_NEAR(v.pressure, pressure(halfA, 1e7, X_WA, p), 1e-6 * 1e7);
    EXPECT_NEAR(v.pressure, pressure(halfB, 3e6, X_WB, p), 1e-6 * 1e7);
  }
}

TEST(Patch, EqualBoxesFaceToFaceShareTheDepth) {
  const Vec3 half = Vec3::Constant(0.05);
  PairOfShapes pair(contactShape(shape::Box{half}), contactShape(shape::Box{half}));
  const double depth = 2e-6;
  const RigidContactSet& contacts = pair.atHeight(0.1 - depth);
  ASSERT_EQ(contacts.points.size(), 4u);
  const double side = 0.1 - depth;  // of the cells at half the depth
  const Wrench w = wrenchOnB(contacts);
  EXPECT_NEAR(w.force.z(), kModulus / 0.05 * depth / 2 * side * side, 1e-6 * w.force.z());
  EXPECT_NEAR(w.torque.norm(), 0, 1e-12 * w.force.z());
  for (const RigidContactPoint& c : contacts.points) EXPECT_NEAR(c.penetration(), depth, 1e-12);
}

TEST(Patch, SwappingTheBodiesTurnsTheForceAround) {
  std::mt19937 random(2);
  const auto a = contactShape(shape::Box{{0.1, 0.08, 0.05}});
  const auto b =
      contactShape(shape::Box{{0.04, 0.06, 0.05}}, surfaceOf(ContactRepresentation::Compliant, 3e6));
  PairOfShapes forward(a, b), backward(b, a);
  int touching = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Pose X_WA = randomPose(random, 0.05), X_WB = randomPose(random, 0.1);
    const RigidContactSet &f = forward.at(X_WA, X_WB), &r = backward.at(X_WB, X_WA);
    const Wrench onB = wrenchOnB(f), onA = wrenchOnB(r);
    ASSERT_EQ(f.points.size(), r.points.size());
    touching += !f.points.empty();
    EXPECT_NEAR((onB.force + onA.force).norm(), 0, 1e-9 * (1 + onB.force.norm()));
    EXPECT_NEAR((onB.torque + onA.torque).norm(), 0, 1e-9 * (1 + onB.force.norm()));
  }
  EXPECT_GT(touching, 100);
}

/// Forces of the polygons of a patch, ascending [N].
std::vector<double> polygonForces(const Polytope& a, const Pose& X_WA, const Polytope& b, const Pose& X_WB) {
  PatchFinder finder;
  std::vector<double> forces;
  for (const PatchFinder::Polygon& p : finder.find({&a, &X_WA, 1e8, 0}, {&b, &X_WB, 3e8, 0}))
    forces.push_back(p.weight * p.force());
  std::sort(forces.begin(), forces.end());
  return forces;
}

TEST(Patch, BoxesHaveThePatchOfPolytopesThatAreNotKnownAsBoxes) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> half(0.02, 0.1), angle(-0.1, 0.1);
  std::array<int, 4> found = {};  // patches of no, one, two and more polygons
  for (int trial = 0; trial < 3000; ++trial) {
    const Vec3 halfA(half(random), half(random), half(random)),
        halfB(half(random), half(random), half(random));
    const Polytope boxA = Polytope::box(halfA), boxB = Polytope::box(halfB);
    Polytope a = boxA, b = boxB;
    a.isBox = b.isBox = false;
    const Pose X_WA = randomPose(random, 0.05);
    Pose X_WB = randomPose(random, 0.08);
    if (trial % 3 == 0) X_WB.R = X_WA.R * Pose::fromRpy({angle(random), angle(random), angle(random)}, {}).R;
    const std::vector<double> special = polygonForces(boxA, X_WA, boxB, X_WB),
                              general = polygonForces(a, X_WA, b, X_WB);
    ASSERT_EQ(special.size(), general.size()) << trial;
    for (std::size_t i = 0; i < special.size(); ++i)
      EXPECT_NEAR(special[i], general[i], 1e-9 * general.back()) << trial;
    ++found[std::min<std::size_t>(special.size(), 3)];
  }
  for (const int count : found) EXPECT_GT(count, 100);
}

}  // namespace
}  // namespace slipstick
