#include "ui/choices.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/icons.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kHeight = 27;
constexpr qreal kRadius = 6;
constexpr int kGap = 6;

}  // namespace

// ----------------------------------------------------------------------------------------------- Toggle

Toggle::Toggle(const QString& text, QWidget* parent) : QAbstractButton(parent) {
  setText(text);
  setAccessibleName(text);
  setCheckable(true);
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
}

void Toggle::setRounded(bool left, bool right) {
  left_ = left;
  right_ = right;
}

QSize Toggle::sizeHint() const {
  return {22 + static_cast<int>(std::ceil(tabularWidth(QFontMetricsF(textFont(500)), text()))), kHeight};
}

void Toggle::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF ground = QRectF(rect()).adjusted(left_ ? 1 : 0, 1, right_ ? -1 : 0, -1);
  QPainterPath path;
  path.setFillRule(Qt::WindingFill);
  path.addRoundedRect(ground, kRadius, kRadius);
  if (!left_) path.addRect(QRectF(ground.topLeft(), QSizeF(kRadius, ground.height())));
  if (!right_) path.addRect(QRectF(ground.right() - kRadius, ground.top(), kRadius, ground.height()));
  const bool isOn = isChecked() && isEnabled();
  const bool isOver = underMouse() && isEnabled();
  painter.fillPath(path.simplified(), isOn ? t.selection : isOver || isChecked() ? t.hover : t.raised);
  if (hasFocus()) {
    painter.setPen(QPen(t.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), kRadius, kRadius);
  }
  painter.setFont(textFont(isOn ? 500 : 400));
  painter.setPen(!isEnabled() ? t.faint : isOn ? t.text : t.secondary);
  painter.drawText(rect(), Qt::AlignCenter, text());
}

// --------------------------------------------------------------------------------------------- Segments

Segments::Segments(const QString& name, const QStringList& texts, QWidget* parent) : QWidget(parent) {
  setAccessibleName(name);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(1);
  for (const QString& text : texts) {
    auto* button = new Toggle(text);
    button->setAutoExclusive(true);
    button->setAccessibleName(name + ": " + text);
    button->setRounded(buttons_.empty(), static_cast<qsizetype>(buttons_.size()) + 1 == texts.size());
    const int index = static_cast<int>(buttons_.size());
    connect(button, &QAbstractButton::clicked, this, [this, index] { Q_EMIT chosen(index); });
    row->addWidget(button);
    buttons_.push_back(button);
  }
  row->addStretch(1);
  buttons_.front()->setChecked(true);
}

int Segments::index() const {
  const auto found =
      std::find_if(buttons_.begin(), buttons_.end(), [](const Toggle* b) { return b->isChecked(); });
  return static_cast<int>(found - buttons_.begin());
}

void Segments::setIndex(int index) {
  buttons_[static_cast<std::size_t>(index)]->setChecked(true);
}

// ------------------------------------------------------------------------------------------- ChoiceList

ChoiceList::ChoiceList(const QString& name, const QStringList& texts, QWidget* parent) : QComboBox(parent) {
  setAccessibleName(name);
  view()->setAccessibleName(name);
  addItems(texts);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setMaxVisibleItems(16);
}

QSize ChoiceList::sizeHint() const {
  qreal widest = 0;
  for (int i = 0; i < count(); ++i)
    widest = std::max(widest, tabularWidth(QFontMetricsF(font()), itemText(i)));
  return {46 + static_cast<int>(std::ceil(widest)), kHeight};
}

void ChoiceList::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(hasFocus() ? t.accent : t.line, hasFocus() ? 1.5 : 1));
  painter.setBrush(t.field);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), kRadius, kRadius);
  painter.setPen(isEnabled() ? t.text : t.faint);
  drawTabular(painter, QRectF(rect()).adjusted(10, 0, -24, 0), Qt::AlignLeft, currentText());
  painter.drawPixmap(QPointF(width() - 23, (height() - 16) / 2.0),
                     iconPixmap("chevron-down", isEnabled() ? t.secondary : t.faint));
}

/// A wheel over it is for the page that it stands on.
void ChoiceList::wheelEvent(QWheelEvent* event) {
  event->ignore();
}

// ------------------------------------------------------------------------------------------- ToggleFlow

ToggleFlow::ToggleFlow(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

Toggle* ToggleFlow::add(const QString& text) {
  auto* toggle = new Toggle(text, this);
  toggles_.push_back(toggle);
  connect(toggle, &QAbstractButton::toggled, this, &ToggleFlow::toggled);
  updateGeometry();
  return toggle;
}

QSize ToggleFlow::sizeHint() const {
  constexpr int kUsual = 460;
  return {kUsual, layOut(kUsual, false)};
}

void ToggleFlow::resizeEvent(QResizeEvent*) {
  layOut(width(), true);
}

int ToggleFlow::layOut(int width, bool moves) const {
  int x = 0, y = 0;
  for (Toggle* toggle : toggles_) {
    const QSize size = toggle->sizeHint();
    if (x > 0 && x + size.width() > width) {
      x = 0;
      y += kHeight + kGap;
    }
    if (moves) toggle->setGeometry(QRect(QPoint(x, y), size));
    x += size.width() + kGap;
  }
  return toggles_.empty() ? 0 : y + kHeight;
}

}  // namespace slipstick::ui
