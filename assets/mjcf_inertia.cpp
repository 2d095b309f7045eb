#include "assets/mjcf_inertia.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>
#include <vector>

#include "engine/geometry/triangle_mesh.h"

namespace slipstick::assets {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kThomsen = 1.6075;         // exponent of the area of an ellipsoid, within 1.2 %
constexpr double kShellOfEllipsoid = 1e-6;  // [m]

MassProperties centred(double area, const Vec3& moments) {
  return {area, Vec3::Zero(), moments.asDiagonal()};
}

struct ShellOf {
  Result<MassProperties> operator()(const shape::Sphere& s) const {
    const double area = 4 * kPi * s.radius * s.radius;
    return centred(area, Vec3::Constant(2.0 / 3.0 * area * s.radius * s.radius));
  }
  /// A tube and two half balls, whose centres of mass lie r/2 beyond the tube's ends.
  Result<MassProperties> operator()(const shape::Capsule& c) const {
    const double r = c.radius, L = c.length, tube = 2 * kPi * r * L, balls = 4 * kPi * r * r;
    const double outside = L / 2 + r / 2;
    const double across = tube * (r * r / 2 + L * L / 12) + balls * (5.0 / 12.0 * r * r + outside * outside);
    return centred(tube + balls, {across, across, tube * r * r + balls * 2.0 / 3.0 * r * r});
  }
  Result<MassProperties> operator()(const shape::Cylinder& c) const {
    const double r = c.radius, L = c.length, tube = 2 * kPi * r * L, caps = 2 * kPi * r * r;
    const double across = tube * (r * r / 2 + L * L / 12) + caps * (r * r / 4 + L * L / 4);
    return centred(tube + caps, {across, across, tube * r * r + caps * r * r / 2});
  }
  Result<MassProperties> operator()(const shape::Ellipsoid& e) const {
    const Vec3 r = e.radii;
    const double sum = std::pow(r.x() * r.y(), kThomsen) + std::pow(r.x() * r.z(), kThomsen) +
                       std::pow(r.y() * r.z(), kThomsen);
    const double area = 4 * kPi * std::pow(sum / 3, 1 / kThomsen);
    const MassProperties inner = *massProperties(Shape(e));
    const MassProperties outer =
        *massProperties(Shape(shape::Ellipsoid{r + Vec3::Constant(kShellOfEllipsoid)}));
    const Mat3 layer = (outer.inertiaPerDensity - inner.inertiaPerDensity) / (outer.volume - inner.volume);
    return MassProperties{area, Vec3::Zero(), area * layer};
  }
  Result<MassProperties> operator()(const shape::Box& b) const {
    const Vec3 h = b.halfExtents;
    double area = 0;
    Vec3 moments = Vec3::Zero();
    for (int a = 0; a < 3; ++a) {  // the two faces across axis a
      const int u = (a + 1) % 3, v = (a + 2) % 3;
      const double faces = 8 * h[u] * h[v];
      area += faces;
      const Vec3 squares = Vec3::Unit(a) * h[a] * h[a] + Vec3::Unit(u) * h[u] * h[u] / 3 +
                           Vec3::Unit(v) * h[v] * h[v] / 3;  // mean of x², y², z²
      moments += faces * (Vec3::Constant(squares.sum()) - squares);
    }
    return centred(area, moments);
  }
  template <class Other>
  Result<MassProperties> operator()(const Other&) const {
    return Error{ErrorCode::Unsupported,
                 "only spheres, capsules, cylinders, ellipsoids and boxes can be shells", "",
                 "remove shellinertia; of a mesh write inertia=\"shell\" in <asset>"};
  }
};

/// One triangle of a mesh, with the pyramid between it and a point.
struct Facet {
  Triangle corners;
  Vec3 normal = Vec3::Zero();  ///< unit, or zero of a thin one
  double area = 0;
  Vec3 middle = Vec3::Zero();

  explicit Facet(const Triangle& triangle) : corners(triangle) {
    const Vec3 vector = areaVector(triangle);
    area = vector.norm();
    if (area > 0) normal = vector / area;
    middle = (triangle[0] + triangle[1] + triangle[2]) / 3;
  }
  /// What it weighs at 1 kg/m³ with the pyramid to a tip; of a shell at 1 kg/m² without.
  double weight(const Vec3& tip, const std::string& way) const {
    if (way == "shell") return area;
    const double volume = area * normal.dot(middle - tip) / 3;
    return way == "legacy" ? std::abs(volume) : volume;
  }
};

std::vector<Facet> facetsOf(const TriangleMesh& mesh) {
  std::vector<Facet> facets;
  facets.reserve(mesh.triangles.size());
  for (const Eigen::Vector3i& t : mesh.triangles) facets.emplace_back(cornersOf(mesh, t));
  return facets;
}

}  // namespace

Result<MassProperties> shellProperties(const Shape& shape) {
  return std::visit(ShellOf{}, shape);
}

/// First the centre of mass, with pyramids to the middle of the surface; then volume and inertia, with pyramids to the
/// centre of mass. With signs it does not matter where their tips are; without it does.
Result<MassProperties> meshProperties(const TriangleMesh& mesh, const std::string& way) {
  const std::vector<Facet> facets = facetsOf(mesh);
  double area = 0;
  Vec3 surface = Vec3::Zero();
  for (const Facet& f : facets) {
    area += f.area;
    surface += f.area * f.middle;
  }
  const Error flat = {ErrorCode::InvalidValue,
                      "the mesh '" + mesh.name + "' encloses no volume, or faces inwards", "",
                      "give it a thickness and let its triangles face outwards, or write inertia=\"shell\""};
  if (!(area > 0)) return flat;
  surface /= area;
  const bool isShell = way == "shell";
  double weight = 0;
  Vec3 first = Vec3::Zero();
  for (const Facet& f : facets) {
    const double w = f.weight(surface, way);
    weight += w;
    first += w * (isShell ? f.middle : Vec3(0.75 * f.middle + 0.25 * surface));
  }
  if (!(weight > 0)) return flat;
  const Vec3 com = first / weight;
  weight = 0;
  Mat3 second = Mat3::Zero();  // ∫ r rᵀ
  for (const Facet& f : facets) {
    const double w = f.weight(com, way);
    const Vec3 a = f.corners[0] - com, b = f.corners[1] - com, c = f.corners[2] - com, sum = a + b + c;
    weight += w;
    second += w / (isShell ? 12 : 20) *
              (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  if (!(weight > 0)) return flat;
  return MassProperties{weight, com, second.trace() * Mat3::Identity() - second};
}

void MassSum::add(const MassProperties& part, double scale, const Pose& X_BG) {
  const double mass = scale * part.volume;
  const Vec3 c = X_BG * part.com;
  mass_ += mass;
  first_ += mass * c;
  second_ += X_BG.R * (scale * part.inertiaPerDensity) * X_BG.R.transpose() - mass * skew(c) * skew(c);
}

void MassSum::store(LinkSpec& link) const {
  link.mass = mass_;
  if (mass_ <= 0) return;
  link.com = first_ / mass_;
  link.inertia = second_ + mass_ * skew(link.com) * skew(link.com);
}

InertiaBox inertiaBox(const MassProperties& properties) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(properties.inertiaPerDensity);
  Mat3 R;
  Vec3 moments;
  for (int a = 0; a < 3; ++a) {
    R.col(a) = eigen.eigenvectors().col(2 - a);
    moments[a] = eigen.eigenvalues()[2 - a];
  }
  if (R.determinant() < 0) R.col(2) *= -1;
  const Vec3 squares = (Vec3::Constant(moments.sum()) - 2 * moments) * 6 / properties.volume;
  return {squares.cwiseMax(0).cwiseSqrt() / 2, {R, properties.com}};
}

}  // namespace slipstick::assets
