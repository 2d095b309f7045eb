#include "ui/export_range.h"

#include <algorithm>

#include "engine/foundation/number_text.h"

namespace slipstick::ui {
namespace {

std::string words(double from, double to) {
  return slipstick::significant(from) + " s to " + slipstick::significant(to) + " s";
}

Error refused(const std::string& what, double from, double to, const std::string& remedy) {
  return {ErrorCode::InvalidValue, what, "from " + words(from, to), remedy};
}

}  // namespace

Result<TimeRange> rangeOf(const RangeChoice& choice, const RunTimes& times) {
  const double half = 0.5 * times.dt;
  TimeRange range{times.first, times.last};
  switch (choice.kind) {
    case RangeKind::Whole:
      return range;
    case RangeKind::Moment:
      return TimeRange{times.shown, times.shown};
    case RangeKind::Selected:
      if (!times.selected)
        return Error{ErrorCode::InvalidValue, "no range is selected", "range",
                     "drag with Shift in the timeline to select one, or choose another range"};
      range = {std::max(times.selected->from, times.first), std::min(times.selected->to, times.last)};
      if (range.to < range.from)
        return refused("nothing is kept of the selected range", times.selected->from, times.selected->to,
                       "choose times from " + words(times.first, times.last));
      return range;
    case RangeKind::FromTo:
      break;
  }
  if (choice.to < choice.from)
    return refused("the end lies before the start", choice.from, choice.to, "let it end after its start");
  if (choice.from < times.first - half || choice.to > times.last + half)
    return refused("the run is there from " + words(times.first, times.last), choice.from, choice.to,
                   times.first > half ? "choose times in it: what was before is not kept any more"
                                      : "choose times in it, or simulate further");
  return TimeRange{choice.from, choice.to};
}

}  // namespace slipstick::ui
