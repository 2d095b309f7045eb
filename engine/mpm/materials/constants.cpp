#include "engine/mpm/materials/constants.h"

#include <cmath>

namespace slipstick::mpm {

MaterialNumbers materialNumbers(const MaterialParameters& p) {
  const double bound = p.yieldStress / (2 * p.mu());  // in strain: ‖2μ ε'‖ ≤ bound of the stress
  switch (p.model) {
    case MaterialModel::LinearCorotatedVonMises:
      return {p.mu(), p.lambda(), bound};
    case MaterialModel::HenckyVonMises:
    case MaterialModel::CorotatedHenckyVonMises:
      return {p.mu(), p.lambda(), std::sqrt(2.0 / 3.0) * bound};
    case MaterialModel::FixedCorotated:
    case MaterialModel::NeoHookean:
    case MaterialModel::LinearCorotated:
    case MaterialModel::Hencky:
      break;
  }
  return {p.mu(), p.lambda(), std::numeric_limits<double>::infinity()};
}

}  // namespace slipstick::mpm
