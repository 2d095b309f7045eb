// Text, cards and lines in logical pixels on an ImGui draw list.
#pragma once

#include <imgui.h>

#include <array>
#include <string>
#include <vector>

#include "render/hud_rect.h"
#include "render/palette.h"

namespace slipstick::render {

struct HudFonts {
  ImFont* regular = nullptr;
  ImFont* strong = nullptr;
  ImFont* large = nullptr;
  ImFont* title = nullptr;  ///< null unless a caption is drawn
};

enum class TextStyle { Regular, Strong, Large, Title };
enum class Ink { Bright, Text, Secondary, Faint };

/// One frame's drawing. On light ground the inks turn dark and cards white.
class HudCanvas {
 public:
  HudCanvas(ImDrawList& list, const HudFonts& fonts, float scale, ImVec2 size, Backdrop backdrop)
      : list_(list), fonts_(fonts), scale_(scale), size_(size), tokens_(tokensOn(backdrop)) {}

  float width() const { return size_.x; }  ///< of the viewport [logical px]
  float height() const { return size_.y; }

  /// Draws with tabular figures; y is the line's top. @return the width [logical px]
  float text(float x, float y, const std::string& words, Ink ink, TextStyle style = TextStyle::Regular);
  float text(float x, float y, const std::string& words, Hex color, TextStyle style = TextStyle::Regular,
             float alpha = 1);
  float textWidth(const std::string& words, TextStyle style = TextStyle::Regular) const;

  /// A quiet panel behind what follows; remembered for hits().
  void card(const Rect& rect, Hex border = 0);
  /// Keeps a place for what is drawn later.
  void reserve(const Rect& rect) { taken_.push_back(rect); }
  /// Cards so far, and what is reserved.
  const std::vector<Rect>& taken() const { return taken_; }
  /// A quiet ground for words over the picture.
  void plate(const Rect& rect);
  /// Where a click means something: HudButton::name of it.
  void button(const Rect& rect, std::string_view name) { buttons_.push_back({rect, name}); }
  void line(float x0, float y0, float x1, float y1, Hex color, float width, float alpha = 1);
  void fill(const Rect& rect, Hex color, float radius = 0, float alpha = 1);
  void disc(float x, float y, float radius, Hex color);
  void ring(float x, float y, float radius, Hex color, float width);
  void triangle(ImVec2 a, ImVec2 b, ImVec2 c, Hex color);
  struct Corner {
    float x = 0, y = 0;
    Eigen::Vector3f color = Eigen::Vector3f::Zero();  ///< sRGB
    float alpha = 1;
  };
  /// Colours run from corner to corner.
  void shade(const std::array<Corner, 3>& corners);
  /// A bar filled with a colour map from t = `from` to 1.
  void scalarBar(const Rect& rect, Eigen::Vector3f (*map)(double), double from);

  Hex ink(Ink ink) const;
  const Tokens& tokens() const { return tokens_; }
  const std::vector<Rect>& cards() const { return cards_; }
  const std::vector<HudButton>& buttons() const { return buttons_; }

 private:
  ImFont* font(TextStyle style) const;
  static float fontSize(TextStyle style) {
    return style == TextStyle::Title ? 38.f : style == TextStyle::Large ? 22.f : 12.5f;
  }
  ImVec2 device(float x, float y) const { return {x * scale_, y * scale_}; }
  static ImU32 packed(Hex color, float alpha = 1);

  ImDrawList& list_;
  HudFonts fonts_;
  float scale_;
  ImVec2 size_;
  const Tokens& tokens_;
  std::vector<Rect> cards_, taken_;
  std::vector<HudButton> buttons_;
};

}  // namespace slipstick::render
