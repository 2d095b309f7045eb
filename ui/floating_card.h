// What the cards have in common that say how far something is: they lie over the window and move nothing.
#pragma once

#include <QProgressBar>
#include <QWidget>

namespace slipstick::ui {

class FloatingCard : public QWidget {
  Q_OBJECT

 protected:
  enum class Edge { Top, Bottom };
  /// @param over   what it lies over and belongs to   @param width  [px]
  /// @param barName  of the bar, for who does not see it
  FloatingCard(QWidget* over, Edge edge, int width, const QString& barName);

  QProgressBar& bar() { return *bar_; }
  /// 0 … 1; below 0 it only says that something goes on.
  void showFraction(double fraction);
  void appear();
  void place();  ///< after what it says has changed

  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Edge edge_;
  int width_;
  QProgressBar* bar_;
};

}  // namespace slipstick::ui
