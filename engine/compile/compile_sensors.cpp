// Stage of compile(): sensors, and what they measure.
#include <algorithm>
#include <set>

#include "engine/compile/compilation.h"
#include "engine/foundation/nearest_name.h"

namespace slipstick {
namespace {

/// Names that observables begin with: a sensor's must be its own.
std::set<std::string> takenNames(const Model& model) {
  std::set<std::string> names = {"total", "solver", "time", "contacts"};
  for (const multibody::Body& body : model.tree.bodies) names.insert(body.name);
  for (const Robot& robot : model.robots) names.insert(robot.name);
  for (const multibody::Joint& joint : model.tree.joints) names.insert(joint.name);
  for (const Deformable& deformable : model.deformables) names.insert(deformable.name);
  for (const Boundary& boundary : model.boundaries) names.insert(boundary.name);
  return names;
}

/// Whose touch counts: a deformable, or all bodies of a robot, or one.
Result<void> findOther(const Compilation& c, const Element& element, const std::string& name,
                       Sensor& sensor) {
  const Model& model = c.model;
  std::vector<std::string> candidates;
  for (std::size_t d = 0; d < model.deformables.size(); ++d) {
    candidates.push_back(model.deformables[d].name);
    if (model.deformables[d].name == name) sensor.deformable = static_cast<int>(d);
  }
  if (sensor.deformable >= 0) return {};
  sensor.other.assign(model.tree.bodies.size(), 0);
  bool found = false;
  for (std::size_t b = 0; b < model.tree.bodies.size(); ++b) {
    candidates.push_back(model.tree.bodies[b].name);
    const auto robot = std::find_if(model.robots.begin(), model.robots.end(), [&](const Robot& r) {
      return static_cast<int>(b) >= r.firstBody && static_cast<int>(b) < r.endBody;
    });
    const bool isOfRobot = robot != model.robots.end() && robot->name == name;
    if (model.tree.bodies[b].name != name && !isOfRobot) continue;
    sensor.other[b] = 1;
    found = true;
  }
  if (found) return {};
  return c.unknown(element.at("other"), "robot, body, link or deformable", name, candidates);
}

Result<Sensor> compileSensor(const Compilation& c, const Element& element, const SensorSpec& spec) {
  Sensor sensor{spec.name, spec.kind, 0, -1, {}, -1, spec.X_LS};
  const Result<int> body = c.findBody(element.at("link"), spec.link);
  if (!body) return body.error();
  sensor.body = *body;
  if (!spec.X_LS.p.allFinite() || !spec.X_LS.R.allFinite())
    return c.invalid(element, "its pose is not a number", "write finite numbers");
  if (spec.kind == SensorSpec::Kind::ForceTorque) {
    if (*body == 0)
      return c.invalid(element.at("link"), "nothing carries the world", "name the link beyond the joint");
    sensor.joint = *body - 1;
  }
  if (spec.kind == SensorSpec::Kind::Contact && !spec.other.empty())
    if (Result<void> other = findOther(c, element, spec.other, sensor); !other) return other.error();
  return sensor;
}

}  // namespace

Result<void> compileSensors(Compilation& c) {
  std::set<std::string> names = takenNames(c.model);
  for (const SensorSpec& spec : c.scene.sensors) {
    const Element element = elementOf("sensor", "sensors", spec.name);
    if (spec.name.empty() || !names.insert(spec.name).second)
      return c.invalid(element, "this name is taken or empty", "rename the sensor");
    Result<Sensor> sensor = compileSensor(c, element, spec);
    if (!sensor) return sensor.error();
    c.model.sensors.push_back(std::move(*sensor));
  }
  return {};
}

}  // namespace slipstick
