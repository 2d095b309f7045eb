// ZIP archives (APPNOTE 6.3) whose entries are stored as they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assets/export/output_file.h"

namespace slipstick::assets {

/// Entries and archives beyond 4 GiB take the Zip64 form, all others the plain one.
class ZipWriter {
 public:
  /// @param file  that is empty, and must outlive it
  explicit ZipWriter(OutputFile& file) : file_(file) {}
  /// An entry: `head`, then all of `body`.
  Result<void> add(const std::string& name, std::string_view head, SpoolFile& body);
  /// The directory, after which the archive is whole.
  Result<void> finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t crc = 0;
    std::uint64_t size = 0, offset = 0;
  };
  OutputFile& file_;
  std::vector<Entry> entries_;
};

}  // namespace slipstick::assets
