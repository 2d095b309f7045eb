// Grid to particles: velocities, motion, return map and stress.
#pragma once

#include "engine/mpm/materials/dispatch.h"
#include "engine/mpm/position_step.h"
#include "engine/mpm/transfer.h"
#include "gpu/atomics.h"
#include "gpu/kernels/particle_block.h"

namespace slipstick::gpu {

/// Any of the models, cloth among them, in place of one.
inline constexpr int kAnyModel = -1;

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
/// @tparam kModel  the MaterialModel of all deformables, which spares threads the registers of all others; or kAnyModel
template <int kModel>
struct BlockGather {
  GridView grid;
  float dt;  ///< δt [s]

  /// The velocities of a block's tile.
  template <class Team>
  SIM_HD void load(Team& team, GatherShared& s, int block) const {
    team.loop(kTileNodes, [&](int n) {
      const int x = n / (kTileEdge * kTileEdge) - 1, y = n / kTileEdge % kTileEdge - 1, z = n % kTileEdge - 1;
      const int neighbour = 9 * (mpm::blockOf(x) + 1) + 3 * (mpm::blockOf(y) + 1) + mpm::blockOf(z) + 1;
      const int local =
          (mpm::withinBlock(x) * kBlockEdge + mpm::withinBlock(y)) * kBlockEdge + mpm::withinBlock(z);
      s.node[n] =
          grid.nodes[static_cast<std::int64_t>(grid.gridBlocks[27 * block + neighbour]) * kBlockNodes +
                     local];
    });
  }

  SIM_HD void advance(const GatherShared& s, int block, int slot) const {
    const DeviceParticles& at = grid.at;
    const DeviceDeformable& d = grid.deformables[grid.deformableAt(slot)];
    const Gathered g = gather(s, slot);
    const V3<float> moved = move(slot, dt * g.v);
    const M3<float> C = mpm::affineVelocity(g.L, d.apicDamping);
    at.set(PackField::V, slot, g.v);
    at.set(PackField::C, slot, C);
    check(block, moved, g.v, isCloth(d) ? carryDirector(slot, g.L) : update(slot, d, g.L, C));
  }

 private:
  SIM_HD static bool isCloth(const DeviceDeformable& d) { return kModel == kAnyModel && d.cloth >= 0; }

  SIM_HD Gathered gather(const GatherShared& s, int slot) const {
    const float invH = static_cast<float>(1.0 / grid.h);
    const Bspline<float> b =
        mpm::bspline(grid.at.vector(PackField::X, slot), grid.at.vector(PackField::XLow, slot), invH);
    const int x = clampCell(b.base.x), y = clampCell(b.base.y), z = clampCell(b.base.z);
    V3<float> v{0, 0, 0}, moment[3] = {v, v, v};
    SIM_ROLLED
    for (int i = 0; i < 3; ++i) {
      const float wx = i == 0 ? b.w[0][0] : i == 1 ? b.w[0][1] : b.w[0][2];
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) {
          const DeviceNode& n = s.node[((x + i) * kTileEdge + y + j) * kTileEdge + z + k];
          const float w = wx * b.w[1][j] * b.w[2][k];
          const V3<float> wv{w * n.x, w * n.y, w * n.z};
          v += wv;
          moment[0] += static_cast<float>(i - 1) * wv;
          moment[1] += static_cast<float>(j - 1) * wv;
          moment[2] += static_cast<float>(k - 1) * wv;
        }
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
    const auto model = static_cast<MaterialModel>(kModel == kAnyModel ? d.model : kModel);
    const mpm::Updated<float> u =
        mpm::withMaterial(model, [&](auto material) { return material.update(trial, q, C, m); });
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

}  // namespace slipstick::gpu
