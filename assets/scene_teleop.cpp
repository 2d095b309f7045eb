// What people drive in a scene document, and how it is written again.
#include "assets/scene_format.h"
#include "assets/scene_parser.h"
#include "assets/scene_writer.h"
#include "assets/writer_parts.h"

namespace slipstick::assets {
namespace {

/// A list, or one number for all.
std::vector<double> positions(const YamlMap& map, const std::string& key) {
  if (!map.has(key)) return {};
  if (!map[key].isList()) return {map[key].number()};
  std::vector<double> list;
  for (const YamlValue& value : map[key].list()) list.push_back(value.number());
  return list;
}

YamlOut positionsOf(const std::vector<double>& list) {
  return list.size() == 1 ? YamlOut::number(list[0]) : YamlOut::numbers(list);
}

GripperRangeSpec parseGripperRange(const YamlValue& value) {
  const YamlMap map = value.map(keyNamesOf("gripper"));
  GripperRangeSpec gripper;
  gripper.robot = map.require("robot").text();
  for (const YamlValue& joint : map.list("joints")) gripper.joints.push_back(joint.text());
  gripper.open = positions(map, "open");
  gripper.closed = positions(map, "closed");
  gripper.effort = map.maybeNumber("effort", kPositive);
  gripper.closingTime = map.number("closing_time", gripper.closingTime, kPositive);
  return gripper;
}

YamlOut rangeOf(const GripperRangeSpec& gripper) {
  const GripperRangeSpec usual;
  YamlOut map;
  map.add("robot", YamlOut::text(gripper.robot));
  YamlOut::List joints;
  for (const std::string& joint : gripper.joints) joints.push_back(YamlOut::text(joint));
  if (!joints.empty()) map.add("joints", YamlOut::list(std::move(joints)));
  if (!gripper.open.empty()) map.add("open", positionsOf(gripper.open));
  if (!gripper.closed.empty()) map.add("closed", positionsOf(gripper.closed));
  if (gripper.effort) map.add("effort", YamlOut::number(*gripper.effort));
  writer::addIf(map, "closing_time", gripper.closingTime, usual.closingTime);
  return map;
}

}  // namespace

EffectorSpec SceneParser::parseEffector(const std::string& name, const YamlValue& value) {
  const YamlMap map = value.map(keyNamesOf("effector"));
  EffectorSpec effector;
  effector.name = name;
  effector.robot = map.require("robot").text();
  effector.link = map.require("link").text();
  effector.X_LE = parsePose(map);
  EffectorSpeed& speed = effector.speed;
  speed.linear = map.number("speed", speed.linear, kPositive);
  speed.acceleration = map.number("acceleration", speed.acceleration, kPositive);
  speed.turn = map.number("turn_speed", speed.turn, kPositive);
  speed.turnAcceleration = map.number("turn_acceleration", speed.turnAcceleration, kPositive);
  if (map.has("workspace")) {
    const YamlMap workspace = map["workspace"].map(keyNamesOf("workspace"));
    effector.lower = workspace.vec3("lower", effector.lower);
    effector.upper = workspace.vec3("upper", effector.upper);
  }
  if (map.has("gripper")) effector.gripper = parseGripperRange(map["gripper"]);
  return effector;
}

YamlOut writer::effectorOf(const EffectorSpec& effector) {
  const EffectorSpec usual;
  YamlOut map;
  map.add("robot", YamlOut::text(effector.robot)).add("link", YamlOut::text(effector.link));
  addPose(effector.X_LE, map);
  addIf(map, "speed", effector.speed.linear, usual.speed.linear);
  addIf(map, "acceleration", effector.speed.acceleration, usual.speed.acceleration);
  addIf(map, "turn_speed", effector.speed.turn, usual.speed.turn);
  addIf(map, "turn_acceleration", effector.speed.turnAcceleration, usual.speed.turnAcceleration);
  YamlOut workspace;
  if (effector.lower.allFinite()) addVector(workspace, "lower", effector.lower);
  if (effector.upper.allFinite()) addVector(workspace, "upper", effector.upper);
  addIf(map, "workspace", std::move(workspace));
  if (effector.gripper) map.add("gripper", rangeOf(*effector.gripper));
  return map;
}

}  // namespace slipstick::assets
