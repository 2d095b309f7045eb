// The branches of a run: who grew from whom at which step, and what is kept of the steps of each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/command.h"
#include "engine/runtime/columns.h"
#include "engine/runtime/force_range.h"
#include "engine/runtime/history_step.h"

namespace slipstick {

using BranchId = std::uint32_t;

/// One continuation of the run. It shares the past of its parent up to the step where it starts.
struct BranchFacts {
  BranchId id = 0;
  std::optional<BranchId> parent;  ///< none: the first
  std::uint64_t start = 0;         ///< the step that it has in common with its parent
  std::uint64_t last = 0;          ///< newest step
  std::string name;
  bool active = false;  ///< new steps go here
};

/// Of an id that no branch has, or has any more.
Error noSuchBranch();

/// Knows no budget: what is thinned, Thinning decides. Each function does all that it says, or throws and changes nothing.
class BranchTree {
 public:
  using Garbage = std::vector<std::shared_ptr<const void>>;
  using Snapshots = std::map<std::uint64_t, std::shared_ptr<const PackedSnapshot>>;
  using Keyframes = std::map<std::uint64_t, std::shared_ptr<const Keyframe>>;

  /// Every which step is kept; Thinning's.
  struct Strides {
    std::uint64_t snapshots = 1;  ///< of the older half of the way to the active branch
    std::uint64_t keyframes = 1;  ///< on the way
    std::uint64_t snapshotsAside = 1, keyframesAside = 1;  ///< of what lies off the way
  };
  struct Branch {
    std::optional<BranchId> parent;
    std::uint64_t begin = 0;  ///< its first own step: start + 1, for the first branch 0
    std::string name;
    std::uint64_t left = 0;  ///< when it was last the active one, in continuations
    Snapshots snapshots;
    Keyframes keyframes;
    std::vector<StampedCommand> commands;  ///< by step
    std::vector<StampedModel> models;      ///< by step
    std::vector<TimelineMark> marks;       ///< by step, from `begin` on without a gap
    std::vector<Columns> columns;          ///< one per model
    ForceRange forces;                     ///< up to the last mark
    Strides strides;
  };
  using Branches = std::map<BranchId, Branch>;
  /// The steps [begin, end) of a branch's way from the start of the run that are this ancestor's own.
  struct Leg {
    BranchId id;
    const Branch* branch;
    std::uint64_t begin, end;
  };

  BranchTree();

  // ---- growing
  BranchId active() const { return active_; }
  BranchId next() const { return nextId_; }  ///< of the branch that begins next
  Branch& activeBranch() { return branches_.at(active_); }
  const Branch& activeBranch() const { return branches_.at(active_); }
  /// Appends a step to the active branch. @param applied  the commands that led to it
  void push(HistoryStep step, std::span<const Command> applied);
  /// Makes another branch the active one.
  void activate(BranchId branch) noexcept;
  /// Begins a branch that grows from a step of another, and makes it the active one.
  /// @param suffix  of its name
  /// @param start  a keyframe of that step that belongs to the new branch; null: none does
  void beginFrom(BranchId parent, std::uint64_t step, const std::string& suffix = {},
                 std::shared_ptr<const Keyframe> start = nullptr);
  /// Begins one with a step that no branch has, and makes it the active one.
  void beginWith(const std::string& name, HistoryStep step);

  // ---- what a person makes of the branches: see History
  Result<void> rename(BranchId branch, const std::string& name);
  [[nodiscard]] Result<Garbage> remove(BranchId branch);

  // ---- looking
  bool has(BranchId branch) const { return branches_.contains(branch); }
  const Branch& at(BranchId branch) const { return branches_.at(branch); }
  Branch& at(BranchId branch) { return branches_.at(branch); }
  const Branches& all() const { return branches_; }
  Branches& all() { return branches_; }
  /// Of all that have steps of their own, and the active one, by id.
  std::vector<BranchFacts> facts() const;
  std::optional<std::uint64_t> lastStep(BranchId branch) const;  ///< newest simulated step
  /// None when the step was never simulated.
  std::optional<TimelineMark> mark(BranchId branch, std::uint64_t step) const;
  /// From the start of the run to a branch, oldest first.
  std::vector<Leg> wayTo(BranchId branch) const;
  /// The leg with a step, or the last one.
  Leg legOf(BranchId branch, std::uint64_t step) const;
  /// Branches that are not active.
  std::vector<Branch*> leftLongestAgoFirst();
  /// First own step of a branch that is not on the way to the active one.
  std::uint64_t offTheWayFrom(const Branch& branch) const;

  // ---- memory
  std::size_t snapshotBytes() const { return snapshotBytes_; }
  std::size_t keyframeBytes() const { return keyframeBytes_; }
  /// With what their places in the map take.
  static std::size_t bytesOf(const Snapshots& entries);
  static std::size_t bytesOf(const Keyframes& entries);
  /// Of marks, columns, commands and models.
  std::size_t smallBytes() const;
  /// Forgets one entry of a branch of this tree. @return the next one
  Snapshots::iterator erase(Snapshots& entries, Snapshots::iterator entry, Garbage& garbage);
  Keyframes::iterator erase(Keyframes& entries, Keyframes::iterator entry, Garbage& garbage);

 private:
  /// A step with all the memory that it takes in a branch: entering it cannot fail.
  struct Entry {
    TimelineMark mark;
    ForceRange forces;
    std::optional<Columns> columns;  ///< where the branch has none of its model yet
    std::vector<double> values;
    std::vector<PairRow> pairs;
    std::vector<StampedCommand> commands;
    Snapshots::node_type snapshot;
    Keyframes::node_type keyframe;  ///< may be empty
  };

  static Entry prepare(Branch& branch, HistoryStep step, const std::optional<TimelineMark>& before,
                       std::span<const Command> applied);
  void enter(Branch& branch, Entry entry) noexcept;
  Branches::node_type made(Branch branch) const;
  void begin(Branches::node_type branch) noexcept;
  std::string freeName(const std::string& name, BranchId branch) const;
  bool isNamed(const std::string& name, BranchId except) const;
  /// Neither active nor with steps of its own: nobody sees it.
  bool leftNoTrace(BranchId branch) const { return branch != active_ && branches_.at(branch).marks.empty(); }
  std::vector<BranchId> childrenOf(BranchId branch) const;
  Result<void> checkRemovable(BranchId branch) const;

  Branches branches_;
  BranchId active_ = 0;
  BranchId nextId_ = 1;
  std::uint64_t continuations_ = 0;
  std::size_t snapshotBytes_ = 0, keyframeBytes_ = 0;
};

/// The first of entries that are sorted by their `step`, at or after a step.
template <class Entries>
auto firstAtOrAfter(Entries& entries, std::uint64_t step) {
  return std::lower_bound(entries.begin(), entries.end(), step,
                          [](const auto& entry, std::uint64_t wanted) { return entry.step < wanted; });
}

}  // namespace slipstick
