#include "assets/mesh_textures.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "assets/drake_tags.h"
#include "assets/file_resolver.h"
#include "assets/image_io.h"
#include "engine/foundation/first_exception.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

/// Per MapKind.
constexpr std::array<ImageUse, kMapKinds> kUses = {ImageUse::Color, ImageUse::Color, ImageUse::Data,
                                                   ImageUse::Data,  ImageUse::Data,  ImageUse::Data};

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
  FirstException failure;
  const auto loadSome = [&] {
    for (std::size_t i = next++; i < list.size() && !failure.happened(); i = next++)
      if (Result<SharedImage> image = loadImage(list[i].first, list[i].second)) images[i] = *image;
  };
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> team;
  for (std::size_t i = 1; i < std::min(cores, list.size()); ++i)
    team.emplace_back([&] { failure.guard(loadSome); });
  failure.guard(loadSome);
  team.clear();  // waits
  failure.rethrow();
  return images;
}

class TextureReader {
 public:
  TextureReader(const MeshContent& content, const fs::path& file, std::vector<Notice>& notices)
      : content_(content), file_(file), notices_(notices) {}

  /// The files that read() will ask for.
  void addFiles(const MeshMaterial& material, std::set<std::pair<fs::path, ImageUse>>& files) const {
    for (std::size_t kind = 0; kind < kMapKinds; ++kind)
      if (const MapReference& map = material.maps[kind]; !map.name.empty() && map.held < 0)
        files.emplace(imageFile(map.name, file_), kUses[kind]);
  }

  MaterialTextures read(const MeshMaterial& material) {
    MaterialTextures out;
    std::array<SharedImage, kMapKinds> images;
    bool placed = false;
    for (std::size_t kind = 0; kind < kMapKinds; ++kind) {
      images[kind] = imageOf(material.maps[kind], kUses[kind]);
      if (images[kind] && !placed)
        out.uvChannel = material.maps[kind].uvChannel;  // the others lie as the first one
      placed |= images[kind] != nullptr;
    }
    const auto& [base, diffuse, roughness, metallic, occlusion, normal] = images;
    const auto isNamed = [&](MapKind kind) {
      return !material.maps[static_cast<std::size_t>(kind)].name.empty();
    };
    out.finishMissing =
        (!roughness && isNamed(MapKind::Roughness)) || (!metallic && isNamed(MapKind::Metallic));
    out.maps = {.color = base ? base : diffuse,
                .finish = packFinish(occlusion, roughness, metallic),
                .normal = normal};
    return out;
  }

 private:
  SharedImage imageOf(const MapReference& map, ImageUse use) {
    if (map.name.empty()) return nullptr;
    if (map.isMoved)
      noteOnce(notices_,
               {Notice::Level::Warning, file_.string(),
                "its images are shown without the shift, turn and scale that its materials give them; "
                "apply these to its texture coordinates and export it again"});
    const HeldImage* held = map.held >= 0 ? &content_.images[static_cast<std::size_t>(map.held)] : nullptr;
    if (held && !held->isPacked) {
      noteMissing("image " + std::to_string(map.held) + " in it", "it is not compressed",
                  "embed a PNG or JPEG");
      return nullptr;
    }
    const Result<SharedImage> image = held ? loadEmbeddedImage(file_, map.held, held->bytes, use)
                                           : loadImage(imageFile(map.name, file_), use);
    if (image) return *image;
    noteMissing(image.error().where, image.error().what, image.error().remedy);
    return nullptr;
  }

  void noteMissing(const std::string& image, const std::string& what, const std::string& remedy) {
    noteOnce(notices_, {Notice::Level::Warning, file_.string(),
                        "it is shown without its image " + image + ": " + what + "; " + remedy});
  }

  const MeshContent& content_;
  const fs::path& file_;
  std::vector<Notice>& notices_;
};

}  // namespace

const std::vector<Eigen::Vector2f>* uvsOf(const MeshPart& part, unsigned channel) {
  for (const MeshPart::Channel& c : part.channels)
    if (c.number == channel && !c.uvs.empty()) return &c.uvs;
  return nullptr;
}

std::vector<MaterialTextures> texturesOf(const MeshContent& content,
                                         const std::vector<const MeshPart*>& parts, const fs::path& file,
                                         std::vector<Notice>& notices) {
  std::vector<MaterialTextures> textures(content.materials.size());
  std::vector<char> used(content.materials.size(), 0);
  for (const MeshPart* part : parts) used[part->material] = 1;
  TextureReader reader(content, file, notices);
  std::set<std::pair<fs::path, ImageUse>> files;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) reader.addFiles(content.materials[i], files);
  const std::vector<SharedImage> held = loadedTogether(files);
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) textures[i] = reader.read(content.materials[i]);
  for (const MeshPart* part : parts)
    if (const MaterialTextures& worn = textures[part->material];
        !worn.maps.empty() && !uvsOf(*part, worn.uvChannel))
      noteOnce(notices, {Notice::Level::Warning, file.string(),
                         "a part of it is shown without its images: it has no texture coordinates; unwrap it "
                         "and export it again"});
  return textures;
}

}  // namespace slipstick::assets
