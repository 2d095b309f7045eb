#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "engine/foundation/number_text.h"
#include "engine/model/compilation.h"
#include "engine/model/nearest_name.h"

namespace slipstick {

std::string Compilation::where(const std::string& element) const {
  const std::string label = scene.file.empty() ? scene.name : scene.file.filename().string();
  return label.empty() ? element : label + ", " + element;
}

Error Compilation::invalid(const std::string& element, const std::string& what,
                           const std::string& remedy) const {
  return {ErrorCode::InvalidValue, what, where(element), remedy};
}

Error Compilation::unknown(const std::string& element, const std::string& kind, const std::string& name,
                           const std::vector<std::string>& candidates) const {
  return {ErrorCode::UnknownName, "there is no " + kind + " '" + name + "'", where(element),
          suggestName(name, candidates)};
}

Result<void> Compilation::checkNumbers(const std::string& element, ParameterBlock block,
                                       std::size_t index) const {
  const ParameterKind* broken = brokenKind(block, model.tuning, index);
  if (!broken) return {};
  return invalid(element.empty() ? std::string(broken->key) : element, std::string(broken->what),
                 std::string(broken->remedy));
}

Result<int> Compilation::findBody(const std::string& element, const std::string& name) const {
  const int index = model.findBody(name);
  if (index >= 0) return index;
  std::vector<std::string> names;
  for (const multibody::Body& body : model.tree.bodies) names.push_back(body.name);
  return unknown(element, "link", name, names);
}

Result<int> Compilation::findRobot(const std::string& element, const std::string& name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.robots.size(); ++i) {
    if (model.robots[i].name == name) return static_cast<int>(i);
    names.push_back(model.robots[i].name);
  }
  return unknown(element, "robot", name, names);
}

Result<int> Compilation::findPath(const std::string& element, const std::string& name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.paths.size(); ++i) {
    if (model.paths[i].name == name) return static_cast<int>(i);
    names.push_back(model.paths[i].name);
  }
  return unknown(element, "path", name, names);
}

Result<int> Compilation::findJoint(const std::string& element, int robot, const std::string& joint) const {
  const Robot& owner = model.robots[static_cast<std::size_t>(robot)];
  const int index = model.findJoint(owner.name + "." + joint);
  if (index >= 0) return index;
  std::vector<std::string> names;
  for (int body = owner.firstBody + 1; body < owner.endBody; ++body)
    names.push_back(model.tree.joints[static_cast<std::size_t>(body - 1)].name.substr(owner.name.size() + 1));
  return unknown(element, "joint in '" + owner.name + "'", joint, names);
}

std::string millimetres(double metres) {
  return fixed(1000 * metres, 1) + " mm";
}

Result<void> compileSettings(Compilation& c) {
  const Scene& s = c.scene;
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  if (!positive(s.time.dt))
    return c.invalid("time", "the time step is not positive", "write dt_ms greater than 0");
  if (!positive(s.time.duration))
    return c.invalid("time", "the duration is not positive", "write duration_s greater than 0");
  if (s.time.substeps < 0)
    return c.invalid("time", "the number of substeps is negative", "write 'auto' or a number from 1");
  if (!positive(s.gridSpacing))
    return c.invalid("grid", "the grid spacing is not positive", "write spacing in metres, greater than 0");
  Tuning& tuning = c.model.tuning;
  tuning.gravity = s.gravity;
  tuning.cfl = s.time.cfl;
  tuning.stictionSpeed = s.stictionSpeed;
  tuning.solver = s.solver;
  tuning.rigidSolver = s.rigidSolver;
  tuning.contact = {s.contact};
  if (Result<void> ok = c.checkNumbers("", ParameterBlock::Scene); !ok) return ok;
  if (Result<void> ok = c.checkNumbers("contact", ParameterBlock::Contact); !ok) return ok;
  for (const CameraSpec& camera : s.cameras)
    if (!camera.position.allFinite() || !camera.target.allFinite() || !positive(camera.fieldOfView))
      return c.invalid("camera '" + camera.name + "'",
                       "its position, target or field of view is not a number", "write finite numbers");
  c.model.name = s.name;
  c.model.title = s.title;
  c.model.file = s.file.string();
  c.model.time = s.time;
  c.model.solver = s.solver;
  c.model.rigidSolver = s.rigidSolver;
  c.model.gridSpacing = s.gridSpacing;
  c.model.cameras = s.cameras;
  c.model.showGround = s.showGround;
  c.model.groundHeight = s.groundHeight;
  return {};
}

Result<void> compilePaths(Compilation& c) {
  std::set<std::string> names;
  for (const PathSpec& path : c.scene.paths) {
    const std::string element = "path '" + path.name + "'";
    if (!names.insert(path.name).second)
      return c.invalid(element, "two paths have this name", "rename one of them");
    if (path.keys.empty()) return c.invalid(element, "the path has no key", "add at least one pose");
    for (std::size_t i = 0; i < path.keys.size(); ++i) {
      const PathSpec::Key& key = path.keys[i];
      if (!std::isfinite(key.t) || !key.p.allFinite() || !key.R.coeffs().allFinite() || key.R.norm() < 1e-6)
        return c.invalid(element, "key " + std::to_string(i) + " is not a time and a pose",
                         "write finite numbers");
      if (i > 0 && key.t <= path.keys[i - 1].t)
        return c.invalid(element, "the times of its keys do not increase (key " + std::to_string(i) + ")",
                         "sort the keys by time");
    }
    c.model.paths.push_back({path.name, path.keys, path.interpolation});
  }
  return {};
}

Result<CompiledScene> compile(const Scene& scene) {
  Compilation c(scene);
  constexpr std::array kStages = {compileSettings,    compilePaths,      compileRobots,       compileShapes,
                                  compileDeformables, compileBoundaries, compileContactLaws,  compileLoops,
                                  compileControllers, compileStartPose,  compileRigidContact, inspectStart};
  for (const auto stage : kStages)
    if (Result<void> done = stage(c); !done) return done.error();
  c.model.scene = std::make_shared<const Scene>(scene);
  c.model.parameters = parametersOf(c.model);
  return CompiledScene{std::make_shared<const Model>(std::move(c.model)), std::move(c.notices)};
}

}  // namespace slipstick
