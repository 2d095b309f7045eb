// Contact in words and numbers: legend of the arrows, numbers beside them, call-out of what is selected.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "engine/foundation/number_text.h"
#include "render/force_words.h"
#include "render/hud_cards.h"
#include "render/hud_why.h"

namespace slipstick::render {
namespace {

constexpr float kMargin = kCardMargin, kPad = kCardPad, kLine = kCardLine;

// ---------------------------------------------------------------------------------------------- legend

std::string sideName(const Model& model, const PairForce& force) {
  if (force.body < 0) return model.deformables[static_cast<std::size_t>(force.pair.deformable)].name;
  return bodyName(model, force.body);
}

/// On what the drawn forces act.
std::string legendSubject(const HudInput& in) {
  std::set<std::string> names;
  for (const PairView& pair : in.frame->contact->pairs)
    if (pair.arrows > 0) names.insert(sideName(*in.model, pair.force));
  if (names.empty()) return "";
  if (names.size() == 1) return "on " + *names.begin();
  if (names.size() == 2) return "on " + *names.begin() + " and " + *names.rbegin();
  return "on " + std::to_string(names.size()) + " bodies";
}

/// What no arrow shows, and what one must know to read those that are there.
std::vector<std::string> legendNotes(const ContactParts& parts) {
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
  return notes;
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

// ---------------------------------------------------------------------------------------------- labels

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/// Whether a straight line on the canvas runs through a rectangle: by clipping it at the four sides.
bool crosses(const Rect& r, const Eigen::Vector2f& a, const Eigen::Vector2f& b) {
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

/// The net forces on the canvas, foot and tip: no number may cover them.
std::vector<std::pair<Eigen::Vector2f, Eigen::Vector2f>> thickArrows(const HudCanvas& canvas,
                                                                     const HudInput& in) {
  std::vector<std::pair<Eigen::Vector2f, Eigen::Vector2f>> lines;
  for (const PairView& pair : in.frame->contact->pairs)
    for (int i = pair.firstArrow; pair.seen == ContactView::Pairs && i < pair.firstArrow + pair.arrows; ++i) {
      const Arrow& arrow = in.frame->contact->arrows[static_cast<std::size_t>(i)];
      const auto from = placeOf(canvas, in, arrow.from), to = placeOf(canvas, in, arrow.from + arrow.vector);
      if (from && to) lines.emplace_back(*from, *to);
    }
  return lines;
}

/// Where a label may stand around an arrow's tip, best first: beyond it, at its sides, farther away.
std::vector<Rect> placesAround(const Eigen::Vector2f& tip, const Eigen::Vector2f& along, float w, float h) {
  const Eigen::Vector2f across(-along.y(), along.x());
  const Eigen::Vector2f half(w / 2, h / 2);
  std::vector<Rect> places;
  for (const float far : {6.f, 14.f, 28.f})
    for (const Eigen::Vector2f& towards :
         {along, Eigen::Vector2f((along + across).normalized()),
          Eigen::Vector2f((along - across).normalized()), across, Eigen::Vector2f(-across)}) {
      // The plate's support in that direction, so that its edge and not its middle keeps the distance.
      const float reach = std::abs(towards.x()) * half.x() + std::abs(towards.y()) * half.y() + far;
      const Eigen::Vector2f center = tip + reach * towards;
      places.push_back({center.x() - half.x(), center.y() - half.y(), w, h});
    }
  return places;
}

// -------------------------------------------------------------------------------------------- call-out

struct CallOut {
  Vec3 point = Vec3::Zero();
  std::string state, pair;
  std::vector<std::string> lines;
  Hex color = palette::kStick;
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
  words.color = slips ? palette::kSlip : palette::kStick;
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
  words.color = force.slips() ? palette::kSlip : palette::kStick;
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
  canvas.line(x, bottom, x + tip * 0.9f, bottom - height * 0.9f, words.color, 2.5f);
  canvas.disc(x + tip * 0.9f, bottom - height * 0.9f, 3.2f, words.color);
}

/// Of the selected contact while it lasts, else of the selected pair while it touches.
std::optional<CallOut> calledOut(const HudInput& in) {
  if (in.selection.contact && in.snapshot) {
    const int index = findContact(*in.snapshot, *in.selection.contact);
    if (index >= 0) return describe(in.snapshot->contacts[static_cast<std::size_t>(index)], *in.model);
  }
  for (const PairView& pair : in.frame->contact->pairs)
    if (in.selection.pair && pair.force.pair == *in.selection.pair) return describe(pair.force, *in.model);
  return std::nullopt;
}

/// Beside the point, on the canvas.
Rect callOutPlace(const HudCanvas& canvas, const CallOut& words, const Eigen::Vector2f& at) {
  float w = canvas.textWidth(words.state, TextStyle::Strong) + canvas.textWidth(words.pair) + 24 +
            whyButtonWidth(canvas);
  for (const std::string& line : words.lines) w = std::max(w, canvas.textWidth(line) + 84);
  Rect r{at.x() + 60, at.y() - 210, w + 2 * kPad, 44 + kLine * static_cast<float>(words.lines.size())};
  if (r.x + r.w > canvas.width() - kMargin) r.x = at.x() - 60 - r.w;
  r.x = std::clamp(r.x, kMargin, std::max(kMargin, canvas.width() - kMargin - r.w));
  r.y = std::clamp(r.y, 60.f, std::max(60.f, canvas.height() - kMargin - r.h));
  return r;
}

}  // namespace

void drawForceLegend(HudCanvas& canvas, const HudInput& in) {
  const ContactParts& parts = *in.frame->contact;
  const std::vector<std::string> notes = legendNotes(parts);
  if (!in.options.forces || (parts.arrows.empty() && notes.empty())) return;
  const double perMetre = pixelsPerMetre(canvas, *in.camera);
  std::vector<MeasuredArrow> arrows;
  const bool hasPairs = std::any_of(parts.pairs.begin(), parts.pairs.end(), [](const PairView& pair) {
    return pair.seen == ContactView::Pairs && pair.arrows > 0;
  });
  if (hasPairs) arrows.push_back(measured(parts.pairScale, perMetre, 3.2f));
  if (parts.hasPoints && parts.pointScale.top > 0)
    arrows.push_back(measured(parts.pointScale, perMetre, 1.8f));
  const std::vector<LegendRow> rows = legendRows(in.options);
  const std::string title = "Contact force", subject = legendSubject(in);
  float w = std::max(150.f, canvas.textWidth(title, TextStyle::Strong) + 5 + canvas.textWidth(subject));
  for (const MeasuredArrow& arrow : arrows) w = std::max(w, arrow.length + 60);
  for (const std::string& note : notes) w = std::max(w, canvas.textWidth(note));
  const float h = 38 + kLine * static_cast<float>(rows.size() + arrows.size() + notes.size());
  const float x = kMargin + kPad;
  float y = canvas.height() - kMargin - h;
  canvas.card({kMargin, y, w + 2 * kPad, h});
  y += 11;
  const float t = canvas.text(x, y, title, Ink::Bright, TextStyle::Strong);
  canvas.text(x + t + 5, y, subject, Ink::Secondary);
  y += kLine + 2;
  for (const LegendRow& row : rows) {
    canvas.fill({x, y + 6.5f, 20, 3}, row.color, 1.5f);
    canvas.text(x + 29, y, row.name, Ink::Text);
    y += kLine;
  }
  for (const MeasuredArrow& arrow : arrows) {
    drawMeasured(canvas, arrow, x, y);
    y += kLine;
  }
  for (const std::string& note : notes) {
    canvas.text(x, y, note, Ink::Secondary);
    y += kLine;
  }
}

void drawForceLabels(HudCanvas& canvas, const HudInput& in) {
  std::vector<Rect> taken = canvas.cards();
  const auto arrows = thickArrows(canvas, in);
  const auto isFree = [&](const Rect& r) {
    return r.x > 0 && r.y > 0 && r.x + r.w < canvas.width() && r.y + r.h < canvas.height() &&
           std::none_of(taken.begin(), taken.end(), [&r](const Rect& other) { return overlap(r, other); }) &&
           std::none_of(arrows.begin(), arrows.end(),
                        [&r](const auto& arrow) { return crosses(r, arrow.first, arrow.second); });
  };
  for (const ForceLabel& label : in.frame->contact->labels) {
    const auto tip = placeOf(canvas, in, label.point);
    const auto foot = placeOf(canvas, in, label.point - 0.01f * label.direction);
    if (!tip || !foot) continue;
    const Eigen::Vector2f run = *tip - *foot;
    const Eigen::Vector2f along =
        run.norm() > 1e-3f ? Eigen::Vector2f(run.normalized()) : Eigen::Vector2f(0, -1);
    const float w = canvas.textWidth(label.text, TextStyle::Strong) + 12, h = 19;
    const std::vector<Rect> places = placesAround(*tip, along, w, h);
    const auto place = std::find_if(places.begin(), places.end(), isFree);
    if (place == places.end()) continue;
    taken.push_back(*place);
    canvas.plate(*place);
    const Hex ink = label.color == palette::kNormal ? canvas.ink(Ink::Bright) : label.color;
    canvas.text(place->x + 6, place->y + 2, label.text, ink, TextStyle::Strong);
  }
}

void drawCallOut(HudCanvas& canvas, const HudInput& in) {
  const std::optional<CallOut> words = calledOut(in);
  if (!words) return;
  const auto at = placeOf(canvas, in, words->point.cast<float>());
  if (!at) return;
  const Rect r = callOutPlace(canvas, *words, *at);
  const Eigen::Vector2f foot(std::clamp(at->x(), r.x + 14, r.x + r.w - 14),
                             at->y() > r.y + r.h ? r.y + r.h : r.y);
  const float reach = std::max(1.f, (foot - *at).norm());
  canvas.ring(at->x(), at->y(), 7, words->color, 1.6f);
  const Eigen::Vector2f start = *at + 7 / reach * (foot - *at);
  canvas.line(start.x(), start.y(), foot.x(), foot.y(), words->color, 1.2f);
  canvas.card(r, words->color);
  canvas.disc(r.x + kPad + 4, r.y + 19, 3.5f, words->color);
  const float state = canvas.text(r.x + kPad + 14, r.y + 11, words->state, Ink::Bright, TextStyle::Strong);
  canvas.text(r.x + kPad + 20 + state, r.y + 11, words->pair, Ink::Secondary);
  drawWhyButton(canvas, r);
  drawCone(canvas, {r.x + kPad, r.y + 38, 68, 72}, *words);
  for (std::size_t i = 0; i < words->lines.size(); ++i)
    canvas.text(r.x + kPad + 82, r.y + 35 + kLine * static_cast<float>(i), words->lines[i],
                i < 2 ? Ink::Text : Ink::Secondary);
}

}  // namespace slipstick::render
