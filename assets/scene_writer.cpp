// Settings, materials, deformables and what belongs to no thing of its own.
#include "assets/scene_writer.h"

#include <array>

#include <algorithm>
#include <cmath>
#include <map>

#include "assets/scene_parser.h"
#include "assets/writer_parts.h"
#include "assets/yaml_tree.h"
#include "engine/model/parameters.h"

namespace slipstick::assets {
namespace {

using writer::addIf;
using writer::addVector;

YamlOut timeOf(const TimeSpec& time) {
  const TimeSpec usual;
  YamlOut map;
  if (time.dt != usual.dt) map.add("dt_ms", YamlOut::number(writer::inUnits(time.dt, 1e-3)));
  addIf(map, "duration", time.duration, usual.duration);
  if (time.substeps != usual.substeps) map.add("substeps", YamlOut::integer(time.substeps));
  addIf(map, "cfl", time.cfl, usual.cfl);
  return map;
}

YamlOut rigidSolverOf(const RigidSolverSpec& solver) {
  static constexpr const char* kPotentials[] = {"lagged", "similar", "sap"};
  static constexpr const char* kRules[] = {"harmonic", "geometric", "mean", "minimum", "maximum"};
  const RigidSolverSpec usual;
  YamlOut map;
  if (solver.potential != usual.potential)
    map.add("potential", YamlOut::text(kPotentials[static_cast<std::size_t>(solver.potential)]));
  addIf(map, "stiction_speed", solver.stictionSpeed, usual.stictionSpeed);
  addIf(map, "stiction_softness", solver.stictionSoftness, usual.stictionSoftness);
  addIf(map, "relaxation_time", solver.relaxationTime, usual.relaxationTime);
  if (solver.frictionRule != usual.frictionRule)
    map.add("friction_rule", YamlOut::text(kRules[static_cast<std::size_t>(solver.frictionRule)]));
  addIf(map, "relative_tolerance", solver.relativeTolerance, usual.relativeTolerance);
  addIf(map, "max_iterations", solver.maxIterations, usual.maxIterations);
  addIf(map, "lag_iterations", solver.lagIterations, usual.lagIterations);
  return map;
}

void addMethodSettings(const Scene& scene, YamlOut& map) {
  std::map<std::string, YamlOut> blocks;
  for (const MethodSettingSpec& setting : scene.methodSettings)
    blocks[setting.method].add(setting.key, YamlOut::number(setting.value));
  for (const auto& [method, block] : blocks) map.add(method, block);
}

YamlOut solverOf(const Scene& scene) {
  static constexpr const char* kSolvers[] = {"quasi_newton", "majorized_anderson", "contact_newton"};
  const SolverSpec usual;
  const SolverSpec& solver = scene.solver;
  YamlOut map;
  if (!solver.method.empty()) map.add("method", YamlOut::text(solver.method));
  if (solver.contactSolver != usual.contactSolver)
    map.add("contact", YamlOut::text(kSolvers[static_cast<std::size_t>(solver.contactSolver)]));
  addIf(map, "relative_tolerance", solver.relativeTolerance, usual.relativeTolerance);
  addIf(map, "absolute_tolerance", solver.absoluteTolerance, usual.absoluteTolerance);
  addIf(map, "max_iterations", solver.maxIterations, usual.maxIterations);
  addIf(map, "lag_iterations", solver.lagIterations, usual.lagIterations);
  if (solver.geometry != usual.geometry) map.add("geometry", YamlOut::text("frozen"));
  if (solver.policy != usual.policy) map.add("on_failure", YamlOut::text("pause"));
  addIf(map, "rigid", rigidSolverOf(scene.rigidSolver));
  addMethodSettings(scene, map);
  return map;
}

YamlOut samplingOf(const SamplingSpec& sampling) {
  const SamplingSpec usual;
  YamlOut map;
  if (sampling.kind != usual.kind) map.add("kind", YamlOut::text("poisson"));
  addIf(map, "particles_per_cell", sampling.particlesPerCell, usual.particlesPerCell);
  if (sampling.spacing) map.add("spacing", YamlOut::number(*sampling.spacing));
  if (sampling.count) {
    YamlOut::List count;
    for (const int n : *sampling.count) count.push_back(YamlOut::integer(n));
    map.add("count", YamlOut::list(std::move(count)));
  }
  if (sampling.seed != usual.seed) map.add("seed", YamlOut::integer(sampling.seed));
  return map;
}

YamlOut sheetSize(const SheetSpec& sheet) {
  return YamlOut::numbers({sheet.size.x(), sheet.size.y()});
}

YamlOut pairRuleOf(const PairRuleSpec& rule) {
  const PairRuleSpec usual;
  YamlOut map;
  if (rule.a != usual.a) map.add("a", YamlOut::text(rule.a));
  if (rule.b != usual.b) map.add("b", YamlOut::text(rule.b));
  if (rule.enabled) map.add("enabled", YamlOut::boolean(*rule.enabled));
  if (rule.friction) map.add("friction", YamlOut::number(*rule.friction));
  return map;
}

/// The scene's settings, before its things.
void addSettings(const Scene& scene, YamlOut& root) {
  const Scene usual;
  root.add("slipstick", YamlOut::integer(kFormatVersion));
  root.add("title", YamlOut::text(scene.title));
  if (scene.gravity != usual.gravity) addVector(root, "gravity", scene.gravity);
  addIf(root, "time", timeOf(scene.time));
  if (scene.gridSpacing != usual.gridSpacing)
    root.add("grid", YamlOut().add("spacing", YamlOut::number(scene.gridSpacing)));
  addIf(root, "solver", solverOf(scene));
  YamlOut contact = writer::contactOf(scene.contact);
  addIf(contact, "stiction_speed", scene.stictionSpeed, usual.stictionSpeed);
  addIf(contact, "stiction_softness", scene.stictionSoftness, usual.stictionSoftness);
  addIf(root, "contact", std::move(contact));
  YamlOut view;
  if (!scene.showGround) view.add("ground", YamlOut::boolean(false));
  if (!scene.groundHeight) view.add("ground_height", YamlOut::text("auto"));
  if (scene.groundHeight) addIf(view, "ground_height", *scene.groundHeight, *usual.groundHeight);
  if (scene.opensOnAll) view.add("opening", YamlOut::text("all"));
  addIf(root, "view", std::move(view));
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

YamlOut writeMaterial(const MaterialParameters& m) {
  const MaterialParameters usual;
  YamlOut map;
  map.add("model", YamlOut::text(kMaterialNames[static_cast<std::size_t>(m.model)]));
  map.add("density", YamlOut::number(m.density));
  const auto& h = m.sandHardening;
  // One angle for good stands by itself, where it is one that sand can have.
  const bool hardens = h[1] != 0 || h[2] != 0 || h[3] != 0 || !(h[0] >= 0 && h[0] < 90);
  for (const std::string& key : materialKeys(m.model)) {
    if (key == "E") map.add(key, YamlOut::number(m.E));
    if (key == "nu") map.add(key, YamlOut::number(m.nu));
    if (key == "yield_stress") addIf(map, key, m.yieldStress, usual.yieldStress);
    if (key == "friction_angle_deg" && !hardens) map.add(key, YamlOut::number(h[0]));
    if (key == "hardening_deg" && hardens) map.add(key, YamlOut::numbers({h.begin(), h.end()}));
    if (key == "critical_compression") addIf(map, key, m.snowCompression, usual.snowCompression);
    if (key == "critical_stretch") addIf(map, key, m.snowStretch, usual.snowStretch);
    if (key == "hardening") addIf(map, key, m.snowHardening, usual.snowHardening);
    if (key == "bulk_modulus") map.add(key, YamlOut::number(m.bulkModulus));
    if (key == "exponent") addIf(map, key, m.tait, usual.tait);
    if (key == "viscosity") addIf(map, key, m.viscosity, usual.viscosity);
    if (key == "tension" && m.largestJ > 1) map.add(key, YamlOut::boolean(true));
    if (key == "thickness") map.add(key, YamlOut::number(m.thickness));
    if (key == "normal_stiffness") addIf(map, key, m.normalStiffness, usual.normalStiffness);
    if (key == "shear_stiffness") addIf(map, key, m.shearStiffness, usual.shearStiffness);
    if (key == "layer_friction") addIf(map, key, m.layerFriction, usual.layerFriction);
    if (key == "bending_stiffness") addIf(map, key, m.bendingStiffness, usual.bendingStiffness);
  }
  return map;
}

Result<YamlOut> writeDeformable(const DeformableSpec& d, const std::filesystem::path& folder) {
  const DeformableSpec usual;
  YamlOut map;
  map.add("material", YamlOut::text(d.material));
  if (d.sheet) {
    map.add("shape", YamlOut::text("sheet"));
    map.add("size", sheetSize(*d.sheet));
    map.add("count",
            YamlOut::list({YamlOut::integer(d.sheet->count[0]), YamlOut::integer(d.sheet->count[1])}));
  } else if (Result<void> added = writer::addShape(d.shape, d.source.get(), folder, d.name, map); !added) {
    return added.error();
  }
  addPose(d.X_WD, map);
  addIf(map, "sampling", samplingOf(d.sampling));
  if (!d.velocity.isZero(0)) addVector(map, "velocity", d.velocity);
  if (!d.angularVelocity.isZero(0)) addVector(map, "angular_velocity", d.angularVelocity);
  addIf(map, "apic_damping", d.apicDamping, usual.apicDamping);
  if (d.color != usual.color) map.add("color", writer::colorOf(d.color));
  if (!d.visible) map.add("visible", YamlOut::boolean(false));
  if (d.draw != usual.draw) map.add("draw", YamlOut::text("surface"));
  return map;
}

YamlOut writeCamera(const CameraSpec& camera) {
  const CameraSpec usual;
  YamlOut map;
  if (!camera.body.empty()) map.add("body", YamlOut::text(camera.body));
  addVector(map, "position", camera.position);
  if (!camera.target.isZero(0)) addVector(map, "target", camera.target);
  if (camera.up != usual.up) addVector(map, "up", camera.up);
  addIf(map, "fov_deg", camera.fieldOfView, usual.fieldOfView);
  return map;
}

namespace {

YamlOut sensorOf(const SensorSpec& sensor) {
  constexpr std::array kKinds = {"force_torque", "contact", "imu"};
  YamlOut map;
  map.add("kind", YamlOut::text(kKinds[static_cast<std::size_t>(sensor.kind)]));
  map.add("link", YamlOut::text(sensor.link));
  if (!sensor.other.empty()) map.add("other", YamlOut::text(sensor.other));
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
  for (const PairRuleSpec& rule : scene.pairRules) rules.push_back(pairRuleOf(rule));
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
  if (scene.task) root.add("task", writer::taskOf(*scene.task));
  return readable(root.document(), scene.name);
}

}  // namespace slipstick::assets
