#include "ui/plot_figure.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include "ui/whole_file.h"

namespace slipstick::ui {
namespace {

/// Of one plot in the figure [px at 96 dpi]: a text column of a paper is about that wide.
constexpr int kWidth = 560, kHeight = 150;
constexpr int kDotsPerInch = 96;

void paintAll(QPaintDevice& device, const std::vector<PlotData>& plots, const PlotWindow& window) {
  QPainter painter(&device);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(device.logicalDpiX() / double(kDotsPerInch), device.logicalDpiY() / double(kDotsPerInch));
  qreal y = 0;
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const bool last = i + 1 == plots.size();
    const QRectF rect(0, y, kWidth, kHeight + (last ? PlotPainter::kTimesHeight : 0));
    PlotPainter(plots[i], window, rect, last, themeOf(Appearance::Light)).paint(painter);
    y += rect.height();
  }
}

}  // namespace

Result<void> writePlots(const std::vector<PlotData>& plots, PlotWindow window, const QString& file) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  const QSize size(kWidth, static_cast<int>(plots.size()) * kHeight + PlotPainter::kTimesHeight);
  QBuffer bytes;
  bytes.open(QIODevice::WriteOnly);
  if (suffix == "svg") {
    QSvgGenerator device;
    device.setOutputDevice(&bytes);
    device.setResolution(kDotsPerInch);
    device.setSize(size);
    device.setViewBox(QRect(QPoint(), size));
    paintAll(device, plots, window);
  } else if (suffix == "pdf") {
    QPdfWriter device(&bytes);
    device.setPageSize(QPageSize(QSizeF(size) * 72.0 / kDotsPerInch, QPageSize::Point));
    device.setPageMargins(QMarginsF());
    paintAll(device, plots, window);
  } else {
    return Error{ErrorCode::InvalidValue, "a figure cannot be written in this format", file.toStdString(),
                 "choose a name that ends in .svg or .pdf"};
  }
  return writeWhole(bytes.data(), file);
}

}  // namespace slipstick::ui
