// Distance grids by what their meshes hold: each is built once, at load, for all scenes that the program
// opens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "engine/geometry/sdf_grid.h"

namespace slipstick {

class SdfGridCache {
 public:
  /// The least recently asked for go first; who holds a grid keeps it.
  /// @param budget  memory of the grids kept and of the meshes that name them [bytes]
  explicit SdfGridCache(std::size_t budget) : budget_(budget) {}

  /// The one of this program.
  static SdfGridCache& shared();

  /// The grid of SdfGrid::build with its default spacing. A mesh of the same vertices and triangles, bit by
  /// bit, gets the same grid, whatever file it came from. Any thread may ask; while one grid is built, on all
  /// cores, others wait.
  Result<std::shared_ptr<const SdfGrid>> gridOf(const TriangleMesh& mesh,
                                                const LoadProgress* progress = nullptr);

  /// How many grids were built so far.
  std::uint64_t builds() const;

 private:
  struct Entry {
    std::string content;  ///< vertices and triangles as bytes
    std::shared_ptr<const SdfGrid> grid;
    std::size_t bytes() const { return content.size() + grid->distance.size() * sizeof(float); }
  };
  void keep(Entry entry);

  const std::size_t budget_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  ///< the most recently asked for first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> byContent_;
  std::size_t bytes_ = 0;
  std::uint64_t builds_ = 0;
};

}  // namespace slipstick
