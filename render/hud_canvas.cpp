#include "render/hud_canvas.h"

#include <algorithm>
#include <cmath>

namespace slipstick::render {
namespace {

constexpr float kRadius = 7;
constexpr int kBarSteps = 48;

/// Splits into maximal runs: single digits, and everything between them.
template <class Visit>
void forRuns(const std::string& words, const Visit& visit) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0;
  while (i < words.size()) {
    std::size_t end = i + 1;
    if (!digit(words[i]))
      while (end < words.size() && !digit(words[end])) ++end;
    visit(words.data() + i, words.data() + end, digit(words[i]));
    i = end;
  }
}

float measure(ImFont* font, float size, const char* begin, const char* end) {
  return font->CalcTextSizeA(size, 1e9f, 0, begin, end).x;
}

}  // namespace

ImU32 HudCanvas::packed(Hex color, float alpha) {
  const auto channel = [color](int shift) { return (color >> shift) & 0xFFu; };
  return IM_COL32(channel(16), channel(8), channel(0), static_cast<ImU32>(std::lround(255 * alpha)));
}

Hex HudCanvas::ink(Ink ink) const {
  switch (ink) {
    case Ink::Bright:
      return tokens_.bright;
    case Ink::Text:
      return tokens_.text;
    case Ink::Secondary:
      return tokens_.secondary;
    case Ink::Faint:
      break;
  }
  return tokens_.faint;
}

ImFont* HudCanvas::font(TextStyle style) const {
  switch (style) {
    case TextStyle::Strong:
      return fonts_.strong;
    case TextStyle::Large:
      return fonts_.large;
    case TextStyle::Title:
      return fonts_.title;
    case TextStyle::Regular:
      break;
  }
  return fonts_.regular;
}

float HudCanvas::text(float x, float y, const std::string& words, Ink ink, TextStyle style) {
  return text(x, y, words, this->ink(ink), style);
}

float HudCanvas::text(float x, float y, const std::string& words, Hex color, TextStyle style, float alpha) {
  ImFont* f = font(style);
  const float size = fontSize(style) * scale_;
  const float figure = measure(f, size, "0", nullptr);
  float at = std::round(x * scale_);
  const float top = std::round(y * scale_);
  forRuns(words, [&](const char* begin, const char* end, bool digit) {
    const float w = measure(f, size, begin, end);
    const float advance = digit ? figure : w;
    list_.AddText(f, size, {at + (advance - w) / 2, top}, packed(color, alpha), begin, end);
    at += advance;
  });
  return at / scale_ - x;
}

float HudCanvas::textWidth(const std::string& words, TextStyle style) const {
  ImFont* f = font(style);
  const float size = fontSize(style) * scale_;
  const float figure = measure(f, size, "0", nullptr);
  float total = 0;
  forRuns(words, [&](const char* begin, const char* end, bool digit) {
    total += digit ? figure : measure(f, size, begin, end);
  });
  return total / scale_;
}

void HudCanvas::card(const Rect& rect, Hex border) {
  cards_.push_back(rect);
  taken_.push_back(rect);
  fill(rect, tokens_.hud, kRadius, kCardOpacity);
  if (border != 0)
    list_.AddRect(device(rect.x, rect.y), device(rect.x + rect.w, rect.y + rect.h), packed(border),
                  kRadius * scale_, 0, 1.2f * scale_);
}

void HudCanvas::plate(const Rect& rect) {
  fill(rect, tokens_.hud, 4, kCardOpacity);
}

void HudCanvas::shade(const std::array<Corner, 3>& corners) {
  const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
  const auto byte = [](float v) { return static_cast<ImU32>(std::lround(255 * v)); };
  list_.PrimReserve(3, 3);
  for (const Corner& c : corners)
    list_.PrimVtx(device(c.x, c.y), uv,
                  IM_COL32(byte(c.color.x()), byte(c.color.y()), byte(c.color.z()), byte(c.alpha)));
}

void HudCanvas::line(float x0, float y0, float x1, float y1, Hex color, float width, float alpha) {
  list_.AddLine(device(x0, y0), device(x1, y1), packed(color, alpha), width * scale_);
}

void HudCanvas::fill(const Rect& rect, Hex color, float radius, float alpha) {
  list_.AddRectFilled(device(rect.x, rect.y), device(rect.x + rect.w, rect.y + rect.h), packed(color, alpha),
                      radius * scale_);
}

void HudCanvas::disc(float x, float y, float radius, Hex color) {
  list_.AddCircleFilled(device(x, y), radius * scale_, packed(color), 24);
}

void HudCanvas::ring(float x, float y, float radius, Hex color, float width) {
  list_.AddCircle(device(x, y), radius * scale_, packed(color), 32, width * scale_);
}

void HudCanvas::triangle(ImVec2 a, ImVec2 b, ImVec2 c, Hex color) {
  list_.AddTriangleFilled(device(a.x, a.y), device(b.x, b.y), device(c.x, c.y), packed(color));
}

void HudCanvas::scalarBar(const Rect& rect, Eigen::Vector3f (*map)(double), double from) {
  for (int i = 0; i < kBarSteps; ++i) {
    const auto color = [&](int step) {
      const Eigen::Vector3f c = map(from + (1 - from) * step / static_cast<double>(kBarSteps));
      const auto byte = [](float v) { return static_cast<ImU32>(std::lround(255 * v)); };
      return IM_COL32(byte(c.x()), byte(c.y()), byte(c.z()), 255);
    };
    const float left = rect.x + rect.w * static_cast<float>(i) / kBarSteps;
    const float right = rect.x + rect.w * static_cast<float>(i + 1) / kBarSteps;
    list_.AddRectFilledMultiColor(device(left, rect.y), device(right, rect.y + rect.h), color(i),
                                  color(i + 1), color(i + 1), color(i));
  }
}

}  // namespace slipstick::render
