// A few colours in place of millions: what a GIF has.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "render/offscreen.h"

namespace slipstick::render {

/// A colour in sRGB, 8 bits each.
struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Rgb&) const = default;
};

/// Counts the colours of pictures, in steps of two, and finds those that stand for all of them.
class ColorCount {
 public:
  ColorCount();
  void add(const Image& image);
  /// By median cut (Heckbert 1982) that splits where the squared error is largest. A colour counts with the root of its
  /// pixels: a thin arrow is seen, however large the floor is.
  /// @param most  colours, at least one
  std::vector<Rgb> colors(int most) const;

 private:
  std::vector<std::uint32_t> count_;
};

/// Draws pictures with these colours.
class GifColors {
 public:
  /// @param colors  from 1 to 256
  /// @param dither  mixes two colours by a fixed pattern of 8 × 8 pixels, so that what stands still does not flicker
  GifColors(std::vector<Rgb> colors, bool dither);
  const std::vector<Rgb>& colors() const { return colors_; }
  /// Index of the colour for a pixel at (x, y).
  std::uint8_t indexAt(Rgb color, int x, int y);

 private:
  struct Mix {
    std::uint8_t near = 0, far = 0;
    std::uint8_t part = kUnknown;  ///< of `far`, in 64ths
  };
  static constexpr std::uint8_t kUnknown = 255;
  Mix mixFor(Rgb color) const;

  std::vector<Rgb> colors_;
  bool dither_;
  std::vector<Mix> mixes_;  ///< found when first needed
};

}  // namespace slipstick::render
