#include "assets/mesh_reader.h"

#include <assimp/BaseImporter.h>
#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <array>
#include <assimp/Importer.hpp>
#include <fstream>
#include <string>
#include <utility>

#include "assets/dae_text.h"
#include "assets/gltf_text.h"
#include "assets/limits.h"
#include "assets/mesh_files.h"
#include "assets/mesh_formats.h"
#include "assets/one_line.h"
#include "assets/shipped.h"
#include "assets/utf8.h"
#include "engine/foundation/guarded.h"
#include "engine/foundation/lower_case.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

MakeMeshReader makeReader;
thread_local MeshReading* innermost = nullptr;

class ReaderInThisProcess final : public MeshReader {
 public:
  Result<MeshContent> read(const fs::path& file, const LoadProgress*) override {
    return readMeshContent(file);
  }
};

constexpr std::array<aiTextureType, kMapKinds> kTextureTypes = {
    aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE,  aiTextureType_DIFFUSE_ROUGHNESS,
    aiTextureType_METALNESS,  aiTextureType_LIGHTMAP, aiTextureType_NORMALS};

/// Other formats put something else there: baked light, heights in place of normals.
bool isOnlyOfGltf(MapKind kind) {
  return kind == MapKind::Occlusion || kind == MapKind::Normal;
}

bool isGltf(MeshFormat format) {
  return format == MeshFormat::Gltf || format == MeshFormat::Glb;
}

/// Two importers are for glTF, one of them for version 1.
bool isImporterOf(MeshFormat format, const aiImporterDesc& importer) {
  const std::string suffixes = " " + std::string(importer.mFileExtensions) + " ";
  return suffixes.find(" " + lowerCase(nameOf(format)) + " ") != std::string::npos &&
         (!isGltf(format) || std::string_view(importer.mName).starts_with("glTF2"));
}

/// Leaves the one importer of a format: Assimp would try others by what a file looks like to them.
void keepOnly(Assimp::Importer& importer, MeshFormat format) {
  for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
    Assimp::BaseImporter* loader = importer.GetImporter(i);
    const aiImporterDesc* description = importer.GetImporterInfo(i);
    if (isImporterOf(format, *description)) continue;
    importer.UnregisterLoader(loader);
    delete loader;
  }
}

/// Puts what Assimp has read into our own words.
class ContentBuilder {
 public:
  ContentBuilder(const aiScene& scene, MeshFormat format) : scene_(scene) {
    content_.isGltf = isGltf(format);
  }

  Result<MeshContent> build() {
    for (unsigned i = 0; i < scene_.mNumMaterials; ++i) content_.materials.push_back(materialOf(i));
    for (unsigned i = 0; i < scene_.mNumTextures; ++i)
      content_.images.push_back(imageOf(*scene_.mTextures[i]));
    if (Result<void> ok = collect(*scene_.mRootNode, aiMatrix4x4(), 0); !ok) return ok.error();
    return std::move(content_);
  }

 private:
  static HeldImage imageOf(const aiTexture& texture) {
    const bool isPacked = texture.mHeight == 0;
    return {isPacked, isPacked ? std::string(reinterpret_cast<const char*>(texture.pcData), texture.mWidth)
                               : std::string()};
  }

  MeshMaterial materialOf(unsigned index) const {
    const aiMaterial& material = *scene_.mMaterials[index];
    MeshMaterial out;
    aiString name;
    const bool isNamed = material.Get(AI_MATKEY_NAME, name) == aiReturn_SUCCESS && name.length > 0;
    aiColor4D color;
    const bool hasColor = material.Get(AI_MATKEY_COLOR_DIFFUSE, color) == aiReturn_SUCCESS;
    if (hasColor) out.color = {color.r, color.g, color.b, color.a};
    // Assimp gives meshes without a material a grey default; that is not a colour of the file's.
    const std::string text = name.C_Str();
    out.hasColor = hasColor && text != AI_DEFAULT_MATERIAL_NAME && text != "DefaultMaterial";
    // It ends a glTF file's materials with one of its own, all metal, for meshes that have none.
    out.hasFinish = !content_.isGltf || index + 1 < scene_.mNumMaterials || isNamed;
    float factor = 0;
    if (material.Get(AI_MATKEY_ROUGHNESS_FACTOR, factor) == aiReturn_SUCCESS) out.roughness = factor;
    if (material.Get(AI_MATKEY_METALLIC_FACTOR, factor) == aiReturn_SUCCESS) out.metallic = factor;
    for (std::size_t kind = 0; kind < kMapKinds; ++kind)
      if (content_.isGltf || !isOnlyOfGltf(static_cast<MapKind>(kind)))
        out.maps[kind] = mapOf(material, kTextureTypes[kind]);
    return out;
  }

  MapReference mapOf(const aiMaterial& material, aiTextureType type) const {
    aiString name;
    unsigned channel = 0;
    if (material.GetTexture(type, 0, &name, nullptr, &channel) != aiReturn_SUCCESS || name.length == 0)
      return {};
    MapReference map;
    map.name = name.C_Str();
    map.held = scene_.GetEmbeddedTextureAndIndex(name.C_Str()).second;
    map.uvChannel = channel;
    aiUVTransform placed;
    map.isMoved =
        material.Get(AI_MATKEY_UVTRANSFORM(type, 0), placed) == aiReturn_SUCCESS &&
        (placed.mRotation != 0 || placed.mScaling != aiVector2D(1, 1) || placed.mTranslation != aiVector2D());
    return map;
  }

  Result<void> collect(const aiNode& node, const aiMatrix4x4& parent, int depth) {
    if (depth > limits::kMeshDepth)
      return Error{ErrorCode::InvalidValue,
                   "the mesh's nodes are nested more than " + std::to_string(limits::kMeshDepth) + " deep",
                   "", "flatten the file"};
    const aiMatrix4x4 pose = parent * node.mTransformation;
    for (unsigned i = 0; i < node.mNumMeshes; ++i) {
      const aiMesh& mesh = *scene_.mMeshes[node.mMeshes[i]];
      vertices_ += mesh.mNumVertices;
      triangles_ += mesh.mNumFaces;
      if (content_.parts.size() >= limits::kMeshParts || vertices_ > limits::kMeshVertices ||
          triangles_ > limits::kMeshTriangles)
        return Error{ErrorCode::Unsupported,
                     "the mesh has more than " + std::to_string(limits::kMeshVertices / 1'000'000) +
                         " million vertices or triangles, or " + std::to_string(limits::kMeshParts) +
                         " parts",
                     "", "simplify the mesh"};
      content_.parts.push_back(partOf(mesh, node, pose));
    }
    for (unsigned i = 0; i < node.mNumChildren; ++i)
      if (Result<void> ok = collect(*node.mChildren[i], pose, depth + 1); !ok) return ok;
    return {};
  }

  Eigen::Vector3f toWorld(const aiVector3D& v) const {
    return content_.isGltf ? Eigen::Vector3f(v.x, -v.z, v.y) : Eigen::Vector3f(v.x, v.y, v.z);
  }

  MeshPart partOf(const aiMesh& mesh, const aiNode& node, const aiMatrix4x4& pose) {
    MeshPart part;
    part.node = node.mName.C_Str();
    part.mesh = mesh.mName.C_Str();
    part.material = materialFor(mesh);
    part.isMirrored = aiMatrix3x3(pose).Determinant() < 0;
    const aiMatrix3x3 directions = aiMatrix3x3(pose).Inverse().Transpose();
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      part.positions.push_back(toWorld(pose * mesh.mVertices[i]));
      if (mesh.HasNormals()) part.normals.push_back(toWorld(directions * mesh.mNormals[i]));
      if (!mesh.HasVertexColors(0)) continue;
      const aiColor4D& c = mesh.mColors[0][i];
      part.colors.emplace_back(c.r, c.g, c.b, c.a);
    }
    for (unsigned channel = 0; channel < AI_MAX_NUMBER_OF_TEXTURECOORDS; ++channel)
      if (mesh.HasTextureCoords(channel) && uses(content_.materials[part.material], channel))
        part.channels.push_back(channelOf(mesh, channel));
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices == 3)
        part.triangles.push_back({face.mIndices[0], face.mIndices[1], face.mIndices[2]});
    }
    return part;
  }

  std::uint32_t materialFor(const aiMesh& mesh) {
    if (mesh.mMaterialIndex < scene_.mNumMaterials) return mesh.mMaterialIndex;
    if (content_.materials.size() == scene_.mNumMaterials) {
      content_.materials.emplace_back();
      content_.materials.back().hasFinish = false;
    }
    return scene_.mNumMaterials;
  }

  static bool uses(const MeshMaterial& material, unsigned channel) {
    return channel == 0 ||
           std::any_of(material.maps.begin(), material.maps.end(), [&](const MapReference& map) {
             return !map.name.empty() && map.uvChannel == channel;
           });
  }

  static MeshPart::Channel channelOf(const aiMesh& mesh, unsigned channel) {
    MeshPart::Channel out{channel, {}};
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D& uv = mesh.mTextureCoords[channel][i];
      out.uvs.emplace_back(uv.x, uv.y);
    }
    return out;
  }

  const aiScene& scene_;
  MeshContent content_;
  std::size_t vertices_ = 0, triangles_ = 0;
};

/// As much of a file as tells its format, or all of it.
std::string beginOf(const fs::path& file, std::uintmax_t size) {
  constexpr std::size_t kFirst = 64 << 10;
  std::ifstream stream(file, std::ios::binary);
  std::string begin;
  for (std::size_t wanted = kFirst;; wanted *= 4) {
    const std::size_t before = begin.size();
    begin.resize(std::min<std::uintmax_t>(wanted, size));
    stream.read(begin.data() + before, static_cast<std::streamsize>(begin.size() - before));
    begin.resize(before + static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    if (tellsFormat(begin) || begin.size() >= size || begin.size() < wanted) return begin;
  }
}

unsigned stepsFor(MeshFormat format, Assimp::Importer& importer) {
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES,
                           true);  // by which submeshes are asked for
  unsigned steps = aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_JoinIdenticalVertices |
                   aiProcess_ValidateDataStructure;
  if (format == MeshFormat::Stl) {
    // STL has one normal per facet: without them vertices can be shared and smoothed by angle.
    importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_NORMALS);
    steps |= aiProcess_RemoveComponent;
  }
  return steps;
}

Error unreadable(const Assimp::Importer& importer) {
  return {ErrorCode::SyntaxError, "the mesh cannot be read: " + oneLine(importer.GetErrorString()), "",
          "export it again as STL, OBJ, DAE, glTF 2.0 or PLY"};
}

/// Puts what Assimp takes on trust, or does not know, into its words. @return of DAE what it says of its unit and axis
Result<DaeAsset> prepare(const fs::path& file, MeshFormat format, MeshFiles& files) {
  if (format != MeshFormat::Dae && !isGltf(format)) return DaeAsset{};
  Result<std::string> text = files.readMesh();
  if (!text) return text.error();
  if (format == MeshFormat::Dae) {
    (void)turnIntoUtf8(file, *text);  // of what is guessed only names could be wrong, which nobody is shown
    Result<DaeForAssimp> dae = daeForAssimp(file, std::move(*text));
    if (!dae) return dae.error();
    files.putMesh(std::move(dae->text));
    return dae->asset;
  }
  const auto beside = [&](const std::string& name) { return files.readBeside(name); };
  text = gltfForAssimp(std::move(*text), format == MeshFormat::Glb, beside);
  if (!text) return text.error();
  files.putMesh(std::move(*text));
  return DaeAsset{};
}

Result<MeshContent> readContent(const fs::path& file, const std::function<void(std::uintmax_t)>& onFile) {
  if (Result<void> ok = checkIsFile(file); !ok) return ok.error();
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(file, failed);
  const Result<MeshFormat> format = formatOf(file, beginOf(file, size), size);
  if (!format) return format.error();
  Assimp::Importer importer;
  keepOnly(importer, *format);
  auto* files = new MeshFiles(file, *format, onFile);  // the importer owns it
  importer.SetIOHandler(files);
  const Result<DaeAsset> asset = prepare(file, *format, *files);
  if (!asset) return asset.error();
  const aiScene* scene = importer.ReadFile(file.string(), stepsFor(*format, importer));
  if (files->fault()) return *files->fault();
  if (!scene || !scene->mRootNode) return unreadable(importer);
  Result<MeshContent> content = ContentBuilder(*scene, *format).build();
  if (!content) return content;
  content->opened = files->opened();
  content->missed = files->missed();
  if (*format == MeshFormat::Dae) {
    content->unit = asset->unit;
    content->unitName = asset->unitName;
    if (asset->up) content->up = *asset->up;
  }
  if (isGltf(*format)) content->unit = 1, content->unitName = "metre", content->up = 'Y';
  return content;
}

}  // namespace

Result<MeshContent> readMeshContent(const fs::path& file, const std::function<void(std::uintmax_t)>& onFile) {
  Result<MeshContent> content =
      guarded(ErrorCode::FileUnreadable, file.native(), [&] { return readContent(file, onFile); });
  if (content || !content.error().where.empty()) return content;
  Error error = content.error();
  error.where = file.string();
  return error;
}

Result<ConvexSplit> MeshReader::split(const TriangleMesh& mesh, int most, const LoadProgress* progress) {
  return guarded(ErrorCode::InvalidValue, mesh.name,
                 [&] { return splitIntoConvexParts(mesh, most, progress); });
}

void readMeshesWith(MakeMeshReader make) {
  makeReader = std::move(make);
}

MeshReading::MeshReading() : outer_(innermost) {
  innermost = this;
}

MeshReading::~MeshReading() {
  innermost = outer_;
}

MeshReader& MeshReading::reader() {
  if (outer_) return outer_->reader();
  if (!reader_) reader_ = makeReader ? makeReader() : std::make_unique<ReaderInThisProcess>();
  return *reader_;
}

}  // namespace slipstick::assets
