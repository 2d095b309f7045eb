#include "ui/mouse_spring.h"

#include <cmath>

namespace slipstick::ui {
namespace {

constexpr double kRate = 20;                 // natural frequency of the pulled body [rad/s]
constexpr double kLargestAcceleration = 60;  // force cap per kilogram [m/s²]
constexpr double kLightest = 0.05;           // bodies without a mass of their own still feel a pull [kg]

}  // namespace

void MouseSpring::grip(const Model& model, const Snapshot& snapshot, int body, const Vec3& p_W,
                       const Vec3& viewDirection) {
  active_ = true;
  body_ = body;
  mass_ = std::max(model.tree.bodies[static_cast<std::size_t>(body)].mass, kLightest);
  p_B_ = snapshot.X_WB[static_cast<std::size_t>(body)].inverse() * p_W;
  goal_ = planePoint_ = p_W;
  planeNormal_ = viewDirection.normalized();
}

void MouseSpring::moveTo(const Vec3& eye, const Vec3& direction) {
  const double slope = direction.dot(planeNormal_);
  if (slope < 1e-6) return;  // the ray no longer meets the plane
  goal_ = eye + direction * ((planePoint_ - eye).dot(planeNormal_) / slope);
}

Vec3 MouseSpring::anchor(const Snapshot& snapshot) const {
  return snapshot.X_WB[static_cast<std::size_t>(body_)] * p_B_;
}

SetExternalForce MouseSpring::pull(const Snapshot& snapshot) const {
  const auto body = static_cast<std::size_t>(body_);
  const Vec3 grip = anchor(snapshot);
  const Vec3 velocity = snapshot.V_WB[body].at(grip - snapshot.X_WB[body].p);
  Vec3 force = mass_ * (kRate * kRate * (goal_ - grip) - 2 * kRate * velocity);  // critically damped
  const double cap = mass_ * kLargestAcceleration;
  if (force.norm() > cap) force *= cap / force.norm();
  return {body_, p_B_, force};
}

SetExternalForce MouseSpring::release() {
  active_ = false;
  return {body_, p_B_, Vec3::Zero()};
}

}  // namespace slipstick::ui
