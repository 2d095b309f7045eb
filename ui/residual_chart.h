// The residual curve of one solve: over its iterations, with what it had to reach.
#pragma once

#include <QWidget>
#include <optional>

#include "engine/contact/solve_trace.h"

namespace slipstick::ui {

class ResidualChart : public QWidget {
  Q_OBJECT

 public:
  explicit ResidualChart(QWidget* parent = nullptr);
  struct Solve {
    QString title;  ///< "contact, substep 12 of 12"
    contact::SolveTrace trace;
  };
  void show(Solve solve);
  /// There is none: why.
  void showNone(const QString& title, const QString& why);
  const std::optional<Solve>& solve() const { return solve_; }
  /// "converged in 9 iterations", or why there is no curve.
  const QString& words() const { return words_; }
  /// Where a point of the curve is drawn.
  QPointF pointAt(std::size_t index) const;
  qreal toleranceY() const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF area() const;
  qreal yOf(double residual) const;
  void fit();
  QRectF placeOfWords(qreal width) const;
  void paintGrid(QPainter& painter) const;
  void paintCurve(QPainter& painter) const;

  QString title_, words_, remedy_;
  std::optional<Solve> solve_;
  double lowest_ = -6, highest_ = 0;  ///< of the axis, as powers of ten
};

}  // namespace slipstick::ui
