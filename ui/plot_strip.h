// One plot as a widget: scrubs, zooms, selects a range, takes other curves in.
#pragma once

#include <QWidget>

#include "ui/plot_painter.h"

namespace slipstick::ui {

class FlatButton;

class PlotStrip : public QWidget {
  Q_OBJECT

 public:
  PlotStrip(std::uint64_t plot, QWidget* parent = nullptr);
  std::uint64_t plot() const { return plot_; }  ///< Plot::id
  /// What is the same is not painted again: scrolling moves the pixels.
  void setData(PlotData data);
  void setWindow(const PlotWindow& window);
  void setTimesShown(bool shown);  ///< numbers under the time axis
  /// Whether a person may close it and drop other curves in; at first, yes.
  void setChangeable(bool changeable);
  const PlotData& data() const { return data_; }
  const PlotWindow& window() const { return window_; }
  /// "normal 2.30 N, friction 0.91 N", and behind each what the ghost's is less: what the head line says.
  QString reading() const;
  QString spectrumReading() const;
  qreal xOf(double time) const;
  double timeAt(qreal x) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

 Q_SIGNALS:
  void dragged(double time);
  void selected(slipstick::ui::TimeRange range);  ///< by a drag with Shift; empty: let go
  void zoomed(double factor,
              double about);  ///< less time in the window for factors above 1, about a time [s]
  void panned(double seconds);
  void wholeRunWanted();
  void closed();
  void dropped(std::vector<slipstick::ui::Plot> plots);
  void menuWanted(QPoint at);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  PlotPainter painter() const;

  std::uint64_t plot_;
  PlotData data_;
  std::uint64_t steps_ = 0;  ///< that its curves had when they were set: they grow in place
  PlotWindow window_;
  FlatButton* close_;
  bool timesShown_ = false, dropsHere_ = false, changeable_ = true;
  std::optional<double> rangeStart_, panStart_;  ///< of a drag [s]
};

}  // namespace slipstick::ui
