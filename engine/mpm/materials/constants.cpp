#include "engine/mpm/materials/constants.h"

#include <algorithm>
#include <cmath>

namespace slipstick::mpm {

MaterialNumbers materialNumbers(const MaterialParameters& p) {
  const double bound = p.yieldStress / (2 * p.mu());  // in strain: ‖2μ ε'‖ ≤ bound of the stress
  MaterialNumbers numbers{p.mu(), p.lambda(), std::numeric_limits<double>::infinity(), {}};
  switch (p.model) {
    case MaterialModel::LinearCorotatedVonMises:
      numbers.strainLimit = bound;
      break;
    case MaterialModel::HenckyVonMises:
    case MaterialModel::CorotatedHenckyVonMises:
      numbers.strainLimit = std::sqrt(2.0 / 3.0) * bound;
      break;
    case MaterialModel::DruckerPrager:
      std::copy(p.sandHardening.begin(), p.sandHardening.end(), numbers.law);
      break;
    case MaterialModel::Snow:
      numbers.law[0] = p.snowCompression;
      numbers.law[1] = p.snowStretch;
      numbers.law[2] = p.snowHardening;
      break;
    case MaterialModel::Liquid:
      numbers.law[0] = p.bulkModulus / p.tait;
      numbers.law[1] = p.tait;
      numbers.law[2] = p.viscosity;
      numbers.law[3] = std::cbrt(p.largestJ);
      break;
    case MaterialModel::Cloth:
      numbers.law[0] = p.normalStiffness;
      numbers.law[1] = p.shearStiffness;
      numbers.law[2] = p.shearStiffness > 0 ? p.layerFriction * p.normalStiffness / p.shearStiffness : 0;
      break;
    case MaterialModel::FixedCorotated:
    case MaterialModel::NeoHookean:
    case MaterialModel::LinearCorotated:
    case MaterialModel::Hencky:
      break;
  }
  return numbers;
}

}  // namespace slipstick::mpm
