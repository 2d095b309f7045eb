// Numbers beside the arrows. Part of Hud.
#pragma once

#include <optional>
#include <vector>

#include "render/hud_cards.h"
#include "render/hud_layout.h"

namespace slipstick::render {

struct PlacedLabels {
  struct Label {
    const ForceLabel* label = nullptr;  ///< of the frame
    Rect rect;
    std::optional<ScreenLine> leader;  ///< from the arrow's tip, where the number stands away from it
  };
  std::vector<Label> labels;
  int missing = 0;  ///< numbers of arrows in the picture for which it has no room
};

/// Beside the tips, or farther away at a line: where they cover no card (HudCanvas::taken()), no arrow and not
/// each other, and their lines cross neither.
PlacedLabels placeForceLabels(const HudCanvas& canvas, const HudInput& in);
void drawForceLabels(HudCanvas& canvas, const PlacedLabels& placed);

}  // namespace slipstick::render
