#include "engine/compile/shape_mass.h"

#include <cmath>
#include <numbers>
#include <variant>

namespace slipstick {
namespace {

constexpr double kPi = std::numbers::pi;

MassProperties centred(double volume, const Vec3& moments) {
  return {volume, Vec3::Zero(), moments.asDiagonal()};
}

MassProperties of(const shape::Sphere& s) {
  const double volume = 4.0 / 3.0 * kPi * std::pow(s.radius, 3);
  return centred(volume, Vec3::Constant(0.4 * volume * s.radius * s.radius));
}

MassProperties of(const shape::Ellipsoid& e) {
  const double volume = 4.0 / 3.0 * kPi * e.radii.prod();
  const Vec3 squared = e.radii.cwiseAbs2();
  return centred(volume, volume / 5 * (Vec3::Constant(squared.sum()) - squared));
}

MassProperties of(const shape::Box& b) {
  const double volume = 8 * b.halfExtents.prod();
  const Vec3 squared = b.halfExtents.cwiseAbs2();
  return centred(volume, volume / 3 * (Vec3::Constant(squared.sum()) - squared));
}

MassProperties of(const shape::Cylinder& c) {
  const double r2 = c.radius * c.radius, volume = kPi * r2 * c.length;
  const double across = volume * (3 * r2 + c.length * c.length) / 12;
  return centred(volume, {across, across, volume * r2 / 2});
}

/// A cylinder and two half balls, whose centres of mass lie 3r/8 beyond the cylinder's ends.
MassProperties of(const shape::Capsule& c) {
  const double r = c.radius, r2 = r * r, L = c.length;
  const double tube = kPi * r2 * L, ball = 4.0 / 3.0 * kPi * r2 * r;
  const double across = tube * (3 * r2 + L * L) / 12 + ball * (0.4 * r2 + L * L / 4 + 3 * L * r / 8);
  return centred(tube + ball, {across, across, tube * r2 / 2 + ball * 0.4 * r2});
}

/// Sum over the tetrahedra between a reference point and each triangle (signed volumes). The reference is
/// near the mesh, so that a mesh far from its frame's origin loses no digits.
MassProperties of(const shape::Mesh& m) {
  const std::vector<Vec3>& x = m.mesh->vertices;
  Vec3 origin = Vec3::Zero();
  for (const Vec3& vertex : x) origin += vertex / static_cast<double>(x.size());
  double volume = 0;
  Vec3 first = Vec3::Zero();   // ∫ r dV
  Mat3 second = Mat3::Zero();  // ∫ r rᵀ dV
  for (const Eigen::Vector3i& t : m.mesh->triangles) {
    const Vec3 a = x[static_cast<std::size_t>(t[0])] - origin, b = x[static_cast<std::size_t>(t[1])] - origin,
               c = x[static_cast<std::size_t>(t[2])] - origin;
    const double v = a.dot(b.cross(c)) / 6;
    const Vec3 sum = a + b + c;
    volume += v;
    first += v / 4 * sum;
    second += v / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  if (!(volume > 0)) return {volume, Vec3::Zero(), Mat3::Zero()};
  const Vec3 com = first / volume;
  const Mat3 central = second - volume * com * com.transpose();
  return {volume, origin + com, central.trace() * Mat3::Identity() - central};
}

MassProperties of(const shape::Plane&) {
  return {};
}

}  // namespace

Result<MassProperties> massProperties(const Shape& shape) {
  MassProperties properties = std::visit([](const auto& s) { return of(s); }, shape);
  if (std::holds_alternative<shape::Plane>(shape))
    return Error{ErrorCode::InvalidValue, "a plane is a half-space and has no mass", "",
                 "use a box, or make the body fixed without a mass"};
  if (!(properties.volume > 0) || !std::isfinite(properties.volume))
    return Error{ErrorCode::InvalidValue, "the shape's volume is not positive", "",
                 "use a closed mesh whose triangles face outwards (counter-clockwise)"};
  return properties;
}

Result<MassProperties> massProperties(const std::vector<LinkGeometry>& elements) {
  MassProperties total;
  std::vector<MassProperties> parts;
  for (const LinkGeometry& element : elements) {
    Result<MassProperties> part = massProperties(element.shape);
    if (!part) return part.error();
    part->com = element.X_BG * part->com;
    part->inertiaPerDensity = element.X_BG.R * part->inertiaPerDensity * element.X_BG.R.transpose();
    total.volume += part->volume;
    total.com += part->volume * part->com;
    parts.push_back(*part);
  }
  if (parts.empty())
    return Error{ErrorCode::InvalidValue, "there is no shape to take the mass from", "", "add a shape"};
  total.com /= total.volume;
  for (const MassProperties& part : parts) {
    const Mat3 offset = skew(part.com - total.com);
    total.inertiaPerDensity += part.inertiaPerDensity - part.volume * offset * offset;
  }
  return total;
}

}  // namespace slipstick
