// The phases of the step looked at: colour, name, time and share, in the order in which they lie on each other.
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "engine/model/snapshot.h"

namespace slipstick::ui {

class PhaseLegend : public QWidget {
  Q_OBJECT

 public:
  struct Row {
    Phase phase;
    int hue;  ///< see hueOf()
    bool operator==(const Row&) const = default;
  };
  explicit PhaseLegend(QWidget* parent = nullptr);
  /// From the lowest layer up.
  void setRows(std::vector<Row> rows);
  /// Of this step.
  void setTimes(const Snapshot& shown);
  /// "contact solves 3.72 ms 61 %", the highest layer first.
  QStringList lines() const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Reading {
    QString word, time, share;
    double part = 0;
  };
  Reading readingOf(const Row& row) const;

  std::vector<Row> rows_;
  PhaseTimes times_{};                     ///< [s]
  std::shared_ptr<const MethodRows> own_;  ///< what the step's method adds
};

}  // namespace slipstick::ui
