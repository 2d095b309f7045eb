// How much of the light a picture has: software drivers pay for every sample and every tap.
#pragma once

#include <span>
#include <string_view>

namespace slipstick::render {

struct Quality {
  bool softShadows = true;  ///< edges of shadows widen; otherwise they are one texel soft
  bool occlusion = true;    ///< surroundings darken what they are near
  bool shadows = true;
  int samples = 4;  ///< per pixel: smooth edges
  int divisor = 1;  ///< of width and height: what is drawn has fewer pixels than what is shown

  bool operator==(const Quality&) const = default;
};

struct QualityLevel {
  Quality quality;
  std::string_view without;  ///< what it leaves out of the full picture, for the status line; empty: nothing
};

/// From the full picture to the fastest: each leaves out what the one before does, and something more.
std::span<const QualityLevel> qualityLevels();

}  // namespace slipstick::render
