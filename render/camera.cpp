#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slipstick::render {
namespace {

constexpr double kPitchLimit = 0.495 * std::numbers::pi;
/// Of the eye of a parallel projection, in distances.
constexpr double kFarAway = 200;

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

/// Axes of the view in W: right, up, and back (towards the eye).
Mat3 axes(const Camera& camera) {
  const double cy = std::cos(camera.yaw), sy = std::sin(camera.yaw);
  const double cp = std::cos(camera.pitch), sp = std::sin(camera.pitch);
  const Vec3 back(cp * cy, cp * sy, sp);
  const Vec3 right(-sy, cy, 0);
  Mat3 R;
  R << right, back.cross(right), back;
  return R;
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
  camera.distance = std::clamp(offset.norm(), 0.01, 100.0);
  camera.pitch =
      std::clamp(std::asin(std::clamp(offset.z() / camera.distance, -1.0, 1.0)), -kPitchLimit, kPitchLimit);
  if (offset.head<2>().norm() > 1e-9) camera.yaw = std::atan2(offset.y(), offset.x());
  camera.fieldOfView = std::clamp(spec.fieldOfView, 1.0, 150.0);
  return camera;
}

Vec3 Camera::eye() const {
  return target + (parallel ? kFarAway : 1) * distance * axes(*this).col(2);
}

double Camera::heightAtTarget(double aspect) const {
  return 2 * distance * std::tan(radians(fieldOfView) / 2) * std::max(1.0, kLeastAspect / aspect);
}

Eigen::Matrix4f Camera::view() const {
  const Mat3 R = axes(*this).transpose();
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
  yaw = std::remainder(yaw - dx * std::numbers::pi, 2 * std::numbers::pi);
  pitch = std::clamp(pitch + dy * std::numbers::pi, -kPitchLimit, kPitchLimit);
}

void Camera::pan(double dx, double dy) {
  const double height = heightAtTarget(kLeastAspect);
  const Mat3 R = axes(*this);
  target += height * (dy * R.col(1) - dx * R.col(0));
}

void Camera::zoom(double factor) {
  distance = std::clamp(distance / factor, 0.01, 100.0);
}

Vec3 Camera::ray(double u, double v, double aspect) const {
  const double half = heightAtTarget(aspect) / 2, away = (parallel ? kFarAway : 1) * distance;
  return (axes(*this) * Vec3((2 * u - 1) * half * aspect, (1 - 2 * v) * half, -away)).normalized();
}

}  // namespace slipstick::render
