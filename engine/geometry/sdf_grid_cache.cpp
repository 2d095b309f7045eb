#include "engine/geometry/sdf_grid_cache.h"

#include <span>

namespace slipstick {
namespace {

/// A hundred grids of the default spacing.
constexpr std::size_t kBudget = std::size_t{256} << 20;

template <class T>
std::string_view bytesOf(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The number of vertices keeps them apart from the triangles that follow.
std::string contentOf(const TriangleMesh& mesh) {
  std::string content = std::to_string(mesh.vertices.size()) + ":";
  content += bytesOf(mesh.vertices);
  content += bytesOf(mesh.triangles);
  return content;
}

}  // namespace

SdfGridCache& SdfGridCache::shared() {
  static SdfGridCache cache(kBudget);
  return cache;
}

Result<std::shared_ptr<const SdfGrid>> SdfGridCache::gridOf(const TriangleMesh& mesh,
                                                            const LoadProgress* progress) {
  std::string content = contentOf(mesh);
  const std::lock_guard lock(mutex_);
  if (const auto known = byContent_.find(content); known != byContent_.end()) {
    entries_.splice(entries_.begin(), entries_, known->second);
    return entries_.front().grid;
  }
  Result<std::shared_ptr<const SdfGrid>> built = SdfGrid::build(mesh, 0, progress);
  if (!built) return built;
  ++builds_;
  keep({std::move(content), *built});
  return built;
}

void SdfGridCache::keep(Entry entry) {
  bytes_ += entry.bytes();
  entries_.push_front(std::move(entry));
  byContent_.emplace(entries_.front().content, entries_.begin());
  while (bytes_ > budget_) {
    bytes_ -= entries_.back().bytes();
    byContent_.erase(entries_.back().content);
    entries_.pop_back();
  }
}

std::uint64_t SdfGridCache::builds() const {
  const std::lock_guard lock(mutex_);
  return builds_;
}

}  // namespace slipstick
