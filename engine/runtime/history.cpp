#include "engine/runtime/history.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/runtime/force_range.h"

namespace slipstick {

namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
/// What a std::map and a std::shared_ptr add to each entry.
constexpr std::size_t kEntryBytes = 96;

TimelineMark markOf(const Snapshot& snapshot) {
  const auto slipping =
      std::count_if(snapshot.contacts.begin(), snapshot.contacts.end(),
                    [](const Contact& contact) { return contact.mode == ContactMode::Slip; });
  return {snapshot.step,
          snapshot.time,
          static_cast<int>(snapshot.contacts.size()),
          static_cast<int>(slipping),
          snapshot.report.health,
          snapshot.stateHash,
          0};  // what came before is the history's: push()
}

template <class Entries>
auto firstAtOrAfter(Entries& entries, std::uint64_t step) {
  return std::lower_bound(entries.begin(), entries.end(), step,
                          [](const auto& entry, std::uint64_t wanted) { return entry.step < wanted; });
}

std::uint64_t distance(std::uint64_t a, std::uint64_t b) {
  return a > b ? a - b : b - a;
}

std::string trimmed(const std::string& text) {
  constexpr const char* kSpaces = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpaces);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(kSpaces) + 1 - first);
}

Error noSuchBranch() {
  return {ErrorCode::UnknownName, "there is no such branch any more", "branches of the run",
          "choose one of the branches that are listed"};
}

}  // namespace

std::shared_ptr<Snapshot> factsOf(const TimelineMark& mark, std::shared_ptr<const Model> model,
                                  const Observables& observables, std::span<const double> values) {
  auto snapshot = std::make_shared<Snapshot>(snapshotFrom(std::move(model), observables, values));
  snapshot->step = mark.step;
  snapshot->time = mark.time;
  snapshot->report.health = mark.health;
  snapshot->stateHash = mark.stateHash;
  return snapshot;
}

HistoryStep HistoryStep::of(const Snapshot& snapshot, std::shared_ptr<const Observables> observables,
                            std::shared_ptr<const Keyframe> keyframe) {
  std::vector<double> values = valuesOf(*observables, snapshot);
  return {markOf(snapshot),
          std::make_shared<const PackedSnapshot>(snapshot),
          std::move(observables),
          std::move(values),
          snapshot.model ? pairRowsOf(*snapshot.model, snapshot.contacts) : std::vector<PairRow>(),
          std::move(keyframe)};
}

History::History(std::size_t byteBudget) : byteBudget_(byteBudget) {
  branches_[0].name = "main";
}

// ---- growing

bool History::keyframeDue(std::uint64_t step) const {
  return branches_.begin()->second.keyframes.empty() || step % keyframeSpacing_ == 0;
}

History::Garbage History::push(HistoryStep step) {
  Branch& branch = activeBranch();
  const std::uint64_t number = step.mark.step;
  if (branch.marks.empty() && !branch.parent) branch.begin = number;
  SIM_REQUIRE(number == branch.begin + branch.marks.size(), number, branch.begin, branch.marks.size());
  SIM_REQUIRE(!step.keyframe || step.keyframe->state.step == number, number);
  const std::optional<TimelineMark> before =
      branch.marks.empty() ? (number > 0 ? mark(active_, number - 1) : std::nullopt) : branch.marks.back();
  if (branch.marks.empty() && before) branch.forces = ForceRange(before->largestForce, before->time);
  step.mark.largestForce = branch.forces.update(step.snapshot->facts(), step.snapshot->facts().model.get());
  branch.marks.push_back(step.mark);
  if (branch.columns.empty() || branch.columns.back().observables() != step.observables)
    branch.columns.emplace_back(step.observables, number, step.snapshot->facts().model);
  branch.columns.back().add(step.values, step.pairs);
  snapshotBytes_ += step.snapshot->byteCount() + kEntryBytes;
  branch.snapshots.emplace(number, std::move(step.snapshot));
  if (step.keyframe) {
    keyframeBytes_ += step.keyframe->byteCount() + kEntryBytes;
    branch.keyframes.emplace(number, std::move(step.keyframe));
  }
  return thin();
}

void History::log(const StampedCommand& command) {
  std::vector<StampedCommand>& commands = activeBranch().commands;
  SIM_REQUIRE(commands.empty() || command.step >= commands.back().step, command.step);
  commands.push_back(command);
}

void History::log(const StampedModel& model) {
  std::vector<StampedModel>& models = activeBranch().models;
  SIM_REQUIRE(models.empty() || model.step >= models.back().step, model.step);
  models.push_back(model);
}

/// Makes the branch that a step belongs to the active one.
void History::activate(BranchId branch, std::uint64_t step) {
  SIM_REQUIRE(mark(branch, step).has_value(), branch, step);
  activeBranch().left = ++continuations_;
  active_ = legOf(branch, step).id;
}

/// A new active branch, from a step of the one before.
History::Branch& History::branchOff(std::uint64_t step, const std::string& suffix) {
  const BranchId id = nextId_++;
  Branch& fresh = branches_[id];
  fresh.parent = active_;
  fresh.begin = step + 1;
  fresh.name = freeName("branch " + std::to_string(id) + suffix, id);
  active_ = id;
  return fresh;
}

std::string History::freeName(const std::string& name, BranchId branch) const {
  std::string free = name;
  for (int copy = 2; isNamed(free, branch); ++copy) free = name + " (" + std::to_string(copy) + ")";
  return free;
}

void History::continueFrom(BranchId branch, std::uint64_t step) {
  activate(branch, step);
  const Branch& owner = activeBranch();
  const auto followed = [step](const auto& log) { return !log.empty() && log.back().step >= step; };
  const bool nothingFollows =
      owner.marks.back().step == step && !followed(owner.commands) && !followed(owner.models);
  if (!nothingFollows) branchOff(step, "");
}

History::Garbage History::changeBackend(BranchId branch, std::shared_ptr<const Keyframe> start) {
  const std::uint64_t step = start->state.step;
  activate(branch, step);
  keyframeBytes_ += start->byteCount() + kEntryBytes;
  Branch& fresh = branchOff(step, " on " + start->backend);
  fresh.keyframes.emplace(step, std::move(start));
  return thin();
}

History::Garbage History::beginElsewhere(const std::string& name, HistoryStep step) {
  activeBranch().left = ++continuations_;
  const BranchId id = nextId_++;
  branches_[id].name = freeName(name, id);
  active_ = id;
  return push(std::move(step));
}

// ---- what a person makes of the branches

bool History::isNamed(const std::string& name, BranchId except) const {
  return std::any_of(branches_.begin(), branches_.end(), [&](const auto& entry) {
    return entry.first != except && entry.second.name == name && !leftNoTrace(entry.first);
  });
}

Result<void> History::rename(BranchId branch, const std::string& name) {
  if (!has(branch)) return noSuchBranch();
  const std::string where = "branch '" + branches_.at(branch).name + "'";
  const std::string wanted = trimmed(name);
  if (wanted.empty())
    return Error{ErrorCode::InvalidValue, "a branch needs a name", where, "write at least one letter"};
  if (isNamed(wanted, branch))
    return Error{ErrorCode::InvalidValue, "another branch is called '" + wanted + "'", where,
                 "choose another name"};
  branches_.at(branch).name = wanted;
  return {};
}

std::vector<BranchId> History::childrenOf(BranchId branch) const {
  std::vector<BranchId> children;
  for (const auto& [id, candidate] : branches_)
    if (candidate.parent == branch) children.push_back(id);
  return children;
}

Result<History::Garbage> History::remove(BranchId branch) {
  if (!has(branch)) return noSuchBranch();
  const std::string where = "branch '" + branches_.at(branch).name + "'";
  if (branch == active_)
    return Error{ErrorCode::InvalidValue, "new steps go to this branch, it cannot be deleted", where,
                 "go on from a step of another branch first"};
  const std::vector<BranchId> children = childrenOf(branch);
  std::string growing;
  for (const BranchId child : children)
    if (!leftNoTrace(child)) growing += (growing.empty() ? "'" : ", '") + branches_.at(child).name + "'";
  if (!growing.empty())
    return Error{ErrorCode::InvalidValue, "other branches grow from its steps: " + growing, where,
                 "delete those first"};
  Garbage garbage;
  for (const BranchId child : children) forget(child, garbage);
  forget(branch, garbage);
  return garbage;
}

void History::forget(BranchId branch, Garbage& garbage) {
  const auto entry = branches_.find(branch);
  for (const auto& [step, snapshot] : entry->second.snapshots)
    snapshotBytes_ -= snapshot->byteCount() + kEntryBytes;
  for (const auto& [step, keyframe] : entry->second.keyframes)
    keyframeBytes_ -= keyframe->byteCount() + kEntryBytes;
  garbage.push_back(std::make_shared<const Branch>(std::move(entry->second)));
  branches_.erase(entry);
}

// ---- looking

std::vector<History::Leg> History::wayTo(BranchId branch) const {
  std::vector<Leg> way;
  std::uint64_t end = kNever;
  for (std::optional<BranchId> id = branch; id; id = branches_.at(*id).parent) {
    const Branch& at = branches_.at(*id);
    way.push_back({*id, &at, at.begin, end});
    end = at.begin;
  }
  std::reverse(way.begin(), way.end());
  return way;
}

History::Leg History::legOf(BranchId branch, std::uint64_t step) const {
  const std::vector<Leg> way = wayTo(branch);
  const auto leg =
      std::find_if(way.begin(), way.end(), [step](const Leg& candidate) { return step < candidate.end; });
  return leg == way.end() ? way.back() : *leg;
}

std::vector<BranchFacts> History::branches() const {
  std::vector<BranchFacts> all;
  for (const auto& [id, branch] : branches_) {
    if (leftNoTrace(id)) continue;
    all.push_back({id, branch.parent, branch.parent ? branch.begin - 1 : branch.begin,
                   lastStep(id).value_or(branch.begin), branch.name, id == active_});
  }
  return all;
}

std::shared_ptr<const PackedSnapshot> History::find(BranchId branch, std::uint64_t step) const {
  const Snapshots& stored = legOf(branch, step).branch->snapshots;
  const auto found = stored.find(step);
  return found == stored.end() ? nullptr : found->second;
}

std::shared_ptr<const PackedSnapshot> History::nearest(BranchId branch, std::uint64_t step) const {
  std::shared_ptr<const PackedSnapshot> best;
  const auto consider = [&](const Snapshots::value_type& entry) {
    if (!best || distance(entry.first, step) < distance(best->facts().step, step)) best = entry.second;
  };
  for (const Leg& leg : wayTo(branch)) {
    const Snapshots& stored = leg.branch->snapshots;
    const auto end = stored.lower_bound(leg.end);
    const auto after = stored.lower_bound(std::min(step, leg.end));
    if (after != stored.begin()) consider(*std::prev(after));
    if (after != end) consider(*after);
  }
  return best;
}

std::optional<std::uint64_t> History::firstStep(BranchId branch) const {
  for (const Leg& leg : wayTo(branch)) {
    const Snapshots& stored = leg.branch->snapshots;
    if (!stored.empty() && stored.begin()->first < leg.end) return stored.begin()->first;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> History::lastStep(BranchId branch) const {
  const Branch& at = branches_.at(branch);
  if (!at.marks.empty()) return at.marks.back().step;
  if (at.parent) return at.begin - 1;
  return std::nullopt;
}

std::optional<TimelineMark> History::mark(BranchId branch, std::uint64_t step) const {
  const std::vector<TimelineMark>& marks = legOf(branch, step).branch->marks;
  const auto found = firstAtOrAfter(marks, step);
  if (found == marks.end() || found->step != step) return std::nullopt;
  return *found;
}

std::vector<TimelineMark> History::marks(BranchId branch, std::uint64_t from) const {
  std::vector<TimelineMark> marks;
  for (const Leg& leg : wayTo(branch)) {
    const std::vector<TimelineMark>& own = leg.branch->marks;
    if (from < leg.end) marks.insert(marks.end(), firstAtOrAfter(own, from), firstAtOrAfter(own, leg.end));
  }
  return marks;
}

RunColumns History::columns(BranchId branch) const {
  std::vector<RunColumns::Part> parts;
  for (const Leg& leg : wayTo(branch)) {
    for (const Columns& columns : leg.branch->columns) {
      const std::uint64_t end = std::min(columns.endStep(), leg.end);
      if (columns.firstStep() < end)
        parts.push_back({std::make_shared<const Columns>(columns), columns.firstStep(), end});
    }
  }
  return RunColumns(std::move(parts));
}

std::shared_ptr<const Keyframe> History::keyframeBefore(BranchId branch, std::uint64_t step) const {
  const std::vector<Leg> way = wayTo(branch);
  for (auto leg = way.rbegin(); leg != way.rend(); ++leg) {
    const Keyframes& stored = leg->branch->keyframes;
    const auto after = stored.upper_bound(std::min(step, leg->end - 1));
    if (after != stored.begin()) return std::prev(after)->second;
  }
  return nullptr;
}

std::vector<Command> History::commandsAt(BranchId branch, std::uint64_t step) const {
  const std::vector<StampedCommand>& log = legOf(branch, step + 1).branch->commands;
  std::vector<Command> commands;
  for (auto it = firstAtOrAfter(log, step); it != log.end() && it->step == step; ++it)
    commands.push_back(it->command);
  return commands;
}

std::vector<std::shared_ptr<const Model>> History::modelsAt(BranchId branch, std::uint64_t step) const {
  const std::vector<StampedModel>& log = legOf(branch, step + 1).branch->models;
  std::vector<std::shared_ptr<const Model>> models;
  for (auto it = firstAtOrAfter(log, step); it != log.end() && it->step == step; ++it)
    models.push_back(it->model);
  return models;
}

Result<RunStretch> History::endOf(BranchId branch, double from) const {
  if (!has(branch)) return noSuchBranch();
  const std::vector<Leg> way = wayTo(branch);
  RunStretch stretch;
  stretch.last = lastStep(branch).value_or(0);
  std::vector<std::shared_ptr<const Keyframe>>& kept = stretch.keyframes;
  std::shared_ptr<const Model> model;
  for (const Leg& leg : way) {
    for (const auto& [step, keyframe] : leg.branch->keyframes) {
      if (step >= leg.end || step > stretch.last) break;
      // Where another backend took over, its state of that step counts.
      if (!kept.empty() && kept.back()->state.step == step) kept.pop_back();
      kept.push_back(keyframe);
    }
    for (const StampedModel& stamped : leg.branch->models)
      if (stamped.step < std::min(stretch.last, leg.end - 1)) model = stamped.model;
  }
  const auto isOfTheEnd = [&](const std::shared_ptr<const Keyframe>& keyframe) {
    return keyframe->backend == kept.back()->backend && (!model || keyframe->model == model);
  };
  const auto before = std::find_if_not(kept.rbegin(), kept.rend(), isOfTheEnd);
  kept.erase(kept.begin(), before.base());
  if (kept.empty())
    return Error{ErrorCode::Unsupported, "the scene has just been edited",
                 "branch '" + branches_.at(branch).name + "'", "simulate at least one step with it"};
  const auto later = std::find_if(kept.begin() + 1, kept.end(),
                                  [from](const auto& keyframe) { return keyframe->state.time > from; });
  kept.erase(kept.begin(), later - 1);
  stretch.first = kept.front()->state.step;
  for (const Leg& leg : way)
    for (const StampedCommand& command : leg.branch->commands)
      if (command.step >= stretch.first && command.step < std::min(stretch.last, leg.end - 1))
        stretch.commands.push_back(command);
  return stretch;
}

// ---- memory

std::size_t History::smallBytes() const {
  std::size_t bytes = 0;
  for (const auto& [id, branch] : branches_) {
    bytes += sizeof(Branch) + branch.marks.capacity() * sizeof(TimelineMark) +
             branch.commands.capacity() * sizeof(StampedCommand) +
             branch.models.capacity() * sizeof(StampedModel);
    for (const Columns& columns : branch.columns) bytes += columns.byteCount();
  }
  return bytes;
}

std::size_t History::bytesUsed() const {
  return snapshotBytes_ + keyframeBytes_ + smallBytes();
}

History::Garbage History::setByteBudget(std::size_t bytes) {
  byteBudget_ = bytes;
  return thin();
}

std::size_t History::snapshotShare() const {
  const std::size_t share = byteBudget_ - keyframeShare();
  const std::size_t small = smallBytes();
  return share > small ? share - small : 0;
}

History::Garbage History::thin() {
  Garbage garbage;
  if (keyframeBytes_ > keyframeShare()) thinKeyframes(garbage);
  if (snapshotBytes_ > snapshotShare()) thinSnapshots(garbage);
  return garbage;
}

std::vector<History::Branch*> History::leftLongestAgoFirst() {
  std::vector<Branch*> order;
  for (auto& [id, branch] : branches_)
    if (id != active_) order.push_back(&branch);
  std::sort(order.begin(), order.end(), [](const Branch* a, const Branch* b) { return a->left < b->left; });
  return order;
}

std::uint64_t History::offTheWayFrom(const Branch& branch) const {
  for (const Leg& leg : wayTo(active_))
    if (leg.branch == &branch) return leg.end;
  return branch.begin;
}

template <class Entries, class Enough>
void History::thinOffTheWay(Entries Branch::*entries, std::uint64_t Branch::*stride, const Enough& enough,
                            Garbage& garbage) {
  for (Branch* branch : leftLongestAgoFirst()) {
    Entries& stored = branch->*entries;
    const std::uint64_t from = offTheWayFrom(*branch);
    while (!enough() && stored.lower_bound(from) != stored.end() &&
           branch->*stride <= stored.rbegin()->first) {
      branch->*stride *= 2;
      for (auto it = stored.lower_bound(from); it != stored.end();) {
        const bool newest = std::next(it) == stored.end();
        it = newest || it->first % (branch->*stride) == 0 ? std::next(it) : erase(stored, it, garbage);
      }
    }
  }
}

void History::thinSnapshots(Garbage& garbage) {
  // One eighth is freed at a time, so that the passes over the entries stay rare.
  const std::size_t wanted = snapshotShare() - snapshotShare() / 8;
  const auto enough = [&] { return snapshotBytes_ <= wanted; };
  thinOffTheWay(&Branch::snapshots, &Branch::snapshotStride, enough, garbage);
  while (!enough()) {
    // A stride beyond the newest step leaves nothing to thin: then the oldest go.
    if (snapshotStride_ > lastStep(active_).value_or(0)) {
      if (!eraseOldest(garbage)) return;
      continue;
    }
    thinOlderHalf(garbage);
    if (!enough()) snapshotStride_ *= 2;
  }
}

/// The older half of the way to the active branch, to every snapshotStride_-th step.
void History::thinOlderHalf(Garbage& garbage) {
  const std::vector<Leg> way = wayTo(active_);
  std::size_t count = 0;
  for (const Leg& leg : way) {
    const Snapshots& stored = leg.branch->snapshots;
    count += static_cast<std::size_t>(std::distance(stored.begin(), stored.lower_bound(leg.end)));
  }
  std::size_t older = std::max<std::size_t>(count / 2, 1);
  for (const Leg& leg : way) {
    Snapshots& stored = branches_.at(leg.id).snapshots;
    for (auto it = stored.begin(); it != stored.end() && it->first < leg.end && older > 0; --older) {
      const bool newest = std::next(it) == stored.end();
      it = newest || it->first % snapshotStride_ == 0 ? std::next(it) : erase(stored, it, garbage);
    }
  }
}

bool History::eraseOldest(Garbage& garbage) {
  for (const Leg& leg : wayTo(active_)) {
    Snapshots& stored = branches_.at(leg.id).snapshots;
    const auto oldest = stored.begin();
    if (oldest == stored.end() || oldest->first >= leg.end || std::next(oldest) == stored.end()) continue;
    erase(stored, oldest, garbage);
    return true;
  }
  return false;
}

void History::thinKeyframes(Garbage& garbage) {
  const auto enough = [this] { return keyframeBytes_ <= keyframeShare(); };
  thinOffTheWay(&Branch::keyframes, &Branch::keyframeStride, enough, garbage);
  while (!enough() && keyframeSpacing_ <= lastStep(active_).value_or(0)) {
    keyframeSpacing_ *= 2;
    for (auto& [id, branch] : branches_) {
      for (auto it = branch.keyframes.begin(); it != branch.keyframes.end();) {
        // Of a branch with a parent only the one at which another backend took over lies before its own steps.
        const bool first = it == branch.keyframes.begin() && (!branch.parent || it->first < branch.begin);
        it =
            first || it->first % keyframeSpacing_ == 0 ? std::next(it) : erase(branch.keyframes, it, garbage);
      }
    }
  }
}

History::Snapshots::iterator History::erase(Snapshots& entries, Snapshots::iterator entry, Garbage& garbage) {
  snapshotBytes_ -= entry->second->byteCount() + kEntryBytes;
  garbage.push_back(std::move(entry->second));
  return entries.erase(entry);
}

History::Keyframes::iterator History::erase(Keyframes& entries, Keyframes::iterator entry, Garbage& garbage) {
  keyframeBytes_ -= entry->second->byteCount() + kEntryBytes;
  garbage.push_back(std::move(entry->second));
  return entries.erase(entry);
}

}  // namespace slipstick
