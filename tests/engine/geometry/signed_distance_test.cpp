#include "engine/geometry/signed_distance.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/geometry/shape_lowering.h"
#include "tests/support/test_paths.h"

namespace slipstick {
namespace {

using V = lanes::V3<double>;

Shape shapeFrom(const nlohmann::json& j) {
  const std::string type = j["type"];
  if (type == "sphere") return shape::Sphere{j["radius"]};
  if (type == "box") {
    const auto& e = j["half_extents"];
    return shape::Box{Vec3(e[0], e[1], e[2])};
  }
  if (type == "capsule") return shape::Capsule{j["radius"], j["length"]};
  if (type == "cylinder") return shape::Cylinder{j["radius"], j["length"]};
  EXPECT_EQ(type, "plane");
  return shape::Plane{};
}

std::vector<Shape> analyticShapes() {
  return {shape::Plane{},
          shape::Sphere{0.07},
          shape::Box{Vec3(0.06, 0.07, 0.05)},
          shape::Capsule{0.05, 0.08},
          shape::Cylinder{0.04, 0.13},
          shape::Ellipsoid{Vec3(0.06, 0.04, 0.09)}};
}

TEST(SignedDistance, MatchesTheReferenceData) {
  const nlohmann::json file = slipstick::testing::readData("mpm/shapes.json");
  ASSERT_EQ(file["cases"].size(), 5u);
  for (const auto& j : file["cases"]) {
    const auto shape = lowerShape<double>(shapeFrom(j["shape"]));
    for (std::size_t i = 0; i < j["p_G"].size(); ++i) {
      const auto& p = j["p_G"][i];
      const auto d = signedDistance<double>(shape, V{p[0], p[1], p[2]});
      EXPECT_NEAR(d.phi, double(j["phi"][i]), 1e-12) << j["shape"] << " point " << i;
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(d.normal[a], double(j["normal_G"][i][a]), 1e-12) << j["shape"];
    }
  }
}

TEST(SignedDistance, BreaksTiesByLowestAxisSideBeforeCapPositiveDirection) {
  const auto at = [](const Shape& s, V p) { return signedDistance<double>(lowerShape<double>(s), p); };
  const auto expectNormal = [](const SignedDistance<double>& d, V n) {
    EXPECT_EQ(d.normal.x, n.x);
    EXPECT_EQ(d.normal.y, n.y);
    EXPECT_EQ(d.normal.z, n.z);
  };
  const Shape cube = shape::Box{Vec3(1, 1, 1)};
  expectNormal(at(cube, {0, 0, 0}), {1, 0, 0});
  expectNormal(at(cube, {0, -0.5, 0.5}), {0, -1, 0});
  expectNormal(at(cube, {1, 1, 1}), {1, 0, 0});
  expectNormal(at(shape::Sphere{1}, {0, 0, 0}), {0, 0, 1});
  expectNormal(at(shape::Capsule{1, 2}, {0, 0, 0.5}), {1, 0, 0});
  expectNormal(at(shape::Cylinder{1, 2}, {0, 0, 0}), {1, 0, 0});
  expectNormal(at(shape::Cylinder{1, 2}, {0, 0.5, 0.5}), {0, 1, 0});
  expectNormal(at(shape::Cylinder{2, 2}, {0, 0, 0}), {0, 0, 1});
  EXPECT_EQ(at(shape::Sphere{1}, {0, 0, 0}).phi, -1);
}

TEST(SignedDistance, NearestPointOfAnEllipsoidLiesOnItAlongTheNormal) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> coordinate(-0.15, 0.15), exponent(-12, 0);
  for (const Vec3& radii : {Vec3(0.06, 0.04, 0.09), Vec3(0.1, 0.1, 0.02), Vec3(0.02, 0.1, 0.1),
                            Vec3(0.002, 0.1, 0.05), Vec3(0.05, 0.05, 0.05)}) {
    const auto shape = lowerShape<double>(shape::Ellipsoid{radii});
    for (int i = 0; i < 3000; ++i) {
      Vec3 p(coordinate(random), coordinate(random), coordinate(random));
      if (i % 3 == 0) p *= std::pow(10, exponent(random));             // near the centre
      if (i % 4 == 0) p[i % 5 % 3] *= std::pow(10, exponent(random));  // near a plane of symmetry
      if (i % 7 == 0) p[i % 3] = 0;
      const auto d = signedDistance<double>(shape, V{p.x(), p.y(), p.z()});
      const Vec3 n(d.normal.x, d.normal.y, d.normal.z), q = p - d.phi * n;
      EXPECT_NEAR(n.norm(), 1, 1e-12);
      // On the surface, and with the surface's normal there.
      const Vec3 slope = q.cwiseQuotient(radii.cwiseAbs2());
      EXPECT_NEAR((q.cwiseQuotient(radii).squaredNorm() - 1) / (2 * slope.norm()), 0, 1e-9) << p.transpose();
      EXPECT_NEAR(slope.normalized().cross(n).norm(), 0, 1e-6) << p.transpose();
      EXPECT_EQ(d.phi < 0, p.cwiseQuotient(radii).squaredNorm() < 1);
      // No point of the surface is nearer: the ball around p is empty, or the whole of it is inside.
      for (int k = 0; k < 10; ++k) {
        const Vec3 other =
            Vec3(coordinate(random), coordinate(random), coordinate(random)).normalized().cwiseProduct(radii);
        EXPECT_GE((other - p).norm(), std::abs(d.phi) - 1e-9);
      }
    }
  }
}

TEST(SignedDistance, NormalIsTheGradientOfTheDistance) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> coordinate(-0.15, 0.15);
  const double h = 1e-6;
  for (const Shape& authored : analyticShapes()) {
    const auto shape = lowerShape<double>(authored);
    int kinks = 0;
    for (int i = 0; i < 300; ++i) {
      const V p = {coordinate(random), coordinate(random), coordinate(random)};
      const auto d = signedDistance<double>(shape, p);
      V slope;
      bool smooth = true;
      for (int a = 0; a < 3; ++a) {
        V up = p, down = p;
        up[a] += h, down[a] -= h;
        const auto dUp = signedDistance<double>(shape, up), dDown = signedDistance<double>(shape, down);
        slope[a] = (dUp.phi - dDown.phi) / (2 * h);
        smooth = smooth && dot(dUp.normal, dDown.normal) > 0.99;
      }
      if (!smooth) {
        ++kinks;  // the nearest face changes between the two probes
        continue;
      }
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(slope[a], d.normal[a], 1e-6) << "shape " << authored.index();
    }
    EXPECT_LE(kinks, 3);
  }
}

TEST(SignedDistance, FloatAndPackAgreeWithDouble) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> coordinate(-0.15f, 0.15f);
  using lanes::Pack;
  for (const Shape& authored : analyticShapes()) {
    const auto exactShape = lowerShape<double>(authored);
    const auto shape = lowerShape<float>(authored);
    for (int i = 0; i < 50; ++i) {
      lanes::V3<Pack> points;
      for (int a = 0; a < 3; ++a)
        for (int lane = 0; lane < Pack::kLanes; ++lane) points[a].x[lane] = coordinate(random);
      const auto pack = signedDistance<Pack>(shape, points);
      for (int lane = 0; lane < Pack::kLanes; ++lane) {
        const lanes::V3<float> p = {points.x[lane], points.y[lane], points.z[lane]};
        const auto single = signedDistance<float>(shape, p);
        const auto exact = signedDistance<double>(exactShape, V{p.x, p.y, p.z});
        EXPECT_NEAR(single.phi, exact.phi, 1e-7);
        EXPECT_FLOAT_EQ(pack.phi[lane], single.phi);
        for (int a = 0; a < 3; ++a) {
          EXPECT_NEAR(single.normal[a], exact.normal[a], 1e-4);
          EXPECT_FLOAT_EQ(pack.normal[a][lane], single.normal[a]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace slipstick
