#include "engine/runtime/run_record.h"

#include <algorithm>
#include <utility>

#include "engine/foundation/require.h"

namespace slipstick {

// ---- UnpackedSnapshots

std::shared_ptr<const Snapshot> UnpackedSnapshots::of(std::shared_ptr<const PackedSnapshot> packed) {
  {
    const std::scoped_lock lock(mutex_);
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.packed == packed; });
    if (found != entries_.end()) {
      std::rotate(found, found + 1, entries_.end());
      return entries_.back().snapshot;
    }
  }
  std::shared_ptr<const Snapshot> snapshot = packed->unpack();
  Entry dropped;
  const std::scoped_lock lock(mutex_);
  if (entries_.size() == kKept) {
    dropped = std::move(entries_.front());
    entries_.erase(entries_.begin());
  }
  entries_.push_back({std::move(packed), snapshot});
  return snapshot;
}

std::size_t UnpackedSnapshots::bytesUsed() const {
  const std::scoped_lock lock(mutex_);
  std::size_t bytes = 0;
  for (const Entry& entry : entries_) bytes += entry.snapshot->byteCount();
  return bytes;
}

// ---- writing

RunRecord::RunRecord(std::shared_ptr<const Snapshot> first, std::shared_ptr<const Keyframe> keyframe) {
  publish(std::move(first), {}, std::move(keyframe));
}

bool RunRecord::keyframeDue(std::uint64_t step) const {
  const std::scoped_lock lock(mutex_);
  return history_.keyframeDue(step);
}

std::shared_ptr<const Observables> RunRecord::observablesFor(const std::shared_ptr<const Model>& model) {
  if (model != observedModel_) {
    observables_ = std::make_shared<const Observables>(observablesOf(*model));
    observedModel_ = model;
  }
  return observables_;
}

/// Its particles are packed by the time of the next one, also where nobody keeps it.
HistoryStep RunRecord::stepOf(const std::shared_ptr<const Snapshot>& snapshot,
                              std::shared_ptr<const Keyframe> keyframe) {
  HistoryStep step = HistoryStep::of(snapshot, observablesFor(snapshot->model), std::move(keyframe));
  packing_.add(step.snapshot);
  return step;
}

void RunRecord::publish(std::shared_ptr<const Snapshot> snapshot, std::span<const Command> applied,
                        std::shared_ptr<const Keyframe> keyframe) {
  SIM_REQUIRE(snapshot->model != nullptr);
  HistoryStep step = stepOf(snapshot, std::move(keyframe));
  History::Garbage dropped;  // freed after the lock, as is what was the newest
  const std::scoped_lock lock(mutex_);
  dropped = history_.push(std::move(step), applied);
  std::swap(newest_, snapshot);
  tellOfChange();
}

void RunRecord::changeModel(std::shared_ptr<const Snapshot> snapshot) {
  const std::scoped_lock lock(mutex_);
  history_.log(StampedModel{snapshot->step, snapshot->model});
  std::swap(newest_, snapshot);
  tellOfChange();
}

void RunRecord::continueFrom(BranchId branch, std::uint64_t step, std::shared_ptr<Snapshot> snapshot) {
  std::shared_ptr<const Snapshot> left;  // freed after the lock
  const std::scoped_lock lock(mutex_);
  history_.continueFrom(branch, step);
  left = jumpTo(std::move(snapshot));
}

void RunRecord::changeBackend(BranchId branch, std::shared_ptr<const Keyframe> start,
                              std::shared_ptr<Snapshot> snapshot) {
  History::Garbage dropped;  // freed after the lock
  std::shared_ptr<const Snapshot> left;
  const std::scoped_lock lock(mutex_);
  dropped = history_.changeBackend(branch, std::move(start));
  left = jumpTo(std::move(snapshot));
}

void RunRecord::beginElsewhere(const std::string& name, std::shared_ptr<Snapshot> snapshot,
                               std::shared_ptr<const Keyframe> keyframe, Way beside) {
  {
    const std::scoped_lock lock(mutex_);
    snapshot->branch = history_.next();  // as it is packed; only this thread begins branches
  }
  const std::uint64_t first = snapshot->step;
  HistoryStep step = stepOf(snapshot, std::move(keyframe));
  std::erase_if(beside, [first](const WayLeg& leg) { return leg.begin > first; });
  std::map<BranchId, Way> entry;
  if (!beside.empty()) entry.emplace(0, std::move(beside));
  History::Garbage dropped;  // freed after the lock
  std::shared_ptr<const Snapshot> left;
  const std::scoped_lock lock(mutex_);
  dropped = history_.beginElsewhere(name, std::move(step));
  if (!entry.empty()) {  // allocates nothing
    auto node = entry.extract(entry.begin());
    node.key() = history_.active();
    besides_.insert(std::move(node));
  }
  left = jumpTo(std::move(snapshot));
}

/// Requires the lock. @return what was the newest
std::shared_ptr<const Snapshot> RunRecord::jumpTo(std::shared_ptr<Snapshot> snapshot) noexcept {
  snapshot->branch = history_.active();
  ++jumps_;
  tellOfChange();
  return std::exchange(newest_, std::move(snapshot));
}

/// Requires the lock.
void RunRecord::tellOfChange() noexcept {
  ++changes_;
  changed_.notify_all();
}

void RunRecord::setByteBudget(std::size_t bytes) {
  History::Garbage dropped;  // freed after the lock
  const std::scoped_lock lock(mutex_);
  dropped = history_.setByteBudget(bytes);
}

Result<void> RunRecord::rename(BranchId branch, const std::string& name) {
  const std::scoped_lock lock(mutex_);
  return history_.rename(branch, name);
}

Result<History::Garbage> RunRecord::remove(BranchId branch) {
  const std::scoped_lock lock(mutex_);
  return history_.remove(branch);
}

// ---- for a replay

std::optional<RunRecord::Departure> RunRecord::departureFor(BranchId branch, std::uint64_t step) const {
  const std::scoped_lock lock(mutex_);
  if (!history_.has(branch)) return std::nullopt;
  branch = history_.ownerOf(branch, step);
  const std::optional<TimelineMark> mark = history_.mark(branch, step);
  // One step earlier than needed where possible, so that the step's contacts are computed again.
  std::shared_ptr<const Keyframe> keyframe = step > 0 ? history_.keyframeBefore(branch, step - 1) : nullptr;
  if (!keyframe) keyframe = history_.keyframeBefore(branch, step);
  if (!mark || !keyframe) return std::nullopt;
  return Departure{std::move(keyframe), mark->stateHash};
}

std::shared_ptr<const Keyframe> RunRecord::keyframeBefore(BranchId branch, std::uint64_t step) const {
  const std::scoped_lock lock(mutex_);
  return history_.keyframeBefore(branch, step);
}

std::vector<Command> RunRecord::commandsAt(BranchId branch, std::uint64_t step) const {
  const std::scoped_lock lock(mutex_);
  return history_.commandsAt(branch, step);
}

std::vector<std::shared_ptr<const Model>> RunRecord::modelsAt(BranchId branch, std::uint64_t step) const {
  const std::scoped_lock lock(mutex_);
  return history_.modelsAt(branch, step);
}

Result<RunStretch> RunRecord::endOf(BranchId branch, double from) const {
  const std::scoped_lock lock(mutex_);
  return history_.endOf(branch, from);
}

// ---- for runs that step beside it

/// Requires the lock.
Way RunRecord::fullWay(BranchId branch) const {
  Way own = history_.wayTo(branch);
  const auto beside = besides_.find(own.front().branch);
  if (beside == besides_.end()) return own;
  ++own.front().begin;  // the step that it begins with is one of theirs
  Way way = beside->second;
  way.insert(way.end(), own.begin(), own.end());
  return way;
}

RunRecord::Lead RunRecord::lead() const {
  const std::scoped_lock lock(mutex_);
  return {fullWay(history_.active()), newest_->step, jumps_, changes_};
}

void RunRecord::waitForMore(std::uint64_t changes, const std::stop_token& stop) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [&] { return changes_ > changes; });
}

Way RunRecord::wayTo(BranchId branch) const {
  const std::scoped_lock lock(mutex_);
  return history_.has(branch) ? fullWay(branch) : Way();
}

std::shared_ptr<const Keyframe> RunRecord::startOfWay(BranchId branch) const {
  const std::scoped_lock lock(mutex_);
  if (!history_.has(branch)) return nullptr;
  return history_.keyframeBefore(branch, history_.wayTo(branch).front().begin);
}

std::optional<RunRecord::Next> RunRecord::nextAfter(BranchId branch, std::uint64_t step) const {
  const std::scoped_lock lock(mutex_);
  if (!history_.has(branch)) return std::nullopt;
  return Next{history_.modelsAt(branch, step), history_.commandsAt(branch, step)};
}

// ---- looking

std::shared_ptr<const Snapshot> RunRecord::newest() const {
  const std::scoped_lock lock(mutex_);
  return newest_;
}

std::shared_ptr<const Snapshot> RunRecord::latest(BranchId branch) const {
  std::uint64_t last = 0;
  {
    const std::scoped_lock lock(mutex_);
    if (!history_.has(branch)) return nullptr;
    last = history_.lastStep(branch).value_or(0);
  }
  return at(branch, last);
}

std::shared_ptr<const Snapshot> RunRecord::at(std::optional<BranchId> branch, std::uint64_t step) const {
  Found found = find(branch, step);
  return found.packed ? unpacked_.of(std::move(found.packed)) : found.newest;
}

std::shared_ptr<const Snapshot> RunRecord::contactsAt(std::optional<BranchId> branch,
                                                      std::uint64_t step) const {
  const Found found = find(branch, step);
  return found.packed ? found.packed->unpackContacts() : found.newest;
}

RunRecord::Found RunRecord::find(std::optional<BranchId> branch, std::uint64_t step) const {
  const std::scoped_lock lock(mutex_);
  const BranchId wanted = branch.value_or(history_.active());
  const bool active = wanted == history_.active();
  if (!history_.has(wanted)) return {};
  if (active && step >= newest_->step) return {nullptr, newest_};
  std::shared_ptr<const PackedSnapshot> packed = history_.nearest(wanted, step);
  if (!packed || (active && packed->facts().step == newest_->step)) return {nullptr, newest_};
  return {std::move(packed), nullptr};
}

std::optional<TimelineMark> RunRecord::mark(std::optional<BranchId> branch, std::uint64_t step) const {
  const std::scoped_lock lock(mutex_);
  const BranchId wanted = branch.value_or(history_.active());
  return history_.has(wanted) ? history_.mark(wanted, step) : std::nullopt;
}

std::vector<TimelineMark> RunRecord::marks(std::optional<BranchId> branch, std::uint64_t from) const {
  const std::scoped_lock lock(mutex_);
  const BranchId wanted = branch.value_or(history_.active());
  return history_.has(wanted) ? history_.marks(wanted, from) : std::vector<TimelineMark>{};
}

RunColumns RunRecord::columns(std::optional<BranchId> branch) const {
  const std::scoped_lock lock(mutex_);
  const BranchId wanted = branch.value_or(history_.active());
  return history_.has(wanted) ? history_.columns(wanted) : RunColumns();
}

std::vector<BranchFacts> RunRecord::branches() const {
  const std::scoped_lock lock(mutex_);
  return history_.branches();
}

BranchId RunRecord::startOfActive() const {
  const std::scoped_lock lock(mutex_);
  const std::shared_ptr<const Keyframe> first = history_.keyframeBefore(history_.active(), 0);
  return first ? history_.ownerOf(history_.active(), 0) : BranchId{0};
}

void RunRecord::describe(std::optional<BranchId> branch, RunStatus& status) const {
  const std::size_t looked = unpacked_.bytesUsed();
  const std::scoped_lock lock(mutex_);
  status.branch = branch.value_or(history_.active());
  status.gone = !history_.has(status.branch);
  if (!status.gone) {
    status.lastStep = history_.lastStep(status.branch).value_or(newest_->step);
    status.firstStored = history_.firstStep(status.branch).value_or(status.lastStep);
  }
  status.jumps = jumps_;
  status.historyBytes = history_.bytesUsed() + newest_->byteCount() + looked;
  status.historyBudget = history_.byteBudget();
}

// ---- BranchView

std::shared_ptr<const BranchView> BranchView::of(std::shared_ptr<const RunRecord> record, BranchId branch) {
  std::shared_ptr<const Snapshot> end = record->latest(branch);
  if (!end) return nullptr;
  return std::shared_ptr<const BranchView>(new BranchView(std::move(record), branch, std::move(end)));
}

/// What was found, remembered; the last that was, where the branch is gone.
std::shared_ptr<const Snapshot> BranchView::kept(std::shared_ptr<const Snapshot> snapshot) const {
  const std::scoped_lock lock(mutex_);
  if (!snapshot) return last_;
  std::swap(last_, snapshot);  // what it was before is freed after the lock
  return last_;
}

std::shared_ptr<const Snapshot> BranchView::contactsAt(std::uint64_t step) const {
  std::shared_ptr<const Snapshot> found = record_->contactsAt(branch_, step);
  return found ? found : kept(nullptr);
}

RunStatus BranchView::status() const {
  RunStatus status;
  record_->describe(branch_, status);
  if (status.gone) status.lastStep = status.firstStored = kept(nullptr)->step;
  return status;
}

}  // namespace slipstick
