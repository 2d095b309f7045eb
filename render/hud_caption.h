// Titles, veils and the words under a still. Part of Hud.
#pragma once

#include "render/hud.h"
#include "render/hud_canvas.h"

namespace slipstick::render {

/// @param band  height of the paper at the bottom [logical px]
void drawCaption(HudCanvas& canvas, const Caption& caption, float band);

}  // namespace slipstick::render
