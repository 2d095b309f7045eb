#include "assets/mesh_textures.h"

#include <assimp/material.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include "assets/drake_tags.h"
#include "assets/image_io.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

/// glTF writes URIs: "link%201.png".
std::string percentDecoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) {
      return at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    if (text[i] == '%' && digit(i + 1) && digit(i + 2)) {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// Relative to the mesh, or else, as many files carry paths of the machine that they were made on, by its mere
/// name beside the mesh.
fs::path imageFile(std::string name, const fs::path& mesh) {
  std::replace(name.begin(), name.end(), '\\', '/');
  if (name.starts_with("file://")) name.erase(0, 7);
  const fs::path folder = mesh.parent_path();
  std::error_code ignored;
  for (const std::string& spelled : {name, percentDecoded(name)})
    for (const fs::path& path : {folder / spelled, folder / fs::path(spelled).filename()})
      if (fs::is_regular_file(path, ignored)) return path.lexically_normal();
  return (folder / name).lexically_normal();
}

class TextureReader {
 public:
  TextureReader(const aiScene& scene, const fs::path& file, std::vector<Notice>& notices)
      : scene_(scene), file_(file), notices_(notices) {}

  MaterialTextures read(const aiMaterial& material, bool isGltf) {
    MaterialTextures out;
    out.maps.color = first(material, {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE}, ImageUse::Color, out);
    const SharedImage roughness = first(material, {aiTextureType_DIFFUSE_ROUGHNESS}, ImageUse::Data, out);
    const SharedImage metallic = first(material, {aiTextureType_METALNESS}, ImageUse::Data, out);
    out.finishMissing = (!roughness && material.GetTextureCount(aiTextureType_DIFFUSE_ROUGHNESS) > 0) ||
                        (!metallic && material.GetTextureCount(aiTextureType_METALNESS) > 0);
    SharedImage occlusion;
    if (isGltf) {
      // Other formats put baked light there, and heights in place of normals.
      occlusion = first(material, {aiTextureType_LIGHTMAP}, ImageUse::Data, out);
      out.maps.normal = first(material, {aiTextureType_NORMALS}, ImageUse::Data, out);
    }
    out.maps.finish = packFinish(occlusion, roughness, metallic);
    return out;
  }

 private:
  /// The image of the first of these kinds that the material has. All images of a material lie as the first
  /// one that it has.
  SharedImage first(const aiMaterial& material, std::initializer_list<aiTextureType> kinds, ImageUse use,
                    MaterialTextures& out) {
    for (const aiTextureType kind : kinds) {
      aiString name;
      unsigned uvChannel = 0;
      if (material.GetTexture(kind, 0, &name, nullptr, &uvChannel) != aiReturn_SUCCESS || name.length == 0)
        continue;
      SharedImage image = load(name, use);
      if (image && out.maps.empty()) out.uvChannel = uvChannel;
      return image;
    }
    return nullptr;
  }

  SharedImage load(const aiString& name, ImageUse use) {
    const auto [embedded, index] = scene_.GetEmbeddedTextureAndIndex(name.C_Str());
    if (embedded && embedded->mHeight != 0) {
      noteMissing("image " + std::to_string(index) + " in it", "it is not compressed", "embed a PNG or JPEG");
      return nullptr;
    }
    const Result<SharedImage> image =
        embedded ? loadEmbeddedImage(file_, index,
                                     {reinterpret_cast<const char*>(embedded->pcData), embedded->mWidth}, use)
                 : loadImage(imageFile(name.C_Str(), file_), use);
    if (image) return *image;
    noteMissing(image.error().where, image.error().what, image.error().remedy);
    return nullptr;
  }

  void noteMissing(const std::string& image, const std::string& what, const std::string& remedy) {
    noteOnce(notices_, {Notice::Level::Warning, file_.string(),
                        "it is shown without its image " + image + ": " + what + "; " + remedy});
  }

  const aiScene& scene_;
  const fs::path& file_;
  std::vector<Notice>& notices_;
};

}  // namespace

std::vector<MaterialTextures> texturesOf(const aiScene& scene, const fs::path& file, bool isGltf,
                                         std::vector<Notice>& notices) {
  std::vector<MaterialTextures> textures(scene.mNumMaterials);
  std::vector<char> used(scene.mNumMaterials, 0);
  for (unsigned i = 0; i < scene.mNumMeshes; ++i)
    if (scene.mMeshes[i]->mMaterialIndex < used.size()) used[scene.mMeshes[i]->mMaterialIndex] = 1;
  TextureReader reader(scene, file, notices);
  for (unsigned i = 0; i < scene.mNumMaterials; ++i)
    if (used[i]) textures[i] = reader.read(*scene.mMaterials[i], isGltf);
  for (unsigned i = 0; i < scene.mNumMeshes; ++i) {
    const aiMesh& mesh = *scene.mMeshes[i];
    if (mesh.mMaterialIndex < used.size() && !textures[mesh.mMaterialIndex].maps.empty() &&
        !mesh.HasTextureCoords(textures[mesh.mMaterialIndex].uvChannel))
      noteOnce(notices, {Notice::Level::Warning, file.string(),
                         "a part of it is shown without its images: it has no texture coordinates; unwrap it "
                         "and export it again"});
  }
  return textures;
}

}  // namespace slipstick::assets
