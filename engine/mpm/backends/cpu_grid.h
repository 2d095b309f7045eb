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
  AlignedVector<float>& nodes() { return nodes_; }
  /// Per grid block, those of its nodes that had mass at the last reduce().
  const std::vector<NodeMask>& massive() const { return massive_; }
  /// How many they are.
  int activeNodes() const;
  /// Whether load() reads any of the given nodes. @param nodes  per grid block
  bool reads(const ParticleBlock& block, std::size_t index, const std::vector<NodeMask>& nodes) const;

 private:
  const KernelTable& kernels_;
  AlignedVector<float> tiles_;     ///< kTileFloats per particle block
  std::vector<TileBox> boxes_;     ///< of the present substep, per particle block
  AlignedVector<float> nodes_;     ///< kBlockNodes × 4 per grid block
  std::vector<NodeMask> massive_;  ///< per grid block; of a block without any, all nodes are zero …
  bool fresh_ = true;              ///< … unless the blocks are others since the last reduce()
};

}  // namespace slipstick::mpm
