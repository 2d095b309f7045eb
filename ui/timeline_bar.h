// The painted bar of the timeline: what is stored, where we are, what happened when. It only shows and asks.
#pragma once

#include <QWidget>
#include <cstdint>
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
  QSize sizeHint() const override { return {600, 58}; }

  qreal xOf(double time) const;
  double timeAt(qreal x) const;

 Q_SIGNALS:
  void dragged(double time);  ///< the person moved the play head here [s]
  void draggedToEnd();        ///< … to the newest step or beyond

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  enum Tick : std::uint8_t { Touch = 1, Slip = 2, Failure = 4 };
  struct Event {
    double time;
    std::uint8_t ticks;
  };
  void paintBar(QPainter& painter) const;
  void paintTicks(QPainter& painter) const;
  void paintScale(QPainter& painter) const;
  void drag(qreal x);

  TimelineRange range_;
  std::vector<Event> events_;
  TimelineMark last_;
};

}  // namespace slipstick::ui
