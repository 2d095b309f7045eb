// The background grid: node (i, j, k) stands at (i, j, k)·h. Blocks of 4³ nodes exist only where particles
// are, on an unbounded domain.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/mpm/key_index.h"
#include "engine/mpm/lanes.h"

namespace slipstick::mpm {

inline constexpr int kBlockEdge = 4;  ///< nodes per axis
inline constexpr int kBlockNodes = kBlockEdge * kBlockEdge * kBlockEdge;
/// Some nodes of a block: bit n of node n.
using NodeMask = std::uint64_t;
/// Particles may be this many cells from the origin per axis: within what PositionFormat can count.
inline constexpr double kDomainCells = 1e4;

struct BlockCoordinates {
  int x = 0, y = 0, z = 0;  ///< of a block, or of a node
};

/// Block that holds a node: rounds down, for negative indices too.
SIM_HD constexpr int blockOf(int node) {
  return node >> 2;
}
/// Position of a node within its block, 0…3.
SIM_HD constexpr int withinBlock(int node) {
  return node & 3;
}

/// The nodes of a block that are in [lower, upper) along each axis.
constexpr NodeMask nodesWithin(const std::array<int, 3>& lower, const std::array<int, 3>& upper) {
  NodeMask row = 0, mask = 0;
  for (int k = lower[2]; k < upper[2]; ++k) row |= NodeMask{1} << k;
  for (int i = lower[0]; i < upper[0]; ++i)
    for (int j = lower[1]; j < upper[1]; ++j) mask |= row << ((i * kBlockEdge + j) * kBlockEdge);
  return mask;
}

/// 21 bits per axis: ±10⁶ blocks, far beyond kDomainCells. Keys sort like (x, y, z).
constexpr std::uint64_t blockKey(int x, int y, int z) {
  constexpr int kOffset = 1 << 20;
  const auto field = [](int c) { return static_cast<std::uint64_t>(c + kOffset) & 0x1fffffu; };
  return field(x) << 42 | field(y) << 21 | field(z);
}
constexpr BlockCoordinates blockCoordinates(std::uint64_t key) {
  constexpr int kOffset = 1 << 20;
  const auto field = [key](int shift) { return static_cast<int>(key >> shift & 0x1fffffu) - kOffset; };
  return {field(42), field(21), field(0)};
}

template <class Real>
struct GridNode {
  Real mass = 0;               ///< [kg]
  V3<Real> momentum{0, 0, 0};  ///< [N s], then …
  V3<Real> velocity{0, 0, 0};  ///< … v* and, where contacts act, the solved velocity [m/s]
};

/// Nodes of the touched blocks in one array; memory follows the number of touched blocks.
template <class Real>
class SparseGrid {
 public:
  void clear() {
    blocks_.clear();
    nodes_.clear();
  }

  /// Index of a node's entry; its block comes into being, at rest and empty, when first touched.
  std::size_t touch(int i, int j, int k) {
    const auto block = static_cast<std::size_t>(blocks_.insert(blockKey(blockOf(i), blockOf(j), blockOf(k))));
    if ((block + 1) * kBlockNodes > nodes_.size()) nodes_.resize((block + 1) * kBlockNodes);
    const int local = (withinBlock(i) * kBlockEdge + withinBlock(j)) * kBlockEdge + withinBlock(k);
    return block * kBlockNodes + static_cast<std::size_t>(local);
  }

  /// Where an entry stands, in nodes.
  BlockCoordinates nodeAt(std::size_t index) const {
    const BlockCoordinates block = blockCoordinates(blocks_.keys()[index / kBlockNodes]);
    const auto local = static_cast<int>(index % kBlockNodes);
    return {kBlockEdge * block.x + local / (kBlockEdge * kBlockEdge),
            kBlockEdge * block.y + local / kBlockEdge % kBlockEdge,
            kBlockEdge * block.z + local % kBlockEdge};
  }

  std::vector<GridNode<Real>>& nodes() { return nodes_; }
  GridNode<Real>& operator[](std::size_t index) { return nodes_[index]; }
  const GridNode<Real>& operator[](std::size_t index) const { return nodes_[index]; }
  std::size_t size() const { return nodes_.size(); }

 private:
  KeyIndex blocks_;
  std::vector<GridNode<Real>> nodes_;
};

}  // namespace slipstick::mpm
