// From the name of a model to its code.
#pragma once

#include "engine/mpm/materials/constants.h"
#include "engine/mpm/materials/corotated.h"
#include "engine/mpm/materials/hencky.h"
#include "engine/mpm/materials/liquid.h"
#include "engine/mpm/materials/neo_hookean.h"
#include "engine/mpm/materials/sand.h"
#include "engine/mpm/materials/snow.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// Calls f with an object of the model's type: withMaterial(model, [&](auto material) { … material.stress(F,
/// q, C, m) … }). Not for cloth, whose stress belongs to triangles.
#ifdef __CUDACC__
#pragma nv_exec_check_disable  // f may be for the host alone, or for the device
#endif
template <class F>
SIM_HD auto withMaterial(MaterialModel model, F&& f) {
  switch (model) {
    case MaterialModel::NeoHookean:
      return f(Memoryless<NeoHookean>{});
    case MaterialModel::LinearCorotated:
      return f(Memoryless<LinearCorotated>{});
    case MaterialModel::LinearCorotatedVonMises:
      return f(Memoryless<LinearCorotatedVonMises>{});
    case MaterialModel::Hencky:
      return f(Memoryless<Hencky>{});
    case MaterialModel::HenckyVonMises:
      return f(Memoryless<HenckyVonMises>{});
    case MaterialModel::CorotatedHenckyVonMises:
      return f(Memoryless<CorotatedHenckyVonMises>{});
    case MaterialModel::DruckerPrager:
      return f(DruckerPrager{});
    case MaterialModel::Snow:
      return f(Snow{});
    case MaterialModel::Liquid:
      return f(Liquid{});
    case MaterialModel::FixedCorotated:
    case MaterialModel::Cloth:
      break;
  }
  return f(Memoryless<FixedCorotated>{});
}

}  // namespace SIM_ISA
}  // namespace slipstick::mpm
