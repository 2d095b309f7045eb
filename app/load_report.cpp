#include "app/load_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "engine/foundation/number_text.h"

namespace slipstick::app {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 7> kJointTypes = {"fixed", "revolute", "continuous", "prismatic",
                                                    "ball",  "planar",   "floating"};

json finite(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}

std::size_t trianglesOf(const std::vector<LinkGeometry>& geometries) {
  std::size_t count = 0;
  for (const LinkGeometry& geometry : geometries)
    if (const auto* mesh = std::get_if<shape::Mesh>(&geometry.shape)) count += mesh->mesh->triangles.size();
  return count;
}

json listOf(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

/// Of all links in the frame of the first root, while every joint is at its zero.
std::map<std::string, Pose> zeroPoses(const RobotDescription& robot) {
  std::map<std::string, std::vector<const JointSpec*>> below;
  std::set<std::string> children;
  for (const JointSpec& joint : robot.joints) {
    below[joint.parent].push_back(&joint);
    children.insert(joint.child);
  }
  std::map<std::string, Pose> poses = {robot.rootPoses.begin(), robot.rootPoses.end()};
  std::vector<std::string> open;
  for (const LinkSpec& link : robot.links)
    if (!children.contains(link.name)) open.push_back(link.name);
  while (!open.empty()) {
    const std::string link = open.back();
    open.pop_back();
    for (const JointSpec* joint : below[link]) {
      poses[joint->child] = poses[link] * joint->X_PJ;
      open.push_back(joint->child);
    }
  }
  return poses;
}

json linkReport(const LinkSpec& link, const Pose& X_RL) {
  const Mat3& I = link.inertia;
  const Quat q(X_RL.R);
  return {{"name", link.name},
          {"mass_kg", link.mass},
          {"com_m", listOf(link.com)},
          {"inertia_kg_m2", {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}},
          {"zero_position_m", listOf(X_RL.p)},
          {"zero_quaternion_wxyz", {q.w(), q.x(), q.y(), q.z()}},
          {"visuals", link.visuals.size()},
          {"visual_triangles", trianglesOf(link.visuals)},
          {"collisions", link.collisions.size()},
          {"collision_triangles", trianglesOf(link.collisions)}};
}

/// 40 of ±40; [0, 40] where the directions differ.
json effortJson(const multibody::EffortRange& range) {
  if (range.isAlikeBothWays()) return finite(range.upper);
  return {finite(range.lower), finite(range.upper)};
}

json jointReport(const JointSpec& joint) {
  const bool slides = joint.type == multibody::JointType::Prismatic;
  json report = {{"name", joint.name},        {"type", kJointTypes[static_cast<std::size_t>(joint.type)]},
                 {"parent", joint.parent},    {"child", joint.child},
                 {"damping", joint.damping},  {"dry_friction", joint.dryFriction},
                 {"armature", joint.armature}};
  if (multibody::positionCount(joint.type) == 1) {
    report["position_unit"] = slides ? "m" : "rad";
    report["effort_unit"] = slides ? "N" : "N m";
    report["lower"] = finite(joint.lower);
    report["upper"] = finite(joint.upper);
    report["effort_limit"] = effortJson(joint.effortLimit);
    report["velocity_limit"] = finite(joint.velocityLimit);
  }
  if (!joint.mimic.empty())
    report["mimic"] = {
        {"joint", joint.mimic}, {"multiplier", joint.mimicRatio}, {"offset", joint.mimicOffset}};
  return report;
}

/// printf into a string, however long the names are.
template <class... Args>
std::string formatted(const char* format, Args... args) {
  std::string line(static_cast<std::size_t>(std::max(0, std::snprintf(nullptr, 0, format, args...))), '\0');
  std::snprintf(line.data(), line.size() + 1, format, args...);
  return line;
}

std::string numberOr(const json& value, const char* otherwise) {
  return value.is_number() ? significant(value.get<double>(), 4) : otherwise;
}

/// Width of a column that holds these names.
int columnWidth(const json& rows, const char* key) {
  std::size_t width = 4;
  for (const json& row : rows) width = std::max(width, row[key].get<std::string>().size());
  return static_cast<int>(std::min<std::size_t>(width, 60));
}

std::string jointLine(const json& joint, int nameWidth) {
  std::string line =
      formatted("  %-*s  %-10s  %s -> %s", nameWidth, joint["name"].get<std::string>().c_str(),
                joint["type"].get<std::string>().c_str(), joint["parent"].get<std::string>().c_str(),
                joint["child"].get<std::string>().c_str());
  if (joint.contains("position_unit")) {
    const std::string unit = joint["position_unit"], effortUnit = joint["effort_unit"];
    if (joint["lower"].is_number() || joint["upper"].is_number())
      line += "  " + numberOr(joint["lower"], "-inf") + " to " + numberOr(joint["upper"], "inf") + " " + unit;
    if (const json& effort = joint["effort_limit"]; effort.is_array())
      line += ", " + numberOr(effort[0], "-inf") + " to " + numberOr(effort[1], "inf") + " " + effortUnit;
    else if (effort.is_number())
      line += ", " + numberOr(effort, "") + " " + effortUnit;
    if (joint["velocity_limit"].is_number())
      line += ", " + numberOr(joint["velocity_limit"], "") + " " + unit + "/s";
  }
  if (joint.contains("mimic")) line += ", follows " + joint["mimic"]["joint"].get<std::string>();
  return line + "\n";
}

}  // namespace

nlohmann::json robotReport(const RobotDescription& robot) {
  json report = {{"kind", "robot"},        {"name", robot.name},      {"file", robot.file.string()},
                 {"links", json::array()}, {"joints", json::array()}, {"joint_types", json::object()}};
  double mass = 0;
  std::size_t visuals = 0, collisions = 0;
  const std::map<std::string, Pose> X_RL = zeroPoses(robot);
  std::set<const TriangleMesh*> meshes;
  for (const LinkSpec& link : robot.links) {
    const auto pose = X_RL.find(link.name);
    report["links"].push_back(linkReport(link, pose == X_RL.end() ? Pose{} : pose->second));
    mass += link.mass;
    visuals += link.visuals.size();
    collisions += link.collisions.size();
    for (const auto* geometries : {&link.visuals, &link.collisions})
      for (const LinkGeometry& geometry : *geometries)
        if (const auto* mesh = std::get_if<shape::Mesh>(&geometry.shape)) meshes.insert(mesh->mesh.get());
  }
  std::size_t triangles = 0, movable = 0;
  int freedom = 0;
  for (const TriangleMesh* mesh : meshes) triangles += mesh->triangles.size();
  for (const JointSpec& joint : robot.joints) {
    report["joints"].push_back(jointReport(joint));
    json& count = report["joint_types"][kJointTypes[static_cast<std::size_t>(joint.type)]];
    count = count.is_null() ? 1 : count.get<int>() + 1;
    movable += joint.type != multibody::JointType::Fixed ? 1 : 0;
    freedom += multibody::velocityCount(joint.type);
  }
  report["movable_joints"] = movable;
  report["degrees_of_freedom"] = freedom;  // of a fixed base, mimics included
  report["total_mass_kg"] = mass;
  report["visuals"] = visuals;
  report["collisions"] = collisions;
  report["meshes"] = meshes.size();
  report["triangles"] = triangles;
  report["excluded_link_pairs"] = robot.excludedLinks.size();
  return report;
}

nlohmann::json sceneReport(const Scene& scene, const Model& model) {
  json report = {{"kind", "scene"},
                 {"name", model.name},
                 {"title", model.title},
                 {"file", model.file},
                 {"bodies", model.tree.bodies.size() - 1},
                 {"degrees_of_freedom", model.tree.nv},
                 {"particles", model.nodeCount()},
                 {"geometries", model.geometries.size()},
                 {"loops", model.loops.size()},
                 {"controllers", model.controllers.size()},
                 {"robots", json::array()}};
  for (const RobotSpec& robot : scene.robots) {
    if (robot.description.file.empty()) continue;
    json entry = robotReport(robot.description);
    entry["placed_as"] = robot.name;
    report["robots"].push_back(std::move(entry));
  }
  return report;
}

nlohmann::json noticesReport(const std::vector<Notice>& notices) {
  json list = json::array();
  for (const Notice& notice : notices) {
    list.push_back({{"level", notice.level == Notice::Level::Warning ? "warning" : "note"},
                    {"where", notice.where},
                    {"what", notice.what}});
    for (const auto& [path, value] : notice.overrides) list.back()["overrides"][path] = value;
  }
  return list;
}

std::string robotText(const nlohmann::json& report) {
  const int linkWidth = columnWidth(report["links"], "name"),
            jointWidth = columnWidth(report["joints"], "name");
  std::string text =
      formatted("%s: robot '%s', %zu links, %zu joints (%d movable), %s kg\n",
                report["file"].get<std::string>().c_str(), report["name"].get<std::string>().c_str(),
                report["links"].size(), report["joints"].size(), report["movable_joints"].get<int>(),
                significant(report["total_mass_kg"].get<double>()).c_str());
  text += "links\n";
  for (const json& link : report["links"])
    text += formatted(
        "  %-*s  %10s kg  %d visual%s, %d collision%s\n", linkWidth, link["name"].get<std::string>().c_str(),
        significant(link["mass_kg"].get<double>()).c_str(), link["visuals"].get<int>(),
        link["visuals"] == 1 ? "" : "s", link["collisions"].get<int>(), link["collisions"] == 1 ? "" : "s");
  if (!report["joints"].empty()) text += "joints\n";
  for (const json& joint : report["joints"]) text += jointLine(joint, jointWidth);
  std::string types;
  for (const auto& [type, count] : report["joint_types"].items())
    types += (types.empty() ? "" : ", ") + count.dump() + " " + type;
  if (!types.empty()) text += "joints by type: " + types + "\n";
  text += formatted("geometry: %d visuals, %d collisions, %d meshes with %d triangles\n",
                    report["visuals"].get<int>(), report["collisions"].get<int>(),
                    report["meshes"].get<int>(), report["triangles"].get<int>());
  if (report["excluded_link_pairs"] != 0)
    text += formatted("%d pairs of links do not meet, as the file says\n",
                      report["excluded_link_pairs"].get<int>());
  return text;
}

std::string noticesText(const nlohmann::json& notices) {
  std::string text;
  for (const json& notice : notices)
    text += "  " + notice["level"].get<std::string>() + ": " + notice["where"].get<std::string>() + ": " +
            notice["what"].get<std::string>() + "\n";
  if (text.empty()) return "  nothing was dropped, repaired or guessed\n";
  std::string overrides;
  for (const json& notice : notices)
    if (notice.contains("overrides"))
      for (const auto& [path, value] : notice["overrides"].items())
        overrides += "  " + path + ": " + value.get<std::string>() + "\n";
  if (!overrides.empty())
    text +=
        "a scene makes what was assumed its own by these keys (the window writes them for you)\n" + overrides;
  return text;
}

}  // namespace slipstick::app
