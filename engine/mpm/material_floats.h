// The constants of a material as the float backends take them.
#pragma once

#include "engine/mpm/kernels/kernel_table.h"
#include "engine/mpm/materials/constants.h"

namespace slipstick::mpm {

inline MaterialFloats floatsOf(const MaterialParameters& parameters) {
  const MaterialNumbers m = materialNumbers(parameters);
  MaterialFloats floats{
      static_cast<float>(m.mu), static_cast<float>(m.lambda), static_cast<float>(m.strainLimit), {}};
  for (int i = 0; i < 4; ++i) floats.law[i] = static_cast<float>(m.law[i]);
  return floats;
}

}  // namespace slipstick::mpm
