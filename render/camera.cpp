#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::render {
namespace {

constexpr double kPitchLimit = 0.495 * std::numbers::pi;
constexpr double kNearest = 0.01, kFarthest = 100;  // of the eye from the target [m]
/// Directions that differ less are the same [-].
constexpr double kSameUp = 1e-9;
/// Of the eye of a parallel projection, in distances.
constexpr double kFarAway = 200;

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

/// See Camera::axes.
Mat3 axesOf(const Camera& camera) {
  if (camera.axes) return *camera.axes;
  const double cy = std::cos(camera.yaw), sy = std::sin(camera.yaw);
  const double cp = std::cos(camera.pitch), sp = std::sin(camera.pitch);
  const Vec3 back(cp * cy, cp * sy, sp);
  const Vec3 right(-sy, cy, 0);
  Mat3 R;
  R << right, back.cross(right), back;
  return R;
}

/// Yaw and pitch of an eye in this direction from the target.
void lookAlong(Camera& camera, const Vec3& offset) {
  const double length = std::clamp(offset.norm(), kNearest, kFarthest);
  camera.pitch = std::clamp(std::asin(std::clamp(offset.z() / length, -1.0, 1.0)), -kPitchLimit, kPitchLimit);
  if (offset.head<2>().norm() > 1e-9) camera.yaw = std::atan2(offset.y(), offset.x());
}

/// 50 distances in front of and behind the target.
Eigen::Matrix4f parallelProjection(const Camera& camera, double aspect) {
  const double half = camera.heightAtTarget(aspect) / 2, away = kFarAway * camera.distance,
               depth = 50 * camera.distance;
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m(0, 0) = 1 / (half * aspect);
  m(1, 1) = 1 / half;
  m(2, 2) = -1 / depth;
  m(2, 3) = -away / depth;
  return m.cast<float>();
}

}  // namespace

Camera Camera::from(const CameraSpec& spec) {
  Camera camera;
  const Vec3 offset = spec.position - spec.target;
  camera.target = spec.target;
  camera.distance = std::clamp(offset.norm(), kNearest, kFarthest);
  lookAlong(camera, offset);
  camera.fieldOfView = std::clamp(spec.fieldOfView, 1.0, 150.0);
  if (spec.body.empty() && (spec.up.normalized() - Vec3::UnitZ()).norm() < kSameUp) return camera;
  const Vec3 back = offset.normalized(), right = spec.up.cross(back);
  if (right.norm() < 1e-9 * spec.up.norm()) return camera;  // on a way from one 'up' to another
  camera.axes.emplace();
  *camera.axes << right.normalized(), back.cross(right.normalized()), back;
  return camera;
}

Camera Camera::from(const CameraSpec& spec, const Model& model, const Snapshot& snapshot) {
  Camera camera = from(spec);
  const int body = spec.body.empty() ? 0 : model.findBody(spec.body);
  if (body <= 0) return camera;
  const Pose& X_WB = snapshot.X_WB[static_cast<std::size_t>(body)];
  camera.target = X_WB * camera.target;
  camera.axes = X_WB.R * axesOf(camera);
  lookAlong(camera, camera.axes->col(2));
  return camera;
}

Camera Camera::upright() const {
  Camera camera = *this;
  if (axes) lookAlong(camera, axes->col(2));
  camera.axes.reset();
  return camera;
}

Vec3 Camera::eye() const {
  return target + (parallel ? kFarAway : 1) * distance * axesOf(*this).col(2);
}

double Camera::heightAtTarget(double aspect) const {
  return 2 * distance * std::tan(radians(fieldOfView) / 2) * std::max(1.0, kLeastAspect / aspect);
}

Eigen::Matrix4f Camera::view() const {
  const Mat3 R = axesOf(*this).transpose();
  Eigen::Matrix4f m = Eigen::Matrix4f::Identity();
  m.topLeftCorner<3, 3>() = R.cast<float>();
  m.topRightCorner<3, 1>() = (-(R * eye())).cast<float>();
  return m;
}

Eigen::Matrix4f Camera::projection(double aspect) const {
  if (parallel) return parallelProjection(*this, aspect);
  const double f = 2 * distance / heightAtTarget(aspect);
  const double near = 0.02 * distance;
  const double far = 100 * distance;
  Eigen::Matrix4d m = Eigen::Matrix4d::Zero();
  m(0, 0) = f / aspect;
  m(1, 1) = f;
  m(2, 2) = -(far + near) / (far - near);
  m(2, 3) = -2 * far * near / (far - near);
  m(3, 2) = -1;
  return m.cast<float>();
}

void Camera::orbit(double dx, double dy) {
  *this = upright();
  yaw = std::remainder(yaw - dx * std::numbers::pi, 2 * std::numbers::pi);
  pitch = std::clamp(pitch + dy * std::numbers::pi, -kPitchLimit, kPitchLimit);
}

void Camera::pan(double dx, double dy) {
  const double height = heightAtTarget(kLeastAspect);
  const Mat3 R = axesOf(*this);
  target += height * (dy * R.col(1) - dx * R.col(0));
}

void Camera::zoom(double factor) {
  distance = std::clamp(distance / factor, kNearest, kFarthest);
}

Vec3 Camera::ray(double u, double v, double aspect) const {
  const double half = heightAtTarget(aspect) / 2, away = (parallel ? kFarAway : 1) * distance;
  return (axesOf(*this) * Vec3((2 * u - 1) * half * aspect, (1 - 2 * v) * half, -away)).normalized();
}

}  // namespace slipstick::render
