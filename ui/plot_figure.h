// Plots as a figure for a paper: on white, as vectors.
#pragma once

#include <vector>

#include "engine/foundation/result.h"
#include "ui/plot_painter.h"

namespace slipstick::ui {

/// One under the other over the same times, without the cursor, as SVG or PDF by the file's ending. Errors: another
/// ending, a file that cannot be written.
Result<void> writePlots(const std::vector<PlotData>& plots, PlotWindow window, const QString& file);

}  // namespace slipstick::ui
