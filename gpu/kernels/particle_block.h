// What the kernels that work on a block of particles agree on.
#pragma once

#include "engine/mpm/bspline.h"
#include "engine/mpm/materials/constants.h"
#include "gpu/particle_view.h"

namespace slipstick::gpu {

using mpm::Bspline;

/// Threads of a block of particles.
inline constexpr int kBlockThreads = 256;
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

}  // namespace slipstick::gpu
