#include "engine/foundation/stopping.h"

namespace slipstick {

void throwIfStopped(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Stopped();
}

}  // namespace slipstick
