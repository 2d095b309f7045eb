#include "render/hud_ghosts.h"

#include <algorithm>
#include <cmath>

namespace slipstick::render {
namespace {

Hex hexOf(const Eigen::Vector3f& linearColor) {
  const Eigen::Vector3f c = toSrgb(linearColor);
  Hex hex = 0;
  for (int i = 0; i < 3; ++i)
    hex = hex << 8 | static_cast<Hex>(std::lround(255 * std::clamp(c[i], 0.f, 1.f)));
  return hex;
}

}  // namespace

void drawGhostLines(HudCanvas& canvas, const HudInput& in) {
  float y = kCardMargin;
  if (in.options.timeCard) y += (in.speedWanted > 0 ? 62.f : 42.f) + 6;
  for (std::size_t i = 0; i < in.ghosts.size(); ++i, y += 28) {
    const Hex color = hexOf(i < in.frame->ghosts.size() ? in.frame->ghosts[i].color : Ghost{}.color);
    const float w = canvas.textWidth(in.ghosts[i]);
    canvas.card({kCardMargin, y, w + 2 * kCardPad + 16, 24});
    canvas.ring(kCardMargin + kCardPad + 4, y + 12, 4, color, 1.6f);
    canvas.text(kCardMargin + kCardPad + 16, y + 4, in.ghosts[i], Ink::Secondary);
  }
}

}  // namespace slipstick::render
