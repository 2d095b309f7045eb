#include "ui/timeline_bar.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr qreal kMargin = 16;
constexpr qreal kTickTop = 4, kTickHeight = 8;
constexpr qreal kBarTop = 16, kBarHeight = 10;
constexpr qreal kScaleTop = 36, kScaleHeight = 16;
constexpr qreal kOverviewTop = 54, kOverviewHeight = 4;
constexpr qreal kReach = 5;    // around what can be clicked or pointed at [px]
constexpr int kHover_ms = 60;  // a mark is named as soon as the pointer is over it
constexpr double kZoomPerNotch = 1.25;
constexpr double kClosest = 1e-5;  // part of the run that is seen at least
constexpr qreal kSnapToEnd = 6;    // a play head this near the newest step follows it [px]

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
  setFixedHeight(62);
  setMouseTracking(true);
  setCursor(Qt::PointingHandCursor);
  hover_.setSingleShot(true);
  connect(&hover_, &QTimer::timeout, this, &TimelineBar::emitHovered);
}

void TimelineBar::setRange(const TimelineRange& range) {
  if (range == range_) return;
  const bool headMoved = range.shown != range_.shown;
  range_ = range;
  if (headMoved && drag_ == Drag::None) followHead();
  update();
}

void TimelineBar::clearMarks() {
  events_.clear();
  last_ = {};
  update();
}

void TimelineBar::addMarks(const std::vector<TimelineMark>& marks, HealthFlags failures) {
  for (const TimelineMark& mark : marks) {
    std::uint8_t ticks = 0;
    if ((mark.contacts > 0) != (last_.contacts > 0)) ticks |= Touch;
    if (mark.slipping > 0) ticks |= Slip;
    if (mark.health & failures) ticks |= Failure;
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

// ------------------------------------------------------------------------------------------ what is in view

std::pair<double, double> TimelineBar::view() const {
  return view_.value_or(std::pair(0.0, std::max(range_.end, 1e-9)));
}

qreal TimelineBar::xOf(double time) const {
  const auto [from, to] = view();
  return kMargin + (width() - 2 * kMargin) * std::clamp((time - from) / (to - from), -1.0, 2.0);
}

double TimelineBar::timeAt(qreal x) const {
  const auto [from, to] = view();
  return from + (to - from) * std::clamp((x - kMargin) / std::max(width() - 2 * kMargin, 1.0), 0.0, 1.0);
}

void TimelineBar::setView(double from, double span) {
  const double end = std::max(range_.end, 1e-9);
  span = std::clamp(span, kClosest * end, end);
  from = std::clamp(from, 0.0, end - span);
  if (span >= end * (1 - 1e-9))
    view_.reset();
  else
    view_ = {from, from + span};
  update();
}

void TimelineBar::zoom(double factor, double about) {
  const auto [from, to] = view();
  const double span = std::clamp((to - from) / factor, kClosest * range_.end, range_.end);
  setView(about - (about - from) * span / (to - from), span);
}

void TimelineBar::showStretch(double from, double to) {
  setView(from, to - from);
}

void TimelineBar::showAll() {
  view_.reset();
  update();
}

/// A play head that runs out of the view takes it along, a page at a time.
void TimelineBar::followHead() {
  if (!view_) return;
  const auto [from, to] = *view_;
  if (range_.shown >= from && range_.shown <= to) return;
  const double span = to - from;
  setView(range_.shown - (range_.shown > to ? 0.1 : 0.9) * span, span);
}

// ------------------------------------------------------------------------------------------------- painting

void TimelineBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(QRectF(kMargin - 5, 0, width() - 2 * kMargin + 10, height()));
  paintBar(painter);
  paintSelected(painter);
  paintTicks(painter);
  const qreal x = std::round(xOf(range_.shown));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().text);
  painter.drawRoundedRect(QRectF(x - 1.5, kBarTop - 6, 3, kBarHeight + 12), 1.5, 1.5);
  painter.setClipping(false);
  paintScale(painter);
  if (view_) paintOverview(painter);
}

void TimelineBar::paintBar(QPainter& painter) const {
  const Theme& t = theme();
  const qreal left = kMargin, right = width() - kMargin;
  const auto fill = [&](double from, double to, const QColor& color) {
    const qreal a = std::clamp(xOf(from), left, right), b = std::clamp(xOf(to), left, right);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(a, kBarTop, std::max(b - a, 0.0), kBarHeight), 4, 4);
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
  const auto [from, to] = view();
  const auto first = std::lower_bound(events_.begin(), events_.end(), from,
                                      [](const Event& event, double time) { return event.time < time; });
  for (auto event = first; event != events_.end() && event->time <= to; ++event)
    columns[static_cast<std::size_t>(std::lround(xOf(event->time)))] |= event->ticks;
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
  const auto [from, to] = view();
  const double step = scaleStep((to - from) / std::max(width() - 2 * kMargin, 1.0), 70);
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  painter.setPen(theme().faint);
  painter.setFont(textFont(400, 0.92));
  for (double i = std::ceil(from / step - 1e-9); i * step <= to * (1 + 1e-9); ++i)
    drawTabular(painter, QRectF(xOf(i * step) - 40, kScaleTop, 80, kScaleHeight), Qt::AlignHCenter,
                number(i * step, decimals));
}

/// Of the whole run which part is in view.
void TimelineBar::paintOverview(QPainter& painter) const {
  const auto x = [this](double time) { return kMargin + (width() - 2 * kMargin) * time / range_.end; };
  const auto strip = [&](double from, double to, const QColor& color) {
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(x(from), kOverviewTop, std::max(x(to) - x(from), 6.0), kOverviewHeight), 2,
                            2);
  };
  painter.setPen(Qt::NoPen);
  strip(0, range_.end, theme().raised);
  strip(view_->first, view_->second, theme().secondary);
  painter.setBrush(theme().text);
  painter.drawRect(QRectF(x(range_.shown) - 1, kOverviewTop - 1, 2, kOverviewHeight + 2));
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

// ------------------------------------------------------------------------------------------------ the pointer

std::optional<std::pair<double, double>> TimelineBar::rangeEndAt(const QPointF& position) const {
  if (!selected_ || position.y() < kBarTop - 6 || position.y() > kBarTop + kBarHeight + 6)
    return std::nullopt;
  const qreal toFirst = std::abs(position.x() - xOf(selected_->first)),
              toSecond = std::abs(position.x() - xOf(selected_->second));
  if (std::min(toFirst, toSecond) > kReach) return std::nullopt;
  return toFirst < toSecond ? std::pair(selected_->first, selected_->second)
                            : std::pair(selected_->second, selected_->first);
}

std::optional<double> TimelineBar::bookmarkAt(const QPointF& position) const {
  if (position.y() < kBarTop + kBarHeight || position.y() > kScaleTop + 4) return std::nullopt;
  std::optional<double> nearest;
  for (const double time : bookmarks_) {
    const qreal away = std::abs(xOf(time) - position.x());
    if (away <= kReach && (!nearest || away < std::abs(xOf(*nearest) - position.x()))) nearest = time;
  }
  return nearest;
}

TimelineBar::Drag TimelineBar::dragAt(const QPointF& position) const {
  if (view_ && position.y() >= kOverviewTop - 2) return Drag::Overview;
  if (view_ && position.y() >= kScaleTop + 4) return Drag::Pan;
  return Drag::Head;
}

void TimelineBar::mousePressEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  lastX_ = at.x();
  if (event->button() == Qt::MiddleButton) {
    drag_ = Drag::Pan;
    return setCursor(Qt::ClosedHandCursor);
  }
  if (event->button() != Qt::LeftButton) return;
  if (event->modifiers() & Qt::ShiftModifier) {
    drag_ = Drag::Range;
    rangeStart_ = timeAt(at.x());
    Q_EMIT rangeCleared();
    return;
  }
  if (const auto ends = rangeEndAt(at)) {
    drag_ = Drag::Range;
    rangeStart_ = ends->second;
    return;
  }
  if (const std::optional<double> bookmark = bookmarkAt(at)) {
    Q_EMIT dragged(*bookmark);
    return;
  }
  drag_ = dragAt(at);
  if (drag_ == Drag::Head) drag(at.x());
  if (drag_ == Drag::Pan) setCursor(Qt::ClosedHandCursor);
}

void TimelineBar::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() == Qt::NoButton) drag_ = Drag::None;  // released where nobody told
  const qreal x = event->position().x(), moved = x - std::exchange(lastX_, x);
  const auto [from, to] = view();
  const double room = std::max(width() - 2 * kMargin, 1.0);
  switch (drag_) {
    case Drag::Head:
      return drag(x);
    case Drag::Range:
      return dragRange(x);
    case Drag::Pan:
      return setView(from - moved * (to - from) / room, to - from);
    case Drag::Overview:
      return setView(from + moved * range_.end / room, to - from);
    case Drag::None:
      break;
  }
  hoveredAt_ = event->position();
  updateCursor(hoveredAt_);
  hover_.start(kHover_ms);
}

void TimelineBar::mouseReleaseEvent(QMouseEvent* event) {
  drag_ = Drag::None;
  updateCursor(event->position());
}

/// The selected range where one is meant, and back to the whole run.
void TimelineBar::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const double time = timeAt(event->position().x());
  if (view_)
    showAll();
  else if (selected_ && time > selected_->first && time < selected_->second)
    showStretch(selected_->first, selected_->second);
}

void TimelineBar::wheelEvent(QWheelEvent* event) {
  const QPoint delta = event->angleDelta();
  const auto [from, to] = view();
  const bool pans = (event->modifiers() & Qt::ShiftModifier) || std::abs(delta.x()) > std::abs(delta.y());
  if (pans)
    setView(from - (delta.x() + delta.y()) / 1200.0 * (to - from), to - from);
  else
    zoom(std::pow(kZoomPerNotch, delta.y() / 120.0), timeAt(event->position().x()));
  event->accept();
}

void TimelineBar::leaveEvent(QEvent* event) {
  hover_.stop();
  QWidget::leaveEvent(event);
}

/// The tooltip comes by hovered(), sooner than Qt's.
bool TimelineBar::event(QEvent* event) {
  return event->type() == QEvent::ToolTip || QWidget::event(event);
}

void TimelineBar::emitHovered() {
  const qreal x = hoveredAt_.x();
  if (x < kMargin - kReach || x > width() - kMargin + kReach) return;
  Q_EMIT hovered(timeAt(x - kReach), timeAt(x + kReach), mapToGlobal(hoveredAt_.toPoint()));
}

void TimelineBar::updateCursor(const QPointF& position) {
  if (rangeEndAt(position)) return setCursor(Qt::SizeHorCursor);
  const Drag drag = dragAt(position);
  setCursor(drag == Drag::Pan || drag == Drag::Overview ? Qt::OpenHandCursor : Qt::PointingHandCursor);
}

void TimelineBar::dragRange(qreal x) {
  const double now = std::min(timeAt(x), range_.newest);
  if (std::abs(xOf(now) - xOf(rangeStart_)) >= 2)
    Q_EMIT rangeDragged(std::min(now, rangeStart_), std::max(now, rangeStart_));
}

void TimelineBar::drag(qreal x) {
  if (x >= xOf(range_.newest) - kSnapToEnd)
    Q_EMIT draggedToEnd();
  else
    Q_EMIT dragged(timeAt(x));
}

}  // namespace slipstick::ui
