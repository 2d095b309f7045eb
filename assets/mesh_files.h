// What Assimp gets to see of the disk.
#pragma once

#include <assimp/DefaultIOSystem.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assets/mesh_formats.h"
#include "engine/foundation/result.h"

namespace slipstick::assets {

/// Opens the mesh itself and what its format may bring beside it, for reading, as far as limits.h allows: a mesh must not
/// have other files of a person's read, and so put into recordings.
class MeshFiles : public Assimp::DefaultIOSystem {
 public:
  MeshFiles(std::filesystem::path mesh, MeshFormat format, std::function<void(std::uintmax_t)> onFile);

  Assimp::IOStream* Open(const char* file, const char* mode) override;
  bool Exists(const char* file) const override;

  /// The mesh itself, for whoever looks at it before Assimp does; counted as Open() does. Errors: unreadable, beyond the
  /// limits.
  Result<std::string> readMesh();
  /// A file that the mesh may bring, named as in the mesh; counted as Open() does. Errors: those of Open(), with the name.
  Result<std::string> readBeside(const std::string& name);
  /// What Open() gives as the mesh from now on.
  void putMesh(std::string text) { text_ = std::move(text); }

  /// Relative to the mesh's folder, each once, without the mesh itself.
  const std::vector<std::filesystem::path>& opened() const { return opened_; }
  const std::vector<std::filesystem::path>& missed() const { return missed_; }
  /// What was beyond the limits.
  const std::optional<Error>& fault() const { return fault_; }

 private:
  bool isMesh(const std::filesystem::path& file) const;
  bool mayBring(const std::filesystem::path& file) const;
  std::filesystem::path relative(const std::filesystem::path& file) const;
  /// Counts a file that is there.
  bool admit(const std::filesystem::path& file);

  std::filesystem::path mesh_;
  MeshFormat format_;
  std::function<void(std::uintmax_t)> onFile_;
  std::uintmax_t bytes_ = 0;
  std::vector<std::filesystem::path> opened_, missed_;
  std::optional<Error> fault_;
  std::optional<std::string> text_;  // in place of the mesh
};

}  // namespace slipstick::assets
