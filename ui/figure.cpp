#include "ui/figure.h"

#include <QBuffer>
#include <QFileInfo>
#include <QFontDatabase>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <cmath>

#include "ui/figure_painter.h"
#include "ui/text.h"
#include "ui/whole_file.h"

namespace slipstick::ui {
namespace {

constexpr double kMillimetresPerInch = 25.4;
constexpr int kPdfDotsPerInch = 1200;
/// Sizes of SVGs are whole numbers of these.
constexpr int kSvgDotsPerInch = 1440;

void writePdf(FigurePainter& figure, const QString& title, QBuffer& out) {
  QPdfWriter device(&out);
  device.setResolution(kPdfDotsPerInch);
  device.setTitle(title);
  device.setCreator("Slipstick");
  const QSizeF whole(std::ceil(figure.width() - 0.01), std::ceil(figure.height()));  // as pages are measured
  device.setPageSize(QPageSize(whole, QPageSize::Point, "figure", QPageSize::ExactMatch));
  device.setPageMargins(QMarginsF());
  QPainter painter(&device);
  figure.paint(painter);
}

void writeSvg(FigurePainter& figure, const QString& title, QBuffer& out) {
  const double perPoint = kSvgDotsPerInch / 72.0;
  const QSize size(static_cast<int>(std::lround(figure.width() * perPoint)),
                   static_cast<int>(std::lround(figure.height() * perPoint)));
  QSvgGenerator device;
  device.setOutputDevice(&out);
  device.setResolution(kSvgDotsPerInch);
  device.setTitle(title);
  device.setSize(size);
  device.setViewBox(QRect(QPoint(), size));
  QPainter painter(&device);
  figure.paint(painter);
}

/// Null where that is too large.
QImage imageOf(FigurePainter& figure, double dpi) {
  const auto pixels = [&](double points) { return static_cast<int>(std::lround(points / 72 * dpi)); };
  QImage image(pixels(figure.width()), pixels(figure.height()), QImage::Format_RGB32);
  if (image.isNull()) return image;
  image.setDotsPerMeterX(static_cast<int>(std::lround(dpi / kMillimetresPerInch * 1000)));
  image.setDotsPerMeterY(image.dotsPerMeterX());
  image.fill(Qt::white);
  QPainter painter(&image);
  figure.paint(painter);
  return image;
}

}  // namespace

QImage figureImage(const Figure& figure, double dpi) {
  FigurePainter painter(figure);
  return imageOf(painter, dpi);
}

Result<FigureFormat> figureFormatOf(const std::string& file) {
  const QString suffix = QFileInfo(toQString(file)).suffix().toLower();
  if (suffix == "pdf") return FigureFormat::Pdf;
  if (suffix == "svg") return FigureFormat::Svg;
  if (suffix == "png") return FigureFormat::Png;
  return Error{ErrorCode::Unsupported, "a figure cannot be written in this format", file,
               "choose a name that ends in .pdf, .svg or .png"};
}

/// LaTeX's own fonts first, in the cut for eight points; what papers are often set in; what every system has.
QString familyOf(FigureFont font) {
  static const QStringList kSerif = {"LM Roman 8",   "Latin Modern Roman", "CMU Serif",   "TeX Gyre Termes",
                                     "Nimbus Roman", "Liberation Serif",   "DejaVu Serif"};
  static const QStringList kSans = {"LM Sans 8",   "Latin Modern Sans", "CMU Sans Serif", "TeX Gyre Heros",
                                    "Nimbus Sans", "Liberation Sans",   "Inter",          "DejaVu Sans"};
  const QStringList installed = QFontDatabase::families();
  for (const QString& family : font == FigureFont::Serif ? kSerif : kSans)
    if (installed.contains(family)) return family;
  return QFontDatabase::systemFont(QFontDatabase::GeneralFont).family();
}

Result<FigureReport> writeFigure(const Figure& figure, const std::string& file) {
  const Result<FigureFormat> format = figureFormatOf(file);
  if (!format) return format.error();
  FigurePainter painter(figure);
  QBuffer bytes;
  bytes.open(QIODevice::WriteOnly);
  if (*format == FigureFormat::Pdf) writePdf(painter, figure.title, bytes);
  if (*format == FigureFormat::Svg) writeSvg(painter, figure.title, bytes);
  if (*format == FigureFormat::Png && !imageOf(painter, figure.dpi).save(&bytes, "PNG"))
    return Error{ErrorCode::InvalidValue, "the picture is too large to be drawn", file,
                 "lower --dpi or --width"};
  if (const Result<void> written = writeWhole(bytes.data(), toQString(file)); !written)
    return written.error();
  return FigureReport{painter.width() / 72 * kMillimetresPerInch, painter.height() / 72 * kMillimetresPerInch,
                      painter.family()};
}

}  // namespace slipstick::ui
