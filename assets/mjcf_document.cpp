#include "assets/mjcf_document.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "assets/drake_tags.h"
#include "assets/file_log.h"
#include "assets/limits.h"
#include "assets/one_line.h"
#include "assets/shipped.h"
#include "assets/utf8.h"
#include "assets/xml_repairs.h"
#include "assets/xml_text.h"
#include "engine/foundation/nearest_name.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr int kDeepestInclude = 10;
constexpr const char* kCountsAnew = ": a model counts each time that it is attached";
constexpr const char* kMainClass = "main";
/// Attributes whose text is repeated for many things, whether they are used here or only named.
constexpr const char* kRepeated[] = {"name", "prefix", "sep", "class", "childclass"};
/// Those of which names are made.
constexpr const char* kNaming[] = {"name", "prefix", "sep"};
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

/// The documents are ours and may change; who reads them may not.
Element& ownElement(const Element& element) {
  return const_cast<Element&>(element);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
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

/// What an attached model brings beside its bodies.
bool comesAlong(std::string_view section) {
  for (const char* along : {"asset", "contact", "equality", "tendon", "actuator", "sensor"})
    if (section == along) return true;
  return false;
}

/// Names that are too long stand in the message that says so.
std::string shownName(const std::string& name) {
  return name.substr(0, limits::kNameBytes);
}

bool isNaming(const std::string& attribute) {
  return std::find(std::begin(kNaming), std::end(kNaming), attribute) != std::end(kNaming);
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
  const std::string name = attributeOr(*parts_.front()->root, "model", "");
  return name.empty() ? file_.stem().string() : name;
}

std::vector<const Element*> MjcfDocument::children(const Element& parent) const {
  if (const auto attached = attached_.find(&parent); attached != attached_.end())
    return attached->second.elements;
  std::vector<const Element*> all;
  for (const Element* e = parent.FirstChildElement(); e; e = e->NextSiblingElement()) {
    const auto included = included_.find(e);
    if (included != included_.end()) {
      const std::vector<const Element*> inner = children(*included->second);
      all.insert(all.end(), inner.begin(), inner.end());
    } else if (!dropped_.contains(e)) {
      all.push_back(e);
    }
  }
  return all;
}

std::vector<const Element*> MjcfDocument::sectionsOf(const Part& part, const char* section) const {
  std::vector<const Element*> all = children(*part.root);
  std::erase_if(all, [&](const Element* e) { return std::string_view(e->Name()) != section; });
  return all;
}

std::vector<const Element*> MjcfDocument::sections(const char* section) const {
  std::vector<const Element*> all;
  for (const std::unique_ptr<Part>& part : parts_) {
    if (part->parent && !comesAlong(section)) continue;
    const std::vector<const Element*> own = sectionsOf(*part, section);
    all.insert(all.end(), own.begin(), own.end());
  }
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
  const std::map<std::string, Class>& known = partOf(element).classes;
  std::vector<const Class*> classes;
  for (auto at = known.find(own.empty() ? kMainClass : own); at != known.end();
       at = known.find(at->second.parent))
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
  const auto source = sources_.find(element.GetDocument());
  std::string owner = "<" + std::string(element.Name()) + ">";
  if (const char* name = element.Attribute("name")) {
    owner = std::string(element.Name()) + " '" + shownName(name) + "'";
  } else {
    for (const tinyxml2::XMLNode* up = element.Parent(); up; up = up->Parent())
      if (const Element* body = up->ToElement(); body && body->Attribute("name")) {
        owner += " of " + std::string(body->Name()) + " '" + shownName(body->Attribute("name")) + "'";
        break;
      }
  }
  return oneLine(
      placeInFile(source == sources_.end() ? file_ : source->second.file, element.GetLineNum(), owner));
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

Result<const Element*> MjcfDocument::parse(const fs::path& file, const std::string& text, Part& part) {
  bytes_ += text.size();
  if (bytes_ > limits::kXmlBytes)
    return Error{
        ErrorCode::FileUnreadable,
        std::string("the model is larger than 4 MiB with all that it includes and attaches") + kCountsAnew,
        file.string(), "put vertices of meshes into files, or split the model"};
  auto xml = std::make_unique<tinyxml2::XMLDocument>();
  if (Result<void> ok = parseXml(file, text, *xml); !ok) return ok.error();
  const Element* root = xml->RootElement();
  if (!root)
    return Error{ErrorCode::SyntaxError, "the file has no element", file.string(), "name an MJCF file"};
  sources_[xml.get()] = {file, &part};
  documents_.push_back(std::move(xml));
  if (Result<void> ok = checkLengths(*root); !ok) return ok.error();
  return root;
}

/// Beside the model's own file, as MuJoCo has it, then beside the file that names it.
Result<fs::path> MjcfDocument::fileOf(const Element& element, const std::string& name) const {
  const Source& source = sources_.at(element.GetDocument());
  const Result<fs::path> besideModel = resolveFile(name, source.part->file.parent_path(), {});
  if (besideModel || source.file == source.part->file) return besideModel;
  const Result<fs::path> besideOwn = resolveFile(name, source.file.parent_path(), {});
  if (besideOwn) return besideOwn;
  Error missing = besideModel.error();
  missing.remedy += ", " + (source.file.parent_path() / name).lexically_normal().string();
  return missing;
}

Result<std::string> MjcfDocument::readFile(const fs::path& file) {
  FileLog::note(file);
  Result<std::string> text = readTextFile(file, limits::kXmlBytes);
  if (!text) return text;
  if (std::optional<Notice> latin1 = turnIntoUtf8(file, *text)) noteOnce(notices, std::move(*latin1));
  return text;
}

Result<void> MjcfDocument::include(const Element& include, int depth) {
  const std::string name = attributeOr(include, "file", "");
  if (name.empty())
    return error(ErrorCode::SyntaxError, include, "<include> names no file", "add file=\"…\"");
  if (depth >= kDeepestInclude || sources_.size() > limits::kXmlIncludes)
    return invalid(
        include,
        std::string("files include each other more than 10 deep, or more than 100 in all") + kCountsAnew,
        "merge some of them");
  const Result<fs::path> path = fileOf(include, name);
  if (!path) return error(path.error().code, include, path.error().what, path.error().remedy);
  Part& part = *sources_.at(include.GetDocument()).part;
  if (!part.seen.insert(realPath(*path)).second)
    return invalid(include, "the file '" + name + "' is included a second time, or includes itself",
                   "include each file once");
  const Result<std::string> text = readFile(*path);
  if (!text) return text.error();
  const Result<const Element*> root = parse(*path, *text, part);
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

/// Settings that stand later go over earlier ones; they hold for all of the part.
void MjcfDocument::readCompiler(Part& part) {
  const std::vector<const Element*> all = sectionsOf(part, "compiler");
  if (all.empty()) return;
  const MjcfItem item(all);
  MjcfCompiler& c = part.compiler;
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
  readFolders(item, c);
}

void MjcfDocument::readFolders(const MjcfItem& item, MjcfCompiler& compiler) const {
  const std::string both = item.text("assetdir");
  compiler.meshFolder = item.text("meshdir", both);
  compiler.textureFolder = item.text("texturedir", both);
}

/// Sections of the outermost class may be repeated; all others have a name of their own.
Result<void> MjcfDocument::readClasses(Part& part, const Element& block, const std::string& parent) {
  const bool isMain = parent.empty();
  const std::string name = attributeOr(block, "class", isMain ? kMainClass : "");
  if (isMain && name != kMainClass)
    return invalid(block, "the outermost class of defaults is called '" + name + "'",
                   "call it 'main', or put the class into a <default> around it");
  if (name.empty())
    return error(ErrorCode::SyntaxError, block, "a class of defaults has no name", "add class=\"…\"");
  if (!isMain && part.classes.contains(name))
    return invalid(block, "there is a class '" + name + "' already", "rename one of them");
  part.classes[name].parent = parent;
  for (const Element* child : children(block)) {
    if (std::string_view(child->Name()) != "default") {
      part.classes[name].defaults[kindOf(*child)].push_back(child);
    } else if (Result<void> ok = readClasses(part, *child, name); !ok) {
      return ok;
    }
  }
  return {};
}

/// Numbers that are mended are written anew into the element, for all who read it.
Result<void> MjcfDocument::checkNumbers(const Element& element, const MjcfAttribute& rule,
                                        const std::string& text) {
  const auto isCount = [&](std::size_t count) {
    return count >= rule.least && count <= rule.most && (rule.multiple == 0 || count % rule.multiple == 0);
  };
  const auto mended = mendedNumbers(text, isCount);
  const std::optional<std::vector<double>> values = mended ? std::optional(mended->values) : std::nullopt;
  const std::string what = "'" + rule.name + "' of <" + element.Name() + "> is '" + text.substr(0, 60) + "'";
  if (mended && !mended->repair.empty()) {
    note(Notice::Level::Warning, element, what + ": " + mended->repair);
    ownElement(element).SetAttribute(rule.name.c_str(), textOf(*values).c_str());
  }
  if (!values || !isCount(values->size())) {
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
    if (Result<void> ok = isNaming(rule->name) ? checkName(element, value) : Result<void>(); !ok) return ok;
  }
  return {};
}

Result<void> MjcfDocument::checkName(const Element& element, const std::string& name) const {
  const std::optional<Error> fault = faultOfName(name);
  if (fault) return error(fault->code, element, fault->what, fault->remedy);
  return {};
}

Result<void> MjcfDocument::checkLengths(const Element& element) const {
  for (const char* attribute : kRepeated)
    if (std::string_view(attributeOr(element, attribute, "")).size() > limits::kNameBytes)
      return invalid(element, "its '" + std::string(attribute) + "' is longer than 200 bytes", "shorten it");
  for (const Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
    if (Result<void> ok = checkLengths(*child); !ok) return ok;
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
  const std::map<std::string, Class>& classes = partOf(element).classes;
  for (const char* attribute : {"class", "childclass"}) {
    const char* name = element.Attribute(attribute);
    if (!name || classes.contains(name)) continue;
    std::vector<std::string> known;
    for (const auto& [other, entry] : classes) known.push_back(other);
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
    note(entry.use == MjcfUse::Acts ? Notice::Level::Warning : Notice::Level::Info, *entry.first,
         notUsed(entry.attributes.empty() ? tag : joined(entry.attributes) + " of " + tag, entry.count));
  }
}

Result<MjcfDocument::Part*> MjcfDocument::readPart(const fs::path& file, const std::string& text,
                                                   const Part* parent, int level) {
  Part& part = *parts_.emplace_back(std::make_unique<Part>());
  part.file = file;
  part.parent = parent;
  part.seen.insert(realPath(file));
  const Result<const Element*> root = parse(file, text, part);
  if (!root) return root.error();
  part.root = *root;
  const std::string tag = part.root->Name();
  if (tag != "mujoco")
    return error(ErrorCode::SyntaxError, *part.root, "there is no <mujoco> element",
                 tag == "robot"           ? "this is a URDF file: in a scene its key is 'urdf'"
                 : tag == "sdf"           ? "this is an SDF file: in a scene its key is 'sdf'"
                 : tag == "mujocoinclude" ? "this is a part of other files: open the one that includes it"
                                          : "name an MJCF file");
  if (Result<void> ok = loadIncludes(*part.root, 0); !ok) return ok.error();
  if (Result<void> ok = checkPart(part); !ok) return ok.error();
  for (const Element* world : sectionsOf(part, "worldbody"))
    if (Result<void> ok = loadAttached(*world, part, level); !ok) return ok.error();
  return &part;
}

/// As MuJoCo, also where a body alone is attached of the model. What its world attaches may bring them to who attaches it.
Result<void> MjcfDocument::checkWorld(const Element& parent) const {
  for (const Element* child : children(parent)) {
    const std::string_view tag = child->Name();
    if (tag == "joint" || tag == "freejoint" || tag == "inertial") return inWorld(*child);
    if (tag != "frame") continue;
    if (Result<void> ok = checkWorld(*child); !ok) return ok;
  }
  return {};
}

Result<void> MjcfDocument::checkPart(Part& part) {
  part.classes[kMainClass] = {};
  for (const Element* block : sectionsOf(part, "default"))
    if (Result<void> ok = readClasses(part, *block, ""); !ok) return ok;
  if (Result<void> ok = checkElement(*part.root, "", *mjcfRules("", "mujoco")); !ok) return ok;
  readCompiler(part);
  const std::string& sequence = part.compiler.eulerSequence;
  for (const Element* compiler : sectionsOf(part, "compiler"))
    if (std::string_view(attributeOr(*compiler, "coordinate", "local")) == "global")
      return error(ErrorCode::Unsupported, *compiler, "places are written in global coordinates",
                   "open and save the model with MuJoCo 2.1, which converts them");
  if (sequence.size() != 3 || sequence.find_first_not_of("xyzXYZ") != std::string::npos)
    return invalid(*sectionsOf(part, "compiler").front(), "eulerseq is '" + sequence + "'",
                   "write three letters of x, y, z, X, Y, Z");
  if (sectionsOf(part, "worldbody").empty())
    return error(ErrorCode::InvalidValue, *part.root, "the model has no <worldbody>",
                 "if this is a part of other files, open the one that includes it");
  for (const Element* world : sectionsOf(part, "worldbody"))
    if (Result<void> ok = checkWorld(*world); !ok) return ok;
  return {};
}

Result<void> MjcfDocument::read(const fs::path& file, const std::string& text) {
  file_ = file;
  if (const Result<Part*> model = readPart(file, text, nullptr, 0); !model) return model.error();
  noteUnused();
  return {};
}

}  // namespace slipstick::assets
