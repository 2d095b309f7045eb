#include "app/devices/rumble.h"

#include <algorithm>
#include <cmath>

namespace slipstick::app {

double rumbleOf(double force) {
  constexpr double kWeakest = 0.1, kSteps = 32;
  if (!(force >= kLeastFelt)) return 0;
  const double share = std::log(std::min(force, kMaxFelt) / kLeastFelt) / std::log(kMaxFelt / kLeastFelt);
  return std::round((kWeakest + (1 - kWeakest) * share) * kSteps) / kSteps;
}

}  // namespace slipstick::app
