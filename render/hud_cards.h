// The cards of the overlay. Part of Hud.
#pragma once

#include <optional>

#include "render/hud.h"
#include "render/hud_canvas.h"

namespace slipstick::render {

inline constexpr float kCardMargin = 12, kCardPad = 12, kCardLine = 20;  // [logical px]

/// Where a point is on the canvas [logical px]; nothing behind the camera.
std::optional<Eigen::Vector2f> placeOf(const HudCanvas& canvas, const HudInput& in,
                                       const Eigen::Vector3f& p_W);

/// Time, and wanted and measured rate.
void drawTimeCard(HudCanvas& canvas, const HudInput& in);
/// The time alone, small.
void drawTimeLabel(HudCanvas& canvas, const HudInput& in);
/// View toggles with their keys; bright when on.
void drawToggles(HudCanvas& canvas, const HudInput& in);
/// What the colours of particles and of contact surfaces mean. @return the top of the uppermost [logical px]
float drawColorBars(HudCanvas& canvas, const HudInput& in);
/// What is in the frame, but has no room in the picture.
struct HudMissing {
  int numbers = 0, footprints = 0;
};
/// Where the legend goes. Empty: there is none.
Rect legendPlace(const HudCanvas& canvas, const HudInput& in, const HudMissing& missing);
/// Colours of the arrows, an arrow whose length on screen is the stated force at the depth of the camera's
/// target, and what no arrow, no number and no inset shows.
void drawForceLegend(HudCanvas& canvas, const HudInput& in, const HudMissing& missing);
/// State and numbers of the selected contact or pair, tied to it by a line, with the force in its friction
/// cone.
void drawCallOut(HudCanvas& canvas, const HudInput& in);
/// Unrolled footprints, upwards from `bottom` [logical px]. @return how many have no room
int drawInsets(HudCanvas& canvas, const HudInput& in, float bottom);
/// After the cards that stay in their corners; keeps its place.
void drawHint(HudCanvas& canvas, const HudInput& in);
void drawHelp(HudCanvas& canvas, const HudInput& in);
void drawInfo(HudCanvas& canvas, const HudInput& in);
void drawProfiler(HudCanvas& canvas, const HudInput& in);

}  // namespace slipstick::render
