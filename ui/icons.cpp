#include "ui/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include "engine/foundation/require.h"
#include "ui/theme.h"

namespace slipstick::ui {

QPixmap iconPixmap(const QString& name, const QColor& color, int size) {
  const qreal ratio = qApp->devicePixelRatio();
  const QString key = QString("%1/%2/%3/%4").arg(name, color.name()).arg(size).arg(ratio);
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;

  QFile file(":/slipstick/icons/" + name + ".svg");
  SIM_REQUIRE(file.open(QIODevice::ReadOnly), name.toStdString());
  const QByteArray svg = file.readAll().replace("currentColor", color.name().toLatin1());
  pixmap = QPixmap(QSize(size, size) * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  QSvgRenderer(svg).render(&painter, QRectF(0, 0, size, size));
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

void drawContactMark(QPainter& painter, const QPointF& center, ContactMark mark) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  if (mark == ContactMark::Stick) {
    painter.setBrush(theme().stick);
    painter.drawEllipse(center, 4, 4);
  } else if (mark == ContactMark::Slip) {
    painter.setPen(QPen(theme().slip, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(center, 3.2, 3.2);
  } else {
    painter.setBrush(theme().faint);
    painter.drawEllipse(center, 2, 2);
  }
  painter.restore();
}

}  // namespace slipstick::ui
