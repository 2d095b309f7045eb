// The part of UrdfDocument that reads joints: types, axes, limits, who follows whom, and the trees that they make.
#include <algorithm>
#include <cmath>
#include <optional>

#include "assets/one_line.h"
#include "assets/urdf_document.h"
#include "assets/xml_repairs.h"
#include "assets/xml_text.h"
#include "engine/foundation/nearest_name.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/path_key.h"

namespace slipstick::assets {
namespace {

const std::set<std::string> kJointTypes = {"revolute", "continuous", "prismatic", "fixed",
                                           "floating", "planar",     "ball"};

}  // namespace

/// Limits that are none, in the joint's <limit>.
void UrdfDocument::addLimits(Element& joint, const std::string& owner, const std::string& why) {
  Element* limit = joint.FirstChildElement("limit");
  const std::string name = attributeOr(joint, "name", ""), path = "limits." + pathKey(name) + ".";
  notices.push_back({Notice::Level::Warning,
                     oneLine(where(limit ? limit->GetLineNum() : joint.GetLineNum(), owner)),
                     why + ": it moves without limits",
                     {{path + "lower", "-.inf"}, {path + "upper", ".inf"}}});
  if (!limit) {
    limit = joint.InsertNewChildElement("limit");
    limit->SetAttribute("effort", shortest(kNoLimit).c_str());
    limit->SetAttribute("velocity", shortest(kNoLimit).c_str());
  }
  limit->SetAttribute("lower", shortest(-kNoLimit).c_str());
  limit->SetAttribute("upper", shortest(kNoLimit).c_str());
}

Result<void> UrdfDocument::checkLimits(Element& joint, const std::string& name, const std::string& type) {
  const std::string owner = "joint '" + name + "'";
  Element* limit = joint.FirstChildElement("limit");
  const bool bounded = type == "revolute" || type == "prismatic";
  if (bounded && !limit) {
    addLimits(joint, owner, "a " + type + " joint without <limit>");
    return {};
  }
  if (!limit) return {};
  if (limit->Attribute("drake:acceleration") || limit->Attribute("acceleration"))
    if (Dropped& entry = dropped_["drake:acceleration"]; entry.count++ == 0)
      entry.firstLine = limit->GetLineNum();
  if (bounded && !limit->Attribute("lower") && !limit->Attribute("upper"))
    addLimits(joint, owner, "its <limit> has neither 'lower' nor 'upper'");
  // Bullet's files say it so.
  if (bounded && numberOr(*limit, "lower", 0) > numberOr(*limit, "upper", 0))
    addLimits(joint, owner, kLimitsExchanged);
  for (const char* attribute : {"effort", "velocity"}) {
    const double value = numberOr(*limit, attribute, 0);
    if (value < 0)
      return error(ErrorCode::InvalidValue, limit->GetLineNum(), owner,
                   "the " + std::string(attribute) + " limit is negative", "write a number of at least 0");
    if (value > 0) continue;
    notices.push_back({Notice::Level::Info, where(limit->GetLineNum(), owner),
                       "the " + std::string(attribute) + " limit is missing or 0: taken as no limit"});
    limit->SetAttribute(attribute, shortest(kNoLimit).c_str());
  }
  return {};
}

Result<void> UrdfDocument::readJoint(Element& joint) {
  if (std::string(attributeOr(joint, "type", "")) == "spherical")
    joint.SetAttribute("type", "ball");  // Bullet's word
  if (Result<void> ok = takeName(joint, "joint", joints); !ok) return ok;
  const std::string name = joints.back().name, type = attributeOr(joint, "type", "");
  const std::string owner = "joint '" + name + "'";
  if (type == "universal" || type == "screw" || type == "revolute2")
    return error(ErrorCode::Unsupported, joint.GetLineNum(), owner,
                 "joints of the type '" + type + "' are not simulated",
                 "write it as two revolute joints with a light link between them, or as a 'ball' joint");
  if (!kJointTypes.contains(type))
    return error(ErrorCode::UnknownName, joint.GetLineNum(), owner,
                 "the joint type '" + type + "' is not known",
                 suggestName(type, {kJointTypes.begin(), kJointTypes.end()}));
  dropUnknown(joint, {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"});
  noteUnknownAttributes(joint);
  noteRepeated(joint, owner);
  if (type == "planar") settlePlanarDamping(joint, owner);
  if (Result<void> ok = checkNumbers(joint, owner); !ok) return ok;
  if (type == "ball") {
    ballJoints.insert(name);
    joint.SetAttribute("type", "floating");
  }
  if (Result<void> ok = checkDynamics(joint, owner, type); !ok) return ok;
  return checkLimits(joint, name, type);
}

/// The axis, the damping and the dry friction.
Result<void> UrdfDocument::checkDynamics(const Element& joint, const std::string& owner,
                                         const std::string& type) {
  const Element* axis = joint.FirstChildElement("axis");
  const std::optional<std::vector<double>> direction =
      axis ? numbersIn(attributeOr(*axis, "xyz", "1 0 0")) : std::nullopt;
  if (direction &&
      std::all_of(direction->begin(), direction->end(), [](double x) { return std::abs(x) < 1e-9; }) &&
      type != "fixed" && type != "floating" && type != "ball")
    return error(ErrorCode::InvalidValue, axis->GetLineNum(), owner, "the axis is zero",
                 "write a direction such as 0 0 1");
  if (const Element* dynamics = joint.FirstChildElement("dynamics"))
    for (const char* attribute : {"damping", "friction"})
      if (numberOr(*dynamics, attribute, 0) < 0)
        return error(ErrorCode::InvalidValue, dynamics->GetLineNum(), owner,
                     "the " + std::string(attribute) + " is negative", "write a number of at least 0");
  return {};
}

/// <drake:joint> is <joint> with types that URDF does not have. A planar one moves in the xy plane of its
/// frame.
Result<void> UrdfDocument::adoptDrakeJoints(Element& robot) {
  for (Element* joint = robot.FirstChildElement("drake:joint"); joint;) {
    Element* next = joint->NextSiblingElement("drake:joint");
    joint->SetName("joint");
    if (std::string(attributeOr(*joint, "type", "")) == "planar") {
      if (Element* axis = joint->FirstChildElement("axis")) joint->DeleteChild(axis);
      joint->InsertNewChildElement("axis")->SetAttribute("xyz", "0 0 1");
    }
    joint = next;
  }
  return {};
}

/// A planar joint may have three dampings (x, y, angle); here one number damps all three.
void UrdfDocument::settlePlanarDamping(Element& joint, const std::string& owner) {
  Element* dynamics = joint.FirstChildElement("dynamics");
  const char* text = dynamics ? dynamics->Attribute("damping") : nullptr;
  const std::optional<std::vector<double>> values = text ? numbersIn(text) : std::nullopt;
  if (!values || values->size() != 3) return;
  if ((*values)[1] != (*values)[0] || (*values)[2] != (*values)[0])
    notices.push_back({Notice::Level::Warning, oneLine(where(dynamics->GetLineNum(), owner)),
                       "its three dampings differ: the first is used for all"});
  dynamics->SetAttribute("damping", shortest((*values)[0]).c_str());
}

/// Drops those that cannot act: on or of a joint without one degree of freedom, of one that does not exist, in a circle.
void UrdfDocument::settleMimics(Element& robot) {
  std::map<std::string, Element*> byName;
  for (Element* joint = robot.FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint"))
    byName.emplace(attributeOr(*joint, "name", ""), joint);
  const auto hasOneFreedom = [](const Element& joint) {
    const std::string type = attributeOr(joint, "type", "");
    return type == "revolute" || type == "continuous" || type == "prismatic";
  };
  const auto leaderOf = [&](const Element& joint) {
    const Element* mimic = joint.FirstChildElement("mimic");
    const auto found = byName.find(mimic ? attributeOr(*mimic, "joint", "") : "");
    return found == byName.end() ? nullptr : found->second;
  };
  const auto leadsBack = [&](const Element& joint) {
    std::size_t steps = 0;
    for (const Element* at = leaderOf(joint); at && steps <= byName.size(); at = leaderOf(*at), ++steps)
      if (at == &joint) return true;
    return false;
  };
  for (auto& [name, joint] : byName) {
    Element* mimic = joint->FirstChildElement("mimic");
    if (!mimic) continue;
    const std::string leader = attributeOr(*mimic, "joint", "");
    const Element* follows = leaderOf(*joint);
    std::string why;
    if (!hasOneFreedom(*joint))
      why = "a " + std::string(attributeOr(*joint, "type", "")) + " joint cannot follow another";
    else if (!follows)
      why = "there is no joint '" + leader + "' to follow";
    else if (!hasOneFreedom(*follows))
      why = "the joint '" + leader + "' has no single position to follow";
    else if (leadsBack(*joint))
      why = "the joints follow each other in a circle";
    if (why.empty()) continue;
    notices.push_back({Notice::Level::Warning, oneLine(where(mimic->GetLineNum(), "joint '" + name + "'")),
                       oneLine("<mimic> is left out: " + why)});
    joint->DeleteChild(mimic);
  }
}

/// urdfdom takes one root: a link of our own carries the others, which RobotReader does not see.
void UrdfDocument::joinTrees(Element& robot, const std::vector<TreeJoint>& treeJoints) const {
  std::set<std::string> children;
  for (const TreeJoint& joint : treeJoints) children.insert(joint.child);
  std::vector<std::string> roots;
  for (const Place& link : links)
    if (!children.contains(link.name)) roots.push_back(link.name);
  if (roots.size() < 2) return;
  std::string carrier = "carrier of trees";
  while (lineOf(links, carrier) > 0 || lineOf(joints, carrier + "0") > 0) carrier += "'";
  robot.InsertNewChildElement("link")->SetAttribute("name", carrier.c_str());
  for (std::size_t i = 0; i < roots.size(); ++i) {
    Element* joint = robot.InsertNewChildElement("joint");
    joint->SetAttribute("name", (carrier + std::to_string(i)).c_str());
    joint->SetAttribute("type", "fixed");
    joint->InsertNewChildElement("parent")->SetAttribute("link", carrier.c_str());
    joint->InsertNewChildElement("child")->SetAttribute("link", roots[i].c_str());
  }
}

Result<void> UrdfDocument::checkTree(Element& robot) {
  std::vector<std::string> names;
  std::set<std::string> known;
  std::vector<TreeLink> treeLinks;
  for (const Place& link : links) {
    names.push_back(link.name);
    known.insert(link.name);
    treeLinks.push_back({link.name, oneLine(where(link.line, "link '" + link.name + "'"))});
  }
  std::vector<TreeJoint> treeJoints;
  for (Element* j = robot.FirstChildElement("joint"); j; j = j->NextSiblingElement("joint")) {
    const std::string owner = "joint '" + std::string(attributeOr(*j, "name", "")) + "'";
    std::string ends[2];
    for (int i = 0; i < 2; ++i) {
      const char* tag = i == 0 ? "parent" : "child";
      const Element* end = j->FirstChildElement(tag);
      ends[i] = end ? attributeOr(*end, "link", "") : "";
      if (ends[i].empty())
        return error(ErrorCode::SyntaxError, j->GetLineNum(), owner,
                     "it names no " + std::string(tag) + " link",
                     "add <" + std::string(tag) + " link=\"…\"/>");
      if (!known.contains(ends[i]))
        return error(ErrorCode::UnknownName, end->GetLineNum(), owner, "there is no link '" + ends[i] + "'",
                     suggestName(ends[i], names));
    }
    treeJoints.push_back({ends[0], ends[1], oneLine(where(j->GetLineNum(), owner))});
  }
  if (Result<void> ok = assets::checkTree(treeLinks, treeJoints); !ok) return ok;
  joinTrees(robot, treeJoints);
  return {};
}

}  // namespace slipstick::assets
