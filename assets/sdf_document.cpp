#include "assets/sdf_document.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "assets/file_log.h"
#include "assets/limits.h"
#include "assets/one_line.h"
#include "assets/robot_checks.h"
#include "assets/shipped.h"
#include "assets/xml_repairs.h"
#include "assets/xml_text.h"
#include "engine/foundation/nearest_name.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/path_key.h"

namespace slipstick::assets {
namespace {

constexpr int kOldestVersion = 104;  // older ones write poses differently
/// The newest that libsdformat 12 knows. What later ones added is handed on, or named as not used.
constexpr int kNewestVersion = 109;

/// What the reader uses below each element.
const std::map<std::string, std::set<std::string>> kUsed = {
    {"sdf", {"model"}},
    {"model",
     {"link", "joint", "drake:joint", "frame", "pose", "model", "include", "static",
      "drake:collision_filter_group"}},
    {"include", {"uri", "name", "pose", "placement_frame", "static"}},
    {"frame", {"pose"}},
    {"link", {"inertial", "visual", "collision", "pose"}},
    {"inertial", {"mass", "inertia", "pose", "density"}},
    {"inertia", {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}},
    {"visual", {"geometry", "pose", "material"}},
    {"material", {"diffuse", "ambient", "specular", "emissive", "pbr"}},
    {"pbr", {"metal"}},
    {"metal", {"roughness", "metalness", "albedo_map", "roughness_map", "metalness_map"}},
    {"collision", {"geometry", "pose", "surface", "density", "drake:proximity_properties"}},
    {"surface", {"friction"}},
    {"friction", {"ode"}},
    {"ode", {"mu", "mu2"}},
    {"mesh", {"uri", "scale", "submesh"}},
    {"submesh", {"name", "center"}},
    {"box", {"size"}},
    {"sphere", {"radius"}},
    {"cylinder", {"radius", "length"}},
    {"capsule", {"radius", "length"}},
    {"drake:capsule", {"radius", "length"}},
    {"ellipsoid", {"radii"}},
    {"drake:ellipsoid", {"a", "b", "c"}},
    {"plane", {"normal", "size"}},
    {"joint", {"parent", "child", "pose", "axis", "drake:rotor_inertia", "drake:gear_ratio", "drake:mimic"}},
    {"axis", {"xyz", "limit", "dynamics", "mimic", "use_parent_model_frame"}},
    {"limit", {"lower", "upper", "effort", "velocity"}},
    {"dynamics", {"damping", "friction", "spring_stiffness", "spring_reference"}},
    {"mimic", {"multiplier", "offset", "reference"}}};

/// Attributes that are read; of other elements none are.
const std::map<std::string, std::set<std::string>> kAttributes = {
    {"sdf", {"version"}},
    {"model", {"name", "canonical_link", "placement_frame"}},
    {"include", {"merge"}},
    {"frame", {"name", "attached_to"}},
    {"link", {"name"}},
    {"joint", {"name", "type"}},
    {"drake:joint", {"name", "type"}},
    {"visual", {"name"}},
    {"collision", {"name"}},
    {"pose", {"relative_to", "rotation_format", "degrees", "frame"}},
    {"inertial", {"auto"}},
    {"xyz", {"expressed_in"}},
    {"mimic", {"joint", "axis"}},
    {"drake:mimic", {"joint", "multiplier", "offset"}},
    {"drake:collision_filter_group", {"name"}}};

/// Unused elements that, with this value, would change nothing.
const std::set<std::pair<std::string, std::string>> kNeutral = {
    {"gravity", "1"},       {"gravity", "true"},   {"kinematic", "0"},
    {"kinematic", "false"}, {"enable_wind", "0"},  {"enable_wind", "false"},
    {"laser_retro", "0"},   {"self_collide", "0"}, {"self_collide", "false"}};

struct NumberRule {
  std::size_t count = 1;
  enum class Range { Any, NonNegative, Positive, MaybeInfinite } range = Range::Any;
};
using Range = NumberRule::Range;
const std::map<std::string, NumberRule> kNumbers = {{"mass", {1, Range::NonNegative}},
                                                    {"density", {1, Range::Positive}},
                                                    {"spring_stiffness", {1, Range::NonNegative}},
                                                    {"spring_reference", {}},
                                                    {"ixx", {}},
                                                    {"ixy", {}},
                                                    {"ixz", {}},
                                                    {"iyy", {}},
                                                    {"iyz", {}},
                                                    {"izz", {}},
                                                    {"radius", {1, Range::Positive}},
                                                    {"length", {1, Range::Positive}},
                                                    {"radii", {3, Range::Positive}},
                                                    {"a", {1, Range::Positive}},
                                                    {"b", {1, Range::Positive}},
                                                    {"c", {1, Range::Positive}},
                                                    {"normal", {3, Range::Any}},
                                                    {"scale", {3, Range::Any}},
                                                    {"xyz", {3, Range::Any}},
                                                    {"lower", {1, Range::MaybeInfinite}},
                                                    {"upper", {1, Range::MaybeInfinite}},
                                                    {"effort", {1, Range::MaybeInfinite}},
                                                    {"velocity", {1, Range::MaybeInfinite}},
                                                    {"damping", {1, Range::NonNegative}},
                                                    {"mu", {1, Range::NonNegative}},
                                                    {"mu2", {1, Range::NonNegative}},
                                                    {"roughness", {1, Range::NonNegative}},
                                                    {"metalness", {1, Range::NonNegative}},
                                                    {"multiplier", {}},
                                                    {"offset", {}},
                                                    {"reference", {}},
                                                    {"drake:rotor_inertia", {1, Range::NonNegative}},
                                                    {"drake:gear_ratio", {}}};

const std::set<std::string> kJointTypes = {"revolute", "continuous", "prismatic", "fixed", "ball"};
const std::set<std::string> kOtherJointTypes = {"universal", "revolute2", "screw", "gearbox"};
const std::set<std::string> kNamed = {"model", "link", "joint", "drake:joint", "frame"};

std::string nameOf(const tinyxml2::XMLElement& element) {
  return attributeOr(element, "name", "");
}

/// The rule for the text of an element; depends on what it stands in.
std::optional<NumberRule> ruleOf(const tinyxml2::XMLElement& element) {
  const std::string tag = element.Name();
  const tinyxml2::XMLElement* parent = element.Parent() ? element.Parent()->ToElement() : nullptr;
  const std::string parentTag = parent ? parent->Name() : "";
  if (tag == "pose")
    return NumberRule{std::string(attributeOr(element, "rotation_format", "")) == "quat_xyzw" ? 7u : 6u,
                      Range::Any};
  if (tag == "size") return NumberRule{parentTag == "plane" ? 2u : 3u, Range::Positive};
  if (tag == "friction")
    return parentTag == "dynamics" ? std::optional<NumberRule>({1, Range::NonNegative}) : std::nullopt;
  const auto found = kNumbers.find(tag);
  return found == kNumbers.end() ? std::nullopt : std::optional<NumberRule>(found->second);
}

bool fits(double value, Range range) {
  if (range == Range::MaybeInfinite) return !std::isnan(value);
  if (!std::isfinite(value)) return false;
  return range == Range::Any || value > 0 || (range == Range::NonNegative && value == 0);
}

/// What libsdformat takes for an element, measured of version 12 [bytes].
std::size_t memoryFor(const std::string& tag) {
  static const std::map<std::string, std::size_t> kBytes = {
      {"model", 1'500'000}, {"link", 900'000},      {"joint", 600'000}, {"drake:joint", 600'000},
      {"visual", 200'000},  {"collision", 200'000}, {"frame", 15'000}};
  const auto known = kBytes.find(tag);
  constexpr std::size_t kOther = 2'000;
  return known == kBytes.end() ? kOther : known->second;
}

}  // namespace

std::string SdfDocument::where(const std::string& kind, const std::string& name) const {
  const std::size_t scope = name.rfind("::");
  const std::string plain = scope == std::string::npos ? name : name.substr(scope + 2);
  const auto found = places_.find(kind + " " + plain);
  return found == places_.end() ? mainFile_.string() : found->second;
}

std::string SdfDocument::whereMentioned(const std::string& message) const {
  for (std::size_t open = message.find('['); open != std::string::npos; open = message.find('[', open + 1)) {
    const std::size_t close = message.find(']', open);
    if (close == std::string::npos) break;
    const std::string name = message.substr(open + 1, close - open - 1);
    for (const char* kind : {"link", "joint", "frame", "model"})
      if (places_.contains(kind + (" " + name))) return where(kind, name);
  }
  return mainFile_.string();
}

/// "link 'name'" of the link, joint or model that an element belongs to.
std::string SdfDocument::ownerOf(const Element& element) const {
  for (const Element* at = &element; at; at = at->Parent() ? at->Parent()->ToElement() : nullptr)
    if (kNamed.contains(at->Name()))
      return std::string(at->Name()) + " '" + nameOf(*at).substr(0, limits::kNameBytes) + "'";
  return "";
}

Error SdfDocument::error(ErrorCode code, const Element& element, const std::string& what,
                         const std::string& remedy) const {
  return {code, oneLine(what), oneLine(placeInFile(file_, element.GetLineNum(), ownerOf(element))),
          oneLine(remedy)};
}

void SdfDocument::warn(const Element& element, const std::string& what) {
  notices.push_back({Notice::Level::Warning,
                     oneLine(placeInFile(file_, element.GetLineNum(), ownerOf(element))), oneLine(what)});
}

void SdfDocument::countUnused(const Element& element, Notice::Level level, const std::string& what) {
  Unused& entry = unused_[what];
  if (entry.count++ > 0) return;
  entry.level = level;
  entry.where = oneLine(placeInFile(file_, element.GetLineNum(), ownerOf(element)));
}

void SdfDocument::countUnused(const Element& element) {
  const std::string tag = element.Name();
  if (kNeutral.contains({tag, textOf(element)})) return;
  const bool acts = tag == "gravity" || tag == "drake:linear_bushing_rpy";
  countUnused(element, acts ? Notice::Level::Warning : Notice::Level::Info, "<" + tag + ">");
}

void SdfDocument::countUnknownAttributes(const Element& element) {
  const auto known = kAttributes.find(element.Name());
  for (const auto* a = element.FirstAttribute(); a; a = a->Next()) {
    const bool isKnown = known != kAttributes.end() && known->second.contains(a->Name());
    if (!isKnown && !std::string_view(a->Name()).starts_with("xmlns"))
      countUnused(element, Notice::Level::Info,
                  "'" + std::string(a->Name()) + "' of <" + element.Name() + ">");
  }
}

void SdfDocument::noteUnused() {
  for (const auto& [what, entry] : unused_)
    notices.push_back({entry.level, entry.where, notUsed(what, entry.count)});
}

Result<void> SdfDocument::checkNumbers(Element& element) {
  const std::optional<NumberRule> rule = ruleOf(element);
  const std::string text = textOf(element);
  if (!rule || text.empty()) return {};
  const auto mended = mendedNumbers(text, [&](std::size_t count) { return count == rule->count; });
  const std::optional<std::vector<double>> values = mended ? std::optional(mended->values) : std::nullopt;
  const std::string what = "<" + std::string(element.Name()) + "> is '" + text.substr(0, 60) + "'";
  if (mended && !mended->repair.empty()) {
    element.SetText(textOf(*values).c_str());
    warn(element, what + ": " + mended->repair);
  }
  if (!values || values->size() != rule->count)
    return error(ErrorCode::InvalidValue, element, what,
                 rule->count == 1 ? "write one number"
                                  : "write " + std::to_string(rule->count) + " numbers separated by spaces");
  for (const double value : *values)
    if (!fits(value, rule->range))
      return error(ErrorCode::InvalidValue, element, what,
                   rule->range == Range::Positive      ? "write a number greater than 0"
                   : rule->range == Range::NonNegative ? "write a number of at least 0"
                                                       : "write a finite number");
  return {};
}

Result<void> SdfDocument::checkName(const Element& element) {
  const std::string tag = element.Name(), kind = tag == "drake:joint" ? "joint" : tag, name = nameOf(element);
  if (name.empty())
    return error(ErrorCode::SyntaxError, element, "the " + kind + " has no name", "add name=\"…\"");
  if (const std::optional<Error> fault = faultOfName(name))
    return error(fault->code, element, fault->what, fault->remedy);
  const auto [other, isNew] = scopes_.back().try_emplace(name, element.GetLineNum());
  if (!isNew)
    return error(ErrorCode::InvalidValue, element,
                 "this name is already taken in line " + std::to_string(other->second), "rename one of them");
  places_.try_emplace(kind + " " + name,
                      oneLine(placeInFile(file_, element.GetLineNum(), kind + " '" + name + "'")));
  links_ += tag == "link" ? 1 : 0;
  joints_ += kind == "joint" ? 1 : 0;
  if (links_ > limits::kRobotLinks || joints_ > limits::kRobotLinks)
    return error(ErrorCode::InvalidValue, element, "the robot has more than 10,000 links or joints",
                 "split the robot");
  return {};
}

Result<void> SdfDocument::checkJoint(const Element& joint) const {
  const std::string type = attributeOr(joint, "type", "");
  if (kOtherJointTypes.contains(type))
    return error(ErrorCode::Unsupported, joint, "joints of the type '" + type + "' are not simulated",
                 "write it as two revolute joints with a light link between them, or as a 'ball' joint");
  if (!kJointTypes.contains(type))
    return error(ErrorCode::UnknownName, joint, "the joint type '" + type + "' is not known",
                 suggestName(type, {kJointTypes.begin(), kJointTypes.end()}));
  for (const char* end : {"parent", "child"})
    if (const Element* e = joint.FirstChildElement(end); !e || textOf(*e).empty())
      return error(ErrorCode::SyntaxError, joint, "it names no " + std::string(end) + " link",
                   "add <" + std::string(end) + ">…</" + end + ">");
  if (type != "fixed" && type != "ball" && !joint.FirstChildElement("axis"))
    return error(ErrorCode::InvalidValue, joint, "it has no axis", "add <axis><xyz>0 0 1</xyz></axis>");
  return {};
}

/// What a scene says over the file of a joint without limits; of joints of the outermost model, whose names it has.
std::vector<std::pair<std::string, std::string>> SdfDocument::noLimitsFor(const Element& limit) const {
  const Element* joint = &limit;
  while (joint && !kNamed.contains(joint->Name())) joint = joint->Parent()->ToElement();
  const tinyxml2::XMLNode* model = joint ? joint->Parent() : nullptr;
  if (file_ != mainFile_ || !model || model->Parent() != limit.GetDocument()->RootElement()) return {};
  const std::string path = "limits." + pathKey(nameOf(*joint)) + ".";
  return {{path + "lower", "-.inf"}, {path + "upper", ".inf"}};
}

/// Limits the wrong way round are none, as in URDF.
void SdfDocument::settleLimits(Element& limit) {
  Element *lower = limit.FirstChildElement("lower"), *upper = limit.FirstChildElement("upper");
  const auto value = [](const Element* e, double fallback) {
    const auto one = [](std::size_t count) { return count == 1; };
    const auto numbers = e ? mendedNumbers(textOf(*e), one) : std::nullopt;
    return numbers && one(numbers->values.size()) ? numbers->values.front() : fallback;
  };
  if (!(value(lower, -INFINITY) > value(upper, INFINITY))) return;
  notices.push_back({Notice::Level::Warning, oneLine(placeInFile(file_, limit.GetLineNum(), ownerOf(limit))),
                     std::string(kLimitsExchanged) + ": it moves without limits", noLimitsFor(limit)});
  for (Element* end : {lower, upper})
    if (end) limit.DeleteChild(end);
}

/// Whether a shape has a size of 0: nothing is there to be seen or touched.
bool SdfDocument::hasNoExtent(const Element& shape) {
  for (const char* tag : {"size", "radius", "length", "radii", "a", "b", "c", "scale"}) {
    const Element* size = shape.FirstChildElement(tag);
    const auto mended = size ? mendedNumbers(textOf(*size), [](std::size_t) { return true; }) : std::nullopt;
    if (mended && std::find(mended->values.begin(), mended->values.end(), 0.0) != mended->values.end())
      return true;
  }
  return false;
}

/// Takes out what has a shape without extent. @return whether it was one
bool SdfDocument::dropIfNoExtent(Element& parent, Element& child) {
  const std::string tag = child.Name();
  const Element* geometry =
      tag == "visual" || tag == "collision" ? child.FirstChildElement("geometry") : nullptr;
  const Element* shape = geometry ? geometry->FirstChildElement() : nullptr;
  if (!shape || !hasNoExtent(*shape)) return false;
  warn(*shape, noExtent(tag, shape->Name()));
  parent.DeleteChild(&child);
  return true;
}

Result<void> SdfDocument::checkElement(Element& element) {
  const std::string tag = element.Name();
  memory_ += memoryFor(tag);
  if (memory_ > limits::kSdfMemory)
    return error(ErrorCode::Unsupported, element,
                 "its library would take more than " + std::to_string(limits::kSdfMemory / limits::kMiB) +
                     " MiB to read so many models, links and joints",
                 "split the file");
  countUnknownAttributes(element);
  if (kNamed.contains(tag))
    if (Result<void> ok = checkName(element); !ok) return ok;
  if (Result<void> ok = checkNumbers(element); !ok) return ok;
  if (tag == "model") renameWorldLink(element);
  if (tag == "link") renameClashes(element, {"visual", "collision"});
  if (tag == "joint")
    if (Result<void> ok = checkJoint(element); !ok) return ok;
  if (tag == "limit") settleLimits(element);
  if (tag == "include") return include(element);
  if (file_ != mainFile_) bringAlong(element);
  Result<void> ok = checkChildren(element);
  if (ok) upgrade(element);
  return ok;
}

/// What is not used goes: libsdformat would refuse a file for faults in it.
Result<void> SdfDocument::checkChildren(Element& element) {
  const auto used = kUsed.find(element.Name());
  const bool anything = std::string_view(element.Name()) == "geometry";
  if (used == kUsed.end() && !anything) return {};
  scopes_.emplace_back();
  Result<void> ok = checkUsedChildren(element, anything ? nullptr : &used->second);
  scopes_.pop_back();
  return ok;
}

/// What was said before counts. @param used  null: all of them, as one
void SdfDocument::noteRepeated(Element& element, const std::set<std::string>* used) {
  static const std::set<std::string> kOften = {
      "model", "link",      "joint",   "drake:joint",
      "frame", "collision", "include", "drake:collision_filter_group",
      "visual"};
  std::set<std::string> once = used ? *used : std::set<std::string>{"*"};
  for (const std::string& tag : kOften) once.erase(tag);
  for (const Repeated& repeated : dropRepeated(element, once))
    notices.push_back({Notice::Level::Warning, oneLine(placeInFile(file_, repeated.line, ownerOf(element))),
                       repeated.what});
}

/// @param used  null: all of them
Result<void> SdfDocument::checkUsedChildren(Element& element, const std::set<std::string>* used) {
  noteRepeated(element, used);
  for (Element* child = element.FirstChildElement(); child;) {
    Element* next = child->NextSiblingElement();
    if (dropIfNoExtent(element, *child)) {
      child = next;
      continue;
    }
    if (!used || used->contains(child->Name())) {
      if (Result<void> ok = checkElement(*child); !ok) return ok;
    } else {
      countUnused(*child);
      element.DeleteChild(child);
    }
    child = next;
  }
  return {};
}

Result<void> SdfDocument::checkRoot(Element& root) {
  const std::string tag = root.Name();
  if (tag != "sdf")
    return error(ErrorCode::SyntaxError, root, "there is no <sdf> element",
                 tag == "robot"
                     ? "this is a URDF file: give it the extension .urdf, and in a scene the key 'urdf'"
                     : "name an SDF file");
  if (!root.Attribute("version")) {
    warn(root, "<sdf> has no version: read as 1.7");
    root.SetAttribute("version", "1.7");
  }
  const auto version = versionIn(root.Attribute("version"));
  if (!version || *version < kOldestVersion)
    return error(ErrorCode::Unsupported, root,
                 "the SDF version '" + std::string(root.Attribute("version")) + "' is not read",
                 "write version=\"1.7\", or convert an old file with 'gz sdf -p'");
  const Element* model = root.FirstChildElement("model");
  if (const Element* world = root.FirstChildElement("world"); world && file_ != mainFile_)
    return error(ErrorCode::Unsupported, *world, "a world cannot be included",
                 "include its models one by one");
  if (!model)
    return error(ErrorCode::InvalidValue, root, "the file has no <model>", "add a <model> with its links");
  if (const Element* second = model->NextSiblingElement("model"))
    return error(ErrorCode::Unsupported, *second, "an included file has a second model",
                 "put each <model> into a file of its own");
  return {};
}

Result<void> SdfDocument::readFile(tinyxml2::XMLDocument& xml, const std::string& text) {
  if (Result<void> ok = parseXml(file_, text, xml); !ok) return ok;
  Element* root = xml.RootElement();
  if (!root) return Error{ErrorCode::SyntaxError, "the file is empty", file_.string(), "name an SDF file"};
  if (file_ == mainFile_) gatherWorld(*root);
  if (Result<void> ok = checkRoot(*root); !ok) return ok;
  version_ = *versionIn(root->Attribute("version"));
  newestVersion_ = std::max({newestVersion_, version_, kFramesVersion});
  if (Result<void> ok = checkElement(*root); !ok) return ok;
  const Element& model = *root->FirstChildElement("model");
  if (file_ == mainFile_ && hasWorld_ && !model.FirstChildElement("model") &&
      !model.FirstChildElement("link"))
    return error(ErrorCode::InvalidValue, model, "none of the world's models is there",
                 "put them beside the world, or name their folder with --package-path");
  return {};
}

Result<void> SdfDocument::read(const std::filesystem::path& file, const std::string& text,
                               const std::vector<std::filesystem::path>& packagePaths) {
  mainFile_ = file_ = file;
  std::error_code failed;
  including_ = {std::filesystem::weakly_canonical(file, failed)};
  packagePaths_ = packagePaths;
  if (Result<void> ok = readFile(xml_, text); !ok) return ok;
  const std::string version = "1." + std::to_string(std::min(newestVersion_, kNewestVersion) % 100);
  xml_.RootElement()->SetAttribute("version", version.c_str());
  noteUnused();
  return {};
}

std::string SdfDocument::rewritten() const {
  tinyxml2::XMLPrinter printer(nullptr, true);
  xml_.Print(&printer);
  return printer.CStr();
}

}  // namespace slipstick::assets
