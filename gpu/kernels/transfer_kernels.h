// The kernels of the transfers, a team per block of particles, and of the grid between them.
#pragma once

#include "gpu/kernels/gather.h"
#include "gpu/kernels/scatter.h"
#include "gpu/kernels/sort_kernels.h"

namespace slipstick::gpu {

/// τ of a particle that is no cloth [Pa].
SIM_HD M3<float> stressOf(const GridView& grid, const DeviceDeformable& d, int slot) {
  const M3<float> F = grid.at.matrix(PackField::F, slot), C = grid.at.matrix(PackField::C, slot);
  const mpm::Internal<float> q = internalOf(grid.at, slot);
  const mpm::MaterialConstants<float> m = constantsOf(d);
  return mpm::withMaterial(static_cast<MaterialModel>(d.model),
                           [&](auto material) { return material.stress(F, q, C, m); });
}

/// τ from F of everything but cloth, after a sort.
struct FindStress {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, grid.particles, [&](int slot) {
      if (grid.stopped()) return;
      const DeviceDeformable& d = grid.deformables[grid.deformableAt(slot)];
      if (d.cloth < 0) grid.at.setTau(slot, stressOf(grid, d, slot));
    });
  }
};

struct Scatter {
  static constexpr int kThreads = kBlockThreads;
  using Shared = ScatterShared;
  BlockScatter scatter;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    if (!scatter.grid.stopped() && team.index() < scatter.grid.counts->blocks)
      scatter.run(team, team.template shared<Shared>(), team.index());
  }
};

/// G2P, and where nothing that other blocks have to say stands between the next substep's P2G, which finds its
/// particles in the cache. Tiles are read by nobody meanwhile.
template <int kModel>
struct Advance {
  static constexpr int kThreads = kBlockThreads;
  static constexpr int kBlocksTogether = kModel == kAnyModel ? 1 : 2;  // else some materials spill
  union Shared {
    GatherShared velocities;
    ScatterShared scatter;
  };
  BlockGather<kModel> gather;
  BlockScatter scatter;
  bool scatters;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    const int block = team.index();
    // Not stopped(): other teams may be about to find out.
    if (gather.grid.counts->failed != 0 || block >= gather.grid.counts->blocks) return;
    Shared& s = team.template shared<Shared>();
    gather.load(team, s.velocities, block);
    const int first = gather.grid.firstSlot[block];
    team.loop(gather.grid.firstSlot[block + 1] - first,
              [&](int i) { gather.advance(s.velocities, block, first + i); });
    if (scatters) scatter.run(team, s.scatter, block);
  }
};

/// The grid's nodes: sums of the tiles, v* = mv/m + δt g, and which of them have mass. Four blocks to a team.
struct Reduce {
  static constexpr int kThreads = 256;
  static constexpr int kBlocksEach = kThreads / kBlockNodes;
  GridView grid;
  V3<float> gravityStep;  ///< δt g [m/s]

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    team.each([&](int thread) {
      const int block = team.index() * kBlocksEach + thread / kBlockNodes;
      if (block < grid.counts->gridBlocks && thread % kBlockNodes == 0) grid.massive[block] = 0;
    });
    team.each([&](int thread) {
      const int block = team.index() * kBlocksEach + thread / kBlockNodes, local = thread % kBlockNodes;
      if (block >= grid.counts->gridBlocks) return;
      DeviceNode node = sumOf(block, local);
      const bool hasMass = node.mass > 0;
      if (hasMass) {
        const float inverse = 1 / node.mass;
        node = {node.x * inverse + gravityStep.x, node.y * inverse + gravityStep.y,
                node.z * inverse + gravityStep.z, node.mass};
        setBits(&grid.massive[block], std::uint64_t{1} << local);
      } else {
        node = {0, 0, 0, 0};
      }
      grid.nodes[static_cast<std::int64_t>(block) * kBlockNodes + local] = node;
    });
  }

 private:
  /// A block's own tile has its nodes 0…3 at 1…4; the tile of its upper neighbour begins with its node 3, that of its
  /// lower one ends with its node 2.
  SIM_HD DeviceNode sumOf(int block, int local) const {
    const int node[3] = {local / 16, local / 4 % 4, local % 4};
    DeviceNode sum{0, 0, 0, 0};
    for (int n = 0; n < 8; ++n) {
      int place = 0, offset = 0;
      for (int a = 0; a < 3; ++a) {
        const bool other = (n >> (2 - a) & 1) != 0;
        const int away = !other ? 0 : node[a] == 3 ? 1 : -1;  // of the tile's block from this one
        place = place * kTileEdge + node[a] + 1 - kBlockEdge * away;
        offset = offset * 3 + away + 1;
      }
      const int owner = grid.around[27 * block + offset];
      if (owner < 0) continue;
      const DeviceNode& t = grid.tiles[static_cast<std::int64_t>(owner) * kTileNodes + place];
      sum = {sum.x + t.x, sum.y + t.y, sum.z + t.z, sum.mass + t.mass};
    }
    return sum;
  }
};

/// How many nodes have mass.
struct CountActiveNodes {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, grid.gridBlockCapacity, [&](int block) {
      if (!grid.stopped() && block < grid.counts->gridBlocks)
        fetchAdd(&grid.counts->activeNodes, bitCount(grid.massive[block]));
    });
  }
};

}  // namespace slipstick::gpu
