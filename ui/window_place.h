// Where a window goes, on the screens that there are now.
#pragma once

#include <QList>
#include <QRect>

namespace slipstick::ui {

/// The place that is wanted, made no larger than the screen that it lies on most, and moved wholly onto that; where it lies
/// on none, onto the first. A screen with another scale has other logical pixels, and so another size.
/// @param screens  what each leaves to windows; not empty [logical px]
QRect placeOnScreens(const QRect& wanted, const QList<QRect>& screens);

/// The same for a window that is on the screen or about to be, with room for its title bar. Maximised ones are left alone.
void keepOnScreens(class QWidget& window);

}  // namespace slipstick::ui
