#include "ui/plot_drag.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QDrag>
#include <QMouseEvent>
#include <QPainter>

#include "ui/plot_list.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

QPixmap pictureOf(const QString& text, qreal ratio) {
  const QFontMetricsF metrics(textFont());
  const QSizeF size(metrics.horizontalAdvance(text) + 3 * kSpace, metrics.height() + kSpace);
  QPixmap picture((size * ratio).toSize());
  picture.setDevicePixelRatio(ratio);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(theme().raised);
  painter.setPen(QPen(theme().accent, 1));
  const QRectF rect(QPointF(0.5, 0.5), size - QSizeF(1, 1));
  painter.drawRoundedRect(rect, 6, 6);
  painter.setFont(textFont());
  painter.setPen(theme().text);
  painter.drawText(rect, Qt::AlignCenter, text);
  return picture;
}

QString titleOf(const std::vector<Plot>& plots) {
  const Plot& first = plots.front();
  return first.title.isEmpty() ? first.curves.front().label : first.title;
}

}  // namespace

void dragPlots(QWidget& from, const std::vector<Plot>& plots) {
  if (plots.empty()) return;
  // Not of the widget itself: it may go while the pointer is on its way, when another thing is selected or removed.
  auto* drag = new QDrag(from.window());
  drag->setMimeData(mimeOf(plots));
  drag->setPixmap(pictureOf(titleOf(plots), from.devicePixelRatioF()));
  drag->exec(Qt::CopyAction);
}

void addPlotAction(QMenu& menu, PlotList& list, const std::vector<Plot>& plots) {
  if (plots.empty()) return;
  menu.addAction(PlotHandle::tr("Plot %1").arg(titleOf(plots).replace('&', "&&")), &list,
                 [&list, plots] { list.add(plots); });
}

PlotHandle::PlotHandle(std::vector<Plot> plots, PlotList& list, const std::vector<QWidget*>& widgets,
                       QObject* parent)
    : QObject(parent), plots_(std::move(plots)), list_(list) {
  for (QWidget* widget : widgets) {
    widget->installEventFilter(this);
    widget->setCursor(Qt::OpenHandCursor);
    const QString tip = widget->toolTip();
    widget->setToolTip((tip.isEmpty() ? "" : tip + "\n") + tr("Drag it into the plots"));
  }
}

bool PlotHandle::eventFilter(QObject* watched, QEvent* event) {
  auto* widget = static_cast<QWidget*>(watched);
  if (event->type() == QEvent::MouseButtonPress) {
    pressedAt_ = static_cast<QMouseEvent*>(event)->position().toPoint();
    return true;  // otherwise the moves go to what lies below
  }
  if (event->type() == QEvent::MouseMove) {
    const auto* move = static_cast<QMouseEvent*>(event);
    const int distance = (move->position().toPoint() - pressedAt_).manhattanLength();
    if (!(move->buttons() & Qt::LeftButton) || distance < QApplication::startDragDistance()) return false;
    dragPlots(*widget, plots_);
    return true;
  }
  if (event->type() == QEvent::ContextMenu) {
    auto* menu = new QMenu(widget);
    addPlotAction(*menu, list_, plots_);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(static_cast<QContextMenuEvent*>(event)->globalPos());
    return true;
  }
  return false;
}

}  // namespace slipstick::ui
