#include "assets/mesh_files.h"

#include <assimp/MemoryIOWrapper.h>
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "assets/limits.h"
#include "assets/one_line.h"
#include "assets/shipped.h"

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

fs::path MeshFiles::relative(const fs::path& file) const {
  return file.lexically_normal().lexically_proximate(mesh_.lexically_normal().parent_path());
}

bool MeshFiles::admit(const fs::path& file) {
  std::error_code failed;
  const std::uintmax_t size = fs::is_regular_file(file, failed) ? fs::file_size(file, failed) : 0;
  if (size == 0 || failed) {
    addOnce(missed_, relative(file));
    return false;
  }
  // The same file may be opened several times: by its name, its beginning, its content.
  const bool isNew =
      isMesh(file) ? bytes_ == 0 : std::find(opened_.begin(), opened_.end(), relative(file)) == opened_.end();
  if (!isNew) return true;
  bytes_ += size;
  if (bytes_ > limits::kMeshBytes || opened_.size() >= limits::kMeshFiles) {
    fault_ = Error{ErrorCode::Unsupported,
                   "the mesh has more than " + std::to_string(limits::kMeshBytes / limits::kMiB) +
                       " MiB or " + std::to_string(limits::kMeshFiles) + " files",
                   "", "simplify the mesh"};
    return false;
  }
  if (onFile_) onFile_(size);
  return true;
}

Result<std::string> MeshFiles::readMesh() {
  if (!admit(mesh_) && fault_) return *fault_;
  return readTextFile(mesh_, limits::kMeshBytes);
}

Result<std::string> MeshFiles::readBeside(const std::string& name) {
  const fs::path file = mesh_.parent_path() / name;
  const bool isThere = mayBring(file) && admit(file);
  if (fault_) return *fault_;
  if (!isThere)
    return Error{ErrorCode::FileNotFound,
                 "the mesh's file '" + oneLine(name) + "' does not exist, or is no .bin file", "",
                 "put it beside the mesh"};
  addOnce(opened_, relative(file));
  return readTextFile(file, limits::kMeshBytes);
}

Assimp::IOStream* MeshFiles::Open(const char* file, const char* mode) {
  const fs::path path = file;
  if (fault_ || !std::string_view(mode).starts_with('r') || (!isMesh(path) && !mayBring(path)) ||
      !admit(path))
    return nullptr;
  if (isMesh(path) && text_)
    return new Assimp::MemoryIOStream(reinterpret_cast<const std::uint8_t*>(text_->data()), text_->size());
  Assimp::IOStream* stream = Assimp::DefaultIOSystem::Open(file, mode);
  if (!isMesh(path)) addOnce(stream ? opened_ : missed_, relative(path));
  return stream;
}

}  // namespace slipstick::assets
