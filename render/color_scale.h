// Which colour a number has: a place on a map of the palette, the same in shaders and on this machine.
#pragma once

#include <Eigen/Core>
#include <array>

namespace slipstick::render {

/// Linear RGB at evenly spaced places of a map.
using ColorTable = std::array<Eigen::Vector3f, 512>;

/// Of divergingMap, else of scalarMap.
const ColorTable& colorTable(bool diverging);

struct ColorScale {
  float low = 0, perUnit = 0;  ///< a value's place on the map, from 0 to 1: (value − low) · perUnit
  bool diverging = false;

  /// Linear RGB; beyond the ends, and of NaN the lowest, as the shader of Spheres has it.
  const Eigen::Vector3f& color(float value) const;
};

}  // namespace slipstick::render
