#include "assets/urdf_document.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "assets/one_line.h"
#include "engine/model/nearest_name.h"

namespace slipstick::assets {
namespace {

struct NumericAttribute {
  const char* element;
  const char* attribute;
  int count;
};
/// No robot has more; bounds the time and the depth of everything that walks the tree.
constexpr std::size_t kMostLinks = 10000;

constexpr NumericAttribute kNumeric[] = {
    {"origin", "xyz", 3},       {"origin", "rpy", 3},        {"mass", "value", 1},
    {"inertia", "ixx", 1},      {"inertia", "ixy", 1},       {"inertia", "ixz", 1},
    {"inertia", "iyy", 1},      {"inertia", "iyz", 1},       {"inertia", "izz", 1},
    {"box", "size", 3},         {"sphere", "radius", 1},     {"cylinder", "radius", 1},
    {"cylinder", "length", 1},  {"capsule", "radius", 1},    {"capsule", "length", 1},
    {"mesh", "scale", 3},       {"axis", "xyz", 3},          {"limit", "lower", 1},
    {"limit", "upper", 1},      {"limit", "effort", 1},      {"limit", "velocity", 1},
    {"dynamics", "damping", 1}, {"dynamics", "friction", 1}, {"mimic", "multiplier", 1},
    {"mimic", "offset", 1},     {"color", "rgba", 4}};

const std::set<std::string> kJointTypes = {"revolute", "continuous", "prismatic", "fixed",
                                           "floating", "planar",     "ball"};

const char* attributeOr(const tinyxml2::XMLElement& element, const char* name, const char* fallback) {
  const char* value = element.Attribute(name);
  return value ? value : fallback;
}

std::string exact(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// Whitespace-separated numbers; nothing if any part is not a number.
std::optional<std::vector<double>> numbersIn(const std::string& text) {
  std::vector<double> values;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    char* end = nullptr;
    values.push_back(std::strtod(word.c_str(), &end));
    if (end != word.c_str() + word.size()) return std::nullopt;
  }
  return values;
}

}  // namespace

std::string UrdfDocument::where(int line, const std::string& element) const {
  std::string text = file_.string();
  if (line > 0) text += ":" + std::to_string(line);
  if (!element.empty()) text += ", " + element;
  return text;
}

int UrdfDocument::lineOf(const std::vector<Place>& places, const std::string& name) const {
  for (const Place& place : places)
    if (place.name == name) return place.line;
  return 0;
}

Error UrdfDocument::error(ErrorCode code, int line, const std::string& element, const std::string& what,
                          const std::string& remedy) const {
  return {code, oneLine(what), oneLine(where(line, element)), oneLine(remedy)};
}

Result<void> UrdfDocument::checkNumber(Element& element, const char* attribute, int count,
                                       const std::string& owner) {
  const char* text = element.Attribute(attribute);
  if (!text) return {};
  const std::string what = "'" + std::string(attribute) + "' of <" + element.Name() + ">";
  const std::optional<std::vector<double>> values = numbersIn(text);
  if (!values || static_cast<int>(values->size()) != count)
    return error(
        ErrorCode::InvalidValue, element.GetLineNum(), owner,
        what + " is '" + std::string(text).substr(0, 60) + "'",
        count == 1 ? "write one number" : "write " + std::to_string(count) + " numbers separated by spaces");
  std::string clean;
  for (const double value : *values) {
    if (!std::isfinite(value))
      return error(ErrorCode::InvalidValue, element.GetLineNum(), owner, what + " is not a finite number",
                   "write a finite number");
    clean += (clean.empty() ? "" : " ") + exact(value);
  }
  element.SetAttribute(attribute, clean.c_str());
  return {};
}

Result<void> UrdfDocument::checkNumbers(Element& element, const std::string& owner) {
  for (const NumericAttribute& numeric : kNumeric)
    if (std::string(element.Name()) == numeric.element)
      if (Result<void> ok = checkNumber(element, numeric.attribute, numeric.count, owner); !ok) return ok;
  for (Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
    if (Result<void> ok = checkNumbers(*child, owner); !ok) return ok;
  return {};
}

void UrdfDocument::dropUnknown(Element& parent, const std::set<std::string>& known) {
  for (Element* child = parent.FirstChildElement(); child;) {
    Element* next = child->NextSiblingElement();
    if (!known.contains(child->Name())) {
      Dropped& entry = dropped_[child->Name()];
      if (entry.count++ == 0) entry.firstLine = child->GetLineNum();
      parent.DeleteChild(child);
    }
    child = next;
  }
}

void UrdfDocument::noteDropped() {
  for (const auto& [tag, entry] : dropped_)
    notices.push_back(
        {Notice::Level::Info, where(entry.firstLine),
         "<" + tag + "> is not used" +
             (entry.count > 1 ? " (" + std::to_string(entry.count) + " places, this is the first)" : "")});
}

Result<void> UrdfDocument::readMaterials(Element& robot) {
  const auto remember = [&](Element& material) -> Result<void> {
    const std::string owner = "material '" + std::string(attributeOr(material, "name", "")) + "'";
    if (Result<void> ok = checkNumbers(material, owner); !ok) return ok;
    const Element* color = material.FirstChildElement("color");
    if (color && color->Attribute("rgba"))
      colors_.try_emplace(attributeOr(material, "name", ""), color->Attribute("rgba"));
    return {};
  };
  for (Element* m = robot.FirstChildElement("material"); m; m = m->NextSiblingElement("material"))
    if (Result<void> ok = remember(*m); !ok) return ok;
  // Many files define a material at its first use and refer to it from other links, also from earlier ones.
  for (Element* link = robot.FirstChildElement("link"); link; link = link->NextSiblingElement("link"))
    for (Element* v = link->FirstChildElement("visual"); v; v = v->NextSiblingElement("visual"))
      if (Element* m = v->FirstChildElement("material"); m && m->Attribute("name"))
        if (Result<void> ok = remember(*m); !ok) return ok;
  while (Element* m = robot.FirstChildElement("material")) robot.DeleteChild(m);
  return {};
}

/// Gives every coloured visual its own inline material: references, shared and nameless materials all become
/// the same case.
Result<void> UrdfDocument::settleMaterial(Element& visual, const std::string& owner, bool& colored) {
  Element* material = visual.FirstChildElement("material");
  colored = false;
  if (!material) return {};
  const std::string name = attributeOr(*material, "name", "");
  const Element* color = material->FirstChildElement("color");
  std::string rgba = color && color->Attribute("rgba") ? color->Attribute("rgba") : "";
  if (rgba.empty() && colors_.contains(name)) rgba = colors_.at(name);
  if (rgba.empty())
    notices.push_back({Notice::Level::Warning, where(material->GetLineNum(), owner),
                       material->FirstChildElement("texture")
                           ? "textures of URDF materials are not shown"
                           : "the material '" + name + "' is defined nowhere"});
  const int line = material->GetLineNum();
  visual.DeleteChild(material);
  if (rgba.empty()) return {};
  colored = true;
  Element* inlined = visual.InsertNewChildElement("material");
  inlined->SetAttribute("name", ("line" + std::to_string(line) + owner).c_str());
  inlined->InsertNewChildElement("color")->SetAttribute("rgba", rgba.c_str());
  return {};
}

Result<void> UrdfDocument::readShapes(Element& link, const std::string& name, const char* tag) {
  const bool isVisual = std::string(tag) == "visual";
  std::vector<char>& capsules = (isVisual ? capsuleVisuals : capsuleCollisions)[name];
  const std::string owner = "link '" + name + "'";
  for (Element* shape = link.FirstChildElement(tag); shape;) {
    Element* next = shape->NextSiblingElement(tag);
    dropUnknown(*shape, {"origin", "geometry", "material"});
    Element* geometry = shape->FirstChildElement("geometry");
    Element* kind = geometry ? geometry->FirstChildElement() : nullptr;
    const std::string kindName = kind ? kind->Name() : "";
    static const std::set<std::string> kKinds = {"box", "sphere", "cylinder", "capsule", "mesh"};
    if (!kKinds.contains(kindName)) {
      notices.push_back({Notice::Level::Warning, where(shape->GetLineNum(), owner),
                         kind ? "a <" + std::string(tag) + "> of the shape <" + kindName + "> was dropped"
                              : "a <" + std::string(tag) + "> without a shape was dropped"});
      link.DeleteChild(shape);
      shape = next;
      continue;
    }
    for (const char* attribute : {"radius", "length", "size"}) {
      const char* text = kind->Attribute(attribute);
      const std::vector<double> sizes =
          text ? numbersIn(text).value_or(std::vector<double>{0}) : std::vector<double>{};
      if (std::any_of(sizes.begin(), sizes.end(), [](double size) { return !(size > 0); }))
        return error(ErrorCode::InvalidValue, kind->GetLineNum(), owner,
                     "'" + std::string(attribute) + "' of <" + kindName + "> is not positive",
                     "write metres above 0");
    }
    const bool sized = (kindName == "box" && kind->Attribute("size")) ||
                       (kindName == "mesh" && kind->Attribute("filename")) ||
                       (kindName == "sphere" && kind->Attribute("radius")) ||
                       (kind->Attribute("radius") && kind->Attribute("length"));
    if (!sized)
      return error(ErrorCode::InvalidValue, kind->GetLineNum(), owner, "<" + kindName + "> has no size",
                   "add its attributes");
    capsules.push_back(kindName == "capsule" ? 1 : 0);
    if (kindName == "capsule") kind->SetName("cylinder");
    bool colored = false;
    if (Result<void> ok = settleMaterial(*shape, owner, colored); !ok) return ok;
    if (isVisual) coloredVisuals[name].push_back(colored ? 1 : 0);
    shape = next;
  }
  return {};
}

Result<void> UrdfDocument::readLink(Element& link) {
  const std::string name = attributeOr(link, "name", "");
  const std::string owner = "link '" + name + "'";
  if (name.empty())
    return error(ErrorCode::SyntaxError, link.GetLineNum(), "link", "the link has no name", "add name=\"…\"");
  if (std::any_of(name.begin(), name.end(), isControl))
    return error(ErrorCode::InvalidValue, link.GetLineNum(), owner, "a name may not contain line breaks",
                 "write the name on one line");
  if (const int line = lineOf(links, name); line > 0)
    return error(ErrorCode::InvalidValue, link.GetLineNum(), owner,
                 "this name is already taken by the link of line " + std::to_string(line),
                 "rename one of them");
  links.push_back({name, link.GetLineNum()});
  if (links.size() > kMostLinks)
    return error(ErrorCode::InvalidValue, link.GetLineNum(), owner, "the robot has more than 10,000 links",
                 "split the robot");
  dropUnknown(link, {"inertial", "visual", "collision"});
  if (Result<void> ok = checkNumbers(link, owner); !ok) return ok;
  if (Element* inertial = link.FirstChildElement("inertial")) {
    const Element* mass = inertial->FirstChildElement("mass");
    Element* inertia = inertial->FirstChildElement("inertia");
    if (!mass || !mass->Attribute("value"))
      return error(ErrorCode::InvalidValue, inertial->GetLineNum(), owner, "<inertial> has no mass",
                   "add <mass value=\"…\"/> in kg");
    if (mass->DoubleAttribute("value") < 0)
      return error(ErrorCode::InvalidValue, mass->GetLineNum(), owner, "the mass is negative",
                   "write a mass in kg of at least 0");
    if (!inertia) inertia = inertial->InsertNewChildElement("inertia");
    for (const char* entry : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"})
      if (!inertia->Attribute(entry)) inertia->SetAttribute(entry, "0");
  }
  if (Result<void> ok = readShapes(link, name, "visual"); !ok) return ok;
  return readShapes(link, name, "collision");
}

Result<void> UrdfDocument::checkLimits(Element& joint, const std::string& name, const std::string& type) {
  const std::string owner = "joint '" + name + "'";
  Element* limit = joint.FirstChildElement("limit");
  const bool bounded = type == "revolute" || type == "prismatic";
  if (bounded && !limit)
    return error(ErrorCode::InvalidValue, joint.GetLineNum(), owner, "a " + type + " joint needs limits",
                 "add <limit lower=… upper=… effort=… velocity=…/>, or use the type 'continuous'");
  if (!limit) return {};
  if (bounded && limit->DoubleAttribute("lower", 0) > limit->DoubleAttribute("upper", 0))
    return error(ErrorCode::InvalidValue, limit->GetLineNum(), owner,
                 "the lower limit is above the upper one", "exchange the limits");
  for (const char* attribute : {"effort", "velocity"}) {
    const double value = limit->DoubleAttribute(attribute, 0);
    if (value < 0)
      return error(ErrorCode::InvalidValue, limit->GetLineNum(), owner,
                   "the " + std::string(attribute) + " limit is negative", "write a number of at least 0");
    if (value > 0) continue;
    notices.push_back({Notice::Level::Info, where(limit->GetLineNum(), owner),
                       "the " + std::string(attribute) + " limit is missing or 0: taken as no limit"});
    limit->SetAttribute(attribute, exact(kNoLimit).c_str());
  }
  return {};
}

Result<void> UrdfDocument::readJoint(Element& joint) {
  const std::string name = attributeOr(joint, "name", ""), type = attributeOr(joint, "type", "");
  const std::string owner = "joint '" + name + "'";
  if (name.empty())
    return error(ErrorCode::SyntaxError, joint.GetLineNum(), "joint", "the joint has no name",
                 "add name=\"…\"");
  if (std::any_of(name.begin(), name.end(), isControl))
    return error(ErrorCode::InvalidValue, joint.GetLineNum(), owner, "a name may not contain line breaks",
                 "write the name on one line");
  if (const int line = lineOf(joints, name); line > 0)
    return error(ErrorCode::InvalidValue, joint.GetLineNum(), owner,
                 "this name is already taken by the joint of line " + std::to_string(line),
                 "rename one of them");
  joints.push_back({name, joint.GetLineNum()});
  if (joints.size() > kMostLinks)
    return error(ErrorCode::InvalidValue, joint.GetLineNum(), owner, "the robot has more than 10,000 joints",
                 "split the robot");
  if (!kJointTypes.contains(type))
    return error(ErrorCode::UnknownName, joint.GetLineNum(), owner,
                 "the joint type '" + type + "' is not known",
                 suggestName(type, {kJointTypes.begin(), kJointTypes.end()}));
  dropUnknown(joint, {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"});
  if (Result<void> ok = checkNumbers(joint, owner); !ok) return ok;
  if (type == "ball") {
    ballJoints.insert(name);
    joint.SetAttribute("type", "floating");
  }
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
      if (dynamics->DoubleAttribute(attribute, 0) < 0)
        return error(ErrorCode::InvalidValue, dynamics->GetLineNum(), owner,
                     "the " + std::string(attribute) + " is negative", "write a number of at least 0");
  return checkLimits(joint, name, type);
}

Result<void> UrdfDocument::readTransmission(Element& transmission) {
  const Element* joint = transmission.FirstChildElement("joint");
  const Element* actuator = transmission.FirstChildElement("actuator");
  if (!joint || !actuator) return {};
  const Element* rotor = actuator->FirstChildElement("drake:rotor_inertia");
  const Element* gear = actuator->FirstChildElement("drake:gear_ratio");
  const double inertia = rotor ? rotor->DoubleAttribute("value", 0) : 0,
               ratio = gear ? gear->DoubleAttribute("value", 1) : 1;
  if (!(std::isfinite(inertia) && std::isfinite(ratio) && inertia >= 0))
    return error(ErrorCode::InvalidValue, actuator->GetLineNum(), "transmission",
                 "the rotor inertia or gear ratio is not a number", "write finite numbers");
  armature[attributeOr(*joint, "name", "")] = inertia * ratio * ratio;
  return {};
}

Result<void> UrdfDocument::checkTree(Element& robot) {
  std::map<std::string, std::string> parentOf;
  std::vector<std::string> names;
  for (const Place& link : links) names.push_back(link.name);
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
      if (lineOf(links, ends[i]) == 0)
        return error(ErrorCode::UnknownName, end->GetLineNum(), owner, "there is no link '" + ends[i] + "'",
                     suggestName(ends[i], names));
    }
    if (!parentOf.emplace(ends[1], ends[0]).second)
      return error(ErrorCode::InvalidValue, j->GetLineNum(), owner,
                   "the link '" + ends[1] + "' already hangs from another joint",
                   "remove one of the joints; close loops with welds in the scene");
  }
  for (const Place& link : links) {
    std::string chain = link.name;
    std::size_t steps = 0;
    for (std::string at = link.name; parentOf.contains(at);) {
      at = parentOf.at(at);
      if (steps < 8) chain += " → " + at;
      if (at == link.name)
        return error(ErrorCode::InvalidValue, link.line, "link '" + link.name + "'",
                     "the links form a cycle: " + chain,
                     "remove one of the joints; close loops with welds in the scene");
      if (++steps > links.size()) break;  // it leads into a cycle that another link will report
    }
  }
  std::vector<const Place*> roots;
  for (const Place& link : links)
    if (!parentOf.contains(link.name)) roots.push_back(&link);
  if (roots.size() > 1)
    return error(ErrorCode::InvalidValue, roots[1]->line, "link '" + roots[1]->name + "'",
                 "the robot has " + std::to_string(roots.size()) + " roots ('" + roots[0]->name + "', '" +
                     roots[1]->name + "'…)",
                 "join them by fixed joints");
  return {};
}

Result<void> UrdfDocument::read(const std::filesystem::path& file, const std::string& text) {
  file_ = file;
  if (text.find("<!ENTITY") != std::string::npos)
    return Error{ErrorCode::Unsupported, "the file defines XML entities, which robot files do not need",
                 file.string(), "remove the <!ENTITY …> lines"};
  if (xml_.Parse(text.c_str(), text.size()) != tinyxml2::XML_SUCCESS) {
    // "Error=XML_ERROR_MISMATCHED_ELEMENT ErrorID=14 (0xe) Line number=3: …": the name says it best.
    std::string reason = xml_.ErrorName();
    if (reason.starts_with("XML_ERROR_")) reason = reason.substr(10);
    std::transform(reason.begin(), reason.end(), reason.begin(),
                   [](char c) { return c == '_' ? ' ' : static_cast<char>(std::tolower(c)); });
    return error(ErrorCode::SyntaxError, xml_.ErrorLineNum(), "",
                 "this is not well-formed XML (" + reason + ")", "close or correct the tag there");
  }
  Element* robot = xml_.FirstChildElement("robot");
  if (!robot)
    return error(ErrorCode::SyntaxError, 1, "", "there is no <robot> element",
                 "name a URDF file; xacro files must be expanded first");
  if (!robot->Attribute("name")) robot->SetAttribute("name", file.stem().string().c_str());
  if (Result<void> ok = readMaterials(*robot); !ok) return ok;
  for (Element* t = robot->FirstChildElement("transmission"); t; t = t->NextSiblingElement("transmission"))
    if (Result<void> ok = readTransmission(*t); !ok) return ok;
  dropUnknown(*robot, {"link", "joint", "transmission"});
  while (Element* t = robot->FirstChildElement("transmission")) robot->DeleteChild(t);
  for (Element* link = robot->FirstChildElement("link"); link; link = link->NextSiblingElement("link"))
    if (Result<void> ok = readLink(*link); !ok) return ok;
  if (links.empty())
    return error(ErrorCode::InvalidValue, robot->GetLineNum(), "", "the robot has no link",
                 "add at least one <link>");
  for (Element* joint = robot->FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint"))
    if (Result<void> ok = readJoint(*joint); !ok) return ok;
  if (Result<void> ok = checkTree(*robot); !ok) return ok;
  noteDropped();
  return {};
}

std::string UrdfDocument::rewritten() const {
  tinyxml2::XMLPrinter printer(nullptr, true);
  xml_.Print(&printer);
  return printer.CStr();
}

}  // namespace slipstick::assets
