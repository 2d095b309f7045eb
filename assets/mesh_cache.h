// Contents of mesh files by what the files hold: each is read once, for all robots and scenes that the program opens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "assets/mesh_reader.h"

namespace slipstick::assets {

class MeshCache {
 public:
  /// The least recently asked for go first; who holds a content keeps it.
  /// @param budget  memory of the contents kept and of the files that name them [bytes]
  explicit MeshCache(std::size_t budget) : budget_(budget) {}

  /// The one of this program.
  static MeshCache& shared();

  /// A file of the same format and bytes, with the same files beside it, gets the same content, wherever it lies. Any
  /// thread may ask. Notes the files in the FileLog. Errors: those of the reader, and files beyond limits.h.
  Result<std::shared_ptr<const MeshContent>> contentOf(const std::filesystem::path& file,
                                                       const LoadProgress* progress = nullptr);

  /// How many files were read so far.
  std::uint64_t reads() const;

 private:
  struct Beside {
    std::filesystem::path name;        ///< relative to the mesh's folder
    std::optional<std::string> bytes;  ///< none: there was no such file
  };
  struct Entry {
    std::string key;  ///< the format and the bytes of the file
    std::vector<Beside> beside;
    std::shared_ptr<const MeshContent> content;
    std::size_t bytes() const;
  };
  using Entries = std::list<Entry>;

  std::shared_ptr<const MeshContent> find(std::string_view key, const std::filesystem::path& folder);
  void keep(Entry entry);

  const std::size_t budget_;
  mutable std::mutex mutex_;
  Entries entries_;  ///< the most recently asked for first
  std::unordered_multimap<std::string_view, Entries::iterator> byKey_;
  std::size_t bytes_ = 0;
  std::uint64_t reads_ = 0;
};

}  // namespace slipstick::assets
