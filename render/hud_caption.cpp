#include "render/hud_caption.h"

#include <algorithm>

namespace slipstick::render {
namespace {

constexpr Hex kPaper = 0xFFFFFF, kInk = 0x1B1E23;
/// How much of the picture a title leaves: it is read over anything, and one still sees where it begins.
constexpr float kScrim = 0.62f;

void drawTitle(HudCanvas& canvas, const Caption& caption) {
  const auto opacity = static_cast<float>(std::min(caption.titleOpacity, 1.0));
  canvas.fill({0, 0, canvas.width(), canvas.height()}, caption.window, 0, kScrim * opacity);
  const float titleWidth = canvas.textWidth(caption.title, TextStyle::Title);
  float y = canvas.height() / 2 - (caption.subtitle.empty() ? 23.f : 38.f);
  canvas.text((canvas.width() - titleWidth) / 2, y, caption.title, canvas.ink(Ink::Bright), TextStyle::Title,
              opacity);
  if (caption.subtitle.empty()) return;
  y += 58;
  const float width = canvas.textWidth(caption.subtitle, TextStyle::Large);
  canvas.text((canvas.width() - width) / 2, y, caption.subtitle, canvas.ink(Ink::Secondary), TextStyle::Large,
              opacity);
}

/// Of a figure: on paper, whatever the picture's ground is.
void drawBand(HudCanvas& canvas, const std::string& words, float band) {
  canvas.fill({0, canvas.height() - band, canvas.width(), band}, kPaper);
  const float width = canvas.textWidth(words, TextStyle::Strong);
  canvas.text((canvas.width() - width) / 2, canvas.height() - band + (band - 16) / 2, words, kInk,
              TextStyle::Strong);
}

}  // namespace

void drawCaption(HudCanvas& canvas, const Caption& caption, float band) {
  if (band > 0) drawBand(canvas, caption.below, band);
  if (caption.titleOpacity > 0) drawTitle(canvas, caption);
  if (caption.veil > 0)
    canvas.fill({0, 0, canvas.width(), canvas.height()}, caption.window, 0,
                static_cast<float>(std::min(caption.veil, 1.0)));
}

}  // namespace slipstick::render
