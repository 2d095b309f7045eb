// The history behind its lock: the simulation thread writes, windows read while it computes.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/runtime/history.h"
#include "engine/runtime/packing_thread.h"
#include "engine/runtime/run_source.h"

namespace slipstick {

/// Snapshots that were unpacked lately: a window asks for the one that it shows again and again.
class UnpackedSnapshots {
 public:
  std::shared_ptr<const Snapshot> of(std::shared_ptr<const PackedSnapshot> packed);
  std::size_t bytesUsed() const;

 private:
  struct Entry {
    std::shared_ptr<const PackedSnapshot> packed;
    std::shared_ptr<const Snapshot> snapshot;
  };
  static constexpr std::size_t kKept = 4;

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  ///< latest last
};

/// Every function may be called from every thread, but those under "writing" from one only. No lock is held
/// while a snapshot is packed, unpacked or freed. Those that write do so or throw and change nothing. The particles of the newest
/// step are packed beside the next one.
class RunRecord {
 public:
  /// @param first  with its model; the keyframe is of the same step
  RunRecord(std::shared_ptr<const Snapshot> first, std::shared_ptr<const Keyframe> keyframe);

  // ---- writing
  bool keyframeDue(std::uint64_t step) const;
  /// A finished step. @param applied  the commands that led to it   @param keyframe  null where none is due
  void publish(std::shared_ptr<const Snapshot> snapshot, std::span<const Command> applied,
               std::shared_ptr<const Keyframe> keyframe);
  /// The newest step, as another model sees it from now on.
  void changeModel(std::shared_ptr<const Snapshot> snapshot);
  /// Makes a past step the newest: of its own branch if nothing follows it there, otherwise of a new one,
  /// which the snapshot names then.
  void continueFrom(BranchId branch, std::uint64_t step, std::shared_ptr<Snapshot> snapshot);
  /// The same with another backend: always a new branch.
  /// @param start  of the step, as this backend has it
  void changeBackend(BranchId branch, std::shared_ptr<const Keyframe> start,
                     std::shared_ptr<Snapshot> snapshot);
  /// Goes on from a step of another run, on a branch of its own.
  /// @param keyframe  of the step
  /// @param beside    the way of this one beside which the other run has come to the step; empty: it has not
  void beginElsewhere(const std::string& name, std::shared_ptr<Snapshot> snapshot,
                      std::shared_ptr<const Keyframe> keyframe, Way beside = {});
  void setByteBudget(std::size_t bytes);
  // From any thread:
  Result<void> rename(BranchId branch, const std::string& name);
  /// @return what the caller frees; no lock of the record is held then
  [[nodiscard]] Result<History::Garbage> remove(BranchId branch);

  // ---- for a replay
  struct Departure {
    std::shared_ptr<const Keyframe> keyframe;
    std::uint64_t stateHash = 0;  ///< what the replay must arrive at
  };
  /// Where a replay to a step starts; none when the step is not in the history.
  std::optional<Departure> departureFor(BranchId branch, std::uint64_t step) const;
  /// The last one up to a step; null if none is kept.
  std::shared_ptr<const Keyframe> keyframeBefore(BranchId branch, std::uint64_t step) const;
  std::vector<Command> commandsAt(BranchId branch, std::uint64_t step) const;
  std::vector<std::shared_ptr<const Model>> modelsAt(BranchId branch, std::uint64_t step) const;

  Result<RunStretch> endOf(BranchId branch, double from) const;

  // ---- for runs that step beside it
  struct Lead {
    Way way;  ///< to the active branch, also beside what it goes on from
    std::uint64_t newest = 0, jumps = 0;
    std::uint64_t changes = 0;  ///< of the record so far
  };
  Lead lead() const;
  /// Blocks until there were more changes than so many, or `stop` asks for an end.
  void waitForMore(std::uint64_t changes, const std::stop_token& stop) const;
  /// Likewise to any branch; empty where it is gone.
  Way wayTo(BranchId branch) const;
  /// The state that a branch's way begins with, not beside this run; null if it is not kept, or the branch is gone.
  std::shared_ptr<const Keyframe> startOfWay(BranchId branch) const;
  /// What the next step of a branch has come from, see modelsAt() and commandsAt(); none where the branch is gone.
  struct Next {
    std::vector<std::shared_ptr<const Model>> models;
    std::vector<Command> commands;
  };
  std::optional<Next> nextAfter(BranchId branch, std::uint64_t step) const;

  // ---- looking; without a branch: the active one; of a branch that was deleted null, none and empty
  std::shared_ptr<const Snapshot> newest() const;
  std::shared_ptr<const Snapshot> latest(BranchId branch) const;
  std::shared_ptr<const Snapshot> at(std::optional<BranchId> branch, std::uint64_t step) const;
  std::shared_ptr<const Snapshot> contactsAt(std::optional<BranchId> branch, std::uint64_t step) const;
  std::optional<TimelineMark> mark(std::optional<BranchId> branch, std::uint64_t step) const;
  std::vector<TimelineMark> marks(std::optional<BranchId> branch, std::uint64_t from) const;
  RunColumns columns(std::optional<BranchId> branch) const;
  std::vector<BranchFacts> branches() const;
  /// The branch from whose first step the active one comes, where that is a start; otherwise the first branch of all.
  BranchId startOfActive() const;
  /// Fills what a status says of the history.
  void describe(std::optional<BranchId> branch, RunStatus& status) const;

 private:
  std::shared_ptr<const Observables> observablesFor(const std::shared_ptr<const Model>& model);
  HistoryStep stepOf(const std::shared_ptr<const Snapshot>& snapshot,
                     std::shared_ptr<const Keyframe> keyframe);
  std::shared_ptr<const Snapshot> jumpTo(std::shared_ptr<Snapshot> snapshot) noexcept;
  void tellOfChange() noexcept;
  Way fullWay(BranchId branch) const;
  /// A stored step as it is packed, or the newest as it is; both null: the branch is gone.
  struct Found {
    std::shared_ptr<const PackedSnapshot> packed;
    std::shared_ptr<const Snapshot> newest;
  };
  Found find(std::optional<BranchId> branch, std::uint64_t step) const;

  mutable std::mutex mutex_;
  History history_;
  std::shared_ptr<const Snapshot> newest_;
  std::uint64_t jumps_ = 0;
  std::map<BranchId, Way> besides_;  ///< ways that first steps of branches have come from, beside this run
  std::uint64_t changes_ = 0;
  mutable std::condition_variable_any changed_;
  mutable UnpackedSnapshots unpacked_;

  // The writer's own.
  std::shared_ptr<const Model> observedModel_;
  std::shared_ptr<const Observables> observables_;
  PackingThread packing_;
};

/// One branch of a run, to look at while another one goes on. When it has been deleted, its status says so,
/// the step that was looked at last stays the only one, and there are no marks and no columns.
class BranchView final : public RunSource {
 public:
  /// Null where the record has no such branch.
  static std::shared_ptr<const BranchView> of(std::shared_ptr<const RunRecord> record, BranchId branch);

  std::shared_ptr<const Snapshot> latest() const override { return kept(record_->latest(branch_)); }
  std::shared_ptr<const Snapshot> at(std::uint64_t step) const override {
    return kept(record_->at(branch_, step));
  }
  std::shared_ptr<const Snapshot> contactsAt(std::uint64_t step) const override;
  std::optional<TimelineMark> mark(std::uint64_t step) const override { return record_->mark(branch_, step); }
  std::vector<TimelineMark> marks(std::uint64_t from) const override { return record_->marks(branch_, from); }
  RunColumns columns() const override { return record_->columns(branch_); }
  RunStatus status() const override;

 private:
  BranchView(std::shared_ptr<const RunRecord> record, BranchId branch, std::shared_ptr<const Snapshot> end)
      : record_(std::move(record)), branch_(branch), last_(std::move(end)) {}
  std::shared_ptr<const Snapshot> kept(std::shared_ptr<const Snapshot> snapshot) const;

  std::shared_ptr<const RunRecord> record_;
  BranchId branch_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Snapshot> last_;  ///< looked at; never null
};

}  // namespace slipstick
