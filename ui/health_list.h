// The health flags that a run has raised: how often, whether now, what to do, and the way to the next such step.
#pragma once

#include <QVBoxLayout>
#include <array>

#include "ui/controls.h"
#include "ui/health_marks.h"
#include "ui/session.h"

namespace slipstick::ui {

class HealthList : public QWidget {
  Q_OBJECT

 public:
  explicit HealthList(Session& session, QWidget* parent = nullptr);
  /// Of the run and the step looked at.
  void refresh();
  /// "Actuator saturated: 12 steps"; empty where a flag was never raised. By its place, see infoAt().
  QString line(std::size_t flag) const;
  QString remedy(std::size_t flag) const;  ///< what is written below it: of flags of this step only
  FlatButton& before(std::size_t flag) { return *rows_[flag].before; }
  FlatButton& after(std::size_t flag) { return *rows_[flag].after; }

 private:
  struct Row {
    QWidget* widget;
    FlatButton* name;
    ValueLabel* count;
    FlatButton *before, *after;
    ThemedLabel* remedy;
  };
  Row makeRow(std::size_t flag);
  static void name(const Row& row, const HealthInfo& info);
  void refreshRow(std::size_t flag, const Snapshot& shown);
  void go(std::size_t flag, int direction);

  Session& session_;
  HealthMarks marks_;
  ThemedLabel* none_;
  std::array<Row, kHealthPlaces> rows_;
};

}  // namespace slipstick::ui
