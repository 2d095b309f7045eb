#include "assets/mesh_io.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "assets/mesh_cache.h"
#include "assets/mesh_textures.h"
#include "assets/one_line.h"
#include "assets/robot_checks.h"
#include "assets/shipped.h"
#include "engine/foundation/guarded.h"
#include "engine/foundation/nearest_name.h"
#include "engine/foundation/number_text.h"
#include "engine/geometry/triangle_mesh.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

/// Most robots' parts are smaller; millimetres read as metres are not [m].
constexpr double kSuspiciousSize = 50;

using Parts = std::vector<const MeshPart*>;

/// glTF stores linear factors, all other formats what a painter saw.
Eigen::Vector4f toLinear(const Eigen::Vector4f& c, bool isGltf) {
  return isGltf ? c : linearColor(c[0], c[1], c[2], c[3]);
}

/// Gathers the triangles of parts into one mesh.
class MeshCollector {
 public:
  /// @param textures  per material
  MeshCollector(const MeshContent& content, const Parts& parts, const std::vector<MaterialTextures>& textures,
                const Vec3& scale)
      : content_(content), parts_(parts), textures_(textures), scale_(scale) {
    for (const MeshPart* part : parts) {
      allNormals_ &= !part->normals.empty();
      anyColor_ |= !part->colors.empty() || materialOf(*part).hasColor || texturesOn(*part).maps.color;
      anyFinish_ |= finishOf(*part).has_value();
      anyUv_ |= uvsOf(*part, texturesOn(*part).uvChannel) != nullptr;
    }
  }

  TriangleMesh collect() const {
    TriangleMesh mesh;
    for (const MeshPart* part : parts_) append(*part, mesh);
    return mesh;
  }

 private:
  const MeshMaterial& materialOf(const MeshPart& part) const { return content_.materials[part.material]; }

  /// Empty for a part that cannot wear them.
  const MaterialTextures& texturesOn(const MeshPart& part) const {
    static const MaterialTextures kNone;
    const MaterialTextures& textures = textures_[part.material];
    return uvsOf(part, textures.uvChannel) ? textures : kNone;
  }

  void append(const MeshPart& part, TriangleMesh& out) const {
    const int offset = static_cast<int>(out.vertices.size());
    const Vec3 inverseScale = scale_.cwiseInverse();
    const std::vector<Eigen::Vector2f>* uvs = uvsOf(part, texturesOn(part).uvChannel);
    for (std::size_t i = 0; i < part.positions.size(); ++i) {
      out.vertices.push_back(part.positions[i].cast<double>().cwiseProduct(scale_));
      if (allNormals_) {
        const Vec3 n = part.normals[i].cast<double>().cwiseProduct(inverseScale);
        out.normals.push_back(n.norm() > 0 ? Vec3(n.normalized()) : Vec3(Vec3::UnitZ()));
      }
      if (anyColor_) out.colors.push_back(colorOf(part, i));
      // Files count from the lower left corner, pictures from the upper left one.
      if (anyUv_)
        out.uvs.push_back(uvs ? Eigen::Vector2f((*uvs)[i].x(), 1 - (*uvs)[i].y()) : Eigen::Vector2f(0, 0));
    }
    const std::size_t firstTriangle = out.triangles.size();
    if (anyFinish_) out.finishes.resize(out.vertices.size(), finishOf(part).value_or(Finish{}));
    const bool mirrored = (scale_.prod() < 0) != part.isMirrored;
    for (const auto& indices : part.triangles) {
      Eigen::Vector3i t(offset + static_cast<int>(indices[0]), offset + static_cast<int>(indices[1]),
                        offset + static_cast<int>(indices[2]));
      if (mirrored) std::swap(t[1], t[2]);
      out.triangles.push_back(t);
    }
    const SurfaceMaps& maps = texturesOn(part).maps;
    if (!maps.empty()) out.textured.push_back({firstTriangle, out.triangles.size() - firstTriangle, maps});
  }

  Eigen::Vector4f colorOf(const MeshPart& part, std::size_t vertex) const {
    // Outside glTF the diffuse image stands in the colour's place: exporters leave any grey beside it.
    if (!content_.isGltf && texturesOn(part).maps.color) return Eigen::Vector4f::Ones();
    return toLinear(part.colors.empty() ? materialOf(part).color : part.colors[vertex], content_.isGltf);
  }

  /// None where the file says nothing, or says it in an image that cannot be had. Beside an image a factor that is not
  /// written is 1.
  std::optional<Finish> finishOf(const MeshPart& part) const {
    const MeshMaterial& material = materialOf(part);
    if (!material.hasFinish) return std::nullopt;
    const MaterialTextures& textures = texturesOn(part);
    const auto isNamed = [&](MapKind kind) {
      return !material.maps[static_cast<std::size_t>(kind)].name.empty();
    };
    const bool roughnessImage = isNamed(MapKind::Roughness), metallicImage = isNamed(MapKind::Metallic);
    const bool anyImage = roughnessImage || metallicImage;
    if (anyImage && (textures.finishMissing || !textures.maps.finish)) return std::nullopt;
    if (!material.roughness && !material.metallic && !anyImage) return std::nullopt;
    Finish finish;
    if (roughnessImage) finish.roughness = 1;
    if (metallicImage) finish.metallic = 1;
    finish.roughness = std::clamp(material.roughness.value_or(finish.roughness), 0.0f, 1.0f);
    finish.metallic = std::clamp(material.metallic.value_or(finish.metallic), 0.0f, 1.0f);
    return finish;
  }

  const MeshContent& content_;
  const Parts& parts_;
  const std::vector<MaterialTextures>& textures_;
  Vec3 scale_;
  bool allNormals_ = true, anyColor_ = false, anyFinish_ = false, anyUv_ = false;
};

Result<Parts> partsOf(const MeshContent& content, const MeshWish& wish) {
  Parts parts;
  std::vector<std::string> names;
  for (const MeshPart& part : content.parts) {
    if (wish.submesh.empty() || part.node == wish.submesh || part.mesh == wish.submesh)
      parts.push_back(&part);
    for (const std::string& name : {part.node, part.mesh})
      if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (parts.empty() && !wish.submesh.empty())
    return Error{ErrorCode::UnknownName, "the mesh has no part '" + oneLine(wish.submesh) + "'",
                 wish.file.string(), oneLine(suggestName(wish.submesh, names))};
  return parts;
}

void moveToMiddle(TriangleMesh& mesh) {
  if (mesh.vertices.empty()) return;
  const Aabb box = boundsOf(mesh);
  const Vec3 middle = (box.lower + box.upper) / 2;
  for (Vec3& vertex : mesh.vertices) vertex -= middle;
}

std::string conventionsOf(const MeshContent& content) {
  std::string text;
  if (content.unit)
    text = "the unit is " + significant(*content.unit, 6) + " m" +
           (content.unitName.empty() ? "" : " (" + content.unitName + ")");
  const char* const joint = text.empty() ? "" : ", and ";
  if (content.isGltf)
    text += std::string(joint) + "the y axis, which is up in glTF, became z";
  else if (content.up != 0)
    text += std::string(joint) + "the file calls " + content.up +
            " its upper axis, which robot tools do not apply";
  return text;
}

void noteSize(const fs::path& file, const TriangleMesh& mesh, std::vector<Notice>& notices) {
  const double size = sizeOf(mesh);
  if (size > kSuspiciousSize)
    notices.push_back({Notice::Level::Warning, file.string(),
                       "it is " + std::to_string(static_cast<long long>(std::min(size, 1e15))) +
                           " m large: if its unit is the millimetre, give it the scale 0.001"});
}

/// Materials that an OBJ names and nobody has; a buffer of glTF that is missing is an error of its reader.
void noteMissed(const fs::path& file, const MeshContent& content, std::vector<Notice>& notices) {
  if (content.missed.empty() || !content.opened.empty()) return;
  notices.push_back({Notice::Level::Warning, file.string(),
                     "it is shown without the colours in " + oneLine(content.missed.front().string()) +
                         ", which is not there; put that file beside it"});
}

Result<LoadedMesh> dressed(const MeshContent& content, const MeshWish& wish) {
  const Result<Parts> parts = partsOf(content, wish);
  if (!parts) return parts.error();
  LoadedMesh loaded;
  const std::vector<MaterialTextures> textures = texturesOf(content, *parts, wish.file, loaded.notices);
  auto mesh = std::make_shared<TriangleMesh>(MeshCollector(content, *parts, textures, wish.scale).collect());
  mesh->name = wish.file.stem().string();
  if (const auto checked = checkTriangles(mesh->vertices, mesh->triangles); !checked)
    return Error{checked.error().code, checked.error().what, wish.file.string(), checked.error().remedy};
  if (wish.center) moveToMiddle(*mesh);
  noteMissed(wish.file, content, loaded.notices);
  noteSize(wish.file, *mesh, loaded.notices);
  loaded.conventions = conventionsOf(content);
  loaded.mesh = std::move(mesh);
  return loaded;
}

}  // namespace

Result<LoadedMesh> loadMesh(const MeshWish& wish, const LoadProgress* progress) {
  const auto refused = [&](ErrorCode code, const std::string& what, const std::string& remedy) {
    return Error{code, what, wish.file.string(), remedy};
  };
  if (const Result<void> isFile = checkIsFile(wish.file); !isFile)
    return isFile.error().code == ErrorCode::FileNotFound
               ? refused(ErrorCode::FileNotFound, "the mesh file does not exist", "check the path")
               : isFile.error();
  if (!wish.scale.allFinite() || (wish.scale.array() == 0).any())
    return refused(ErrorCode::InvalidValue, "the mesh's scale is zero or not a number",
                   "write a scale such as 1 or 0.001");
  const auto content = MeshCache::shared().contentOf(wish.file, progress);
  if (!content) return content.error();
  return guarded(ErrorCode::FileUnreadable, wish.file.native(), [&] { return dressed(**content, wish); });
}

Result<LoadedMesh> loadMesh(const fs::path& file, const Vec3& scale) {
  return loadMesh(MeshWish{file, scale});
}

double sizeOf(const TriangleMesh& mesh) {
  const Aabb box = boundsOf(mesh);
  return (box.upper - box.lower).maxCoeff();
}

std::string sizeText(const TriangleMesh& mesh) {
  const Aabb box = boundsOf(mesh);
  const Vec3 size = box.upper - box.lower;
  return significant(size.x(), 3) + " x " + significant(size.y(), 3) + " x " + significant(size.z(), 3) +
         " m";
}

void noteConventions(const fs::path& file, const LoadedMesh& loaded, std::vector<Notice>& notices) {
  if (!loaded.conventions.empty())
    notices.push_back({Notice::Level::Info, file.string(),
                       "it is " + sizeText(*loaded.mesh) + " large: " + loaded.conventions});
}

std::shared_ptr<const TriangleMesh> collisionMesh(const TriangleMesh& mesh) {
  return std::make_shared<TriangleMesh>(welded(mesh));
}

}  // namespace slipstick::assets
