// Meshes through Assimp.
#include <assimp/DefaultIOSystem.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>
#include <cmath>
#include <optional>

#include "assets/file_log.h"
#include "assets/mesh_textures.h"
#include "assets/robot_checks.h"
#include "assets/robot_io.h"
#include "engine/geometry/triangle_mesh.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kLargestMesh = std::uintmax_t{512} << 20;
/// Most robots' parts are smaller; millimetres read as metres are not [m].
constexpr double kSuspiciousSize = 50;
constexpr int kDeepestNode = 200;

std::string lowerExtension(const fs::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

/// A mesh may bring others: materials, buffers.
class NotedFiles : public Assimp::DefaultIOSystem {
 public:
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    Assimp::IOStream* stream = Assimp::DefaultIOSystem::Open(file, mode);
    if (stream) FileLog::note(file);
    return stream;
  }
};

/// glTF stores linear factors, all other formats what a painter saw.
Eigen::Vector4f toLinear(const aiColor4D& c, bool isGltf) {
  if (isGltf) return {c.r, c.g, c.b, c.a};
  return linearColor(c.r, c.g, c.b, c.a);
}

/// Gathers all triangles of an Assimp scene into one mesh.
class MeshCollector {
 public:
  /// @param textures  per material of the scene
  MeshCollector(const aiScene& scene, const std::vector<MaterialTextures>& textures, const Vec3& scale,
                bool isGltf)
      : scene_(scene), textures_(textures), scale_(scale), isGltf_(isGltf) {
    for (unsigned i = 0; i < scene.mNumMeshes; ++i) {
      const aiMesh& mesh = *scene.mMeshes[i];
      allNormals_ &= mesh.HasNormals();
      anyColor_ |= mesh.HasVertexColors(0) || hasOwnColor(mesh) || texturesOn(mesh).maps.color;
      anyFinish_ |= finishOf(mesh).has_value();
      anyUv_ |= mesh.HasTextureCoords(texturesOn(mesh).uvChannel);
    }
  }

  bool collect(const aiNode& node, const aiMatrix4x4& parent, int depth, TriangleMesh& out) const {
    if (depth > kDeepestNode) return false;
    const aiMatrix4x4 pose = parent * node.mTransformation;
    for (unsigned i = 0; i < node.mNumMeshes; ++i) append(*scene_.mMeshes[node.mMeshes[i]], pose, out);
    for (unsigned i = 0; i < node.mNumChildren; ++i)
      if (!collect(*node.mChildren[i], pose, depth + 1, out)) return false;
    return true;
  }

 private:
  bool hasOwnColor(const aiMesh& mesh) const {
    if (mesh.mMaterialIndex >= scene_.mNumMaterials) return false;
    aiString name;
    const aiMaterial& material = *scene_.mMaterials[mesh.mMaterialIndex];
    material.Get(AI_MATKEY_NAME, name);
    aiColor4D color;
    // Assimp gives meshes without a material a grey default; that is not a colour of the file's.
    return std::string(name.C_Str()) != AI_DEFAULT_MATERIAL_NAME &&
           std::string(name.C_Str()) != "DefaultMaterial" &&
           material.Get(AI_MATKEY_COLOR_DIFFUSE, color) == aiReturn_SUCCESS;
  }

  /// Empty for a mesh that cannot wear them.
  const MaterialTextures& texturesOn(const aiMesh& mesh) const {
    static const MaterialTextures kNone;
    if (mesh.mMaterialIndex >= textures_.size()) return kNone;
    const MaterialTextures& textures = textures_[mesh.mMaterialIndex];
    return mesh.HasTextureCoords(textures.uvChannel) ? textures : kNone;
  }

  /// Assimp counts from the lower left corner, whatever the format.
  Eigen::Vector2f uvOf(const aiMesh& mesh, unsigned vertex) const {
    const unsigned channel = texturesOn(mesh).uvChannel;
    if (!mesh.HasTextureCoords(channel)) return Eigen::Vector2f::Zero();
    const aiVector3D& uv = mesh.mTextureCoords[channel][vertex];
    return {uv.x, 1 - uv.y};
  }

  Vec3 toWorld(const aiVector3D& v) const {
    const Vec3 p = Vec3(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
    return isGltf_ ? Vec3(p.x(), -p.z(), p.y()) : p;  // glTF is y up
  }

  void append(const aiMesh& mesh, const aiMatrix4x4& pose, TriangleMesh& out) const {
    const int offset = static_cast<int>(out.vertices.size());
    const aiMatrix3x3 directions = aiMatrix3x3(pose).Inverse().Transpose();
    const Vec3 inverseScale = scale_.cwiseInverse();
    const bool mirrored = scale_.prod() * static_cast<double>(aiMatrix3x3(pose).Determinant()) < 0;
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      out.vertices.push_back(toWorld(pose * mesh.mVertices[i]).cwiseProduct(scale_));
      if (allNormals_) {
        const Vec3 n = toWorld(directions * mesh.mNormals[i]).cwiseProduct(inverseScale);
        out.normals.push_back(n.norm() > 0 ? Vec3(n.normalized()) : Vec3(Vec3::UnitZ()));
      }
      if (anyColor_) out.colors.push_back(colorOf(mesh, i));
      if (anyUv_) out.uvs.push_back(uvOf(mesh, i));
    }
    const std::size_t firstTriangle = out.triangles.size();
    if (anyFinish_) out.finishes.resize(out.vertices.size(), finishOf(mesh).value_or(Finish{}));
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices != 3) continue;
      Eigen::Vector3i t(offset + static_cast<int>(face.mIndices[0]),
                        offset + static_cast<int>(face.mIndices[1]),
                        offset + static_cast<int>(face.mIndices[2]));
      if (mirrored) std::swap(t[1], t[2]);
      out.triangles.push_back(t);
    }
    const SurfaceMaps& maps = texturesOn(mesh).maps;
    if (!maps.empty()) out.textured.push_back({firstTriangle, out.triangles.size() - firstTriangle, maps});
  }

  Eigen::Vector4f colorOf(const aiMesh& mesh, unsigned vertex) const {
    // Outside glTF the diffuse image stands in the colour's place: exporters leave any grey beside it.
    if (!isGltf_ && texturesOn(mesh).maps.color) return Eigen::Vector4f::Ones();
    if (mesh.HasVertexColors(0)) return toLinear(mesh.mColors[0][vertex], isGltf_);
    aiColor4D color(0.8f, 0.8f, 0.8f, 1);
    if (mesh.mMaterialIndex < scene_.mNumMaterials)
      scene_.mMaterials[mesh.mMaterialIndex]->Get(AI_MATKEY_COLOR_DIFFUSE, color);
    return toLinear(color, isGltf_);
  }

  /// None where the file says nothing, or says it in an image that cannot be had. Beside an image a factor
  /// that is not written is 1.
  std::optional<Finish> finishOf(const aiMesh& mesh) const {
    if (mesh.mMaterialIndex >= scene_.mNumMaterials) return std::nullopt;
    const aiMaterial& material = *scene_.mMaterials[mesh.mMaterialIndex];
    // Assimp ends a glTF file's materials with one of its own, all metal, for meshes that have none.
    aiString name;
    const bool last = mesh.mMaterialIndex + 1 == scene_.mNumMaterials;
    if (isGltf_ && last && (material.Get(AI_MATKEY_NAME, name) != aiReturn_SUCCESS || name.length == 0))
      return std::nullopt;
    const MaterialTextures& textures = texturesOn(mesh);
    const bool roughnessImage = material.GetTextureCount(aiTextureType_DIFFUSE_ROUGHNESS) > 0;
    const bool metallicImage = material.GetTextureCount(aiTextureType_METALNESS) > 0;
    const bool anyImage = roughnessImage || metallicImage;
    if (anyImage && (textures.finishMissing || !textures.maps.finish)) return std::nullopt;
    Finish finish;
    if (roughnessImage) finish.roughness = 1;
    if (metallicImage) finish.metallic = 1;
    const bool rough = material.Get(AI_MATKEY_ROUGHNESS_FACTOR, finish.roughness) == aiReturn_SUCCESS;
    const bool metallic = material.Get(AI_MATKEY_METALLIC_FACTOR, finish.metallic) == aiReturn_SUCCESS;
    if (!rough && !metallic && !anyImage) return std::nullopt;
    finish.roughness = std::clamp(finish.roughness, 0.0f, 1.0f);
    finish.metallic = std::clamp(finish.metallic, 0.0f, 1.0f);
    return finish;
  }

  const aiScene& scene_;
  const std::vector<MaterialTextures>& textures_;
  Vec3 scale_;
  bool isGltf_;
  bool allNormals_ = true, anyColor_ = false, anyFinish_ = false, anyUv_ = false;
};

void noteSize(const fs::path& file, const TriangleMesh& mesh, std::vector<Notice>& notices) {
  const Aabb box = boundsOf(mesh);
  const double size = (box.upper - box.lower).maxCoeff();
  if (size > kSuspiciousSize)
    notices.push_back({Notice::Level::Warning, file.string(),
                       "it is " + std::to_string(static_cast<long long>(size)) +
                           " m large: if its unit is the millimetre, give it the scale 0.001"});
}

}  // namespace

Result<LoadedMesh> loadMesh(const fs::path& file, const Vec3& scale) {
  const auto unreadable = [&](ErrorCode code, const std::string& what, const std::string& remedy) {
    return Error{code, what, file.string(), remedy};
  };
  std::error_code failed;
  if (!fs::is_regular_file(file, failed))
    return unreadable(ErrorCode::FileNotFound, "the mesh file does not exist", "check the path");
  if (fs::file_size(file, failed) > kLargestMesh || failed)
    return unreadable(ErrorCode::FileUnreadable, "the mesh file is larger than 512 MiB", "simplify the mesh");
  if (!scale.allFinite() || (scale.array() == 0).any())
    return unreadable(ErrorCode::InvalidValue, "the mesh's scale is zero or not a number",
                      "write a scale such as 1 or 0.001");

  const std::string extension = lowerExtension(file);
  const bool isGltf = extension == ".gltf" || extension == ".glb";
  Assimp::Importer importer;
  importer.SetIOHandler(new NotedFiles);  // which owns it
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  unsigned steps = aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_JoinIdenticalVertices |
                   aiProcess_ValidateDataStructure;
  if (extension == ".stl") {
    // STL has one normal per facet: without them vertices can be shared and smoothed by angle.
    importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_NORMALS);
    steps |= aiProcess_RemoveComponent;
  }
  const aiScene* scene = importer.ReadFile(file.string(), steps);
  if (!scene || !scene->mRootNode) {
    std::string reason = importer.GetErrorString();
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    return unreadable(ErrorCode::SyntaxError, "the mesh cannot be read: " + reason,
                      "export it again as STL, OBJ, DAE, glTF or PLY");
  }
  LoadedMesh loaded;
  const std::vector<MaterialTextures> textures = texturesOf(*scene, file, isGltf, loaded.notices);
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->name = file.stem().string();
  if (!MeshCollector(*scene, textures, scale, isGltf).collect(*scene->mRootNode, aiMatrix4x4(), 0, *mesh))
    return unreadable(ErrorCode::InvalidValue, "the mesh's nodes are nested more than 200 deep",
                      "flatten the file");
  if (const auto checked = checkTriangles(mesh->vertices, mesh->triangles); !checked)
    return unreadable(checked.error().code, checked.error().what, checked.error().remedy);
  noteSize(file, *mesh, loaded.notices);
  loaded.mesh = std::move(mesh);
  return loaded;
}

std::shared_ptr<const TriangleMesh> collisionMesh(const TriangleMesh& mesh) {
  return std::make_shared<TriangleMesh>(welded(mesh));
}

}  // namespace slipstick::assets
