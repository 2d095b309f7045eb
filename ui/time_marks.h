// What a person has marked of the run's time: a ghost beside the present, a range, bookmarks.
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/runtime/run_source.h"
#include "ui/plot_painter.h"
#include "ui/shown_moment.h"

namespace slipstick::ui {

class TimeMarks : public QObject {
  Q_OBJECT

 public:
  explicit TimeMarks(ShownMoment& moment) : moment_(moment) {}

  /// Before another scene is shown; the signals are for the caller to emit.
  void clear();

  /// A moment that is seen through beside the present. A branch's id is not given again.
  struct GhostSpec {
    BranchId branch = 0;
    std::uint64_t step = 0;
    bool operator==(const GhostSpec&) const = default;
  };
  const std::optional<GhostSpec>& ghost() const { return ghost_; }
  void setGhost(const std::optional<GhostSpec>& ghost);
  void toggleGhost();  ///< of the moment shown; where there is one already, none

  /// A stretch of time that was selected: what loops, what a spectrum is of, what is exported.
  const std::optional<TimeRange>& range() const { return range_; }
  void setRange(const std::optional<TimeRange>& range);

  struct Bookmark {
    BranchId branch = 0;
    std::uint64_t step = 0;
    QString name;
  };
  const std::vector<Bookmark>& bookmarks() const { return bookmarks_; }
  void toggleBookmark();  ///< at the step shown
  void renameBookmark(std::size_t index, const QString& name);
  /// Looks at the next one of the branch looked at, before (−1) or after (+1) the step shown.
  void goToBookmark(int direction);

 Q_SIGNALS:
  void ghostChanged();
  void rangeChanged();
  void bookmarksChanged();

 private:
  ShownMoment& moment_;
  std::optional<GhostSpec> ghost_;
  std::optional<TimeRange> range_;
  std::vector<Bookmark> bookmarks_;  ///< by branch and step
};

}  // namespace slipstick::ui
