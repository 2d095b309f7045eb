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

/// Facts of one simulated step that the timeline draws without touching the snapshot. Kept for every step,
/// also where the snapshot itself was thinned away.
struct TimelineMark {
  std::uint64_t step = 0;
  double time = 0;
  int contacts = 0;
  int slipping = 0;
  HealthFlags health = 0;
  std::uint64_t stateHash = 0;  ///< what a replay to this step must reproduce
};

/// Not thread-safe: SimulationThread guards it with its mutex.
///
/// Three quarters of the budget hold snapshots, less the marks. When they are full, the older half is thinned
/// to every k-th step and k doubles as needed, so that all of the past stays scrubbable, coarser with age.
/// One quarter holds keyframes, whose spacing doubles when it is full. The newest snapshot and the first
/// keyframe are always kept.
class History {
 public:
  explicit History(std::size_t byteBudget = std::size_t{1} << 30);

  /// True when push() wants a copy of the state of this step: the caller makes it outside of its lock.
  bool keyframeDue(std::uint64_t step) const;
  /// Appends the snapshot of the next step. @param keyframe  the state of the same step, or null where none
  /// is due.
  void push(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const State> keyframe);
  /// Appends a command that was applied before the step from `command.step`.
  void log(const StampedCommand& command);

  std::shared_ptr<const Snapshot> find(std::uint64_t step) const;  ///< null when not stored
  std::shared_ptr<const Snapshot> nearest(
      std::uint64_t step) const;                   ///< stored snapshot nearest to a step; null if empty
  std::optional<std::uint64_t> firstStep() const;  ///< oldest stored snapshot
  std::optional<std::uint64_t> lastStep() const;   ///< newest stored snapshot
  std::optional<TimelineMark> mark(std::uint64_t step) const;  ///< none when the step was never simulated

  /// The latest keyframe at or before `step`; null if none.
  std::shared_ptr<const State> keyframeBefore(std::uint64_t step) const;
  std::uint64_t keyframeSpacing() const { return keyframeSpacing_; }
  /// Commands applied before the step that leads from `step` to `step` + 1, in their order.
  std::vector<Command> commandsAt(std::uint64_t step) const;

  /// Forgets everything after `step`, with the commands that led on from it (a new branch starts there).
  void truncateAfter(std::uint64_t step);
  void clear();

  std::size_t bytesUsed() const;
  std::size_t byteBudget() const { return byteBudget_; }
  void setByteBudget(std::size_t bytes);
  const std::vector<TimelineMark>& marks() const { return marks_; }

 private:
  using Snapshots = std::map<std::uint64_t, std::shared_ptr<const Snapshot>>;
  using Keyframes = std::map<std::uint64_t, std::shared_ptr<const State>>;

  void thin();
  void thinSnapshots();
  void thinKeyframes();
  std::size_t snapshotShare() const;
  std::size_t keyframeShare() const { return byteBudget_ / 4; }
  Snapshots::iterator erase(Snapshots::iterator entry);
  Keyframes::iterator erase(Keyframes::iterator entry);

  std::size_t byteBudget_;
  std::size_t snapshotBytes_ = 0, keyframeBytes_ = 0;
  Snapshots snapshots_;
  Keyframes keyframes_;
  std::uint64_t snapshotStride_ = 1;      ///< of the older half
  std::uint64_t keyframeSpacing_ = 1;     ///< counted from the first keyframe
  std::vector<StampedCommand> commands_;  ///< by step
  std::vector<TimelineMark> marks_;       ///< by step
};

}  // namespace slipstick
