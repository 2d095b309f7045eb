// What can be looked at and returned to: recent snapshots by byte budget, and keyframes of the full state.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/model/command.h"
#include "engine/model/snapshot.h"
#include "engine/model/state.h"

namespace slipstick {

/// Facts of one stored step that the timeline draws without touching the snapshot.
struct TimelineMark {
  std::uint64_t step = 0;
  double time = 0;
  int contacts = 0;
  int slipping = 0;
  HealthFlags health = 0;
};

/// Owned by the simulation thread's mutex-guarded side; see SimulationThread. Snapshots are kept newest-first within
/// the budget; keyframe spacing doubles when the keyframe budget is full.
class History {
 public:
  explicit History(std::size_t byteBudget = std::size_t{1} << 30);

  void push(std::shared_ptr<const Snapshot> snapshot, const State& state);
  void log(const StampedCommand& command);

  std::shared_ptr<const Snapshot> find(std::uint64_t step) const;     ///< null when not stored
  std::shared_ptr<const Snapshot> nearest(std::uint64_t step) const;  ///< stored snapshot nearest to a step; null if empty
  std::optional<std::uint64_t> firstStep() const;
  std::optional<std::uint64_t> lastStep() const;

  /// The latest keyframe at or before `step`; null if none.
  std::shared_ptr<const State> keyframeBefore(std::uint64_t step) const;
  /// Commands stamped in [from, to).
  std::vector<Command> commandsAt(std::uint64_t step) const;

  /// Forgets everything after `step` (a new branch starts there).
  void truncateAfter(std::uint64_t step);
  void clear();

  std::size_t bytesUsed() const;
  std::size_t byteBudget() const { return byteBudget_; }
  void setByteBudget(std::size_t bytes);
  const std::vector<TimelineMark>& marks() const { return marks_; }

 private:
  void thin();
  std::size_t byteBudget_;
  std::size_t snapshotBytes_ = 0, keyframeBytes_ = 0;
  std::map<std::uint64_t, std::shared_ptr<const Snapshot>> snapshots_;
  std::map<std::uint64_t, std::shared_ptr<const State>> keyframes_;
  std::uint64_t keyframeSpacing_ = 1;
  std::vector<StampedCommand> commands_;
  std::vector<TimelineMark> marks_;
};

}  // namespace slipstick
