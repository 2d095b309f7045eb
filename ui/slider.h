// A flat slider over a range of numbers, with a mark where the thing itself is.
#pragma once

#include <QAbstractSlider>
#include <optional>

namespace slipstick::ui {

/// Arrow keys move it by a hundredth of its range, page keys by a tenth.
class Slider : public QAbstractSlider {
  Q_OBJECT

 public:
  /// @param lower, upper  finite, lower < upper
  Slider(double lower, double upper, QWidget* parent = nullptr);
  double number() const;
  /// Shows a number, unless the person holds the slider. Emits nothing.
  void setNumber(double number);
  /// Where the thing is that the slider moves.
  void setActual(double number);
  QSize sizeHint() const override { return {120, 22}; }
  QSize minimumSizeHint() const override { return {60, 22}; }

 Q_SIGNALS:
  void moved(double number);  ///< by the person

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int stepsOf(double number) const;
  qreal xOf(double number) const;
  void moveTo(qreal x);

  double lower_, upper_;
  std::optional<double> actual_;
};

}  // namespace slipstick::ui
