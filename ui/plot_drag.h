// Values that can be dragged into the plots, and the menu that plots them without a mouse's long way.
#pragma once

#include <QMenu>
#include <QObject>
#include <QPoint>
#include <vector>

#include "ui/plot.h"

namespace slipstick::ui {

class PlotList;

/// Makes widgets that show one value sources of its plots: by a drag, or by the menu of a right click.
class PlotHandle : public QObject {
  Q_OBJECT

 public:
  /// @param widgets  that live as long as this does
  PlotHandle(std::vector<Plot> plots, PlotList& list, const std::vector<QWidget*>& widgets, QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  std::vector<Plot> plots_;
  PlotList& list_;
  QPoint pressedAt_;
};

/// Drags plots out of a widget until they are dropped; blocks like QDrag::exec.
void dragPlots(QWidget& from, const std::vector<Plot>& plots);
/// Adds an action that plots them; nothing where there are none.
void addPlotAction(QMenu& menu, PlotList& list, const std::vector<Plot>& plots);

}  // namespace slipstick::ui
