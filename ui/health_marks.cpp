#include "ui/health_marks.h"

#include <algorithm>

namespace slipstick::ui {

void HealthMarks::follow(std::shared_ptr<const RunSource> run) {
  const RunStatus status = run ? run->status() : RunStatus{};
  if (run != run_ || status.branch != branch_ || status.jumps != jumps_ || status.lastStep + 1 < end_) {
    for (auto& steps : steps_) steps.clear();
    end_ = 0;
  }
  run_ = std::move(run);
  branch_ = status.branch;
  jumps_ = status.jumps;
  if (!run_ || status.lastStep + 1 == end_) return;
  for (const TimelineMark& mark : run_->marks(end_)) {
    for (std::size_t flag = 0; flag < steps_.size(); ++flag)
      if (has(mark.health, flagAt(flag))) steps_[flag].push_back(mark.step);
    end_ = mark.step + 1;
  }
}

std::optional<std::uint64_t> HealthMarks::next(std::size_t flag, std::uint64_t from, int direction) const {
  const std::vector<std::uint64_t>& steps = steps_[flag];
  if (direction > 0) {
    const auto after = std::upper_bound(steps.begin(), steps.end(), from);
    return after == steps.end() ? std::nullopt : std::optional(*after);
  }
  const auto at = std::lower_bound(steps.begin(), steps.end(), from);
  return at == steps.begin() ? std::nullopt : std::optional(*std::prev(at));
}

}  // namespace slipstick::ui
