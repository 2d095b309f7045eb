#include "render/hud_why.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "engine/foundation/number_text.h"
#include "render/force_words.h"
#include "render/hud_layout.h"
#include "render/why_facts.h"

namespace slipstick::render {
namespace {

constexpr float kWidth = 420, kPad = 14, kLine = 19;
constexpr float kTitleHeight = 52, kPlotHeight = 124, kScaleHeight = 24;
constexpr float kCurvesLabel = 78;  ///< room for the numbers at the curves' ends
constexpr double kSeconds = 1;      ///< that the curves show
constexpr float kLeastGap = 15;     ///< between two numbers, one above the other

using Sample = PairHistory::Sample;

bool slips(const Sample& sample) {
  return sample.slippingPart > 0.5;
}

HudCanvas::Corner corner(float x, float y, Hex color, float alpha) {
  return {x, y, srgb(color), alpha};
}

void dashed(HudCanvas& canvas, const Eigen::Vector2f& from, const Eigen::Vector2f& to, Hex color) {
  const float length = (to - from).norm();
  const Eigen::Vector2f along = (to - from) / std::max(length, 1e-3f);
  for (float at = 0; at < length; at += 7) {
    const Eigen::Vector2f a = from + at * along, b = from + std::min(at + 4, length) * along;
    canvas.line(a.x(), a.y(), b.x(), b.y(), color, 1.2f);
  }
}

// ------------------------------------------------------------------------------------------------ cone

/// Friction to the right, normal force upwards, from the origin at the bottom left.
class Cone {
 public:
  Cone(const Rect& r, const WhyFacts& facts) : r_(r), mu_(facts.coefficient()) {
    double normal = facts.force.normalSum, friction = facts.friction();
    for (const Sample& sample : facts.past) {
      normal = std::max(normal, sample.normal);
      friction = std::max(friction, sample.friction);
    }
    top_ = std::max(1.12 * normal, 1e-9);
    right_ = std::max({1.3 * mu_ * top_, 1.1 * friction, 1e-9});
  }
  Eigen::Vector2f at(double friction, double normal) const {
    return {r_.x + r_.w * static_cast<float>(friction / right_),
            r_.y + r_.h * (1 - static_cast<float>(normal / top_))};
  }
  /// Where the edge of a cone leaves the drawing.
  Eigen::Vector2f edge(double mu) const {
    const double normal = mu * top_ > right_ ? right_ / mu : top_;
    return at(mu * normal, normal);
  }
  double mu() const { return mu_; }
  const Rect& rect() const { return r_; }

 private:
  Rect r_;
  double mu_, top_ = 1, right_ = 1;
};

void drawEdges(HudCanvas& canvas, const Cone& cone, const WhyFacts& facts) {
  const Rect& r = cone.rect();
  const Eigen::Vector2f origin = cone.at(0, 0), end = cone.edge(cone.mu());
  canvas.shade({corner(origin.x(), origin.y(), canvas.tokens().stick, 0.02f),
                corner(r.x, r.y, canvas.tokens().stick, 0.16f),
                corner(end.x(), end.y(), canvas.tokens().stick, 0.16f)});
  canvas.line(r.x, r.y + r.h, r.x + r.w, r.y + r.h, canvas.ink(Ink::Faint), 1, 0.7f);
  canvas.line(r.x, r.y, r.x, r.y + r.h, canvas.ink(Ink::Faint), 1, 0.7f);
  canvas.line(origin.x(), origin.y(), end.x(), end.y(), canvas.tokens().normal, 1.4f, 0.85f);
  const std::optional<double>& needed = facts.holding.holdingFriction;
  if (needed && *needed > 1.02 * cone.mu())
    dashed(canvas, origin, cone.edge(*needed), canvas.ink(Ink::Secondary));
  canvas.text(r.x - 3, r.y - 17, "N", Ink::Faint);
  canvas.text(r.x + r.w - 9, r.y + r.h + 3, "T", Ink::Faint);
  canvas.text(r.x, r.y + r.h + 3, "μ = " + fixed(cone.mu(), 2), Ink::Secondary);
}

/// The way of the last second, fainter the longer ago, and the force now.
void drawForce(HudCanvas& canvas, const Cone& cone, const WhyFacts& facts) {
  for (std::size_t i = 0; i + 1 < facts.past.size(); ++i) {
    const Sample &a = facts.past[i], &b = facts.past[i + 1];
    if (!(a.normal > 0) && !(b.normal > 0)) continue;
    const Eigen::Vector2f from = cone.at(a.friction, a.normal), to = cone.at(b.friction, b.normal);
    const double age = std::clamp((facts.time - b.time) / kSeconds, 0.0, 1.0);
    canvas.line(from.x(), from.y(), to.x(), to.y(), canvas.tokens().friction(slips(b)), 1.5f,
                static_cast<float>(0.75 - 0.65 * age));
  }
  const Eigen::Vector2f origin = cone.at(0, 0), tip = cone.at(facts.friction(), facts.force.normalSum);
  const Hex color = canvas.tokens().friction(facts.force.slips());
  canvas.line(origin.x(), origin.y(), tip.x(), tip.y(), color, 2.6f);
  canvas.disc(tip.x(), tip.y(), 4, color);
  if (facts.force.slips()) canvas.disc(tip.x(), tip.y(), 1.8f, canvas.tokens().hud);
}

// ---------------------------------------------------------------------------------------------- curves

struct Curves {
  Rect r;
  double now = 0, top = 1;  ///< [s], [N]
  float x(double time) const {
    return r.x + r.w * static_cast<float>(std::clamp(1 - (now - time) / kSeconds, 0.0, 1.0));
  }
  float y(double force) const { return r.y + r.h * (1 - static_cast<float>(force / top)); }
};

Curves curvesOf(const Rect& r, const WhyFacts& facts) {
  Curves curves{r, facts.time, 1e-9};
  for (const Sample& sample : facts.past)
    curves.top = std::max({curves.top, 1.1 * sample.bound, 1.1 * sample.friction});
  return curves;
}

/// What friction could still take up.
void fillMargin(HudCanvas& canvas, const Curves& c, const Sample& a, const Sample& b) {
  const Hex color = slips(b) ? canvas.tokens().slip : canvas.tokens().normal;
  const float alpha = slips(b) ? 0.22f : 0.10f;
  const HudCanvas::Corner lowerA = corner(c.x(a.time), c.y(a.friction), color, alpha),
                          upperA = corner(c.x(a.time), c.y(a.bound), color, alpha),
                          lowerB = corner(c.x(b.time), c.y(b.friction), color, alpha),
                          upperB = corner(c.x(b.time), c.y(b.bound), color, alpha);
  canvas.shade({lowerA, upperA, upperB});
  canvas.shade({lowerA, upperB, lowerB});
}

void drawEnds(HudCanvas& canvas, const Curves& c, const WhyFacts& facts) {
  const float x = c.r.x + c.r.w + 8;
  float bound = c.y(facts.bound()) - 8, friction = c.y(facts.friction()) - 8;
  if (friction - bound < kLeastGap) {
    const float middle = (bound + friction) / 2;
    bound = middle - kLeastGap / 2;
    friction = middle + kLeastGap / 2;
  }
  const float lowest = c.r.y + c.r.h - 12;
  friction = std::min(friction, lowest);
  bound = std::min(bound, friction - kLeastGap);
  const float w = canvas.text(x, bound, "μN ", Ink::Secondary);
  canvas.text(x + w, bound, newtons(facts.bound()), Ink::Text);
  const float t = canvas.text(x, friction, "T ", Ink::Secondary);
  canvas.text(x + t, friction, newtons(facts.friction()), canvas.tokens().friction(facts.force.slips()),
              TextStyle::Strong);
}

void drawCurves(HudCanvas& canvas, const Rect& r, const WhyFacts& facts) {
  const Curves c = curvesOf(r, facts);
  canvas.line(r.x, r.y + r.h, r.x + r.w, r.y + r.h, canvas.ink(Ink::Faint), 1, 0.7f);
  for (std::size_t i = 0; i + 1 < facts.past.size(); ++i)
    fillMargin(canvas, c, facts.past[i], facts.past[i + 1]);
  for (std::size_t i = 0; i + 1 < facts.past.size(); ++i) {
    const Sample &a = facts.past[i], &b = facts.past[i + 1];
    canvas.line(c.x(a.time), c.y(a.bound), c.x(b.time), c.y(b.bound), canvas.tokens().normal, 1.4f, 0.85f);
    canvas.line(c.x(a.time), c.y(a.friction), c.x(b.time), c.y(b.friction),
                canvas.tokens().friction(slips(b)), 2);
  }
  canvas.disc(c.x(facts.time), c.y(facts.friction()), 3, canvas.tokens().friction(facts.force.slips()));
  canvas.text(r.x, r.y + r.h + 3, "1 s ago", Ink::Faint);
  canvas.text(r.x + r.w - canvas.textWidth("now"), r.y + r.h + 3, "now", Ink::Faint);
  drawEnds(canvas, c, facts);
}

// ------------------------------------------------------------------------------------------------ card

struct Line {
  std::string text;
  bool first = false;  ///< of its sentence
};

std::vector<Line> wrapped(const HudCanvas& canvas, const std::vector<std::string>& sentences, float room) {
  std::vector<Line> lines;
  for (const std::string& sentence : sentences) {
    std::istringstream words(sentence);
    lines.push_back({"", true});
    for (std::string word; words >> word;) {
      const std::string longer = lines.back().text.empty() ? word : lines.back().text + " " + word;
      if (canvas.textWidth(longer) > room && !lines.back().text.empty())
        lines.push_back({word, false});
      else
        lines.back().text = longer;
    }
  }
  return lines;
}

/// Beside the pair.
Rect placeBeside(const HudCanvas& canvas, const std::optional<Eigen::Vector2f>& at, float height) {
  constexpr float kClear = 90;  // around the pair [logical px]
  const Eigen::Vector2f point = at.value_or(Eigen::Vector2f(canvas.width() / 2, canvas.height() / 2));
  const float right = canvas.width() - kCardMargin - kWidth;
  const float bottom = canvas.height() - kCardMargin - height;
  CardWish wish{
      .places = {}, .near = point, .clear = {point.x() - kClear, point.y() - kClear, 2 * kClear, 2 * kClear}};
  for (const float x :
       {point.x() + kClear, point.x() - kClear - kWidth, point.x() - kWidth / 2, kCardMargin, right})
    for (const float y :
         {point.y() - 0.7f * height, point.y() - kClear - height, point.y() + kClear, 60.f, bottom})
      wish.places.push_back({x, y, kWidth, height});
  return freePlace(canvas, wish);
}

/// From the pair to the nearest edge of the card.
void tie(HudCanvas& canvas, const Eigen::Vector2f& at, const Rect& r, Hex color) {
  const Eigen::Vector2f foot(std::clamp(at.x(), r.x, r.x + r.w),
                             std::clamp(at.y(), r.y + 14, r.y + r.h - 14));
  const float reach = (foot - at).norm();
  if (reach < 8) return;
  const Eigen::Vector2f start = at + 7 / reach * (foot - at);
  canvas.ring(at.x(), at.y(), 7, color, 1.6f);
  canvas.line(start.x(), start.y(), foot.x(), foot.y(), color, 1.2f);
}

void drawCross(HudCanvas& canvas, const Rect& card) {
  const float x = card.x + card.w - kPad - 5, y = card.y + 21, d = 4.2f;
  canvas.line(x - d, y - d, x + d, y + d, canvas.ink(Ink::Secondary), 1.5f);
  canvas.line(x - d, y + d, x + d, y - d, canvas.ink(Ink::Secondary), 1.5f);
  canvas.button({x - 14, y - 14, 28, 28}, kCloseWhyButton);
}

void drawTitle(HudCanvas& canvas, const Rect& r, const HudInput& in, Hex color) {
  const WhyFacts& facts = *in.why;
  float x = r.x + kPad;
  canvas.disc(x + 4, r.y + 21, 3.5f, color);
  x += 14;
  x += canvas.text(x, r.y + 13, wordOf(slipStateOf(facts)), Ink::Bright, TextStyle::Strong) + 7;
  x += canvas.text(x, r.y + 13, facts.pair, Ink::Secondary) + 7;
  // The facts are read beside the run: while it plays, they may be of a step before the picture's.
  if (in.snapshot && facts.step != in.snapshot->step)
    canvas.text(x, r.y + 13, "at " + fixed(facts.time, 3) + " s", Ink::Faint);
  drawCross(canvas, r);
}

Hex stateColor(const HudCanvas& canvas, const WhyFacts& facts) {
  return facts.force.touching == 0 ? canvas.ink(Ink::Faint) : canvas.tokens().friction(facts.force.slips());
}

}  // namespace

void drawWhy(HudCanvas& canvas, const HudInput& in) {
  if (!in.why) return;
  const WhyFacts& facts = *in.why;
  const std::vector<Line> lines = wrapped(canvas, sentencesOf(facts), kWidth - 2 * kPad);
  const float plots = kTitleHeight + kPlotHeight + kScaleHeight;
  const float height = plots + kLine * static_cast<float>(lines.size()) + 12;
  std::optional<Eigen::Vector2f> at;
  if (facts.force.touching > 0) at = placeOf(canvas, in, facts.force.centerOfPressure.cast<float>());
  const Rect r = placeBeside(canvas, at, height);
  const Hex color = stateColor(canvas, facts);
  if (at) tie(canvas, *at, r, color);
  canvas.plate(r);  // what lies behind must not be read as a curve
  canvas.card(r, color);
  drawTitle(canvas, r, in, color);
  const Cone cone({r.x + kPad, r.y + kTitleHeight, kPlotHeight, kPlotHeight}, facts);
  drawEdges(canvas, cone, facts);
  drawForce(canvas, cone, facts);
  const float left = r.x + kPad + kPlotHeight + 24;
  drawCurves(canvas, {left, r.y + kTitleHeight, r.x + r.w - kPad - kCurvesLabel - left, kPlotHeight}, facts);
  float y = r.y + plots + 1;
  bool bright = true;
  for (std::size_t i = 0; i < lines.size(); ++i, y += kLine) {
    if (i > 0 && lines[i].first) bright = false;
    canvas.text(r.x + kPad, y, lines[i].text, bright ? Ink::Text : Ink::Secondary);
  }
}

float whyButtonWidth(const HudCanvas& canvas) {
  return canvas.textWidth("why", TextStyle::Strong) + 12;
}

void drawWhyButton(HudCanvas& canvas, const Rect& card) {
  const float w = whyButtonWidth(canvas), x = card.x + card.w - w - 4;
  canvas.text(x + 6, card.y + 11, "why", canvas.tokens().stick, TextStyle::Strong);
  canvas.button({x - 4, card.y + 2, w + 8, 30}, kWhyButton);
}

}  // namespace slipstick::render
