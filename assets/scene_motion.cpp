// Loops, boundaries, paths, controllers and effectors of a scene document.
#include <cmath>

#include "assets/degree.h"
#include "assets/scene_format.h"
#include "assets/scene_parser.h"
#include "assets/scene_tables.h"

namespace slipstick::assets {
namespace {

constexpr double kLongestTurn_deg = 179;  // rotations interpolate by the shortest arc

std::vector<double> gainList(const YamlMap& map, const std::string& key, std::vector<double> fallback) {
  if (!map.has(key)) return fallback;
  const Range range = rangeOf(ParameterBlock::Servo, key);
  if (!map[key].isList()) return {map[key].number(range)};
  std::vector<double> gains;
  for (const YamlValue& gain : map[key].list()) gains.push_back(gain.number(range));
  return gains;
}

std::vector<std::string> textList(const YamlValue& value) {
  std::vector<std::string> texts;
  for (const YamlValue& item : value.list()) texts.push_back(item.text());
  return texts;
}

/// A rest until the move begins, then the move itself.
void appendMove(const YamlMap& move, double from, double to, std::vector<PathSpec::Key>& keys) {
  PathSpec::Key key = keys.back();
  if (from > key.t) {
    key.t = from;
    keys.push_back(key);
  }
  const Vec3 turn = move.vec3("rotation_deg") * kDegree;
  const Vec3 shift =
      move.has("velocity") ? Vec3(move.vec3("velocity") * (to - from)) : move.vec3("displacement");
  key.t = to;
  key.p += shift;
  if (turn.norm() > 0) key.R = Quat(Eigen::AngleAxisd(turn.norm(), turn.normalized())) * key.R;
  keys.push_back(key);
}

}  // namespace

void SceneParser::parseLoopEnds(const YamlMap& map, LoopSpec& loop) {
  loop.linkA = map.require("link_a").text();
  loop.linkB = map.require("link_b").text();
  loop.X_LaA = parsePoseBlock(map["pose_a"]);
  loop.X_LbB = parsePoseBlock(map["pose_b"]);
  ontoLink(loop.linkA, loop.X_LaA);
  ontoLink(loop.linkB, loop.X_LbB);
}

LoopSpec SceneParser::parseLoop(const std::string& name, const YamlValue& value) {
  const YamlMap map = value.map(keyNamesOf("loop"));
  LoopSpec loop;
  loop.name = name;
  readKeys(map, loopTable(), Turn::First, loop);
  parseLoopEnds(map, loop);
  readKeys(map, loopTable(), Turn::Usual, loop);
  if (loop.distance && loop.kind != LoopKind::Distance)
    map["distance"].fail(ErrorCode::InvalidValue, "only a loop of the kind 'distance' has a distance",
                         "remove the key, or write 'kind: distance'");
  return loop;
}

/// The short form of a loop of the kind weld.
LoopSpec SceneParser::parseWeld(const std::string& name, const YamlValue& value) {
  LoopSpec weld;
  weld.name = name;
  parseLoopEnds(value.map(keyNamesOf("weld")), weld);
  return weld;
}

PathSpec SceneParser::parsePath(const std::string& name, const YamlValue& value) {
  const YamlMap map = value.map(keyNamesOf("path"));
  PathSpec path;
  path.name = name;
  if (map.has("keys") == (map.has("start") || map.has("moves")))
    map.self().fail(ErrorCode::InvalidValue, "a path is either 'keys' or 'start' with 'moves'",
                    "write one of the two");
  readKeys(map, pathTable(), path);
  path.keys = map.has("keys") ? parsePathKeys(map) : parseMoves(map);
  if (!map.has("in")) return path;
  const Pose X_WF = inWorld(map, {}, "a path");
  for (PathSpec::Key& key : path.keys) {
    key.p = X_WF * key.p;
    key.R = Quat(X_WF.R) * key.R;
  }
  return path;
}

/// [w, x, y, z], as it is.
Quat SceneParser::parseQuaternion(const YamlMap& key) {
  const std::vector<double> n = key["quaternion"].numbers(4);
  if (n.size() != 4) return Quat::Identity();
  const Quat R(n[0], n[1], n[2], n[3]);
  if (key.has("rpy_deg"))
    key["quaternion"].fail(ErrorCode::InvalidValue, "'quaternion' and 'rpy_deg' contradict each other",
                           "keep one of the two");
  if (std::abs(R.norm() - 1) > 1e-6)
    key["quaternion"].fail(ErrorCode::InvalidValue, "the quaternion's length is not 1",
                           "write [w, x, y, z] of length 1, or 'rpy_deg'");
  return R;
}

std::vector<PathSpec::Key> SceneParser::parsePathKeys(const YamlMap& map) {
  std::vector<PathSpec::Key> keys;
  for (const YamlValue& value : map.list("keys")) {
    const YamlMap key = value.map(keyNamesOf("path_key"));
    const Pose pose = parsePose(key);
    keys.push_back({key.require("t").number(), pose.p, Quat(pose.R)});
    if (key.has("quaternion")) keys.back().R = parseQuaternion(key);
    if (keys.size() > 1 && keys.back().t <= keys[keys.size() - 2].t)
      key["t"].fail(ErrorCode::InvalidValue, "the times of a path must increase", "sort the keys by 't'");
  }
  return keys;
}

/// Rest between moves, constant velocity within each: every move adds a key at its start and one at its end.
std::vector<PathSpec::Key> SceneParser::parseMoves(const YamlMap& map) {
  const Pose start = parsePoseBlock(map.require("start"));
  std::vector<PathSpec::Key> keys = {{0, start.p, Quat(start.R)}};
  for (const YamlValue& value : map.list("moves")) {
    const YamlMap move = value.map(keyNamesOf("move"));
    const double from = move.require("from").number(kNonNegative), to = move.require("to").number(kPositive);
    if (document_->fault) return keys;
    if (to <= from)
      move["to"].fail(ErrorCode::InvalidValue, "the move ends before it begins", "write 'to' after 'from'");
    if (from < keys.back().t)
      move["from"].fail(ErrorCode::InvalidValue, "the move begins before the previous one ends",
                        "sort the moves by time");
    if (move.has("velocity") && move.has("displacement"))
      move["velocity"].fail(ErrorCode::InvalidValue, "'velocity' and 'displacement' contradict each other",
                            "keep one of the two");
    if (move.vec3("rotation_deg").norm() > kLongestTurn_deg)
      move["rotation_deg"].fail(ErrorCode::InvalidValue, "one move can turn by at most 179 degrees",
                                "split the move");
    appendMove(move, from, to, keys);
  }
  return keys;
}

/// The window of time in which a boundary acts, and what moves it.
BoundarySpec SceneParser::parseBoundary(const std::string& name, const YamlValue& value) {
  const YamlMap map = value.map(keyNamesOf("boundary"));
  BoundarySpec boundary;
  boundary.name = name;
  readKeys(map, boundaryTable(), Turn::First, boundary);
  boundary.shape = parseShape(map);
  boundary.X_WS = inWorld(map, parsePose(map), "a boundary");
  readKeys(map, boundaryTable(), Turn::Usual, boundary);
  if (map.has("in") && map.has("path"))
    map["in"].fail(ErrorCode::InvalidValue, "the boundary's pose is in the frame of its path",
                   "remove 'in'; the path may stand in a frame");
  readKeys(map, boundaryTable(), Turn::Later, boundary);
  readKeys(map, lookTable(), boundary.look);
  return boundary;
}

PdGains SceneParser::parseGains(const YamlMap& map, PdGains defaults) {
  return {gainList(map, "kp", defaults.kp), gainList(map, "kd", defaults.kd)};
}

JointPathSpec SceneParser::parseJointPath(const YamlMap& map) {
  JointPathSpec path;
  path.robot = map.require("robot").text();
  path.joints = textList(map.require("joints"));
  path.gains = parseGains(map, path.gains);
  if (map.has("interpolation")) path.interpolation = interpolation().read(map["interpolation"]);
  for (const YamlValue& value : map.require("keys").list()) {
    const YamlMap key = value.map({"t", "q", "q_deg"});
    const bool degrees = key.has("q_deg");
    if (degrees == key.has("q"))
      key.self().fail(ErrorCode::InvalidValue, "a key has either 'q' or 'q_deg'", "write one of the two");
    std::vector<double> q = key[degrees ? "q_deg" : "q"].numbers(path.joints.size());
    if (degrees)
      for (double& angle : q) angle *= kDegree;
    path.keys.push_back({key.require("t").number(), std::move(q)});
  }
  return path;
}

JointEffortSpec SceneParser::parseJointEffort(const YamlMap& map) {
  return {map.require("robot").text(), map.require("joint").text(),
          map.require("effort").number(rangeOf(ParameterBlock::JointEffort, "effort")),
          map.number("from", 0, kNonNegative)};
}

JointVelocitySpec SceneParser::parseJointVelocity(const YamlMap& map) {
  JointVelocitySpec spec;
  spec.robot = map.require("robot").text();
  spec.joint = map.require("joint").text();
  spec.velocity = map.require("velocity").number(rangeOf(ParameterBlock::JointVelocity, "velocity"));
  spec.kd = map.number("kd", spec.kd, rangeOf(ParameterBlock::JointVelocity, "kd"));
  spec.from = map.number("from", spec.from, kNonNegative);
  return spec;
}

EndEffectorPathSpec SceneParser::parseEndEffectorPath(const YamlMap& map) {
  EndEffectorPathSpec spec;
  spec.robot = map.require("robot").text();
  spec.link = map.require("link").text();
  spec.path = map.require("path").text();
  spec.X_PathE = parsePose(map);
  spec.gains = parseGains(map, spec.gains);
  return spec;
}

GripperSpec SceneParser::parseGripper(const YamlMap& map) {
  GripperSpec spec;
  spec.robot = map.require("robot").text();
  if (map.has("joints")) spec.joints = textList(map["joints"]);
  spec.effort = map.number("effort", spec.effort, rangeOf(ParameterBlock::Gripper, "effort"));
  spec.gains = parseGains(map, spec.gains);
  for (const YamlValue& value : map.require("keys").list()) {
    const YamlMap key = value.map({"t", "opening"});
    spec.keys.push_back({key.require("t").number(), key.require("opening").number()});
  }
  return spec;
}

LinkForceSpec SceneParser::parseLinkForce(const YamlMap& map) {
  LinkForceSpec spec;
  spec.link = map.require("link").text();
  spec.point = map.vec3("point");
  for (const YamlValue& value : map.require("keys").list()) {
    const YamlMap key = value.map({"t", "force", "torque"});
    spec.keys.push_back({key.require("t").number(), key.vec3("force"), key.vec3("torque")});
  }
  return spec;
}

EffectorSpec SceneParser::parseEffector(const std::string& name, const YamlValue& value) {
  const YamlMap map = value.map(keyNamesOf("effector"));
  EffectorSpec effector;
  effector.name = name;
  readKeys(map, effectorTable(), Turn::First, effector);
  effector.X_LE = parsePose(map);
  readKeys(map, effectorTable(), Turn::Usual, effector);
  return effector;
}

ControllerSpec SceneParser::parseController(const YamlValue& value) {
  const YamlMap any = value.map(keyNamesOf("controller"));
  switch (any.require("kind").choice(
      {"end_effector_path", "joint_path", "joint_effort", "joint_velocity", "gripper", "force"})) {
    case 0:
      return parseEndEffectorPath(
          value.map({"kind", "robot", "link", "path", "position", "rpy_deg", "rotation", "kp", "kd"}));
    case 1:
      return parseJointPath(value.map({"kind", "robot", "joints", "kp", "kd", "keys", "interpolation"}));
    case 2:
      return parseJointEffort(value.map({"kind", "robot", "joint", "effort", "from"}));
    case 3:
      return parseJointVelocity(value.map({"kind", "robot", "joint", "velocity", "kd", "from"}));
    case 4:
      return parseGripper(value.map({"kind", "robot", "joints", "keys", "effort", "kp", "kd"}));
    default:
      return parseLinkForce(value.map({"kind", "link", "point", "keys"}));
  }
}

}  // namespace slipstick::assets
