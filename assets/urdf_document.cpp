#include "assets/urdf_document.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "assets/limits.h"
#include "assets/one_line.h"
#include "assets/xml_repairs.h"
#include "assets/xml_text.h"
#include "engine/foundation/nearest_name.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/path_key.h"

namespace slipstick::assets {
namespace {

struct NumericAttribute {
  const char* element;
  const char* attribute;
  int count;
};
constexpr NumericAttribute kNumeric[] = {
    {"origin", "xyz", 3},       {"origin", "rpy", 3},        {"mass", "value", 1},
    {"inertia", "ixx", 1},      {"inertia", "ixy", 1},       {"inertia", "ixz", 1},
    {"inertia", "iyy", 1},      {"inertia", "iyz", 1},       {"inertia", "izz", 1},
    {"box", "size", 3},         {"sphere", "radius", 1},     {"cylinder", "radius", 1},
    {"cylinder", "length", 1},  {"capsule", "radius", 1},    {"capsule", "length", 1},
    {"mesh", "scale", 3},       {"axis", "xyz", 3},          {"limit", "lower", 1},
    {"limit", "upper", 1},      {"limit", "effort", 1},      {"limit", "velocity", 1},
    {"dynamics", "damping", 1}, {"dynamics", "friction", 1}, {"mimic", "multiplier", 1},
    {"mimic", "offset", 1},     {"ellipsoid", "a", 1},       {"ellipsoid", "b", 1},
    {"ellipsoid", "c", 1}};

constexpr int kQuaternionVersion = 102, kNewestVersion = 102;

/// Elements outside the tree that act on the motion: their loss is worth a warning.
const std::set<std::string> kForceElements = {"drake:linear_bushing_rpy",
                                              "drake:ball_constraint",
                                              "drake:tendon_constraint",
                                              "drake:distance_constraint",
                                              "loop_joint",
                                              "spring"};

const char* withoutPrefix(const char* name) {
  constexpr std::string_view kDrake = "drake:";
  return std::string_view(name).starts_with(kDrake) ? name + kDrake.size() : name;
}

}  // namespace

std::string UrdfDocument::where(int line, const std::string& element) const {
  return placeInFile(file_, line, element);
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
  const auto wanted = static_cast<std::size_t>(count);
  std::optional<MendedNumbers> mended = mendedNumbers(text, [&](std::size_t n) {
    return n == wanted || (std::string_view(attribute) == "scale" && (n == 1 || n == 4));
  });
  std::optional<std::vector<double>> values = mended ? std::optional(mended->values) : std::nullopt;
  const auto guess = [&](const std::string& taken) {
    notices.push_back({Notice::Level::Warning, oneLine(where(element.GetLineNum(), owner)),
                       oneLine(what + " is '" + std::string(text).substr(0, 60) + "': " + taken)});
  };
  if (mended && !mended->repair.empty()) guess(mended->repair);
  if (values && std::string_view(attribute) == "scale" && !values->empty() && values->size() != 3) {
    guess(values->size() < 3 ? "its first number scales all directions" : "its first three numbers are used");
    *values = values->size() < 3 ? std::vector<double>(3, values->front())
                                 : std::vector<double>(values->begin(), values->begin() + 3);
  }
  if (!values || static_cast<int>(values->size()) != count)
    return error(
        ErrorCode::InvalidValue, element.GetLineNum(), owner,
        what + " is '" + std::string(text).substr(0, 60) + "'",
        count == 1 ? "write one number" : "write " + std::to_string(count) + " numbers separated by spaces");
  if (!std::all_of(values->begin(), values->end(), [](double x) { return std::isfinite(x); }))
    return error(ErrorCode::InvalidValue, element.GetLineNum(), owner, what + " is not a finite number",
                 "write a finite number");
  element.SetAttribute(attribute, textOf(*values).c_str());
  return {};
}

/// urdfdom 3 knows 1.0 alone: what later versions brought is turned into its words.
void UrdfDocument::readVersion(Element& robot) {
  const char* text = robot.Attribute("version");
  if (!text) return;
  const auto version = versionIn(text);
  if (!version || *version > kNewestVersion)
    notices.push_back({Notice::Level::Info, where(robot.GetLineNum()),
                       oneLine("the version '" + std::string(text).substr(0, 20) +
                               "' is not known: read as the newest that is, 1.2")});
  version_ = version.value_or(kNewestVersion);
  robot.DeleteAttribute("version");
}

/// A quaternion becomes roll, pitch and yaw.
Result<void> UrdfDocument::settleOrientation(Element& origin, const std::string& owner) {
  constexpr const char* kQuaternion = "quat_xyzw";
  if (!origin.Attribute(kQuaternion)) return {};
  const int line = origin.GetLineNum();
  if (version_ < kQuaternionVersion) {
    notices.push_back({Notice::Level::Warning, oneLine(where(line, owner)),
                       "'quat_xyzw' of <origin> is not used: it needs <robot version=\"1.2\">"});
    origin.DeleteAttribute(kQuaternion);
    return {};
  }
  if (origin.Attribute("rpy"))
    return error(ErrorCode::InvalidValue, line, owner, "its orientation is written in two ways",
                 "keep one of 'rpy' and 'quat_xyzw'");
  if (Result<void> ok = checkNumber(origin, kQuaternion, 4, owner); !ok) return ok;
  const std::vector<double> q = *numbersIn(origin.Attribute(kQuaternion));
  const Quat turn(q[3], q[0], q[1], q[2]);
  if (!(turn.norm() > 1e-9))
    return error(ErrorCode::InvalidValue, line, owner, "'quat_xyzw' of <origin> is zero",
                 "write a direction, or remove it");
  const Mat3 R = turn.normalized().toRotationMatrix();
  const double pitch = std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0)));
  const bool isUpright = std::hypot(R(0, 0), R(1, 0)) < 1e-9;  // roll and yaw turn about one axis
  const double roll = isUpright ? 0 : std::atan2(R(2, 1), R(2, 2));
  const double yaw = isUpright ? std::atan2(-R(0, 1), R(1, 1)) : std::atan2(R(1, 0), R(0, 0));
  origin.SetAttribute("rpy", textOf({roll, pitch, yaw}).c_str());
  origin.DeleteAttribute(kQuaternion);
  return {};
}

Result<void> UrdfDocument::checkNumbers(Element& element, const std::string& owner) {
  for (const NumericAttribute& numeric : kNumeric)
    if (std::string(element.Name()) == numeric.element)
      if (Result<void> ok = checkNumber(element, numeric.attribute, numeric.count, owner); !ok) return ok;
  if (std::string_view(element.Name()) == "origin")
    if (Result<void> ok = settleOrientation(element, owner); !ok) return ok;
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
  const auto note = [&](Notice::Level level, const std::string& what, const Dropped& entry) {
    notices.push_back({level, where(entry.firstLine), notUsed(what, entry.count)});
  };
  for (const auto& [tag, entry] : dropped_)
    note(kForceElements.contains(tag) ? Notice::Level::Warning : Notice::Level::Info, "<" + tag + ">", entry);
  for (const auto& [attribute, entry] : droppedAttributes_) note(Notice::Level::Info, attribute, entry);
}

/// Attributes that nobody reads are said, once each.
void UrdfDocument::noteUnknownAttributes(const Element& element) {
  static const std::map<std::string, std::set<std::string>> kAttributes = {
      {"robot", {"name", "version"}},
      {"link", {"name"}},
      {"joint", {"name", "type"}},
      {"origin", {"xyz", "rpy", "quat_xyzw"}},
      {"mass", {"value"}},
      {"inertia", {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}},
      {"box", {"size"}},
      {"sphere", {"radius"}},
      {"cylinder", {"radius", "length"}},
      {"capsule", {"radius", "length"}},
      {"ellipsoid", {"a", "b", "c"}},
      {"mesh", {"filename", "scale"}},
      {"axis", {"xyz"}},
      {"limit", {"lower", "upper", "effort", "velocity", "acceleration", "drake:acceleration"}},
      {"dynamics", {"damping", "friction"}},
      {"mimic", {"joint", "multiplier", "offset"}},
      {"parent", {"link"}},
      {"child", {"link"}}};
  if (const auto known = kAttributes.find(element.Name()); known != kAttributes.end())
    for (const auto* a = element.FirstAttribute(); a; a = a->Next())
      if (!known->second.contains(a->Name()) && !std::string_view(a->Name()).starts_with("xmlns"))
        if (Dropped& entry =
                droppedAttributes_["'" + std::string(a->Name()) + "' of <" + element.Name() + ">"];
            entry.count++ == 0)
          entry.firstLine = element.GetLineNum();
  for (const Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
    noteUnknownAttributes(*child);
}

/// What was said before counts, as it does for urdfdom; of links and joints, and all in them.
void UrdfDocument::noteRepeated(Element& element, const std::string& owner) {
  static const std::map<std::string, std::set<std::string>> kOnce = {
      {"link", {"inertial"}},
      {"inertial", {"origin", "mass", "inertia"}},
      {"visual", {"origin", "geometry", "material"}},
      {"collision", {"origin", "geometry"}},
      {"geometry", {"*"}},
      {"material", {"color", "texture"}},
      {"joint", {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"}}};
  if (const auto once = kOnce.find(element.Name()); once != kOnce.end())
    for (const Repeated& repeated : dropRepeated(element, once->second))
      notices.push_back({Notice::Level::Warning, oneLine(where(repeated.line, owner)), repeated.what});
  for (Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
    noteRepeated(*child, owner);
}

Result<void> UrdfDocument::readMaterials(Element& robot) {
  const auto remember = [&](Element& material) -> Result<void> {
    const std::string owner = "material '" + std::string(attributeOr(material, "name", "")) + "'";
    if (Result<void> ok = checkNumbers(material, owner); !ok) return ok;
    Element* color = material.FirstChildElement("color");
    if (color) settleColor(*color, owner);
    if (color && color->Attribute("rgba"))
      colors_.try_emplace(attributeOr(material, "name", ""), color->Attribute("rgba"));
    const Element* image = material.FirstChildElement("texture");
    if (image && image->Attribute("filename"))
      images_.try_emplace(attributeOr(material, "name", ""), image->Attribute("filename"));
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

/// A colour that is none is left out: it changes nothing but the picture.
void UrdfDocument::settleColor(Element& color, const std::string& owner) {
  const char* text = color.Attribute("rgba");
  if (!text) return;
  const auto mended = mendedNumbers(text, [](std::size_t n) { return n == 3 || n == 4; });
  std::vector<double> rgba = mended ? mended->values : std::vector<double>{};
  const bool finite = std::all_of(rgba.begin(), rgba.end(), [](double x) { return std::isfinite(x); });
  if (finite && rgba.size() == 3) rgba.push_back(1);  // no alpha
  if (!finite || rgba.size() != 4) {
    notices.push_back({Notice::Level::Warning, oneLine(where(color.GetLineNum(), owner)),
                       oneLine("rgba=\"" + std::string(text).substr(0, 60) +
                               "\" is not a colour of four numbers from 0 to 1: it is left out")});
    color.DeleteAttribute("rgba");
    return;
  }
  std::string clean;
  for (const double x : rgba) clean += (clean.empty() ? "" : " ") + shortest(std::clamp(x, 0.0, 1.0));
  color.SetAttribute("rgba", clean.c_str());
}

/// Gives every coloured visual its own inline material: references, shared and nameless materials all become
/// the same case.
Result<void> UrdfDocument::settleMaterial(Element& visual, const std::string& owner, GivenMaterial& given) {
  Element* material = visual.FirstChildElement("material");
  if (!material) return {};
  const std::string name = attributeOr(*material, "name", "");
  Element* color = material->FirstChildElement("color");
  if (color) settleColor(*color, owner);
  std::string rgba = color && color->Attribute("rgba") ? color->Attribute("rgba") : "";
  if (rgba.empty() && colors_.contains(name)) rgba = colors_.at(name);
  const Element* image = material->FirstChildElement("texture");
  given.image = image ? attributeOr(*image, "filename", "") : "";
  if (given.image.empty() && images_.contains(name)) given.image = images_.at(name);
  if (rgba.empty() && given.image.empty())
    notices.push_back({Notice::Level::Warning, where(material->GetLineNum(), owner),
                       "the material '" + name + "' is defined nowhere"});
  const int line = material->GetLineNum();
  visual.DeleteChild(material);
  if (rgba.empty()) return {};
  given.colored = true;
  Element* inlined = visual.InsertNewChildElement("material");
  inlined->SetAttribute("name", ("line" + std::to_string(line) + owner).c_str());
  inlined->InsertNewChildElement("color")->SetAttribute("rgba", rgba.c_str());
  return {};
}

/// A shape of which a size is 0: nothing is there to be seen or touched.
bool UrdfDocument::hasNoExtent(const Element& kind) {
  for (const char* attribute : {"size", "radius", "length", "a", "b", "c", "scale"}) {
    const char* text = kind.Attribute(attribute);
    const std::vector<double> sizes =
        text ? numbersIn(text).value_or(std::vector<double>{}) : std::vector<double>{};
    if (std::find(sizes.begin(), sizes.end(), 0.0) != sizes.end()) return true;
  }
  return false;
}

/// The attributes of a shape, all positive and all there.
Result<void> UrdfDocument::checkSizes(const Element& kind, const std::string& owner) const {
  static const std::map<std::string, std::vector<const char*>> kSizes = {{"box", {"size"}},
                                                                         {"sphere", {"radius"}},
                                                                         {"cylinder", {"radius", "length"}},
                                                                         {"mesh", {"filename"}},
                                                                         {"capsule", {"radius", "length"}},
                                                                         {"ellipsoid", {"a", "b", "c"}}};
  for (const char* attribute : kSizes.at(kind.Name())) {
    const char* text = kind.Attribute(attribute);
    if (!text)
      return error(ErrorCode::InvalidValue, kind.GetLineNum(), owner,
                   "<" + std::string(kind.Name()) + "> has no '" + attribute + "'", "add the attribute");
    if (std::string_view(attribute) == "filename") continue;
    const std::vector<double> sizes = numbersIn(text).value_or(std::vector<double>{0});
    if (std::any_of(sizes.begin(), sizes.end(), [](double size) { return !(size > 0); }))
      return error(ErrorCode::InvalidValue, kind.GetLineNum(), owner,
                   "'" + std::string(attribute) + "' of <" + kind.Name() + "> is not positive",
                   "write metres above 0");
  }
  return {};
}

/// The drake: tags of a collision; urdfdom must not see them.
Result<void> UrdfDocument::readProximity(Element& collision, const std::string& name) {
  DrakeTags tags;
  int line = collision.GetLineNum();
  while (Element* block = collision.FirstChildElement("drake:proximity_properties")) {
    line = block->GetLineNum();
    for (const Element* tag = block->FirstChildElement(); tag; tag = tag->NextSiblingElement())
      tags.emplace_back(tag->Name(), attributeOr(*tag, "value", ""));
    collision.DeleteChild(block);
  }
  Result<ContactSpec> contact = contactOf(tags, oneLine(where(line, "link '" + name + "'")), notices);
  if (!contact) return contact.error();
  contacts[name].push_back(*contact);
  return {};
}

Result<void> UrdfDocument::readShapes(Element& link, const std::string& name, const char* tag) {
  static const std::set<std::string> kKinds = {"box", "sphere", "cylinder", "capsule", "ellipsoid", "mesh"};
  const bool isVisual = std::string(tag) == "visual";
  std::vector<RewrittenShape>& rewritten = (isVisual ? rewrittenVisuals : rewrittenCollisions)[name];
  const std::string owner = "link '" + name + "'";
  for (Element* shape = link.FirstChildElement(tag); shape;) {
    Element* next = shape->NextSiblingElement(tag);
    Element* geometry = shape->FirstChildElement("geometry");
    Element* kind = geometry ? geometry->FirstChildElement() : nullptr;
    const std::string kindName = kind ? kind->Name() : "";
    if (!kKinds.contains(kindName)) {
      notices.push_back({Notice::Level::Warning, where(shape->GetLineNum(), owner),
                         kind ? "a <" + std::string(tag) + "> of the shape <" + kindName + "> was dropped"
                              : "a <" + std::string(tag) + "> without a shape was dropped"});
      link.DeleteChild(shape);
      shape = next;
      continue;
    }
    if (!isVisual)
      if (Result<void> ok = readProximity(*shape, name); !ok) return ok;
    dropUnknown(*shape, {"origin", "geometry", "material"});
    if (hasNoExtent(*kind)) {
      notices.push_back(
          {Notice::Level::Warning, oneLine(where(kind->GetLineNum(), owner)), noExtent(tag, kindName)});
      if (!isVisual) contacts[name].pop_back();
      link.DeleteChild(shape);
      shape = next;
      continue;
    }
    if (Result<void> ok = checkSizes(*kind, owner); !ok) return ok;
    rewritten.push_back(kindName == "capsule"     ? RewrittenShape::CapsuleAsCylinder
                        : kindName == "ellipsoid" ? RewrittenShape::EllipsoidAsBox
                                                  : RewrittenShape::No);
    if (kindName == "capsule") kind->SetName("cylinder");
    if (kindName == "ellipsoid") {
      const std::string axes =
          std::string(kind->Attribute("a")) + " " + kind->Attribute("b") + " " + kind->Attribute("c");
      kind->SetName("box");
      kind->SetAttribute("size", axes.c_str());
    }
    GivenMaterial given;
    if (Result<void> ok = settleMaterial(*shape, owner, given); !ok) return ok;
    if (isVisual) {
      coloredVisuals[name].push_back(given.colored ? 1 : 0);
      visualImages[name].push_back(given.image);
    }
    shape = next;
  }
  return {};
}

Result<void> UrdfDocument::takeName(const Element& element, const std::string& kind,
                                    std::vector<Place>& taken) const {
  const std::string name = attributeOr(element, "name", "");
  const std::string owner = kind + " '" + name.substr(0, limits::kNameBytes) + "'";
  const int line = element.GetLineNum();
  if (name.empty())
    return error(ErrorCode::SyntaxError, line, kind, "the " + kind + " has no name", "add name=\"…\"");
  if (const std::optional<Error> fault = faultOfName(name))
    return error(fault->code, line, owner, fault->what, fault->remedy);
  if (const int other = lineOf(taken, name); other > 0)
    return error(ErrorCode::InvalidValue, line, owner,
                 "this name is already taken by the " + kind + " of line " + std::to_string(other),
                 "rename one of them");
  taken.push_back({name, line});
  if (taken.size() > limits::kRobotLinks)
    return error(ErrorCode::InvalidValue, line, owner, "the robot has more than 10,000 " + kind + "s",
                 "split the robot");
  return {};
}

Result<void> UrdfDocument::readLink(Element& link) {
  if (Result<void> ok = takeName(link, "link", links); !ok) return ok;
  const std::string name = links.back().name;
  const std::string owner = "link '" + name + "'";
  dropUnknown(link, {"inertial", "visual", "collision"});
  noteUnknownAttributes(link);
  noteRepeated(link, owner);
  for (Element* child = link.FirstChildElement(); child; child = child->NextSiblingElement())
    if (Element* geometry = child->FirstChildElement("geometry"))
      if (Element* kind = geometry->FirstChildElement())
        kind->SetName(std::string(withoutPrefix(kind->Name())).c_str());
  if (Result<void> ok = checkNumbers(link, owner); !ok) return ok;
  if (Result<void> ok = readInertial(link, owner); !ok) return ok;
  if (Result<void> ok = readShapes(link, name, "visual"); !ok) return ok;
  return readShapes(link, name, "collision");
}

/// One without a mass, or with a mass alone, is common; urdfdom takes neither.
Result<void> UrdfDocument::readInertial(Element& link, const std::string& owner) {
  Element* inertial = link.FirstChildElement("inertial");
  if (!inertial) return {};
  Element* mass = inertial->FirstChildElement("mass");
  if (!mass || !mass->Attribute("value")) {
    notices.push_back({Notice::Level::Warning, oneLine(where(inertial->GetLineNum(), owner)),
                       "its <inertial> has no mass: taken as no mass"});
    if (!mass) mass = inertial->InsertNewChildElement("mass");
    mass->SetAttribute("value", "0");
  }
  if (numberOr(*mass, "value", 0) < 0)
    return error(ErrorCode::InvalidValue, mass->GetLineNum(), owner, "the mass is negative",
                 "write a mass in kg of at least 0");
  Element* inertia = inertial->FirstChildElement("inertia");
  if (!inertia) inertia = inertial->InsertNewChildElement("inertia");
  for (const char* entry : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"})
    if (!inertia->Attribute(entry)) inertia->SetAttribute(entry, "0");
  return {};
}

void UrdfDocument::readFilterGroups(Element& robot) {
  constexpr const char* kGroup = "drake:collision_filter_group";
  while (Element* element = robot.FirstChildElement(kGroup)) {
    FilterGroup group;
    group.name = attributeOr(*element, "name", "");
    group.where = oneLine(where(element->GetLineNum(), "collision filter group '" + group.name + "'"));
    for (const Element* e = element->FirstChildElement(); e; e = e->NextSiblingElement()) {
      const std::string tag = e->Name();
      if (tag == "drake:member") group.links.emplace_back(attributeOr(*e, "link", ""));
      if (tag == "drake:member_group") group.groups.emplace_back(attributeOr(*e, "name", ""));
      if (tag == "drake:ignored_collision_filter_group")
        group.ignored.emplace_back(attributeOr(*e, "name", ""));
    }
    filterGroups.push_back(std::move(group));
    robot.DeleteChild(element);
  }
}

Result<void> UrdfDocument::readTransmission(Element& transmission) {
  const Element* joint = transmission.FirstChildElement("joint");
  const Element* actuator = transmission.FirstChildElement("actuator");
  if (!joint || !actuator) return {};
  const Element* rotor = actuator->FirstChildElement("drake:rotor_inertia");
  const Element* gear = actuator->FirstChildElement("drake:gear_ratio");
  const double inertia = rotor ? numberOr(*rotor, "value", 0) : 0,
               ratio = gear ? numberOr(*gear, "value", 1) : 1;
  if (!(std::isfinite(inertia) && std::isfinite(ratio) && inertia >= 0))
    return error(ErrorCode::InvalidValue, actuator->GetLineNum(), "transmission",
                 "the rotor inertia or gear ratio is not a number", "write finite numbers");
  armature[attributeOr(*joint, "name", "")] = inertia * ratio * ratio;
  return {};
}

Result<void> UrdfDocument::read(const std::filesystem::path& file, const std::string& text) {
  file_ = file;
  if (Result<void> ok = parseXml(file, text, xml_); !ok) return ok;
  Element* robot = xml_.FirstChildElement("robot");
  if (!robot)
    return error(ErrorCode::SyntaxError, 1, "", "there is no <robot> element",
                 xml_.FirstChildElement("sdf")
                     ? "this is an SDF file: give it the extension .sdf, and in a scene the key 'sdf'"
                     : "name a URDF file");
  readVersion(*robot);
  if (!robot->Attribute("name")) robot->SetAttribute("name", file.stem().string().c_str());
  if (Result<void> ok = readMaterials(*robot); !ok) return ok;
  for (Element* t = robot->FirstChildElement("transmission"); t; t = t->NextSiblingElement("transmission"))
    if (Result<void> ok = readTransmission(*t); !ok) return ok;
  readFilterGroups(*robot);
  if (Result<void> ok = adoptDrakeJoints(*robot); !ok) return ok;
  dropUnknown(*robot, {"link", "joint", "transmission"});
  while (Element* t = robot->FirstChildElement("transmission")) robot->DeleteChild(t);
  for (Element* link = robot->FirstChildElement("link"); link; link = link->NextSiblingElement("link"))
    if (Result<void> ok = readLink(*link); !ok) return ok;
  if (links.empty())
    return error(ErrorCode::InvalidValue, robot->GetLineNum(), "", "the robot has no link",
                 "add at least one <link>");
  for (Element* joint = robot->FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint"))
    if (Result<void> ok = readJoint(*joint); !ok) return ok;
  settleMimics(*robot);
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
