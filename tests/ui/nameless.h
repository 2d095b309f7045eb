// For people who cannot see the window: what the keyboard reaches has a name.
#pragma once

#include <QAccessible>
#include <QApplication>
#include <QWidget>

namespace slipstick::testing {

/// Widgets that take the focus and say nothing of themselves, by their classes from the outside in.
inline QStringList namelessIn(const QWidget& window) {
  QApplication::processEvents();  // what is new is named once it is whole
  QStringList nameless;
  for (QWidget* widget : window.findChildren<QWidget*>()) {
    if (!(widget->focusPolicy() & Qt::TabFocus) || widget->isHidden()) continue;
    if (!widget->accessibleName().isEmpty()) continue;  // or what it shows serves as one
    QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
    if (accessible && !accessible->text(QAccessible::Name).isEmpty()) continue;
    QString path = widget->metaObject()->className();
    for (const QWidget* up = widget->parentWidget(); up; up = up->parentWidget())
      path = QString(up->metaObject()->className()) + "/" + path;
    nameless << path;
  }
  return nameless;
}

}  // namespace slipstick::testing
