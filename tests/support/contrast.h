// How well a colour is told from its ground, as the Web Content Accessibility Guidelines 2.1 compute it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace slipstick::testing {

using Srgb = std::array<double, 3>;  ///< 0 … 1

inline Srgb srgbOf(unsigned hex) {
  return {((hex >> 16) & 0xFF) / 255.0, ((hex >> 8) & 0xFF) / 255.0, (hex & 0xFF) / 255.0};
}

/// Blended as displays do, over what lies below.
inline Srgb over(const Srgb& top, double opacity, const Srgb& below) {
  Srgb mixed{};
  for (std::size_t i = 0; i < 3; ++i) mixed[i] = opacity * top[i] + (1 - opacity) * below[i];
  return mixed;
}

inline double relativeLuminance(const Srgb& color) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]);
}

/// 1 … 21
inline double contrast(const Srgb& a, const Srgb& b) {
  const double x = relativeLuminance(a), y = relativeLuminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

/// Of words; of arrows, marks and lines that mean something.
inline constexpr double kReadable = 4.5, kTold = 3;

}  // namespace slipstick::testing
