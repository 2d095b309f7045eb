// The bounds of a node in floats against those in double.
#include "gpu/device_bounds.h"

#include <gtest/gtest.h>

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

TEST(DeviceBounds, FixTheDirectionsThatTheCpuFixes) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const RandomBounds random(seed);
    std::array<bool, mpm::kMostNodeBounds> active{};
    const unsigned mask = seed / 5 % 16;
    for (std::size_t k = 0; k < random.exact.size(); ++k) active[k] = (mask >> k & 1u) != 0;
    const Mat3 exact = fixedDirections(random.exact, active);
    float p[6];
    random.bounds().fixedBy(mask & ((1u << random.exact.size()) - 1), p);
    Mat3 found;
    found << double(p[0]), double(p[3]), double(p[4]), double(p[3]), double(p[1]), double(p[5]), double(p[4]),
        double(p[5]), double(p[2]);
    EXPECT_LT((found - exact).norm(), 1e-5) << seed;
  }
}

}  // namespace
}  // namespace slipstick::gpu
