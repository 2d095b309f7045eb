#include "ui/floating_card.h"

#include <QEvent>
#include <QLayout>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kBarSteps = 1000;

}  // namespace

FloatingCard::FloatingCard(QWidget* over, Edge edge, int width, const QString& barName)
    : QWidget(over), edge_(edge), width_(width), bar_(new QProgressBar(this)) {
  bar_->setTextVisible(false);
  bar_->setFixedHeight(4);
  bar_->setAccessibleName(barName);
  hide();
  over->installEventFilter(this);
}

void FloatingCard::showFraction(double fraction) {
  bar_->setRange(0, fraction < 0 ? 0 : kBarSteps);
  if (fraction >= 0) bar_->setValue(static_cast<int>(std::lround(std::min(fraction, 1.0) * kBarSteps)));
}

void FloatingCard::appear() {
  place();
  show();
  raise();
}

void FloatingCard::place() {
  const QWidget& over = *parentWidget();
  const int width = std::min(width_, over.width() - 4 * kSpace);
  layout()->activate();
  resize(width, std::max(sizeHint().height(), layout()->heightForWidth(width)));
  const int top =
      edge_ == Edge::Top ? std::max(kSpace, over.height() / 6) : over.height() - height() - 2 * kSpace;
  move((over.width() - width) / 2, top);
}

bool FloatingCard::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && isVisible()) place();
  return QWidget::eventFilter(watched, event);
}

void FloatingCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().line, 1));
  painter.setBrush(theme().panel);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 9, 9);
}

}  // namespace slipstick::ui
