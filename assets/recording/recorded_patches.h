// Surfaces of rigid contacts in a recording: the tables "patches", "patch_vertices" and "patch_polygons".
#pragma once

#include <hdf5.h>

#include <array>
#include <cstdint>
#include <vector>

#include "assets/recording/hdf5_file.h"
#include "engine/foundation/result.h"
#include "engine/geometry/pressure_patch.h"

namespace slipstick::assets::recording {

class PatchWriter {
 public:
  static Result<PatchWriter> create(hid_t file);
  void put(const std::vector<PressurePatch>& patches);
  /// Patches so far: what the row that they belong to ends at.
  std::uint64_t end() const { return patches_.rows(); }
  std::array<hdf5::Table*, 3> tables() noexcept { return {&polygons_, &vertices_, &patches_}; }

 private:
  hdf5::Table patches_, vertices_, polygons_;
};

class PatchReader {
 public:
  static Result<PatchReader> open(hid_t file);
  std::uint64_t rows() const { return patches_.rows(); }
  /// The patches [from, to). Errors: the file cannot be read any more, its parts do not fit together.
  Result<std::vector<PressurePatch>> read(std::uint64_t from, std::uint64_t to) const;

 private:
  hdf5::TableReader patches_, vertices_, polygons_;
};

}  // namespace slipstick::assets::recording
