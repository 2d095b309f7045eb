// The part of SdfDocument that puts included models in the places of their <include>: with the lines of their own files in
// errors, and with their meshes, whose names are relative to those files.
#include <algorithm>
#include <array>
#include <optional>

#include "assets/file_log.h"
#include "assets/file_resolver.h"
#include "assets/limits.h"
#include "assets/one_line.h"
#include "assets/robot_checks.h"
#include "assets/sdf_document.h"
#include "assets/shipped.h"
#include "assets/utf8.h"
#include "assets/xml_text.h"
#include "engine/foundation/lower_case.h"

namespace slipstick::assets {
namespace {

constexpr std::size_t kDeepestInclude = 8;

constexpr std::string_view kSun = "sun", kGroundPlane = "ground plane";
constexpr const char* kGroundPlaneModel =
    R"(<model name="ground_plane"><static>true</static><link name="link">
  <collision name="collision"><geometry><plane><normal>0 0 1</normal><size>100 100</size></plane></geometry></collision>
  <visual name="visual"><geometry><plane><normal>0 0 1</normal><size>100 100</size></plane></geometry></visual>
</link></model>)";

/// The model that an <include> names, in small letters with spaces: "ground plane" of model://ground_plane and of
/// https://…/models/Ground Plane.
std::string usualModel(const tinyxml2::XMLElement& include) {
  const tinyxml2::XMLElement* uri = include.FirstChildElement("uri");
  std::string name = uri ? percentDecoded(textOf(*uri)) : "";
  if (name.find("://") == std::string::npos) return "";
  while (name.ends_with('/')) name.pop_back();
  name = lowerCase(name.substr(name.rfind('/') + 1));
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// Puts a child of the include over that of the model.
void replaceChild(tinyxml2::XMLElement& model, const tinyxml2::XMLElement& include, const char* tag) {
  const tinyxml2::XMLElement* given = include.FirstChildElement(tag);
  if (!given) return;
  while (tinyxml2::XMLElement* own = model.FirstChildElement(tag)) model.DeleteChild(own);
  model.InsertFirstChild(given->DeepClone(model.GetDocument()));
}

}  // namespace

/// Old files call several shapes of a link the same, and worlds their models: the later ones get another name.
void SdfDocument::renameClashes(Element& scope, const std::set<std::string>& tags) {
  std::set<std::string> taken;
  std::map<std::string, int> numbers;  // the next one for each name
  for (Element* child = scope.FirstChildElement(); child; child = child->NextSiblingElement()) {
    if (!tags.contains(child->Name())) continue;
    const std::string name = attributeOr(*child, "name", ""), kind = child->Name();
    if (name.empty() || taken.insert(kind + name).second) continue;
    std::string other;
    int& number = numbers.try_emplace(kind + name, 2).first->second;
    while (other.empty() || !taken.insert(kind + other).second) other = name + "_" + std::to_string(number++);
    child->SetAttribute("name", other.c_str());
    notices.push_back(
        {Notice::Level::Info, oneLine(placeInFile(file_, child->GetLineNum(), ownerOf(*child))),
         oneLine("a second <" + kind + "> is called '" + name + "': it is '" + other + "' here")});
  }
}

/// SDF has kept that name for itself since 1.7, and older files use it.
void SdfDocument::renameWorldLink(Element& model) {
  const std::string kOther = "world_link";
  Element* world = nullptr;
  for (Element* link = model.FirstChildElement("link"); link; link = link->NextSiblingElement("link"))
    if (std::string(attributeOr(*link, "name", "")) == "world") world = link;
  if (!world) return;
  world->SetAttribute("name", kOther.c_str());
  for (Element* joint = model.FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint"))
    for (const char* end : {"parent", "child"})
      if (Element* e = joint->FirstChildElement(end); e && textOf(*e) == "world") e->SetText(kOther.c_str());
  notices.push_back({Notice::Level::Info, oneLine(placeInFile(file_, world->GetLineNum(), "link 'world'")),
                     "SDF keeps this name for itself: the link is '" + kOther + "' here"});
}

/// A world of one model is that model; of several, they are inner ones of a model that has the world's name.
void SdfDocument::gatherWorld(Element& root) {
  Element* world = root.FirstChildElement("world");
  std::vector<Element*> models;
  for (Element* from : {&root, world})
    for (Element* child = from ? from->FirstChildElement() : nullptr; child;
         child = child->NextSiblingElement()) {
      const std::string tag = child->Name();
      if (world && tag == "include" && usualModel(*child) == kSun)
        notices.push_back({Notice::Level::Info, oneLine(placeInFile(file_, child->GetLineNum())),
                           "the model 'sun' of Gazebo is a light, and lights are not used"});
      else if (tag == "model" || tag == "include")
        models.push_back(child);
      else if (from == world)
        countUnused(*child);  // those beside it are counted with the rest
    }
  isWorld = models.size() > 1;
  hasWorld_ = world != nullptr;
  if (!world && !isWorld) return;
  Element* into = &root;
  if (isWorld || (!models.empty() && std::string(models.front()->Name()) == "include")) {
    into = root.GetDocument()->NewElement("model");
    into->SetAttribute("name",
                       world ? attributeOr(*world, "name", "world") : mainFile_.stem().string().c_str());
    root.InsertEndChild(into);
  }
  for (Element* model : models) into->InsertEndChild(model);  // which takes it from where it was
  if (isWorld) renameClashes(*into, {"model"});
  if (world) root.DeleteChild(world);
}

Result<void> SdfDocument::include(Element& include) {
  if (++includes_ > limits::kXmlIncludes)
    return error(ErrorCode::InvalidValue, include, "the file includes more than 100 others", "merge some");
  if (including_.size() >= kDeepestInclude)
    return error(ErrorCode::InvalidValue, include, "files include each other more than 8 deep", "merge some");
  const std::string merge = attributeOr(include, "merge", "false");
  if (merge == "true" || merge == "1")
    return error(ErrorCode::Unsupported, include, "<include merge=\"true\"> is not read",
                 "include the model under a name of its own, or write its links here");
  const Element* uri = include.FirstChildElement("uri");
  if (!uri || textOf(*uri).empty())
    return error(ErrorCode::SyntaxError, include, "<include> names no file", "add <uri>…</uri>");
  const Element* name = include.FirstChildElement("name");
  if (const std::optional<Error> fault = name ? faultOfName(textOf(*name)) : std::nullopt)
    return error(fault->code, *name, fault->what, fault->remedy);
  const Result<std::filesystem::path> found = resolveModel(textOf(*uri), file_.parent_path(), packagePaths_);
  if (!found && hasWorld_ && file_ == mainFile_) return goOnWithout(include, found.error());
  if (!found) return error(found.error().code, *uri, found.error().what, found.error().remedy);
  std::error_code failed;
  const std::filesystem::path path = std::filesystem::weakly_canonical(*found, failed);
  if (std::find(including_.begin(), including_.end(), path) != including_.end())
    return error(ErrorCode::InvalidValue, include, "the file includes itself: " + path.string(),
                 "remove one <include>");
  if (Result<void> ok = checkChildren(include); !ok) return ok;
  FileLog::note(path);
  Result<std::string> text = readTextFile(path, limits::kXmlBytes);
  if (!text) return text.error();
  if (std::optional<Notice> latin1 = turnIntoUtf8(path, *text)) notices.push_back(std::move(*latin1));
  const std::filesystem::path outer = std::exchange(file_, path);
  const double version = version_;
  including_.push_back(path);
  tinyxml2::XMLDocument xml;
  Result<void> read = readFile(xml, *text);
  including_.pop_back();
  file_ = outer;
  version_ = version;
  if (!read) return read;
  return inlineModel(include, *xml.RootElement()->FirstChildElement("model"));
}

/// Worlds name models that only an installed Gazebo has, or the net: it goes on without those that it does not find.
Result<void> SdfDocument::goOnWithout(Element& include, const Error& missing) {
  if (usualModel(include) == kGroundPlane) {
    notices.push_back({Notice::Level::Info, oneLine(placeInFile(file_, include.GetLineNum())),
                       "the model 'ground_plane' of Gazebo is a plane at z = 0 here"});
    tinyxml2::XMLDocument xml;
    xml.Parse(kGroundPlaneModel);
    if (Result<void> ok = checkChildren(include); !ok) return ok;
    return inlineModel(include, *xml.RootElement());
  }
  warn(include, missing.what +
                    ": the world goes on without it; put the model beside the world, or name its folder "
                    "with --package-path");
  include.Parent()->DeleteChild(&include);
  return {};
}

/// <include> is a nested <model> that says some things anew.
Result<void> SdfDocument::inlineModel(Element& include, const Element& included) {
  upgrade(include);
  Element* model = included.DeepClone(include.GetDocument())->ToElement();
  const Element* name = include.FirstChildElement("name");
  if (name && !textOf(*name).empty()) model->SetAttribute("name", textOf(*name).c_str());
  if (const Element* frame = include.FirstChildElement("placement_frame"))
    model->SetAttribute("placement_frame", textOf(*frame).c_str());
  for (const char* tag : {"static", "pose"}) replaceChild(*model, include, tag);
  tinyxml2::XMLNode* parent = include.Parent();
  parent->InsertAfterChild(&include, model);
  places_.try_emplace("model " + std::string(attributeOr(*model, "name", "")),
                      oneLine(placeInFile(file_, include.GetLineNum(),
                                          "model '" + std::string(attributeOr(*model, "name", "")) + "'")));
  scopes_.back().try_emplace(attributeOr(*model, "name", ""), include.GetLineNum());
  parent->DeleteChild(&include);
  return {};
}

/// Names of files become those of the place where they are, or stay where there is none: that is said where they are read.
void SdfDocument::bringAlong(Element& element) const {
  constexpr std::array kNamesFiles = {"albedo_map", "roughness_map", "metalness_map"};
  const std::string tag = element.Name();
  const bool isMesh = tag == "uri" && element.Parent() && std::string(element.Parent()->Value()) == "mesh";
  if (!isMesh && std::find(kNamesFiles.begin(), kNamesFiles.end(), tag) == kNamesFiles.end()) return;
  const auto path = resolveFile(textOf(element), file_.parent_path(), packagePaths_);
  if (path) element.SetText((std::string(kFoundBefore) + std::filesystem::absolute(*path).string()).c_str());
}

/// To the words of version 1.7, so that files of several versions can stand in one text; and what libsdformat does not know
/// into elements that it hands on.
void SdfDocument::upgrade(Element& element) const {
  const std::string tag = element.Name();
  if (tag == "density") element.SetName("slipstick:density");
  if (tag == "inertial" && element.BoolAttribute("auto")) {
    element.InsertNewChildElement("slipstick:auto")->SetText("true");
    element.DeleteAttribute("auto");
  }
  if (version_ >= kFramesVersion) return;
  for (Element* pose = element.FirstChildElement("pose"); pose; pose = pose->NextSiblingElement("pose"))
    if (const char* frame = pose->Attribute("frame")) {
      if (*frame != '\0') pose->SetAttribute("relative_to", frame);
      pose->DeleteAttribute("frame");
    }
  if (tag != "axis") return;
  Element* asModel = element.FirstChildElement("use_parent_model_frame");
  if (!asModel) return;
  const std::string value = textOf(*asModel);
  if (Element* xyz = element.FirstChildElement("xyz"); xyz && (value == "1" || value == "true"))
    xyz->SetAttribute("expressed_in", "__model__");
  element.DeleteChild(asModel);
}

}  // namespace slipstick::assets
