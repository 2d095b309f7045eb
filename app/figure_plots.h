// The plots of a figure: which observables, under which names, with which values.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/runtime/observable_choice.h"
#include "engine/runtime/run_walk.h"
#include "ui/figure.h"

namespace slipstick::app {

/// One --plot under way.
class FigurePlotData {
 public:
  /// So many curves can be told apart, in grey, too.
  static constexpr std::size_t kMax = 12;

  /// @param plot  "PATTERN,…" as ObservableChoice::matching() takes them, or "Label=PATTERN,…"
  /// Errors: a pattern that nothing fits; more than one unit, or too many curves.
  static Result<FigurePlotData> create(const std::string& plot, std::shared_ptr<const Model> model,
                                       std::uint64_t firstStep);
  /// The next step.
  void add(const Snapshot& snapshot);
  ui::FigurePlot plot() const { return plot_; }

 private:
  FigurePlotData(ObservableChoice choice) : choice_(std::move(choice)) {}
  void name(const std::string& label);

  ObservableChoice choice_;
  std::vector<std::shared_ptr<ui::PlotSeries>> series_;  ///< of the plot's curves
  ui::FigurePlot plot_;
};

}  // namespace slipstick::app
