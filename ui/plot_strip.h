// One plot: curves of one unit over time, with the moment looked at as a cursor that can be dragged.
#pragma once

#include <QPointF>
#include <QWidget>
#include <vector>

namespace slipstick::ui {

/// What a curve shows: its colour everywhere.
enum class PlotRole { Value, Normal, Friction, Bound };

struct PlotLine {
  QString name;  ///< "normal"
  PlotRole role = PlotRole::Value;
  std::vector<QPointF> points;  ///< (time [s], value), by time
  std::vector<bool> slips;      ///< per point; of friction only
  std::vector<QPointF> ghost;   ///< of the ghost's run
  /// Of the curve, or of the ghost's, at a time: the nearest sample; NaN where there is none.
  static double at(const std::vector<QPointF>& points, double time);
};

struct PlotData {
  QString title, unit;
  std::vector<PlotLine> lines;
};

/// Times that all strips share [s].
struct PlotWindow {
  double from = 0, to = 1, cursor = 0;
  double ghostShift = 0;  ///< what a ghost's times are drawn later by
  bool operator==(const PlotWindow&) const = default;
};

class PlotStrip : public QWidget {
  Q_OBJECT

 public:
  explicit PlotStrip(QWidget* parent = nullptr);
  void setData(PlotData data);
  void setWindow(const PlotWindow& window);
  void setTimesShown(bool shown);  ///< numbers under the time axis
  const PlotData& data() const { return data_; }
  /// "normal 2.30 N, friction 0.91 N", and behind each what the ghost's is less: what the head line says.
  QString reading() const;
  qreal xOf(double time) const;
  double timeAt(qreal x) const;
  QSize sizeHint() const override;

 Q_SIGNALS:
  void dragged(double time);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  struct Reading {
    QString text;
    QColor color;
  };
  std::vector<Reading> readings() const;
  void fitValues();
  QRectF area() const;
  qreal yOf(double value) const;
  void paintHead(QPainter& painter) const;
  void paintGrid(QPainter& painter) const;
  void paintLine(QPainter& painter, const PlotLine& line) const;
  void paintCursor(QPainter& painter) const;

  PlotData data_;
  PlotWindow window_;
  double lowest_ = 0, highest_ = 1;  ///< of the axis
  bool timesShown_ = false;
};

}  // namespace slipstick::ui
