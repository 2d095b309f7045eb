#include "ui/plot_strip.h"

#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/controls.h"

namespace slipstick::ui {
namespace {

constexpr int kGreatestHeight = 170, kCloseSize = 18;
constexpr double kNotch = 1.25;  // zoom of a wheel's notch

}  // namespace

PlotStrip::PlotStrip(std::uint64_t plot, QWidget* parent) : QWidget(parent), plot_(plot) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setMaximumHeight(kGreatestHeight);
  setCursor(Qt::SplitHCursor);
  setFocusPolicy(Qt::StrongFocus);
  setAcceptDrops(true);
  close_ = new FlatButton("close", {}, this);
  close_->setToolTip(tr("Close this plot (Del)"));
  close_->setAccessibleName(tr("close plot"));
  setAccessibleName(tr("plot"));  // until it has data that say of what
  close_->setFocusPolicy(Qt::NoFocus);
  close_->setCursor(Qt::ArrowCursor);
  connect(close_, &FlatButton::clicked, this, &PlotStrip::closed);
}

QSize PlotStrip::sizeHint() const {
  return {320, PlotPainter::kHeight + (timesShown_ ? PlotPainter::kTimesHeight : 0)};
}

void PlotStrip::setData(PlotData data) {
  const std::uint64_t steps = data.stepCount();
  if (data == data_ && steps == steps_) return;
  data_ = std::move(data);
  steps_ = steps;
  setAccessibleName(
      tr("plot of %1")
          .arg(data_.title.isEmpty() && !data_.lines.empty() ? data_.lines.front().name : data_.title));
  update();
}

void PlotStrip::setWindow(const PlotWindow& window) {
  if (window == window_) return;
  window_ = window;
  update();
}

void PlotStrip::setTimesShown(bool shown) {
  if (shown == timesShown_) return;
  timesShown_ = shown;
  updateGeometry();
  update();
}

void PlotStrip::setChangeable(bool changeable) {
  changeable_ = changeable;
  setAcceptDrops(changeable);
  close_->setVisible(changeable);
}

/// The close button has its own column at the right end of the head.
PlotPainter PlotStrip::painter() const {
  return {data_, window_, QRectF(rect()), timesShown_, theme(), changeable_ ? kCloseSize + 8.0 : 0};
}

qreal PlotStrip::xOf(double time) const {
  return painter().xOf(time);
}

double PlotStrip::timeAt(qreal x) const {
  return painter().timeAt(x);
}

QString PlotStrip::reading() const {
  QStringList words;
  for (const PlotPainter::Reading& r : painter().readings()) words << r.text;
  return words.join(", ");
}

QString PlotStrip::spectrumReading() const {
  return painter().spectrumReading();
}

void PlotStrip::paintEvent(QPaintEvent*) {
  QPainter canvas(this);
  canvas.setRenderHint(QPainter::Antialiasing);
  if (dropsHere_ || hasFocus()) {
    canvas.setPen(QPen(theme().accent, dropsHere_ ? 2 : 1));
    canvas.setBrush(Qt::NoBrush);
    canvas.drawRoundedRect(QRectF(rect()).adjusted(3, 1, -3, -1), 6, 6);
  }
  painter().paint(canvas);
}

void PlotStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  close_->setGeometry(width() - kCloseSize - 2, 2, kCloseSize, kCloseSize);
}

// --------------------------------------------------------------------------------------------------- input

void PlotStrip::mousePressEvent(QMouseEvent* event) {
  const double time = timeAt(event->position().x());
  if (event->button() == Qt::MiddleButton) panStart_ = time;
  if (event->button() != Qt::LeftButton) return;
  rangeStart_.reset();
  if (event->modifiers() & Qt::ShiftModifier)
    rangeStart_ = time;
  else
    Q_EMIT dragged(time);
}

void PlotStrip::mouseMoveEvent(QMouseEvent* event) {
  const double time = timeAt(event->position().x());
  if ((event->buttons() & Qt::MiddleButton) && panStart_) Q_EMIT panned(*panStart_ - time);
  if (!(event->buttons() & Qt::LeftButton)) return;
  if (rangeStart_)
    Q_EMIT selected({std::min(*rangeStart_, time), std::max(*rangeStart_, time)});
  else
    Q_EMIT dragged(time);
}

void PlotStrip::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) Q_EMIT wholeRunWanted();
}

/// A plain wheel scrolls the panel.
void PlotStrip::wheelEvent(QWheelEvent* event) {
  const double notches = event->angleDelta().y() / 120.0, sideways = event->angleDelta().x() / 120.0;
  const double width = window_.to - window_.from;
  if (event->modifiers() & Qt::ControlModifier)
    Q_EMIT zoomed(std::pow(kNotch, notches), timeAt(event->position().x()));
  else if (event->modifiers() & Qt::ShiftModifier)
    Q_EMIT panned(-0.1 * width * (notches + sideways));
  else if (std::abs(sideways) > std::abs(notches))
    Q_EMIT panned(-0.1 * width * sideways);
  else
    return event->ignore();
  event->accept();
}

/// Keys that this plot takes before the window's menus do.
bool PlotStrip::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->modifiers() == Qt::ControlModifier &&
        (key->key() == Qt::Key_Plus || key->key() == Qt::Key_Equal || key->key() == Qt::Key_Minus ||
         key->key() == Qt::Key_0))
      event->accept();
  }
  return QWidget::event(event);
}

void PlotStrip::keyPressEvent(QKeyEvent* event) {
  const bool control = event->modifiers() & Qt::ControlModifier;
  if (event->key() == Qt::Key_Delete && changeable_) return Q_EMIT closed();
  if (control && (event->key() == Qt::Key_Plus || event->key() == Qt::Key_Equal))
    return Q_EMIT zoomed(kNotch, window_.cursor);
  if (control && event->key() == Qt::Key_Minus) return Q_EMIT zoomed(1 / kNotch, window_.cursor);
  if (control && event->key() == Qt::Key_0) return Q_EMIT wholeRunWanted();
  QWidget::keyPressEvent(event);
}

void PlotStrip::contextMenuEvent(QContextMenuEvent* event) {
  changeable_ ? Q_EMIT menuWanted(event->globalPos()) : event->ignore();
}

void PlotStrip::dragEnterEvent(QDragEnterEvent* event) {
  if (plotsIn(*event->mimeData()).empty()) return;
  dropsHere_ = true;
  update();
  event->acceptProposedAction();
}

void PlotStrip::dragLeaveEvent(QDragLeaveEvent*) {
  dropsHere_ = false;
  update();
}

void PlotStrip::dropEvent(QDropEvent* event) {
  dropsHere_ = false;
  update();
  event->acceptProposedAction();
  Q_EMIT dropped(plotsIn(*event->mimeData()));
}

}  // namespace slipstick::ui
