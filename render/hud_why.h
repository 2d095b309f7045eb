// The card that answers "why does it slip?". Part of Hud.
#pragma once

#include "render/hud_cards.h"

namespace slipstick::render {

/// Names of what can be clicked: opens the card, closes it.
inline constexpr std::string_view kWhyButton = "why", kCloseWhyButton = "close why";

/// Of HudInput::why: γ in its cone with the way that it came, friction and its bound over the last second,
/// and what follows from that in words; tied to the pair by a line.
void drawWhy(HudCanvas& canvas, const HudInput& in);

/// The word that opens it, at the right of a card's title. @return its width [logical px]
float whyButtonWidth(const HudCanvas& canvas);
void drawWhyButton(HudCanvas& canvas, const Rect& card);

}  // namespace slipstick::render
