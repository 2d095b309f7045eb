#include "assets/mesh_cache.h"

#include <algorithm>
#include <utility>

#include "assets/file_log.h"
#include "assets/limits.h"
#include "assets/mesh_formats.h"
#include "assets/shipped.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

/// None for a file that is not there, or is too large to be one of a mesh's.
std::optional<std::string> bytesOf(const fs::path& file) {
  Result<std::string> bytes = readTextFile(file, limits::kMeshBytes);
  if (!bytes) return std::nullopt;
  return *std::move(bytes);
}

/// Changes when the file does.
std::pair<fs::file_time_type, std::uintmax_t> stampOf(const fs::path& file) {
  std::error_code ignored;
  return {fs::last_write_time(file, ignored), fs::file_size(file, ignored)};
}

void noteFiles(const fs::path& file, const MeshContent& content) {
  FileLog::note(file);
  for (const fs::path& beside : content.opened) FileLog::note(file.parent_path() / beside);
}

}  // namespace

std::size_t MeshCache::Entry::bytes() const {
  std::size_t sum = key.size() + content->bytes();
  for (const Beside& file : beside) sum += file.bytes ? file.bytes->size() : 0;
  return sum;
}

MeshCache& MeshCache::shared() {
  static MeshCache cache(limits::kMeshCache);
  return cache;
}

Result<std::shared_ptr<const MeshContent>> MeshCache::contentOf(const fs::path& file,
                                                                const LoadProgress* progress) {
  const auto stamp = stampOf(file);
  Result<std::string> bytes = readTextFile(file, limits::kMeshBytes);
  if (!bytes) return bytes.error();
  const Result<MeshFormat> format = formatOf(file, *bytes, bytes->size());
  if (!format) return format.error();
  const std::string key = std::string(nameOf(*format)) + ":" + *bytes;
  const fs::path folder = file.parent_path();
  if (auto known = find(key, folder)) {
    noteFiles(file, *known);
    return known;
  }
  MeshReading reading;
  Result<MeshContent> read = reading.reader().read(file, progress);
  {
    const std::lock_guard lock(mutex_);
    ++reads_;
  }
  if (!read) return read.error();
  Entry entry{key, {}, std::make_shared<const MeshContent>(*std::move(read))};
  noteFiles(file, *entry.content);
  for (const fs::path& name : entry.content->opened) entry.beside.push_back({name, bytesOf(folder / name)});
  for (const fs::path& name : entry.content->missed) entry.beside.push_back({name, std::nullopt});
  std::shared_ptr<const MeshContent> content = entry.content;
  // One that has changed meanwhile is not what was read.
  if (stampOf(file) == stamp) keep(std::move(entry));
  return content;
}

std::shared_ptr<const MeshContent> MeshCache::find(std::string_view key, const fs::path& folder) {
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = byKey_.equal_range(key);
  for (auto at = begin; at != end; ++at) {
    const Entries::iterator entry = at->second;
    const auto isSame = [&](const Beside& file) { return bytesOf(folder / file.name) == file.bytes; };
    if (!std::all_of(entry->beside.begin(), entry->beside.end(), isSame)) continue;
    entries_.splice(entries_.begin(), entries_, entry);
    return entry->content;
  }
  return nullptr;
}

void MeshCache::keep(Entry entry) {
  const std::lock_guard lock(mutex_);
  bytes_ += entry.bytes();
  entries_.push_front(std::move(entry));
  byKey_.emplace(entries_.front().key, entries_.begin());
  while (bytes_ > budget_) {
    const Entries::iterator last = std::prev(entries_.end());
    bytes_ -= last->bytes();
    const auto [begin, end] = byKey_.equal_range(last->key);
    byKey_.erase(std::find_if(begin, end, [&](const auto& pair) { return pair.second == last; }));
    entries_.erase(last);
  }
}

std::uint64_t MeshCache::reads() const {
  const std::lock_guard lock(mutex_);
  return reads_;
}

}  // namespace slipstick::assets
