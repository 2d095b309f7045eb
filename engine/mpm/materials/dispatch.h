// From the name of a model to its code.
#pragma once

#include "engine/mpm/materials/constants.h"
#include "engine/mpm/materials/corotated.h"
#include "engine/mpm/materials/hencky.h"
#include "engine/mpm/materials/neo_hookean.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// Calls f with an object of the model's type: withMaterial(model, [&](auto material) { … material.stress(F,
/// m) … }).
template <class F>
SIM_HD auto withMaterial(MaterialModel model, F&& f) {
  switch (model) {
    case MaterialModel::NeoHookean:
      return f(NeoHookean{});
    case MaterialModel::LinearCorotated:
      return f(LinearCorotated{});
    case MaterialModel::LinearCorotatedVonMises:
      return f(LinearCorotatedVonMises{});
    case MaterialModel::Hencky:
      return f(Hencky{});
    case MaterialModel::HenckyVonMises:
      return f(HenckyVonMises{});
    case MaterialModel::CorotatedHenckyVonMises:
      return f(CorotatedHenckyVonMises{});
    case MaterialModel::FixedCorotated:
      break;
  }
  return f(FixedCorotated{});
}

}  // namespace SIM_ISA
}  // namespace slipstick::mpm
