#include "render/footprint_inset.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slipstick::render {
namespace {

/// Of the largest value: less is cut off at the picture's edge.
constexpr double kRim = 0.005;

/// Of a cylinder or capsule, otherwise 0.
double mantleRadius(const Shape& shape) {
  if (const auto* cylinder = std::get_if<shape::Cylinder>(&shape)) return cylinder->radius;
  if (const auto* capsule = std::get_if<shape::Capsule>(&shape)) return capsule->radius;
  return 0;
}

}  // namespace

Unrolling::Unrolling(const Shape& shape, const Vec3& outward_G, const Vec3& up_G)
    : Unrolling(outward_G, up_G) {
  constexpr double kAcross = 0.7;  // a footprint on a cap is not on the mantle
  if (std::abs(outward_G.z()) < kAcross) radius_ = mantleRadius(shape);
  middle_ = std::atan2(outward_G.y(), outward_G.x());
}

Unrolling::Unrolling(const Vec3& normal, const Vec3& up) {
  const Vec3 flat = up - up.dot(normal) * normal;
  up_ = flat.norm() > 0.1 ? Vec3(flat.normalized()) : normal.unitOrthogonal();
  right_ = up_.cross(normal);
}

Eigen::Vector2f Unrolling::at(const Vec3& p_G) const {
  if (!(radius_ > 0)) return Eigen::Vector2d(p_G.dot(right_), p_G.dot(up_)).cast<float>();
  const double angle = std::remainder(std::atan2(p_G.y(), p_G.x()) - middle_, 2 * std::numbers::pi);
  return Eigen::Vector2d(p_G.z(), radius_ * angle).cast<float>();
}

FootprintInset Unrolling::inset(const PaintedSurface& painted, const std::vector<double>& values) const {
  FootprintInset inset;
  inset.how = radius_ > 0 ? "unrolled" : "from outside";
  inset.across = radius_ > 0 ? "along" : "";
  inset.along = radius_ > 0 ? "around" : "";
  double top = 0;
  for (const double value : values) top = std::max(top, value);
  for (const Eigen::Vector3i& t : painted.triangles) {
    std::array<FootprintInset::Vertex, 3> corners;
    float most = 0;
    for (int k = 0; k < 3; ++k) {
      const auto v = static_cast<std::size_t>(t[k]);
      corners[static_cast<std::size_t>(k)] = {at(painted.points[v]), static_cast<float>(values[v])};
      most = std::max(most, static_cast<float>(values[v]));
    }
    const float lowest = std::min({corners[0].at.y(), corners[1].at.y(), corners[2].at.y()});
    const float highest = std::max({corners[0].at.y(), corners[1].at.y(), corners[2].at.y()});
    const bool acrossSeam = radius_ > 0 && static_cast<double>(highest - lowest) > 3 * radius_;
    if (most <= static_cast<float>(kRim * top) || acrossSeam) continue;
    for (const FootprintInset::Vertex& corner : corners) {
      inset.triangles.push_back(corner);
      inset.box.extend(corner.at);
    }
  }
  return inset;
}

void Unrolling::add(const PatchSurface& surface, FootprintInset& inset) const {
  for (const Eigen::Vector4f& v : surface.triangles) {
    inset.triangles.push_back({at(v.head<3>().cast<double>()), v.w()});
    inset.box.extend(inset.triangles.back().at);
  }
  for (const Eigen::Vector3f& p : surface.outline) inset.outline.push_back(at(p.cast<double>()));
}

}  // namespace slipstick::render
