#include "ui/time_marks.h"

#include <algorithm>
#include <utility>

namespace slipstick::ui {

void TimeMarks::clear() {
  ghost_.reset();
  range_.reset();
  bookmarks_.clear();
}

void TimeMarks::setGhost(const std::optional<GhostSpec>& ghost) {
  if (ghost == ghost_) return;
  ghost_ = ghost;
  Q_EMIT ghostChanged();
}

void TimeMarks::toggleGhost() {
  const auto shown = moment_.shown();
  if (!shown) return;
  setGhost(ghost_ ? std::nullopt : std::optional<GhostSpec>({moment_.shownBranch(), shown->step}));
}

void TimeMarks::setRange(const std::optional<TimeRange>& range) {
  if (range == range_) return;
  range_ = range;
  Q_EMIT rangeChanged();
}

void TimeMarks::toggleBookmark() {
  const auto shown = moment_.shown();
  if (!shown) return;
  const std::pair here(moment_.shownBranch(), shown->step);
  const auto at =
      std::lower_bound(bookmarks_.begin(), bookmarks_.end(), here,
                       [](const Bookmark& b, const auto& x) { return std::pair(b.branch, b.step) < x; });
  if (at != bookmarks_.end() && std::pair(at->branch, at->step) == here)
    bookmarks_.erase(at);
  else
    bookmarks_.insert(at, {here.first, here.second, tr("bookmark %1").arg(bookmarks_.size() + 1)});
  Q_EMIT bookmarksChanged();
}

void TimeMarks::renameBookmark(std::size_t index, const QString& name) {
  if (index >= bookmarks_.size() || name.trimmed().isEmpty()) return;
  bookmarks_[index].name = name.trimmed();
  Q_EMIT bookmarksChanged();
}

void TimeMarks::goToBookmark(int direction) {
  const auto shown = moment_.shown();
  if (!shown) return;
  const Bookmark* nearest = nullptr;
  for (const Bookmark& b : bookmarks_) {
    if (b.branch != moment_.shownBranch()) continue;
    if (direction > 0 ? b.step <= shown->step : b.step >= shown->step) continue;
    if (!nearest || (direction > 0 ? b.step < nearest->step : b.step > nearest->step)) nearest = &b;
  }
  if (nearest) moment_.lookAtStep(nearest->step);
}

}  // namespace slipstick::ui
