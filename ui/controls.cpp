#include "ui/controls.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QTextOption>
#include <algorithm>
#include <cmath>

#include "ui/icons.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kControlHeight = 29;
constexpr int kIcon = 16;
constexpr qreal kRadius = 7;

}  // namespace

QColor textColor() {
  return theme().text;
}
QColor secondaryColor() {
  return theme().secondary;
}
QColor faintColor() {
  return theme().faint;
}

bool isForFocus(const QKeyEvent& key) {
  const QWidget* focused = QApplication::focusWidget();
  if (!focused || (key.modifiers() & (Qt::ControlModifier | Qt::AltModifier))) return false;
  switch (key.key()) {
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      return true;
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return qobject_cast<const QAbstractButton*>(focused) != nullptr;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
      return qobject_cast<const QAbstractItemView*>(focused) != nullptr;
    default:
      return false;
  }
}

// ------------------------------------------------------------------------------------------- FlatButton

FlatButton::FlatButton(const QString& iconName, const QString& text, QWidget* parent)
    : QAbstractButton(parent), iconName_(iconName) {
  setText(text);
  setFocusPolicy(Qt::TabFocus);  // a click leaves the keys where they were
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
}

void FlatButton::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return click();
  QAbstractButton::keyPressEvent(event);
}

void FlatButton::setIconName(const QString& name) {
  if (name == iconName_) return;
  iconName_ = name;
  update();
}

void FlatButton::setAccent(bool accent) {
  if (accent == accent_) return;
  accent_ = accent;
  update();
}

void FlatButton::setQuiet(bool quiet) {
  quiet_ = quiet;
  update();
}

void FlatButton::setDot(const QColor& color) {
  if (color == dot_) return;
  dot_ = color;
  updateGeometry();
  update();
}

QSize FlatButton::sizeHint() const {
  if (text().isEmpty()) return {kControlHeight + 4, kControlHeight};
  const int lead = iconName_.isEmpty() ? (dot_.isValid() ? 14 : 0) : kIcon + 6;
  return {24 + lead + static_cast<int>(std::ceil(tabularWidth(QFontMetricsF(font()), text()))),
          kControlHeight};
}

void FlatButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& t = theme();
  const bool strong = (accent_ || isChecked()) && isEnabled();
  QColor ground = strong ? t.accent : quiet_ ? QColor(Qt::transparent) : t.raised;
  if (hovered_ && isEnabled()) ground = strong ? t.accent.lighter(110) : t.hover;
  if (isDown()) ground = ground.darker(112);
  const QColor ink = !isEnabled() ? t.faint : strong ? t.onAccent : quiet_ ? t.secondary : t.text;
  painter.setPen(Qt::NoPen);
  painter.setBrush(isEnabled() ? ground : t.panel);
  painter.drawRoundedRect(rect(), kRadius, kRadius);
  if (hasFocus()) {
    painter.setPen(QPen(t.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kRadius, kRadius);
    painter.setPen(Qt::NoPen);
  }

  QRectF content = QRectF(rect()).adjusted(12, 0, -12, 0);
  if (!iconName_.isEmpty()) {
    const qreal x = text().isEmpty() ? (width() - kIcon) / 2.0 : content.left();
    painter.drawPixmap(QPointF(x, (height() - kIcon) / 2.0), iconPixmap(iconName_, ink));
    content.setLeft(content.left() + kIcon + 6);
  } else if (dot_.isValid()) {
    painter.setBrush(isEnabled() ? dot_ : t.faint);
    painter.drawEllipse(QPointF(content.left() + 4, height() / 2.0), 4, 4);
    content.setLeft(content.left() + 14);
  }
  painter.setPen(ink);
  drawTabular(painter, content, Qt::AlignLeft, text());
}

void FlatButton::enterEvent(QEnterEvent* event) {
  hovered_ = true;
  QAbstractButton::enterEvent(event);
  update();
}

void FlatButton::leaveEvent(QEvent* event) {
  hovered_ = false;
  QAbstractButton::leaveEvent(event);
  update();
}

// ------------------------------------------------------------------------------------------------- Chip

Chip::Chip(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Chip::setText(const QString& text) {
  if (text == text_) return;
  text_ = text;
  updateGeometry();
  update();
}

QSize Chip::sizeHint() const {
  return {22 + static_cast<int>(std::ceil(tabularWidth(QFontMetricsF(font()), text_))), 25};
}

void Chip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().raised);
  painter.drawRoundedRect(rect(), kRadius, kRadius);
  painter.setPen(theme().secondary);
  drawTabular(painter, QRectF(rect()).adjusted(11, 0, -11, 0), Qt::AlignLeft, text_);
}

// ------------------------------------------------------------------------------------------------ Field

Field::Field(const QString& placeholder, QWidget* parent) : QLineEdit(parent) {
  setPlaceholderText(placeholder);
  setAccessibleName(placeholder);
  setAttribute(Qt::WA_MacShowFocusRect, false);
}

bool Field::event(QEvent* event) {
  // The window uses Tab, Backspace and the arrows as shortcuts; in a field they edit.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (!(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) && key->key() < Qt::Key_F1) {
      event->accept();
      return true;
    }
  }
  return QLineEdit::event(event);
}

void Field::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    clearFocus();
    return;
  }
  QLineEdit::keyPressEvent(event);
}

NumberField::NumberField(QWidget* parent) : Field({}, parent) {
  setAlignment(Qt::AlignRight);
  connect(this, &QLineEdit::editingFinished, this, &NumberField::commit);
}

bool NumberField::event(QEvent* event) {
  const bool isForWindow = event->type() == QEvent::ShortcutOverride && !isModified() &&
                           static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space;
  if (!isForWindow) return Field::event(event);
  event->ignore();
  return false;
}

void NumberField::resizeEvent(QResizeEvent* event) {
  Field::resizeEvent(event);
  if (!isModified()) showValue();
}

void NumberField::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) showValue();
  if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
    commit();
    Q_EMIT stepped(event->key() == Qt::Key_Up ? 1 : -1, event->modifiers());
    selectAll();
    return;
  }
  Field::keyPressEvent(event);
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) selectAll();
}

void NumberField::setValue(double value) {
  value_ = value;
  if (!isModified()) showValue();
}

void NumberField::setUnset(const QString& inForce) {
  value_ = std::numeric_limits<double>::quiet_NaN();
  setPlaceholderText(inForce);
  if (!isModified()) showValue();
}

void NumberField::showValue() {
  const QString shown = textOf(value_);
  if (shown != text()) setText(shown);
  setModified(false);
}

/// With as many digits as have room, six at most: a number of which a part is hidden is another one.
QString NumberField::textOf(double value) const {
  constexpr int kMaxDigits = 6, kLeastDigits = 3;
  constexpr int kMargins = 12;  // of the style sheet, and where the cursor stands
  if (std::isnan(value)) return {};
  if (std::isinf(value)) return QString::fromUtf8(value > 0 ? "∞" : "−∞");
  QString text;
  for (int digits = kMaxDigits; digits >= kLeastDigits; --digits) {
    text = QString::number(value, 'g', digits);
    if (fontMetrics().horizontalAdvance(text) + kMargins <= width()) break;
  }
  return text;
}

// What was not typed is not taken: the six digits that are shown are not the number.
void NumberField::commit() {
  if (!isModified()) return;
  QString typed = text().trimmed();
  if (!unit_.isEmpty() && typed.endsWith(unit_)) typed = typed.chopped(unit_.size()).trimmed();
  bool valid = false;
  const double value = QString(typed)
                           .replace(QChar(0x2212), '-')
                           .replace(QChar(0x221E), "inf")
                           .replace(',', '.')
                           .toDouble(&valid);
  setModified(false);
  if (typed.isEmpty()) {
    const bool hadValue = !std::isnan(value_);
    if (hadValue) Q_EMIT cleared();
  } else if (!valid || std::isnan(value)) {
    Q_EMIT refused(typed);
  } else if (value != value_) {
    Q_EMIT entered(value);
  }
  showValue();
}

// ------------------------------------------------------------------------------------------- ValueLabel

ValueLabel::ValueLabel(Qt::Alignment alignment, QWidget* parent)
    : QWidget(parent), alignment_(alignment), color_(textColor) {}

void ValueLabel::setText(const QString& text) {
  if (text == text_) return;
  const bool wider = text.size() != text_.size();
  text_ = text;
  if (wider) updateGeometry();
  update();
}

void ValueLabel::setRole(QColor (*color)()) {
  color_ = color;
  update();
}

QSize ValueLabel::sizeHint() const {
  const QFontMetricsF metrics(font());
  return {static_cast<int>(std::ceil(tabularWidth(metrics, text_))), static_cast<int>(metrics.height()) + 2};
}

void ValueLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(color_());
  drawTabular(painter, rect(), alignment_, text_);
}

ThemedLabel::ThemedLabel(const QString& text, QColor (*color)(), QWidget* parent)
    : QLabel(text, parent), color_(color) {}

void ThemedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(color_());
  QTextOption option(alignment());
  option.setWrapMode(wordWrap() ? QTextOption::WrapAtWordBoundaryOrAnywhere : QTextOption::NoWrap);
  painter.drawText(contentsRect(), text(), option);
}

// ------------------------------------------------------------------------------------------------ Panel

Panel::Panel(const QString& title, const QString& name, QWidget* parent) : QDockWidget(title, parent) {
  setObjectName(name);
  setFeatures(DockWidgetMovable | DockWidgetFloatable | DockWidgetClosable);
  header_ = new QWidget(this);
  auto* row = new QHBoxLayout(header_);
  row->setContentsMargins(kSpace * 3 / 2, kSpace, kSpace * 3 / 2, kSpace * 3 / 4);
  row->setSpacing(kSpace);
  auto* label = new ThemedLabel(title, secondaryColor, header_);
  label->setFont(textFont(600));
  subtitle_ = new ValueLabel(Qt::AlignLeft, header_);
  subtitle_->setRole(faintColor);
  subtitle_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  row->addWidget(label);
  row->addWidget(subtitle_, 1);
  row->addStrut(28);  // docks ask the layout for the height, whatever the header holds
  header_->setAutoFillBackground(true);
  header_->setBackgroundRole(QPalette::Base);
  setTitleBarWidget(header_);
}

bool Panel::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && isForFocus(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  return QDockWidget::event(event);
}

bool Panel::takeFocus() {
  const auto takes = [](const QWidget* w) {
    return (w->focusPolicy() & Qt::TabFocus) && w->isEnabled() && w->isVisible();
  };
  QWidget* first = nullptr;
  for (QWidget* w : findChildren<QWidget*>()) {
    if (!takes(w)) continue;
    if (qobject_cast<QAbstractItemView*>(w)) {
      first = w;
      break;
    }
    const bool isContent = widget() && widget()->isAncestorOf(w);
    if (!first && isContent) first = w;
  }
  for (QWidget* w : findChildren<QWidget*>())
    if (!first && takes(w)) first = w;
  if (first) first->setFocus(Qt::TabFocusReason);
  return first != nullptr;
}

void Panel::setSubtitle(const QString& text) {
  subtitle_->setText(text);
}

void Panel::addToHeader(QWidget* widget) {
  header_->layout()->addWidget(widget);
}

}  // namespace slipstick::ui
