// A tool and the joints that move it. Apart from what is computed with them, as every file that knows a Model includes it.
#pragma once

#include <vector>

#include "engine/foundation/math.h"

namespace slipstick::multibody {

/// A tool frame E on a body, and the 1-DoF joints that may move it, from the base on.
struct Chain {
  int body = 0;
  Pose X_BE;
  std::vector<int> joints;        ///< into Tree::joints
  std::vector<double> speed;      ///< largest, per joint [rad/s] or [m/s]
  std::vector<double> quickness;  ///< largest acceleration, per joint [rad/s²] or [m/s²]
};

}  // namespace slipstick::multibody
