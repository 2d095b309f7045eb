#include "engine/facts/looks.h"

#include <algorithm>

namespace slipstick {
namespace {

template <class Specs>
auto named(Specs& specs, const std::string& name) -> decltype(specs.data()) {
  const auto found =
      std::find_if(specs.begin(), specs.end(), [&](const auto& spec) { return spec.name == name; });
  return found == specs.end() ? nullptr : &*found;
}

/// The robot that a link belongs to, and the link's own name; a name of a robot may have points in it.
template <class SceneType>
auto linkOf(SceneType& scene, const std::string& full) {
  using RobotPointer = decltype(scene.robots.data());
  for (auto& robot : scene.robots)
    if (full.size() > robot.name.size() + 1 && full.starts_with(robot.name) && full[robot.name.size()] == '.')
      for (const LinkSpec& link : robot.description.links)
        if (full.compare(robot.name.size() + 1, std::string::npos, link.name) == 0)
          return std::pair<RobotPointer, std::string>(&robot, link.name);
  return std::pair<RobotPointer, std::string>(nullptr, {});
}

LookSpec lookOfLink(const RobotSpec& robot, const std::string& link) {
  const auto found = robot.linkLooks.find(link);
  return found == robot.linkLooks.end() ? LookSpec() : found->second;
}

/// A link in its robot.
LookSpec over(const LookSpec& robot, const LookSpec& link) {
  return {robot.visible && link.visible, link.color ? link.color : robot.color};
}

/// What a person gave it, or else its own.
LookSpec given(const LookEdits& edits, ThingKind kind, const std::string& name, const LookSpec& own) {
  const auto edit = edits.find({kind, name});
  return edit == edits.end() ? own : edit->second;
}

}  // namespace

LookSpec lookOf(const Scene& scene, const ThingName& thing) {
  if (thing.kind == ThingKind::Robot)
    if (const RobotSpec* robot = named(scene.robots, thing.name)) return robot->look;
  if (thing.kind == ThingKind::Link)
    if (const auto [robot, link] = linkOf(scene, thing.name); robot) return lookOfLink(*robot, link);
  if (thing.kind == ThingKind::Deformable)
    if (const DeformableSpec* d = named(scene.deformables, thing.name)) return {d->visible, d->color};
  if (thing.kind == ThingKind::Boundary)
    if (const BoundarySpec* boundary = named(scene.boundaries, thing.name)) return boundary->look;
  return {};
}

void setLook(Scene& scene, const ThingName& thing, const LookSpec& look) {
  if (thing.kind == ThingKind::Robot)
    if (RobotSpec* robot = named(scene.robots, thing.name)) robot->look = look;
  if (thing.kind == ThingKind::Link)
    if (const auto [robot, link] = linkOf(scene, thing.name); robot) {
      if (look == LookSpec())
        robot->linkLooks.erase(link);
      else
        robot->linkLooks[link] = look;
    }
  if (thing.kind == ThingKind::Deformable)
    if (DeformableSpec* d = named(scene.deformables, thing.name)) {
      d->visible = look.visible;
      if (look.color) d->color = *look.color;
    }
  if (thing.kind == ThingKind::Boundary)
    if (BoundarySpec* boundary = named(scene.boundaries, thing.name)) boundary->look = look;
}

const LookSpec& Looks::at(const std::vector<LookSpec>& looks, int index) {
  static const LookSpec usual;
  const auto i = static_cast<std::size_t>(index);
  return index >= 0 && i < looks.size() ? looks[i] : usual;
}

Looks looksOf(const Model& model, const LookEdits& edits) {
  Looks looks;
  looks.bodies.resize(model.tree.bodies.size());
  for (const Robot& robot : model.robots) {
    const LookSpec whole = given(edits, ThingKind::Robot, robot.name, robot.look);
    for (int body = robot.firstBody; body < robot.endBody; ++body) {
      const auto b = static_cast<std::size_t>(body);
      const LookSpec own = b < model.linkLooks.size() ? model.linkLooks[b] : LookSpec();
      looks.bodies[b] = over(whole, given(edits, ThingKind::Link, model.tree.bodies[b].name, own));
    }
  }
  for (const Deformable& d : model.deformables)
    looks.deformables.push_back(given(edits, ThingKind::Deformable, d.name, {d.visible, d.color}));
  for (const Boundary& boundary : model.boundaries)
    looks.boundaries.push_back(given(edits, ThingKind::Boundary, boundary.name, boundary.look));
  return looks;
}

}  // namespace slipstick
