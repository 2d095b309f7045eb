// The CPU backend's particles: sorted by block of the grid and by deformable, in packs of 16, and the blocks
// of grid nodes around them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/foundation/aligned_vector.h"
#include "engine/model/model.h"
#include "engine/mpm/grid.h"
#include "engine/mpm/kernels/kernel_table.h"
#include "engine/mpm/particle_state.h"
#include "engine/mpm/position_format.h"
#include "engine/mpm/thread_team.h"

namespace slipstick::mpm {

/// Particles of one block and one deformable, from a pack's first lane on, in the model's order.
struct ParticleRange {
  int deformable = 0;
  int firstSlot = 0;  ///< multiple of kPackLanes
  int count = 0;
};

struct ParticleBlock {
  BlockCoordinates at;               ///< in blocks
  Vec3 corner = Vec3::Zero();        ///< where its particles' positions count from [m]
  int firstRange = 0, endRange = 0;  ///< into ranges
  std::array<int, 27> gridBlocks{};  ///< around it, index 9(i+1) + 3(j+1) + k+1
};

/// Slot s is lane s % 16 of pack s / 16. Which slot a particle has depends on all particles' positions alone,
/// not on where they were before.
class ParticleBlocks {
 public:
  explicit ParticleBlocks(const Model& model) : model_(&model), format_(model.gridSpacing) {}

  /// Takes the particles over, positions rounded to the format's steps, everything else to float.
  void load(const ParticleState& state);
  /// The same particles, each in the block where it is now. Fields Tau are left to the stress kernel.
  void sortFrom(const ParticleBlocks& unsorted, ThreadTeam& team);
  /// Writes x, v, F, C, plastic and internal in the model's order; loading them again changes nothing.
  void store(ParticleState& state) const;

  std::vector<ParticleBlock> blocks;
  std::vector<ParticleRange> ranges;
  std::vector<int> blockOfRange;             ///< per range
  std::vector<BlockCoordinates> gridBlocks;  ///< all that tiles overlap
  std::vector<std::int32_t> particleOfSlot;  ///< −1 in the lanes that fill up a pack
  std::vector<int> slotOfParticle;

  const PositionFormat& format() const { return format_; }
  float* pack(int slot) {
    return packs_.data() + static_cast<std::ptrdiff_t>(slot / kPackLanes) * kPackFloats;
  }
  const float* pack(int slot) const {
    return packs_.data() + static_cast<std::ptrdiff_t>(slot / kPackLanes) * kPackFloats;
  }
  /// The blocks of particles around a grid block, in their order.
  std::span<const TileAround> tilesAround(std::size_t gridBlock) const {
    const auto first = static_cast<std::size_t>(firstAround_[gridBlock]);
    return std::span(around_).subspan(first, static_cast<std::size_t>(firstAround_[gridBlock + 1]) - first);
  }
  /// Where a node of the grid blocks stands, in nodes. @param node  kBlockNodes · grid block + its place
  /// there
  Vec3 nodeAt(int node) const {
    const BlockCoordinates& at = gridBlocks[static_cast<std::size_t>(node / kBlockNodes)];
    const int local = node % kBlockNodes;
    return Vec3(kBlockEdge * at.x + local / (kBlockEdge * kBlockEdge),
                kBlockEdge * at.y + local / kBlockEdge % kBlockEdge, kBlockEdge * at.z + local % kBlockEdge);
  }

  float value(int slot, int field) const { return pack(slot)[field * kPackLanes + slot % kPackLanes]; }
  V3<float> vector(int slot, int field) const {
    return {value(slot, field), value(slot, field + 1), value(slot, field + 2)};
  }
  /// Exact. @param block  that holds the slot [m]
  Vec3 position(int slot, const ParticleBlock& block) const;
  /// Corner of the block that a slot belongs to.
  const Vec3& cornerOf(int slot) const {
    const auto particle = static_cast<std::size_t>(particleOfSlot[static_cast<std::size_t>(slot)]);
    return blocks[rankOf(static_cast<int>(particle))].corner;
  }
  /// @param local  x − corner of the slot's block, a multiple of format().fine() [m]
  void setPosition(int slot, const Vec3& local);

 private:
  bool findKeys(const ParticleBlocks& unsorted, std::size_t range);
  void assignBlocks();
  void layOutRanges();
  void giveSlots();
  bool copyWhole(std::size_t range, const ParticleBlocks& from);
  void copyLanes(std::size_t range, const ParticleBlocks& from);
  void fillUp(const ParticleRange& range);
  void fillLane(const ParticleState& state, int slot, const ParticleBlock& block);
  void linkGridBlocks();
  /// Index of the particle's block.
  std::size_t rankOf(int particle) const {
    return static_cast<std::size_t>(
        rank_[static_cast<std::size_t>(blockOfParticle_[static_cast<std::size_t>(particle)])]);
  }

  const Model* model_;  ///< a pointer, so that blocks can trade places
  PositionFormat format_;
  std::vector<std::uint64_t> keys_;  ///< of the particles' blocks, in the model's order
  std::vector<char> stays_;  ///< per range of what is sorted: all of its particles are still in their block
  KeyIndex found_, gridIndex_;
  std::vector<int> firstAround_;  ///< per grid block, and the end: into around_
  std::vector<TileAround> around_;
  std::vector<int> blockOfParticle_;  ///< in the order in which blocks were found
  std::vector<int> order_, rank_;     ///< of the blocks by key
  std::vector<int> cursor_;           ///< per (block, deformable): count, then next slot
  AlignedVector<float> packs_;
};

}  // namespace slipstick::mpm
