// A camera at a moment: several make a way.
#pragma once

#include "engine/model/scene.h"

namespace slipstick {

struct CameraKey {
  double time = 0;  ///< simulated [s]
  CameraSpec camera;
};

}  // namespace slipstick
