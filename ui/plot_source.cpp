#include "ui/plot_source.h"

namespace slipstick::ui {

void PlotSource::follow(std::shared_ptr<const RunSource> run) {
  const std::uint64_t jumps = run ? run->status().jumps : 0;
  RunColumns columns = run ? run->columns() : RunColumns();
  if (run != run_ || jumps != jumps_ || columns.endStep() < columns_.endStep()) series_.clear();
  run_ = std::move(run);
  jumps_ = jumps;
  columns_ = std::move(columns);
}

std::shared_ptr<const PlotSeries> PlotSource::series(const std::string& name) {
  std::shared_ptr<PlotSeries>& series = series_[name];
  if (!series) series = std::make_shared<PlotSeries>(columns_.firstStep());
  if (series->endStep() < columns_.endStep())
    series->append(columns_.values(name, series->endStep(), columns_.endStep()));
  return series;
}

std::shared_ptr<const PlotSeries> PlotSource::derived(
    const std::string& name, const std::vector<std::string>& of,
    const std::function<double(std::span<const double>)>& value) {
  std::vector<std::shared_ptr<const PlotSeries>> all;
  for (const std::string& part : of) all.push_back(series(part));
  std::shared_ptr<PlotSeries>& series = series_[name];
  if (!series) series = std::make_shared<PlotSeries>(columns_.firstStep());
  std::vector<double> parts(all.size()), values;
  for (std::uint64_t step = series->endStep(); step < columns_.endStep(); ++step) {
    for (std::size_t i = 0; i < all.size(); ++i) parts[i] = all[i]->value(step);
    values.push_back(value(parts));
  }
  series->append(values);
  return series;
}

}  // namespace slipstick::ui
