// Particles to grid and back, a team per block of particles. Sums on the grid have a fixed order: each node of a block's
// tile gathers from the particles around it, cell by cell, and each node of the grid from the tiles that cover it.
#pragma once

#include "engine/mpm/bspline.h"
#include "engine/mpm/materials/dispatch.h"
#include "engine/mpm/position_step.h"
#include "engine/mpm/transfer.h"
#include "gpu/atomics.h"
#include "gpu/kernels/sort_kernels.h"
#include "gpu/particle_view.h"

namespace slipstick::gpu {

using mpm::Bspline;

/// Threads of a block of particles.
inline constexpr int kBlockThreads = 256;
/// Particles that a team works on together.
inline constexpr int kTogether = kBlockThreads;
/// Cells per axis in which particles of a block may start their 3³ nodes: its own four, and one on each side into
/// which they may drift before the next sort.
inline constexpr int kCellEdge = kTileEdge - 2, kCells = kCellEdge * kCellEdge * kCellEdge;

SIM_HD mpm::MaterialConstants<float> constantsOf(const DeviceDeformable& d) {
  const mpm::MaterialFloats& m = d.material;
  return {m.mu, m.lambda, m.strainLimit, {m.law[0], m.law[1], m.law[2], m.law[3]}};
}
SIM_HD mpm::Internal<float> internalOf(const DeviceParticles& at, int slot) {
  return {at.at(PackField::Internal, slot), at.at(PackField::Internal + 1, slot)};
}

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

/// What particles of one block bring to its tile, kTogether of them at a time.
struct ScatterShared {
  float weight[9][kTogether];  ///< x0 x1 x2 y0 y1 y2 z0 z1 z2
  float middle[4][kTogether];  ///< momentum that the middle node would get per weight, and mass
  float slope[9][kTogether];   ///< what it changes by from node to node, element (i, j) at 3i + j
  int cell[kTogether];         ///< where the particle's nodes start in the tile; −1: nobody
  int first[kCells + 1];       ///< of each cell, into `member`
  int member[kTogether];
  int count[kCells];
};

/// P2G of a block: its tile afterwards holds mass and momentum.
struct BlockScatter {
  GridView grid;
  float dt;

  template <class Team>
  SIM_HD void run(Team& team, ScatterShared& s, int block) const {
    constexpr int kNodesEach = kTileNodes / kBlockThreads;
    struct Sum {
      DeviceNode node[kNodesEach];
    };
    typename Team::template Own<Sum> sums(team);
    team.each([&](int thread) {
      for (DeviceNode& node : sums[thread].node) node = {0, 0, 0, 0};
    });
    const int begin = grid.firstSlot[block], end = grid.firstSlot[block + 1];
    for (int first = begin; first < end; first += kTogether) {
      const int count = end - first < kTogether ? end - first : kTogether;
      team.each([&](int thread) {
        for (int c = thread; c < kCells; c += kBlockThreads) s.count[c] = 0;
        s.cell[thread] = -1;
        if (thread < count) bring(s, thread, first + thread);
      });
      sortByCell(team, s, count);
      team.each([&](int thread) {
        for (int n = 0; n < kNodesEach; ++n) addTo(s, thread + n * kBlockThreads, sums[thread].node[n]);
      });
    }
    team.each([&](int thread) {
      DeviceNode* tile = grid.tiles + static_cast<std::int64_t>(block) * kTileNodes;
      for (int n = 0; n < kNodesEach; ++n) tile[thread + n * kBlockThreads] = sums[thread].node[n];
    });
  }

 private:
  /// One particle: its weights, and its momentum as a linear field around it.
  SIM_HD void bring(ScatterShared& s, int i, int slot) const {
    const DeviceParticles& at = grid.at;
    const float invH = static_cast<float>(1.0 / grid.h), h = static_cast<float>(grid.h);
    const Bspline<float> b =
        mpm::bspline(at.vector(PackField::X, slot), at.vector(PackField::XLow, slot), invH);
    const float mass = at.at(PackField::Mass, slot);
    V3<float> momentum = mass * at.vector(PackField::V, slot);
    M3<float> affine;
    if (grid.deformables[grid.deformableAt(slot)].cloth >= 0) {
      const V3<float> director{at.at(PackField::F + 2, slot), at.at(PackField::F + 5, slot),
                               at.at(PackField::F + 8, slot)};
      momentum = momentum + dt * at.vector(PackField::Force, slot);
      affine =
          mpm::affineMomentum(mass, at.matrix(PackField::C, slot), mpm::stressImpulseScale(dt, 1.0f, invH),
                              outer(at.vector(PackField::Couple, slot), director));
    } else {
      affine = mpm::affineMomentum(mass, at.matrix(PackField::C, slot),
                                   mpm::stressImpulseScale(dt, at.at(PackField::Volume, slot), invH),
                                   at.tau(slot));
    }
    const V3<float> middle = momentum + affine * V3<float>{h * (1 - b.f.x), h * (1 - b.f.y), h * (1 - b.f.z)};
    for (int a = 0; a < 3; ++a)
      for (int n = 0; n < 3; ++n) s.weight[3 * a + n][i] = b.w[a][n];
    for (int a = 0; a < 3; ++a) s.middle[a][i] = middle[a];
    s.middle[3][i] = mass;
    for (int k = 0; k < 9; ++k) s.slope[k][i] = h * affine.a[k];
    const int x = static_cast<int>(b.base.x) + 1, y = static_cast<int>(b.base.y) + 1,
              z = static_cast<int>(b.base.z) + 1;
    const bool inTile = x >= 0 && x < kCellEdge && y >= 0 && y < kCellEdge && z >= 0 && z < kCellEdge;
    s.cell[i] = inTile ? (x * kCellEdge + y) * kCellEdge + z : -1;
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
    for (int i = 0; i < 3; ++i) {
      if (x - i < 0 || x - i >= kCellEdge) continue;
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
    forEntries(team, grid.gridBlockRoom, [&](int block) {
      if (!grid.stopped() && block < grid.counts->gridBlocks)
        fetchAdd(&grid.counts->activeNodes, bitCount(grid.massive[block]));
    });
  }
};

/// Velocities of the nodes that a block's particles may read.
struct GatherShared {
  DeviceNode node[kTileNodes];
};

/// What one particle takes from the grid.
struct Gathered {
  V3<float> v;
  M3<float> L;  ///< ∇v [1/s]
};

/// G2P, motion, return map and stress of a block's particles.
struct BlockGather {
  GridView grid;
  float dt;

  template <class Team>
  SIM_HD void run(Team& team, GatherShared& s, int block) const {
    team.loop(kTileNodes, [&](int n) {
      const int x = n / (kTileEdge * kTileEdge) - 1, y = n / kTileEdge % kTileEdge - 1, z = n % kTileEdge - 1;
      const int neighbour = 9 * (mpm::blockOf(x) + 1) + 3 * (mpm::blockOf(y) + 1) + mpm::blockOf(z) + 1;
      const int local =
          (mpm::withinBlock(x) * kBlockEdge + mpm::withinBlock(y)) * kBlockEdge + mpm::withinBlock(z);
      s.node[n] =
          grid.nodes[static_cast<std::int64_t>(grid.gridBlocks[27 * block + neighbour]) * kBlockNodes +
                     local];
    });
    const int first = grid.firstSlot[block];
    team.loop(grid.firstSlot[block + 1] - first, [&](int i) { advance(s, block, first + i); });
  }

 private:
  SIM_HD void advance(const GatherShared& s, int block, int slot) const {
    const DeviceParticles& at = grid.at;
    const DeviceDeformable& d = grid.deformables[grid.deformableAt(slot)];
    const Gathered g = gather(s, slot);
    const V3<float> moved = move(slot, dt * g.v);
    const M3<float> C = mpm::affineVelocity(g.L, d.apicDamping);
    at.set(PackField::V, slot, g.v);
    at.set(PackField::C, slot, C);
    check(block, moved, g.v, d.cloth >= 0 ? carryDirector(slot, g.L) : update(slot, d, g.L, C));
  }

  SIM_HD Gathered gather(const GatherShared& s, int slot) const {
    const float invH = static_cast<float>(1.0 / grid.h);
    const Bspline<float> b =
        mpm::bspline(grid.at.vector(PackField::X, slot), grid.at.vector(PackField::XLow, slot), invH);
    const int x = clampCell(b.base.x), y = clampCell(b.base.y), z = clampCell(b.base.z);
    V3<float> v{0, 0, 0}, moment[3] = {v, v, v};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) {
          const DeviceNode& n = s.node[((x + i) * kTileEdge + y + j) * kTileEdge + z + k];
          const float w = b.w[0][i] * b.w[1][j] * b.w[2][k];
          const V3<float> wv{w * n.x, w * n.y, w * n.z};
          v += wv;
          moment[0] += static_cast<float>(i - 1) * wv;
          moment[1] += static_cast<float>(j - 1) * wv;
          moment[2] += static_cast<float>(k - 1) * wv;
        }
    Gathered g{v, {}};
    for (int a = 0; a < 3; ++a)
      for (int e = 0; e < 3; ++e) g.L(a, e) = 4 * invH * (moment[e][a] - (b.f[e] - 1) * v[a]);
    return g;
  }
  /// Particles that were not there any more have been reported, and their step is done again.
  SIM_HD static int clampCell(float base) {
    const int cell = static_cast<int>(base) + 1;
    return cell < 0 ? 0 : cell >= kCellEdge ? kCellEdge - 1 : cell;
  }

  SIM_HD V3<float> move(int slot, const V3<float>& way) const {
    const mpm::PositionSteps<float> steps{grid.coarse, grid.roundCoarseFloat, grid.roundFineFloat};
    V3<float> high;
    for (int a = 0; a < 3; ++a) {
      float &x = grid.at.at(PackField::X + a, slot), &low = grid.at.at(PackField::XLow + a, slot);
      const mpm::FixedPoint<float> to = mpm::movedBy(x, low, way[a], steps);
      high[a] = x = to.high;
      low = to.low;
    }
    return high;
  }

  /// @return the squared size of what has changed
  SIM_HD float update(int slot, const DeviceDeformable& d, const M3<float>& L, const M3<float>& C) const {
    const DeviceParticles& at = grid.at;
    const M3<float> trial = mpm::trialDeformation(L, dt, at.matrix(PackField::F, slot));
    const mpm::Internal<float> q = internalOf(at, slot);
    const mpm::MaterialConstants<float> m = constantsOf(d);
    const mpm::Updated<float> u = mpm::withMaterial(
        static_cast<MaterialModel>(d.model), [&](auto material) { return material.update(trial, q, C, m); });
    at.set(PackField::F, slot, u.F);
    at.setTau(slot, u.tau);
    at.at(PackField::Internal, slot) = u.q.a;
    at.at(PackField::Internal + 1, slot) = u.q.b;
    at.at(PackField::Plastic, slot) += u.strain;
    return squaredNorm(u.F);
  }
  /// The grid carries the last column of F along; the mesh decides about the rest.
  SIM_HD float carryDirector(int slot, const M3<float>& L) const {
    const auto at = [&](int row) -> float& { return grid.at.at(PackField::F + 3 * row + 2, slot); };
    const V3<float> d{at(0), at(1), at(2)}, director = d + dt * (L * d);
    for (int row = 0; row < 3; ++row) at(row) = director[row];
    return dot(director, director);
  }

  SIM_HD void check(int block, const V3<float>& x, const V3<float>& v, float deformation) const {
    constexpr float kLargest = 1e30f, kFastest = 1e15f;
    const auto within = [](const V3<float>& a, float size) {
      return lanes::abs(a.x) <= size && lanes::abs(a.y) <= size && lanes::abs(a.z) <= size;
    };
    if (!(within(x, kLargest) && deformation <= kLargest && within(v, kFastest))) {
      raiseTo(&grid.counts->nonFinite, 1);
      return;
    }
    raiseTo(&grid.counts->maxSpeedSquared, dot(v, v));
    const BlockPlace place = placeOfBlock(grid.blockKeys[block]);
    const float corner[3] = {static_cast<float>(cornerAlong(grid, place.x)),
                             static_cast<float>(cornerAlong(grid, place.y)),
                             static_cast<float>(cornerAlong(grid, place.z))};
    const float domain = static_cast<float>(mpm::kDomainCells * grid.h),
                invH = static_cast<float>(1.0 / grid.h);
    for (int a = 0; a < 3; ++a) {
      if (!(lanes::abs(x[a] + corner[a]) <= domain)) raiseTo(&grid.counts->outside, 1);
      const float cell = lanes::floor(x[a] * invH - 0.5f) + 1;
      if (!(cell >= 0 && cell < static_cast<float>(kCellEdge))) raiseTo(&grid.counts->leftTile, 1);
    }
  }
};

struct Gather {
  static constexpr int kThreads = kBlockThreads, kBlocksTogether = 1;  // else some materials spill
  using Shared = GatherShared;
  BlockGather gather;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    if (gather.grid.counts->failed == 0 && team.index() < gather.grid.counts->blocks)
      gather.run(team, team.template shared<Shared>(), team.index());
  }
};

}  // namespace slipstick::gpu
