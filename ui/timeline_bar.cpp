#include "ui/timeline_bar.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr qreal kMargin = 16;
constexpr qreal kTickTop = 4, kTickHeight = 8;
constexpr qreal kBarTop = 16, kBarHeight = 10;
constexpr qreal kScaleTop = 36;
constexpr qreal kSnapToEnd = 6;  // a play head this near the newest step follows it [px]
constexpr auto kFailures =
    static_cast<HealthFlags>(Health::NotConverged) | static_cast<HealthFlags>(Health::NonFinite) |
    static_cast<HealthFlags>(Health::CflExceeded) | static_cast<HealthFlags>(Health::ParticlesOutside);

/// The round step (1, 2 or 5 times a power of ten) that leaves about `room` px between labels.
double scaleStep(double secondsPerPixel, double room) {
  const double least = secondsPerPixel * room;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

}  // namespace

TimelineBar::TimelineBar(QWidget* parent) : QWidget(parent) {
  setMinimumWidth(200);
  setFixedHeight(58);
  setCursor(Qt::PointingHandCursor);
}

void TimelineBar::setRange(const TimelineRange& range) {
  if (range == range_) return;
  range_ = range;
  update();
}

void TimelineBar::clearMarks() {
  events_.clear();
  last_ = {};
  update();
}

void TimelineBar::addMarks(const std::vector<TimelineMark>& marks) {
  for (const TimelineMark& mark : marks) {
    std::uint8_t ticks = 0;
    if ((mark.contacts > 0) != (last_.contacts > 0)) ticks |= Touch;
    if (mark.slipping > 0) ticks |= Slip;
    if (mark.health & kFailures) ticks |= Failure;
    if (ticks) events_.push_back({mark.time, ticks});
    last_ = mark;
  }
  update();
}

void TimelineBar::setSelected(const std::optional<std::pair<double, double>>& selected) {
  if (selected == selected_) return;
  selected_ = selected;
  update();
}

void TimelineBar::setBookmarks(std::vector<double> times) {
  bookmarks_ = std::move(times);
  update();
}

qreal TimelineBar::xOf(double time) const {
  return kMargin + (width() - 2 * kMargin) * std::clamp(time / std::max(range_.end, 1e-9), 0.0, 1.0);
}

double TimelineBar::timeAt(qreal x) const {
  return range_.end * std::clamp((x - kMargin) / std::max(width() - 2 * kMargin, 1.0), 0.0, 1.0);
}

void TimelineBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paintBar(painter);
  paintSelected(painter);
  paintTicks(painter);
  paintScale(painter);
  const qreal x = std::round(xOf(range_.shown));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().text);
  painter.drawRoundedRect(QRectF(x - 1.5, kBarTop - 6, 3, kBarHeight + 12), 1.5, 1.5);
}

void TimelineBar::paintBar(QPainter& painter) const {
  const Theme& t = theme();
  const auto fill = [&](double from, double to, const QColor& color) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(xOf(from), kBarTop, std::max(xOf(to) - xOf(from), 0.0), kBarHeight), 4, 4);
  };
  QColor stored = t.accent;
  stored.setAlphaF(0.32f);
  fill(0, range_.end, t.raised);
  if (range_.newest > range_.firstStored) fill(range_.firstStored, range_.newest, stored);
  QColor passed = t.accent;
  passed.setAlphaF(0.75f);
  if (range_.shown > range_.firstStored) fill(range_.firstStored, range_.shown, passed);
}

// One column of pixels shows the gravest event of its steps; slipping is a low strip, for it lasts.
void TimelineBar::paintTicks(QPainter& painter) const {
  std::vector<std::uint8_t> columns(static_cast<std::size_t>(width()) + 1);
  for (const Event& event : events_)
    columns[static_cast<std::size_t>(std::lround(xOf(event.time)))] |= event.ticks;
  const Theme& t = theme();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto x = static_cast<qreal>(i);
    const qreal bottom = kTickTop + kTickHeight;
    if (columns[i] & Slip) painter.fillRect(QRectF(x, bottom - 3, 1, 3), t.slip);
    if (columns[i] & Touch) painter.fillRect(QRectF(x - 0.5, kTickTop, 2, kTickHeight), t.normal);
    if (columns[i] & Failure) painter.fillRect(QRectF(x - 0.5, kTickTop, 2, kTickHeight), t.error);
  }
}

void TimelineBar::paintScale(QPainter& painter) const {
  const double step = scaleStep(range_.end / std::max(width() - 2 * kMargin, 1.0), 70);
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  painter.setPen(theme().faint);
  painter.setFont(textFont(400, 0.92));
  for (int i = 0; i * step <= range_.end * (1 + 1e-9); ++i)
    drawTabular(painter, QRectF(xOf(i * step) - 30, kScaleTop, 60, 16), Qt::AlignHCenter,
                number(i * step, decimals));
}

/// The selected range as a frame around the bar, bookmarks as flags below the ticks.
void TimelineBar::paintSelected(QPainter& painter) const {
  const Theme& t = theme();
  if (selected_) {
    QColor inside = t.bookmark;
    inside.setAlphaF(0.22f);
    const QRectF band(xOf(selected_->first), kBarTop - 3, xOf(selected_->second) - xOf(selected_->first),
                      kBarHeight + 6);
    painter.setPen(QPen(t.bookmark, 1.5));
    painter.setBrush(inside);
    painter.drawRoundedRect(band, 4, 4);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(t.bookmark);
  for (const double time : bookmarks_) {
    const qreal x = xOf(time), y = kBarTop + kBarHeight + 3;
    painter.drawPolygon(QPolygonF({QPointF(x, y), QPointF(x - 4, y + 7), QPointF(x + 4, y + 7)}));
  }
}

void TimelineBar::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  rangeStart_.reset();
  if (event->modifiers() & Qt::ShiftModifier) {
    rangeStart_ = timeAt(event->position().x());
    Q_EMIT rangeCleared();
    return;
  }
  drag(event->position().x());
}

void TimelineBar::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) return;
  if (!rangeStart_) return drag(event->position().x());
  const double now = std::min(timeAt(event->position().x()), range_.newest);
  if (std::abs(xOf(now) - xOf(*rangeStart_)) >= 2)
    Q_EMIT rangeDragged(std::min(now, *rangeStart_), std::max(now, *rangeStart_));
}

bool TimelineBar::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  constexpr qreal kReach = 4;
  Q_EMIT hovered(timeAt(help->pos().x() - kReach), timeAt(help->pos().x() + kReach), help->globalPos());
  return true;
}

void TimelineBar::drag(qreal x) {
  if (x >= xOf(range_.newest) - kSnapToEnd)
    Q_EMIT draggedToEnd();
  else
    Q_EMIT dragged(timeAt(x));
}

}  // namespace slipstick::ui
