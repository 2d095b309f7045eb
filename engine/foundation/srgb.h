// The sRGB curve (IEC 61966-2-1) between light and the numbers that displays and image files carry.
#pragma once

#include <cmath>

namespace slipstick {

/// Both from 0 to 1; T is float or double.
template <class T>
T linearFromSrgb(T srgb) {
  return srgb <= T(0.04045) ? srgb / T(12.92) : std::pow((srgb + T(0.055)) / T(1.055), T(2.4));
}

template <class T>
T srgbFromLinear(T linear) {
  return linear <= T(0.0031308) ? linear * T(12.92) : T(1.055) * std::pow(linear, 1 / T(2.4)) - T(0.055);
}

}  // namespace slipstick
