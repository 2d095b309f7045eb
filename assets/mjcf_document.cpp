#include "assets/mjcf_document.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "assets/file_log.h"
#include "assets/limits.h"
#include "assets/one_line.h"
#include "assets/shipped.h"
#include "assets/xml_text.h"
#include "engine/model/nearest_name.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr int kDeepestInclude = 10;
constexpr const char* kMainClass = "main";
constexpr const char* kOrientations[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};

using Element = tinyxml2::XMLElement;

std::vector<double> numbersOf(const Element& element, const char* attribute) {
  const char* text = element.Attribute(attribute);
  return text ? numbersIn(text).value_or(std::vector<double>{}) : std::vector<double>{};
}

/// Whether the value of an attribute that is not used is the one that changes nothing.
bool saysNothing(const std::string& value) {
  for (const char* word : {"", "false", "none", "auto", "enable"})
    if (value == word) return true;
  const std::optional<std::vector<double>> numbers = numbersIn(value);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [](double x) { return x == 0; });
}

/// One name for a file, however it is reached.
fs::path realPath(const fs::path& file) {
  std::error_code failed;
  fs::path path = fs::weakly_canonical(file, failed);
  return failed ? file : path;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// What elements are called in <default>: a class has one default for actuators of all kinds, which each may write
/// under the name of another.
std::string kindOf(const Element& element) {
  const std::string tag = element.Name();
  if (tag == "connect" || tag == "weld") return "equality";
  const auto* parent = element.Parent() ? element.Parent()->ToElement() : nullptr;
  const bool ofEquality = parent && std::string_view(parent->Name()) == "equality";
  if (ofEquality) return "equality";
  return mjcfRules("actuator", tag) ? "actuator" : tag;
}

}  // namespace

double MjcfCompiler::radians(double angle) const {
  return degrees ? angle * (std::numbers::pi / 180) : angle;
}

bool MjcfItem::has(const char* attribute) const {
  return std::any_of(chain_.begin(), chain_.end(),
                     [&](const Element* e) { return e->Attribute(attribute) != nullptr; });
}

std::string MjcfItem::text(const char* attribute, const std::string& fallback) const {
  for (const Element* e : nearestFirst())
    if (const char* value = e->Attribute(attribute)) return value;
  return fallback;
}

bool MjcfItem::flag(const char* attribute, bool fallback) const {
  const std::string value = text(attribute);
  return value.empty() ? fallback : value == "true" || value == "enable";
}

double MjcfItem::number(const char* attribute, double fallback) const {
  const std::vector<double> values = numbers(attribute);
  return values.empty() ? fallback : values.front();
}

std::vector<double> MjcfItem::numbers(const char* attribute, std::vector<double> fallback) const {
  for (const Element* e : chain_) {
    const std::vector<double> written = numbersOf(*e, attribute);
    if (written.size() > fallback.size()) fallback.resize(written.size());
    std::copy(written.begin(), written.end(), fallback.begin());
  }
  return fallback;
}

Vec3 MjcfItem::vec3(const char* attribute, const Vec3& fallback) const {
  const std::vector<double> x = numbers(attribute, {fallback.x(), fallback.y(), fallback.z()});
  return {x[0], x[1], x[2]};
}

std::string MjcfDocument::modelName() const {
  const std::string name = attributeOr(*root_, "model", "");
  return name.empty() ? file_.stem().string() : name;
}

std::vector<const Element*> MjcfDocument::children(const Element& parent) const {
  std::vector<const Element*> all;
  for (const Element* e = parent.FirstChildElement(); e; e = e->NextSiblingElement()) {
    const auto included = included_.find(e);
    if (included == included_.end()) {
      all.push_back(e);
    } else {
      const std::vector<const Element*> inner = children(*included->second);
      all.insert(all.end(), inner.begin(), inner.end());
    }
  }
  return all;
}

std::vector<const Element*> MjcfDocument::sections(const char* section) const {
  std::vector<const Element*> all = children(*root_);
  std::erase_if(all, [&](const Element* e) { return std::string_view(e->Name()) != section; });
  return all;
}

std::vector<const Element*> MjcfDocument::inSections(const char* section) const {
  std::vector<const Element*> all;
  for (const Element* e : sections(section)) {
    const std::vector<const Element*> inner = children(*e);
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

MjcfItem MjcfDocument::item(const Element& element, const std::string& childClass) const {
  const std::string own = attributeOr(element, "class", childClass.c_str());
  std::vector<const Class*> classes;
  for (auto at = classes_.find(own.empty() ? kMainClass : own); at != classes_.end();
       at = classes_.find(at->second.parent))
    classes.push_back(&at->second);
  std::vector<const Element*> chain;
  for (auto c = classes.rbegin(); c != classes.rend(); ++c) {
    const auto found = (*c)->defaults.find(kindOf(element));
    if (found != (*c)->defaults.end()) chain.insert(chain.end(), found->second.begin(), found->second.end());
  }
  chain.push_back(&element);
  return MjcfItem(std::move(chain));
}

std::string MjcfDocument::where(const Element& element) const {
  const auto file = files_.find(element.GetDocument());
  std::string owner = "<" + std::string(element.Name()) + ">";
  if (const char* name = element.Attribute("name")) {
    owner = std::string(element.Name()) + " '" + name + "'";
  } else {
    for (const tinyxml2::XMLNode* up = element.Parent(); up; up = up->Parent())
      if (const Element* body = up->ToElement(); body && body->Attribute("name")) {
        owner += " of " + std::string(body->Name()) + " '" + body->Attribute("name") + "'";
        break;
      }
  }
  return oneLine(placeInFile(file == files_.end() ? file_ : file->second, element.GetLineNum(), owner));
}

Error MjcfDocument::error(ErrorCode code, const Element& element, const std::string& what,
                          const std::string& remedy) const {
  return {code, oneLine(what), where(element), oneLine(remedy)};
}

Error MjcfDocument::placed(Error error, const Element& element) const {
  if (error.where.empty()) error.where = where(element);
  return error;
}

Error MjcfDocument::unknown(const Element& element, const std::string& kind, const std::string& name,
                            const std::vector<std::string>& known) const {
  return error(
      ErrorCode::UnknownName, element, "there is no " + kind + " '" + name + "'",
      known.empty() ? "the file has none: add it, or remove what names it" : suggestName(name, known));
}

void MjcfDocument::note(Notice::Level level, const Element& element, const std::string& what) {
  notices.push_back({level, where(element), oneLine(what)});
}

Result<const Element*> MjcfDocument::parse(const fs::path& file, const std::string& text) {
  bytes_ += text.size();
  if (bytes_ > limits::kXmlBytes)
    return Error{ErrorCode::FileUnreadable, "the model is larger than 4 MiB with all that it includes",
                 file.string(), "put vertices of meshes into files, or split the model"};
  auto xml = std::make_unique<tinyxml2::XMLDocument>();
  if (Result<void> ok = parseXml(file, text, *xml); !ok) return ok.error();
  const Element* root = xml->RootElement();
  if (!root)
    return Error{ErrorCode::SyntaxError, "the file has no element", file.string(), "name an MJCF file"};
  files_[xml.get()] = file;
  documents_.push_back(std::move(xml));
  return root;
}

Result<void> MjcfDocument::include(const Element& include, int depth) {
  const std::string name = attributeOr(include, "file", "");
  if (name.empty())
    return error(ErrorCode::SyntaxError, include, "<include> names no file", "add file=\"…\"");
  if (depth >= kDeepestInclude || files_.size() > limits::kXmlIncludes)
    return invalid(include, "files include each other more than 10 deep, or more than 100 in all",
                   "merge some of them");
  const Result<fs::path> path = resolveFile(name, file_.parent_path(), {});
  if (!path) return error(path.error().code, include, path.error().what, path.error().remedy);
  if (!seen_.insert(realPath(*path)).second)
    return invalid(include, "the file '" + name + "' is included a second time, or includes itself",
                   "include each file once");
  FileLog::note(*path);
  const Result<std::string> text = readTextFile(*path, limits::kXmlBytes);
  if (!text) return text.error();
  const Result<const Element*> root = parse(*path, *text);
  if (!root) return root.error();
  included_[&include] = *root;
  return loadIncludes(**root, depth + 1);
}

Result<void> MjcfDocument::loadIncludes(const Element& element, int depth) {
  for (const Element* e = element.FirstChildElement(); e; e = e->NextSiblingElement()) {
    const bool includes = std::string_view(e->Name()) == "include";
    if (Result<void> ok = includes ? include(*e, depth) : loadIncludes(*e, depth); !ok) return ok;
  }
  return {};
}

/// Settings that stand later go over earlier ones; they hold for all of the model.
void MjcfDocument::readCompiler() {
  const std::vector<const Element*> all = sections("compiler");
  if (all.empty()) return;
  const MjcfItem item(all);
  MjcfCompiler& c = compiler_;
  c.degrees = item.text("angle", "degree") == "degree";
  c.eulerSequence = item.text("eulerseq", c.eulerSequence);
  c.autoLimits = item.flag("autolimits", c.autoLimits);
  c.inertiaFromGeom = item.text("inertiafromgeom", c.inertiaFromGeom);
  const std::vector<double> groups = item.numbers("inertiagrouprange", {0, 5});
  c.firstInertiaGroup = static_cast<int>(std::clamp(groups[0], -1e6, 1e6));
  c.lastInertiaGroup = static_cast<int>(std::clamp(groups[1], -1e6, 1e6));
  c.leastMass = item.number("boundmass", 0);
  c.leastInertia = item.number("boundinertia", 0);
  c.totalMass = item.number("settotalmass", -1);
  c.balancesInertia = item.flag("balanceinertia", false);
  c.exactMeshInertia = item.flag("exactmeshinertia", false);
  c.fitsBoxes = item.flag("fitaabb", false);
  c.stripsPaths = item.flag("strippath", false);
  readFolders(item);
}

void MjcfDocument::readFolders(const MjcfItem& item) {
  const std::string both = item.text("assetdir");
  compiler_.meshFolder = item.text("meshdir", both);
  compiler_.textureFolder = item.text("texturedir", both);
}

/// Sections of the outermost class may be repeated; all others have a name of their own.
Result<void> MjcfDocument::readClasses(const Element& block, const std::string& parent) {
  const bool isMain = parent.empty();
  const std::string name = attributeOr(block, "class", isMain ? kMainClass : "");
  if (isMain && name != kMainClass)
    return invalid(block, "the outermost class of defaults is called '" + name + "'",
                   "call it 'main', or put the class into a <default> around it");
  if (name.empty())
    return error(ErrorCode::SyntaxError, block, "a class of defaults has no name", "add class=\"…\"");
  if (!isMain && classes_.contains(name))
    return invalid(block, "there is a class '" + name + "' already", "rename one of them");
  classes_[name].parent = parent;
  for (const Element* child : children(block)) {
    if (std::string_view(child->Name()) != "default") {
      classes_[name].defaults[kindOf(*child)].push_back(child);
    } else if (Result<void> ok = readClasses(*child, name); !ok) {
      return ok;
    }
  }
  return {};
}

Result<void> MjcfDocument::checkNumbers(const Element& element, const MjcfAttribute& rule,
                                        const std::string& text) const {
  const std::optional<std::vector<double>> values = numbersIn(text);
  const std::string what = "'" + rule.name + "' of <" + element.Name() + "> is '" + text.substr(0, 60) + "'";
  const bool fits = values && values->size() >= rule.least && values->size() <= rule.most &&
                    (rule.multiple == 0 || values->size() % rule.multiple == 0);
  if (!fits) {
    const std::string count = rule.multiple > 1        ? "groups of " + std::to_string(rule.multiple)
                              : rule.least < rule.most ? "at least " + std::to_string(rule.least)
                                                       : std::to_string(rule.least);
    return invalid(element, what,
                   rule.most == 1 ? "write one number" : "write " + count + " numbers separated by spaces");
  }
  if (!std::all_of(values->begin(), values->end(), [](double x) { return std::isfinite(x); }))
    return invalid(element, what, "write finite numbers");
  return {};
}

Result<void> MjcfDocument::checkAttributes(const Element& element, const MjcfRules& rules) {
  for (const auto* a = element.FirstAttribute(); a; a = a->Next()) {
    const MjcfAttribute* rule = rules.find(a->Name());
    const std::string value = a->Value();
    if (!rule) {
      note(Notice::Level::Warning, element,
           "<" + std::string(element.Name()) + "> has no '" + a->Name() + "': it is not used; " +
               suggestName(a->Name(), rules.names()));
      continue;
    }
    if (rule->use != MjcfUse::Used) {
      countUnused(element, saysNothing(value) ? MjcfUse::Neutral : rule->use, a->Name());
      continue;
    }
    if (rule->most > 0)
      if (Result<void> ok = checkNumbers(element, *rule, value); !ok) return ok;
    const auto& words = rule->words;
    if (!words.empty() && std::find(words.begin(), words.end(), value) == words.end())
      return invalid(element, "'" + rule->name + "' is '" + value.substr(0, 60) + "'",
                     suggestName(value, words));
    if (std::any_of(value.begin(), value.end(), isControl) && rule->name == "name")
      return invalid(element, "a name may not contain line breaks", "write the name on one line");
  }
  return {};
}

Result<void> MjcfDocument::checkOrientation(const Element& element) const {
  const auto count = std::count_if(std::begin(kOrientations), std::end(kOrientations),
                                   [&](const char* a) { return element.Attribute(a) != nullptr; });
  if (count > 1 && std::string_view(element.Name()) != "replicate")
    return invalid(element, "its orientation is written in two ways", "keep one of them");
  for (const char* attribute : {"quat", "refquat", "zaxis", "xyaxes", "axis"}) {
    const std::vector<double> values = numbersOf(element, attribute);
    const std::size_t n = std::min<std::size_t>(values.size(), values.size() == 4 ? 4 : 3);
    double square = 0;
    for (std::size_t i = 0; i < n; ++i) square += values[i] * values[i];
    if (n > 0 && square < 1e-28)
      return invalid(element, "'" + std::string(attribute) + "' is zero", "write a direction, or remove it");
  }
  return {};
}

Result<void> MjcfDocument::checkClass(const Element& element) const {
  for (const char* attribute : {"class", "childclass"}) {
    const char* name = element.Attribute(attribute);
    if (!name || classes_.contains(name)) continue;
    std::vector<std::string> known;
    for (const auto& [other, entry] : classes_) known.push_back(other);
    return unknown(element, "class of defaults", name, known);
  }
  return {};
}

Result<void> MjcfDocument::checkElement(const Element& element, const std::string& context,
                                        const MjcfRules& rules) {
  if (Result<void> ok = checkAttributes(element, rules); !ok) return ok;
  if (Result<void> ok = checkOrientation(element); !ok) return ok;
  if (context != "default" && std::string_view(element.Name()) != "default")
    if (Result<void> ok = checkClass(element); !ok) return ok;
  if (context == "asset" && std::string_view(element.Name()) == "mesh") meshMarks_ += "<mesh";
  return rules.inside.empty() ? Result<void>() : checkChildren(element, rules.inside);
}

Result<void> MjcfDocument::checkChildren(const Element& parent, const std::string& context) {
  for (const Element* child : children(parent)) {
    const std::string tag = child->Name();
    if (const MjcfRules* rules = mjcfRules(context, tag)) {
      if (Result<void> ok = checkElement(*child, context, *rules); !ok) return ok;
      continue;
    }
    const MjcfUse use = useOfElement(context, tag);
    if (use == MjcfUse::Refused)
      return error(ErrorCode::Unsupported, *child,
                   "<" + tag + "> makes parts of the model that cannot be made here",
                   "write out what it makes: MuJoCo saves a model so");
    if (use == MjcfUse::Unknown)
      note(Notice::Level::Warning, *child,
           "<" + tag + "> is not known here and not used; " + suggestName(tag, knownElements(context)));
    countUnused(*child, use, "");
  }
  return {};
}

void MjcfDocument::countUnused(const Element& element, MjcfUse use, const std::string& attribute) {
  if (use != MjcfUse::Named && use != MjcfUse::Acts) return;
  const std::string kind = attribute.empty() ? "element " : use == MjcfUse::Acts ? "acting " : "named ";
  Unused& entry = unused_[kind + element.Name()];
  if (entry.count++ == 0) entry.first = &element;
  entry.use = use;
  auto& names = entry.attributes;
  if (!attribute.empty() && std::find(names.begin(), names.end(), attribute) == names.end())
    names.push_back(attribute);
}

void MjcfDocument::noteUnused() {
  for (const auto& [key, entry] : unused_) {
    const std::string tag = "<" + std::string(entry.first->Name()) + ">";
    const std::string what =
        entry.attributes.empty() ? tag + " is" : joined(entry.attributes) + " of " + tag + " is";
    note(entry.use == MjcfUse::Acts ? Notice::Level::Warning : Notice::Level::Info, *entry.first,
         what + " not used" +
             (entry.count > 1 ? " (" + std::to_string(entry.count) + " places, this is the first)" : ""));
  }
}

Result<void> MjcfDocument::read(const fs::path& file, const std::string& text) {
  file_ = file;
  seen_.insert(realPath(file));
  const Result<const Element*> root = parse(file, text);
  if (!root) return root.error();
  root_ = *root;
  const std::string tag = root_->Name();
  if (tag != "mujoco")
    return error(ErrorCode::SyntaxError, *root_, "there is no <mujoco> element",
                 tag == "robot"           ? "this is a URDF file: in a scene its key is 'urdf'"
                 : tag == "sdf"           ? "this is an SDF file: in a scene its key is 'sdf'"
                 : tag == "mujocoinclude" ? "this is a part of other files: open the one that includes it"
                                          : "name an MJCF file");
  if (Result<void> ok = loadIncludes(*root_, 0); !ok) return ok;
  classes_[kMainClass] = {};
  for (const Element* block : sections("default"))
    if (Result<void> ok = readClasses(*block, ""); !ok) return ok;
  if (Result<void> ok = checkElement(*root_, "", *mjcfRules("", "mujoco")); !ok) return ok;
  readCompiler();
  for (const Element* compiler : sections("compiler"))
    if (std::string_view(attributeOr(*compiler, "coordinate", "local")) == "global")
      return error(ErrorCode::Unsupported, *compiler, "places are written in global coordinates",
                   "open and save the model with MuJoCo 2.1, which converts them");
  if (compiler_.eulerSequence.size() != 3 ||
      compiler_.eulerSequence.find_first_not_of("xyzXYZ") != std::string::npos)
    return invalid(*sections("compiler").front(), "eulerseq is '" + compiler_.eulerSequence + "'",
                   "write three letters of x, y, z, X, Y, Z");
  if (sections("worldbody").empty())
    return error(ErrorCode::InvalidValue, *root_, "the model has no <worldbody>",
                 "if this is a part of other files, open the one that includes it");
  noteUnused();
  return {};
}

}  // namespace slipstick::assets
