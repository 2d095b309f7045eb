#include "ui/mouse_spring.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "engine/facts/contact_pair.h"
#include "engine/model/model.h"

namespace slipstick::ui {
namespace {

/// The particle of a deformable nearest to a point, or −1.
int nearestParticle(const Snapshot& snapshot, const Deformable& deformable, const Vec3& p_W) {
  const Eigen::Vector3f p = p_W.cast<float>();
  int nearest = -1;
  float best = std::numeric_limits<float>::infinity();
  for (int i = deformable.begin; i < deformable.end; ++i) {
    const float distance = (snapshot.particles[static_cast<std::size_t>(i)] - p).squaredNorm();
    if (distance < best) best = distance, nearest = i;
  }
  return nearest;
}

}  // namespace

void MouseSpring::grip(const Snapshot& snapshot, const Model& model, const render::Selection& selection,
                       const Vec3& p_W, const Vec3& viewDirection, Kind kind) {
  const int body = render::indexOf<render::SelectedBody>(selection).value_or(-1);
  const auto soft = render::indexOf<render::SelectedDeformable>(selection);
  const bool isSoft = soft && kind == Kind::Pull && !snapshot.particles.empty();
  if (!isSoft && (body <= 0 || !canMove(model, body))) return;
  kind_ = kind;
  pull_ = {};
  pull_.body = body;
  pull_.goal_W = planePoint_ = p_W;
  planeNormal_ = viewDirection.normalized();
  active_ = true;
  if (isSoft) {
    pull_.particle = nearestParticle(snapshot, model.deformables[static_cast<std::size_t>(*soft)], p_W);
    return;
  }
  const Pose& X_WB = snapshot.X_WB[static_cast<std::size_t>(body)];
  pull_.p_B = X_WB.inverse() * p_W;
  twist_ = {};
  twist_.body = body;
  twist_.goal_WB = Quat(X_WB.R);
}

void MouseSpring::moveTo(const Vec3& eye, const Vec3& direction) {
  const double slope = direction.dot(planeNormal_);
  if (slope < 1e-6) return;  // the ray no longer meets the plane
  pull_.goal_W = eye + direction * ((planePoint_ - eye).dot(planeNormal_) / slope);
}

void MouseSpring::turnBy(double right, double down) {
  const Vec3 across = planeNormal_.cross(Vec3::UnitZ()).normalized(), up = across.cross(planeNormal_);
  const Vec3 turn = std::numbers::pi * (right * up + down * across);
  if (!(turn.norm() > 0)) return;  // also where the view is straight down
  twist_.goal_WB = Quat(Eigen::AngleAxisd(turn.norm(), turn.normalized())) * twist_.goal_WB;
}

Command MouseSpring::command() const {
  if (kind_ == Kind::Twist) return twist_;
  return pull_;
}

Vec3 MouseSpring::anchor(const Snapshot& snapshot) const {
  if (pull_.body >= 0) return snapshot.X_WB[static_cast<std::size_t>(pull_.body)] * pull_.p_B;
  const auto particle = static_cast<std::size_t>(pull_.particle);
  return particle < snapshot.particles.size() ? Vec3(snapshot.particles[particle].cast<double>())
                                              : pull_.goal_W;
}

Command MouseSpring::release() {
  active_ = false;
  return Release{};
}

}  // namespace slipstick::ui
