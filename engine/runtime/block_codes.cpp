#include "engine/runtime/block_codes.h"

#include <cmath>
#include <limits>
#include <span>

namespace slipstick::codes {

namespace {

template <class Packed>
void reserveEntries(Packed& packed, std::size_t count) {
  packed.blocks.reserve(blocksOf(count));
  packed.codes.reserve(count);
}

}  // namespace

template <class Code>
Range rangeOf(float lowest, float highest) {
  constexpr auto kLevels = static_cast<float>(std::numeric_limits<Code>::max());
  const float edge = highest - lowest;
  return std::isfinite(edge) && edge > 0 ? Range{lowest, edge / kLevels} : Range{lowest, 0};
}

template <class Code>
Code encode(float value, const Range& range) {
  constexpr auto kLevels = static_cast<float>(std::numeric_limits<Code>::max());
  if (range.step == 0) return 0;
  const float code = (value - range.lower) / range.step + 0.5f;
  return static_cast<Code>(std::min(std::max(0.0f, code), kLevels));
}

template Range rangeOf<Code16>(float lowest, float highest);
template Range rangeOf<Code8>(float lowest, float highest);
template Code16 encode<Code16>(float value, const Range& range);
template Code8 encode<Code8>(float value, const Range& range);

Place encode(const Eigen::Vector3f& position, const Box& box) {
  return {encode<Code16>(position.x(), box[0]), encode<Code16>(position.y(), box[1]),
          encode<Code16>(position.z(), box[2])};
}

Eigen::Vector3f decode(const Place& place, const Box& box) {
  return {decode(place[0], box[0]), decode(place[1], box[1]), decode(place[2], box[2])};
}

Positions pack(const std::vector<Eigen::Vector3f>& positions) {
  Positions packed;
  pack(positions, packed);
  return packed;
}

void reserve(Positions& packed, std::size_t count) {
  reserveEntries(packed, count);
}

void pack(const std::vector<Eigen::Vector3f>& positions, Positions& packed) {
  packed.blocks.resize(blocksOf(positions.size()));
  packed.codes.resize(positions.size());
  forEachBlock(positions.size(), [&](std::size_t block, std::size_t first, std::size_t last) {
    const std::span points(positions.data() + first, last - first);
    const Box box = boxOf(points, [](const Eigen::Vector3f& x) -> const Eigen::Vector3f& { return x; });
    for (std::size_t i = first; i < last; ++i) packed.codes[i] = encode(positions[i], box);
    packed.blocks[block] = box;
  });
}

void unpack(const Positions& packed, std::vector<Eigen::Vector3f>& positions) {
  positions.resize(packed.codes.size());
  forEachBlock(positions.size(), [&](std::size_t block, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) positions[i] = decode(packed.codes[i], packed.blocks[block]);
  });
}

Colors pack(const std::vector<float>& values) {
  Colors packed;
  pack(values, packed);
  return packed;
}

void reserve(Colors& packed, std::size_t count) {
  reserveEntries(packed, count);
}

void pack(const std::vector<float>& values, Colors& packed) {
  packed.blocks.resize(blocksOf(values.size()));
  packed.codes.resize(values.size());
  forEachBlock(values.size(), [&](std::size_t block, std::size_t first, std::size_t last) {
    const auto [lowest, highest] = std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(first),
                                                       values.begin() + static_cast<std::ptrdiff_t>(last));
    const Range range = rangeOf<Code8>(*lowest, *highest);
    for (std::size_t i = first; i < last; ++i) packed.codes[i] = encode<Code8>(values[i], range);
    packed.blocks[block] = range;
  });
}

void unpack(const Colors& packed, std::vector<float>& values) {
  values.resize(packed.codes.size());
  forEachBlock(values.size(), [&](std::size_t block, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) values[i] = decode(packed.codes[i], packed.blocks[block]);
  });
}

}  // namespace slipstick::codes
