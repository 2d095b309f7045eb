// The part of SceneParser that reads what a scene says over robots' files, how their joints start, and sensors.
#include <algorithm>

#include "assets/drake_tags.h"
#include "assets/scene_format.h"
#include "assets/scene_parser.h"
#include "assets/scene_tables.h"
#include "engine/foundation/nearest_name.h"
#include "engine/foundation/path_key.h"

namespace slipstick::assets {
namespace {

/// Whether the robot's block says what a notice assumed.
bool saysItself(const RobotSpec& robot, const std::string& path) {
  const std::vector<std::string> keys = keysOfPath(path).value_or(std::vector<std::string>{});
  if (keys.size() != 3) return false;
  if (keys[0] == "links") {
    const auto found = robot.linkInertias.find(keys[1]);
    if (found == robot.linkInertias.end()) return false;
    return keys[2] == "mass" ? found->second.mass.has_value() : found->second.inertia.has_value();
  }
  const auto found = robot.jointLimits.find(keys[1]);
  if (found == robot.jointLimits.end()) return false;
  return keys[2] == "lower" ? found->second.lower.has_value() : found->second.upper.has_value();
}

}  // namespace

void SceneParser::parseLinkInertia(const std::string& link, const YamlMap& map, RobotSpec& robot) {
  LinkInertiaSpec said;
  readKeys(map, linkTable(), said);
  if (said != LinkInertiaSpec()) robot.linkInertias.emplace(link, said);
}

void SceneParser::parseJointLimits(const YamlMap& map, RobotSpec& robot) {
  for (const auto& [joint, value] : map.entries("limits")) {
    const JointLimitSpec said = specOf(value, limitsTable());
    if (said != JointLimitSpec()) robot.jointLimits[joint] = said;
  }
  for (const auto& [joint, value] : map.entries("armature"))
    robot.jointLimits[joint].armature = value.number(kNonNegative);
}

/// A number, or a pose of a joint with more than one degree of freedom.
void SceneParser::parseJointStarts(const YamlMap& map, RobotSpec& robot) {
  const auto startOf = [&robot](const std::string& joint) -> JointPoseSpec& {
    const auto known = std::find_if(robot.jointPoses.begin(), robot.jointPoses.end(),
                                    [&](const JointPoseSpec& start) { return start.joint == joint; });
    if (known != robot.jointPoses.end()) return *known;
    robot.jointPoses.push_back({.joint = joint, .X_JC = {}});
    return robot.jointPoses.back();
  };
  for (const auto& [joint, value] : map.entries("joints")) {
    if (value.isMap())
      startOf(joint).X_JC = parsePoseBlock(value);
    else
      robot.jointPositions.emplace_back(joint, value.number());
  }
  for (const auto& [joint, value] : map.entries("velocities")) {
    if (!value.isMap()) {
      robot.jointVelocities.emplace_back(joint, value.number());
      continue;
    }
    readBlock(value, movingTable<JointPoseSpec>(), startOf(joint));
  }
}

/// Notices of a robot's file, but for those of repairs that the scene has made its own.
void SceneParser::addNotices(const std::vector<Notice>& notices, const RobotSpec& robot) {
  for (Notice notice : notices) {
    const auto& said = notice.overrides;
    if (!said.empty() &&
        std::all_of(said.begin(), said.end(), [&](const auto& o) { return saysItself(robot, o.first); }))
      continue;
    for (auto& [path, value] : notice.overrides) path = "robots." + pathKey(robot.name) + "." + path;
    noteOnce(notices_, std::move(notice));
  }
}

/// The link beyond a joint "robot.joint" of the scene.
std::string SceneParser::linkBeyond(const YamlValue& joint, const Scene& scene) {
  const std::string name = joint.text();
  std::vector<std::string> names;
  for (const RobotSpec& robot : scene.robots)
    for (const JointSpec& spec : robot.description.joints) {
      names.push_back(robot.name + "." + spec.name);
      if (names.back() == name) return robot.name + "." + spec.child;
    }
  joint.fail(ErrorCode::UnknownName, "there is no joint '" + name + "'", suggestName(name, names));
  return "";
}

SensorSpec SceneParser::parseSensor(const std::string& name, const YamlValue& value, const Scene& scene) {
  const YamlMap map = value.map(keyNamesOf("sensor"));
  SensorSpec sensor;
  sensor.name = name;
  readKeys(map, sensorTable(), Turn::First, sensor);
  const bool measuresJoint = sensor.kind == SensorSpec::Kind::ForceTorque;
  if (map.has("joint") && !measuresJoint)
    map["joint"].fail(ErrorCode::InvalidValue, "only a force_torque sensor sits in a joint", "write 'link'");
  if (map.has("joint") && map.has("link"))
    map["joint"].fail(ErrorCode::InvalidValue, "'joint' and 'link' contradict each other",
                      "keep one of the two");
  if (map.has("other") && sensor.kind != SensorSpec::Kind::Contact)
    map["other"].fail(ErrorCode::InvalidValue, "only a contact sensor has an 'other'", "remove the key");
  sensor.link = map.has("joint") ? linkBeyond(map["joint"], scene) : map.require("link").text();
  readKeys(map, sensorTable(), Turn::Usual, sensor);
  sensor.X_LS = parsePose(map);
  ontoLink(sensor.link, sensor.X_LS);
  return sensor;
}

}  // namespace slipstick::assets
