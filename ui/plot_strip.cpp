#include "ui/plot_strip.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kHeight = 94, kTimesHeight = 16;
constexpr qreal kHead = 22, kLeft = 52, kRight = 12, kBottom = 8;

QColor colorOf(PlotRole role, bool slips) {
  const Theme& t = theme();
  switch (role) {
    case PlotRole::Normal:
      return t.normal;
    case PlotRole::Friction:
      return slips ? t.slip : t.stick;
    case PlotRole::Bound:
      return t.secondary;
    case PlotRole::Value:
      break;
  }
  return t.text;
}

/// 1, 2 or 5 times a power of ten, so that about `count` of them fill the range.
double tickStep(double range, double count) {
  const double least = std::max(range, 1e-12) / count, power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

int decimalsOf(double step) {
  return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
}

}  // namespace

double PlotLine::at(const std::vector<QPointF>& points, double time) {
  if (points.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto after = std::lower_bound(points.begin(), points.end(), time,
                                      [](const QPointF& p, double t) { return p.x() < t; });
  if (after == points.begin()) return after->y();
  if (after == points.end()) return points.back().y();
  return time - std::prev(after)->x() < after->x() - time ? std::prev(after)->y() : after->y();
}

PlotStrip::PlotStrip(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setCursor(Qt::SplitHCursor);
}

QSize PlotStrip::sizeHint() const {
  return {320, kHeight + (timesShown_ ? kTimesHeight : 0)};
}

void PlotStrip::setData(PlotData data) {
  data_ = std::move(data);
  fitValues();
  update();
}

void PlotStrip::setWindow(const PlotWindow& window) {
  if (window == window_) return;
  window_ = window;
  fitValues();
  update();
}

void PlotStrip::setTimesShown(bool shown) {
  if (shown == timesShown_) return;
  timesShown_ = shown;
  updateGeometry();
  update();
}

/// Zero is always in sight: how much a force is matters more than how it trembles.
void PlotStrip::fitValues() {
  double lowest = 0, highest = 0;
  for (const PlotLine& line : data_.lines)
    for (const auto* points : {&line.points, &line.ghost})
      for (const QPointF& p : *points) {
        const double time = p.x() + (points == &line.ghost ? window_.ghostShift : 0);
        if (time < window_.from || time > window_.to) continue;
        lowest = std::min(lowest, p.y());
        highest = std::max(highest, p.y());
      }
  const double range = std::max(highest - lowest, 1e-9);
  lowest_ = lowest < 0 ? lowest - 0.06 * range : 0;
  highest_ = highest > 0 ? highest + 0.08 * range : lowest < 0 ? 0.06 * range : 1;
}

QRectF PlotStrip::area() const {
  return QRectF(rect()).adjusted(kLeft, kHead, -kRight, -(kBottom + (timesShown_ ? kTimesHeight : 0)));
}

qreal PlotStrip::xOf(double time) const {
  const QRectF r = area();
  return r.left() + r.width() * (time - window_.from) / std::max(window_.to - window_.from, 1e-9);
}

double PlotStrip::timeAt(qreal x) const {
  const QRectF r = area();
  const double part = std::clamp((x - r.left()) / std::max(r.width(), 1.0), 0.0, 1.0);
  return window_.from + part * (window_.to - window_.from);
}

qreal PlotStrip::yOf(double value) const {
  const QRectF r = area();
  return r.bottom() - r.height() * (value - lowest_) / (highest_ - lowest_);
}

std::vector<PlotStrip::Reading> PlotStrip::readings() const {
  std::vector<Reading> all;
  for (const PlotLine& line : data_.lines) {
    const double now = PlotLine::at(line.points, window_.cursor);
    bool slips = false;
    for (std::size_t i = 0; i < line.slips.size() && line.points[i].x() <= window_.cursor + 1e-9; ++i)
      slips = line.slips[i];
    const int decimals = decimalsOf((highest_ - lowest_) / 500);  // what is less is noise here
    QString text = line.name + " " + number(now, decimals) + " " + data_.unit;
    const double ghost = PlotLine::at(line.ghost, window_.cursor - window_.ghostShift);
    if (std::isfinite(ghost) && std::isfinite(now))
      text += QString(" (%1%2)").arg(now >= ghost ? "+" : "", number(now - ghost, decimals));
    all.push_back({text, colorOf(line.role, slips)});
  }
  return all;
}

QString PlotStrip::reading() const {
  QStringList words;
  for (const Reading& r : readings()) words << r.text;
  return words.join(", ");
}

void PlotStrip::paintHead(QPainter& painter) const {
  painter.setFont(textFont(600, 0.95));
  painter.setPen(theme().text);
  const QFontMetricsF strong(painter.font());
  QRectF line(kSpace * 3 / 2.0, 3, width() - kSpace * 3 / 2.0 - kRight, kHead - 4);
  painter.setFont(textFont(400, 0.9));
  const QFontMetricsF metrics(painter.font());
  qreal right = line.right();
  const std::vector<Reading> all = readings();
  for (auto reading = all.rbegin(); reading != all.rend(); ++reading) {
    const qreal w = tabularWidth(metrics, reading->text);
    if (right - w < line.left() + 60) break;  // a narrow strip keeps its title
    painter.setPen(reading->color);
    drawTabular(painter, QRectF(right - w, line.top(), w, line.height()), Qt::AlignLeft, reading->text);
    right -= w + 14;
  }
  painter.setFont(textFont(600, 0.95));
  painter.setPen(theme().text);
  const QString title = strong.elidedText(data_.title, Qt::ElideRight, right - line.left());
  drawTabular(painter, QRectF(line.left(), line.top(), right - line.left(), line.height()), Qt::AlignLeft,
              title);
}

void PlotStrip::paintGrid(QPainter& painter) const {
  const QRectF r = area();
  const Theme& t = theme();
  painter.setFont(textFont(400, 0.85));
  const double step = tickStep(highest_ - lowest_, 3);
  for (double value = std::ceil(lowest_ / step) * step; value <= highest_; value += step) {
    const qreal y = std::round(yOf(value)) + 0.5;
    painter.setPen(QPen(t.line, 1));
    painter.drawLine(QPointF(r.left(), y), QPointF(r.right(), y));
    painter.setPen(t.faint);
    QString label = number(std::abs(value) < 1e-9 * step ? 0 : value, decimalsOf(step));
    drawTabular(painter, QRectF(0, y - 8, kLeft - 6, 16), Qt::AlignRight, label);
  }
  if (!timesShown_) return;
  const double every = tickStep(window_.to - window_.from, std::max(r.width() / 70, 1.0));
  for (double time = std::ceil(window_.from / every) * every; time <= window_.to + 1e-9; time += every)
    drawTabular(painter, QRectF(xOf(time) - 40, r.bottom() + 4, 80, kTimesHeight), Qt::AlignHCenter,
                number(time, decimalsOf(every)) + " s");
}

void PlotStrip::paintLine(QPainter& painter, const PlotLine& line) const {
  const auto path = [&](const std::vector<QPointF>& points, std::size_t begin, std::size_t end,
                        double shift) {
    QPolygonF polyline;
    for (std::size_t i = begin; i < end; ++i)
      polyline << QPointF(xOf(points[i].x() + shift), yOf(points[i].y()));
    painter.drawPolyline(polyline);
  };
  QPen pen(colorOf(line.role, false), line.role == PlotRole::Bound ? 1.0 : 1.6);
  QColor faded = pen.color();
  faded.setAlphaF(0.6f);
  painter.setPen(QPen(faded, 1.2, Qt::DashLine));
  path(line.ghost, 0, line.ghost.size(), window_.ghostShift);
  // Runs of one state, each up to the first point of the next.
  for (std::size_t begin = 0; begin < line.points.size();) {
    const bool slips = begin < line.slips.size() && line.slips[begin];
    std::size_t end = begin + 1;
    while (end < line.points.size() && (end < line.slips.size() && line.slips[end]) == slips) ++end;
    pen.setColor(colorOf(line.role, slips));
    painter.setPen(pen);
    path(line.points, begin, std::min(end + 1, line.points.size()), 0);
    begin = end;
  }
}

void PlotStrip::paintCursor(QPainter& painter) const {
  const QRectF r = area();
  if (window_.cursor < window_.from || window_.cursor > window_.to) return;
  const qreal x = std::round(xOf(window_.cursor)) + 0.5;
  painter.setPen(QPen(theme().text, 1));
  painter.drawLine(QPointF(x, r.top() - 2), QPointF(x, r.bottom()));
}

void PlotStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paintGrid(painter);
  painter.save();
  painter.setClipRect(area().adjusted(0, -2, 0, 2));
  for (const PlotLine& line : data_.lines) paintLine(painter, line);
  painter.restore();
  paintCursor(painter);
  paintHead(painter);
}

void PlotStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) Q_EMIT dragged(timeAt(event->position().x()));
}

void PlotStrip::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) Q_EMIT dragged(timeAt(event->position().x()));
}

}  // namespace slipstick::ui
