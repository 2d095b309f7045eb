// What an axis of a plot spans, and where it has numbers.
#pragma once

#include <QString>

#include "ui/plot_series.h"

namespace slipstick::ui {

struct AxisRange {
  double lowest = 0, highest = 1;
};

/// Around the values, with some room; from zero on where it matters how large they are. Never empty, and of numbers:
/// infinite values are beside it.
/// @param unit  of the values: of forces zero is in sight, of places it need not be
AxisRange axisRange(PlotSeries::Extremes values, const QString& unit);

/// The same of a logarithmic axis: one to six whole decades. What is less than the highest by more lies at the bottom.
AxisRange decadeRange(PlotSeries::Extremes values);

/// 1, 2 or 5 times a power of ten, so that about `count` of them fill the range.
double tickStep(double range, double count);
/// Decimals that tell ticks apart.
int decimalsOf(double step);
/// A number at an axis whose ticks are `step` apart; 12,000 as "12k": labels have little room.
QString tickText(double value, double step);

}  // namespace slipstick::ui
