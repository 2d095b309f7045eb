#include "render/hud_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/hud_cards.h"

namespace slipstick::render {
namespace {

constexpr float kGap = 8;  ///< between two cards [logical px]

float cornerProduct(const Eigen::Vector2f& a, const Eigen::Vector2f& b, const Eigen::Vector2f& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

/// The less the better; hiding a card is worse than anything else.
float cost(const HudCanvas& canvas, const CardWish& wish, const Rect& r) {
  float taken = 0;
  for (const Rect& other : canvas.taken()) taken += overlapArea(r, other);
  return 1e4f * taken + 4 * overlapArea(r, wish.clear) + 20 * (middle(r) - wish.near).norm();
}

}  // namespace

float overlapArea(const Rect& a, const Rect& b) {
  const float w = std::min(a.x + a.w, b.x + b.w) - std::max(a.x, b.x);
  const float h = std::min(a.y + a.h, b.y + b.h) - std::max(a.y, b.y);
  return std::max(w, 0.f) * std::max(h, 0.f);
}

/// By clipping the line at the four sides.
bool crosses(const Rect& r, const ScreenLine& segment) {
  const Eigen::Vector2f &a = segment.from, &b = segment.to;
  float enter = 0, leave = 1;
  const auto clip = [&](float from, float step, float lower, float upper) {
    if (std::abs(step) < 1e-6f) return from >= lower && from <= upper;
    const float t0 = (lower - from) / step, t1 = (upper - from) / step;
    enter = std::max(enter, std::min(t0, t1));
    leave = std::min(leave, std::max(t0, t1));
    return enter <= leave;
  };
  return clip(a.x(), b.x() - a.x(), r.x, r.x + r.w) && clip(a.y(), b.y() - a.y(), r.y, r.y + r.h);
}

bool cross(const ScreenLine& a, const ScreenLine& b) {
  return cornerProduct(a.from, a.to, b.from) * cornerProduct(a.from, a.to, b.to) < 0 &&
         cornerProduct(b.from, b.to, a.from) * cornerProduct(b.from, b.to, a.to) < 0;
}

Eigen::Vector2f middle(const Rect& r) {
  return {r.x + r.w / 2, r.y + r.h / 2};
}

Eigen::Vector2f nearestOn(const Rect& r, const Eigen::Vector2f& point) {
  return {std::clamp(point.x(), r.x, r.x + r.w), std::clamp(point.y(), r.y, r.y + r.h)};
}

Rect freePlace(const HudCanvas& canvas, const CardWish& wish) {
  const float w = wish.places.front().w, h = wish.places.front().h;
  std::vector<float> xs, ys;
  for (const Rect& place : wish.places) {
    xs.push_back(place.x);
    ys.push_back(place.y);
  }
  for (const Rect& other : canvas.taken()) {
    xs.insert(xs.end(), {other.x - kGap - w, other.x + other.w + kGap});
    ys.insert(ys.end(), {other.y - kGap - h, other.y + other.h + kGap});
  }
  const float right = std::max(kCardMargin, canvas.width() - kCardMargin - w);
  const float bottom = std::max(kCardMargin, canvas.height() - kCardMargin - h);
  Rect best;
  float least = std::numeric_limits<float>::infinity();
  for (const float x : xs)
    for (const float y : ys) {
      const Rect r{std::clamp(x, kCardMargin, right), std::clamp(y, kCardMargin, bottom), w, h};
      const float now = cost(canvas, wish, r);
      if (now >= least) continue;
      least = now;
      best = r;
    }
  return best;
}

}  // namespace slipstick::render
