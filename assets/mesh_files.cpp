#include "assets/mesh_files.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "assets/limits.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

void addOnce(std::vector<fs::path>& files, const fs::path& file) {
  if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
}

}  // namespace

MeshFiles::MeshFiles(fs::path mesh, MeshFormat format, std::function<void(std::uintmax_t)> onFile)
    : mesh_(std::move(mesh)), format_(format), onFile_(std::move(onFile)) {}

bool MeshFiles::isMesh(const fs::path& file) const {
  return file.lexically_normal() == mesh_.lexically_normal();
}

bool MeshFiles::mayBring(const fs::path& file) const {
  const std::string suffix = file.extension().string();
  if (format_ == MeshFormat::Obj) return suffix == ".mtl" || suffix == ".MTL";
  const bool isGltf = format_ == MeshFormat::Gltf || format_ == MeshFormat::Glb;
  return isGltf && (suffix == ".bin" || suffix == ".glbin");
}

bool MeshFiles::Exists(const char* file) const {
  std::error_code ignored;
  return (isMesh(file) || mayBring(file)) && fs::is_regular_file(file, ignored);
}

Assimp::IOStream* MeshFiles::Open(const char* file, const char* mode) {
  const fs::path path = file;
  if (fault_ || !std::string_view(mode).starts_with('r') || (!isMesh(path) && !mayBring(path)))
    return nullptr;
  const fs::path relative =
      path.lexically_normal().lexically_proximate(mesh_.lexically_normal().parent_path());
  std::error_code failed;
  const std::uintmax_t size = fs::is_regular_file(path, failed) ? fs::file_size(path, failed) : 0;
  const bool isThere = size > 0 && !failed;
  if (!isThere) {
    addOnce(missed_, relative);
    return nullptr;
  }
  // The same file may be opened several times: by its name, its beginning, its content.
  const bool isNew =
      isMesh(path) ? bytes_ == 0 : std::find(opened_.begin(), opened_.end(), relative) == opened_.end();
  if (isNew) {
    bytes_ += size;
    if (bytes_ > limits::kMeshBytes || opened_.size() >= limits::kMeshFiles) {
      fault_ = Error{ErrorCode::Unsupported,
                     "the mesh has more than " + std::to_string(limits::kMeshBytes / limits::kMiB) +
                         " MiB or " + std::to_string(limits::kMeshFiles) + " files",
                     "", "simplify the mesh"};
      return nullptr;
    }
    if (onFile_) onFile_(size);
  }
  Assimp::IOStream* stream = Assimp::DefaultIOSystem::Open(file, mode);
  if (!isMesh(path)) addOnce(stream ? opened_ : missed_, relative);
  return stream;
}

}  // namespace slipstick::assets
