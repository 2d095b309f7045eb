#include "render/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/foundation/srgb.h"

namespace slipstick::render {
namespace {

/// Linear between evenly spaced colours, t clamped to [0, 1].
template <std::size_t N>
Eigen::Vector3f between(const std::array<Hex, N>& stops, double t) {
  const double s = std::clamp(t, 0.0, 1.0) * (N - 1);
  const auto i = std::min(static_cast<std::size_t>(s), N - 2);
  const auto part = static_cast<float>(s - static_cast<double>(i));
  return (1 - part) * srgb(stops[i]) + part * srgb(stops[i + 1]);
}

}  // namespace

const Tokens& tokensOn(Backdrop backdrop) {
  using namespace palette;
  static constexpr Tokens kDark = {kHud,  kBright, kText, kSecondary, kFaint, kNormal,   kStick,
                                   kSlip, kError,  kGood, kBookmark,  kAxis,  kBoundary, kCollision};
  static constexpr Tokens kLight = {0xFFFFFF, 0x101215, 0x1E2227, 0x49505B, 0x5F6773, 0x3A3833, 0x0A6F9B,
                                    0xAD4B0C, 0xC23030, 0x1F7145, 0x7F6208, 0x6A4FB0, 0x4F657D, 0x17795C};
  return backdrop == Backdrop::Dark ? kDark : kLight;
}

const std::array<Hex, 3>& axisColors(Backdrop backdrop) {
  static constexpr std::array<Hex, 3> kOnDark = {0xF2637E, 0x7FCB5A, 0x5B8DEF},
                                      kOnLight = {0xC2304F, 0x3B771D, 0x2F5FC4};
  return backdrop == Backdrop::Dark ? kOnDark : kOnLight;
}

Eigen::Vector3f srgb(Hex color) {
  const auto channel = [color](int shift) { return static_cast<float>((color >> shift) & 0xFF) / 255.f; };
  return {channel(16), channel(8), channel(0)};
}

Eigen::Vector3f linear(Hex color) {
  return toLinear(srgb(color));
}
Eigen::Vector3f toLinear(const Eigen::Vector3f& c) {
  return c.unaryExpr(&linearFromSrgb<float>);
}
Eigen::Vector3f toSrgb(const Eigen::Vector3f& c) {
  return c.unaryExpr(&srgbFromLinear<float>);
}

Eigen::Vector3f scalarMap(double t) {
  constexpr std::array<Hex, 5> stops = {0xD9CBA8, 0xE6BF86, 0xE2914F, 0xCF5433, 0x8F2338};
  return between(stops, t);
}

Eigen::Vector3f viridisMap(double t) {
  constexpr std::array<Hex, 10> stops = {0x440154, 0x482878, 0x3E4A89, 0x31688E, 0x26828E,
                                         0x1F9E89, 0x35B779, 0x6DCD59, 0xB4DE2C, 0xFDE725};
  return between(stops, t);
}

Eigen::Vector3f divergingMap(double t) {
  constexpr std::array<Hex, 5> stops = {0x1F4E8C, 0x6FA3CF, 0xE4DFD3, 0xE2914F, 0x9C2F2A};
  return between(stops, 0.5 + 0.5 * t);
}

double roundUp125(double x) {
  if (!(x > 0) || !std::isfinite(x)) return 0;
  const double decade = std::pow(10.0, std::floor(std::log10(x)));
  for (const double m : {1.0, 2.0, 5.0, 10.0})
    if (m * decade >= x * (1 - 1e-9)) return m * decade;
  return 10 * decade;
}

}  // namespace slipstick::render
