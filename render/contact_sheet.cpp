#include "render/contact_sheet.h"

#include <algorithm>

#include "engine/foundation/require.h"

namespace slipstick::render {

Image contactSheet(const std::vector<Image>& pictures, int columns, int gap, Hex background) {
  SIM_REQUIRE(!pictures.empty() && columns > 0, pictures.size(), columns);
  const int w = pictures.front().width, h = pictures.front().height, n = static_cast<int>(pictures.size());
  const int across = std::min(columns, n), down = (n + across - 1) / across;
  Image sheet{across * w + (across - 1) * gap, down * h + (down - 1) * gap, {}};
  const auto byte = [background](int shift) { return static_cast<std::uint8_t>(background >> shift & 0xFF); };
  const auto pixels = static_cast<std::size_t>(sheet.width) * static_cast<std::size_t>(sheet.height);
  sheet.rgba.reserve(4 * pixels);
  for (std::size_t i = 0; i < pixels; ++i)
    sheet.rgba.insert(sheet.rgba.end(), {byte(16), byte(8), byte(0), 255});
  for (int i = 0; i < n; ++i) {
    const Image& picture = pictures[static_cast<std::size_t>(i)];
    SIM_REQUIRE(picture.width == w && picture.height == h, picture.width, picture.height);
    const int left = i % across * (w + gap), top = i / across * (h + gap);
    for (int y = 0; y < h; ++y)
      std::copy_n(picture.rgba.begin() + std::ptrdiff_t{4} * y * w, 4 * w,
                  sheet.rgba.begin() + 4 * (std::ptrdiff_t{top + y} * sheet.width + left));
  }
  return sheet;
}

}  // namespace slipstick::render
