#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "engine/compile/compilation.h"
#include "engine/compile/compile.h"
#include "engine/foundation/nearest_name.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/path_key.h"
#include "engine/model/method_choice.h"

namespace slipstick {

Element elementOf(const std::string& kind, const std::string& block, const std::string& name) {
  return {kind + " '" + name + "'", block + "." + pathKey(name)};
}

Element elementOf(const DeformableSpec& deformable) {
  return elementOf("deformable", "deformables", deformable.name);
}

Element elementOf(const RobotSpec& robot) {
  return elementOf("robot", robot.description.file.empty() ? "bodies" : "robots", robot.name);
}

Element elementOf(const std::string& kind, const std::string& list, std::size_t index) {
  return {kind + " " + std::to_string(index), list + "." + std::to_string(index)};
}

std::string Compilation::where(const Element& element) const {
  std::string place = scene.file.empty() ? scene.name : scene.file.filename().string();
  if (options.placeOf) place = options.placeOf(element.key);
  if (place.empty() || element.name.empty()) return place + element.name;
  return place + ", " + element.name;
}

bool Compilation::goesOn(const std::string& what, double fraction) const {
  if (!options.progress) return true;
  options.progress->say(what, fraction);
  return !options.progress->isCancelled();
}

Error Compilation::invalid(const Element& element, const std::string& what, const std::string& remedy) const {
  return {ErrorCode::InvalidValue, what, where(element), remedy};
}

Error Compilation::unknown(const Element& element, const std::string& kind, const std::string& name,
                           const std::vector<std::string>& candidates) const {
  return {ErrorCode::UnknownName, "there is no " + kind + " '" + name + "'", where(element),
          suggestName(name, candidates)};
}

Result<void> Compilation::checkNumbers(const Element& element, ParameterBlock block,
                                       std::size_t index) const {
  const ParameterKind* broken = brokenKind(block, model.tuning, index);
  if (!broken) return {};
  const std::string key(broken->key);
  return invalid(element.name.empty() ? Element{key, key} : element.at(key), std::string(broken->what),
                 std::string(broken->remedy));
}

Result<int> Compilation::findBody(const Element& element, const std::string& name) const {
  const int index = model.findBody(name);
  if (index >= 0) return index;
  std::vector<std::string> names;
  for (const multibody::Body& body : model.tree.bodies) names.push_back(body.name);
  return unknown(element, "link", name, names);
}

Result<int> Compilation::findRobot(const Element& element, const std::string& name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.robots.size(); ++i) {
    if (model.robots[i].name == name) return static_cast<int>(i);
    names.push_back(model.robots[i].name);
  }
  return unknown(element, "robot", name, names);
}

Result<int> Compilation::findPath(const Element& element, const std::string& name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.paths.size(); ++i) {
    if (model.paths[i].name == name) return static_cast<int>(i);
    names.push_back(model.paths[i].name);
  }
  return unknown(element, "path", name, names);
}

Result<int> Compilation::findJoint(const Element& element, int robot, const std::string& joint) const {
  const Robot& owner = model.robots[static_cast<std::size_t>(robot)];
  const int index = model.findJoint(owner.name + "." + joint);
  if (index >= 0) return index;
  std::vector<std::string> names;
  for (int body = owner.firstBody + 1; body < owner.endBody; ++body)
    names.push_back(model.tree.joints[static_cast<std::size_t>(body - 1)].name.substr(owner.name.size() + 1));
  return unknown(element, "joint in '" + owner.name + "'", joint, names);
}

Element shapeElement(const Compilation& c, const Geometry& geometry) {
  constexpr std::string_view kContact = ".contact";
  std::string place = c.model.contactPlaces[static_cast<std::size_t>(geometry.contactPlaces.front())];
  if (place.ends_with(kContact)) place.resize(place.size() - kContact.size());
  return {"shape '" + geometry.name + "'", place};
}

std::string millimetres(double metres) {
  return fixed(1000 * metres, 1) + " mm";
}

Result<void> compileSettings(Compilation& c) {
  const Scene& s = c.scene;
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  if (!positive(s.time.dt))
    return c.invalid({"time", "time.dt_ms"}, "the time step is not positive", "write dt_ms greater than 0");
  // Ten times the longest of published scenes. What falls for longer than that has passed through what it should touch.
  constexpr double kLongestStep = 0.1;
  if (s.time.dt > kLongestStep)
    return c.invalid({"time", "time.dt_ms"}, "the time step is longer than 100 ms",
                     "write dt_ms in milliseconds, such as 10");
  if (!positive(s.time.duration))
    return c.invalid({"time", "time.duration"}, "the duration is not positive",
                     "write duration greater than 0");
  if (s.time.substeps < 0)
    return c.invalid({"time", "time.substeps"}, "the number of substeps is negative",
                     "write 'auto' or a number from 1");
  if (!positive(s.gridSpacing))
    return c.invalid({"grid", "grid.spacing"}, "the grid spacing is not positive",
                     "write spacing in metres, greater than 0");
  Tuning& tuning = c.model.tuning;
  tuning.gravity = s.gravity;
  tuning.cfl = s.time.cfl;
  tuning.stictionSpeed = s.stictionSpeed;
  tuning.stictionSoftness = s.stictionSoftness;
  tuning.solver = s.solver;
  tuning.rigidSolver = s.rigidSolver;
  tuning.contact = {s.contact};
  if (Result<void> ok = compileMethodSettings(c); !ok) return ok;
  if (Result<void> ok = c.checkNumbers({}, ParameterBlock::Scene); !ok) return ok;
  if (Result<void> ok = c.checkNumbers({"contact", "contact"}, ParameterBlock::Contact); !ok) return ok;
  c.model.name = s.name;
  c.model.title = s.title;
  c.model.file = s.file.string();
  c.model.time = s.time;
  c.model.solver = s.solver;
  c.model.rigidSolver = s.rigidSolver;
  c.model.gridSpacing = s.gridSpacing;
  return {};
}

Result<void> compileCameras(Compilation& c) {
  for (const CameraSpec& camera : c.scene.cameras) {
    const Element element = elementOf("camera", "cameras", camera.name);
    if (!camera.position.allFinite() || !camera.target.allFinite() || !camera.up.allFinite() ||
        !(std::isfinite(camera.fieldOfView) && camera.fieldOfView > 0))
      return c.invalid(element, "its position, target, up or field of view is not a number",
                       "write finite numbers");
    const Vec3 view = camera.target - camera.position;
    // A camera in W that looks straight down has a heading all the same: that of the orbit, see render::Camera.
    const bool needsUp = !camera.body.empty() || camera.up != Vec3::UnitZ();
    if (needsUp && view.cross(camera.up).norm() < 1e-6 * view.norm() * std::max(1.0, camera.up.norm()))
      return c.invalid(element.at("up"), "'up' lies along the view", "choose another direction");
    if (camera.body.empty()) continue;
    if (const Result<int> body = c.findBody(element.at("body"), camera.body); !body) return body.error();
  }
  c.model.cameras = c.scene.cameras;
  c.model.opensOnAll = c.scene.opensOnAll;
  return {};
}

Result<void> compilePaths(Compilation& c) {
  std::set<std::string> names;
  for (const PathSpec& path : c.scene.paths) {
    const Element element = elementOf("path", "paths", path.name);
    if (!names.insert(path.name).second)
      return c.invalid(element, "two paths have this name", "rename one of them");
    if (path.keys.empty()) return c.invalid(element, "the path has no key", "add at least one pose");
    for (std::size_t i = 0; i < path.keys.size(); ++i) {
      const PathSpec::Key& key = path.keys[i];
      const Element at = element.at("keys." + std::to_string(i));
      if (!std::isfinite(key.t) || !key.p.allFinite() || !key.R.coeffs().allFinite() || key.R.norm() < 1e-6)
        return c.invalid(at, "key " + std::to_string(i) + " is not a time and a pose",
                         "write finite numbers");
      if (i > 0 && key.t <= path.keys[i - 1].t)
        return c.invalid(at, "the times of its keys do not increase (key " + std::to_string(i) + ")",
                         "sort the keys by time");
    }
    c.model.paths.push_back({path.name, path.keys, path.interpolation});
  }
  return {};
}

namespace {

/// One function that checks and fills its part of the model, and how much of the whole work it is, about.
struct Stage {
  Result<void> (*run)(Compilation& c);
  double share;
};
constexpr std::array kStages = {
    Stage{compileSettings, 0},       Stage{compilePaths, 0},          Stage{compileRobots, 0.05},
    Stage{compileShapes, 0.05},      Stage{compileDeformables, 0.25}, Stage{compileBoundaries, 0},
    Stage{compileContactLaws, 0.3},  Stage{compileLoops, 0},          Stage{compileControllers, 0},
    Stage{compileStartPose, 0.05},   Stage{compileGround, 0},         Stage{compileEffectors, 0},
    Stage{compileRigidContact, 0.2}, Stage{compileSensors, 0},        Stage{compileTask, 0},
    Stage{compileCameras, 0},        Stage{inspectStart, 0.1},
};

}  // namespace

Result<CompiledScene> compile(const Scene& scene, const CompileOptions& options) {
  Compilation c(scene, options);
  double from = 0;
  for (const Stage& stage : kStages) {
    const LoadProgress::Part part(options.progress, from, from + stage.share);
    const Result<void> done = stage.run(c);
    if (isCancelled(options.progress)) return c.cancelled();  // whatever else a stage that was cut short says
    if (!done) return done.error();
    from += stage.share;
  }
  if (isChosenFor(scene.solver)) c.model.solver.method = chosenMethod(worstFrozenMotion(c.model));
  c.model.own = rowsOf(c.model, c.model.solver.method);
  c.model.scene = std::make_shared<const Scene>(scene);
  c.model.parameters = parametersOf(c.model);
  return CompiledScene{std::make_shared<const Model>(std::move(c.model)), std::move(c.notices)};
}

}  // namespace slipstick
