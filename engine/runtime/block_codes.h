// Numbers of particles as small codes within the range of each block: what history and recordings keep of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace slipstick::codes {

using Code16 = std::uint16_t;
using Code8 = std::uint8_t;

/// Particles that share a box: consecutive ones, for they lie close together where a deformable was sampled
/// on a lattice, and 24 bytes per box are little beside 160 · 6.
inline constexpr std::size_t kBlock = 160;

inline std::size_t blocksOf(std::size_t count) {
  return (count + kBlock - 1) / kBlock;
}

/// Calls work(block, first, last) for each block of a number of entries.
template <class Work>
void forEachBlock(std::size_t count, const Work& work) {
  for (std::size_t block = 0; block < blocksOf(count); ++block)
    work(block, block * kBlock, std::min(count, (block + 1) * kBlock));
}

/// value = lower + step · code
struct Range {
  float lower = 0, step = 0;
};
/// Along x, y and z.
using Box = std::array<Range, 3>;
using Place = std::array<Code16, 3>;

/// Codes lie half a step apart from the values at most. The range of numbers that are not all finite has no step.
template <class Code>
Range rangeOf(float lowest, float highest);
/// NaN becomes the lowest code: a conversion of it would be undefined.
template <class Code>
Code encode(float value, const Range& range);
inline float decode(float code, const Range& range) {
  return range.lower + range.step * code;
}
Place encode(const Eigen::Vector3f& position, const Box& box);
Eigen::Vector3f decode(const Place& place, const Box& box);

/// @param position  of one of the points
template <class Points, class Position>
Box boxOf(const Points& points, const Position& position) {
  if (points.empty()) return {};
  Eigen::Vector3f lowest = position(points.front()), highest = lowest;
  for (const auto& point : points) {
    lowest = lowest.cwiseMin(position(point));
    highest = highest.cwiseMax(position(point));
  }
  return {rangeOf<Code16>(lowest.x(), highest.x()), rangeOf<Code16>(lowest.y(), highest.y()),
          rangeOf<Code16>(lowest.z(), highest.z())};
}

/// Off by at most half of edge / 65535 of the block's box, and of a float's rounding.
struct Positions {
  std::vector<Box> blocks;
  std::vector<Place> codes;  ///< per particle
};
Positions pack(const std::vector<Eigen::Vector3f>& positions);
/// Takes the memory that pack() needs: into it that cannot fail.
void reserve(Positions& packed, std::size_t count);
void pack(const std::vector<Eigen::Vector3f>& positions, Positions& packed);
void unpack(const Positions& packed, std::vector<Eigen::Vector3f>& positions);

/// Off by at most range / 510 of the block.
struct Colors {
  std::vector<Range> blocks;
  std::vector<Code8> codes;  ///< per particle
};
Colors pack(const std::vector<float>& values);
/// As for positions.
void reserve(Colors& packed, std::size_t count);
void pack(const std::vector<float>& values, Colors& packed);
void unpack(const Colors& packed, std::vector<float>& values);

}  // namespace slipstick::codes
