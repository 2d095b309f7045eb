#include "render/image_filter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/foundation/require.h"

namespace slipstick::render {
namespace {

/// Linear light of each sRGB byte, 0 … kWhite.
constexpr std::uint32_t kWhite = 65535;

std::array<std::uint32_t, 256> makeLinear() {
  std::array<std::uint32_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double s = static_cast<double>(i) / 255;
    const double light = s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
    table[i] = static_cast<std::uint32_t>(std::lround(kWhite * light));
  }
  return table;
}

std::vector<std::uint8_t> makeBytes() {
  std::vector<std::uint8_t> table(kWhite + 1);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double light = static_cast<double>(i) / kWhite;
    const double s = light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
    table[i] = static_cast<std::uint8_t>(std::lround(255 * s));
  }
  return table;
}

}  // namespace

void unmultiply(Image& image) {
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    const unsigned opacity = image.rgba[i + 3];
    if (opacity == 255) continue;
    for (std::size_t c = i; c < i + 3; ++c)
      image.rgba[c] =
          opacity == 0
              ? std::uint8_t{0}
              : static_cast<std::uint8_t>(std::min(255u, (image.rgba[c] * 255u + opacity / 2) / opacity));
  }
}

Image averaged(const Image& image, int factor) {
  SIM_REQUIRE(factor >= 1 && image.width % factor == 0 && image.height % factor == 0, image.width,
              image.height, factor);
  if (factor == 1) return image;
  static const std::array<std::uint32_t, 256> linear = makeLinear();
  static const std::vector<std::uint8_t> bytes = makeBytes();
  const int width = image.width / factor, height = image.height / factor;
  Image small{width, height, {}};
  small.rgba.reserve(std::size_t{4} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const auto area = static_cast<std::uint64_t>(factor) * static_cast<std::uint64_t>(factor);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      std::array<std::uint64_t, 4> sum{};
      for (int row = y * factor; row < (y + 1) * factor; ++row) {
        const std::uint8_t* p =
            &image.rgba[4 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                             static_cast<std::size_t>(x * factor))];
        for (int i = 0; i < factor; ++i, p += 4) {
          const std::uint64_t opacity = p[3];
          for (std::size_t c = 0; c < 3; ++c) sum[c] += opacity * linear[p[c]];
          sum[3] += opacity;
        }
      }
      for (std::size_t c = 0; c < 3; ++c)
        small.rgba.push_back(sum[3] == 0 ? std::uint8_t{0} : bytes[(sum[c] + sum[3] / 2) / sum[3]]);
      small.rgba.push_back(static_cast<std::uint8_t>((sum[3] + area / 2) / area));
    }
  return small;
}

}  // namespace slipstick::render
