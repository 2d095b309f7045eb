// Which colour a number has: a place on a map of the palette, the same in shaders and on this machine.
#pragma once

#include <Eigen/Core>
#include <array>

#include "render/palette.h"

namespace slipstick::render {

/// Linear RGB at evenly spaced places of a map.
using ColorTable = std::array<Eigen::Vector3f, 512>;

/// Rows of the texture that shaders read.
enum class ColorRow : int { Ember, Diverging, Viridis };
inline constexpr int kColorRows = 3;

const ColorTable& colorTable(ColorRow row);

struct ColorScale {
  float low = 0, perUnit = 0;  ///< a value's place on the map, from 0 to 1: (value − low) · perUnit
  bool diverging = false;      ///< divergingMap, whatever `map` says
  ColorMap map = ColorMap::Ember;

  ColorRow row() const {
    if (diverging) return ColorRow::Diverging;
    return map == ColorMap::Viridis ? ColorRow::Viridis : ColorRow::Ember;
  }
  /// Linear RGB; beyond the ends, and of NaN the lowest, as the shader of Spheres has it.
  const Eigen::Vector3f& color(float value) const;
};

}  // namespace slipstick::render
