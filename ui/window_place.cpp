#include "ui/window_place.h"

#include <QGuiApplication>
#include <QScreen>
#include <QStyle>
#include <QWidget>
#include <algorithm>

namespace slipstick::ui {
namespace {

qint64 areaOf(const QRect& rect) {
  return rect.isEmpty() ? 0 : qint64{rect.width()} * rect.height();
}

/// Of the frame: what the desktop will put around the window where it is not there yet.
QMargins frameOf(const QWidget& window) {
  if (const QRect frame = window.frameGeometry(); window.isVisible() && frame != window.geometry()) {
    const QRect inner = window.geometry();
    return {inner.left() - frame.left(), inner.top() - frame.top(), frame.right() - inner.right(),
            frame.bottom() - inner.bottom()};
  }
  return {0, window.style()->pixelMetric(QStyle::PM_TitleBarHeight), 0, 0};
}

}  // namespace

QRect placeOnScreens(const QRect& wanted, const QList<QRect>& screens) {
  QRect screen = screens.front();
  for (const QRect& other : screens)
    if (areaOf(other & wanted) > areaOf(screen & wanted)) screen = other;
  const QSize size = wanted.size().boundedTo(screen.size());
  const int x = std::clamp(wanted.x(), screen.left(), screen.right() + 1 - size.width());
  const int y = std::clamp(wanted.y(), screen.top(), screen.bottom() + 1 - size.height());
  return {QPoint(x, y), size};
}

void keepOnScreens(QWidget& window) {
  if (window.windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen)) return;
  QList<QRect> screens;
  if (const QScreen* primary = QGuiApplication::primaryScreen()) screens << primary->availableGeometry();
  for (const QScreen* screen : QGuiApplication::screens()) screens << screen->availableGeometry();
  if (screens.empty()) return;
  const QMargins frame = frameOf(window);
  const QRect wanted = window.geometry() + frame;
  const QRect place = placeOnScreens(wanted, screens);
  if (place != wanted) window.setGeometry(place - frame);
}

}  // namespace slipstick::ui
