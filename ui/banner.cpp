#include "ui/banner.h"

#include <QHBoxLayout>
#include <QPainter>

#include "ui/controls.h"
#include "ui/icons.h"
#include "ui/theme.h"

namespace slipstick::ui {

Banner::Banner(QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(5 * kSpace, kSpace, kSpace, kSpace);
  text_ = new QLabel;
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* close = new FlatButton("close", {});
  row->addWidget(text_, 1);
  row->addWidget(close, 0, Qt::AlignTop);
  connect(close, &FlatButton::clicked, this, &QWidget::hide);
  hide();
}

void Banner::show(const QString& text) {
  text_->setText(text);
  QWidget::show();
}

void Banner::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QColor ground = theme().error;
  ground.setAlphaF(0.14f);
  painter.fillRect(rect(), theme().panel);
  painter.fillRect(rect(), ground);
  painter.fillRect(QRect(0, 0, 3, height()), theme().error);
  painter.drawPixmap(QPointF(16, kSpace + 6), iconPixmap("error", theme().error));
}

}  // namespace slipstick::ui
