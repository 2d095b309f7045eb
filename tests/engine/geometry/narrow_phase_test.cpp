#include "engine/geometry/narrow_phase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/geometry/convex_query.h"
#include "engine/geometry/shape_lowering.h"
#include "engine/geometry/signed_distance.h"
#include "tests/engine/geometry/contact_meshes.h"
#include "tests/engine/geometry/contact_scene.h"

namespace slipstick {
namespace {

using enum ContactRepresentation;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<Shape> boundedShapes() {
  return {shape::Sphere{0.05},
          shape::Box{Vec3(0.05, 0.04, 0.03)},
          shape::Capsule{0.03, 0.06},
          shape::Cylinder{0.04, 0.07},
          shape::Ellipsoid{Vec3(0.05, 0.03, 0.04)},
          boxMesh(Vec3(0.03, 0.05, 0.04)),
          sphereMesh(0.05, 6),
          channelMesh()};
}

void expectSound(const RigidContactSet& contacts) {
  for (const RigidContactPoint& c : contacts.points) {
    EXPECT_TRUE(c.p_W.allFinite());
    EXPECT_NEAR(c.normal_W.norm(), 1, 1e-9);
    EXPECT_TRUE(std::isfinite(c.penetration()) && c.penetration() >= 0);
    EXPECT_TRUE(std::isfinite(c.pressure) && c.pressure >= 0);
  }
  EXPECT_EQ(contacts.laws.size(), contacts.points.size());
  for (const RigidContactLaw& law : contacts.laws) {
    EXPECT_TRUE(std::isfinite(law.force) && law.force >= 0) << law.force;
    EXPECT_TRUE(std::isfinite(law.stiffness) && law.stiffness > 0) << law.stiffness;
    EXPECT_TRUE(std::isfinite(law.dissipation) && law.dissipation >= 0);
  }
  for (const PressurePatch::Vertex& v : contacts.vertices) EXPECT_TRUE(v.p_W.allFinite() && v.pressure >= 0);
}

TEST(NarrowPhase, RandomPosesOfAllPairsGiveSoundContacts) {
  std::mt19937 random(1);
  std::vector<Shape> shapes = boundedShapes();
  shapes.emplace_back(shape::Plane{});
  for (const auto& [ofA, ofB] : {std::pair(Compliant, Compliant), std::pair(Compliant, Rigid),
                                 std::pair(Rigid, Rigid), std::pair(Point, Compliant)})
    for (std::size_t a = 0; a < shapes.size(); ++a)
      for (std::size_t b = 0; b < shapes.size(); ++b) {
        PairOfShapes pair(contactShape(shapes[a], surfaceOf(ofA)), contactShape(shapes[b], surfaceOf(ofB)));
        int touching = 0;
        for (int trial = 0; trial < 60; ++trial) {
          const RigidContactSet& contacts = pair.at(randomPose(random, 0.04), randomPose(random, 0.04));
          expectSound(contacts);
          touching += !contacts.points.empty();
        }
        const bool planes = a + 1 == shapes.size() && b + 1 == shapes.size();
        EXPECT_EQ(touching > 0, !planes) << "shapes " << a << " and " << b;
        ASSERT_FALSE(::testing::Test::HasFailure()) << "shapes " << a << " and " << b;
      }
}

TEST(NarrowPhase, SwappedShapesGiveTheOppositeForce) {
  std::mt19937 random(2);
  const std::vector<Shape> shapes = boundedShapes();
  for (std::size_t a = 0; a < shapes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const auto shapeA = contactShape(shapes[a]), shapeB = contactShape(shapes[b]);
      PairOfShapes forward(shapeA, shapeB), backward(shapeB, shapeA);
      for (int trial = 0; trial < 20; ++trial) {
        const Pose X_WA = randomPose(random, 0.03), X_WB = randomPose(random, 0.05);
        const Wrench onB = wrenchOnB(forward.at(X_WA, X_WB)), onA = wrenchOnB(backward.at(X_WB, X_WA));
        EXPECT_NEAR((onB.force + onA.force).norm(), 0, 1e-6 * (1 + onB.force.norm())) << a << ' ' << b;
        // Groups of many small polygons depend on their order: half a millimetre or so.
        EXPECT_NEAR((onB.torque + onA.torque).norm(), 0, 1e-3 * (1 + onB.force.norm())) << a << ' ' << b;
      }
    }
}

/// Convex shapes among each other: the force pushes them apart, and vanishes where they are apart.
TEST(NarrowPhase, ForceFallsContinuouslyToZeroAsShapesSeparate) {
  std::mt19937 random(3);
  std::vector<Shape> shapes = boundedShapes();
  shapes.pop_back();
  for (std::size_t a = 0; a < shapes.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      PairOfShapes pair(contactShape(shapes[a]), contactShape(shapes[b]));
      for (int trial = 0; trial < 5; ++trial) {
        const Pose X_WA = randomPose(random, 0), X_WB = randomPose(random, 0);
        const Vec3 direction = randomPose(random, 1).p.normalized();
        double low = 0, high = 0.3;  // first contact, by bisection
        const auto force = [&](double distance) {
          const Wrench w = wrenchOnB(pair.at(X_WA, {X_WB.R, X_WB.p + distance * direction}));
          return w.force.norm();
        };
        for (int step = 0; step < 40; ++step) ((force((low + high) / 2) > 0) ? low : high) = (low + high) / 2;
        EXPECT_GT(low, 0.02);
        EXPECT_LT(high, 0.2);
        // Point contacts of 5e5 N/m, patches of 1e7 Pa.
        EXPECT_LT(force(low - 1e-7), 3) << a << ' ' << b;
        EXPECT_GT(force(low - 1e-4), 0) << a << ' ' << b;
      }
    }
}

TEST(NarrowPhase, SmallMotionsChangeTheWrenchLittle) {
  std::mt19937 random(4);
  const Vec3 half(0.05, 0.04, 0.03);
  PairOfShapes pair(contactShape(shape::Box{half}), contactShape(shape::Box{Vec3(0.06, 0.03, 0.04)}));
  for (int trial = 0; trial < 20; ++trial) {
    const Pose X_WA = randomPose(random, 0.01), X_WB = randomPose(random, 0.06);
    const Vec3 axis = randomPose(random, 1).p.normalized(), shift = randomPose(random, 1).p;
    Wrench last;
    for (int step = 0; step <= 400; ++step) {
      const double s = step * 1e-5;
      const Pose X = {Eigen::AngleAxisd(10 * s, axis).toRotationMatrix() * X_WB.R, X_WB.p + s * shift};
      const Wrench w = wrenchOnB(pair.at(X_WA, X));
      // 1e-5 m and 1e-4 rad on 1e7 Pa / 0.03 m over at most 0.005 m².
      if (step > 0) {
        EXPECT_LT((w.force - last.force).norm(), 5e-3 * (100 + last.force.norm()) + 30);
      }
      last = w;
    }
  }
}

TEST(NarrowPhase, SphereTouchesEveryShapeAtItsSignedDistance) {
  std::mt19937 random(5);
  const double radius = 0.02;
  for (const Shape& shape :
       std::vector<Shape>{shape::Plane{}, shape::Sphere{0.05}, shape::Box{Vec3(0.05, 0.04, 0.03)},
                          shape::Capsule{0.03, 0.06}, shape::Cylinder{0.04, 0.07},
                          shape::Ellipsoid{Vec3(0.05, 0.03, 0.04)}}) {
    PairOfShapes pair(contactShape(shape), contactShape(shape::Sphere{radius}));
    const auto exact = lowerShape<double>(shape);
    int touching = 0;
    for (int trial = 0; trial < 200; ++trial) {
      const Pose X_WA = randomPose(random, 0.1), X_WB = randomPose(random, 0.1);
      const Vec3 p = X_WA.inverse() * X_WB.p;
      const auto d = signedDistance<double>(exact, lanes::V3<double>{p.x(), p.y(), p.z()});
      const RigidContactSet& contacts = pair.at(X_WA, X_WB);
      ASSERT_EQ(contacts.points.size(), d.phi < radius ? 1u : 0u);
      if (contacts.points.empty()) continue;
      ++touching;
      const RigidContactPoint& c = contacts.points.front();
      EXPECT_NEAR(c.penetration(), radius - d.phi, 1e-12);
      EXPECT_NEAR(contacts.laws.front().force, 5e5 * (radius - d.phi), 1e-6);
      EXPECT_NEAR((c.normal_W - X_WA.R * Vec3(d.normal.x, d.normal.y, d.normal.z)).norm(), 0, 1e-9);
      EXPECT_NEAR((c.p_W - X_WB.p + (radius - c.penetration() / 2) * c.normal_W).norm(), 0, 1e-12);
    }
    EXPECT_GT(touching, 5);
  }
}

TEST(NarrowPhase, SphereInAChannelTouchesFloorAndWall) {
  PairOfShapes pair(contactShape(channelMesh()), contactShape(shape::Sphere{0.03}));
  EXPECT_EQ(pair.atHeight(0.029).points.size(), 1u);
  const RigidContactSet& contacts = pair.at(Pose(), Pose::translation({0.021, 0.05, 0.029}));
  ASSERT_EQ(contacts.points.size(), 2u);
  for (const RigidContactPoint& c : contacts.points) EXPECT_NEAR(c.penetration(), 0.001, 1e-12);
  EXPECT_NEAR(wrenchOnB(contacts).force.x(), -500, 1e-6);
  EXPECT_NEAR(wrenchOnB(contacts).force.z(), 500, 1e-6);
  EXPECT_TRUE(pair.atHeight(0.031).points.empty());
}

/// Under even pressure what is flat has the torque of friction μ N ⟨r⟩ where it spins, and the stiffness k ⟨r²⟩ against tilting:
/// of a disc ∫ r 2πr dr/πR² = 2R/3 and R²/2, of a line of half the length h h/2 and h²/3.
/// @return means over the points, weighted by their stiffness: of the distance from a middle, and of its square
std::pair<double, double> meanDistances(const RigidContactSet& contacts, const Vec3& middle) {
  double weight = 0, distance = 0, square = 0;
  for (std::size_t i = 0; i < contacts.points.size(); ++i) {
    const double r = (contacts.points[i].p_W - middle).head<2>().norm(), k = contacts.laws[i].stiffness;
    weight += k, distance += k * r, square += k * r * r;
  }
  return {distance / weight, square / weight};
}

TEST(NarrowPhase, CapsuleOnTheGroundTouchesAlongALineAndStandsOnOnePoint) {
  PairOfShapes pair(contactShape(shape::Plane{}), contactShape(shape::Capsule{0.03, 0.1}));
  const auto lying = pair.at(Pose(), Pose::fromRpy({0, std::numbers::pi / 2, 0}, {0, 0, 0.029}));
  ASSERT_EQ(lying.points.size(), 4u);
  for (const RigidContactPoint& c : lying.points) EXPECT_NEAR(c.penetration(), 0.001, 1e-12);
  const auto [distance, square] = meanDistances(lying, Vec3::Zero());
  EXPECT_NEAR(distance, 0.05 / 2, 1e-12);
  EXPECT_NEAR(square, 0.05 * 0.05 / 3, 1e-12);
  EXPECT_EQ(pair.atHeight(0.079).points.size(), 1u);
}

TEST(NarrowPhase, CapsulesSideBySideTouchInTwoPointsAndCrossedInOne) {
  PairOfShapes pair(contactShape(shape::Capsule{0.03, 0.1}), contactShape(shape::Capsule{0.02, 0.1}));
  const auto parallel = pair.at(Pose(), Pose::translation({0.04999, 0, 0.02}));
  ASSERT_EQ(parallel.points.size(), 2u);
  for (const RigidContactPoint& c : parallel.points) EXPECT_NEAR(c.penetration(), 1e-5, 1e-9);
  EXPECT_NEAR((parallel.points[0].p_W + parallel.points[1].p_W).z() / 2, 0.01, 2e-3);
  const auto crossed = pair.at(Pose(), Pose::fromRpy({std::numbers::pi / 2, 0, 0}, {0.0499, 0, 0.02}));
  ASSERT_EQ(crossed.points.size(), 1u);
  EXPECT_NEAR(crossed.points[0].penetration(), 1e-4, 1e-9);
  EXPECT_NEAR(crossed.points[0].normal_W.x(), 1, 1e-6);
}

TEST(NarrowPhase, CapsuleOnABoxIsLevel) {
  PairOfShapes pair(contactShape(shape::Box{Vec3(0.2, 0.2, 0.05)}), contactShape(shape::Capsule{0.03, 0.1}));
  const RigidContactSet& contacts =
      pair.at(Pose(), Pose::fromRpy({0, std::numbers::pi / 2, 0.3}, {0, 0, 0.079}));
  ASSERT_EQ(contacts.points.size(), 2u);
  for (const RigidContactPoint& c : contacts.points) EXPECT_NEAR(c.penetration(), 0.001, 1e-12);
  EXPECT_NEAR(wrenchOnB(contacts).torque.norm(), 0, 1e-6);
}

TEST(NarrowPhase, CylinderOnTheGroundTouchesAlongALineOrOnItsFace) {
  constexpr double R = 0.04, h = 0.05;
  PairOfShapes pair(contactShape(shape::Plane{}), contactShape(shape::Cylinder{R, 2 * h}));
  for (const double roll : {0.0, 0.3, 2.0}) {
    const Pose lying = Pose::fromRpy({0, std::numbers::pi / 2, 0}, {0, 0, 0.039});
    const auto side = pair.at(Pose(), lying * Pose::fromRpy({0, 0, roll}, Vec3::Zero()));
    ASSERT_EQ(side.points.size(), 4u);
    double furthest = 0;
    for (const RigidContactPoint& c : side.points) {
      EXPECT_NEAR(c.penetration(), 0.001, 1e-12);
      EXPECT_NEAR(c.p_W.y(), 0, 1e-12);
      furthest = std::max(furthest, std::abs(c.p_W.x()));
    }
    EXPECT_NEAR(furthest, h, 1e-12) << "it tips over its ends";
    const auto [distance, square] = meanDistances(side, Vec3::Zero());
    EXPECT_NEAR(distance, h / 2, 1e-12);
    EXPECT_NEAR(square, h * h / 3, 1e-12);
  }
  const auto cap = pair.atHeight(0.049);
  ASSERT_EQ(cap.points.size(), 8u);
  EXPECT_NEAR(wrenchOnB(cap).torque.norm(), 0, 1e-9);
  const auto [distance, square] = meanDistances(cap, Vec3::Zero());
  EXPECT_NEAR(distance, 2 * R / 3, 1e-12);
  EXPECT_NEAR(square, R * R / 2, 1e-12);
  // Tilted by 0.01 its lowest point alone bears it, as stiff as ever.
  const auto tilted =
      pair.at(Pose(), Pose::fromRpy({0.01, 0, 0}, {0, 0, h * std::cos(0.01) + R * std::sin(0.01) - 1e-5}));
  ASSERT_EQ(tilted.points.size(), 1u);
  EXPECT_NEAR(tilted.laws[0].stiffness, cap.laws[0].stiffness, 1e-6);
  EXPECT_NEAR(std::abs(tilted.points[0].p_W.y()), R, 1e-3);
  // Rolling on the rim: the force does not depend on the angle about the axis.
  double first = 0;
  for (int i = 0; i < 50; ++i) {
    const Pose X = Pose::fromRpy({0.4, 0, 0}, {0, 0, 0.04 * std::sin(0.4) + 0.05 * std::cos(0.4) - 0.001});
    const Wrench w = wrenchOnB(pair.at(Pose(), X * Pose::fromRpy({0, 0, 0.1 * i}, Vec3::Zero())));
    if (i == 0) first = w.force.z();
    EXPECT_NEAR(w.force.z(), first, 1e-6);
    EXPECT_GT(first, 0);
  }
}

/// Force and moment of a rigid half-space's plane on a field E/L min depth, by a fine grid.
Wrench integrated(const Shape& shape, double slope, const Pose& X_WB, double reach, int n) {
  const auto exact = lowerShape<double>(shape);
  const double step = 2 * reach / n;
  Wrench sum;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const Vec3 p(X_WB.p.x() - reach + (i + 0.5) * step, X_WB.p.y() - reach + (j + 0.5) * step, 0.05);
      const Vec3 q = X_WB.inverse() * p;
      const auto d = signedDistance<double>(exact, lanes::V3<double>{q.x(), q.y(), q.z()});
      const double depth = -d.phi;
      if (depth <= 0) continue;
      // Cells of faces that lean away carry nothing.
      const double cosine = -X_WB.R.row(2).dot(Vec3(d.normal.x, d.normal.y, d.normal.z));
      const double weight = std::clamp(cosine / 0.05, 0.0, 1.0);
      const Vec3 f(0, 0, weight * slope * depth * step * step);
      sum += {f, p.cross(f)};
    }
  return sum;
}

TEST(NarrowPhase, CylinderOnARigidBoxHasTheForceOfItsDepth) {
  const shape::Cylinder cylinder{0.04, 0.07};
  PairOfShapes pair(contactShape(shape::Box{Vec3(0.3, 0.3, 0.05)}, surfaceOf(Rigid)), contactShape(cylinder));
  const double slope = 1e7 / 0.035;
  for (const Pose& X :
       {Pose::translation({0.01, 0.02, 0.08}), Pose::fromRpy({0.1, 0.05, 0.3}, {0, 0, 0.0835}),
        Pose::fromRpy({std::numbers::pi / 2, 0.3, 0.2}, {0.01, 0, 0.0885}),
        Pose::fromRpy({1.2, 0, 0.2}, {0, 0.01, 0.095})}) {
    const Wrench w = wrenchOnB(pair.at(Pose(), X)), exact = integrated(cylinder, slope, X, 0.06, 1500);
    EXPECT_GT(exact.force.z(), 10);
    EXPECT_NEAR((w.force - exact.force).norm(), 0, 0.03 * exact.force.norm());
    EXPECT_NEAR((w.torque - exact.torque).norm(), 0, 0.03 * exact.force.norm() * 0.05);
  }
}

TEST(NarrowPhase, CylinderRollsOnABoxWithoutSteps) {
  PairOfShapes pair(contactShape(shape::Box{Vec3(0.3, 0.3, 0.05)}),
                    contactShape(shape::Cylinder{0.04, 0.07}));
  const Pose lying = Pose::fromRpy({std::numbers::pi / 2, 0, 0}, {0, 0, 0.0899});
  const Wrench first = wrenchOnB(pair.at(Pose(), lying));
  EXPECT_GT(first.force.z(), 1);
  for (int i = 1; i < 100; ++i) {
    const Wrench w = wrenchOnB(pair.at(Pose(), lying * Pose::fromRpy({0, 0, 0.0631 * i}, Vec3::Zero())));
    EXPECT_NEAR((w.force - first.force).norm(), 0, 1e-6 * first.force.norm());
    EXPECT_NEAR((w.torque - first.torque).norm(), 0, 1e-6 * first.force.norm());
  }
}

TEST(NarrowPhase, EllipsoidRestsOnABoxBelowItsLowestPoint) {
  const Vec3 radii(0.05, 0.03, 0.04);
  PairOfShapes onBox(contactShape(shape::Box{Vec3(0.3, 0.3, 0.05)}), contactShape(shape::Ellipsoid{radii}));
  PairOfShapes onPlane(contactShape(shape::Plane{}), contactShape(shape::Ellipsoid{radii}));
  std::mt19937 random(6);
  for (int trial = 0; trial < 50; ++trial) {
    Pose X = randomPose(random, 0);
    X.p.z() = (X.R.transpose() * Vec3::UnitZ()).cwiseProduct(radii).norm() - 1e-4;
    const auto plane = onPlane.at(Pose(), X);
    const auto box = onBox.at(Pose::translation({0, 0, -0.05}), X);
    ASSERT_EQ(plane.points.size(), 1u);
    ASSERT_EQ(box.points.size(), 1u);
    EXPECT_NEAR(plane.points[0].penetration(), 1e-4, 1e-12);
    EXPECT_NEAR((plane.points[0].p_W - box.points[0].p_W).norm(), 0, 1e-12);
    EXPECT_NEAR((plane.points[0].normal_W - box.points[0].normal_W).norm(), 0, 1e-12);
    EXPECT_NEAR(box.points[0].penetration(), 1e-4, 1e-12);
  }
}

TEST(NarrowPhase, EllipsoidsTouchAlongTheirCommonNormal) {
  const Vec3 a(0.05, 0.03, 0.04), b(0.02, 0.06, 0.03);
  PairOfShapes pair(contactShape(shape::Ellipsoid{a}), contactShape(shape::Ellipsoid{b}));
  std::mt19937 random(7);
  for (int trial = 0; trial < 50; ++trial) {
    // Placed so that they overlap by 1e-4 along a chosen normal.
    const Pose X_WA = randomPose(random, 0.1);
    Pose X_WB = randomPose(random, 0);
    const Vec3 n = randomPose(random, 1).p.normalized();
    const auto support = [](const Vec3& r, const Mat3& R, const Vec3& d) -> Vec3 {
      const Vec3 s = (R.transpose() * d).cwiseProduct(r);
      return R * s.cwiseProduct(r) / s.norm();
    };
    X_WB.p = X_WA.p + support(a, X_WA.R, n) - 1e-4 * n - support(b, X_WB.R, -n);
    const RigidContactSet& contacts = pair.at(X_WA, X_WB);
    ASSERT_EQ(contacts.points.size(), 1u);
    EXPECT_NEAR(contacts.points[0].penetration(), 1e-4, 1e-7);
    EXPECT_NEAR(contacts.points[0].normal_W.dot(n), 1, 1e-4);
  }
}

TEST(NarrowPhase, RigidBoxesFaceToFaceHaveACornerPointEach) {
  const Vec3 half = Vec3::Constant(0.05);
  for (const auto representation : {Rigid, Point}) {
    PairOfShapes pair(contactShape(shape::Box{half}, surfaceOf(representation)),
                      contactShape(shape::Box{half}, surfaceOf(representation)));
    const RigidContactSet aligned = pair.atHeight(0.0999);
    EXPECT_EQ(aligned.points.size(), 4u);
    EXPECT_TRUE(aligned.polygonEnds.empty());
    const RigidContactSet turned = pair.at(Pose(), Pose::fromRpy({0, 0, 0.6}, {0, 0, 0.0999}));
    EXPECT_EQ(turned.points.size(), 8u);
    for (const RigidContactPoint& c : turned.points) {
      EXPECT_NEAR(c.penetration(), 1e-4, 1e-9);
      EXPECT_NEAR(c.normal_W.z(), 1, 1e-9);
    }
  }
}

TEST(NarrowPhase, RigidCornerOnAFaceIsOnePointAndCrossedEdgesAnother) {
  PairOfShapes pair(contactShape(shape::Box{Vec3(0.2, 0.2, 0.05)}, surfaceOf(Rigid)),
                    contactShape(shape::Box{Vec3::Constant(0.05)}, surfaceOf(Rigid)));
  Pose X = Pose::fromRpy({0.7, 0.5, 0.2}, Vec3::Zero());
  X.p.z() = 0.05 + 0.05 * X.R.row(2).cwiseAbs().sum() - 1e-4;
  const RigidContactSet corner = pair.at(Pose(), X);
  ASSERT_EQ(corner.points.size(), 1u);
  EXPECT_NEAR(corner.points[0].normal_W.z(), 1, 1e-9);
  EXPECT_NEAR(corner.points[0].penetration(), 1e-4, 1e-6);
  // An edge along y of A's rim, crossed by an edge of B.
  const Pose crossed = Pose::fromRpy({std::numbers::pi / 4, 0, 0}, Vec3::Zero());
  const Mat3 R = Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitY()).toRotationMatrix() * crossed.R;
  const Vec3 n = Vec3(1, 0, 1).normalized();
  const Pose X_WB = {R, Vec3(0.2, 0, 0.05) + n * (0.05 * std::sqrt(2.0) - 1e-4)};
  const RigidContactSet edges = pair.at(Pose(), X_WB);
  ASSERT_GE(edges.points.size(), 1u);
  ASSERT_LE(edges.points.size(), 2u);
  EXPECT_GT(std::abs(edges.points[0].normal_W.dot(n)), 0.9);
}

TEST(NarrowPhase, RigidBoxOnAHalfSpaceStandsOnItsCorners) {
  PairOfShapes pair(contactShape(shape::Plane{}, surfaceOf(Rigid)),
                    contactShape(shape::Box{Vec3(0.05, 0.04, 0.03)}, surfaceOf(Rigid)));
  const RigidContactSet& contacts = pair.atHeight(0.029);
  ASSERT_EQ(contacts.points.size(), 4u);
  for (const RigidContactPoint& c : contacts.points) {
    EXPECT_NEAR(c.penetration(), 0.001, 1e-12);
    EXPECT_NEAR(std::abs(c.p_W.x()), 0.05, 1e-12);
    EXPECT_NEAR(std::abs(c.p_W.y()), 0.04, 1e-12);
  }
}

TEST(NarrowPhase, CompliantHalfSpaceCarriesARigidBox) {
  PairOfShapes pair(contactShape(shape::Plane{}),
                    contactShape(shape::Box{Vec3(0.05, 0.04, 0.03)}, surfaceOf(Rigid)));
  const RigidContactSet& contacts = pair.atHeight(0.029);
  const double force = 1e7 / 0.1 * 0.001 * 0.1 * 0.08;
  EXPECT_NEAR(wrenchOnB(contacts).force.z(), force, 1e-9 * force);
  EXPECT_EQ(contacts.points.size(), 4u);
}

TEST(NarrowPhase, ConvexMeshOfABoxIsTheBox) {
  std::mt19937 random(8);
  const Vec3 half(0.05, 0.04, 0.03);
  const auto other = contactShape(shape::Box{Vec3(0.03, 0.06, 0.04)});
  PairOfShapes box(contactShape(shape::Box{half}), other), mesh(contactShape(boxMesh(half)), other);
  for (int trial = 0; trial < 50; ++trial) {
    const Pose X_WA = randomPose(random, 0.03), X_WB = randomPose(random, 0.03);
    const Wrench w = wrenchOnB(box.at(X_WA, X_WB)), v = wrenchOnB(mesh.at(X_WA, X_WB));
    EXPECT_NEAR((w.force - v.force).norm(), 0, 1e-6 * (1 + w.force.norm()));
    EXPECT_NEAR((w.torque - v.torque).norm(), 0, 1e-6 * (1 + w.force.norm()));
  }
}

TEST(NarrowPhase, BoxOnAMeshFloorIsAsOnARigidBox) {
  // A slab with a notch far away, so that it is not convex; its top is two triangles per part.
  auto slab = std::make_shared<TriangleMesh>();
  appendBox(*slab, Vec3(0.3, 0.3, 0.05));
  appendBox(*slab, Vec3(0.02, 0.02, 0.05), Vec3(0.25, 0.25, 0.1));
  const auto box = contactShape(shape::Box{Vec3(0.05, 0.04, 0.03)});
  PairOfShapes onMesh(contactShape(shape::Mesh{slab}), box),
      onBox(contactShape(shape::Box{Vec3(0.3, 0.3, 0.05)}, surfaceOf(Rigid)), box);
  for (const Pose& X :
       {Pose::translation({0.01, 0.02, 0.0799}), Pose::fromRpy({0.05, -0.1, 0.5}, {0.02, 0.01, 0.083})}) {
    const RigidContactSet mesh = onMesh.at(Pose(), X), rigid = onBox.at(Pose(), X);
    const Wrench w = wrenchOnB(mesh), v = wrenchOnB(rigid);
    EXPECT_GT(v.force.z(), 10);
    EXPECT_NEAR((w.force - v.force).norm(), 0, 3e-3 * v.force.norm());
    EXPECT_NEAR((w.torque - v.torque).norm(), 0, 3e-3 * v.force.norm() * 0.05);
    EXPECT_LE(mesh.points.size(), rigid.points.size() + 16);
  }
  EXPECT_EQ(onMesh.at(Pose(), Pose::translation({0.01, 0.02, 0.079999})).points.size(), 4u);
  PairOfShapes rigidOnMesh(contactShape(shape::Mesh{slab}),
                           contactShape(shape::Box{Vec3(0.05, 0.04, 0.03)}, surfaceOf(Rigid)));
  const RigidContactSet& points = rigidOnMesh.at(Pose(), Pose::translation({0.1, -0.02, 0.0799}));
  EXPECT_GE(points.points.size(), 4u);
  EXPECT_LE(points.points.size(), 16u);
  for (const RigidContactPoint& c : points.points) EXPECT_NEAR(c.penetration(), 1e-4, 1e-9);
}

TEST(NarrowPhase, ChannelStandsOnTheGroundAndAnotherMeshStandsInIt) {
  const auto channel = contactShape(channelMesh());
  PairOfShapes onGround(contactShape(shape::Plane{}), channel);
  const RigidContactSet ground = onGround.atHeight(0.0199);
  ASSERT_EQ(ground.points.size(), 4u);
  for (const RigidContactPoint& c : ground.points) EXPECT_NEAR(c.penetration(), 1e-4, 1e-9);

  auto tee = std::make_shared<TriangleMesh>();  // a block with a smaller one on top
  appendBox(*tee, Vec3(0.03, 0.05, 0.02));
  appendBox(*tee, Vec3(0.01, 0.01, 0.01), Vec3(0, 0, 0.03));
  PairOfShapes inside(channel, contactShape(shape::Mesh{tee}));
  const RigidContactSet in = inside.atHeight(0.0195);
  EXPECT_GE(in.points.size(), 4u);
  EXPECT_LE(in.points.size(), 16u);
  for (const RigidContactPoint& c : in.points) EXPECT_NEAR(c.normal_W.z(), 1, 1e-3);
  EXPECT_TRUE(inside.atHeight(0.03).points.empty());
}

/// 5 mm per step are 2.5 m/s at 2 ms: deeper than a box of 6 mm has a face that opposes them. Half-spaces and other fields hold
/// it at any depth, rigid bodies as long as it is in by less than its thickness.
TEST(NarrowPhase, ThinBoxThatAStepTookFarInIsPushedBack) {
  const auto box = contactShape(shape::Box{Vec3(0.003, 0.01, 0.01)}, surfaceOf(Compliant));
  const auto onFloor = [&](const Shape& floor, ContactRepresentation of, double top, double deepest) {
    PairOfShapes pair(contactShape(floor, surfaceOf(of)), box);
    for (double depth = 1e-4; depth < deepest; depth += 1e-4) {
      const Wrench wrench = wrenchOnB(pair.atHeight(top + 0.01 - depth));
      EXPECT_GT(wrench.force.z(), 0) << "depth " << depth;
      EXPECT_NEAR(wrench.force.head<2>().norm(), 0, 1e-6 * wrench.force.z()) << "depth " << depth;
    }
    EXPECT_TRUE(pair.atHeight(top + 0.01 + 1e-6).points.empty());
  };
  onFloor(shape::Plane{}, Rigid, 0, 9e-3);
  onFloor(shape::Plane{}, Compliant, 0, 9e-3);
  onFloor(shape::Box{Vec3(0.2, 0.2, 0.05)}, Rigid, 0.05, 5.9e-3);
  onFloor(shape::Box{Vec3(0.2, 0.2, 0.05)}, Compliant, 0.05, 9e-3);
  onFloor(boxMesh(Vec3(0.2, 0.2, 0.05)), Rigid, 0.05, 5.9e-3);
}

TEST(ContactShape, MeshesThatCannotTouchAreRefusedWithAReason) {
  const auto refused = [](const TriangleMesh& mesh, const std::string& what) {
    const auto built = ContactShape::build(shape::Mesh{std::make_shared<TriangleMesh>(mesh)}, {});
    ASSERT_FALSE(built.ok());
    EXPECT_NE(built.error().what.find(what), std::string::npos) << built.error().what;
    EXPECT_FALSE(built.error().remedy.empty());
  };
  TriangleMesh mesh;
  refused(mesh, "no triangles");
  appendBox(mesh, Vec3::Ones());
  TriangleMesh broken = mesh;
  broken.triangles[3][1] = 8;
  refused(broken, "triangle 3");
  broken = mesh;
  broken.vertices[2].y() = kInfinity;
  refused(broken, "vertex 2");
  broken = mesh;
  for (Vec3& v : broken.vertices) v = Vec3(v.x(), 0, 0);
  refused(broken, "area");
  const auto flat = ContactShape::build(shape::Box{Vec3(0.1, 0.1, 0)}, {});
  ASSERT_FALSE(flat.ok());
  EXPECT_NE(flat.error().what.find("volume"), std::string::npos);
}

TEST(ContactShape, OpenSheetsAndFlippedBoxesAreSurfaces) {
  auto sheet = std::make_shared<TriangleMesh>();
  sheet->vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  sheet->triangles = {{0, 1, 2}, {0, 2, 3}};
  PairOfShapes pair(contactShape(shape::Mesh{sheet}), contactShape(shape::Box{Vec3::Constant(0.05)}));
  const RigidContactSet& contacts = pair.atHeight(0.05 - 1e-6);
  ASSERT_EQ(contacts.points.size(), 4u);
  EXPECT_NEAR(wrenchOnB(contacts).force.z(), 1e7 / 0.05 * 1e-6 * 0.01, 1e-3 * 2);
}

TEST(ContactShape, FineConvexMeshBecomesAPolytopeOfFewFacesAroundIt) {
  const auto ball = contactShape(sphereMesh(0.1, 60));  // 14160 triangles
  PairOfShapes pair(contactShape(shape::Plane{}, surfaceOf(Rigid)), ball);
  EXPECT_TRUE(pair.atHeight(0.102).points.empty());
  const RigidContactSet& contacts = pair.atHeight(0.098);
  ASSERT_FALSE(contacts.points.empty());
  EXPECT_FALSE(contacts.polygonEnds.empty());  // a patch: it has a field
}

}  // namespace
}  // namespace slipstick
