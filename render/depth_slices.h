// What is in front of a whole scene has the first slice of the depth range to itself: still right among
// itself.
#pragma once

#include <epoxy/gl.h>

namespace slipstick::render {

inline constexpr double kOnTop = 0.02;

/// While it lives, all that is drawn is in front.
class InFront {
 public:
  InFront() { glDepthRange(0, kOnTop); }
  ~InFront() { glDepthRange(0, 1); }
  InFront(const InFront&) = delete;
  InFront& operator=(const InFront&) = delete;
};

}  // namespace slipstick::render
