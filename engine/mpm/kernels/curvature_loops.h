// Products with the Hessian of elastic energy, and what it is found from, for implicit steps: the loops' rules are those of
// loops.h. In double.
#pragma once

#include "engine/lanes/double_pack.h"
#include "engine/lanes/svd3.h"
#include "engine/mpm/kernels/kernel_table.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {
namespace {

/// Σ_p Σ_j b_ip·(C_p : x_j b_jpᵀ), particle by particle: the change of F that x makes, the stress that follows, and what that
/// does to the nodes.
void addCurvature(const CurvatureArgs& args) {
  using lanes::DoublePack;
  constexpr int kNodes = CurvatureArgs::kNodes, kLanes = DoublePack::kLanes;
  const double* b = args.shapes;
  for (int p = 0; p < args.count; ++p, b += 3 * kNodes) {
    DoublePack change[3] = {0.0, 0.0, 0.0},
               other[3] = {0.0, 0.0, 0.0};  // two sums each: additions wait for one another
    for (int i = 0; i + 1 < kNodes; i += 2) {
      const DoublePack x = DoublePack::load(args.x + i * kLanes),
                       next = DoublePack::load(args.x + (i + 1) * kLanes);
      for (int k = 0; k < 3; ++k) {
        change[k] += DoublePack(b[k * kNodes + i]) * x;
        other[k] += DoublePack(b[k * kNodes + i + 1]) * next;
      }
    }
    const DoublePack last = DoublePack::load(args.x + (kNodes - 1) * kLanes);
    DoublePack stress[3] = {0.0, 0.0, 0.0};
    const double* column = args.stiffness + p * args.stride;
    for (int k = 0; k < 3; ++k) {
      double entries[kLanes];
      (change[k] + other[k] + DoublePack(b[k * kNodes + kNodes - 1]) * last).store(entries);
      for (int a = 0; a < 3; ++a, column += 3 * kLanes)
        for (int l = 0; l < 3; ++l)
          stress[l] += DoublePack(entries[a]) * DoublePack::load(column + l * kLanes);
    }
    for (int i = 0; i < kNodes; ++i) {
      double* at = args.result + i * kLanes;
      (DoublePack::load(at) + DoublePack(b[i]) * stress[0] + DoublePack(b[kNodes + i]) * stress[1] +
       DoublePack(b[2 * kNodes + i]) * stress[2])
          .store(at);
    }
  }
}

void decompose(const DecomposeArgs& args) {
  using lanes::DoublePack;
  constexpr int kLanes = DecomposeArgs::kLanes;
  static_assert(kLanes == DoublePack::kLanes);
  const auto store = [](const lanes::M3<DoublePack>& A, double* to) {
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) A(i, k).store(to + kLanes * (i + 3 * k));
  };
  for (int p = 0; p < args.packs; ++p) {
    lanes::M3<DoublePack> F;
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) F(i, k) = DoublePack::load(args.F + kLanes * (9 * p + i + 3 * k));
    const auto d = lanes::svd3(F);
    store(d.U, args.U + 9 * kLanes * p);
    store(d.V, args.V + 9 * kLanes * p);
    for (int k = 0; k < 3; ++k) d.sigma[k].store(args.sigma + kLanes * (3 * p + k));
  }
}

}  // namespace
}  // namespace SIM_ISA
}  // namespace slipstick::mpm
