// Numbers beside the arrows, where they cover nothing that one reads.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "render/hud_labels.h"

namespace slipstick::render {
namespace {

constexpr float kHeight = 19;
/// From an arrow's tip to a number beside it, and to one that a line has to tie to it [logical px].
constexpr std::array kBeside = {6.f, 14.f, 28.f};
constexpr std::array kAway = {40.f, 58.f, 80.f, 110.f, 150.f};
/// A line this nearly along its own arrow would look like its tail [cosine].
constexpr float kAlongArrow = 0.85f;

/// An arrow's tip on the canvas, the way that it points, and the size of its number.
struct Spot {
  Eigen::Vector2f tip, along;
  float width = 0;

  /// The plate whose edge, not middle, is so far from the tip in a direction.
  Rect plate(const Eigen::Vector2f& towards, float far) const {
    const Eigen::Vector2f half(width / 2, kHeight / 2);
    const float reach = std::abs(towards.x()) * half.x() + std::abs(towards.y()) * half.y() + far;
    const Eigen::Vector2f center = tip + reach * towards;
    return {center.x() - half.x(), center.y() - half.y(), width, kHeight};
  }
};

/// Best first: beyond the tip, at its sides, farther away.
std::vector<Rect> placesBeside(const Spot& spot) {
  const Eigen::Vector2f along = spot.along, across(-along.y(), along.x());
  std::vector<Rect> places;
  for (const float far : kBeside)
    for (const Eigen::Vector2f& towards :
         {along, Eigen::Vector2f((along + across).normalized()),
          Eigen::Vector2f((along - across).normalized()), across, Eigen::Vector2f(-across)})
      places.push_back(spot.plate(towards, far));
  return places;
}

/// All around, the nearest first, and of those what lies ahead of the arrow.
std::vector<Rect> placesAway(const Spot& spot) {
  constexpr int kDirections = 16;
  std::vector<Rect> places;
  for (const float far : kAway)
    for (int i = 0; i < kDirections; ++i) {
      const int turn = i % 2 ? (i + 1) / 2 : -i / 2;
      const float angle = 2 * std::numbers::pi_v<float> / kDirections * static_cast<float>(turn);
      const Eigen::Vector2f towards = Eigen::Rotation2Df(angle) * spot.along;
      if (towards.dot(spot.along) > -kAlongArrow) places.push_back(spot.plate(towards, far));
    }
  return places;
}

/// Fills the canvas number by number.
class LabelPlaces {
 public:
  LabelPlaces(const HudCanvas& canvas, const HudInput& in)
      : canvas_(canvas), in_(in), taken_(canvas.taken()) {
    for (const Arrow& arrow : in.frame->contact->arrows) {
      const auto from = placeOf(canvas, in, arrow.from), to = placeOf(canvas, in, arrow.from + arrow.vector);
      if (from && to) lines_.push_back({*from, *to});
    }
  }

  void add(const ForceLabel& label);
  PlacedLabels take() && { return std::move(placed_); }

 private:
  bool isFree(const Rect& r) const;
  bool isFree(const ScreenLine& leader) const;
  std::optional<Spot> spotOf(const ForceLabel& label) const;
  void put(const ForceLabel& label, const Rect& rect, const std::optional<ScreenLine>& leader);

  const HudCanvas& canvas_;
  const HudInput& in_;
  std::vector<Rect> taken_;
  std::vector<ScreenLine> lines_;  ///< arrows and leaders: no number may cover them
  PlacedLabels placed_;
};

bool LabelPlaces::isFree(const Rect& r) const {
  return r.x > 0 && r.y > 0 && r.x + r.w < canvas_.width() && r.y + r.h < canvas_.height() &&
         std::none_of(taken_.begin(), taken_.end(), [&r](const Rect& other) { return overlap(r, other); }) &&
         std::none_of(lines_.begin(), lines_.end(),
                      [&r](const ScreenLine& line) { return crosses(r, line); });
}

bool LabelPlaces::isFree(const ScreenLine& leader) const {
  return std::none_of(taken_.begin(), taken_.end(), [&](const Rect& r) { return crosses(r, leader); }) &&
         std::none_of(lines_.begin(), lines_.end(),
                      [&](const ScreenLine& line) { return cross(line, leader); });
}

/// Nothing where the tip is not in the picture: then its number is not missed in it.
std::optional<Spot> LabelPlaces::spotOf(const ForceLabel& label) const {
  const auto tip = placeOf(canvas_, in_, label.point);
  const auto foot = placeOf(canvas_, in_, label.point - 0.01f * label.direction);
  if (!tip || !foot || !Rect{0, 0, canvas_.width(), canvas_.height()}.contains(tip->x(), tip->y()))
    return std::nullopt;
  const Eigen::Vector2f run = *tip - *foot;
  return Spot{*tip, run.norm() > 1e-3f ? Eigen::Vector2f(run.normalized()) : Eigen::Vector2f(0, -1),
              canvas_.textWidth(label.text, TextStyle::Strong) + 12};
}

void LabelPlaces::put(const ForceLabel& label, const Rect& rect, const std::optional<ScreenLine>& leader) {
  taken_.push_back(rect);
  if (leader) lines_.push_back(*leader);
  placed_.labels.push_back({&label, rect, leader});
}

void LabelPlaces::add(const ForceLabel& label) {
  constexpr float kClear = 4;  // of the tip
  const std::optional<Spot> spot = spotOf(label);
  if (!spot) return;
  for (const Rect& rect : placesBeside(*spot))
    if (isFree(rect)) return put(label, rect, std::nullopt);
  for (const Rect& rect : placesAway(*spot)) {
    if (!isFree(rect)) continue;
    const Eigen::Vector2f end = nearestOn(rect, spot->tip);
    const ScreenLine leader{spot->tip + kClear * (end - spot->tip).normalized(), end};
    if (isFree(leader)) return put(label, rect, leader);
  }
  ++placed_.missing;
}

}  // namespace

PlacedLabels placeForceLabels(const HudCanvas& canvas, const HudInput& in) {
  LabelPlaces places(canvas, in);
  for (const ForceLabel& label : in.frame->contact->labels) places.add(label);
  return std::move(places).take();
}

void drawForceLabels(HudCanvas& canvas, const PlacedLabels& placed) {
  for (const PlacedLabels::Label& p : placed.labels) {
    const Hex ink = p.label->color == canvas.tokens().normal ? canvas.ink(Ink::Bright) : p.label->color;
    if (p.leader)
      canvas.line(p.leader->from.x(), p.leader->from.y(), p.leader->to.x(), p.leader->to.y(), ink, 1.1f,
                  0.8f);
    canvas.plate(p.rect);
    canvas.text(p.rect.x + 6, p.rect.y + 2, p.label->text, ink, TextStyle::Strong);
  }
}

}  // namespace slipstick::render
