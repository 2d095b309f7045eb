#include "engine/runtime/history.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace slipstick {

namespace {

TimelineMark markOf(const Snapshot& snapshot) {
  const auto slipping =
      std::count_if(snapshot.contacts.begin(), snapshot.contacts.end(),
                    [](const Contact& contact) { return contact.mode == ContactMode::Slip; });
  return {snapshot.step,
          snapshot.time,
          static_cast<int>(snapshot.contacts.size()),
          static_cast<int>(slipping),
          snapshot.report.health,
          snapshot.stateHash};
}

template <class Entries>
auto firstAtOrAfter(Entries& entries, std::uint64_t step) {
  return std::lower_bound(entries.begin(), entries.end(), step,
                          [](const auto& entry, std::uint64_t wanted) { return entry.step < wanted; });
}

}  // namespace

History::History(std::size_t byteBudget) : byteBudget_(byteBudget) {}

bool History::keyframeDue(std::uint64_t step) const {
  return keyframes_.empty() || (step - keyframes_.begin()->first) % keyframeSpacing_ == 0;
}

void History::push(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const State> keyframe) {
  SIM_REQUIRE(marks_.empty() || snapshot->step > marks_.back().step, snapshot->step, marks_.back().step);
  SIM_REQUIRE(!keyframe || keyframe->step == snapshot->step, keyframe->step, snapshot->step);
  marks_.push_back(markOf(*snapshot));
  snapshotBytes_ += snapshot->byteCount();
  snapshots_.emplace(snapshot->step, std::move(snapshot));
  if (keyframe) {
    keyframeBytes_ += keyframe->byteCount();
    keyframes_.emplace(keyframe->step, std::move(keyframe));
  }
  thin();
}

void History::log(const StampedCommand& command) {
  SIM_REQUIRE(commands_.empty() || command.step >= commands_.back().step, command.step);
  commands_.push_back(command);
}

std::shared_ptr<const Snapshot> History::find(std::uint64_t step) const {
  const auto found = snapshots_.find(step);
  return found == snapshots_.end() ? nullptr : found->second;
}

std::shared_ptr<const Snapshot> History::nearest(std::uint64_t step) const {
  if (snapshots_.empty()) return nullptr;
  const auto after = snapshots_.lower_bound(step);
  if (after == snapshots_.begin()) return after->second;
  const auto before = std::prev(after);
  if (after == snapshots_.end()) return before->second;
  return after->first - step < step - before->first ? after->second : before->second;
}

std::optional<std::uint64_t> History::firstStep() const {
  if (snapshots_.empty()) return std::nullopt;
  return snapshots_.begin()->first;
}

std::optional<std::uint64_t> History::lastStep() const {
  if (snapshots_.empty()) return std::nullopt;
  return snapshots_.rbegin()->first;
}

std::optional<TimelineMark> History::mark(std::uint64_t step) const {
  const auto found = firstAtOrAfter(marks_, step);
  if (found == marks_.end() || found->step != step) return std::nullopt;
  return *found;
}

std::shared_ptr<const State> History::keyframeBefore(std::uint64_t step) const {
  const auto after = keyframes_.upper_bound(step);
  return after == keyframes_.begin() ? nullptr : std::prev(after)->second;
}

std::vector<Command> History::commandsAt(std::uint64_t step) const {
  std::vector<Command> commands;
  for (auto it = firstAtOrAfter(commands_, step); it != commands_.end() && it->step == step; ++it) {
    commands.push_back(it->command);
  }
  return commands;
}

void History::truncateAfter(std::uint64_t step) {
  for (auto it = snapshots_.upper_bound(step); it != snapshots_.end();) it = erase(it);
  for (auto it = keyframes_.upper_bound(step); it != keyframes_.end();) it = erase(it);
  commands_.erase(firstAtOrAfter(commands_, step), commands_.end());
  marks_.erase(firstAtOrAfter(marks_, step + 1), marks_.end());
}

void History::clear() {
  const std::size_t budget = byteBudget_;
  *this = History(budget);
}

std::size_t History::bytesUsed() const {
  return snapshotBytes_ + keyframeBytes_ + marks_.size() * sizeof(TimelineMark) +
         commands_.size() * sizeof(StampedCommand);
}

void History::setByteBudget(std::size_t bytes) {
  byteBudget_ = bytes;
  thin();
}

std::size_t History::snapshotShare() const {
  const std::size_t share = byteBudget_ - keyframeShare();
  const std::size_t small = bytesUsed() - snapshotBytes_ - keyframeBytes_;
  return share > small ? share - small : 0;
}

void History::thin() {
  if (keyframeBytes_ > keyframeShare()) thinKeyframes();
  if (snapshotBytes_ > snapshotShare()) thinSnapshots();
}

void History::thinSnapshots() {
  // One eighth is freed at a time, so that the passes over the map stay rare.
  const std::size_t wanted = snapshotShare() - snapshotShare() / 8;
  while (snapshotBytes_ > wanted && snapshots_.size() > 1) {
    const std::size_t older = std::max<std::size_t>(snapshots_.size() / 2, 1);
    auto it = snapshots_.begin();
    for (std::size_t i = 0; i < older; ++i) {
      it = it->first % snapshotStride_ == 0 ? std::next(it) : erase(it);
    }
    if (snapshotBytes_ <= wanted) break;
    // A stride beyond the newest step leaves nothing to thin: then the oldest go.
    if (snapshotStride_ <= snapshots_.rbegin()->first) {
      snapshotStride_ *= 2;
    } else {
      erase(snapshots_.begin());
    }
  }
}

void History::thinKeyframes() {
  while (keyframeBytes_ > keyframeShare() && keyframes_.size() > 1) {
    keyframeSpacing_ *= 2;
    const std::uint64_t first = keyframes_.begin()->first;
    for (auto it = keyframes_.begin(); it != keyframes_.end();) {
      it = (it->first - first) % keyframeSpacing_ == 0 ? std::next(it) : erase(it);
    }
  }
}

History::Snapshots::iterator History::erase(Snapshots::iterator entry) {
  snapshotBytes_ -= entry->second->byteCount();
  return snapshots_.erase(entry);
}

History::Keyframes::iterator History::erase(Keyframes::iterator entry) {
  keyframeBytes_ -= entry->second->byteCount();
  return keyframes_.erase(entry);
}

}  // namespace slipstick
