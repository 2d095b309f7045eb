#include "ui/driving_keys.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>

namespace slipstick::ui {
namespace {

bool takesText(const QWidget* widget) {
  return qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
         qobject_cast<const QComboBox*>(widget);
}

/// Whoever came to a button by Tab clicks it with Return, as everywhere.
bool isForButton(const QKeyEvent& key) {
  return (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) &&
         qobject_cast<const QAbstractButton*>(QApplication::focusWidget());
}

}  // namespace

DrivingKeys::DrivingKeys(Driving& driving, QWidget& window) : driving_(driving), window_(window) {
  qApp->installEventFilter(this);
}

bool DrivingKeys::eventFilter(QObject* receiver, QEvent* event) {
  const QEvent::Type type = event->type();
  // Keys that are let go of elsewhere are never heard of again.
  if (type == QEvent::WindowDeactivate && receiver == &window_) driving_.releaseKeys();
  const bool isKey =
      type == QEvent::ShortcutOverride || type == QEvent::KeyPress || type == QEvent::KeyRelease;
  if (!isKey || !driving_.isOn()) return false;
  const auto* widget = qobject_cast<QWidget*>(receiver);
  if (!widget || widget->window() != &window_) return false;
  const auto& key = *static_cast<QKeyEvent*>(event);
  if (type == QEvent::KeyRelease) return driving_.take(key);
  if (type == QEvent::ShortcutOverride) isTyped_ = false;
  isTyped_ |= takesText(widget);
  if (isTyped_ || isForButton(key) || !driving_.wouldTake(key)) return false;
  if (type == QEvent::ShortcutOverride) {
    event->accept();
    return true;
  }
  return driving_.take(key);
}

}  // namespace slipstick::ui
