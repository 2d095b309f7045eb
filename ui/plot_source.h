// The curves of plots, kept up with a run: each step is read once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "engine/runtime/run_source.h"
#include "ui/plot_series.h"

namespace slipstick::ui {

class PlotSource {
 public:
  /// What is asked for from now on is of this run as it is now. Null: of none.
  void follow(std::shared_ptr<const RunSource> run);
  bool hasRun() const { return run_ != nullptr; }
  const RunColumns& columns() const { return columns_; }
  /// One observable over the whole run so far. The series grows in place when it is asked for again; where the run
  /// has gone back, it is another one. Empty for names that the run does not know.
  std::shared_ptr<const PlotSeries> series(const std::string& name);
  /// What follows from the values of several at each step, kept likewise under a name that no observable has.
  std::shared_ptr<const PlotSeries> derived(const std::string& name, const std::vector<std::string>& of,
                                            const std::function<double(std::span<const double>)>& value);

 private:
  std::shared_ptr<const RunSource> run_;
  std::uint64_t jumps_ = 0;
  RunColumns columns_;
  std::map<std::string, std::shared_ptr<PlotSeries>> series_;
};

}  // namespace slipstick::ui
