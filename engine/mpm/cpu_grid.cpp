#include "engine/mpm/cpu_grid.h"

#include <cstring>
#include <numeric>

namespace slipstick::mpm {

void CpuGrid::resize(const ParticleBlocks& blocks) {
  tiles_.resize(blocks.blocks.size() * kTileFloats);
  boxes_.resize(blocks.blocks.size());
  nodes_.resize(blocks.gridBlocks.size() * kBlockNodes * 4);
  activeNodes_.resize(blocks.gridBlocks.size());
}

int CpuGrid::activeNodes() const {
  return std::accumulate(activeNodes_.begin(), activeNodes_.end(), 0);
}

void CpuGrid::reduce(const ParticleBlocks& blocks, float dt, const Vec3& gravity, ThreadTeam& team) {
  team.run(static_cast<int>(blocks.gridBlocks.size()), [&](int index) {
    const auto g = static_cast<std::size_t>(index);
    ReduceArgs args{};
    for (std::size_t n = 0; n < 27; ++n) {
      const int block = blocks.gridBlocks[g].particleBlocks[n];
      args.tiles[n] = block < 0 ? nullptr : tile(static_cast<std::size_t>(block));
      args.boxes[n] = block < 0 ? nullptr : &boxes_[static_cast<std::size_t>(block)];
    }
    args.nodes = nodes_.data() + g * kBlockNodes * 4;
    for (int a = 0; a < 3; ++a) args.gravityStep[a] = dt * static_cast<float>(gravity(a));
    activeNodes_[g] = kernels_.reduce(args);
  });
}

/// Velocities of the nodes in the tile's box, row by row: the last node of the lower neighbour, our four, three of
/// the upper one.
void CpuGrid::load(const ParticleBlock& block, std::size_t index) {
  const TileBox& box = boxes_[index];
  float* const tile = this->tile(index);
  const auto copyNodes = [&](std::size_t neighbour, int local, int count, float* to) {
    const float* from = nodes_.data() + (static_cast<std::size_t>(block.gridBlocks[neighbour]) * kBlockNodes +
                                         static_cast<std::size_t>(local)) *
                                            4;
    std::memcpy(to, from, static_cast<std::size_t>(count) * 4 * sizeof(float));
  };
  constexpr int kUpper = kBlockEdge + 1;  // the tile's first node that belongs to the upper neighbour
  for (int i = box.lower[0]; i < box.upper[0]; ++i)
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      // Tile node i is node i − 1 of the block.
      const auto n = static_cast<std::size_t>(9 * (blockOf(i - 1) + 1) + 3 * (blockOf(j - 1) + 1));
      const int row = (withinBlock(i - 1) * kBlockEdge + withinBlock(j - 1)) * kBlockEdge;
      float* to = tile + (i * kTileEdge + j) * kTileEdge * 4;
      if (box.lower[2] < 1) copyNodes(n, row + kBlockEdge - 1, 1, to);
      copyNodes(n + 1, row, kBlockEdge, to + 4);
      if (box.upper[2] > kUpper) copyNodes(n + 2, row, kTileEdge - kUpper, to + 4 * kUpper);
    }
}

}  // namespace slipstick::mpm
