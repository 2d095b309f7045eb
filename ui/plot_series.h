// The values of one observable over a run, with their extremes and means over ever longer stretches: what a plot draws
// of ten thousand steps is a lowest and a highest value per pixel, and nothing is lost between them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace slipstick::ui {

/// Consecutive steps, appended as the run goes on. NaN where there is no value.
class PlotSeries {
 public:
  struct Extremes {
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();
    double sum = 0;
    std::uint64_t count = 0;  ///< of values
    bool any() const { return lowest <= highest; }
    double mean() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
    void include(double value);  ///< but for NaN
    void include(const Extremes& other);
  };

  explicit PlotSeries(std::uint64_t firstStep = 0) : firstStep_(firstStep) {}

  void append(std::span<const double> values);
  std::uint64_t firstStep() const { return firstStep_; }
  std::uint64_t endStep() const { return firstStep_ + values_.size(); }  ///< one past the last
  bool isEmpty() const { return values_.empty(); }
  /// NaN outside of the steps held.
  double value(std::uint64_t step) const;
  /// Of the last value at or before a step; NaN where there is none.
  double lastValue(std::uint64_t step) const;
  /// Over the steps [from, to) that are held.
  Extremes extremes(std::uint64_t from, std::uint64_t to) const;

 private:
  static constexpr std::size_t kGroup = 16;

  std::uint64_t firstStep_;
  std::vector<double> values_;
  std::array<std::vector<Extremes>, 4> levels_;  ///< of groups of 16 values, of 16 such groups …
};

}  // namespace slipstick::ui
