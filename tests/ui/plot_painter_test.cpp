// Layers that lie on each other where some values are infinite: the others are drawn as they are.
#include "ui/plot_painter.h"

#include <gtest/gtest.h>

#include <QImage>
#include <cmath>
#include <limits>

namespace slipstick::ui {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kSteps = 400;

PlotLine lineOf(const char* name, PlotRole role, const std::vector<double>& values) {
  auto series = std::make_shared<PlotSeries>();
  series->append(values);
  PlotLine line;
  line.name = name;
  line.unit = "ms";
  line.role = role;
  line.values = series;
  line.hue = role == PlotRole::Bound ? -1 : 0;
  return line;
}

struct LayersWithInfiniteValues : ::testing::Test {
  PlotData data;
  PlotWindow window;
  const Theme& light = themeOf(Appearance::Light);
  LayersWithInfiniteValues() {
    data.dt = 1;
    data.stacked = true;
    window.to = kSteps - 1;
  }
  PlotPainter painter() const {
    return {data, window, QRectF(0, 0, 400, PlotPainter::kHeight), false, light};
  }
};

/// A mean is taken of three steps; in three of four stretches it is that of both infinities.
TEST_F(LayersWithInfiniteValues, AreAsHighAsTheOthers) {
  std::vector<double> values(kSteps, 1.0);
  for (int step = 3; step + 1 < kSteps; step += 3)
    if (step % 12 != 0)
      values[static_cast<std::size_t>(step)] = kInfinite,
      values[static_cast<std::size_t>(step + 1)] = -kInfinite;
  data.lines = {lineOf("sum", PlotRole::Bound, values)};
  const auto readings = painter().readings();
  ASSERT_EQ(readings.size(), 1u);
  EXPECT_EQ(readings[0].text.toStdString(), "sum 1.000 ms") << "with the digits of an axis up to 3 ms";
}

TEST_F(LayersWithInfiniteValues, FillTheirPlaceAtOtherSteps) {
  std::vector<double> values(kSteps, 1.0);
  values[200] = kInfinite, values[201] = -kInfinite;
  data.lines = {lineOf("a", PlotRole::Value, values),
                lineOf("sum", PlotRole::Bound, std::vector<double>(kSteps, 1.0))};
  QImage image(400, PlotPainter::kHeight, QImage::Format_RGB32);
  image.fill(light.panel);
  QPainter onImage(&image);
  const PlotPainter plot = painter();
  plot.paint(onImage);
  onImage.end();
  for (const int step : {50, 190, 350})
    EXPECT_EQ(
        image.pixelColor(static_cast<int>(plot.xOf(step)), static_cast<int>(plot.area().bottom()) - 4).rgb(),
        hueOf(0, light).rgb())
        << step;
}

}  // namespace
}  // namespace slipstick::ui
