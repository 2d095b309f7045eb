#include "ui/plot_series.h"

#include <algorithm>
#include <cmath>

namespace slipstick::ui {

void PlotSeries::Extremes::include(double value) {
  if (std::isnan(value)) return;
  lowest = std::min(lowest, value);
  highest = std::max(highest, value);
  sum += value;
  ++count;
}

void PlotSeries::Extremes::include(const Extremes& other) {
  lowest = std::min(lowest, other.lowest);
  highest = std::max(highest, other.highest);
  sum += other.sum;
  count += other.count;
}

void PlotSeries::append(std::span<const double> values) {
  for (const double value : values) {
    std::size_t group = values_.size();
    values_.push_back(value);
    for (std::vector<Extremes>& level : levels_) {
      group /= kGroup;
      if (group == level.size()) level.emplace_back();
      level[group].include(value);
    }
  }
}

double PlotSeries::value(std::uint64_t step) const {
  const bool held = step >= firstStep_ && step < endStep();
  return held ? values_[static_cast<std::size_t>(step - firstStep_)]
              : std::numeric_limits<double>::quiet_NaN();
}

double PlotSeries::lastValue(std::uint64_t step) const {
  if (isEmpty() || step < firstStep_) return std::numeric_limits<double>::quiet_NaN();
  for (std::uint64_t at = std::min(step, endStep() - 1) + 1; at > firstStep_; --at)
    if (const double found = value(at - 1); !std::isnan(found)) return found;
  return std::numeric_limits<double>::quiet_NaN();
}

PlotSeries::Extremes PlotSeries::extremes(std::uint64_t from, std::uint64_t to) const {
  Extremes found;
  if (isEmpty()) return found;
  auto at = static_cast<std::size_t>(std::max(from, firstStep_) - firstStep_);
  const auto end = static_cast<std::size_t>(std::min(std::max(to, firstStep_), endStep()) - firstStep_);
  while (at < end) {
    // The largest group that begins here and ends in time.
    std::size_t size = 1, level = 0;
    while (level < levels_.size() && at % (size * kGroup) == 0 && at + size * kGroup <= end) {
      size *= kGroup;
      ++level;
    }
    if (level == 0)
      found.include(values_[at]);
    else
      found.include(levels_[level - 1][at / size]);
    at += size;
  }
  return found;
}

}  // namespace slipstick::ui
