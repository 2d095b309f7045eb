#include "assets/export/export_schedule.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/foundation/number_text.h"

namespace slipstick::assets {

ExportSchedule::ExportSchedule(const DataOutputs& options, const RunWalk& run)
    : run_(run),
      from_(options.from.value_or(run.timeOf(run.firstStep()))),
      to_(options.to.value_or(run.timeOf(run.lastStep()))),
      fps_(options.fps) {}

ExportSchedule::Steps ExportSchedule::every() const {
  Steps steps;
  for (std::uint64_t step = first(from_); step <= first(to_); ++step) steps.push_back(step);
  return steps;
}

Result<ExportSchedule::Steps> ExportSchedule::sampled(double usualFps, std::uint64_t most) const {
  const double fps = fps_.value_or(usualFps), count = std::floor((to_ - from_) * fps + 1e-6) + 1;
  Steps steps;
  for (double k = 0; k < count && steps.size() <= most; ++k) {
    const std::uint64_t step = first(from_ + k / fps);
    if (steps.empty() || step > steps.back()) steps.push_back(step);
  }
  if (steps.size() <= most) return steps;
  return Error{ErrorCode::InvalidValue, "that makes more than " + std::to_string(most) + " samples",
               significant(fps) + " samples/s", "lower the rate, or shorten the time"};
}

std::uint64_t ExportSchedule::first(double time) const {
  return std::max(run_.firstStep(), run_.stepAt(time));
}

}  // namespace slipstick::assets
