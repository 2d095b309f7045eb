// Files that are written bit by bit, and never lie there half as if they were whole.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "engine/foundation/output_claim.h"
#include "engine/foundation/result.h"

namespace slipstick::assets {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

/// A file that has its name once it is whole; until then it is called "NAME.part", which goes away if it is given up. Nobody
/// else writes it meanwhile, see OutputClaim.
class OutputFile {
 public:
  enum class Named { WhenWhole, AtOnce };  ///< AtOnce: people look into it while it grows, and it stays

  static Result<OutputFile> create(const std::filesystem::path& file, Named named = Named::WhenWhole);
  OutputFile(OutputFile&& other) noexcept = default;
  OutputFile& operator=(OutputFile&&) = delete;

  /// An error (disk full) stays: commit() tells it, too.
  Result<void> write(const void* bytes, std::size_t count);
  Result<void> write(std::string_view text) { return write(text.data(), text.size()); }
  Result<void> flush();
  std::uint64_t size() const { return size_; }
  const std::filesystem::path& path() const { return claim_.path(); }  ///< once it is whole
  /// It is whole: gives it its name.
  Result<void> commit();

 private:
  explicit OutputFile(OutputClaim claim) : claim_(std::move(claim)) {}
  Error unwritable();
  OutputClaim claim_;
  FileHandle file_;
  std::uint64_t size_ = 0;
  int failure_ = 0;  ///< errno of the first
};

/// The whole of a file, which is there whole or not at all.
Result<void> writeWhole(const std::filesystem::path& file, std::string_view text);

/// Bytes that wait on the disk of a file for their place in it, and leave nothing behind whatever happens.
class SpoolFile {
 public:
  /// @param beside  the file whose folder has the room
  static Result<SpoolFile> create(const std::filesystem::path& beside);
  Result<void> write(const void* bytes, std::size_t count);
  std::uint64_t size() const { return size_; }
  std::uint32_t crc() const { return crc_; }  ///< CRC-32 of zlib, of all bytes
  /// Appends all of it. Nothing can be written to it any more.
  Result<void> copyTo(OutputFile& file);

 private:
  SpoolFile() = default;
  Error unwritable() const;
  std::filesystem::path beside_;
  FileHandle file_;
  std::uint64_t size_ = 0;
  std::uint32_t crc_ = 0;
};

}  // namespace slipstick::assets
