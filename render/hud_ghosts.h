// What is seen through beside the present, named under the time. Part of Hud.
#pragma once

#include "render/hud_cards.h"

namespace slipstick::render {

void drawGhostLines(HudCanvas& canvas, const HudInput& in);

}  // namespace slipstick::render
