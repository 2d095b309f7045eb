// Which stretch of a run is exported.
#pragma once

#include <optional>

#include "engine/foundation/result.h"
#include "ui/plot_painter.h"

namespace slipstick::ui {

enum class RangeKind { Whole, Selected, FromTo, Moment };

struct RangeChoice {
  RangeKind kind = RangeKind::Whole;
  double from = 0, to = 0;  ///< of FromTo [s]
  bool operator==(const RangeChoice&) const = default;
};

/// What there is of a run, and which moment is shown.
struct RunTimes {
  double first = 0, last = 0;         ///< that is kept [s]
  double shown = 0;                   ///< [s]
  double dt = 0.01;                   ///< of a step [s]
  std::optional<TimeRange> selected;  ///< in the timeline
};

/// Errors: nothing is selected, or the times are not in order or not in the run.
Result<TimeRange> rangeOf(const RangeChoice& choice, const RunTimes& times);

}  // namespace slipstick::ui
