// What a person does with a mouse, on real widgets: drags, drags out of one panel into another, menus, names that are
// asked for.
#pragma once

#include <QApplication>
#include <QDrag>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPointer>
#include <QTest>
#include <QTimer>

#include "tests/ui/program/studio_fixture.h"

namespace slipstick::testing {

inline void sendMouse(QWidget& widget, QEvent::Type type, const QPointF& at, Qt::MouseButton button,
                      Qt::MouseButtons held, Qt::KeyboardModifiers modifiers = {}) {
  QMouseEvent event(type, at, widget.mapToGlobal(at), button, held, modifiers);
  QCoreApplication::sendEvent(&widget, &event);
}

/// To and fro with a button held, in steps; stops where the widget goes.
inline void dragOver(QWidget& over, const QPointF& from, const QPointF& to, Qt::MouseButton button,
                     Qt::KeyboardModifiers modifiers = {}) {
  constexpr int kMoves = 6;
  const QPointer<QWidget> widget(&over);
  sendMouse(over, QEvent::MouseButtonPress, from, button, button, modifiers);
  for (int i = 1; i <= kMoves && widget; ++i) {
    sendMouse(*widget, QEvent::MouseMove, from + (to - from) * i / kMoves, Qt::NoButton, button, modifiers);
    if (i % 2 == 0) QCoreApplication::processEvents(QEventLoop::AllEvents, 2);
  }
  if (widget) sendMouse(*widget, QEvent::MouseButtonRelease, to, button, Qt::NoButton, modifiers);
}

/// Out of one widget into another. While something is in the pointer's hand, Qt runs a loop of its own.
inline void dragAndDrop(QWidget& from, const QPoint& at, QWidget& onto, const QPoint& there) {
  QWidget& window = *onto.window();
  const QPointF to = onto.mapTo(&window, there);
  int turn = 0;
  QTimer hand;
  QObject::connect(&hand, &QTimer::timeout, [&] {
    ++turn;
    if (turn < 6)
      sendMouse(window, QEvent::MouseMove, to + QPointF(turn, 0), Qt::NoButton, Qt::LeftButton);
    else if (turn == 6)
      sendMouse(window, QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
    else if (turn > 50)
      QDrag::cancel();  // it was not taken
  });
  hand.start(20);
  sendMouse(from, QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton);
  for (int i = 1; i < 4; ++i)
    sendMouse(from, QEvent::MouseMove, at + QPoint(8 * i, 8 * i), Qt::NoButton, Qt::LeftButton);
  sendMouse(from, QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton);
}

/// Clicks through the menu that is open, from text to text. @return whether they were there
inline bool chooseFromMenu(const QStringList& texts) {
  for (const QString& text : texts) {
    QMenu* menu = nullptr;
    QAction* found = nullptr;
    const bool isThere = ui::eventually([&] {
      menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (!menu) return false;
      for (QAction* action : menu->actions())
        if (action->text().contains(text)) found = action;
      return found != nullptr;
    });
    if (!isThere) return false;
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(found).center());
  }
  return true;
}

/// Types the name that a dialog asks for.
inline bool enterName(const char* name) {
  QLineEdit* line = nullptr;
  const bool isAsked = ui::eventually([&] {
    auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
    line = dialog ? dialog->findChild<QLineEdit*>() : nullptr;
    return line != nullptr;
  });
  if (!isAsked) return false;
  line->selectAll();
  QTest::keyClicks(line, name);
  QTest::keyClick(line, Qt::Key_Return);
  return true;
}

}  // namespace slipstick::testing
