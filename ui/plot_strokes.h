// The lines that a series is drawn with.
#pragma once

#include <QPolygonF>
#include <cstdint>
#include <functional>

#include "ui/plot_series.h"

namespace slipstick::ui {

/// Which steps of a series are drawn, and where.
struct SeriesStretch {
  std::uint64_t begin = 0, end = 0;  ///< of the series' own steps
  std::uint64_t stride = 1;          ///< steps that share a place, from multiples of it on
  bool bridged = false;              ///< over steps without a value
  std::function<qreal(double step)> xOf;
  std::function<qreal(double value)> yOf;
  std::function<bool(std::uint64_t step)> slips;  ///< another stroke where it changes; may be empty
};

/// Strokes of at most one value per step, or of lowest and highest per place where steps are denser.
/// @param stroke  gets its points and its first step
void forEachStroke(const PlotSeries& series, const SeriesStretch& stretch,
                   const std::function<void(const QPolygonF&, std::uint64_t)>& stroke);

}  // namespace slipstick::ui
