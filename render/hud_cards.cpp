#include "render/hud_cards.h"

#include <algorithm>
#include <cmath>

#include "engine/foundation/number_text.h"
#include "render/view_actions.h"

namespace slipstick::render {
namespace {

constexpr float kMargin = kCardMargin, kPad = kCardPad;

constexpr float kBarHeight = 72;

void drawColorBar(HudCanvas& canvas, const ColorBar& bar, float bottom) {
  constexpr int kTicks = 5;
  const std::string title = bar.title + (bar.unit.empty() ? "" : " [" + bar.unit + "]");
  const float w = std::max(184.f, canvas.textWidth(title));
  const Rect r{canvas.width() - kMargin - w - 2 * kPad, bottom - kBarHeight, w + 2 * kPad, kBarHeight};
  canvas.card(r);
  canvas.text(r.x + kPad, r.y + 10, title, Ink::Secondary);
  canvas.scalarBar({r.x + kPad, r.y + 33, w, 8}, bar.diverging ? divergingMap : mapFunction(bar.map),
                   bar.diverging ? -1 : 0);
  for (int i = 0; i < kTicks; ++i) {
    const double part = i / double(kTicks - 1);
    const std::string label = significant(bar.min + (bar.max - bar.min) * part);
    const float labelWidth = canvas.textWidth(label);
    canvas.text(r.x + kPad + static_cast<float>(part) * (w - labelWidth), r.y + 47, label, Ink::Text);
  }
}

}  // namespace

std::optional<Eigen::Vector2f> placeOf(const HudCanvas& canvas, const HudInput& in,
                                       const Eigen::Vector3f& p_W) {
  const double aspect = static_cast<double>(canvas.width() / canvas.height());
  const Eigen::Vector4f clip = in.camera->projection(aspect) * in.camera->view() * append(p_W, 1);
  if (clip.w() <= 0) return std::nullopt;
  return Eigen::Vector2f((clip.x() / clip.w() * 0.5f + 0.5f) * canvas.width(),
                         (0.5f - clip.y() / clip.w() * 0.5f) * canvas.height());
}

void drawTimeCard(HudCanvas& canvas, const HudInput& in) {
  const std::string time = fixed(in.frame->time, 3) + " s";
  const bool rate = in.speedWanted > 0;
  const std::string wanted = fixed(in.speedWanted, 1) + "× wanted · ";
  const std::string measured = in.playing ? fixed(in.speedMeasured, 2) + "×" : "paused";
  float w = canvas.textWidth(time, TextStyle::Large);
  if (rate)
    w = std::max({w, canvas.textWidth(wanted) + canvas.textWidth(measured, TextStyle::Strong) + 60, 172.f});
  canvas.card({kMargin, kMargin, w + 2 * kPad, rate ? 62.f : 42.f});
  canvas.text(kMargin + kPad, kMargin + 8, time, Ink::Bright, TextStyle::Large);
  if (!rate) return;
  float x = kMargin + kPad;
  x += canvas.text(x, kMargin + 38, wanted, Ink::Secondary);
  x += canvas.text(x, kMargin + 38, measured, Ink::Bright, TextStyle::Strong);
  if (in.playing) canvas.text(x + 4, kMargin + 38, "measured", Ink::Secondary);
}

void drawTimeLabel(HudCanvas& canvas, const HudInput& in) {
  const std::string time = fixed(in.frame->time, 2) + " s";
  const float w = canvas.textWidth(time, TextStyle::Strong) + 14;
  canvas.card({7, 7, w, 23});
  canvas.text(14, 11, time, Ink::Bright, TextStyle::Strong);
}

/// What the toggle says: its name, or the choice that is made.
std::string_view toggleText(const ViewAction& action, const ViewOptions& options) {
  return action.isSwitch() || action.state(options) == 0
             ? action.brief
             : action.choices[static_cast<std::size_t>(action.state(options))].title;
}

void drawToggles(HudCanvas& canvas, const HudInput& in) {
  if (!(in.speedWanted > 0)) return;
  std::vector<const ViewAction*> toggles;
  // A narrow view keeps its space for the picture, and the toggles that come first.
  const float room = canvas.width() - kMargin - 280;
  const auto widthOf = [&](const ViewAction& a) {
    return canvas.textWidth(std::string(toggleText(a, in.options))) +
           canvas.textWidth(std::string(a.key), TextStyle::Strong) + 5 + 16;
  };
  float w = 2 * kPad - 16;
  for (const ViewAction& action : viewActions()) {
    if (action.brief.empty() || (action.concerns && !action.concerns(*in.model))) continue;
    if (w + widthOf(action) > room) break;
    w += widthOf(action);
    toggles.push_back(&action);
  }
  if (toggles.empty()) return;
  const float left = canvas.width() - kMargin - w;
  canvas.card({left, kMargin, w, 36});
  float x = left + kPad;
  for (const ViewAction* action : toggles) {
    const bool on = action->state(in.options) != 0;
    canvas.button({x - 8, kMargin, widthOf(*action), 36}, action->name);
    x += canvas.text(x, kMargin + 11, std::string(toggleText(*action, in.options)),
                     on ? Ink::Text : Ink::Faint) +
         5;
    x += canvas.text(x, kMargin + 11, std::string(action->key), on ? Ink::Bright : Ink::Faint,
                     TextStyle::Strong) +
         16;
  }
}

float drawColorBars(HudCanvas& canvas, const HudInput& in) {
  float bottom = canvas.height() - kMargin;
  for (const ColorBar* bar : {&in.frame->soft->bar, &in.frame->contact->pressureBar}) {
    if (!bar->isShown()) continue;
    drawColorBar(canvas, *bar, bottom);
    bottom -= kBarHeight + 8;
  }
  return bottom;
}

void drawHint(HudCanvas& canvas, const HudInput& in) {
  if (in.hint.empty()) return;
  const float w = canvas.textWidth(in.hint), x = (canvas.width() - w) / 2;
  const float y = canvas.height() - kMargin - 20;
  canvas.text(x, y, in.hint, Ink::Secondary);
  canvas.reserve({x, y, w, kCardLine});
}

}  // namespace slipstick::render
