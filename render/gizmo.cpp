#include "render/gizmo.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace slipstick::render {
namespace {

constexpr double kSize = 0.1;       ///< of the axes, in the distance from the eye
constexpr double kAxisFrom = 0.22;  ///< where an axis begins, and all below in its length
constexpr double kRing = 0.82;
constexpr double kPlaneFrom = 0.36, kPlaneTo = 0.56;
constexpr int kRingPoints = 49;
constexpr double kSlideStep = 0.01, kTurnStep = std::numbers::pi / 12;
/// A ray that meets a plane at less than this sine says nothing about where.
constexpr double kGrazing = 0.05;
/// Of a parallel projection the eye is far away; what counts is how large the picture is there.
double distanceTo(const Camera& camera, const Vec3& p_W) {
  return camera.parallel ? camera.distance : (p_W - camera.eye()).norm();
}

double snapped(double value, double step) {
  return std::round(value / step) * step;
}

Vec3 axisIn(const Gizmo& gizmo, int k) {
  return gizmo.X_WG.R.col(k);
}

/// How far along the line through the gizmo the ray passes it nearest; none where both are nearly parallel.
std::optional<double> alongAxis(const Gizmo& gizmo, const Vec3& axis, const Vec3& eye, const Vec3& ray) {
  const double c = axis.dot(ray), denominator = 1 - c * c;
  if (denominator < kGrazing * kGrazing) return std::nullopt;
  const Vec3 w = eye - gizmo.X_WG.p;
  return (axis.dot(w) - c * ray.dot(w)) / denominator;
}

/// Where the ray meets the plane through the gizmo, relative to it.
std::optional<Vec3> inPlane(const Gizmo& gizmo, const Vec3& normal, const Vec3& eye, const Vec3& ray) {
  const double s = normal.dot(ray);
  if (std::abs(s) < kGrazing) return std::nullopt;
  return Vec3(eye + normal.dot(gizmo.X_WG.p - eye) / s * ray - gizmo.X_WG.p);
}

double distanceToSegment(const Eigen::Vector2d& p, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  const Eigen::Vector2d ab = b - a;
  const double t = ab.squaredNorm() > 0 ? std::clamp((p - a).dot(ab) / ab.squaredNorm(), 0.0, 1.0) : 0;
  return (p - a - t * ab).norm();
}

/// Whether one sees the handle well enough to mean it: axes from the side, planes from above.
bool isSeen(const Gizmo& gizmo, Handle handle, const Vec3& eye) {
  const double along = std::abs(axisIn(gizmo, axisOf(handle)).dot((gizmo.X_WG.p - eye).normalized()));
  if (handle <= Handle::AxisZ) return along < 0.98;
  return along > 0.15;
}

}  // namespace

Gizmo gizmoAt(const Pose& X_WG, const Camera& camera) {
  return {X_WG, kSize * distanceTo(camera, X_WG.p)};
}

std::vector<Vec3> outlineOf(const Gizmo& gizmo, Handle handle) {
  const int k = axisOf(handle);
  const Vec3 n = axisIn(gizmo, k), u = axisIn(gizmo, (k + 1) % 3), v = axisIn(gizmo, (k + 2) % 3);
  const Vec3& o = gizmo.X_WG.p;
  const double s = gizmo.size;
  if (handle <= Handle::AxisZ) return {o + kAxisFrom * s * n, o + s * n};
  std::vector<Vec3> line;
  if (handle <= Handle::PlaneZ) {
    for (const auto& [a, b] : {std::pair(kPlaneFrom, kPlaneFrom),
                               {kPlaneTo, kPlaneFrom},
                               {kPlaneTo, kPlaneTo},
                               {kPlaneFrom, kPlaneTo},
                               {kPlaneFrom, kPlaneFrom}})
      line.push_back(o + s * (a * u + b * v));
    return line;
  }
  for (int i = 0; i < kRingPoints; ++i) {
    const double angle = 2 * std::numbers::pi * i / (kRingPoints - 1);
    line.push_back(o + kRing * s * (std::cos(angle) * u + std::sin(angle) * v));
  }
  return line;
}

std::optional<Handle> handleAt(const Gizmo& gizmo, const Camera& camera, double aspect,
                               const Eigen::Vector2d& at, double height, double reach) {
  const Eigen::Matrix4d clipFromWorld = (camera.projection(aspect) * camera.view()).cast<double>();
  const Eigen::Vector2d size(height * aspect, height);
  const auto onScreen = [&](const Vec3& p) -> std::optional<Eigen::Vector2d> {
    const Eigen::Vector4d clip = clipFromWorld * p.homogeneous();
    if (clip.w() <= 0) return std::nullopt;
    return Eigen::Vector2d((clip.x() / clip.w() + 1) / 2 * size.x(),
                           (1 - clip.y() / clip.w()) / 2 * size.y());
  };
  const Eigen::Vector2d pointer = at.cwiseProduct(size);
  std::optional<Handle> nearest;
  double least = reach;
  for (int i = 0; i < kHandleCount; ++i) {
    const auto handle = static_cast<Handle>(i);
    if (!isSeen(gizmo, handle, camera.eye())) continue;
    const std::vector<Vec3> line = outlineOf(gizmo, handle);
    for (std::size_t p = 1; p < line.size(); ++p) {
      const auto a = onScreen(line[p - 1]), b = onScreen(line[p]);
      if (!a || !b) continue;
      const double distance = distanceToSegment(pointer, *a, *b);
      if (distance >= least) continue;
      nearest = handle;
      least = distance;
    }
  }
  return nearest;
}

Pose dragged(const Gizmo& start, Handle handle, const Vec3& eye, const Vec3& fromRay, const Vec3& toRay,
             bool snaps) {
  Pose X = start.X_WG;
  const int k = axisOf(handle);
  const Vec3 axis = axisIn(start, k);
  if (handle <= Handle::AxisZ) {
    const auto from = alongAxis(start, axis, eye, fromRay), to = alongAxis(start, axis, eye, toRay);
    if (from && to) X.p += (snaps ? snapped(*to - *from, kSlideStep) : *to - *from) * axis;
    return X;
  }
  const auto from = inPlane(start, axis, eye, fromRay), to = inPlane(start, axis, eye, toRay);
  if (!from || !to) return X;
  if (handle <= Handle::PlaneZ) {
    for (int i = 1; i < 3; ++i) {
      const Vec3 side = axisIn(start, (k + i) % 3);
      const double way = side.dot(*to - *from);
      X.p += (snaps ? snapped(way, kSlideStep) : way) * side;
    }
    return X;
  }
  const double angle = std::atan2(axis.dot(from->cross(*to)), from->dot(*to));
  X.R = Eigen::AngleAxisd(snaps ? snapped(angle, kTurnStep) : angle, axis) * X.R;
  return X;
}

}  // namespace slipstick::render
