// Where cards and numbers may stand in the overlay. Part of Hud.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "render/hud_canvas.h"

namespace slipstick::render {

struct ScreenLine {
  Eigen::Vector2f from = Eigen::Vector2f::Zero(), to = Eigen::Vector2f::Zero();  ///< [logical px]
};

/// [logical px²]
float overlapArea(const Rect& a, const Rect& b);
inline bool overlap(const Rect& a, const Rect& b) {
  return overlapArea(a, b) > 0;
}
bool crosses(const Rect& rect, const ScreenLine& segment);
bool cross(const ScreenLine& a, const ScreenLine& b);
Eigen::Vector2f middle(const Rect& rect);
/// The point of a rectangle that is nearest.
Eigen::Vector2f nearestOn(const Rect& rect, const Eigen::Vector2f& point);

/// What a card that may stand in several places is about.
struct CardWish {
  std::vector<Rect> places;  ///< all of one size
  Eigen::Vector2f near = Eigen::Vector2f::Zero();
  Rect clear;  ///< to be hidden as little as can be; empty: nothing
};

/// One of the places that are wished for, or one beside what is taken (HudCanvas::taken()): that meets nothing
/// of it and is then the best. Where the canvas has no such place, the one that hides least.
Rect freePlace(const HudCanvas& canvas, const CardWish& wish);

}  // namespace slipstick::render
