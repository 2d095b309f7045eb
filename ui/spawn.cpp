#include "ui/spawn.h"

#include <algorithm>

namespace slipstick::ui {
namespace {

constexpr double kNear = 0.2;        // [m], from the vertical
constexpr double kClearance = 0.15;  // [m], above the highest

Vec3 middle(const Model& model, const Snapshot& snapshot, const render::Selection& selection) {
  if (const auto body = render::indexOf<render::SelectedBody>(selection))
    return snapshot.X_WB[static_cast<std::size_t>(*body)].p;
  if (const auto soft = render::indexOf<render::SelectedDeformable>(selection))
    return snapshot.deformables[static_cast<std::size_t>(*soft)].center;
  for (const CameraSpec& camera : model.cameras)
    if (camera.body.empty()) return camera.target;
  return {0, 0, model.groundHeight};
}

}  // namespace

Vec3 placeAbove(const Model& model, const Snapshot& snapshot, const render::Selection& selection) {
  Vec3 place = middle(model, snapshot, selection);
  double highest = place.z();
  const auto raise = [&](const Vec3& p) {
    if ((p - place).head<2>().norm() < kNear) highest = std::max(highest, p.z());
  };
  for (std::size_t body = 1; body < snapshot.X_WB.size(); ++body) raise(snapshot.X_WB[body].p);
  for (const Eigen::Vector3f& particle : snapshot.particles) raise(particle.cast<double>());
  place.z() = highest + kClearance;
  return place;
}

}  // namespace slipstick::ui
