// What can be looked at and returned to: a tree of branches with their snapshots by byte budget, keyframes of
// the full state, commands, and the facts and observables of every step.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/runtime/branch_tree.h"
#include "engine/runtime/columns.h"
#include "engine/runtime/history_step.h"
#include "engine/runtime/packed_snapshot.h"
#include "engine/runtime/thinning.h"
#include "engine/runtime/way.h"

namespace slipstick {

/// Consecutive steps of one model and backend.
struct RunStretch {
  std::uint64_t first = 0, last = 0;
  std::vector<std::shared_ptr<const Keyframe>> keyframes;  ///< that are kept; the first is of the first step
  std::vector<StampedCommand> commands;                    ///< between these steps
};

/// Not thread-safe: RunRecord keeps it behind a lock. Thinning says what a budget has room for.
///
/// What a function no longer keeps it hands back, so that the caller frees it outside of its lock. Each one does all
/// that it says, or throws and changes nothing; where there is no memory to thin with, that waits for the next step.
class History {
 public:
  using Garbage = BranchTree::Garbage;

  explicit History(std::size_t byteBudget = std::size_t{1} << 30) : thinning_(byteBudget) {}

  // ---- growing; always at the end of the active branch
  /// True when push() wants a keyframe of this step.
  bool keyframeDue(std::uint64_t step) const { return thinning_.keyframeDue(tree_, step); }
  /// @param applied  the commands that led to it
  [[nodiscard]] Garbage push(HistoryStep step, std::span<const Command> applied = {});
  /// Appends a command that was applied before the step from `command.step`.
  void log(const StampedCommand& command);
  void log(const StampedModel& model);
  /// Goes on from a step of a branch, which becomes, or starts, the active branch: the same one where nothing
  /// follows the step, otherwise a new one.
  void continueFrom(BranchId branch, std::uint64_t step);
  /// Goes on from a step of a branch with another backend, on a new branch that is named after it.
  /// @param start  of that step, as this backend has it; kept as long as the branch
  [[nodiscard]] Garbage changeBackend(BranchId branch, std::shared_ptr<const Keyframe> start);

  /// Goes on from a step that no branch has, on a new one that begins with it.
  /// @param step  with its keyframe
  [[nodiscard]] Garbage beginElsewhere(const std::string& name, HistoryStep step);

  // ---- what a person makes of the branches
  /// Gives a branch another name, without the spaces around it. Error: no such branch, an empty name, or that
  /// of another branch.
  Result<void> rename(BranchId branch, const std::string& name) { return tree_.rename(branch, name); }
  /// Forgets the own steps of a branch; its id is not given again. Error: no such branch, the active one, or
  /// others grow from its steps.
  [[nodiscard]] Result<Garbage> remove(BranchId branch);

  // ---- looking; steps of a branch include those of its ancestors before it starts
  BranchId active() const { return tree_.active(); }
  BranchId next() const { return tree_.next(); }  ///< of the branch that begins next
  bool has(BranchId branch) const { return tree_.has(branch); }
  /// All that have steps of their own, and the active one, by id.
  std::vector<BranchFacts> branches() const { return tree_.facts(); }
  std::shared_ptr<const PackedSnapshot> find(BranchId branch,
                                             std::uint64_t step) const;  ///< null when not stored
  /// Stored snapshot nearest to a step; null if there is none.
  std::shared_ptr<const PackedSnapshot> nearest(BranchId branch, std::uint64_t step) const;
  std::optional<std::uint64_t> firstStep(BranchId branch) const;  ///< oldest stored snapshot
  /// Newest simulated step.
  std::optional<std::uint64_t> lastStep(BranchId branch) const { return tree_.lastStep(branch); }
  /// The branch, this one or an ancestor, that a step belongs to.
  BranchId ownerOf(BranchId branch, std::uint64_t step) const { return tree_.legOf(branch, step).id; }
  /// From the start of the run to a branch.
  Way wayTo(BranchId branch) const;
  /// None when the step was never simulated.
  std::optional<TimelineMark> mark(BranchId branch, std::uint64_t step) const {
    return tree_.mark(branch, step);
  }
  std::vector<TimelineMark> marks(BranchId branch, std::uint64_t from = 0) const;
  RunColumns columns(BranchId branch) const;

  /// The latest keyframe at or before `step`; null if none.
  std::shared_ptr<const Keyframe> keyframeBefore(BranchId branch, std::uint64_t step) const;
  /// From the latest keyframe up to a time [s] on, or from the first that has the model and backend of the end. Error: no
  /// such branch; no keyframe has the model of the end.
  Result<RunStretch> endOf(BranchId branch, double from) const;
  /// Of those to come.
  std::uint64_t keyframeSpacing() const { return tree_.activeBranch().strides.keyframes; }
  /// Commands applied before the step that leads from `step` to `step` + 1, in their order.
  std::vector<Command> commandsAt(BranchId branch, std::uint64_t step) const;
  /// Models that the state at `step` went through before those commands, in their order.
  std::vector<std::shared_ptr<const Model>> modelsAt(BranchId branch, std::uint64_t step) const;

  // ---- memory
  std::size_t bytesUsed() const;
  std::size_t byteBudget() const { return thinning_.byteBudget(); }
  [[nodiscard]] Garbage setByteBudget(std::size_t bytes);

 private:
  BranchTree tree_;
  Thinning thinning_;
};

}  // namespace slipstick
