#include "ui/plot_painter.h"

#include <QPaintEngine>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "ui/plot_axis.h"
#include "ui/plot_strokes.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

constexpr qreal kLeft = 52, kRight = 12, kRightAxis = 48, kBottom = 8;
constexpr double kSpectrumPart = 0.36;  // of the width
/// Points of one stroke. Qt's rasteriser walks through all that lies on a line of pixels for each point there: of a curve
/// that goes up and down in each of a thousand columns, that is nearly all the time that drawing takes.
constexpr qsizetype kStrokePoints = 32;

/// A polyline by the painter's pen; dashes go on from piece to piece. A figure has it whole.
void drawInPieces(QPainter& painter, const QPolygonF& line) {
  if (painter.paintEngine()->type() != QPaintEngine::Raster) return painter.drawPolyline(line);
  QPen pen = painter.pen();
  double length = 0;
  for (qsizetype i = 0; i + 1 < line.size(); i += kStrokePoints - 1) {
    const qsizetype count = std::min(kStrokePoints, line.size() - i);
    painter.drawPolyline(&line[i], static_cast<int>(count));
    if (pen.style() == Qt::SolidLine) continue;
    for (qsizetype k = i; k + 1 < i + count; ++k) length += QLineF(line[k], line[k + 1]).length();
    pen.setDashOffset(length / pen.widthF());
    painter.setPen(pen);
  }
}

/// Over the steps [from, to). Nothing where there is no value, or infinite ones of which no mean can be drawn.
std::optional<double> finiteMean(const PlotSeries& series, std::uint64_t from, std::uint64_t to) {
  const PlotSeries::Extremes found = series.extremes(from, to);
  if (!found.any() || !std::isfinite(found.mean())) return std::nullopt;
  return found.mean();
}

}  // namespace

QString powerOfTen(int exponent) {
  static const QString kDigits = QString::fromUtf8("⁰¹²³⁴⁵⁶⁷⁸⁹");
  QString text = "10";
  if (exponent < 0) text += QChar(0x207B);
  for (const QChar digit : QString::number(std::abs(exponent))) text += kDigits[digit.digitValue()];
  return text;
}

QColor hueOf(int hue, const Theme& theme) {
  const int curves = static_cast<int>(theme.curves.size());
  return hue < curves    ? theme.curves[static_cast<std::size_t>(hue)]
         : hue == curves ? theme.secondary
                         : theme.faint;
}

std::uint64_t PlotData::stepCount() const {
  std::uint64_t count = 0;
  for (const PlotLine& line : lines)
    for (const auto& series : {line.values, line.slipping, line.ghost})
      if (series) count += series->endStep() - series->firstStep();
  for (const PlotLine& line : lines)
    for (const BesideCurve& beside : line.besides)
      count += beside.values->endStep() - beside.values->firstStep();
  return count;
}

PlotPainter::PlotPainter(const PlotData& data, const PlotWindow& window, const QRectF& rect, bool timesShown,
                         const Theme& theme, qreal headMargin)
    : data_(data),
      window_(window),
      rect_(rect),
      timesShown_(timesShown),
      headMargin_(headMargin),
      theme_(theme) {
  fitAxes();
  const qreal right = axes_.size() > 1 ? kRightAxis : kRight;
  area_ = rect.adjusted(kLeft, kHead, -right, -(kBottom + (timesShown ? kTimesHeight : 0)));
  if (!window.spectra || !window.range) return;
  const qreal width = kSpectrumPart * rect.width();
  spectrumArea_ = QRectF(rect.right() - kRight - width + kLeft, area_.top(), width - kLeft,
                         rect.bottom() - kBottom - kTimesHeight - area_.top());
  area_.setRight(rect.right() - kRight - width - (axes_.size() > 1 ? kRightAxis - kRight : 0));
}

// ------------------------------------------------------------------------------------------------- scales

std::uint64_t PlotPainter::stepAt(double time, bool up) const {
  const double step = time / data_.dt;
  return static_cast<std::uint64_t>(std::max(0.0, up ? std::ceil(step - 1e-6) : std::floor(step + 1e-6)));
}

void PlotPainter::fitAxes() {
  for (const PlotLine& line : data_.lines) {
    const bool known =
        std::any_of(axes_.begin(), axes_.end(), [&](const Axis& a) { return a.unit == line.unit; });
    if (!known && axes_.size() < 2) axes_.push_back(fitted(line.unit));
  }
  if (axes_.empty()) axes_.push_back({});
}

PlotSeries::Extremes PlotPainter::extremesOf(const QString& unit) const {
  PlotSeries::Extremes all;
  for (const PlotLine& line : data_.lines) {
    if (line.unit != unit) continue;
    for (const bool ghost : {false, true}) {
      const auto& series = ghost ? line.ghost : line.values;
      const double shift = ghost ? window_.ghostShift : 0;
      if (series)
        all.include(
            series->extremes(stepAt(window_.from - shift, false), stepAt(window_.to - shift, true) + 1));
    }
    for (const BesideCurve& beside : line.besides)
      all.include(beside.values->extremes(stepAt(window_.from, false), stepAt(window_.to, true) + 1));
  }
  return all;
}

/// What nineteen of twenty stretches of the window stay below, three times over: one slow step is cut off, so that the
/// others can be read.
double PlotPainter::usualHeight() const {
  constexpr std::uint64_t kStretches = 200;
  std::vector<double> heights;
  for (const PlotLine& line : data_.lines) {
    if (line.role != PlotRole::Bound || !line.values) continue;
    const std::uint64_t begin = stepAt(window_.from, false), end = stepAt(window_.to, true) + 1;
    const std::uint64_t every = (end - begin) / kStretches + 1;
    for (std::uint64_t step = begin; step < end; step += every)
      if (const std::optional<double> mean = finiteMean(*line.values, step, std::min(step + every, end)))
        heights.push_back(*mean);
  }
  if (heights.size() < 20) return std::numeric_limits<double>::infinity();
  const auto rank = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() * 19 / 20);
  std::nth_element(heights.begin(), rank, heights.end());
  return *rank > 0 ? 3 * *rank : std::numeric_limits<double>::infinity();
}

PlotPainter::Axis PlotPainter::fitted(const QString& unit) const {
  PlotSeries::Extremes all = extremesOf(unit);
  if (data_.stacked && !data_.logarithmic) all.highest = std::min(all.highest, usualHeight());
  const AxisRange range = data_.logarithmic ? decadeRange(all) : axisRange(all, unit);
  return {unit, range.lowest, range.highest};
}

const PlotPainter::Axis& PlotPainter::axisOf(const PlotLine& line) const {
  for (const Axis& axis : axes_)
    if (axis.unit == line.unit) return axis;
  return axes_.front();
}

qreal PlotPainter::xOf(double time) const {
  return area_.left() + area_.width() * (time - window_.from) / std::max(window_.to - window_.from, 1e-9);
}

double PlotPainter::timeAt(qreal x) const {
  const double part = std::clamp((x - area_.left()) / std::max(area_.width(), 1.0), 0.0, 1.0);
  return window_.from + part * (window_.to - window_.from);
}

qreal PlotPainter::yOf(double value, const Axis& axis) const {
  if (data_.logarithmic)
    return area_.bottom() - area_.height() * std::log10(std::max(value, axis.lowest) / axis.lowest) /
                                std::log10(axis.highest / axis.lowest);
  return area_.bottom() - area_.height() * (value - axis.lowest) / (axis.highest - axis.lowest);
}

/// Forces have their colours everywhere. Other curves of one plot are told apart by hues that mean nothing else.
QColor PlotPainter::colorOf(std::size_t index, bool slips) const {
  if (data_.lines[index].hue >= 0) return hueOf(data_.lines[index].hue, theme_);
  switch (data_.lines[index].role) {
    case PlotRole::Normal:
      return theme_.normal;
    case PlotRole::Friction:
      return slips ? theme_.slip : theme_.stick;
    case PlotRole::Bound:
      return theme_.secondary;
    case PlotRole::Value:
      break;
  }
  const auto place = static_cast<std::size_t>(
      std::count_if(data_.lines.begin(), data_.lines.begin() + static_cast<std::ptrdiff_t>(index),
                    [](const PlotLine& line) { return line.role == PlotRole::Value; }));
  return place == 0 ? theme_.text : theme_.curves[(place - 1) % theme_.curves.size()];
}

bool PlotPainter::slipsAt(const PlotLine& line, std::uint64_t step) const {
  return line.slipping && line.slipping->value(step) > 0.5;
}

double PlotPainter::readingAt(const PlotLine& line, const PlotSeries& series, double time) const {
  const auto step = static_cast<std::uint64_t>(std::max(0.0, std::round(time / data_.dt)));
  return line.bridged ? series.lastValue(step) : series.value(step);
}

/// What is less is noise.
int PlotPainter::decimalsFor(const PlotLine& line) const {
  const Axis& axis = axisOf(line);
  return line.isCount ? 0 : std::min(decimalsOf((axis.highest - axis.lowest) / 500), 6);
}

QString PlotPainter::valueText(const PlotLine& line, double value) const {
  return data_.logarithmic ? significant(value) : number(value, decimalsFor(line));
}

std::vector<PlotPainter::Reading> PlotPainter::readings() const {
  std::vector<Reading> all;
  const auto step = static_cast<std::uint64_t>(std::max(0.0, std::round(window_.cursor / data_.dt)));
  for (std::size_t i = 0; i < data_.lines.size(); ++i) {
    const PlotLine& line = data_.lines[i];
    if (!line.values || (data_.stacked && line.role != PlotRole::Bound)) continue;
    const double now = readingAt(line, *line.values, window_.cursor);
    QString text = line.name + " " + valueText(line, now) + (line.unit.isEmpty() ? "" : " " + line.unit);
    if (line.ghost) {
      const double ghost = readingAt(line, *line.ghost, window_.cursor - window_.ghostShift);
      if (std::isfinite(ghost) && std::isfinite(now))
        text += QString(" (%1%2)").arg(now >= ghost ? "+" : "", number(now - ghost, decimalsFor(line)));
    }
    all.push_back({text, colorOf(i, slipsAt(line, step))});
  }
  readBesides(all);
  return all;
}

void PlotPainter::readBesides(std::vector<Reading>& all) const {
  for (const PlotLine& line : data_.lines)
    for (const BesideCurve& beside : line.besides) {
      const double value = readingAt(line, *beside.values, window_.cursor);
      if (!std::isfinite(value)) continue;  // it has not come so far
      const QString of = data_.lines.size() > 1 ? beside.name + " " + line.name : beside.name;
      all.push_back({of + " " + valueText(line, value), hueOf(beside.hue, theme_), true});
    }
}

// ------------------------------------------------------------------------------------------------ painting

void PlotPainter::paint(QPainter& painter) const {
  paintAxis(painter, axes_.front(), false);
  if (axes_.size() > 1) paintAxis(painter, axes_[1], true);
  if (timesShown_) paintTimes(painter);
  painter.save();
  painter.setClipRect(area_.adjusted(0, -2, 0, 2));
  paintRange(painter);
  if (data_.stacked) paintLayers(painter);
  for (std::size_t i = 0; i < data_.lines.size(); ++i)
    if (!data_.stacked) paintLine(painter, i);
  painter.restore();
  if (window_.cursor >= window_.from && window_.cursor <= window_.to) {
    const qreal x = std::round(xOf(window_.cursor)) + 0.5;
    painter.setPen(QPen(theme_.text, 1));
    painter.drawLine(QPointF(x, area_.top() - 2), QPointF(x, area_.bottom()));
  }
  if (!spectrumArea_.isEmpty()) paintSpectrum(painter);
  paintHead(painter);
}

void PlotPainter::paintHead(QPainter& painter) const {
  painter.setFont(textFont(600, 0.95));
  const QFontMetricsF strong(painter.font());
  const QRectF line(rect_.left() + kSpace * 3 / 2.0, rect_.top() + 3,
                    rect_.width() - kSpace * 3 / 2.0 - std::max(kRight, headMargin_), kHead - 4);
  painter.setFont(textFont(400, 0.9));
  const QFontMetricsF metrics(painter.font());
  qreal right = line.right();
  std::vector<Reading> all = readings();
  // Where there is no room for all, the line's own stay: they stand at the right.
  std::stable_partition(all.begin(), all.end(), [](const Reading& reading) { return reading.isBeside; });
  const qreal title = std::min(strong.horizontalAdvance(data_.title), 0.5 * line.width());
  for (auto reading = all.rbegin(); reading != all.rend(); ++reading) {
    const qreal w = tabularWidth(metrics, reading->text);
    if (right - w < line.left() + title) break;  // a narrow plot keeps its title
    painter.setPen(reading->color);
    drawTabular(painter, QRectF(right - w, line.top(), w, line.height()), Qt::AlignLeft, reading->text);
    right -= w + 14;
  }
  painter.setFont(textFont(600, 0.95));
  painter.setPen(theme_.text);
  drawTabular(painter, QRectF(line.left(), line.top(), right - line.left(), line.height()), Qt::AlignLeft,
              strong.elidedText(data_.title, Qt::ElideMiddle, right - line.left()));
}

void PlotPainter::paintAxis(QPainter& painter, const Axis& axis, bool right) const {
  painter.setFont(textFont(400, 0.85));
  if (data_.logarithmic) return paintDecades(painter, axis);
  const double step = tickStep(axis.highest - axis.lowest, std::max(area_.height() / 24, 2.0));
  for (double value = std::ceil(axis.lowest / step) * step; value <= axis.highest; value += step) {
    const qreal y = std::round(yOf(value, axis)) + 0.5;
    if (!right) {
      painter.setPen(QPen(theme_.line, 1));
      painter.drawLine(QPointF(area_.left(), y), QPointF(area_.right(), y));
    }
    painter.setPen(theme_.faint);
    const QRectF place = right ? QRectF(area_.right() + 6, y - 8, kRightAxis - 8, 16)
                               : QRectF(rect_.left(), y - 8, kLeft - 6, 16);
    drawTabular(painter, place, right ? Qt::AlignLeft : Qt::AlignRight, tickText(value, step));
  }
}

void PlotPainter::paintDecades(QPainter& painter, const Axis& axis) const {
  const auto first = std::lround(std::log10(axis.lowest)), last = std::lround(std::log10(axis.highest));
  const long every =
      std::max(1L, std::lround(std::ceil(static_cast<double>(last - first) * 15 / area_.height())));
  for (long decade = first; decade <= last; decade += every) {
    const double value = std::pow(10.0, static_cast<double>(decade));
    const qreal y = std::round(yOf(value, axis)) + 0.5;
    painter.setPen(QPen(theme_.line, 1));
    painter.drawLine(QPointF(area_.left(), y), QPointF(area_.right(), y));
    painter.setPen(theme_.faint);
    drawTabular(painter, QRectF(rect_.left(), y - 8, kLeft - 6, 16), Qt::AlignRight,
                powerOfTen(static_cast<int>(decade)));
  }
}

void PlotPainter::paintTimes(QPainter& painter) const {
  painter.setFont(textFont(400, 0.85));
  painter.setPen(theme_.faint);
  const double every = tickStep(window_.to - window_.from, std::max(area_.width() / 70, 1.0));
  for (double time = std::ceil(window_.from / every) * every; time <= window_.to + 1e-9; time += every) {
    const qreal x = std::clamp(xOf(time), area_.left() + 8, area_.right() - 12.0);
    drawTabular(painter, QRectF(x - 40, area_.bottom() + 4, 80, kTimesHeight), Qt::AlignHCenter,
                number(time, decimalsOf(every)) + " s");
  }
}

void PlotPainter::paintRange(QPainter& painter) const {
  if (!window_.range) return;
  const qreal from = xOf(window_.range->from), to = xOf(window_.range->to);
  QColor band = theme_.accent;
  band.setAlphaF(0.12f);
  painter.fillRect(QRectF(from, area_.top(), to - from, area_.height()), band);
  band.setAlphaF(0.6f);
  painter.setPen(QPen(band, 1));
  for (const qreal x : {from, to}) painter.drawLine(QPointF(x, area_.top()), QPointF(x, area_.bottom()));
}

/// Steps that share a point. From multiples of it on: the same steps share one however the window moves.
std::uint64_t PlotPainter::stride(std::uint64_t steps) const {
  const double pixels = static_cast<double>(steps) * data_.dt / (window_.to - window_.from) * area_.width();
  const double perPixel = static_cast<double>(steps) / std::max(pixels, 1.0);
  return std::max<std::uint64_t>(1, std::bit_floor(static_cast<std::uint64_t>(2 * perPixel)));
}

/// Each step's layers as wide as the step.
void PlotPainter::paintLayers(QPainter& painter) const {
  const Axis& axis = axes_.front();
  std::uint64_t begin = stepAt(window_.from, false), end = stepAt(window_.to, true) + 1;
  for (const PlotLine& line : data_.lines)
    if (line.values)
      begin = std::max(begin, line.values->firstStep()), end = std::min(end, line.values->endStep());
  if (begin >= end) return;
  std::vector<std::size_t> layers;
  for (std::size_t i = 0; i < data_.lines.size(); ++i)
    if (data_.lines[i].role != PlotRole::Bound && data_.lines[i].values) layers.push_back(i);
  std::vector<QPolygonF> edges(layers.size() + 1);  // of the bottom, then of each layer's top
  const std::uint64_t every = stride(end - begin);
  for (std::uint64_t step = begin / every * every; step < end; step += every) {
    const std::uint64_t from = std::max(step, begin), to = std::min(step + every, end);
    const qreal left = xOf((static_cast<double>(from) - 0.5) * data_.dt);
    const qreal right = xOf((static_cast<double>(to) - 0.5) * data_.dt);
    double height = 0;
    for (std::size_t k = 0; k < edges.size(); ++k) {
      if (k > 0) height += finiteMean(*data_.lines[layers[k - 1]].values, from, to).value_or(0);
      edges[k] << QPointF(left, yOf(height, axis)) << QPointF(right, yOf(height, axis));
    }
  }
  painter.setPen(Qt::NoPen);
  for (std::size_t k = 0; k < layers.size(); ++k) {
    QPolygonF layer = edges[k];
    for (auto point = edges[k + 1].rbegin(); point != edges[k + 1].rend(); ++point) layer << *point;
    painter.setBrush(colorOf(layers[k], false));
    painter.drawPolygon(layer);
  }
}

void PlotPainter::paintSeries(QPainter&, const PlotSeries& series, const PlotLine& line, double shift,
                              const std::function<void(const QPolygonF&, std::uint64_t)>& stroke) const {
  const Axis& axis = axisOf(line);
  SeriesStretch stretch;
  stretch.begin = std::max(stepAt(window_.from - shift, false), series.firstStep());
  stretch.end = std::min(stepAt(window_.to - shift, true) + 1, series.endStep());
  if (stretch.begin >= stretch.end) return;
  stretch.stride = stride(stretch.end - stretch.begin);
  stretch.bridged = line.bridged;
  stretch.xOf = [&](double step) { return xOf(step * data_.dt + shift); };
  stretch.yOf = [&](double value) { return yOf(value, axis); };
  stretch.slips = [&](std::uint64_t step) { return slipsAt(line, step); };
  forEachStroke(series, stretch, stroke);
}

void PlotPainter::paintLine(QPainter& painter, std::size_t index) const {
  const PlotLine& line = data_.lines[index];
  if (line.ghost) {
    QColor faded = colorOf(index, false);
    faded.setAlphaF(0.6f);
    painter.setPen(QPen(faded, 1.2, Qt::DashLine, Qt::FlatCap));
    paintSeries(painter, *line.ghost, line, window_.ghostShift,
                [&](const QPolygonF& run, std::uint64_t) { drawInPieces(painter, run); });
  }
  for (const BesideCurve& beside : line.besides) {
    painter.setPen(QPen(hueOf(beside.hue, theme_), 1.2, Qt::SolidLine, Qt::FlatCap));
    paintSeries(painter, *beside.values, line, 0,
                [&](const QPolygonF& run, std::uint64_t) { drawInPieces(painter, run); });
  }
  if (!line.values) return;
  paintSeries(painter, *line.values, line, 0, [&](const QPolygonF& run, std::uint64_t step) {
    painter.setPen(QPen(colorOf(index, slipsAt(line, step)), line.role == PlotRole::Bound ? 1.0 : 1.6));
    run.size() == 1 ? painter.drawPoint(run.front()) : drawInPieces(painter, run);
  });
}

// ------------------------------------------------------------------------------------------------- spectra

Spectrum PlotPainter::spectrum() const {
  if (!window_.range || data_.lines.empty() || !data_.lines.back().values) return {};
  const PlotSeries& series = *data_.lines.back().values;
  std::vector<double> values;
  for (std::uint64_t s = stepAt(window_.range->from, true); s <= stepAt(window_.range->to, false); ++s)
    values.push_back(series.value(s));
  return spectrumOf(values, data_.dt);
}

QString PlotPainter::spectrumReading() const {
  const Spectrum s = spectrum();
  if (s.frequency.empty()) return {};
  const std::size_t peak = s.peak();
  return QObject::tr("peak %1 Hz, %2 %3")
      .arg(significant(s.frequency[peak]), significant(s.amplitude[peak]), data_.lines.back().unit);
}

void PlotPainter::paintSpectrum(QPainter& painter) const {
  const QRectF& r = spectrumArea_;
  painter.setPen(QPen(theme_.line, 1));
  painter.drawLine(r.bottomLeft(), r.bottomRight());
  painter.setFont(textFont(400, 0.85));
  painter.setPen(theme_.faint);
  const Spectrum s = spectrum();
  if (s.frequency.empty()) {
    painter.drawText(r, Qt::AlignCenter | Qt::TextWordWrap, QObject::tr("too short for a spectrum"));
    return;
  }
  const double largest = std::max(s.amplitude[s.peak()], 1e-12), last = s.frequency.back();
  const auto point = [&](std::size_t i) {
    return QPointF(r.left() + r.width() * s.frequency[i] / last,
                   r.bottom() - 0.85 * r.height() * std::min(s.amplitude[i] / largest, 1.0));
  };
  QPolygonF outline;
  const std::size_t stride =
      std::max<std::size_t>(1, s.frequency.size() / static_cast<std::size_t>(std::max(2 * r.width(), 1.0)));
  for (std::size_t i = 0; i < s.frequency.size(); i += stride) {
    std::size_t highest = i;
    for (std::size_t j = i; j < std::min(i + stride, s.frequency.size()); ++j)
      if (s.amplitude[j] > s.amplitude[highest]) highest = j;
    outline << point(highest);
  }
  painter.setPen(QPen(colorOf(data_.lines.size() - 1, false), 1.4));
  painter.drawPolyline(outline);
  painter.setPen(theme_.faint);
  const double every = tickStep(last, std::max(r.width() / 55, 1.0));
  for (double f = 0; f <= last * (1 - 1e-9); f += every)
    drawTabular(painter, QRectF(r.left() + r.width() * f / last - 30, r.bottom() + 4, 60, kTimesHeight),
                Qt::AlignHCenter, tickText(f, every) + (f > 0 ? " Hz" : ""));
  painter.setPen(theme_.secondary);
  drawTabular(painter, QRectF(r.left(), r.top() - 2, r.width(), 14), Qt::AlignRight, spectrumReading());
}

}  // namespace slipstick::ui
