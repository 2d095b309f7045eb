#include "ui/banner.h"

#include <QHBoxLayout>
#include <QPainter>
#include <utility>

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
  action_ = new FlatButton({}, {});
  action_->setAccent(true);
  action_->hide();
  otherwise_ = new FlatButton({}, {});
  otherwise_->hide();
  auto* close = new FlatButton("close", {});
  close->setToolTip(tr("Close"));
  close->setAccessibleName(tr("Close this message"));
  row->setSpacing(kSpace);
  row->addWidget(text_, 1);
  row->addWidget(action_, 0, Qt::AlignTop);
  row->addWidget(otherwise_, 0, Qt::AlignTop);
  row->addWidget(close, 0, Qt::AlignTop);
  connect(close, &FlatButton::clicked, this, &QWidget::hide);
  connect(action_, &FlatButton::clicked, this, [this] {
    hide();
    if (const auto then = std::exchange(then_, {})) then();
  });
  connect(otherwise_, &FlatButton::clicked, this, [this] {
    hide();
    if (const auto then = std::exchange(orElse_, {})) then();
  });
  hide();
}

void Banner::show(const QString& text) {
  text_->setText(text);
  action_->hide();
  otherwise_->hide();
  QWidget::show();
}

void Banner::offer(const QString& action, std::function<void()> then, const QString& otherwise,
                   std::function<void()> orElse) {
  then_ = std::move(then);
  orElse_ = std::move(orElse);
  action_->setText(action);
  action_->updateGeometry();
  action_->show();
  otherwise_->setText(otherwise);
  otherwise_->updateGeometry();
  otherwise_->setVisible(!otherwise.isEmpty());
}

void Banner::withdraw(const QString& action) {
  if (offers() && action_->text() == action) hide();
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
