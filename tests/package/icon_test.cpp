#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include "tests/package/installed_files.h"

namespace slipstick {
namespace {

/// Two programs draw the edges of shapes differently, by a few levels of 255 on the mean of a picture.
constexpr double kMaxDifference = 6;

TEST(Icon, ItsPicturesShowWhatItsDrawingShows) {
  const std::filesystem::path icons = testing::prefix() / "share/icons/hicolor";
  QSvgRenderer drawing(QString::fromStdString((icons / "scalable/apps/slipstick.svg").string()));
  ASSERT_TRUE(drawing.isValid());
  for (const int size : {16, 32, 48, 64, 128, 256}) {
    const std::string folder = std::to_string(size) + "x" + std::to_string(size);
    const QImage picture(QString::fromStdString((icons / folder / "apps/slipstick.png").string()));
    ASSERT_EQ(picture.size(), QSize(size, size));
    QImage drawn(size, size, QImage::Format_ARGB32);
    drawn.fill(Qt::transparent);
    QPainter painter(&drawn);
    drawing.render(&painter);
    painter.end();
    double difference = 0;
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) {
        const QColor a = picture.pixelColor(x, y), b = drawn.pixelColor(x, y);
        difference += std::abs(a.alpha() - b.alpha()) +
                      a.alpha() / 255. *
                          (std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) +
                           std::abs(a.blue() - b.blue())) /
                          3.;
      }
    EXPECT_LT(difference / (size * size), kMaxDifference) << size;
  }
}

}  // namespace
}  // namespace slipstick
