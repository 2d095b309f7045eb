// All colours, in one place for the viewport, the overlay and exported figures.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

namespace slipstick::render {

/// An sRGB colour as people write it, 0xRRGGBB.
using Hex = std::uint32_t;

namespace palette {
inline constexpr Hex kWindow = 0x16181C;
inline constexpr Hex kHud = 0x131519;
inline constexpr Hex kLine = 0x2A2E35;
inline constexpr Hex kText = 0xD9DCE1;
inline constexpr Hex kSecondary = 0x9AA1AC;
inline constexpr Hex kFaint = 0x868D99;
inline constexpr Hex kBright = 0xFFFFFF;
inline constexpr Hex kNormal = 0xF4F1EA;
inline constexpr Hex kStick = 0x35B6E8;
inline constexpr Hex kSlip = 0xFF8A3D;
inline constexpr Hex kError = 0xFF5C5C;
inline constexpr Hex kGood = 0x6FCF97;
inline constexpr Hex kBookmark = 0xFFD166;
inline constexpr Hex kAxis = 0xA08CF0;
inline constexpr Hex kBoundary = 0x9DB2C9;
inline constexpr Hex kCollision = 0x4FC3A1;
}  // namespace palette

/// What a picture is drawn on.
enum class Backdrop : std::uint8_t { Dark, Light, White };

/// The colours that have to be told from what they are drawn on: of the dark studio those above, on light ground
/// their mirror images in lightness, of the same hues.
struct Tokens {
  Hex hud;                             ///< of cards and plates, under words
  Hex bright, text, secondary, faint;  ///< words
  Hex normal, stick, slip;             ///< contact force
  Hex error, good, bookmark;           ///< health, marks
  Hex axis, boundary, collision;       ///< what is drawn on bodies and regions
  Hex friction(bool slips) const { return slips ? slip : stick; }
};
const Tokens& tokensOn(Backdrop backdrop);

/// Of x, y, z in the order of red, green and blue, as everywhere; as light as the other colours, or as dark.
const std::array<Hex, 3>& axisColors(Backdrop backdrop);

/// Of cards and plates: words on them can be read over anything.
inline constexpr float kCardOpacity = 0.92f;

/// sRGB components in 0…1.
Eigen::Vector3f srgb(Hex color);
/// Linear components in 0…1: what lighting computes with.
Eigen::Vector3f linear(Hex color);
Eigen::Vector3f toLinear(const Eigen::Vector3f& srgb);
Eigen::Vector3f toSrgb(const Eigen::Vector3f& linear);

/// (xyz, w): a colour with its opacity, a point with what the shader wants beside it.
inline Eigen::Vector4f append(const Eigen::Vector3f& xyz, float w) {
  return {xyz.x(), xyz.y(), xyz.z(), w};
}

/// Which map shows numbers that have a least value: Ember is light where there is little, Viridis is dark
/// there and of even steps for every eye.
enum class ColorMap : std::uint8_t { Ember, Viridis };

/// The map of scalars on particles and surfaces, t clamped to [0, 1], in sRGB.
Eigen::Vector3f scalarMap(double t);
Eigen::Vector3f viridisMap(double t);

using MapFunction = Eigen::Vector3f (*)(double t);
inline MapFunction mapFunction(ColorMap map) {
  return map == ColorMap::Viridis ? viridisMap : scalarMap;
}

/// For quantities of either sign, t clamped to [−1, 1]: blue below zero, orange above, in sRGB.
Eigen::Vector3f divergingMap(double t);

/// The smallest of {1, 2, 5}·10ⁿ that is not below x; 0 for x ≤ 0.
double roundUp125(double x);

}  // namespace slipstick::render
