// Contact in words and numbers: legend of the arrows, call-out of what is selected.
#include <algorithm>
#include <cmath>
#include <set>

#include "engine/foundation/number_text.h"
#include "render/contact_facts.h"
#include "render/force_words.h"
#include "render/hud_cards.h"
#include "render/hud_layout.h"
#include "render/hud_why.h"

namespace slipstick::render {
namespace {

constexpr float kMargin = kCardMargin, kPad = kCardPad, kLine = kCardLine;

// ---------------------------------------------------------------------------------------------- legend

/// On what the drawn forces act.
std::string legendSubject(const HudInput& in) {
  std::set<std::string> names;
  for (const PairView& pair : in.frame->contact->pairs)
    if (pair.arrows > 0) names.insert(sideName(*in.model, pair.force.side));
  if (names.empty()) return "";
  if (names.size() == 1) return "on " + *names.begin();
  if (names.size() == 2) return "on " + *names.begin() + " and " + *names.rbegin();
  return "on " + std::to_string(names.size()) + " bodies";
}

/// "3 numbers have no room here".
std::string haveNoRoom(int count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? " has" : "s have") + " no room here";
}

/// What no arrow shows, and what one must know to read those that are there.
std::vector<std::string> legendNotes(const ContactParts& parts, const HudMissing& missing) {
  std::vector<std::string> notes;
  if (parts.pairScale.logarithmic) notes.push_back("lengths on a log scale");
  int most = 1;
  for (const Arrow& arrow : parts.arrows)
    if (parts.pairs[static_cast<std::size_t>(arrow.pair)].seen == ContactView::Points)
      most = std::max(most, arrow.members);
  if (most > 1) notes.push_back("a thin arrow sums up to " + std::to_string(most) + " contacts");
  for (const PairView& pair : parts.pairs)
    if (pair.remainderContacts > 0)
      notes.push_back("below threshold: " + newtons(pair.remainderForce) + " in " +
                      std::to_string(pair.remainderContacts) +
                      (pair.remainderContacts == 1 ? " contact" : " contacts"));
  if (parts.morePairs > 0)
    notes.push_back(std::to_string(parts.morePairs) +
                    (parts.morePairs == 1 ? " more pair, " : " more pairs, ") + newtons(parts.moreForce));
  if (parts.discRadius > 0)
    notes.push_back("points pressed over discs of " + number(2e3 * parts.discRadius) + " mm");
  if (missing.footprints > 0) notes.push_back(haveNoRoom(missing.footprints, "footprint"));
  if (missing.numbers > 0) notes.push_back(haveNoRoom(missing.numbers, "number"));
  return notes;
}

struct LegendRow {
  const char* name;
  Hex color;
};

/// What each colour of the arrows means.
std::vector<LegendRow> legendRows(const ViewOptions& options) {
  const Tokens& t = options.tokens();
  if (!options.splitForces) return {{"total, sticking", t.stick}, {"total, slipping", t.slip}};
  return {{"normal", t.normal}, {"friction, sticking", t.stick}, {"friction, slipping", t.slip}};
}

/// Logical pixels per metre at the camera's target.
double pixelsPerMetre(const HudCanvas& canvas, const Camera& camera) {
  return static_cast<double>(canvas.height()) /
         camera.heightAtTarget(static_cast<double>(canvas.width() / canvas.height()));
}

struct MeasuredArrow {
  double force = 0;  ///< [N]
  float length = 0;  ///< [logical px]
  float thickness = 2;
};

/// The largest round force whose arrow fits into the legend.
MeasuredArrow measured(const ForceScale& scale, double perMetre, float thickness) {
  constexpr double kLongest = 110;
  double force = roundUp125(scale.top);
  for (int i = 0; i < 12 && (force > scale.top || scale.length(force) * perMetre > kLongest); ++i)
    force = roundUp125(force / 2.5 * 0.999);
  return {force, static_cast<float>(scale.length(force) * perMetre), thickness};
}

void drawMeasured(HudCanvas& canvas, const MeasuredArrow& arrow, float x, float y) {
  const Hex bright = canvas.ink(Ink::Bright);
  const float head = std::min(arrow.length, 7 + 2 * arrow.thickness), half = 2.4f + arrow.thickness;
  canvas.line(x, y + 8, x + arrow.length - head * 0.7f, y + 8, bright, arrow.thickness);
  canvas.triangle({x + arrow.length, y + 8}, {x + arrow.length - head, y + 8 - half},
                  {x + arrow.length - head, y + 8 + half}, bright);
  canvas.text(x + arrow.length + 9, y, significant(arrow.force) + " N", Ink::Text, TextStyle::Strong);
}

// -------------------------------------------------------------------------------------------- call-out

struct CallOut {
  Vec3 point = Vec3::Zero();
  std::string state, pair;
  std::vector<std::string> lines;
  bool slips = false;
  double normal = 0, friction = 0, bound = 0;  ///< [N]
};

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

/// What more friction could carry.
std::string marginLine(double bound, double friction) {
  const double margin = bound - friction, part = bound > 0 ? 100 * margin / bound : 0;
  if (margin <= 1e-3 * bound) return "μN = " + newtons(bound) + ", all used";
  return "μN = " + newtons(bound) + ", margin " + newtons(margin) + " (" + fixed(part, 0) + " %)";
}

CallOut describe(const Contact& c, const Model& model) {
  const bool slips = c.mode == ContactMode::Slip;
  CallOut words;
  words.point = c.p_WC;
  words.state = c.mode == ContactMode::Open ? "open" : slips ? "slips" : "sticks";
  words.pair = pairName(model, pairOf(model, c));
  words.slips = slips;
  words.normal = c.normalForce();
  words.friction = c.frictionForce().norm();
  words.bound = c.frictionBound;
  words.lines = {"normal " + newtons(words.normal), "friction " + newtons(words.friction),
                 marginLine(words.bound, words.friction), motionLine(c, model)};
  return words;
}

CallOut describe(const PairForce& force, const Model& model) {
  CallOut words;
  words.point = force.centerOfPressure;
  const bool none = force.touching == 0;
  words.state = none                         ? "open"
                : force.slips()              ? "slips"
                : force.slippingContacts > 0 ? "slips in part"
                                             : "sticks";
  words.pair = pairName(model, force.pair);
  words.slips = force.slips();
  words.normal = force.normalSum;
  words.friction = force.friction.norm();
  words.bound = force.frictionBound;
  words.lines = {"normal " + newtons(force.normal.norm()),
                 "friction " + newtons(words.friction),
                 marginLine(words.bound, words.friction),
                 (force.slips() ? "slides at " : "creeps at ") + number(1000 * force.slipSpeed) + " mm/s",
                 "moment " + number(force.moment.norm()) + " N m",
                 std::to_string(force.touching) + (force.touching == 1 ? " contact, " : " contacts, ") +
                     std::to_string(force.slippingContacts) + " slip"};
  return words;
}

/// The friction force over the normal force, between the edges of what friction can carry here.
void drawCone(HudCanvas& canvas, const Rect& r, const CallOut& words) {
  const double normal = std::max(words.normal, 1e-9);
  const double slope = std::min(1.6, words.bound / normal);  // wider cones are cut at the drawing's edge
  const float half = r.w / 2 - 3, height = r.h - 10, x = r.x + r.w / 2, bottom = r.y + r.h - 4;
  const float edge = half * static_cast<float>(slope / 1.6);
  canvas.line(x, bottom, x - edge, bottom - height, canvas.ink(Ink::Secondary), 1);
  canvas.line(x, bottom, x + edge, bottom - height, canvas.ink(Ink::Secondary), 1);
  canvas.line(x - edge, bottom - height, x + edge, bottom - height, canvas.ink(Ink::Secondary), 1);
  const float tip = half * static_cast<float>(std::min(1.6, words.friction / normal) / 1.6);
  const Hex color = canvas.tokens().friction(words.slips);
  canvas.line(x, bottom, x + tip * 0.9f, bottom - height * 0.9f, color, 2.5f);
  canvas.disc(x + tip * 0.9f, bottom - height * 0.9f, 3.2f, color);
}

/// Of the selected contact while it lasts, else of the selected pair while it touches.
std::optional<CallOut> calledOut(const HudInput& in) {
  if (const auto* contact = std::get_if<ContactKey>(&in.selection); contact && in.snapshot) {
    const int index = findContact(*in.snapshot, *contact);
    if (index >= 0) return describe(in.snapshot->contacts[static_cast<std::size_t>(index)], *in.model);
  }
  const auto* selected = std::get_if<ContactPair>(&in.selection);
  for (const PairView& pair : in.frame->contact->pairs)
    if (selected && pair.force.pair == *selected) return describe(pair.force, *in.model);
  return std::nullopt;
}

/// Only in a window there is somebody who can press it.
bool hasWhyButton(const HudInput& in) {
  return in.speedWanted > 0;
}

/// Beside the point, where it hides no other card. @param button  width of what is at its right [logical px]
Rect callOutPlace(const HudCanvas& canvas, const CallOut& words, const Eigen::Vector2f& at, float button) {
  constexpr float kClear = 24;  // around the point [logical px]
  float w = canvas.textWidth(words.state, TextStyle::Strong) + canvas.textWidth(words.pair) + 24 + button;
  for (const std::string& line : words.lines) w = std::max(w, canvas.textWidth(line) + 84);
  Rect r{at.x() + 60, at.y() - 210, w + 2 * kPad, 44 + kLine * static_cast<float>(words.lines.size())};
  if (r.x + r.w > canvas.width() - kMargin) r.x = at.x() - 60 - r.w;
  r.x = std::clamp(r.x, kMargin, std::max(kMargin, canvas.width() - kMargin - r.w));
  r.y = std::clamp(r.y, 60.f, std::max(60.f, canvas.height() - kMargin - r.h));
  return freePlace(canvas, {.places = {r},
                            .near = middle(r),
                            .clear = {at.x() - kClear, at.y() - kClear, 2 * kClear, 2 * kClear}});
}

/// All that the legend says.
struct Legend {
  std::string subject;
  std::vector<LegendRow> rows;
  std::vector<MeasuredArrow> arrows;
  std::vector<std::string> notes;
  Rect rect;  ///< empty: there is nothing to say
};

constexpr const char* kLegendTitle = "Contact force";

Legend legendOf(const HudCanvas& canvas, const HudInput& in, const HudMissing& missing) {
  const ContactParts& parts = *in.frame->contact;
  Legend legend{legendSubject(in), legendRows(in.options), {}, legendNotes(parts, missing), {}};
  if (!in.options.forces || !in.options.forceLegend || (parts.arrows.empty() && legend.notes.empty()))
    return legend;
  const double perMetre = pixelsPerMetre(canvas, *in.camera);
  const bool hasPairs = std::any_of(parts.pairs.begin(), parts.pairs.end(), [](const PairView& pair) {
    return pair.seen == ContactView::Pairs && pair.arrows > 0;
  });
  if (hasPairs) legend.arrows.push_back(measured(parts.pairScale, perMetre, 3.2f));
  if (!parts.clusterSides.empty() && parts.pointScale.top > 0)
    legend.arrows.push_back(measured(parts.pointScale, perMetre, 1.8f));
  float w = std::max(
      150.f, canvas.textWidth(kLegendTitle, TextStyle::Strong) + 5 + canvas.textWidth(legend.subject));
  for (const MeasuredArrow& arrow : legend.arrows) w = std::max(w, arrow.length + 60);
  for (const std::string& note : legend.notes) w = std::max(w, canvas.textWidth(note));
  const float h =
      38 + kLine * static_cast<float>(legend.rows.size() + legend.arrows.size() + legend.notes.size());
  legend.rect = {kMargin, canvas.height() - kMargin - h, w + 2 * kPad, h};
  return legend;
}

}  // namespace

Rect legendPlace(const HudCanvas& canvas, const HudInput& in, const HudMissing& missing) {
  return legendOf(canvas, in, missing).rect;
}

void drawForceLegend(HudCanvas& canvas, const HudInput& in, const HudMissing& missing) {
  const Legend legend = legendOf(canvas, in, missing);
  if (!(legend.rect.h > 0)) return;
  canvas.card(legend.rect);
  const float x = kMargin + kPad;
  float y = legend.rect.y + 11;
  const float t = canvas.text(x, y, kLegendTitle, Ink::Bright, TextStyle::Strong);
  canvas.text(x + t + 5, y, legend.subject, Ink::Secondary);
  y += kLine + 2;
  for (const LegendRow& row : legend.rows) {
    canvas.fill({x, y + 6.5f, 20, 3}, row.color, 1.5f);
    canvas.text(x + 29, y, row.name, Ink::Text);
    y += kLine;
  }
  for (const MeasuredArrow& arrow : legend.arrows) {
    drawMeasured(canvas, arrow, x, y);
    y += kLine;
  }
  for (const std::string& note : legend.notes) {
    canvas.text(x, y, note, Ink::Secondary);
    y += kLine;
  }
}

void drawCallOut(HudCanvas& canvas, const HudInput& in) {
  const std::optional<CallOut> words = calledOut(in);
  if (!words) return;
  const auto at = placeOf(canvas, in, words->point.cast<float>());
  if (!at) return;
  const Rect r = callOutPlace(canvas, *words, *at, hasWhyButton(in) ? whyButtonWidth(canvas) : 0);
  const Eigen::Vector2f foot(std::clamp(at->x(), r.x + 14, r.x + r.w - 14),
                             at->y() > r.y + r.h ? r.y + r.h : r.y);
  const float reach = std::max(1.f, (foot - *at).norm());
  const Hex color = canvas.tokens().friction(words->slips);
  canvas.ring(at->x(), at->y(), 7, color, 1.6f);
  const Eigen::Vector2f start = *at + 7 / reach * (foot - *at);
  canvas.line(start.x(), start.y(), foot.x(), foot.y(), color, 1.2f);
  canvas.plate(r);  // its numbers are read over anything
  canvas.card(r, color);
  canvas.disc(r.x + kPad + 4, r.y + 19, 3.5f, color);
  const float state = canvas.text(r.x + kPad + 14, r.y + 11, words->state, Ink::Bright, TextStyle::Strong);
  canvas.text(r.x + kPad + 20 + state, r.y + 11, words->pair, Ink::Secondary);
  if (hasWhyButton(in)) drawWhyButton(canvas, r);
  drawCone(canvas, {r.x + kPad, r.y + 38, 68, 72}, *words);
  for (std::size_t i = 0; i < words->lines.size(); ++i)
    canvas.text(r.x + kPad + 82, r.y + 35 + kLine * static_cast<float>(i), words->lines[i],
                i < 2 ? Ink::Text : Ink::Secondary);
}

}  // namespace slipstick::render
