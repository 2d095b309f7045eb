#include "ui/figure_painter.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QImage>
#include <algorithm>
#include <bit>
#include <cmath>

#include "ui/plot_strokes.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr double kPointsPerMillimetre = 72 / 25.4;
constexpr double kText = 8, kSmall = 7;            // sizes of text
constexpr double kGap = 2 * kPointsPerMillimetre;  // between pictures
constexpr double kBelow = 11;                      // of a line under a picture
constexpr double kAbovePlots = 6, kBetweenPlots = 5;
constexpr double kLegendRow = 10.5, kMarkRow = 8;
constexpr double kNumberRow = 10;  // of an axis
constexpr double kTick = 2.5, kTimes = 11, kTimeLabel = 10;
constexpr double kUnitColumn = 11;  // of the turned words beside an axis
constexpr double kRight = 4;        // at least, see roomAfterTimes()
constexpr double kSample = 15, kSampleGap = 3, kEntryGap = 9;
constexpr double kAxisLine = 0.5, kGridLine = 0.3, kRule = 0.35, kCurve = 1;
/// Points between two values of a curve that are told apart: 0.1 mm.
constexpr double kFinest = 0.28;
/// Size at which text is measured, so large that nothing is rounded [px].
constexpr int kMeasured = 800;

const Theme& paper() {
  return themeOf(Appearance::Light);
}

/// What one tells curves apart by where there is no colour: lengths of strokes and gaps in line widths.
const std::vector<QVector<qreal>>& dashes() {
  static const std::vector<QVector<qreal>> kDashes = {
      {}, {5, 2}, {1.2, 1.6}, {6, 1.8, 1.2, 1.8}, {9, 2.5}, {3, 1.5, 1, 1.5, 1, 1.5}};
  return kDashes;
}

QFont sized(const QString& family, double points) {
  QFont font(family);
  font.setPointSizeF(points);
  font.setHintingPreference(QFont::PreferNoHinting);
  return font;
}

QImage imageOf(const render::Image& image) {
  return QImage(image.rgba.data(), image.width, image.height, QImage::Format_RGBA8888)
      .convertToFormat(QImage::Format_RGB888);
}

}  // namespace

double pictureWidth_mm(double figureWidth_mm, int columns) {
  return (figureWidth_mm - (columns - 1) * kGap / kPointsPerMillimetre) / columns;
}

FigurePainter::FigurePainter(const Figure& figure)
    : figure_(figure), family_(familyOf(figure.font)), width_(figure.width_mm * kPointsPerMillimetre) {
  placePictures();
  placePlots();
}

double FigurePainter::advance(const QString& text, double size) const {
  QFont font(family_);
  font.setPixelSize(kMeasured);
  font.setHintingPreference(QFont::PreferNoHinting);
  return QFontMetricsF(font).horizontalAdvance(text) * size / kMeasured;
}

// -------------------------------------------------------------------------------------------------- places

void FigurePainter::placePictures() {
  const render::Image& first = figure_.pictures.front().image;
  pictureWidth_ = pictureWidth_mm(figure_.width_mm, figure_.columns) * kPointsPerMillimetre;
  pictureHeight_ = pictureWidth_ * first.height / first.width;
  const bool anyBelow =
      figure_.letters || std::any_of(figure_.pictures.begin(), figure_.pictures.end(),
                                     [](const FigurePicture& p) { return !p.below.isEmpty(); });
  rowHeight_ = pictureHeight_ + (anyBelow ? kBelow : 0);
  const auto rows = (static_cast<int>(figure_.pictures.size()) + figure_.columns - 1) / figure_.columns;
  height_ = rows * rowHeight_ + (rows - 1) * kGap;
}

QRectF FigurePainter::picture(std::size_t index) const {
  const int column = static_cast<int>(index) % figure_.columns,
            row = static_cast<int>(index) / figure_.columns;
  return {column * (pictureWidth_ + kGap), row * (rowHeight_ + kGap), pictureWidth_, pictureHeight_};
}

void FigurePainter::placePlots() {
  if (figure_.plots.empty()) return;
  const double plotHeight = figure_.plotHeight_mm * kPointsPerMillimetre;
  for (const FigurePlot& plot : figure_.plots) {
    PlotSeries::Extremes all;
    for (const FigureCurve& curve : plot.curves)
      all.include(curve.values->extremes(curve.values->firstStep(), curve.values->endStep()));
    Placed placed;
    placed.range = axisRange(all, plot.unit);
    placed.step =
        tickStep(placed.range.highest - placed.range.lowest, std::max(plotHeight / kNumberRow, 2.0));
    plots_.push_back(placed);
  }
  left_ = kUnitColumn + roomForNumbers() + kTick + 2;
  right_ = roomAfterTimes(width_ - kRight - left_);
  double y = height_ + kAbovePlots;
  for (std::size_t i = 0; i < plots_.size(); ++i) {
    Placed& placed = plots_[i];
    placed.top = y;
    placeLegend(figure_.plots[i], placed);
    y += placed.rows * kLegendRow;
    if (i == 0 && hasMarks()) y += kMarkRow;
    placed.area = QRectF(left_, y + 1, width_ - right_ - left_, plotHeight);
    y = placed.area.bottom() + kBetweenPlots;
  }
  height_ = plots_.back().area.bottom() + kTick + kTimes + kTimeLabel;
}

double FigurePainter::roomForNumbers() const {
  double widest = 0;
  for (const Placed& placed : plots_)
    for (double v = std::ceil(placed.range.lowest / placed.step) * placed.step; v <= placed.range.highest;
         v += placed.step)
      widest = std::max(widest, advance(tickText(v, placed.step), kSmall));
  return widest;
}

/// The last number of the time axis reaches over its end by half of itself. @param width  of the axis, more or less
double FigurePainter::roomAfterTimes(double width) const {
  const int decimals = decimalsOf(tickBetweenTimes(width));
  return std::max(kRight, 0.5 * advance(number(figure_.range.to, decimals), kSmall) + 1);
}

double FigurePainter::tickBetweenTimes(double width) const {
  return tickStep(figure_.range.to - figure_.range.from, std::max(width / 40, 2.0));
}

/// From left to right, in a new row where there is no room left.
void FigurePainter::placeLegend(const FigurePlot& plot, Placed& placed) const {
  double x = left_ + (plot.prefix.isEmpty() ? 0 : advance(plot.prefix + ":", kSmall) + 6);
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const double width = kSample + kSampleGap + advance(plot.curves[i].name, kSmall);
    if (i > 0 && x + width > width_ - right_) {
      x = left_;
      ++placed.rows;
    }
    placed.entries.push_back({x, placed.rows - 1, i});
    x += width + kEntryGap;
  }
}

double FigurePainter::xOf(double time) const {
  const QRectF& area = plots_.front().area;
  const double length = std::max(figure_.range.to - figure_.range.from, 1e-9);
  return area.left() + area.width() * (time - figure_.range.from) / length;
}

/// (a) to (z), then (27) and so on.
QString FigurePainter::letter(std::size_t index) const {
  return index < 26 ? QString(QChar('a' + static_cast<char>(index))) : QString::number(index + 1);
}

// ------------------------------------------------------------------------------------------------ painting

void FigurePainter::paint(QPainter& painter) {
  scale_ = painter.device()->logicalDpiX() / 72.0;
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing |
                         QPainter::SmoothPixmapTransform | QPainter::LosslessImageRendering);
  paintPictures(painter);
  for (std::size_t i = 0; i < plots_.size(); ++i) paintPlot(painter, i);
}

QPen FigurePainter::pen(const QColor& color, double width) const {
  return {color, device(width), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin};
}

void FigurePainter::line(QPainter& painter, const QPointF& a, const QPointF& b) const {
  painter.drawLine(device(a), device(b));
}

void FigurePainter::write(QPainter& painter, const QPointF& at, Qt::Alignment alignment, const QString& text,
                          double size) const {
  painter.setFont(sized(family_, size));
  const double width = advance(text, size);
  const double back = alignment == Qt::AlignHCenter ? width / 2 : alignment == Qt::AlignRight ? width : 0;
  painter.drawText(device(at - QPointF(back, 0)), text);
}

void FigurePainter::paintPictures(QPainter& painter) const {
  for (std::size_t i = 0; i < figure_.pictures.size(); ++i) {
    const QRectF place = picture(i);
    painter.drawImage(QRectF(device(place.topLeft()), place.size() * scale_),
                      imageOf(figure_.pictures[i].image));
    QString text = figure_.pictures[i].below;
    if (figure_.letters) text = "(" + letter(i) + ")" + (text.isEmpty() ? "" : "  " + text);
    if (text.isEmpty()) continue;
    painter.setPen(paper().text);
    write(painter, {place.center().x(), place.bottom() + kBelow - 2}, Qt::AlignHCenter, text, kText);
  }
}

void FigurePainter::paintPlot(QPainter& painter, std::size_t index) const {
  const Placed& placed = plots_[index];
  paintValueAxis(painter, index);
  paintTimeAxis(painter, placed, index + 1 == plots_.size());
  paintRules(painter, placed, index == 0);
  painter.save();
  painter.setClipRect(QRectF(device(placed.area.topLeft()), placed.area.size() * scale_));
  for (std::size_t i = 0; i < figure_.plots[index].curves.size(); ++i) paintCurve(painter, index, i);
  painter.restore();
  paintLegend(painter, index);
}

void FigurePainter::paintValueAxis(QPainter& painter, std::size_t index) const {
  const FigurePlot& plot = figure_.plots[index];
  const Placed& placed = plots_[index];
  const QRectF& area = placed.area;
  const double perUnit = area.height() / (placed.range.highest - placed.range.lowest);
  for (double v = std::ceil(placed.range.lowest / placed.step) * placed.step; v <= placed.range.highest;
       v += placed.step) {
    const double y = area.bottom() - (v - placed.range.lowest) * perUnit;
    painter.setPen(pen(paper().line, kGridLine));
    line(painter, {area.left(), y}, {area.right(), y});
    painter.setPen(pen(paper().text, kAxisLine));
    line(painter, {area.left() - kTick, y}, {area.left(), y});
    write(painter, {area.left() - kTick - 2, y + 0.32 * kSmall}, Qt::AlignRight, tickText(v, placed.step),
          kSmall);
  }
  line(painter, area.topLeft(), area.bottomLeft());
  const QString label = plot.unit.isEmpty() ? plot.label : plot.label + " [" + plot.unit + "]";
  painter.save();
  painter.translate(device(QPointF(kText - 1, area.center().y())));
  painter.rotate(-90);
  write(painter, {0, 0}, Qt::AlignHCenter, label, kText);
  painter.restore();
}

/// All have ticks, the last one numbers.
void FigurePainter::paintTimeAxis(QPainter& painter, const Placed& placed, bool isLast) const {
  const QRectF& area = placed.area;
  const double from = figure_.range.from, to = figure_.range.to;
  const double every = tickBetweenTimes(area.width());
  painter.setPen(pen(paper().text, kAxisLine));
  line(painter, area.bottomLeft(), area.bottomRight());
  for (double time = std::ceil(from / every - 1e-9) * every; time <= to + 1e-9; time += every) {
    const double x = xOf(time);
    line(painter, {x, area.bottom()}, {x, area.bottom() + kTick});
    if (isLast)
      write(painter, {x, area.bottom() + kTick + kSmall + 0.5}, Qt::AlignHCenter,
            number(time, decimalsOf(every)), kSmall);
  }
  if (isLast)
    write(painter, {area.center().x(), area.bottom() + kTick + kTimes + kTimeLabel - 2.5}, Qt::AlignHCenter,
          QObject::tr("time [s]"), kText);
}

void FigurePainter::paintRules(QPainter& painter, const Placed& placed, bool isFirst) const {
  const QRectF& area = placed.area;
  for (std::size_t i = 0; i < figure_.rules.size(); ++i) {
    const double x = xOf(figure_.rules[i]);
    painter.setPen(pen(paper().faint, kRule));
    line(painter, {x, area.top() - (isFirst && hasMarks() ? 1 : 0)}, {x, area.bottom()});
    if (isFirst && hasMarks()) write(painter, {x, area.top() - 2.5}, Qt::AlignHCenter, letter(i), kSmall);
  }
}

/// Forces have their colours everywhere. The others are told apart by hues that mean nothing else; all by their dashes.
QPen FigurePainter::penOf(const FigurePlot& plot, std::size_t index) const {
  const auto hues = paper().curves.size() + 1;
  const auto role = plot.curves[index].role;
  const auto place = static_cast<std::size_t>(
      std::count_if(plot.curves.begin(), plot.curves.begin() + static_cast<std::ptrdiff_t>(index),
                    [](const FigureCurve& c) { return c.role == PlotRole::Value; }));
  const QColor color = role == PlotRole::Normal     ? paper().normal
                       : role == PlotRole::Friction ? paper().stick
                       : role == PlotRole::Bound    ? paper().secondary
                       : place % hues == 0          ? paper().text
                                                    : paper().curves[place % hues - 1];
  QPen stroke = pen(color, kCurve);
  // One more round of hues starts elsewhere among the dashes: no two curves have both in common.
  const QVector<qreal>& pattern = dashes()[(index + index / hues) % dashes().size()];
  if (!pattern.isEmpty()) stroke.setDashPattern(pattern);
  return stroke;
}

void FigurePainter::paintCurve(QPainter& painter, std::size_t plot, std::size_t curve) const {
  const Placed& placed = plots_[plot];
  const PlotSeries& series = *figure_.plots[plot].curves[curve].values;
  const double perUnit = placed.area.height() / (placed.range.highest - placed.range.lowest);
  const double perStep =
      placed.area.width() * figure_.dt / std::max(figure_.range.to - figure_.range.from, 1e-9);
  SeriesStretch stretch;
  stretch.begin = series.firstStep();
  stretch.end = series.endStep();
  stretch.stride = std::bit_floor(static_cast<std::uint64_t>(std::max(1.0, kFinest / perStep)));
  stretch.xOf = [&](double step) { return device(xOf(step * figure_.dt)); };
  stretch.yOf = [&](double value) {
    return device(placed.area.bottom() - (value - placed.range.lowest) * perUnit);
  };
  painter.setPen(penOf(figure_.plots[plot], curve));
  painter.setBrush(Qt::NoBrush);
  forEachStroke(series, stretch, [&](const QPolygonF& points, std::uint64_t) {
    points.size() == 1 ? painter.drawPoint(points.front()) : painter.drawPolyline(points);
  });
}

void FigurePainter::paintLegend(QPainter& painter, std::size_t index) const {
  const FigurePlot& plot = figure_.plots[index];
  const Placed& placed = plots_[index];
  const auto baseline = [&](int row) { return placed.top + row * kLegendRow + kSmall; };
  painter.setPen(paper().text);
  if (figure_.letters)
    write(painter, {0, baseline(0)}, Qt::AlignLeft, "(" + letter(figure_.pictures.size() + index) + ")",
          kText);
  if (!plot.prefix.isEmpty()) write(painter, {left_, baseline(0)}, Qt::AlignLeft, plot.prefix + ":", kSmall);
  for (const Entry& entry : placed.entries) {
    const double y = baseline(entry.row);
    painter.setPen(penOf(plot, entry.curve));
    line(painter, {entry.x, y - 0.3 * kSmall}, {entry.x + kSample, y - 0.3 * kSmall});
    painter.setPen(paper().text);
    write(painter, {entry.x + kSample + kSampleGap, y}, Qt::AlignLeft, plot.curves[entry.curve].name, kSmall);
  }
}

}  // namespace slipstick::ui
