// Places in the overlay, in logical pixels from the top left.
#pragma once

#include <string_view>

namespace slipstick::render {

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;
  bool contains(float px, float py) const { return px >= x && px < x + w && py >= y && py < y + h; }
};

/// A place that can be clicked.
struct HudButton {
  Rect rect;
  std::string_view
      name;  ///< of a ViewAction, or a word of the card that drew it; lives as long as the program
};

}  // namespace slipstick::render
