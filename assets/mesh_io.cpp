// Meshes through Assimp.
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>
#include <cmath>
#include <optional>

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

float linear(float srgb) {
  return srgb <= 0.04045f ? srgb / 12.92f : std::pow((srgb + 0.055f) / 1.055f, 2.4f);
}

/// glTF stores linear factors, all other formats what a painter saw.
Eigen::Vector4f toLinear(const aiColor4D& c, bool isGltf) {
  if (isGltf) return {c.r, c.g, c.b, c.a};
  return {linear(c.r), linear(c.g), linear(c.b), c.a};
}

/// Gathers all triangles of an Assimp scene into one mesh.
class MeshCollector {
 public:
  MeshCollector(const aiScene& scene, const Vec3& scale, bool isGltf)
      : scene_(scene), scale_(scale), isGltf_(isGltf) {
    for (unsigned i = 0; i < scene.mNumMeshes; ++i) {
      allNormals_ &= scene.mMeshes[i]->HasNormals();
      anyColor_ |= scene.mMeshes[i]->HasVertexColors(0) || hasOwnColor(*scene.mMeshes[i]);
      anyFinish_ |= finishOf(*scene.mMeshes[i]).has_value();
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
    }
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
  }

  Eigen::Vector4f colorOf(const aiMesh& mesh, unsigned vertex) const {
    if (mesh.HasVertexColors(0)) return toLinear(mesh.mColors[0][vertex], isGltf_);
    aiColor4D color(0.8f, 0.8f, 0.8f, 1);
    if (mesh.mMaterialIndex < scene_.mNumMaterials)
      scene_.mMaterials[mesh.mMaterialIndex]->Get(AI_MATKEY_COLOR_DIFFUSE, color);
    return toLinear(color, isGltf_);
  }

  /// None where the file says nothing, or says it in a texture, which is not read.
  std::optional<Finish> finishOf(const aiMesh& mesh) const {
    if (mesh.mMaterialIndex >= scene_.mNumMaterials) return std::nullopt;
    const aiMaterial& material = *scene_.mMaterials[mesh.mMaterialIndex];
    // Assimp ends a glTF file's materials with one of its own, all metal, for meshes that have none.
    aiString name;
    const bool last = mesh.mMaterialIndex + 1 == scene_.mNumMaterials;
    if (isGltf_ && last && (material.Get(AI_MATKEY_NAME, name) != aiReturn_SUCCESS || name.length == 0))
      return std::nullopt;
    for (const aiTextureType map : {aiTextureType_METALNESS, aiTextureType_DIFFUSE_ROUGHNESS})
      if (material.GetTextureCount(map) > 0) return std::nullopt;
    Finish finish;
    const bool rough = material.Get(AI_MATKEY_ROUGHNESS_FACTOR, finish.roughness) == aiReturn_SUCCESS;
    const bool metallic = material.Get(AI_MATKEY_METALLIC_FACTOR, finish.metallic) == aiReturn_SUCCESS;
    if (!rough && !metallic) return std::nullopt;
    finish.roughness = std::clamp(finish.roughness, 0.0f, 1.0f);
    finish.metallic = std::clamp(finish.metallic, 0.0f, 1.0f);
    return finish;
  }

  const aiScene& scene_;
  Vec3 scale_;
  bool isGltf_;
  bool allNormals_ = true, anyColor_ = false, anyFinish_ = false;
};

void noteOddities(const fs::path& file, const aiScene& scene, const TriangleMesh& mesh,
                  std::vector<Notice>& notices) {
  const Aabb box = boundsOf(mesh);
  const double size = (box.upper - box.lower).maxCoeff();
  if (size > kSuspiciousSize)
    notices.push_back({Notice::Level::Warning, file.string(),
                       "it is " + std::to_string(static_cast<long long>(size)) +
                           " m large: if its unit is the millimetre, give it the scale 0.001"});
  for (unsigned i = 0; i < scene.mNumMaterials; ++i)
    if (scene.mMaterials[i]->GetTextureCount(aiTextureType_DIFFUSE) > 0) {
      notices.push_back(
          {Notice::Level::Info, file.string(), "its textures are not shown, only its material colours"});
      break;
    }
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
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->name = file.stem().string();
  if (!MeshCollector(*scene, scale, isGltf).collect(*scene->mRootNode, aiMatrix4x4(), 0, *mesh))
    return unreadable(ErrorCode::InvalidValue, "the mesh's nodes are nested more than 200 deep",
                      "flatten the file");
  if (const auto checked = checkTriangles(mesh->vertices, mesh->triangles); !checked)
    return unreadable(checked.error().code, checked.error().what, checked.error().remedy);
  LoadedMesh loaded;
  noteOddities(file, *scene, *mesh, loaded.notices);
  loaded.mesh = std::move(mesh);
  return loaded;
}

std::shared_ptr<const TriangleMesh> collisionMesh(const TriangleMesh& mesh) {
  return std::make_shared<TriangleMesh>(welded(mesh));
}

}  // namespace slipstick::assets
