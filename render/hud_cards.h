// The cards of the overlay. Part of Hud.
#pragma once

#include "render/hud.h"
#include "render/hud_canvas.h"

namespace slipstick::render {

/// Time, and wanted and measured rate.
void drawTimeCard(HudCanvas& canvas, const HudInput& in);
/// The time alone, small.
void drawTimeLabel(HudCanvas& canvas, const HudInput& in);
/// View toggles with their keys; bright when on.
void drawToggles(HudCanvas& canvas, const HudInput& in);
/// Colours of the arrows, and an arrow whose length on screen is the stated force at the depth of the
/// camera's target.
void drawForceLegend(HudCanvas& canvas, const HudInput& in);
/// What the colours of particles and of contact surfaces mean.
void drawColorBars(HudCanvas& canvas, const HudInput& in);
/// State and numbers of the selected contact, tied to it by a line, with the force in its friction cone.
void drawCallOut(HudCanvas& canvas, const HudInput& in);
void drawHint(HudCanvas& canvas, const HudInput& in);
void drawHelp(HudCanvas& canvas, const HudInput& in);
void drawInfo(HudCanvas& canvas, const HudInput& in);
void drawProfiler(HudCanvas& canvas, const HudInput& in);

/// "roller" of "pin.roller".
std::string shortName(const std::string& fullName);
/// A number with three significant figures.
std::string number(double value);

}  // namespace slipstick::render
