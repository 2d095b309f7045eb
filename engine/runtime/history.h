// What can be looked at and returned to: a tree of branches with their snapshots by byte budget, keyframes of
// the full state, commands, and the facts and observables of every step.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/state.h"
#include "engine/runtime/columns.h"
#include "engine/runtime/force_range.h"
#include "engine/runtime/packed_snapshot.h"

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
  double largestForce = 0;      ///< force_range.h: lasting, on any body, up to this step of its way [N]
};

/// The snapshot of a step as far as its mark and its columns say it, see snapshotFrom().
std::shared_ptr<Snapshot> factsOf(const TimelineMark& mark, std::shared_ptr<const Model> model,
                                  const Observables& observables, std::span<const double> values);

/// A state that a replay can start from.
struct Keyframe {
  std::shared_ptr<const Model> model;
  State state;
  /// Stepper::backendName() of what computed the steps that follow it, up to the next keyframe of its branch:
  /// only the same one gives the same bits again.
  std::string backend = {};
  std::size_t byteCount() const { return state.byteCount(); }  ///< without the model, which others hold
};

/// All that is kept of one finished step. Making it takes a while: outside of the caller's lock.
struct HistoryStep {
  TimelineMark mark;
  std::shared_ptr<const PackedSnapshot> snapshot;
  std::shared_ptr<const Observables> observables;
  std::vector<double> values;                ///< of the observables
  std::vector<PairRow> pairs;                ///< that touch
  std::shared_ptr<const Keyframe> keyframe;  ///< null where none is due

  /// @param observables  of the snapshot's model
  static HistoryStep of(const Snapshot& snapshot, std::shared_ptr<const Observables> observables,
                        std::shared_ptr<const Keyframe> keyframe);
};

/// A model that took the place of the one before it at a step: the states after it belong to this one.
struct StampedModel {
  std::uint64_t step = 0;
  std::shared_ptr<const Model> model;
};

/// Consecutive steps of one model and backend.
struct RunStretch {
  std::uint64_t first = 0, last = 0;
  std::vector<std::shared_ptr<const Keyframe>> keyframes;  ///< that are kept; the first is of the first step
  std::vector<StampedCommand> commands;                    ///< between these steps
};

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

/// Not thread-safe: RunRecord keeps it behind a lock.
///
/// Three quarters of the budget hold snapshots, less marks, columns and commands; one quarter holds
/// keyframes. When snapshots are full, those that do not lie on the way to the active branch are thinned
/// first, branch by branch from the one left longest ago; then the older half of the way itself is thinned to
/// every k-th step. k doubles as needed, branch by branch from the finest, so that all of the past stays scrubbable,
/// coarser with age. The spacing of keyframes doubles likewise; it comes back where a branch begins or goes, or the
/// budget changes, to what the room allows then. The newest snapshot of each branch, the first keyframe and those at
/// which another backend took over are always kept.
///
/// What a function no longer keeps it hands back, so that the caller frees it outside of its lock. Each one does all
/// that it says, or throws and changes nothing; where there is no memory to thin with, that waits for the next step.
class History {
 public:
  using Garbage = std::vector<std::shared_ptr<const void>>;

  explicit History(std::size_t byteBudget = std::size_t{1} << 30);

  // ---- growing; always at the end of the active branch
  /// True when push() wants a keyframe of this step.
  bool keyframeDue(std::uint64_t step) const;
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
  Result<void> rename(BranchId branch, const std::string& name);
  /// Forgets the own steps of a branch; its id is not given again. Error: no such branch, the active one, or
  /// others grow from its steps.
  [[nodiscard]] Result<Garbage> remove(BranchId branch);

  // ---- looking; steps of a branch include those of its ancestors before it starts
  BranchId active() const { return active_; }
  bool has(BranchId branch) const { return branches_.contains(branch); }
  /// All that have steps of their own, and the active one, by id.
  std::vector<BranchFacts> branches() const;
  std::shared_ptr<const PackedSnapshot> find(BranchId branch,
                                             std::uint64_t step) const;  ///< null when not stored
  /// Stored snapshot nearest to a step; null if there is none.
  std::shared_ptr<const PackedSnapshot> nearest(BranchId branch, std::uint64_t step) const;
  std::optional<std::uint64_t> firstStep(BranchId branch) const;  ///< oldest stored snapshot
  std::optional<std::uint64_t> lastStep(BranchId branch) const;   ///< newest simulated step
  /// The branch, this one or an ancestor, that a step belongs to.
  BranchId ownerOf(BranchId branch, std::uint64_t step) const { return legOf(branch, step).id; }
  /// None when the step was never simulated.
  std::optional<TimelineMark> mark(BranchId branch, std::uint64_t step) const;
  std::vector<TimelineMark> marks(BranchId branch, std::uint64_t from = 0) const;
  RunColumns columns(BranchId branch) const;

  /// The latest keyframe at or before `step`; null if none.
  std::shared_ptr<const Keyframe> keyframeBefore(BranchId branch, std::uint64_t step) const;
  /// From the latest keyframe up to a time [s] on, or from the first that has the model and backend of the end. Error: no
  /// such branch; no keyframe has the model of the end.
  Result<RunStretch> endOf(BranchId branch, double from) const;
  /// Of those to come.
  std::uint64_t keyframeSpacing() const { return branches_.at(active_).keyframeStride; }
  /// Commands applied before the step that leads from `step` to `step` + 1, in their order.
  std::vector<Command> commandsAt(BranchId branch, std::uint64_t step) const;
  /// Models that the state at `step` went through before those commands, in their order.
  std::vector<std::shared_ptr<const Model>> modelsAt(BranchId branch, std::uint64_t step) const;

  // ---- memory
  std::size_t bytesUsed() const;
  std::size_t byteBudget() const { return byteBudget_; }
  [[nodiscard]] Garbage setByteBudget(std::size_t bytes);

 private:
  using Snapshots = std::map<std::uint64_t, std::shared_ptr<const PackedSnapshot>>;
  using Keyframes = std::map<std::uint64_t, std::shared_ptr<const Keyframe>>;

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
    std::uint64_t snapshotStride = 1;      ///< of the older half of the way to the active branch
    std::uint64_t keyframeStride = 1;      ///< on the way
    std::uint64_t snapshotStrideAside = 1, keyframeStrideAside = 1;  ///< of what lies off the way
  };
  using Branches = std::map<BranchId, Branch>;
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
  /// The part of a branch's own snapshots that belongs to the older half of the way.
  struct OlderPart {
    Branch* branch;
    Snapshots::iterator end;
  };
  /// The steps [begin, end) of a branch's way from the start of the run that are this ancestor's own.
  struct Leg {
    BranchId id;
    const Branch* branch;
    std::uint64_t begin, end;
  };

  std::vector<Leg> wayTo(BranchId branch) const;
  /// The leg with a step, or the last one.
  Leg legOf(BranchId branch, std::uint64_t step) const;
  Branch& activeBranch() { return branches_.at(active_); }
  static Entry prepare(Branch& branch, HistoryStep step, const std::optional<TimelineMark>& before,
                       std::span<const Command> applied);
  void enter(Branch& branch, Entry entry) noexcept;
  Branches::node_type made(Branch branch) const;
  Branches::node_type branchFrom(BranchId parent, std::uint64_t step, const std::string& suffix) const;
  void activate(BranchId branch) noexcept;
  void begin(Branches::node_type branch) noexcept;
  std::string freeName(const std::string& name, BranchId branch) const;
  bool isNamed(const std::string& name, BranchId except) const;
  /// Neither active nor with steps of its own: nobody sees it.
  bool leftNoTrace(BranchId branch) const { return branch != active_ && branches_.at(branch).marks.empty(); }
  std::vector<BranchId> childrenOf(BranchId branch) const;

  Garbage thin() noexcept;
  void respace() noexcept;
  std::uint64_t fittingSpacing(const Branch& branch) const noexcept;
  void thinSnapshots(Garbage& garbage);
  void thinKeyframes(Garbage& garbage);
  /// Thins what lies off the active branch's way until `enough`.
  template <class Entries, class Enough>
  void thinOffTheWay(Entries Branch::*entries, std::uint64_t Branch::*stride, const Enough& enough,
                     Garbage& garbage);
  void thin(const OlderPart& part, Garbage& garbage);
  std::vector<OlderPart> olderHalf();
  bool eraseOldest(Garbage& garbage);
  std::vector<Branch*> leftLongestAgoFirst();
  /// First own step of a branch that is not on the way to the active one.
  std::uint64_t offTheWayFrom(const Branch& branch) const;
  std::size_t snapshotShare() const;
  std::size_t keyframeShare() const { return byteBudget_ / 4; }
  std::size_t smallBytes() const;
  Snapshots::iterator erase(Snapshots& entries, Snapshots::iterator entry, Garbage& garbage);
  Keyframes::iterator erase(Keyframes& entries, Keyframes::iterator entry, Garbage& garbage);

  std::size_t byteBudget_;
  std::size_t snapshotBytes_ = 0, keyframeBytes_ = 0;
  Branches branches_;
  BranchId active_ = 0;
  BranchId nextId_ = 1;
  std::uint64_t continuations_ = 0;
};

}  // namespace slipstick
