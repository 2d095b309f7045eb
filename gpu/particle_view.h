// Where particles, blocks and nodes lie in device memory. Particles stand sorted by block of the grid, by cell and, in a
// cell, by their number: where a particle stands depends on all positions alone.
#pragma once

#include <cstdint>

#include "engine/lanes/lane.h"
#include "engine/mpm/grid.h"
#include "engine/mpm/kernels/kernel_table.h"
#include "engine/mpm/position_step.h"

namespace slipstick::gpu {

using lanes::M3;
using lanes::V3;
using mpm::kBlockEdge;
using mpm::kBlockNodes;
using mpm::kTileEdge;
using mpm::kTileNodes;
using mpm::PackField;

/// Particles that stand together, field after field: those of one warp.
inline constexpr int kWarp = 32;

/// Fields of engine/mpm/kernels/kernel_table.h's PackField, for each particle. Positions count from the corner of the
/// block where the particle was at the last sort, see mpm::PositionFormat.
struct DeviceParticles {
  float* packs;

  static std::size_t floats(int count) {
    return static_cast<std::size_t>((count + kWarp - 1) / kWarp) * kWarp * PackField::Count;
  }
  SIM_HD float& at(int field, int slot) const {
    return packs[(static_cast<std::int64_t>(slot / kWarp) * PackField::Count + field) * kWarp + slot % kWarp];
  }
  SIM_HD V3<float> vector(int field, int slot) const {
    return {at(field, slot), at(field + 1, slot), at(field + 2, slot)};
  }
  SIM_HD void set(int field, int slot, const V3<float>& v) const {
    at(field, slot) = v.x;
    at(field + 1, slot) = v.y;
    at(field + 2, slot) = v.z;
  }
  SIM_HD M3<float> matrix(int field, int slot) const {
    M3<float> m;
    for (int i = 0; i < 9; ++i) m.a[i] = at(field + i, slot);
    return m;
  }
  SIM_HD void set(int field, int slot, const M3<float>& m) const {
    for (int i = 0; i < 9; ++i) at(field + i, slot) = m.a[i];
  }
  SIM_HD M3<float> tau(int slot) const {
    const auto t = [&](int i) { return at(PackField::Tau + i, slot); };
    return {t(0), t(3), t(4), t(3), t(1), t(5), t(4), t(5), t(2)};
  }
  SIM_HD void setTau(int slot, const M3<float>& tau) const {
    constexpr int kElement[6] = {0, 4, 8, 1, 2, 5};
    for (int i = 0; i < 6; ++i) at(PackField::Tau + i, slot) = tau.a[kElement[i]];
  }
};

/// Momentum or velocity, and mass.
struct alignas(16) DeviceNode {
  float x, y, z, mass;
};

/// What the host knows of a deformable.
struct DeviceDeformable {
  int model;  ///< MaterialModel
  int begin, end;
  float apicDamping;
  mpm::MaterialFloats material;
  int cloth;  ///< which of the model's cloths, −1: a solid
};

SIM_HD V3<double> doubles(const V3<float>& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// A double per axis, as it crosses to the device.
struct DevicePoint {
  double x, y, z;
};

/// What each contact received in the substep before: from which the next solve starts.
struct LastImpulsesView {
  int *first, *count;  ///< per particle, into …
  int* geometry;
  float* gamma;  ///< 3 columns [N s]
  int capacity;

  SIM_HD V3<float> impulse(int i) const { return {gamma[i], gamma[capacity + i], gamma[2 * capacity + i]}; }
};

/// Counts that only the device knows, and what went wrong. Read back once per step.
struct GridCounts {
  int blocks;                          ///< of particles
  int gridBlocks;                      ///< of nodes: those and all around them
  int failed;                          ///< a capacity was too small: what follows means nothing
  int blocksNeeded, gridBlocksNeeded;  ///< beyond the capacities: the step will be done again
  int contactsNeeded, nodesNeeded;
  int pairs;                         ///< of a particle and a geometry that touched in the step
  int nonFinite, outside, leftTile;  ///< as mpm::RangeReport's
  int activeNodes;                   ///< with mass, in the last substep
  float maxSpeedSquared;             ///< of all substeps [m²/s²]
};

/// All arrays of sorted particles and of the grid around them; capacities are what they were allocated for.
struct GridView {
  int particles;
  int blockCapacity, gridBlockCapacity;
  double h;  ///< grid spacing [m]
  // mpm::PositionFormat's numbers.
  double blockEdge, roundCoarse, roundFine;
  float coarse, roundCoarseFloat, roundFineFloat;

  GridCounts* counts;
  DeviceParticles at;
  int* particleOfSlot;
  int* slotOfParticle;
  int* deformableOfParticle;
  const DeviceDeformable* deformables;
  int deformableCount;
  int* blockOfSlot;
  std::uint64_t* blockKeys;  ///< per block of particles, rising
  int* firstSlot;            ///< per block, and the end
  std::uint64_t* gridKeys;   ///< per block of nodes, rising
  int* gridBlocks;         ///< 27 per block of particles: the nodes' blocks around it, 9(i+1) + 3(j+1) + k+1
  int* around;             ///< 27 per block of nodes: the particles' blocks around it, −1: none
  DeviceNode* tiles;       ///< kTileNodes per block of particles
  DeviceNode* nodes;       ///< kBlockNodes per block of nodes: v and mass
  std::uint64_t* massive;  ///< per block of nodes: those with mass

  /// Whether the step will not be kept: then its kernels have nothing more to do.
  SIM_HD bool stopped() const {
    return counts->failed != 0 || counts->nonFinite != 0 || counts->outside != 0;
  }
  SIM_HD int deformableAt(int slot) const { return deformableOfParticle[particleOfSlot[slot]]; }
};

/// Keys of blocks that sort like (x, y, z): 14 bits per axis, ±8,192 blocks; particles are within ±2,500.
inline constexpr int kBlockKeyBits = 42, kCellBits = 6;
inline constexpr std::uint64_t kNoBlock = std::uint64_t{1} << kBlockKeyBits;  ///< sorts behind all others

SIM_HD std::uint64_t deviceBlockKey(int x, int y, int z) {
  const auto field = [](int c) { return static_cast<std::uint64_t>((c + 8192) & 0x3fff); };
  return field(x) << 28 | field(y) << 14 | field(z);
}
struct BlockPlace {
  int x, y, z;
};
SIM_HD BlockPlace placeOfBlock(std::uint64_t key) {
  const auto field = [key](int shift) { return static_cast<int>(key >> shift & 0x3fff) - 8192; };
  return {field(28), field(14), field(0)};
}

/// Corner of a block along one axis, as mpm::PositionFormat::corner has it [m].
SIM_HD double cornerAlong(const GridView& g, int block) {
  const double corner = g.blockEdge * block;
  return (corner + g.roundFine) - g.roundFine;
}

SIM_HD int bitCount(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return __popcll(bits);
#else
  return __builtin_popcountll(bits);
#endif
}

/// mpm::PositionFormat::split. @param local  x − corner, in whole steps [m]
SIM_HD mpm::FixedPoint<float> splitPosition(const GridView& g, double local) {
  const double nearest = (local + g.roundCoarse) - g.roundCoarse, rest = local - nearest;
  // A half goes up.
  const double half = rest >= 0.5 * static_cast<double>(g.coarse) ? static_cast<double>(g.coarse) : 0.0;
  return {static_cast<float>(nearest + half), static_cast<float>(rest - half)};
}

}  // namespace slipstick::gpu
