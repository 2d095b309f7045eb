// Settings, materials, deformables and what belongs to no thing of its own.
#include "assets/scene_writer.h"

#include <algorithm>

#include "assets/scene_parser.h"
#include "assets/scene_tables.h"
#include "assets/writer_parts.h"
#include "assets/yaml_tree.h"

namespace slipstick::assets {
namespace {

using writer::addIf;
using writer::addVector;

YamlOut sheetSize(const SheetSpec& sheet) {
  return YamlOut::numbers({sheet.size.x(), sheet.size.y()});
}

/// The scene's settings, before its things.
void addSettings(const Scene& scene, YamlOut& root) {
  root.add("slipstick", YamlOut::integer(kFormatVersion));
  root.add("title", YamlOut::text(scene.title));
  writeKeys(scene, sceneTable(), root);
}

/// Bodies stand before robots in a file, and so they do in a scene.
Result<void> addRobots(const Scene& scene, const std::filesystem::path& folder, YamlOut& root) {
  YamlOut bodies, robots;
  for (const RobotSpec& robot : scene.robots) {
    const bool isBody = robot.description.file.empty();
    if (isBody && !robots.isEmpty())
      return Error{ErrorCode::Unsupported, "a body comes after a robot, which no file can say", robot.name,
                   "put the bodies first"};
    Result<YamlOut> written = writeRobot(robot, folder);
    if (!written) return written.error();
    (isBody ? bodies : robots).add(robot.name, std::move(*written));
  }
  addIf(root, "bodies", std::move(bodies));
  addIf(root, "robots", std::move(robots));
  return {};
}

}  // namespace

YamlOut writeMaterial(const MaterialParameters& material) {
  const std::vector<std::string> known = keysOfModel(material.model);
  YamlOut map;
  for (const Key<MaterialParameters>& key : materialTable().rows)
    if (std::find(known.begin(), known.end(), key.name) != known.end()) writeKey(material, key, map);
  return map;
}

Result<YamlOut> writeDeformable(const DeformableSpec& d, const std::filesystem::path& folder) {
  YamlOut map;
  writeKeys(d, deformableTable(), Turn::First, map);
  if (d.sheet) {
    map.add("shape", YamlOut::text("sheet"));
    map.add("size", sheetSize(*d.sheet));
    map.add("count",
            YamlOut::list({YamlOut::integer(d.sheet->count[0]), YamlOut::integer(d.sheet->count[1])}));
  } else if (Result<void> added = writer::addShape(d.shape, d.source.get(), folder, d.name, map); !added) {
    return added.error();
  }
  addPose(d.X_WD, map);
  writeKeys(d, deformableTable(), Turn::Usual, map);
  writeKeys(d, movingTable<DeformableSpec>(), map);
  writeKeys(d, deformableTable(), Turn::Later, map);
  writeKeys(d, deformableLookTable(), map);
  writeKeys(d, deformableTable(), Turn::Last, map);
  return map;
}

YamlOut writeCamera(const CameraSpec& camera) {
  YamlOut map;
  writeKeys(camera, cameraTable(), Turn::Last, map);  // what carries it comes first
  writeKeys(camera, cameraTable(), Turn::Usual, map);
  return map;
}

namespace {

YamlOut sensorOf(const SensorSpec& sensor) {
  YamlOut map;
  writeKeys(sensor, sensorTable(), Turn::First, map);
  map.add("link", YamlOut::text(sensor.link));
  writeKeys(sensor, sensorTable(), Turn::Usual, map);
  addPose(sensor.X_LS, map);
  return map;
}

}  // namespace

namespace {

/// Copies are written out one by one: there may be more than a reader takes.
Result<std::string> readable(std::string text, const std::string& name) {
  if (const Result<YamlTree> read = parseYaml(text, name); !read)
    return Error{ErrorCode::Unsupported, "the scene is too large for a file: " + read.error().what, name,
                 "make fewer copies, or put several shapes into one body"};
  return text;
}

}  // namespace

Result<std::string> writeScene(const Scene& scene, const std::filesystem::path& folder) {
  YamlOut root, materials, deformables, loops, paths, boundaries, cameras;
  addSettings(scene, root);
  for (const MaterialSpec& m : scene.materials) materials.add(m.name, writeMaterial(m.parameters));
  for (const DeformableSpec& d : scene.deformables) {
    Result<YamlOut> written = writeDeformable(d, folder);
    if (!written) return written.error();
    deformables.add(d.name, std::move(*written));
  }
  addIf(root, "materials", std::move(materials));
  addIf(root, "deformables", std::move(deformables));
  if (Result<void> added = addRobots(scene, folder, root); !added) return added.error();
  for (const LoopSpec& loop : scene.loops) loops.add(loop.name, writer::loopOf(loop));
  addIf(root, "loops", std::move(loops));
  YamlOut::List rules, controllers;
  for (const PairRuleSpec& rule : scene.pairRules) rules.push_back(blockOf(rule, pairRuleTable()));
  if (!rules.empty()) root.add("pair_rules", YamlOut::list(std::move(rules)));
  for (const PathSpec& path : scene.paths) paths.add(path.name, writer::pathOf(path));
  addIf(root, "paths", std::move(paths));
  for (const ControllerSpec& controller : scene.controllers)
    controllers.push_back(writer::controllerOf(controller));
  if (!controllers.empty()) root.add("controllers", YamlOut::list(std::move(controllers)));
  YamlOut effectors;
  for (const EffectorSpec& effector : scene.effectors)
    effectors.add(effector.name, writer::effectorOf(effector));
  addIf(root, "teleop", std::move(effectors));
  for (const BoundarySpec& boundary : scene.boundaries) {
    Result<YamlOut> written = writer::boundaryOf(boundary, folder);
    if (!written) return written.error();
    boundaries.add(boundary.name, std::move(*written));
  }
  addIf(root, "boundaries", std::move(boundaries));
  for (const CameraSpec& camera : scene.cameras) cameras.add(camera.name, writeCamera(camera));
  addIf(root, "cameras", std::move(cameras));
  YamlOut sensors;
  for (const SensorSpec& sensor : scene.sensors) sensors.add(sensor.name, sensorOf(sensor));
  addIf(root, "sensors", std::move(sensors));
  if (scene.task) root.add("task", blockOf(*scene.task, taskTable()));
  return readable(root.document(), scene.name);
}

}  // namespace slipstick::assets
