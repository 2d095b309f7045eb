#include "render/framing.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

#include "engine/geometry/shape_bounds.h"
#include "engine/model/world_link.h"
#include "render/contact_facts.h"
#include "render/selected_bodies.h"

namespace slipstick::render {
namespace {

/// Room beside a pair, in sizes of its body [-].
constexpr double kAroundPair = 0.2;
constexpr double kAroundContact = 0.02;  ///< [m]
constexpr double kMargin = 1.12;
/// Of the first view of a scene without cameras: nothing stands behind the clock.
constexpr double kRoomForCards = 1.12;
/// Of views that look from afar: a little perspective.
constexpr double kFieldOfView = 34;  // [deg]

template <class Wanted>
void extendByBodies(const Model& model, const Snapshot& snapshot, const Wanted& wanted,
                    Eigen::AlignedBox3d& box) {
  for (const Visual& visual : model.visuals) {
    if (!wanted(visual.body)) continue;
    box.extend(roughBounds(visual.shape, snapshot.X_WB[static_cast<std::size_t>(visual.body)] * visual.X_BV));
  }
}

void extendBy(const Model& model, const Snapshot& snapshot, std::size_t deformable,
              Eigen::AlignedBox3d& box) {
  const Deformable& d = model.deformables[deformable];
  for (int i = d.begin; i < d.end; ++i) {
    const Eigen::Vector3f& x = snapshot.particles[static_cast<std::size_t>(i)];
    if (x.allFinite()) box.extend(x.cast<double>());
  }
}

/// Of everything but the worlds that files bring, if there is anything: a floor of 100 m leaves nothing to see.
Eigen::AlignedBox3d boundsOfThings(const Model& model, const Snapshot& snapshot) {
  std::vector<bool> isThing(model.tree.bodies.size(), true);
  for (const Robot& robot : model.robots)
    for (int b = robot.firstBody; b < robot.endBody; ++b)
      isThing[static_cast<std::size_t>(b)] = !isOfItsWorld(model, robot, b);
  Eigen::AlignedBox3d box;
  extendByBodies(
      model, snapshot, [&](int body) { return isThing[static_cast<std::size_t>(body)]; }, box);
  for (std::size_t d = 0; d < model.deformables.size(); ++d) extendBy(model, snapshot, d, box);
  return box.isEmpty() ? boundsOf(model, snapshot, false) : box;
}

/// Of a pair its side a, its footprint and arrows, and enough around to see where one is.
Eigen::AlignedBox3d boundsOfPair(const Model& model, const Snapshot& snapshot, const ContactPair& pair) {
  Eigen::AlignedBox3d box;
  extendByBodies(
      model, snapshot, [&](int body) { return pair.a.body == body; }, box);
  if (pair.a.isSoft()) extendBy(model, snapshot, static_cast<std::size_t>(pair.a.deformable), box);
  if (box.isEmpty()) return box;
  const Vec3 around = Vec3::Constant(kAroundPair * box.diagonal().norm());
  return {box.min() - around, box.max() + around};
}

/// Around what is selected; empty where that has no place.
struct SelectedBounds {
  using Box = Eigen::AlignedBox3d;
  Box operator()(NothingSelected) const { return {}; }
  Box operator()(SelectedBody) const { return ofBodies(); }
  Box operator()(SelectedRobot) const { return ofBodies(); }
  Box operator()(SelectedDeformable soft) const {
    Box box;
    extendBy(model, snapshot, static_cast<std::size_t>(soft.index), box);
    return box;
  }
  Box operator()(SelectedBoundary) const { return {}; }
  Box operator()(SelectedLoop) const { return ofBodies(); }
  Box operator()(const ContactKey& contact) const {
    const int c = findContact(snapshot, contact);
    if (c < 0) return {};
    const Vec3& p = snapshot.contacts[static_cast<std::size_t>(c)].p_WC;
    return {p - Vec3::Constant(kAroundContact), p + Vec3::Constant(kAroundContact)};
  }
  Box operator()(const ContactPair& pair) const { return boundsOfPair(model, snapshot, pair); }
  Box ofBodies() const {
    const std::vector<bool> selected = selectedBodies(model, selection);
    Box box;
    extendByBodies(
        model, snapshot, [&](int body) { return selected[static_cast<std::size_t>(body)]; }, box);
    return box;
  }

  const Model& model;
  const Snapshot& snapshot;
  const Selection& selection;
};

/// The highest level plane under a height that things can rest on [m]; nothing where there is none, or no gravity that
/// leads to it.
std::optional<double> floorUnder(const Model& model, const Snapshot& snapshot, double height) {
  constexpr double kLevel = 0.999;  // cosine
  std::optional<double> highest;
  if (!(model.gravity.z() < 0)) return highest;
  for (const Geometry& g : model.geometries) {
    if (!std::holds_alternative<shape::Plane>(g.shape) || canMove(model, g.body)) continue;
    const Pose X_WG = snapshot.X_WB[static_cast<std::size_t>(g.body)] * g.X_BG;
    if (X_WG.R(2, 2) < kLevel || X_WG.p.z() > height) continue;
    highest = std::max(highest.value_or(X_WG.p.z()), X_WG.p.z());
  }
  return highest;
}

/// What nothing holds comes to lie on the floor: the room under it belongs to the first view, unless it is high above.
void extendToFloor(const Model& model, const Snapshot& snapshot, Eigen::AlignedBox3d& box) {
  constexpr double kHighest = 3;  // of what is seen
  Eigen::AlignedBox3d free;
  const auto isFree = [&](int body) {
    while (body > 0 && model.tree.parentOf(body) > 0) body = model.tree.parentOf(body);
    return body > 0 &&
           model.tree.joints[static_cast<std::size_t>(body - 1)].type == multibody::JointType::Floating;
  };
  extendByBodies(model, snapshot, isFree, free);
  for (std::size_t d = 0; d < model.deformables.size(); ++d) extendBy(model, snapshot, d, free);
  if (free.isEmpty() || box.isEmpty()) return;
  const std::optional<double> floor = floorUnder(model, snapshot, free.min().z());
  if (!floor || free.min().z() - *floor > kHighest * box.diagonal().norm()) return;
  box.extend(Vec3(free.min().x(), free.min().y(), *floor));
  box.extend(Vec3(free.max().x(), free.max().y(), *floor));
}

}  // namespace

Eigen::AlignedBox3d boundsOf(const Model& model, const Snapshot& snapshot, bool onlyMoving) {
  Eigen::AlignedBox3d box;
  extendByBodies(
      model, snapshot, [&](int body) { return !onlyMoving || canMove(model, body); }, box);
  for (std::size_t d = 0; d < model.deformables.size(); ++d) extendBy(model, snapshot, d, box);
  return box;
}

Eigen::AlignedBox3d boundsOf(const Model& model, const Snapshot& snapshot, const Selection& selection) {
  return std::visit(SelectedBounds{model, snapshot, selection}, selection);
}

Camera fitted(Camera camera, const Eigen::AlignedBox3d& box, double aspect) {
  if (box.isEmpty()) return camera;
  camera.target = box.center();
  camera.distance = 1;
  const Eigen::Matrix4d view = camera.view().cast<double>();
  const double up = camera.heightAtTarget(aspect) / 2, right = up * aspect;  // at distance 1
  double distance = 0.01;
  for (int k = 0; k < 8; ++k) {
    const Vec3 p = view.topLeftCorner<3, 3>() *
                   (box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k)) - camera.target);
    const double nearer = camera.parallel ? 0 : p.z();  // towards the eye
    distance = std::max(
        {distance, nearer + kMargin * std::abs(p.x()) / right, nearer + kMargin * std::abs(p.y()) / up});
  }
  camera.distance = std::min(distance, 100.0);
  return camera;
}

const CameraSpec* firstCamera(const Model& model) {
  return model.cameras.empty() || model.opensOnAll ? nullptr : &model.cameras.front();
}

Camera openingCamera(const Model& model, const Snapshot& snapshot, double aspect) {
  if (const CameraSpec* spec = firstCamera(model)) return Camera::from(*spec, model, snapshot);
  Camera camera;
  camera.fieldOfView = kFieldOfView;
  camera.pitch = 0.42;
  Eigen::AlignedBox3d box = boundsOfThings(model, snapshot);
  extendToFloor(model, snapshot, box);
  camera = fitted(camera, box, aspect);
  camera.distance *= kRoomForCards;
  return camera;
}

}  // namespace slipstick::render
