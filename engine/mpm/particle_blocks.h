// The CPU backend's view of one step: particles sorted by block of the grid and by deformable, in packs of
// 16, and the blocks of grid nodes around them.
#pragma once

#include <array>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/state.h"
#include "engine/mpm/grid.h"
#include "engine/mpm/kernels/kernel_table.h"

namespace slipstick::mpm {

/// Particles of one block and one deformable, from a pack's first lane on.
struct ParticleRange {
  int deformable = 0;
  int firstSlot = 0;  ///< multiple of kPackLanes
  int count = 0;
};

struct ParticleBlock {
  BlockCoordinates at;               ///< in blocks
  int firstRange = 0, endRange = 0;  ///< into ranges
  std::array<int, 27> gridBlocks{};  ///< around it, index 9(i+1) + 3(j+1) + k+1

  /// Grid node at the corner of its tile.
  std::array<int, 3> tileBase() const {
    return {at.x * kBlockEdge - 1, at.y * kBlockEdge - 1, at.z * kBlockEdge - 1};
  }
};

struct GridBlock {
  BlockCoordinates at;                   ///< in blocks
  std::array<int, 27> particleBlocks{};  ///< around it, −1 = none
};

/// Slot s is lane s % 16 of pack s / 16.
class ParticleBlocks {
 public:
  /// Sorts the state into packs: stable, from the state's order, so that it depends on nothing earlier.
  /// Fields Tau are left to the stress kernel.
  void load(const Model& model, const ParticleState& state);
  /// Writes x, v, F, C, plastic and internal back in the state's order; loading them again gives the same
  /// floats.
  void store(ParticleState& state) const;

  std::vector<ParticleBlock> blocks;
  std::vector<ParticleRange> ranges;
  std::vector<GridBlock> gridBlocks;
  std::vector<int> particleOfSlot;  ///< −1 in the lanes that fill up a pack

  float* pack(int slot) {
    return packs_.data() + static_cast<std::ptrdiff_t>(slot / kPackLanes) * kPackFloats;
  }
  const float* pack(int slot) const {
    return packs_.data() + static_cast<std::ptrdiff_t>(slot / kPackLanes) * kPackFloats;
  }
  /// Where a node of the grid blocks stands, in nodes. @param node  kBlockNodes · grid block + its place
  /// there
  Vec3 nodeAt(int node) const {
    const BlockCoordinates& at = gridBlocks[static_cast<std::size_t>(node / kBlockNodes)].at;
    const int local = node % kBlockNodes;
    return Vec3(kBlockEdge * at.x + local / (kBlockEdge * kBlockEdge),
                kBlockEdge * at.y + local / kBlockEdge % kBlockEdge, kBlockEdge * at.z + local % kBlockEdge);
  }

  float value(int slot, int field) const { return pack(slot)[field * kPackLanes + slot % kPackLanes]; }
  V3<float> vector(int slot, int field) const {
    return {value(slot, field), value(slot, field + 1), value(slot, field + 2)};
  }

 private:
  void assignBlocks(const Model& model, const ParticleState& state);
  void layOutRanges(const Model& model);
  void fillLane(const Model& model, const ParticleState& state, int slot, int particle);
  void linkGridBlocks();

  KeyIndex found_, gridIndex_;
  std::vector<int> blockOfParticle_;
  std::vector<int> order_, rank_;  ///< of the blocks by key
  std::vector<int> cursor_;        ///< per (block, deformable): count, then next slot
  std::vector<float> packs_;
};

}  // namespace slipstick::mpm
