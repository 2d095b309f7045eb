#include "engine/geometry/tessellation.h"

#include <cmath>
#include <initializer_list>
#include <numbers>

namespace slipstick {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kAround = 16;

/// Normals of a round solid: rings of kAround at the latitudes ±(k + ½)·step, and both poles.
std::vector<Vec3> sphereNormals(int rings) {
  std::vector<Vec3> normals = {Vec3::UnitZ(), -Vec3::UnitZ()};
  for (int k = 0; k < rings; ++k) {
    const double latitude = kPi * (k + 1) / (rings + 1) - kPi / 2;
    for (int i = 0; i < kAround; ++i) {
      const double azimuth = 2 * kPi * (i + (k % 2) * 0.5) / kAround;
      normals.emplace_back(std::cos(latitude) * std::cos(azimuth), std::cos(latitude) * std::sin(azimuth),
                           std::sin(latitude));
    }
  }
  return normals;
}

}  // namespace

Polytope cylinderPolytope(double radius, double halfLength) {
  std::vector<HalfSpace> sides = {{Vec3::UnitZ(), halfLength}, {-Vec3::UnitZ(), halfLength}};
  const auto add = [&](double azimuth) {
    sides.push_back({Vec3(std::cos(azimuth), std::sin(azimuth), 0), radius});
  };
  add(0);
  for (const double azimuth :
       {0.02, 0.06, 0.13, 0.24, 0.4, 0.6, 0.85, 1.1, 1.35, 1.6, 1.85, 2.1, 2.35, 2.6, 2.87})
    add(azimuth), add(-azimuth);
  add(kPi);
  return Polytope::fromHalfSpaces(sides, 2 * std::hypot(radius, halfLength));
}

Polytope capsulePolytope(double radius, double halfLength) {
  std::vector<HalfSpace> sides;
  for (const Vec3& n : sphereNormals(7)) sides.push_back({n, radius + halfLength * std::abs(n.z())});
  return Polytope::fromHalfSpaces(sides, 2 * (radius + halfLength));
}

Polytope ellipsoidPolytope(const Vec3& radii) {
  // Normals whose points of contact are spread evenly over the ellipsoid.
  std::vector<HalfSpace> sides;
  for (const Vec3& onSphere : sphereNormals(7)) {
    const Vec3 n = onSphere.cwiseQuotient(radii).normalized();
    sides.push_back({n, n.cwiseProduct(radii).norm()});
  }
  return Polytope::fromHalfSpaces(sides, 2 * radii.maxCoeff());
}

}  // namespace slipstick
