// Unrolled footprints as cards.
#include <algorithm>

#include "render/force_words.h"
#include "render/hud_cards.h"

namespace slipstick::render {
namespace {

constexpr float kWidest = 232, kTallest = 170;  // [logical px]

/// From metres on the unrolled surface to the canvas.
struct Plot {
  Rect rect;
  Eigen::Vector2f lower = Eigen::Vector2f::Zero();  ///< [m]
  float scale = 1;                                  ///< [px/m]

  Eigen::Vector2f at(const Eigen::Vector2f& p) const {
    return {rect.x + scale * (p.x() - lower.x()), rect.y + rect.h - scale * (p.y() - lower.y())};
  }
};

void drawSurface(HudCanvas& canvas, const FootprintInset& inset, const Plot& plot, MapFunction map) {
  const auto corner = [&](std::size_t i) {
    const FootprintInset::Vertex& v = inset.triangles[i];
    const Eigen::Vector2f p = plot.at(v.at);
    const float alpha = std::clamp(v.value / 0.2f, 0.f, 1.f);  // the rim fades out
    return HudCanvas::Corner{p.x(), p.y(), map(static_cast<double>(v.value)), alpha};
  };
  for (std::size_t i = 0; i + 2 < inset.triangles.size(); i += 3)
    canvas.shade({corner(i), corner(i + 1), corner(i + 2)});
}

void drawStrokes(HudCanvas& canvas, const FootprintInset& inset, const Plot& plot) {
  for (const bool rim : {true, false})
    for (const FootprintInset::Line& line : inset.strokes) {
      const Eigen::Vector2f a = plot.at(line.from), b = plot.at(line.to);
      if (!plot.rect.contains(a.x(), a.y()) || (b - a).norm() > 0.5f * plot.rect.w)
        continue;  // over the seam
      const Hex color = rim ? palette::kHud : line.slips ? palette::kSlip : palette::kStick;
      canvas.line(a.x(), a.y(), b.x(), b.y(), color, rim ? 3.f : 1.4f, rim ? 0.75f : 1.f);
      if (line.slips && !rim)
        canvas.ring(a.x(), a.y(), 2.4f, color, 1.3f);
      else
        canvas.disc(a.x(), a.y(), rim ? 2.8f : 1.9f, color);
    }
}

/// "around 42 mm", below and beside the plot.
std::string measure(const std::string& what, float metres) {
  return (what.empty() ? "" : what + " ") + number(1e3 * static_cast<double>(metres)) + " mm";
}

}  // namespace

void drawInsets(HudCanvas& canvas, const HudInput& in, float bottom) {
  for (const FootprintInset& inset : in.frame->contact->insets) {
    const Eigen::Vector2f size = inset.box.sizes().cwiseMax(1e-4f);
    const float scale = std::min(kWidest / size.x(), kTallest / size.y());
    const float w = kWidest, h = scale * size.y();
    const Rect card{canvas.width() - kCardMargin - w - 2 * kCardPad, bottom - h - 72, w + 2 * kCardPad,
                    h + 72};
    // A small view keeps its space for the picture.
    if (card.y < 70 || card.w > 0.3f * canvas.width()) return;
    canvas.card(card);
    const float x = card.x + kCardPad;
    const float t = canvas.text(x, card.y + 10, inset.title, Ink::Bright, TextStyle::Strong);
    canvas.text(x + t + 6, card.y + 10, inset.along.empty() ? "from outside" : "unrolled", Ink::Secondary);
    const Plot plot{
        {x + (w - scale * size.x()) / 2, card.y + 36, scale * size.x(), h}, inset.box.min(), scale};
    drawSurface(canvas, inset, plot, mapFunction(in.options.colorMap));
    drawStrokes(canvas, inset, plot);
    const float y = plot.rect.y + h + 9;
    for (const float end : {plot.rect.x, plot.rect.x + plot.rect.w})
      canvas.line(end, y - 3, end, y + 3, canvas.ink(Ink::Faint), 1);
    canvas.line(plot.rect.x, y, plot.rect.x + plot.rect.w, y, canvas.ink(Ink::Faint), 1);
    const std::string across = measure(inset.across, size.x()) + " × " + measure(inset.along, size.y());
    canvas.text(x, y + 5, across, Ink::Secondary);
    bottom = card.y - 8;
  }
}

}  // namespace slipstick::render
