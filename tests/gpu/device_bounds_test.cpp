// The bounds of a node in floats against those in double.
#include "gpu/device_bounds.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/node_bounds.h"

namespace slipstick::gpu {
namespace {

using lanes::toEigen;

struct RandomBounds {
  std::vector<mpm::NodeBound> exact;
  std::vector<DeviceBound> device;

  /// @param seed  also says of which kinds they are
  explicit RandomBounds(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto vector = [&] {
      const double x = uniform(random), y = uniform(random), z = uniform(random);
      return Vec3(x, y, z);
    };
    for (unsigned k = 0; k < seed % 5; ++k) {
      const unsigned kind = random() % 8;
      const BoundaryKind kinds[] = {BoundaryKind::Sticky, BoundaryKind::Slip, BoundaryKind::Separate};
      // Directions on a coarse grid: parallel and perpendicular normals are common, nearly parallel ones are not.
      Vec3 normal = (2 * vector()).array().round();
      if (normal.isZero()) normal = Vec3::UnitZ();
      exact.push_back({kinds[kind == 0 ? 0 : kind < 3 ? 1 : 2], 0, normal.normalized(), 0.5 * vector()});
      DeviceBound& bound = device.emplace_back();
      bound.kind = static_cast<int>(exact.back().kind);
      for (int i = 0; i < 3; ++i) {
        bound.normal[i] = static_cast<float>(exact.back().normal[i]);
        bound.velocity[i] = static_cast<float>(exact.back().velocity[i]);
      }
    }
  }
  DeviceBounds bounds() const { return {device.data(), static_cast<int>(device.size())}; }
};

Vector someVelocity(unsigned seed) {
  std::mt19937 random(seed + 1000);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const float x = uniform(random), y = uniform(random), z = uniform(random);
  return {x, y, z};
}

/// Rounding grows with what nearly parallel bounds push, which nearly cancels.
double sizeOf(const mpm::AllowedVelocity& exact) {
  double size = 1;
  for (const Vec3& push : exact.push) size += push.norm();
  return size;
}

/// Half-spaces that contradict each other are broken as little as possible: there may be several ways to that.
bool allowsAny(const mpm::NodeBounds& bounds, const Vec3& v) {
  for (const mpm::NodeBound& b : bounds)
    if (b.kind == BoundaryKind::Separate && gapOf(b, v) < -1e-9) return false;
  return true;
}

TEST(DeviceBounds, AllowTheVelocitiesThatTheCpuAllows) {
  int held = 0, several = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const RandomBounds random(seed);
    const Vector a = someVelocity(seed);
    const mpm::AllowedVelocity exact = nearestAllowed(toEigen(a), random.exact);
    if (!allowsAny(random.exact, exact.v)) continue;
    const AllowedVelocity found = random.bounds().nearest(a);
    EXPECT_LT((toEigen(found.v) - exact.v).norm(), 1e-5 * sizeOf(exact)) << seed;
    int active = 0;
    for (std::size_t k = 0; k < random.exact.size(); ++k) {
      active += exact.active[k] ? 1 : 0;
      if (random.exact[k].kind == BoundaryKind::Sticky) continue;
      if (!exact.active[k]) {
        EXPECT_NEAR(found.pushOf(static_cast<int>(k)), 0, 1e-5) << seed;
      } else {
        EXPECT_NEAR(found.pushOf(static_cast<int>(k)), exact.push[k].norm(), 1e-4 * sizeOf(exact)) << seed;
      }
    }
    held += active > 0;
    several += active > 1;
  }
  EXPECT_GT(held, 500);
  EXPECT_GT(several, 100);
}

TEST(DeviceBounds, AreMetInTheMetricOfContactsToo) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const RandomBounds random(seed);
    const Vector a = someVelocity(seed);
    const BlockMetric metric{2, {30, 1, 5, 2, 3, 0.5f}};
    Mat3 H;
    H << 32, 2, 3, 2, 3, 0.5, 3, 0.5, 7;
    const mpm::AllowedVelocity exact = nearestAllowed(toEigen(a), random.exact, H.inverse());
    if (!allowsAny(random.exact, exact.v)) continue;
    EXPECT_LT((toEigen(random.bounds().nearest(a, metric).v) - exact.v).norm(), 1e-4 * sizeOf(exact)) << seed;
  }
}

/// Symmetric, as BlockMetric has it.
Mat3 matrixOf(const float (&b)[6]) {
  const auto at = [&](int k) { return double(b[k]); };
  Mat3 matrix;
  matrix << at(0), at(3), at(4), at(3), at(1), at(5), at(4), at(5), at(2);
  return matrix;
}

/// A stiff contact between two walls is soft in one direction s only, H = m (1 + stiffness (1 − s sᵀ)), and in H⁻¹ the
/// walls' normals nearly depend on each other.
TEST(DeviceBounds, AreMetWhereContactsAreStiff) {
  constexpr double kRounding = 1.0 / (1 << 24);
  int both = 0;
  for (const double stiffness : {1e2, 1e4, 1e6})
    for (unsigned seed = 0; seed < 200; ++seed) {
      SCOPED_TRACE("stiffness " + std::to_string(stiffness) + ", seed " + std::to_string(seed));
      const auto direction = [&](unsigned k) { return toEigen(someVelocity(5 * seed + k)).normalized(); };
      const Vec3 s = direction(1), normal[] = {direction(2), direction(3)};
      const Mat3 stiff = 0.5 * stiffness * (Mat3::Identity() - s * s.transpose());
      const auto entry = [&](int i, int j) { return static_cast<float>(stiff(i, j)); };
      const BlockMetric metric{
          0.5f, {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)}};
      const Mat3 H = 0.5 * Mat3::Identity() + matrixOf(metric.block);
      std::vector<mpm::NodeBound> exact;
      std::vector<DeviceBound> device;
      for (const Vec3& n : normal) {
        exact.push_back({BoundaryKind::Separate, 0, n, Vec3::Zero()});
        device.push_back({static_cast<int>(BoundaryKind::Separate),
                          0,
                          {static_cast<float>(n.x()), static_cast<float>(n.y()), static_cast<float>(n.z())},
                          {0, 0, 0},
                          0});
      }
      const Vector a = someVelocity(5 * seed);
      const mpm::AllowedVelocity at = nearestAllowed(toEigen(a), exact, H.inverse());
      const Vec3 found = toEigen(DeviceBounds(device.data(), 2).nearest(a, metric).v);
      both += at.active[0] && at.active[1] ? 1 : 0;
      // Some tens of roundings of H (v − a), as the softest direction that is free answers to them.
      const Mat3 P = Mat3::Identity() - fixedDirections(exact, at.active);
      const Eigen::SelfAdjointEigenSolver<Mat3> free(P * H * P + H.norm() * (Mat3::Identity() - P));
      const double softest = free.eigenvalues()[0];
      const double size = toEigen(a).norm() + sizeOf(at);
      const double limit = 32 * kRounding * H.norm() / softest * size;
      ASSERT_TRUE(found.allFinite());
      EXPECT_LT((found - at.v).norm(), limit);
    }
  EXPECT_GT(both, 100);
}

TEST(DeviceBounds, FixTheDirectionsThatTheCpuFixes) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const RandomBounds random(seed);
    std::array<bool, mpm::kMaxNodeBounds> active{};
    const unsigned mask = seed / 5 % 16;
    for (std::size_t k = 0; k < random.exact.size(); ++k) active[k] = (mask >> k & 1u) != 0;
    const Mat3 exact = fixedDirections(random.exact, active);
    float p[6];
    random.bounds().fixedBy(mask & ((1u << random.exact.size()) - 1), p);
    EXPECT_LT((matrixOf(p) - exact).norm(), 1e-5) << seed;
  }
}

}  // namespace
}  // namespace slipstick::gpu
