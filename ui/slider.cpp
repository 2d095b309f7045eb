#include "ui/slider.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kSteps = 10000;
constexpr qreal kKnob = 6;  // radius [px]

}  // namespace

Slider::Slider(double lower, double upper, QWidget* parent)
    : QAbstractSlider(parent), lower_(lower), upper_(upper) {
  setRange(0, kSteps);
  setSingleStep(kSteps / 100);
  setPageStep(kSteps / 10);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

double Slider::number() const {
  return lower_ + (upper_ - lower_) * value() / kSteps;
}

int Slider::stepsOf(double number) const {
  return static_cast<int>(std::lround(std::clamp((number - lower_) / (upper_ - lower_), 0.0, 1.0) * kSteps));
}

void Slider::setNumber(double number) {
  if (isSliderDown()) return;
  const QSignalBlocker quiet(this);
  setValue(stepsOf(number));
  update();
}

void Slider::setActual(double number) {
  if (actual_ == number) return;
  actual_ = number;
  update();
}

qreal Slider::xOf(double number) const {
  const double share = std::clamp((number - lower_) / (upper_ - lower_), 0.0, 1.0);
  return kKnob + 1 + share * (width() - 2 * (kKnob + 1));
}

void Slider::moveTo(qreal x) {
  const qreal share = (x - kKnob - 1) / std::max<qreal>(1, width() - 2 * (kKnob + 1));
  setValue(static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kSteps)));
  Q_EMIT moved(number());
}

void Slider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  setSliderDown(true);
  moveTo(event->position().x());
}

void Slider::mouseMoveEvent(QMouseEvent* event) {
  if (isSliderDown()) moveTo(event->position().x());
}

void Slider::mouseReleaseEvent(QMouseEvent*) {
  setSliderDown(false);
}

void Slider::keyPressEvent(QKeyEvent* event) {
  const int before = value();
  QAbstractSlider::keyPressEvent(event);
  if (value() != before) Q_EMIT moved(number());
}

bool Slider::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {  // the window's arrows step through time
    const int key = static_cast<QKeyEvent*>(event)->key();
    if ((key >= Qt::Key_Home && key <= Qt::Key_PageDown) || key == Qt::Key_Tab || key == Qt::Key_Backtab) {
      event->accept();
      return true;
    }
  }
  if (event->type() == QEvent::Wheel) {  // the list scrolls, it does not move the robot
    event->ignore();
    return false;
  }
  return QAbstractSlider::event(event);
}

void Slider::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& t = theme();
  const qreal y = height() / 2.0, x = xOf(number());
  painter.setPen(Qt::NoPen);
  painter.setBrush(t.raised);
  painter.drawRoundedRect(QRectF(1, y - 2, width() - 2, 4), 2, 2);
  const qreal zero = xOf(std::clamp(0.0, lower_, upper_));
  painter.setBrush(t.accent);
  painter.drawRoundedRect(QRectF(std::min(zero, x), y - 2, std::abs(x - zero), 4), 2, 2);
  if (actual_) {
    painter.setBrush(t.text);
    painter.drawRoundedRect(QRectF(xOf(*actual_) - 1, y - 8, 2, 16), 1, 1);
  }
  painter.setPen(hasFocus() ? QPen(t.text, 2) : QPen(t.panel, 1.5));
  painter.setBrush(isEnabled() ? t.accent : t.faint);
  painter.drawEllipse(QPointF(x, y), kKnob, kKnob);
}

}  // namespace slipstick::ui
