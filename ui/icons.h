// The studio's own line-drawn icons, 16 × 16, coloured when they are asked for.
#pragma once

#include <QColor>
#include <QPixmap>
#include <QString>

namespace slipstick::ui {

/// Icon `name` (file ui/icons/name.svg) in one colour. Cached. `size` in logical px.
QPixmap iconPixmap(const QString& name, const QColor& color, int size = 16);

/// The contact state as everywhere: a disc sticks, a ring slips, a faint dot is open.
enum class ContactMark { Stick, Slip, Open };
void drawContactMark(class QPainter& painter, const class QPointF& center, ContactMark mark);

}  // namespace slipstick::ui
