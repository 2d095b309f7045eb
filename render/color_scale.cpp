#include "render/color_scale.h"

#include <algorithm>

namespace slipstick::render {
namespace {

ColorTable tableOf(Eigen::Vector3f (*map)(double), double from) {
  ColorTable table;
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] =
        toLinear(map(from + (1 - from) * static_cast<double>(i) / static_cast<double>(table.size() - 1)));
  return table;
}

}  // namespace

const ColorTable& colorTable(ColorRow row) {
  static const std::array<ColorTable, kColorRows> tables = {tableOf(scalarMap, 0), tableOf(divergingMap, -1),
                                                            tableOf(viridisMap, 0)};
  return tables[static_cast<std::size_t>(row)];
}

const Eigen::Vector3f& ColorScale::color(float value) const {
  const ColorTable& table = colorTable(row());
  const float t = (value - low) * perUnit;
  // Written so that NaN takes the lowest colour.
  const float place = t > 0 ? std::min(t, 1.f) * static_cast<float>(table.size() - 1) + 0.5f : 0;
  return table[static_cast<std::size_t>(place)];
}

}  // namespace slipstick::render
