// The CPU backend's grid: blocks of nodes, and a tile of private nodes for each block of particles.
//   clear   the tile, where the block's particles are
//   reduce  the tiles' sums to the nodes, and v*
//   load    the nodes' velocities back into a tile
#pragma once

#include <vector>

#include "engine/mpm/particle_blocks.h"

namespace slipstick::mpm {

class CpuGrid {
 public:
  explicit CpuGrid(const KernelTable& kernels) : kernels_(kernels) {}

  /// Makes room for these blocks.
  void resize(const ParticleBlocks& blocks);

  float* tile(std::size_t block) { return tiles_.data() + block * kTileFloats; }
  /// The box of a tile, empty; to be extended by the block's particles before clear().
  TileBox& startBox(std::size_t block) { return boxes_[block] = {}; }
  void clear(std::size_t block) { kernels_.clear(tile(block), boxes_[block]); }
  /// Node sums and v* after δt [s].
  void reduce(const ParticleBlocks& blocks, float dt, const Vec3& gravity, ThreadTeam& team);
  /// Velocities of the nodes in the tile's box.
  void load(const ParticleBlock& block, std::size_t index);

  /// kBlockNodes × (velocity, mass) per grid block.
  std::vector<float>& nodes() { return nodes_; }
  /// Nodes with mass at the last reduce().
  int activeNodes() const;

 private:
  const KernelTable& kernels_;
  std::vector<float> tiles_;      ///< kTileFloats per particle block
  std::vector<TileBox> boxes_;    ///< of the present substep, per particle block
  std::vector<float> nodes_;      ///< kBlockNodes × 4 per grid block
  std::vector<int> activeNodes_;  ///< per grid block
};

}  // namespace slipstick::mpm
