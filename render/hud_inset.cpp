// Unrolled footprints as cards.
#include <algorithm>

#include "engine/foundation/number_text.h"
#include "render/force_words.h"
#include "render/hud_cards.h"
#include "render/hud_layout.h"

namespace slipstick::render {
namespace {

constexpr float kWidest = 232, kTallest = 170;  // [logical px]
constexpr float kAbove = 36, kBelow = 74;       ///< of the plot: title; numbers and scale [logical px]

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
    const float alpha = inset.fades ? std::clamp(v.value / 0.2f, 0.f, 1.f) : 1.f;  // the rim fades out
    return HudCanvas::Corner{p.x(), p.y(), map(static_cast<double>(v.value)), alpha};
  };
  for (std::size_t i = 0; i + 2 < inset.triangles.size(); i += 3)
    canvas.shade({corner(i), corner(i + 1), corner(i + 2)});
  for (std::size_t i = 0; i + 1 < inset.outline.size(); i += 2) {
    const Eigen::Vector2f a = plot.at(inset.outline[i]), b = plot.at(inset.outline[i + 1]);
    canvas.line(a.x(), a.y(), b.x(), b.y(), canvas.ink(Ink::Secondary), 1);
  }
}

void drawStrokes(HudCanvas& canvas, const FootprintInset& inset, const Plot& plot) {
  for (const bool rim : {true, false})
    for (const FootprintInset::Line& line : inset.strokes) {
      const Eigen::Vector2f a = plot.at(line.from), b = plot.at(line.to);
      if (!plot.rect.contains(a.x(), a.y()) || (b - a).norm() > 0.5f * plot.rect.w)
        continue;  // over the seam
      const Hex color = rim ? canvas.tokens().hud : canvas.tokens().friction(line.slips);
      canvas.line(a.x(), a.y(), b.x(), b.y(), color, rim ? 3.f : 1.4f, rim ? 0.75f : 1.f);
      if (line.slips && !rim)
        canvas.ring(a.x(), a.y(), 2.4f, color, 1.3f);
      else
        canvas.disc(a.x(), a.y(), rim ? 2.8f : 1.9f, color);
    }
}

std::string millimetres(double metres) {
  return number(1e3 * metres) + " mm";
}

/// "along 300 mm × around 42 mm".
std::string sizeWords(const FootprintInset& inset) {
  const auto words = [](const std::string& what, float metres) {
    return (what.empty() ? "" : what + " ") + millimetres(static_cast<double>(metres));
  };
  const Eigen::Vector2f size = inset.box.sizes();
  return words(inset.across, size.x()) + " × " + words(inset.along, size.y());
}

/// "N 12.3 N", or "N 12.3 N of 40.1 N" where other surfaces of the pair bear the rest.
std::string forceWords(const FootprintInset& inset) {
  const std::string own = "N " + newtons(inset.force), all = newtons(inset.pairForce);
  return newtons(inset.force) == all ? own : own + " of " + all;
}

/// The longest round length that leaves room for its number.
void drawScale(HudCanvas& canvas, float x, float y, float scale) {
  constexpr double kLongest = 90;  // [logical px]
  const double most = kLongest / static_cast<double>(scale);
  double length = roundUp125(most);
  while (length > most) length = roundUp125(length / 2.5 * 0.999);
  const float end = x + scale * static_cast<float>(length);
  for (const float tick : {x, end}) canvas.line(tick, y - 3, tick, y + 3, canvas.ink(Ink::Text), 1.2f);
  canvas.line(x, y, end, y, canvas.ink(Ink::Text), 1.2f);
  canvas.text(end + 7, y - 8, significant(1e3 * length) + " mm", Ink::Text);
}

void textAtRight(HudCanvas& canvas, float right, float y, const std::string& words, Ink ink) {
  canvas.text(right - canvas.textWidth(words), y, words, ink);
}

void drawInset(HudCanvas& canvas, const HudInput& in, const FootprintInset& inset, const Rect& card,
               float scale) {
  canvas.card(card);
  const float x = card.x + kCardPad, right = card.x + card.w - kCardPad;
  const float t = canvas.text(x, card.y + 10, inset.title, Ink::Bright, TextStyle::Strong);
  if (t + 6 + canvas.textWidth(inset.how) <= kWidest)
    canvas.text(x + t + 6, card.y + 10, inset.how, Ink::Secondary);
  const Eigen::Vector2f size = scale * inset.box.sizes();
  const Plot plot{
      {x + (kWidest - size.x()) / 2, card.y + kAbove, size.x(), size.y()}, inset.box.min(), scale};
  drawSurface(canvas, inset, plot, mapFunction(in.options.colorMap));
  drawStrokes(canvas, inset, plot);
  float y = card.y + card.h - kBelow + 9;
  canvas.text(x, y, forceWords(inset), Ink::Text);
  textAtRight(canvas, right, y, "peak " + number(inset.peak) + " " + inset.peakUnit, Ink::Text);
  canvas.text(x, y + kCardLine, sizeWords(inset), Ink::Secondary);
  drawScale(canvas, x, y + 2.5f * kCardLine, scale);
}

}  // namespace

int drawInsets(HudCanvas& canvas, const HudInput& in, float bottom) {
  constexpr float kWidth = kWidest + 2 * kCardPad, kHighest = 70, kGap = 8;
  // A small view keeps its space for the picture, and for the inset of the pair that is meant most.
  constexpr float kMaxOfView = 0.3f, kFirstOfView = 0.45f;
  int missing = 0;
  const std::vector<FootprintInset>& insets = in.frame->contact->insets;
  for (const FootprintInset& inset : insets) {
    const Eigen::Vector2f size = inset.box.sizes().cwiseMax(1e-4f);
    const float scale = std::min(kWidest / size.x(), kTallest / size.y());
    const float h = kAbove + scale * size.y() + kBelow;
    const Rect card{canvas.width() - kCardMargin - kWidth, bottom - h, kWidth, h};
    const float most = &inset == &insets.front() ? kFirstOfView : kMaxOfView;
    const std::vector<Rect>& taken = canvas.taken();
    if (card.y < kHighest || card.w > most * canvas.width() ||
        std::any_of(taken.begin(), taken.end(), [&card](const Rect& r) { return overlap(r, card); })) {
      ++missing;
      continue;
    }
    drawInset(canvas, in, inset, card, scale);
    bottom = card.y - kGap;
  }
  return missing;
}

}  // namespace slipstick::render
