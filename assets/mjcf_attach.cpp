// <attach> of an MJCF file: what of another model stands in its place, under names with a prefix, and what comes along with
// it. Facts: MuJoCo 4.0, its XML reference and what it makes of files.
#include <algorithm>
#include <optional>

#include "assets/file_log.h"
#include "assets/limits.h"
#include "assets/mjcf_document.h"
#include "assets/shipped.h"
#include "assets/utf8.h"
#include "assets/xml_text.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

using Element = tinyxml2::XMLElement;

constexpr int kDeepestAttach = 10;

/// Attributes that name things, and things of which kind; assets are always there.
struct Reference {
  const char* attribute;
  const char* kind;
};
constexpr Reference kReferences[] = {
    {"body", "body"},       {"body1", "body"},     {"body2", "body"},       {"target", "body"},
    {"joint", "joint"},     {"joint1", "joint"},   {"joint2", "joint"},     {"jointinparent", "joint"},
    {"site", "site"},       {"site1", "site"},     {"site2", "site"},       {"cranksite", "site"},
    {"slidersite", "site"}, {"refsite", "site"},   {"sidesite", "site"},    {"geom", "geom"},
    {"geom1", "geom"},      {"geom2", "geom"},     {"camera", "camera"},    {"tendon", "tendon"},
    {"tendon1", "tendon"},  {"tendon2", "tendon"}, {"actuator", "actuator"}};
constexpr const char* kAssetReferences[] = {"mesh", "material", "texture", "hfield"};

/// Names of things by kind.
using Names = std::map<std::string, std::set<std::string>>;

std::string kindOfPart(const std::string& tag) {
  return tag == "freejoint" ? "joint" : tag;
}

void collectNames(const MjcfDocument& document, const Element& element, Names& names) {
  if (const char* name = element.Attribute("name")) names[kindOfPart(element.Name())].insert(name);
  for (const Element* child : document.children(element)) collectNames(document, *child, names);
}

/// Whether all that an element and those in it name is there.
bool resolves(const MjcfDocument& document, const Element& element, const Names& names) {
  for (const Reference& reference : kReferences) {
    const char* name = element.Attribute(reference.attribute);
    const auto known = names.find(reference.kind);
    if (name && (known == names.end() || !known->second.contains(name))) return false;
  }
  const std::vector<const Element*> inner = document.children(element);
  return std::all_of(inner.begin(), inner.end(),
                     [&](const Element* child) { return resolves(document, *child, names); });
}

/// @return whether it is no longer with it than names may be
bool prefixAttribute(Element& element, const char* attribute, const std::string& prefix) {
  const std::string name = attributeOr(element, attribute, "");
  if (name.empty()) return true;
  element.SetAttribute(attribute, (prefix + name).c_str());
  return prefix.size() + name.size() <= limits::kNameBytes;
}

/// Every model calls its world so, and it is one: of other kinds things are called so, too.
bool namesWorld(const Element& element, const Reference& reference) {
  return reference.kind == std::string_view("body") &&
         attributeOr(element, reference.attribute, "") == std::string_view("world");
}

/// Assets without a name are called after their files. They may stand in a file that is included, without an <asset> around them.
void nameAsset(Element& element) {
  const std::string tag = element.Name(), file = attributeOr(element, "file", "");
  const bool isAsset = tag == "mesh" || tag == "texture" || tag == "hfield";
  const bool hasName = attributeOr(element, "name", "") != std::string_view();
  if (isAsset && !hasName && !file.empty())
    element.SetAttribute("name", fs::path(file).stem().string().c_str());
}

/// Classes stay as they are: each model has its own. @return what has too long a name then, or null
const Element* prefixIn(Element& element, const std::string& prefix) {
  nameAsset(element);
  bool fits = prefixAttribute(element, "name", prefix);
  for (const Reference& reference : kReferences)
    fits &= namesWorld(element, reference) || prefixAttribute(element, reference.attribute, prefix);
  for (const char* attribute : kAssetReferences) fits &= prefixAttribute(element, attribute, prefix);
  if (!fits) return &element;
  for (Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
    if (const Element* tooLong = prefixIn(*child, prefix)) return tooLong;
  return nullptr;
}

/// A body or frame, and the class that counts around it.
struct Place {
  const Element* element = nullptr;
  std::string childClass;
};

/// Replicas have other names than the file writes: what stands in them is none that can be attached.
std::optional<Place> findPlace(const MjcfDocument& document, const Element& parent, const char* tag,
                               const std::string& name, const std::string& outerClass) {
  for (const Element* child : document.children(parent)) {
    if (child->Name() == std::string_view(tag) && attributeOr(*child, "name", "") == name)
      return Place{child, outerClass};
    const std::string_view kind = child->Name();
    if (kind != "body" && kind != "frame" && kind != "attach") continue;
    const std::string inner = kind == "attach" ? document.childClassOf(*child)
                                               : attributeOr(*child, "childclass", outerClass.c_str());
    if (std::optional<Place> found = findPlace(document, *child, tag, name, inner)) return found;
  }
  return std::nullopt;
}

bool holdsBodies(const Element& element) {
  const std::string_view tag = element.Name();
  return tag == "body" || tag == "frame" || tag == "replicate";
}

/// What a file says that it is called; empty where it cannot be read.
std::string modelNameIn(const fs::path& file) {
  FileLog::note(file);
  Result<std::string> text = readTextFile(file, limits::kXmlBytes);
  if (!text) return {};
  turnIntoUtf8(file, *text);
  tinyxml2::XMLDocument xml;
  if (!parseXml(file, *text, xml) || !xml.RootElement()) return {};
  return attributeOr(*xml.RootElement(), "model", "MuJoCo Model");
}

}  // namespace

/// An <attach> elsewhere is one of the elements that are not known there, and not used. Where all that stands in each other is
/// bounded here, who reads it may call itself for each.
Result<void> MjcfDocument::loadAttached(const Element& parent, Part& part, int level) {
  if (level > limits::kRobotLevels)
    return invalid(parent, "bodies and frames stand more than 1,000 deep in each other",
                   "flatten the model: an included or attached file goes on where it is named");
  for (const Element* child : children(parent)) {
    Result<void> loaded;
    if (std::string_view(child->Name()) == "attach") loaded = attach(*child, part, level);
    if (holdsBodies(*child)) loaded = loadAttached(*child, part, level + 1);
    if (!loaded) return loaded;
  }
  return {};
}

Result<void> MjcfDocument::checkModel(const Element& model) const {
  const std::string type = attributeOr(model, "content_type", "text/xml");
  if (attributeOr(model, "file", "") == std::string_view())
    return error(ErrorCode::SyntaxError, model, "<model> names no file", "add file=\"…\"");
  if (type != "text/xml" && !type.empty())
    return error(ErrorCode::Unsupported, model, "models of the type '" + type + "' are not read",
                 "save the model as MJCF");
  return {};
}

/// Without a name where it is listed, a model has that of its own file: a whole file is read for it, once.
std::string MjcfDocument::nameOfModel(const Element& model) {
  std::string name = attributeOr(model, "name", "");
  if (!name.empty()) return name;
  const Result<fs::path> file = fileOf(model, attributeOr(model, "file", ""));
  if (!file) return {};
  const auto [known, isNew] = modelNames_.try_emplace(*file);
  if (isNew) known->second = modelNameIn(*file);
  return known->second;
}

/// Of two of a name the first counts, as in MuJoCo.
Result<void> MjcfDocument::listModels(Part& part) {
  std::size_t nameless = 0;
  for (const Element* section : sectionsOf(part, "asset"))
    for (const Element* model : children(*section)) {
      if (std::string_view(model->Name()) != "model") continue;
      if (Result<void> ok = checkModel(*model); !ok) return ok;
      nameless += attributeOr(*model, "name", "") == std::string_view() ? 1 : 0;
      if (nameless > limits::kXmlIncludes || modelNames_.size() > limits::kXmlIncludes)
        return invalid(*model, "more than 100 models are listed without their names", "add name=\"…\"");
      part.models.try_emplace(nameOfModel(*model), model);
    }
  return {};
}

Result<fs::path> MjcfDocument::modelFile(const Element& attach, Part& part) {
  if (part.models.empty())
    if (Result<void> ok = listModels(part); !ok) return ok.error();
  const std::string wanted = attributeOr(attach, "model", "");
  const auto found = part.models.find(wanted);
  if (found == part.models.end()) {
    std::vector<std::string> known;
    for (const auto& [name, model] : part.models) known.push_back(name);
    return unknown(attach, "model", wanted, known);
  }
  const Element& model = *found->second;
  Result<fs::path> path = fileOf(model, attributeOr(model, "file", ""));
  if (!path) return error(path.error().code, model, path.error().what, path.error().remedy);
  return path;
}

Result<void> MjcfDocument::checkAttach(const Element& attach, const Part& part) const {
  if (!attach.Attribute("model"))
    return error(ErrorCode::Unsupported, attach,
                 "<attach> copies a part of its own model, which is not done here",
                 "put the part into a file of its own, and name it in <asset> as a <model>");
  if (!attach.Attribute("prefix"))
    return error(ErrorCode::SyntaxError, attach, "<attach> has no prefix",
                 "add prefix=\"…\": names of what it brings begin with it");
  if (attach.Attribute("body") && attach.Attribute("frame"))
    return invalid(attach, "<attach> names a body and a frame", "keep one of them");
  int depth = 0;
  for (const Part* outer = &part; outer->parent; outer = outer->parent) ++depth;
  if (depth >= kDeepestAttach || sources_.size() > limits::kXmlIncludes)
    return invalid(attach,
                   "models attach each other more than 10 deep, or more than 100 files in all: a model "
                   "counts each time that it is attached",
                   "merge some of them, or attach fewer");
  return {};
}

/// Of a model that attaches itself, over any number of others, there would be no end.
Result<void> MjcfDocument::checkCircle(const Element& attach, const fs::path& file, const Part& part) const {
  std::error_code failed;
  for (const Part* outer = &part; outer; outer = outer->parent)
    if (fs::equivalent(outer->file, file, failed))
      return invalid(attach,
                     "the model '" + std::string(attributeOr(attach, "model", "")) +
                         "' attaches itself, directly or by others",
                     "remove one of the <attach> elements");
  return {};
}

Result<void> MjcfDocument::attach(const Element& attach, Part& part, int level) {
  if (Result<void> ok = checkAttach(attach, part); !ok) return ok;
  const Result<fs::path> file = modelFile(attach, part);
  if (!file) return file.error();
  if (Result<void> ok = checkCircle(attach, *file, part); !ok) return ok;
  const Result<std::string> text = readFile(*file);
  if (!text) return text.error();
  const bool isSaid =
      std::any_of(parts_.begin(), parts_.end(), [&](const auto& other) { return other->file == *file; });
  const std::size_t said = notices.size();
  const Result<Part*> model = readPart(*file, *text, &part, level);
  if (!model) return model.error();
  noteWhatStaysBehind(**model);
  if (isSaid) notices.erase(notices.begin() + static_cast<std::ptrdiff_t>(said), notices.end());
  return place(attach, **model);
}

Result<void> MjcfDocument::place(const Element& attach, const Part& model) {
  Result<Attached> chosen = choose(attach, model);
  if (!chosen) return chosen.error();
  if (attach.Attribute("body") || attach.Attribute("frame")) dropUnresolved(model, *chosen);
  attached_[&attach] = std::move(*chosen);
  return prefixNames(model, attributeOr(attach, "prefix", ""));
}

/// A body with what hangs from it, a frame, or all that stands in the world of the model.
Result<MjcfDocument::Attached> MjcfDocument::choose(const Element& attach, const Part& model) const {
  Attached attached;
  const char* tag = attach.Attribute("body") ? "body" : attach.Attribute("frame") ? "frame" : nullptr;
  for (const Element* world : sectionsOf(model, "worldbody")) {
    if (tag) {
      const std::optional<Place> found = findPlace(*this, *world, tag, attach.Attribute(tag), "");
      if (found) return Attached{{found->element}, found->childClass};
      continue;
    }
    const std::vector<const Element*> all = children(*world);
    attached.elements.insert(attached.elements.end(), all.begin(), all.end());
  }
  if (!tag) return attached;
  Names names;
  for (const Element* world : sectionsOf(model, "worldbody")) collectNames(*this, *world, names);
  return unknown(attach, tag + (" in the model '" + std::string(attach.Attribute("model")) + "':"),
                 attach.Attribute(tag), {names[tag].begin(), names[tag].end()});
}

/// As in MuJoCo, the model that attaches says what holds for the world.
void MjcfDocument::noteWhatStaysBehind(const Part& model) {
  for (const char* section : {"option", "keyframe"})
    for (const Element* element : sectionsOf(model, section))
      note(Notice::Level::Warning, *element,
           "<" + std::string(section) + "> of an attached model is not used: that of the main file counts");
}

bool MjcfDocument::isWithin(const Part& part, const Part& model) {
  const Part* at = &part;
  while (at && at != &model) at = at->parent;
  return at != nullptr;
}

/// What names a thing that is not attached stays behind with it.
void MjcfDocument::dropUnresolved(const Part& model, const Attached& attached) {
  Names names = {{"body", {"world"}}};
  for (const Element* element : attached.elements) collectNames(*this, *element, names);
  for (const char* section : {"contact", "equality", "tendon", "actuator", "sensor"})
    for (const std::unique_ptr<Part>& part : parts_) {
      if (!isWithin(*part, model)) continue;
      for (const Element* block : sectionsOf(*part, section))
        for (const Element* element : children(*block)) {
          const char* name = element->Attribute("name");
          if (!resolves(*this, *element, names))
            dropped_.insert(element);
          else if (name)
            names[section].insert(name);
        }
    }
}

Result<void> MjcfDocument::prefixNames(const Part& model, const std::string& prefix) {
  for (const std::unique_ptr<tinyxml2::XMLDocument>& document : documents_) {
    if (!isWithin(*sources_.at(document.get()).part, model)) continue;
    if (const Element* tooLong = prefixIn(*document->RootElement(), prefix))
      return invalid(*tooLong, "a name is longer than 200 bytes with its prefixes",
                     "shorten it, or the prefixes");
  }
  return {};
}

}  // namespace slipstick::assets
