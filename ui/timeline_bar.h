// The painted bar of the timeline: what is stored, where we are, what happened when. It only shows and asks.
#pragma once

#include <QWidget>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/runtime/history.h"

namespace slipstick::ui {

/// Everything the bar draws; times in [s] of simulated time.
struct TimelineRange {
  double end = 1;  ///< right end of the bar
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
  void addMarks(const std::vector<TimelineMark>& marks);
  void clearMarks();
  /// A stretch of time that is selected [s], and moments that have names.
  void setSelected(const std::optional<std::pair<double, double>>& selected);
  void setBookmarks(std::vector<double> times);
  QSize sizeHint() const override { return {600, 58}; }

  qreal xOf(double time) const;
  double timeAt(qreal x) const;

 Q_SIGNALS:
  void dragged(double time);                        ///< the person moved the play head here [s]
  void draggedToEnd();                              ///< … to the newest step or beyond
  void rangeDragged(double from, double to);        ///< with Shift [s]
  void rangeCleared();                              ///< by a click with Shift
  void hovered(double from, double to, QPoint at);  ///< rests over these times [s], on the screen

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  enum Tick : std::uint8_t { Touch = 1, Slip = 2, Failure = 4 };
  struct Event {
    double time;
    std::uint8_t ticks;
  };
  void paintBar(QPainter& painter) const;
  void paintTicks(QPainter& painter) const;
  void paintScale(QPainter& painter) const;
  void paintSelected(QPainter& painter) const;
  void drag(qreal x);

  TimelineRange range_;
  std::vector<Event> events_;
  TimelineMark last_;
  std::optional<std::pair<double, double>> selected_;
  std::vector<double> bookmarks_;
  std::optional<double> rangeStart_;  ///< of one that is being dragged [s]
};

}  // namespace slipstick::ui
