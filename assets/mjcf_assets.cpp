#include "assets/mjcf_assets.h"

#include <algorithm>

#include "assets/convex_hull.h"
#include "assets/drake_tags.h"
#include "assets/file_resolver.h"
#include "assets/mjcf_inertia.h"
#include "assets/mjcf_mesh.h"
#include "assets/one_line.h"
#include "assets/shipped.h"
#include "assets/xml_text.h"
#include "engine/foundation/lower_case.h"
#include "engine/geometry/triangle_mesh.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

using Element = MjcfDocument::Element;
using SharedMesh = std::shared_ptr<const TriangleMesh>;

constexpr double kGrey = 0.5;  // of geoms without a colour

std::string nameOf(const Element& element) {
  const std::string name = attributeOr(element, "name", "");
  return name.empty() ? fs::path(attributeOr(element, "file", "")).stem().string() : name;
}

bool isUri(const std::string& file) {
  return file.find("://") != std::string::npos;
}

std::string bareName(const std::string& file) {
  return fs::path(file).filename().string();
}

/// A URI says itself where it is, as an absolute path does.
std::string nameIn(const std::string& folder, const std::string& file) {
  return isUri(file) ? file : (fs::path(folder) / file).string();
}

template <class Value>
std::vector<std::string> keysOf(const std::map<std::string, Value>& map) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

Color colorOf(const std::vector<double>& rgba) {
  const auto part = [&](std::size_t i) { return static_cast<float>(std::clamp(rgba[i], 0.0, 1.0)); };
  return linearColor(part(0), part(1), part(2), part(3));
}

/// Numbers in the text of an attribute as MuJoCo keeps those of meshes.
std::vector<double> floatsIn(const MjcfItem& item, const char* attribute) {
  std::vector<double> numbers = item.numbers(attribute);
  for (double& x : numbers) x = static_cast<double>(static_cast<float>(x));
  return numbers;
}

}  // namespace

MjcfAssets::MjcfAssets(MjcfDocument& document, std::vector<fs::path> packagePaths, LoadProgress* progress)
    : document_(document),
      files_(document.file(), packagePaths, document.meshMarks(), progress),
      packagePaths_(std::move(packagePaths)) {}

Result<void> MjcfAssets::index() {
  for (const Element* element : document_.inSections("asset"))
    if (Result<void> ok = indexOne(*element); !ok) return ok;
  return {};
}

Result<void> MjcfAssets::indexOne(const Element& element) {
  const std::string tag = element.Name(), name = nameOf(element);
  if (tag != "mesh" && tag != "material" && tag != "texture") return {};
  // A sky without a name is named by nothing.
  if (name.empty() && tag == "texture") return {};
  if (name.empty())
    return document_.error(ErrorCode::SyntaxError, element, "the " + tag + " has no name", "add name=\"…\"");
  const bool isNew = tag == "mesh"       ? meshes_.emplace(name, Mesh{&element, {}, {}}).second
                     : tag == "material" ? materials_.emplace(name, &element).second
                                         : textures_.emplace(name, &element).second;
  if (!isNew)
    return document_.invalid(element, "there is a " + tag + " '" + name + "' already", "rename one of them");
  return {};
}

Result<MjcfAssets::Mesh*> MjcfAssets::find(const std::string& name, const Element& user) {
  const auto found = meshes_.find(name);
  if (found == meshes_.end()) return document_.unknown(user, "mesh", name, keysOf(meshes_));
  return &found->second;
}

bool MjcfAssets::hasNoExtent(const std::string& name) const {
  const auto found = meshes_.find(name);
  return found != meshes_.end() &&
         (document_.item(*found->second.element).vec3("scale", Vec3::Ones()).array() == 0).any();
}

Result<SharedMesh> MjcfAssets::mesh(const std::string& name, const Element& user) {
  const Result<Mesh*> found = find(name, user);
  if (!found) return found.error();
  Mesh& mesh = **found;
  if (!mesh.drawn) mesh.drawn = load(*mesh.element);
  return *mesh.drawn;
}

Result<SharedMesh> MjcfAssets::hull(const std::string& name, const Element& user) {
  const Result<SharedMesh> drawn = mesh(name, user);
  if (!drawn) return drawn;
  Mesh& mesh = meshes_.at(name);
  if (!mesh.hull) {
    mesh.hull = convexHull((*drawn)->vertices);
    if (!*mesh.hull) {
      const Error& flat = mesh.hull->error();
      mesh.hull = document_.error(flat.code, *mesh.element, flat.what, flat.remedy);
    }
  }
  return *mesh.hull;
}

Result<MassProperties> MjcfAssets::mass(const std::string& name, const Element& user) {
  const Result<SharedMesh> drawn = mesh(name, user);
  if (!drawn) return drawn.error();
  const MjcfItem item = document_.item(*meshes_.at(name).element);
  const std::string way =
      item.text("inertia", document_.compiler(item.element()).exactMeshInertia ? "exact" : "legacy");
  const Result<SharedMesh> weighed = way == "convex" ? hull(name, user) : drawn;
  if (!weighed) return weighed.error();
  Result<MassProperties> mass = meshProperties(**weighed, way);
  if (mass) return mass;
  return document_.error(mass.error().code, item.element(), mass.error().what, mass.error().remedy);
}

/// As the main file can name it: of a model elsewhere the file is looked for here.
std::string MjcfAssets::pathOf(const Element& element, const std::string& file,
                               const std::string& folder) const {
  const std::string path = nameIn(folder, document_.compiler(element).stripsPaths ? bareName(file) : file);
  const fs::path base = document_.folderOf(element);
  if (base == document_.file().parent_path()) return path;
  const Result<FoundFile> found = findFile(path, base, packagePaths_);
  if (!found) return isUri(path) ? path : (absoluteFolder(base) / path).string();
  if (!found->remark.empty())
    noteOnce(document_.notices, {Notice::Level::Info, document_.where(element),
                                 oneLine("the file '" + path + "' " + found->remark)});
  return std::string(kFoundBefore) + (absoluteFolder("") / found->file).string();
}

Result<SharedMesh> MjcfAssets::load(const Element& element) {
  const MjcfItem item = document_.item(element);
  const std::string file = item.text("file"), name = nameOf(element);
  if (item.has("builtin"))
    return document_.error(
        ErrorCode::Unsupported, element,
        "meshes that MuJoCo makes (builtin=\"" + item.text("builtin") + "\") are not made here",
        "save the mesh as a file, or write its vertices and faces");
  Result<SharedMesh> mesh = file.empty() ? writtenMesh(item, name) : loadFile(item, file);
  if (!mesh) return document_.error(mesh.error().code, element, mesh.error().what, mesh.error().remedy);
  return placedMesh(**mesh, item);
}

Result<SharedMesh> MjcfAssets::loadFile(const MjcfItem& item, const std::string& file) {
  const std::string uri = pathOf(item.element(), file, document_.compiler(item.element()).meshFolder);
  if (lowerSuffix(file) == ".msh" || item.text("content_type") == "model/vnd.mujoco.msh") {
    const Result<fs::path> path = resolveFile(uri, document_.file().parent_path(), packagePaths_);
    if (!path) return path.error();
    return readMsh(*path);
  }
  const Result<Shape> shape = files_.read(uri, Vec3::Ones(), document_.notices);
  if (!shape) return shape.error();
  return std::get<shape::Mesh>(*shape).mesh;
}

/// A mesh whose vertices stand in the file itself; without faces it is the convex hull of its points.
Result<SharedMesh> MjcfAssets::writtenMesh(const MjcfItem& item, const std::string& name) const {
  const std::vector<double> points = floatsIn(item, "vertex"), uvs = item.numbers("texcoord"),
                            faces = item.numbers("face");
  if (points.empty())
    return Error{ErrorCode::SyntaxError, "the mesh has neither a file nor vertices", "",
                 "add file=\"…\" or vertex=\"…\""};
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->name = name;
  for (std::size_t i = 0; i + 2 < points.size(); i += 3)
    mesh->vertices.emplace_back(points[i], points[i + 1], points[i + 2]);
  if (faces.empty()) return convexHull(mesh->vertices);
  const auto index = [&](std::size_t i) { return static_cast<int>(std::clamp(faces[i], -1.0, 2e9)); };
  for (std::size_t i = 0; i + 2 < faces.size(); i += 3)
    mesh->triangles.emplace_back(index(i), index(i + 1), index(i + 2));
  if (uvs.size() / 2 == mesh->vertices.size())
    for (std::size_t i = 0; i + 1 < uvs.size(); i += 2)
      mesh->uvs.emplace_back(static_cast<float>(uvs[i]), static_cast<float>(uvs[i + 1]));
  if (const auto checked = checkTriangles(mesh->vertices, mesh->triangles); !checked) return checked.error();
  return SharedMesh(std::move(mesh));
}

Result<MjcfLook> MjcfAssets::look(const MjcfItem& geom, const std::string& mesh) {
  MjcfLook look;
  look.given.color = true;  // what a mesh's file says of colours does not count in MuJoCo
  look.color = colorOf({kGrey, kGrey, kGrey, 1});
  std::string material = geom.text("material");
  if (const auto known = meshes_.find(mesh); material.empty() && known != meshes_.end())
    material = document_.item(*known->second.element).text("material");
  if (!material.empty()) {
    const auto known = materials_.find(material);
    if (known == materials_.end())
      return document_.unknown(geom.element(), "material", material, keysOf(materials_));
    applyMaterial(*known->second, look);
  }
  const std::vector<double> rgba = geom.numbers("rgba", {kGrey, kGrey, kGrey, 1});
  const bool isOwn = rgba != std::vector<double>{kGrey, kGrey, kGrey, 1};
  if (isOwn) look.color = colorOf(rgba);
  return look;
}

void MjcfAssets::applyMaterial(const Element& material, MjcfLook& look) {
  const MjcfItem item = document_.item(material);
  look.color = colorOf(item.numbers("rgba", {1, 1, 1, 1}));
  const double roughness = item.number("roughness", -1), metallic = item.number("metallic", -1);
  if (roughness >= 0) look.finish.roughness = static_cast<float>(std::min(roughness, 1.0));
  if (metallic >= 0) look.finish.metallic = static_cast<float>(std::min(metallic, 1.0));
  look.given.finish = roughness >= 0 || metallic >= 0;
  std::string texture = item.text("texture");
  for (const Element* layer : document_.children(material))
    if (std::string_view(layer->Name()) == "layer" &&
        std::string_view(attributeOr(*layer, "role", "")) == "rgb")
      texture = attributeOr(*layer, "texture", "");
  if (!texture.empty()) applyTexture(material, texture, look);
}

/// A flat image of a file lies on meshes that say where; of a pattern that MuJoCo paints the mean colour is seen.
void MjcfAssets::applyTexture(const Element& user, const std::string& name, MjcfLook& look) {
  const auto known = textures_.find(name);
  if (known == textures_.end()) {
    document_.note(Notice::Level::Warning, user, "there is no texture '" + name + "': shown without it");
    return;
  }
  const MjcfItem texture = document_.item(*known->second);
  const std::string builtin = texture.text("builtin", "none"), file = texture.text("file");
  if (builtin != "none") {
    const Vec3 first = texture.vec3("rgb1", Vec3::Constant(0.8)),
               second = texture.vec3("rgb2", Vec3::Constant(0.5));
    const Vec3 mean = builtin == "flat" ? first : Vec3((first + second) / 2);
    look.color = look.color.cwiseProduct(colorOf({mean.x(), mean.y(), mean.z(), 1}));
    noteOnce(document_.notices, {Notice::Level::Info, document_.where(texture.element()),
                                 "its pattern is shown as its mean colour"});
    return;
  }
  if (texture.text("type", "cube") != "2d" || file.empty()) {
    noteOnce(document_.notices, {Notice::Level::Info, document_.where(texture.element()),
                                 "images around things (cube, skybox) are not shown"});
    return;
  }
  look.given.maps.color =
      files_.image(pathOf(texture.element(), file, document_.compiler(texture.element()).textureFolder),
                   ImageUse::Color, document_.where(texture.element()), document_.notices);
}

}  // namespace slipstick::assets
