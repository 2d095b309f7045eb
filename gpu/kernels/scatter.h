// Particles to grid. Each node of a block's tile gathers from the particles around it, cell by cell, so that its sum has
// a fixed order; or, where nobody asks for the same bits again, particles add to the nodes as they come.
#pragma once

#include "engine/mpm/transfer.h"
#include "gpu/atomics.h"
#include "gpu/kernels/particle_block.h"
#include "gpu/reproducibility.h"

namespace slipstick::gpu {

/// Particles that a team works on together.
inline constexpr int kTogether = kBlockThreads;

/// What particles of one block bring to its tile, kTogether of them at a time.
struct ScatterShared {
  float weight[9][kTogether];  ///< x0 x1 x2 y0 y1 y2 z0 z1 z2
  float middle[4][kTogether];  ///< momentum that the middle node would get per weight, and mass
  float slope[9][kTogether];   ///< what it changes by from node to node, element (i, j) at 3i + j
  int cell[kTogether];         ///< where the particle's nodes start in the tile; −1: nobody
  int first[kCells + 1];       ///< of each cell, into `member`
  int member[kTogether];
  int count[kCells];
  DeviceNode tile[kTileNodes];  ///< of sums in any order
};

/// What one particle brings: to node (i, j, k) of its 3³ its weight there times a momentum that is linear around it.
struct Brought {
  Bspline<float> at;
  V3<float> middle;  ///< momentum of the middle node per weight [kg m/s]
  M3<float> slope;   ///< what it changes by from node to node
  float mass;
  int cell;  ///< where its nodes start in the tile; −1: it has left the tile

  SIM_HD DeviceNode to(int i, int j, int k) const {
    const float w = at.w[0][i] * at.w[1][j] * at.w[2][k];
    const V3<float> p = middle + slope * V3<float>{static_cast<float>(i - 1), static_cast<float>(j - 1),
                                                   static_cast<float>(k - 1)};
    return {w * p.x, w * p.y, w * p.z, w * mass};
  }
};

/// P2G of a block: its tile afterwards holds mass and momentum.
struct BlockScatter {
  GridView grid;
  float dt;  ///< δt [s]
  Reproducibility reproducibility;

  template <class Team>
  SIM_HD void run(Team& team, ScatterShared& s, int block) const {
    if (reproducibility == Reproducibility::RunToRun) {
      runInOrder(team, s, block);
    } else {
      runAsTheyCome(team, s, block);
    }
  }

 private:
  template <class Team>
  SIM_HD void runInOrder(Team& team, ScatterShared& s, int block) const {
    constexpr int kNodesEach = kTileNodes / kBlockThreads;
    struct Sum {
      DeviceNode node[kNodesEach];
    };
    typename Team::template Own<Sum> nodes(team);
    team.each([&](int thread) {
      for (DeviceNode& node : nodes[thread].node) node = {0, 0, 0, 0};
    });
    const int begin = grid.firstSlot[block], end = grid.firstSlot[block + 1];
    for (int first = begin; first < end; first += kTogether) {
      const int count = end - first < kTogether ? end - first : kTogether;
      team.each([&](int thread) {
        for (int c = thread; c < kCells; c += kBlockThreads) s.count[c] = 0;
        s.cell[thread] = -1;
        if (thread < count) keep(s, thread, bring(first + thread));
      });
      sortByCell(team, s, count);
      team.each([&](int thread) {
        for (int n = 0; n < kNodesEach; ++n) addTo(s, thread + n * kBlockThreads, nodes[thread].node[n]);
      });
    }
    team.each([&](int thread) {
      for (int n = 0; n < kNodesEach; ++n) tileOf(block)[thread + n * kBlockThreads] = nodes[thread].node[n];
    });
  }

  template <class Team>
  SIM_HD void runAsTheyCome(Team& team, ScatterShared& s, int block) const {
    team.loop(kTileNodes, [&](int n) { s.tile[n] = {0, 0, 0, 0}; });
    const int first = grid.firstSlot[block];
    team.loop(grid.firstSlot[block + 1] - first, [&](int i) { addTo(s.tile, bring(first + i)); });
    team.loop(kTileNodes, [&](int n) { tileOf(block)[n] = s.tile[n]; });
  }

  SIM_HD DeviceNode* tileOf(int block) const {
    return grid.tiles + static_cast<std::int64_t>(block) * kTileNodes;
  }

  SIM_HD Brought bring(int slot) const {
    const DeviceParticles& at = grid.at;
    const float invH = static_cast<float>(1.0 / grid.h), h = static_cast<float>(grid.h);
    Brought p{mpm::bspline(at.vector(PackField::X, slot), at.vector(PackField::XLow, slot), invH),
              {},
              {},
              at.at(PackField::Mass, slot),
              -1};
    V3<float> momentum = p.mass * at.vector(PackField::V, slot);
    M3<float> affine;
    if (grid.deformables[grid.deformableAt(slot)].cloth >= 0) {
      const V3<float> director{at.at(PackField::F + 2, slot), at.at(PackField::F + 5, slot),
                               at.at(PackField::F + 8, slot)};
      momentum = momentum + dt * at.vector(PackField::Force, slot);
      affine =
          mpm::affineMomentum(p.mass, at.matrix(PackField::C, slot), mpm::stressImpulseScale(dt, 1.0f, invH),
                              outer(at.vector(PackField::Couple, slot), director));
    } else {
      affine = mpm::affineMomentum(p.mass, at.matrix(PackField::C, slot),
                                   mpm::stressImpulseScale(dt, at.at(PackField::Volume, slot), invH),
                                   at.tau(slot));
    }
    const V3<float>& f = p.at.f;
    p.middle = momentum + affine * V3<float>{h * (1 - f.x), h * (1 - f.y), h * (1 - f.z)};
    p.slope = h * affine;
    const auto within = [](float base) { return base >= -1 && base < kCellEdge - 1; };  // false for NaN
    if (within(p.at.base.x) && within(p.at.base.y) && within(p.at.base.z)) {
      const auto cell = [](float base) { return static_cast<int>(base) + 1; };
      p.cell = (cell(p.at.base.x) * kCellEdge + cell(p.at.base.y)) * kCellEdge + cell(p.at.base.z);
    }
    return p;
  }

  // ---- in a fixed order ----

  SIM_HD static void keep(ScatterShared& s, int i, const Brought& p) {
    for (int a = 0; a < 3; ++a)
      for (int n = 0; n < 3; ++n) s.weight[3 * a + n][i] = p.at.w[a][n];
    for (int a = 0; a < 3; ++a) s.middle[a][i] = p.middle[a];
    s.middle[3][i] = p.mass;
    for (int k = 0; k < 9; ++k) s.slope[k][i] = p.slope.a[k];
    s.cell[i] = p.cell;
  }

  /// Lists the particles of each cell in their order.
  template <class Team>
  SIM_HD static void sortByCell(Team& team, ScatterShared& s, int count) {
    team.each([&](int thread) {
      if (thread < count && s.cell[thread] >= 0) fetchAdd(&s.count[s.cell[thread]], 1);
    });
    team.each([&](int thread) {
      if (thread != 0) return;
      int sum = 0;
      for (int c = 0; c < kCells; ++c) {
        s.first[c] = sum;
        sum += s.count[c];
        s.count[c] = 0;
      }
      s.first[kCells] = sum;
    });
    team.each([&](int thread) {
      if (thread >= count || s.cell[thread] < 0) return;
      const int c = s.cell[thread];
      s.member[s.first[c] + fetchAdd(&s.count[c], 1)] = thread;
    });
    team.each([&](int thread) {  // they came in any order
      for (int c = thread; c < kCells; c += kBlockThreads)
        for (int i = s.first[c] + 1; i < s.first[c + 1]; ++i) {
          const int value = s.member[i];
          int j = i;
          for (; j > s.first[c] && s.member[j - 1] > value; --j) s.member[j] = s.member[j - 1];
          s.member[j] = value;
        }
    });
  }

  /// Adds to a node of the tile what the particles around it bring.
  SIM_HD static void addTo(const ScatterShared& s, int node, DeviceNode& sum) {
    const int x = node / (kTileEdge * kTileEdge), y = node / kTileEdge % kTileEdge, z = node % kTileEdge;
    SIM_ROLLED
    for (int i = 0; i < 3; ++i) {
      if (x - i < 0 || x - i >= kCellEdge) continue;
      SIM_ROLLED
      for (int j = 0; j < 3; ++j) {
        if (y - j < 0 || y - j >= kCellEdge) continue;
        for (int k = 0; k < 3; ++k) {
          if (z - k < 0 || z - k >= kCellEdge) continue;
          const int cell = ((x - i) * kCellEdge + y - j) * kCellEdge + z - k;
          for (int m = s.first[cell]; m < s.first[cell + 1]; ++m) addParticle(s, s.member[m], i, j, k, sum);
        }
      }
    }
  }
  SIM_HD static void addParticle(const ScatterShared& s, int p, int i, int j, int k, DeviceNode& sum) {
    const float w = s.weight[i][p] * s.weight[3 + j][p] * s.weight[6 + k][p];
    const auto along = [&](int row) {
      return s.middle[row][p] + static_cast<float>(i - 1) * s.slope[3 * row][p] +
             static_cast<float>(j - 1) * s.slope[3 * row + 1][p] +
             static_cast<float>(k - 1) * s.slope[3 * row + 2][p];
    };
    sum.x += w * along(0);
    sum.y += w * along(1);
    sum.z += w * along(2);
    sum.mass += w * s.middle[3][p];
  }

  // ---- in any order ----

  SIM_HD static void addTo(DeviceNode* tile, const Brought& p) {
    if (p.cell < 0) return;
    const int x = p.cell / (kCellEdge * kCellEdge), y = p.cell / kCellEdge % kCellEdge,
              z = p.cell % kCellEdge;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) {
          DeviceNode& node = tile[((x + i) * kTileEdge + y + j) * kTileEdge + z + k];
          const DeviceNode part = p.to(i, j, k);
          addAsItComes(&node.x, part.x);
          addAsItComes(&node.y, part.y);
          addAsItComes(&node.z, part.z);
          addAsItComes(&node.mass, part.mass);
        }
  }
};

}  // namespace slipstick::gpu
