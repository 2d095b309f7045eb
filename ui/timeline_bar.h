// The painted bar of the timeline: what is stored, where we are, what happened when. It only shows and asks.
#pragma once

#include <QTimer>
#include <QWidget>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/runtime/history.h"

namespace slipstick::ui {

/// Everything the bar draws; times in [s] of simulated time.
struct TimelineRange {
  double end = 1;  ///< right end of the whole run
  double firstStored = 0;
  double newest = 0;
  double shown = 0;  ///< the play head
  bool operator==(const TimelineRange&) const = default;
};

class TimelineBar : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineBar(QWidget* parent = nullptr);
  void setRange(const TimelineRange& range);
  /// Appends marks of later steps; clearMarks() first when the history was cut.
  /// @param failures  flags that get a tick
  void addMarks(const std::vector<TimelineMark>& marks, HealthFlags failures);
  void clearMarks();
  /// A stretch of time that is selected [s], and moments that have names.
  void setSelected(const std::optional<std::pair<double, double>>& selected);
  void setBookmarks(std::vector<double> times);
  QSize sizeHint() const override { return {600, 62}; }

  /// Where a time is [px]; beyond the margins where it is not in view.
  qreal xOf(double time) const;
  double timeAt(qreal x) const;
  /// The stretch of time in view [s]: the whole run until one zooms.
  std::pair<double, double> view() const;
  bool isZoomed() const { return view_.has_value(); }
  /// Shows `factor` times as little of the run; `about` stays where it is.
  void zoom(double factor, double about);
  void zoomAboutHead(double factor) { zoom(factor, range_.shown); }
  void showStretch(double from, double to);
  void showAll();

 Q_SIGNALS:
  void dragged(double time);                        ///< the person moved the play head here [s]
  void draggedToEnd();                              ///< … to the newest step or beyond
  void rangeDragged(double from, double to);        ///< with Shift, or at one of its ends [s]
  void rangeCleared();                              ///< by a click with Shift
  void hovered(double from, double to, QPoint at);  ///< rests over these times [s], on the screen

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  enum Tick : std::uint8_t { Touch = 1, Slip = 2, Failure = 4 };
  struct Event {
    double time;
    std::uint8_t ticks;
  };
  enum class Drag { None, Head, Range, Pan, Overview };
  void paintBar(QPainter& painter) const;
  void paintTicks(QPainter& painter) const;
  void paintScale(QPainter& painter) const;
  void paintSelected(QPainter& painter) const;
  void paintOverview(QPainter& painter) const;
  void setView(double from, double span);
  void followHead();
  Drag dragAt(const QPointF& position) const;
  /// The end of the selected range near a place, and the other one.
  std::optional<std::pair<double, double>> rangeEndAt(const QPointF& position) const;
  std::optional<double> bookmarkAt(const QPointF& position) const;
  void drag(qreal x);
  void dragRange(qreal x);
  void updateCursor(const QPointF& position);
  void emitHovered();

  TimelineRange range_;
  std::optional<std::pair<double, double>> view_;  ///< in place of the whole run [s]
  std::vector<Event> events_;
  TimelineMark last_;
  std::optional<std::pair<double, double>> selected_;
  std::vector<double> bookmarks_;
  Drag drag_ = Drag::None;
  double rangeStart_ = 0;  ///< the end that stays while a range is dragged [s]
  qreal lastX_ = 0;
  QTimer hover_;
  QPointF hoveredAt_;
};

}  // namespace slipstick::ui
