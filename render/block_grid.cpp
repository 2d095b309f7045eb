#include "render/block_grid.h"

#include <algorithm>

#include "engine/foundation/require.h"

namespace slipstick::render {
namespace {

BlockGrid::Node placeOf(const BlockGrid::Node& node) {
  return {node.x() >> 3, node.y() >> 3, node.z() >> 3};
}

/// Beyond, blocks would have the keys of others.
bool hasKey(const BlockGrid::Node& place) {
  constexpr int kEnd = BlockGrid::kFarthest / BlockGrid::kSide;
  return place.minCoeff() >= -kEnd && place.maxCoeff() < kEnd;
}

}  // namespace

std::uint64_t BlockGrid::key(const Node& place) {
  constexpr std::uint64_t kMask = (1u << 21) - 1;
  const auto part = [](int i) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(i)) & kMask; };
  return part(place.x()) | part(place.y()) << 21 | part(place.z()) << 42;
}

int BlockGrid::find(const Node& place) const {
  if (!hasKey(place)) return -1;
  const auto found = index_.find(key(place));
  return found == index_.end() ? -1 : found->second;
}

int BlockGrid::blockOf(const Node& node) const {
  return find(placeOf(node));
}

void BlockGrid::cover(const Node& lower, const Node& upper) {
  const Node from = placeOf(lower), to = placeOf(upper);
  if (from == lastLower_ && to == lastUpper_) return;
  SIM_REQUIRE(hasKey(from) && hasKey(to), lower.transpose(), upper.transpose());
  lastLower_ = from;
  lastUpper_ = to;
  for (int z = from.z(); z <= to.z(); ++z)
    for (int y = from.y(); y <= to.y(); ++y)
      for (int x = from.x(); x <= to.x(); ++x) {
        const auto [entry, isNew] = index_.try_emplace(key({x, y, z}), static_cast<int>(places_.size()));
        if (isNew) places_.push_back({x, y, z});
      }
}

void BlockGrid::connect() {
  neighbours_.resize(places_.size());
  for (std::size_t b = 0; b < places_.size(); ++b)
    for (int i = 0; i < 27; ++i)
      neighbours_[b][static_cast<std::size_t>(i)] =
          find(places_[b] + Node(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
}

std::ptrdiff_t BlockGrid::index(int block, int x, int y, int z) const {
  const int which = (x >> 3) + 1 + 3 * ((y >> 3) + 1) + 9 * ((z >> 3) + 1);
  const int home = neighbours_[static_cast<std::size_t>(block)][static_cast<std::size_t>(which)];
  if (home < 0) return -1;
  return static_cast<std::ptrdiff_t>(home) * kNodes + (x & 7) + kSide * ((y & 7) + kSide * (z & 7));
}

void BlockGrid::gather(const std::vector<float>& values, int block, Wide& wide) const {
  const auto copy = [&](int x, int y, int z, int count) {
    float* to = wide.data() + wideIndex(x, y, z);
    const std::ptrdiff_t from = index(block, x, y, z);
    if (from < 0)
      std::fill_n(to, count, 0.f);
    else
      std::copy_n(values.data() + from, count, to);
  };
  for (int z = -kPad; z < kSide + kPad; ++z)
    for (int y = -kPad; y < kSide + kPad; ++y) {
      copy(-kPad, y, z, kPad);
      copy(0, y, z, kSide);
      copy(kSide, y, z, kPad);
    }
}

}  // namespace slipstick::render
