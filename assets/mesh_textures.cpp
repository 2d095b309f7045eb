#include "assets/mesh_textures.h"

#include <assimp/material.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "assets/drake_tags.h"
#include "assets/image_io.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

struct Kind {
  aiTextureType type;
  ImageUse use;
  bool onlyGltf;  ///< other formats put something else there: baked light, heights in place of normals
};
constexpr std::array kKinds = {Kind{aiTextureType_BASE_COLOR, ImageUse::Color, false},
                               Kind{aiTextureType_DIFFUSE, ImageUse::Color, false},
                               Kind{aiTextureType_DIFFUSE_ROUGHNESS, ImageUse::Data, false},
                               Kind{aiTextureType_METALNESS, ImageUse::Data, false},
                               Kind{aiTextureType_LIGHTMAP, ImageUse::Data, true},
                               Kind{aiTextureType_NORMALS, ImageUse::Data, true}};

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

/// Decodes files on all cores, for who asks for them next.
std::vector<SharedImage> loadedTogether(const std::set<std::pair<fs::path, ImageUse>>& files) {
  const std::vector<std::pair<fs::path, ImageUse>> list(files.begin(), files.end());
  std::vector<SharedImage> images(list.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < list.size(); i = next++)
      if (Result<SharedImage> image = loadImage(list[i].first, list[i].second)) images[i] = *image;
  };
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> team;
  for (std::size_t i = 1; i < std::min(cores, list.size()); ++i) team.emplace_back(work);
  work();
  team.clear();  // waits
  return images;
}

class TextureReader {
 public:
  TextureReader(const aiScene& scene, const fs::path& file, std::vector<Notice>& notices)
      : scene_(scene), file_(file), notices_(notices) {}

  /// The files that read() will ask for.
  void addFiles(const aiMaterial& material, bool isGltf,
                std::set<std::pair<fs::path, ImageUse>>& files) const {
    for (const Kind& kind : kKinds) {
      aiString name;
      if ((isGltf || !kind.onlyGltf) && material.GetTexture(kind.type, 0, &name) == aiReturn_SUCCESS &&
          name.length > 0 && !scene_.GetEmbeddedTexture(name.C_Str()))
        files.emplace(imageFile(name.C_Str(), file_), kind.use);
    }
  }

  MaterialTextures read(const aiMaterial& material, bool isGltf) {
    MaterialTextures out;
    std::array<SharedImage, kKinds.size()> images;
    bool placed = false;
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
      if (kKinds[i].onlyGltf && !isGltf) continue;
      unsigned uvChannel = 0;
      images[i] = imageOf(material, kKinds[i], uvChannel);
      if (images[i] && !placed) out.uvChannel = uvChannel;  // the others lie as the first one
      placed |= images[i] != nullptr;
    }
    const auto& [base, diffuse, roughness, metallic, occlusion, normal] = images;
    out.finishMissing = (!roughness && material.GetTextureCount(aiTextureType_DIFFUSE_ROUGHNESS) > 0) ||
                        (!metallic && material.GetTextureCount(aiTextureType_METALNESS) > 0);
    out.maps = {.color = base ? base : diffuse,
                .finish = packFinish(occlusion, roughness, metallic),
                .normal = normal};
    return out;
  }

 private:
  SharedImage imageOf(const aiMaterial& material, const Kind& kind, unsigned& uvChannel) {
    aiString name;
    if (material.GetTexture(kind.type, 0, &name, nullptr, &uvChannel) != aiReturn_SUCCESS || name.length == 0)
      return nullptr;
    aiUVTransform placed;
    if (material.Get(AI_MATKEY_UVTRANSFORM(kind.type, 0), placed) == aiReturn_SUCCESS &&
        (placed.mRotation != 0 || placed.mScaling != aiVector2D(1, 1) || placed.mTranslation != aiVector2D()))
      noteOnce(notices_,
               {Notice::Level::Warning, file_.string(),
                "its images are shown without the shift, turn and scale that its materials give them; "
                "apply these to its texture coordinates and export it again"});
    return load(name, kind.use);
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
  std::set<std::pair<fs::path, ImageUse>> files;
  for (unsigned i = 0; i < scene.mNumMaterials; ++i)
    if (used[i]) reader.addFiles(*scene.mMaterials[i], isGltf, files);
  const std::vector<SharedImage> held = loadedTogether(files);
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
