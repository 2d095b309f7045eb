#include "render/hud_cards.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "engine/foundation/number_text.h"
#include "render/contact_facts.h"
#include "render/view_actions.h"

namespace slipstick::render {
namespace {

constexpr float kMargin = 12;
constexpr float kPad = 12;
constexpr float kLine = 20;

/// Bodies that the drawn arrows push.
std::set<int> pushedBodies(const HudInput& in) {
  std::set<int> bodies;
  for (const Arrow& arrow : in.frame->contact->arrows) bodies.insert(arrow.body);
  return bodies;
}

std::string legendSubject(const HudInput& in) {
  const auto& bodies = in.model->tree.bodies;
  const auto name = [&](int b) { return shortName(bodies[static_cast<std::size_t>(b)].name); };
  const std::set<int> pushed = pushedBodies(in);
  if (in.selection.body && pushed.count(*in.selection.body)) return name(*in.selection.body);
  return pushed.size() == 1 ? name(*pushed.begin()) : std::to_string(pushed.size()) + " bodies";
}

struct LegendRow {
  const char* name;
  Hex color;
};

/// What each colour of the arrows means. Ivory on white paper is shown by the shade of its outline.
std::vector<LegendRow> legendRows(const ViewOptions& options) {
  if (!options.splitForces)
    return {{"total, sticking", palette::kStick}, {"total, slipping", palette::kSlip}};
  return {{"normal", options.whiteBackground ? Hex{0xB9B4A6} : palette::kNormal},
          {"friction, sticking", palette::kStick},
          {"friction, slipping", palette::kSlip}};
}

/// Logical pixels per metre at the camera's target.
double pixelsPerMetre(const HudCanvas& canvas, const Camera& camera) {
  return static_cast<double>(canvas.height()) /
         camera.heightAtTarget(static_cast<double>(canvas.width() / canvas.height()));
}

const Contact* selectedContact(const HudInput& in) {
  if (!in.selection.contact || !in.snapshot) return nullptr;
  const int index = findContact(*in.snapshot, *in.selection.contact);
  return index < 0 ? nullptr : &in.snapshot->contacts[static_cast<std::size_t>(index)];
}

/// The friction force over the normal force, between the edges of what friction can carry here.
void drawCone(HudCanvas& canvas, const Rect& r, const Contact& c, Hex color) {
  const double normal = std::max(c.normalForce(), 1e-9);
  const double friction = c.frictionForce().norm();
  const double slope = std::min(1.6, c.frictionBound / normal);  // wider cones are cut at the drawing's edge
  const float half = r.w / 2 - 3, height = r.h - 10, x = r.x + r.w / 2, bottom = r.y + r.h - 4;
  const float edge = half * static_cast<float>(slope / 1.6);
  canvas.line(x, bottom, x - edge, bottom - height, canvas.ink(Ink::Secondary), 1);
  canvas.line(x, bottom, x + edge, bottom - height, canvas.ink(Ink::Secondary), 1);
  canvas.line(x - edge, bottom - height, x + edge, bottom - height, canvas.ink(Ink::Secondary), 1);
  const float tip = half * static_cast<float>(std::min(1.6, friction / normal) / 1.6);
  canvas.line(x, bottom, x + tip * 0.9f, bottom - height * 0.9f, color, 2.5f);
  canvas.disc(x + tip * 0.9f, bottom - height * 0.9f, 3.2f, color);
}

struct CallOutWords {
  std::string state, pair;
  std::array<std::string, 4> lines;
  Hex color = palette::kStick;
};

std::string pairName(const Model& model, const Contact& c) {
  const auto body = [&model](int b) {
    return shortName(model.tree.bodies[static_cast<std::size_t>(b)].name);
  };
  const ContactPair pair = pairOf(model, c);
  return body(pair.body) + " ↔ " +
         (c.isRigid() ? body(pair.otherBody)
                      : model.deformables[static_cast<std::size_t>(c.deformable)].name);
}

/// A sliding contact that uses less of its cone than this is one whose friction is regularised above v_s.
constexpr double kNearCone = 0.9;

/// How the contact moves along the surface. A rigid one that sticks creeps no faster than its friction tells.
std::string motionLine(const Contact& c, const Model& model) {
  if (c.mode == ContactMode::Slip) {
    const std::string slides = "slides at " + number(1000 * c.slipSpeed) + " mm/s";
    const bool regularised = !c.isRigid() && frictionUsed(c) < kNearCone && c.frictionBound > 0;
    return regularised ? slides + ", regularised" : slides;
  }
  const double creep = creepSpeed(model, c);
  if (c.isRigid() && std::isfinite(creep)) return "creep ≤ " + number(1000 * creep) + " mm/s";
  return "creeps at " + number(1000 * c.slipSpeed) + " mm/s";
}

CallOutWords describe(const Contact& c, const Model& model) {
  const bool slips = c.mode == ContactMode::Slip;
  CallOutWords words;
  words.state = c.mode == ContactMode::Open ? "open" : slips ? "slips" : "sticks";
  words.pair = pairName(model, c);
  words.color = slips ? palette::kSlip : palette::kStick;
  words.lines = {"normal " + number(c.normalForce()) + " N",
                 "friction " + number(c.frictionForce().norm()) + " N",
                 "μN = " + number(c.frictionBound) + " N" +
                     (slips && frictionUsed(c) >= kNearCone ? ", on the cone" : ", inside the cone"),
                 motionLine(c, model)};
  return words;
}

constexpr float kBarHeight = 72;

void drawColorBar(HudCanvas& canvas, const ColorBar& bar, float bottom) {
  constexpr int kTicks = 5;
  const std::string title = bar.title + (bar.unit.empty() ? "" : " [" + bar.unit + "]");
  const float w = std::max(184.f, canvas.textWidth(title));
  const Rect r{canvas.width() - kMargin - w - 2 * kPad, bottom - kBarHeight, w + 2 * kPad, kBarHeight};
  canvas.card(r);
  canvas.text(r.x + kPad, r.y + 10, title, Ink::Secondary);
  canvas.scalarBar({r.x + kPad, r.y + 33, w, 8}, bar.diverging ? divergingMap : scalarMap,
                   bar.diverging ? -1 : 0);
  for (int i = 0; i < kTicks; ++i) {
    const double part = i / double(kTicks - 1);
    const std::string label = significant(bar.min + (bar.max - bar.min) * part);
    const float labelWidth = canvas.textWidth(label);
    canvas.text(r.x + kPad + static_cast<float>(part) * (w - labelWidth), r.y + 47, label, Ink::Text);
  }
}

}  // namespace

std::string shortName(const std::string& fullName) {
  const std::size_t dot = fullName.rfind('.');
  return dot == std::string::npos ? fullName : fullName.substr(dot + 1);
}

std::string number(double value) {
  if (value != 0 && (std::abs(value) >= 1e5 || std::abs(value) < 1e-3)) return scientific(value, 1);
  const int digits = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
  return fixed(value, std::clamp(2 - digits, 0, 4));
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

void drawForceLegend(HudCanvas& canvas, const HudInput& in) {
  if (!in.options.forces || in.frame->contact->arrows.empty()) return;
  const double perNewton = in.frame->contact->metresPerNewton * pixelsPerMetre(canvas, *in.camera);
  const double longest = 110;
  const double force = roundUp125(longest / perNewton / 2.5);  // 44 … 110 px
  const float length = static_cast<float>(force * perNewton);
  const std::vector<LegendRow> rows = legendRows(in.options);
  int most = 1;
  for (const Arrow& a : in.frame->contact->arrows) most = std::max(most, a.members);
  const std::string title = "Contact force", subject = "on " + legendSubject(in);
  const float titleWidth = canvas.textWidth(title, TextStyle::Strong) + 5 + canvas.textWidth(subject);
  const std::string sums = most > 1 ? "an arrow sums up to " + std::to_string(most) + " contacts" : "";
  const float w = std::max({titleWidth, 150.f, length + 54, canvas.textWidth(sums)}) + 2 * kPad;
  const float h = 46 + kLine * static_cast<float>(rows.size() + 1) + (most > 1 ? kLine : 0);
  float y = canvas.height() - kMargin - h;
  const float x = kMargin + kPad;
  canvas.card({kMargin, y, w, h});
  y += 11;
  const float t = canvas.text(x, y, title, Ink::Bright, TextStyle::Strong);
  canvas.text(x + t + 5, y, subject, Ink::Secondary);
  y += kLine + 3;
  for (const LegendRow& row : rows) {
    canvas.fill({x, y + 6.5f, 20, 3}, row.color, 1.5f);
    canvas.text(x + 29, y, row.name, Ink::Text);
    y += kLine;
  }
  y += 4;
  const Hex bright = canvas.ink(Ink::Bright);
  canvas.line(x, y + 8, x + length - 8, y + 8, bright, 2);
  canvas.triangle({x + length, y + 8}, {x + length - 11, y + 3.6f}, {x + length - 11, y + 12.4f}, bright);
  canvas.text(x + length + 9, y, significant(force) + " N", Ink::Text, TextStyle::Strong);
  if (most > 1) canvas.text(x, y + kLine + 2, sums, Ink::Faint);
}

void drawColorBars(HudCanvas& canvas, const HudInput& in) {
  float bottom = canvas.height() - kMargin;
  for (const ColorBar* bar : {&in.frame->soft->bar, &in.frame->contact->pressureBar}) {
    if (!bar->isShown()) continue;
    drawColorBar(canvas, *bar, bottom);
    bottom -= kBarHeight + 8;
  }
}

void drawCallOut(HudCanvas& canvas, const HudInput& in) {
  const Contact* c = selectedContact(in);
  if (!c) return;
  const double aspect = static_cast<double>(canvas.width() / canvas.height());
  const Eigen::Vector4f clip =
      in.camera->projection(aspect) * in.camera->view() * append(c->p_WC.cast<float>(), 1);
  if (clip.w() <= 0) return;
  const float px = (clip.x() / clip.w() * 0.5f + 0.5f) * canvas.width();
  const float py = (0.5f - clip.y() / clip.w() * 0.5f) * canvas.height();
  const CallOutWords words = describe(*c, *in.model);
  float w = canvas.textWidth(words.state, TextStyle::Strong) + canvas.textWidth(words.pair) + 24;
  for (const std::string& line : words.lines) w = std::max(w, canvas.textWidth(line) + 84);
  Rect r{px + 46, py - 210, w + 2 * kPad, 124};
  if (r.x + r.w > canvas.width() - kMargin) r.x = px - 46 - r.w;
  r.x = std::clamp(r.x, kMargin, std::max(kMargin, canvas.width() - kMargin - r.w));
  r.y = std::clamp(r.y, 60.f, std::max(60.f, canvas.height() - kMargin - r.h));
  const float footX = std::clamp(px, r.x + 14, r.x + r.w - 14);
  const float footY = py > r.y + r.h ? r.y + r.h : r.y;
  const float reach = std::max(1.f, std::hypot(footX - px, footY - py));
  canvas.ring(px, py, 7, words.color, 1.6f);
  canvas.line(px + 7 * (footX - px) / reach, py + 7 * (footY - py) / reach, footX, footY, words.color, 1.2f);
  canvas.card(r, words.color);
  canvas.disc(r.x + kPad + 4, r.y + 19, 3.5f, words.color);
  const float state = canvas.text(r.x + kPad + 14, r.y + 11, words.state, Ink::Bright, TextStyle::Strong);
  canvas.text(r.x + kPad + 20 + state, r.y + 11, words.pair, Ink::Secondary);
  drawCone(canvas, {r.x + kPad, r.y + 38, 68, 72}, *c, words.color);
  for (std::size_t i = 0; i < words.lines.size(); ++i)
    canvas.text(r.x + kPad + 82, r.y + 35 + kLine * static_cast<float>(i), words.lines[i],
                i < 2 ? Ink::Text : Ink::Secondary);
}

void drawHint(HudCanvas& canvas, const HudInput& in) {
  if (in.hint.empty()) return;
  const float w = canvas.textWidth(in.hint);
  canvas.text((canvas.width() - w) / 2, canvas.height() - kMargin - 20, in.hint, Ink::Secondary);
}

}  // namespace slipstick::render
