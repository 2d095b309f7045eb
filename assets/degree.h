// Files of people give angles in degrees.
#pragma once

#include <numbers>

namespace slipstick::assets {

inline constexpr double kDegree = std::numbers::pi / 180;  ///< [rad]

}  // namespace slipstick::assets
