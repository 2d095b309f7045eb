// Dock that answers why a step is slow and why a solve did not converge: time per phase over the run, how much there was
// to do, the residual curves of the step looked at, and the health of the run.
#pragma once

#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/controls.h"
#include "ui/health_list.h"
#include "ui/health_log.h"
#include "ui/phase_legend.h"
#include "ui/plot_strip.h"
#include "ui/plot_times.h"
#include "ui/residual_chart.h"
#include "ui/session.h"
#include "ui/solver_curves.h"
#include "ui/step_card.h"

namespace slipstick::ui {

class SolverPanel : public Panel {
  Q_OBJECT

 public:
  explicit SolverPanel(Session& session, QWidget* parent = nullptr);
  const StepCard& card() const { return *card_; }
  const PhaseLegend& legend() const { return *legend_; }
  PlotStrip& timePlot() { return *strips_[Time]; }
  PlotStrip& iterationPlot() { return *strips_[Iterations]; }
  PlotStrip& ratePlot() { return *strips_[Rate]; }
  PlotStrip& contactPlot() { return *strips_[Contacts]; }
  PlotStrip& nodePlot() { return *strips_[Nodes]; }
  PlotStrip& errorPlot() { return *strips_[Errors]; }
  const ResidualChart& contactResidual() const { return *contactResidual_; }
  const ResidualChart& rigidResidual() const { return *rigidResidual_; }
  HealthList& health() { return *health_; }
  FlatButton& rangeButton() { return *range_; }
  QScrollArea& scrollArea() { return *scroll_; }
  /// Whether all of it is of the step and the run looked at.
  bool isSettled() const { return !refreshTimer_.isActive(); }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  enum Strip { Time, Iterations, Rate, Contacts, Nodes, Errors, StripCount };

  void build();
  PlotStrip* makeStrip(Strip strip);
  void connectSession();
  void plan();
  void refresh();
  void showStep();
  void showResiduals(const Snapshot& snapshot);
  void setWindows();
  void onTimes();

  Session& session_;
  HealthLog log_;
  SolverCurves curves_;
  PlotTimes times_;
  FlatButton* range_;
  QScrollArea* scroll_;
  StepCard* card_;
  PhaseLegend* legend_;
  std::array<PlotStrip*, StripCount> strips_{};
  ResidualChart *contactResidual_, *rigidResidual_;
  HealthList* health_;
  QTimer refreshTimer_;
};

}  // namespace slipstick::ui
