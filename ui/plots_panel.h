// Dock with a plot of everything that is pinned, over the run looked at; the ghost's run is dashed beside it.
#pragma once

#include <QTimer>
#include <QVBoxLayout>

#include "ui/controls.h"
#include "ui/plot_strip.h"
#include "ui/run_reader.h"
#include "ui/session.h"

namespace slipstick::ui {

class PlotsPanel : public Panel {
  Q_OBJECT

 public:
  explicit PlotsPanel(Session& session, QWidget* parent = nullptr);
  const std::vector<PlotStrip*>& strips() const { return strips_; }
  FlatButton& rangeButton() { return *range_; }
  /// Whether every step of the window has been read.
  bool isComplete() const { return complete_; }

 Q_SIGNALS:
  void filled();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  void rebuild();
  void plan();
  void ask();
  void onCurves();
  void fill(const PinCurves& curves);
  PlotWindow window() const;
  double ghostShift() const;

  Session& session_;
  FlatButton* range_;
  QWidget* sheet_;
  QVBoxLayout* column_;
  ThemedLabel* hint_;
  std::vector<PlotStrip*> strips_;  ///< as the pins are: of bodies and joints two each
  QTimer refreshTimer_;
  bool wholeRun_ = false;
  bool complete_ = true;
};

}  // namespace slipstick::ui
