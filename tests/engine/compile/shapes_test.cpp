// Shapes that hold particles: their mass, their thinnest part, points within them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "engine/compile/sampling.h"
#include "engine/compile/shape_mass.h"
#include "engine/model/shape_thickness.h"

namespace slipstick {
namespace {

TEST(ShapeThickness, OfAMeshIsThatOfItsThinPartAndNotOfItsEdges) {
  // A plate of 200 × 200 × 12 mm beside a block of 100 × 200 × 100 mm, as one L-shaped prism.
  auto prism = std::make_shared<TriangleMesh>();
  const std::vector<Eigen::Vector2d> outline = {{0, 0},       {0.3, 0},   {0.3, 0.012},
                                                {0.1, 0.012}, {0.1, 0.1}, {0, 0.1}};
  for (const double z : {0.0, 0.2})
    for (const Eigen::Vector2d& p : outline) prism->vertices.emplace_back(p.x(), p.y(), z);
  for (int i = 0; i < 6; ++i) {
    const int j = (i + 1) % 6;
    prism->triangles.emplace_back(i, j, j + 6);
    prism->triangles.emplace_back(i, j + 6, i + 6);
  }
  const int caps[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  for (const auto& c : caps) {
    prism->triangles.emplace_back(c[2], c[1], c[0]);
    prism->triangles.emplace_back(c[0] + 6, c[1] + 6, c[2] + 6);
  }
  EXPECT_NEAR(thinnestPart(shape::Mesh{prism}).value(), 0.012, 1e-9);
  for (Eigen::Vector3i& t : prism->triangles) std::swap(t.x(), t.y());  // inside out
  EXPECT_NEAR(thinnestPart(shape::Mesh{prism}).value(), 0.012, 1e-9);
  EXPECT_FALSE(thinnestPart(shape::Plane{}).has_value());
}

TEST(PoissonSampling, KeepsDistanceAndRepeatsForTheSameSeed) {
  SamplingSpec spec;
  spec.kind = SamplingSpec::Kind::Poisson;
  const Shape box = shape::Box{Vec3(0.08, 0.06, 0.05)};
  const Result<SampledShape> a = sampleShape(box, spec, 0.02), b = sampleShape(box, spec, 0.02);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->points, b->points);
  spec.seed = 2;
  EXPECT_NE(sampleShape(box, spec, 0.02)->points, a->points);
  const double wanted = massProperties(box)->volume / 1e-6;
  EXPECT_NEAR(static_cast<double>(a->points.size()), wanted, 0.03 * wanted);
  double nearest = 1;
  for (std::size_t i = 0; i < a->points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) nearest = std::min(nearest, (a->points[i] - a->points[j]).norm());
  EXPECT_GT(nearest, 0.6 * std::cbrt(a->volumePerParticle));
}

TEST(ShapeMass, CapsuleAgreesWithThinSlices) {
  const double r = 0.3, L = 0.7;
  double volume = 0, across = 0, along = 0;
  const int slices = 200000;
  const double dz = (L + 2 * r) / slices;
  for (int i = 0; i < slices; ++i) {
    const double z = -L / 2 - r + (i + 0.5) * dz, beyond = std::max(std::abs(z) - L / 2, 0.0);
    const double r2 = r * r - beyond * beyond, dV = std::numbers::pi * r2 * dz;
    volume += dV;
    along += dV * r2 / 2;
    across += dV * (r2 / 4 + z * z);
  }
  const MassProperties mass = *massProperties(Shape(shape::Capsule{r, L}));
  EXPECT_NEAR(mass.volume, volume, 1e-8);
  EXPECT_NEAR(mass.inertiaPerDensity(0, 0), across, 1e-8);
  EXPECT_NEAR(mass.inertiaPerDensity(2, 2), along, 1e-8);
}

TEST(ShapeMass, EllipsoidAgreesWithThinSlices) {
  const Vec3 radii(0.3, 0.2, 0.5);
  double volume = 0, aboutX = 0, aboutZ = 0;
  const int slices = 200000;
  const double dz = 2 * radii.z() / slices;
  for (int i = 0; i < slices; ++i) {
    const double z = -radii.z() + (i + 0.5) * dz, scale2 = 1 - z * z / (radii.z() * radii.z());
    const double a2 = radii.x() * radii.x() * scale2, b2 = radii.y() * radii.y() * scale2;
    const double dV = std::numbers::pi * std::sqrt(a2 * b2) * dz;
    volume += dV;
    aboutX += dV * (b2 / 4 + z * z);
    aboutZ += dV * (a2 + b2) / 4;
  }
  const MassProperties mass = *massProperties(Shape(shape::Ellipsoid{radii}));
  EXPECT_NEAR(mass.volume, volume, 1e-8);
  EXPECT_NEAR(mass.inertiaPerDensity(0, 0), aboutX, 1e-8);
  EXPECT_NEAR(mass.inertiaPerDensity(2, 2), aboutZ, 1e-8);
}

TEST(ShapeMass, MeshOfABoxIsTheBox) {
  auto mesh = std::make_shared<TriangleMesh>();
  const Vec3 half(0.1, 0.2, 0.3), centre(5, -3, 2);
  for (int i = 0; i < 8; ++i)
    mesh->vertices.push_back(centre +
                             half.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  const int quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& q : quads) {
    mesh->triangles.emplace_back(q[0], q[1], q[2]);
    mesh->triangles.emplace_back(q[0], q[2], q[3]);
  }
  const Result<MassProperties> of = massProperties(Shape(shape::Mesh{mesh}));
  ASSERT_TRUE(of) << of.error().message();
  const MassProperties box = *massProperties(Shape(shape::Box{half}));
  EXPECT_NEAR(of->volume, box.volume, 1e-12);
  EXPECT_LT((of->com - centre).norm(), 1e-12);
  EXPECT_LT((of->inertiaPerDensity - box.inertiaPerDensity).norm(), 1e-12);
}

}  // namespace
}  // namespace slipstick
