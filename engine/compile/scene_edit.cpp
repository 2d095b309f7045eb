#include "engine/compile/scene_edit.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/compile/shape_mass.h"
#include "engine/foundation/nearest_name.h"
#include "engine/foundation/path_key.h"
#include "engine/model/model.h"

namespace slipstick {
namespace {

/// Everything that can be removed by name.
std::vector<std::string> namesOf(const Scene& scene) {
  std::vector<std::string> names;
  for (const RobotSpec& robot : scene.robots) names.push_back(robot.name);
  for (const DeformableSpec& deformable : scene.deformables) names.push_back(deformable.name);
  return names;
}

Error nameTaken(const std::string& name) {
  return {ErrorCode::InvalidValue, "the scene has something of this name already", "'" + name + "'",
          "choose another name"};
}

/// Whether a reference ("box", "arm.flange") is to a robot or body of a name.
bool refersTo(const std::string& reference, const std::string& name) {
  return reference == name || reference.starts_with(name + ".");
}

struct RobotOf {
  const std::string& operator()(const LinkForceSpec& spec) const { return spec.link; }
  template <class Spec>
  const std::string& operator()(const Spec& spec) const {
    return spec.robot;
  }
};

struct Editor {
  Scene scene;

  Result<Scene> operator()(const SpawnBody& spawn) {
    RobotSpec body = spawn.body;
    if (spawn.mayRename) body.name = body.description.name = freeName(scene, body.name);
    if (has(body.name)) return nameTaken(body.name);
    // Where a scene's file would have it: bodies come before robots.
    const auto firstRobot =
        std::find_if(scene.robots.begin(), scene.robots.end(),
                     [](const RobotSpec& robot) { return !robot.description.file.empty(); });
    scene.robots.insert(body.description.file.empty() ? firstRobot : scene.robots.end(), std::move(body));
    return std::move(scene);
  }

  Result<Scene> operator()(const SpawnDeformable& spawn) {
    if (has(spawn.deformable.name)) return nameTaken(spawn.deformable.name);
    if (spawn.material) scene.materials.push_back(*spawn.material);
    scene.deformables.push_back(spawn.deformable);
    return std::move(scene);
  }

  Result<Scene> operator()(const Remove& remove) {
    const std::string& name = remove.name;
    if (!has(name))
      return Error{ErrorCode::UnknownName, "there is nothing of this name to remove", "'" + name + "'",
                   suggestName(name, namesOf(scene))};
    for (const RobotSpec& robot : scene.robots)
      if (robot.name != name && refersTo(robot.attachTo, name))
        return Error{ErrorCode::InvalidValue, "'" + robot.name + "' is fixed to it", "'" + name + "'",
                     "remove '" + robot.name + "' first"};
    drop(name);
    return std::move(scene);
  }

  /// What the scene says already stays.
  Result<Scene> operator()(const AdoptRepairs& adopt) {
    const Result<RobotSpec*> found = robotNamed(adopt.robot);
    if (!found) return found.error();
    RobotSpec* robot = *found;
    for (const LinkSpec& link : robot->description.links) {
      if (std::find(adopt.links.begin(), adopt.links.end(), link.name) == adopt.links.end()) continue;
      LinkInertiaSpec& said = robot->linkInertias[link.name];
      said.mass = said.mass.value_or(link.mass);
      said.inertia = said.inertia.value_or(link.inertia);
    }
    for (const JointSpec& joint : robot->description.joints) {
      if (std::find(adopt.joints.begin(), adopt.joints.end(), joint.name) == adopt.joints.end()) continue;
      JointLimitSpec& said = robot->jointLimits[joint.name];
      said.lower = said.lower.value_or(joint.lower);
      said.upper = said.upper.value_or(joint.upper);
    }
    return std::move(scene);
  }

  Result<Scene> operator()(const SplitMeshes& split) {
    const Result<RobotSpec*> found = robotNamed(split.name);
    if (!found) return found.error();
    RobotSpec* robot = *found;
    for (const SplitMeshes::Mesh& one : split.meshes)
      for (LinkSpec& link : robot->description.links)
        if (link.name == one.link && one.collision < link.collisions.size())
          putParts(one.parts, split.most, link.collisions[one.collision]);
    if (!robot->description.file.empty()) robot->convexParts = split.most;
    return std::move(scene);
  }

  Result<Scene> operator()(const Become& become) { return *become.scene; }

  Result<RobotSpec*> robotNamed(const std::string& name) {
    for (RobotSpec& robot : scene.robots)
      if (robot.name == name) return &robot;
    return Error{ErrorCode::UnknownName, "there is no robot or body of this name", "'" + name + "'",
                 suggestName(name, namesOf(scene))};
  }

  static void putParts(const std::shared_ptr<const ConvexParts>& parts, int most, LinkGeometry& collision) {
    auto* mesh = std::get_if<shape::Mesh>(&collision.shape);
    if (!mesh) return;
    mesh->parts = parts;
    if (!collision.source) return;
    MeshSource source = *collision.source;
    source.convexParts = most;
    collision.source = std::make_shared<const MeshSource>(std::move(source));
  }

  bool has(const std::string& name) const {
    const std::vector<std::string> names = namesOf(scene);
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  void drop(const std::string& name) {
    std::erase_if(scene.robots, [&](const RobotSpec& robot) { return robot.name == name; });
    std::erase_if(scene.deformables, [&](const DeformableSpec& soft) { return soft.name == name; });
    std::erase_if(scene.loops, [&](const LoopSpec& loop) {
      return refersTo(loop.linkA, name) || refersTo(loop.linkB, name);
    });
    std::erase_if(scene.pairRules,
                  [&](const PairRuleSpec& rule) { return refersTo(rule.a, name) || refersTo(rule.b, name); });
    std::erase_if(scene.controllers,
                  [&](const ControllerSpec& controller) { return refersTo(drivenBy(controller), name); });
    std::erase_if(scene.effectors, [&](const EffectorSpec& effector) { return effector.robot == name; });
    for (EffectorSpec& effector : scene.effectors)
      if (effector.gripper && effector.gripper->robot == name) effector.gripper.reset();
    std::erase_if(scene.cameras, [&](const CameraSpec& camera) { return refersTo(camera.body, name); });
    if (scene.task) dropFromTask(name);
    dropSensors(name);
  }

  void dropSensors(const std::string& name) {
    const std::vector<SensorSpec> sensors = std::move(scene.sensors);
    scene.sensors.clear();
    for (const SensorSpec& sensor : sensors) {
      const bool goes = refersTo(sensor.link, name) || refersTo(sensor.other, name);
      if (!goes) scene.sensors.push_back(sensor);
      if (goes && scene.task) dropFromTask(sensor.name);
    }
  }

  /// Without a test of its success a task is none any more.
  void dropFromTask(const std::string& name) {
    TaskSpec& task = *scene.task;
    std::erase_if(task.reset, [&](const ResetSpec& reset) { return reset.name == name; });
    const auto isOf = [&](const ConditionSpec& test) {
      return refersTo(test.observable.substr(test.observable.starts_with('|') ? 1 : 0), name);
    };
    std::erase_if(task.failure, isOf);
    if (std::erase_if(task.success, isOf) > 0 && task.success.empty()) scene.task.reset();
  }
};

}  // namespace

const std::string& drivenBy(const ControllerSpec& controller) {
  return std::visit(RobotOf{}, controller);
}

AdoptRepairs repairsOf(const std::vector<Notice>& notices, const RobotSpec& robot) {
  AdoptRepairs repairs{robot.name, {}, {}};
  for (const Notice& notice : notices)
    for (const auto& [path, value] : notice.overrides) {
      const auto keys = keysOfPath(path);  // robots.ROBOT.links.LINK.mass
      if (!keys || keys->size() != 5 || (*keys)[1] != robot.name) continue;
      const std::string &section = (*keys)[2], &name = (*keys)[3];
      if (section == "links" && !robot.linkInertias.contains(name)) repairs.links.push_back(name);
      if (section == "limits" && !robot.jointLimits.contains(name)) repairs.joints.push_back(name);
    }
  for (std::vector<std::string>* names : {&repairs.links, &repairs.joints}) {
    std::sort(names->begin(), names->end());
    names->erase(std::unique(names->begin(), names->end()), names->end());
  }
  return repairs;
}

Result<Scene> edited(Scene scene, const SceneEdit& edit) {
  return std::visit(Editor{std::move(scene)}, edit);
}

Result<RobotSpec> floatingBody(const std::string& name, const Shape& shape, double density, const Pose& X_WB,
                               const Color& color) {
  Result<MassProperties> unit = massProperties(shape);
  if (!unit) return unit.error();
  LinkGeometry element;
  element.name = element.key = "shape";
  element.shape = shape;
  element.color = color;
  LinkSpec link;
  link.mass = density * unit->volume;
  link.com = unit->com;
  link.inertia = density * unit->inertiaPerDensity;
  link.visuals = {element};
  link.collisions = {element};
  RobotSpec body;
  body.name = name;
  body.description.name = name;
  body.description.links = {link};
  body.freeBase = true;
  body.X_PB = X_WB;
  return body;
}

std::string freeName(const Scene& scene, const std::string& wanted) {
  const std::vector<std::string> names = namesOf(scene);
  std::string name = wanted;
  for (int i = 2; std::find(names.begin(), names.end(), name) != names.end(); ++i)
    name = wanted + "_" + std::to_string(i);
  return name;
}

}  // namespace slipstick
