// What the solver panel plots of a run.
#pragma once

#include "ui/phase_legend.h"
#include "ui/plot_painter.h"
#include "ui/plot_source.h"

namespace slipstick::ui {

class SolverCurves {
 public:
  /// @param model  of the step looked at
  void follow(std::shared_ptr<const RunSource> run, std::shared_ptr<const Model> model);
  /// Those that took any time so far, from the lowest layer up.
  std::vector<PhaseLegend::Row> phases();

  PlotData timePerStep();
  PlotData realTimeRate();  ///< simulated time over computing time, without pauses and pictures
  PlotData iterations();
  PlotData contacts();
  PlotData activeNodes();  ///< no lines, as …
  PlotData errors();       ///< … here, where the model has no particles

 private:
  PlotLine line(const QString& label, const char* name, const QString& unit = {});
  PlotLine count(const QString& label, const char* name, Phase phase);
  const MethodRows* own() const { return model_ ? model_->own.get() : nullptr; }
  bool hasParticles() const { return model_ && model_->nodeCount() > 0; }
  bool hasJoints() const { return model_ && model_->tree.nv > 0; }
  double dt() const { return model_ ? model_->time.dt : 0.01; }
  std::shared_ptr<const PlotSeries> total();

  PlotSource source_;
  std::shared_ptr<const Model> model_;
};

}  // namespace slipstick::ui
