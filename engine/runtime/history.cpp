#include "engine/runtime/history.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <new>
#include <utility>

#include "engine/foundation/require.h"
#include "engine/foundation/reserve_more.h"
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
          0};  // filled in by push(), which knows the earlier steps
}

template <class Entries>
auto firstAtOrAfter(Entries& entries, std::uint64_t step) {
  return std::lower_bound(entries.begin(), entries.end(), step,
                          [](const auto& entry, std::uint64_t wanted) { return entry.step < wanted; });
}

/// The only entry of a map, to be inserted into another one, which allocates nothing then.
template <class Map>
typename Map::node_type nodeOf(Map map) {
  return map.extract(map.begin());
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
  return branches_.begin()->second.keyframes.empty() || step % keyframeSpacing() == 0;
}

History::Garbage History::push(HistoryStep step, std::span<const Command> applied) {
  Branch& branch = activeBranch();
  const std::uint64_t number = step.mark.step;
  const std::optional<TimelineMark> before =
      branch.marks.empty() && number > 0 ? mark(active_, number - 1) : std::nullopt;
  enter(branch, prepare(branch, std::move(step), before, applied));
  return thin();
}

/// Only room in the branch changes. @param before  where this is its first step, the mark of the one before it, if any
History::Entry History::prepare(Branch& branch, HistoryStep step, const std::optional<TimelineMark>& before,
                                std::span<const Command> applied) {
  const std::uint64_t number = step.mark.step;
  if (branch.marks.empty() && !branch.parent) branch.begin = number;
  SIM_REQUIRE(number == branch.begin + branch.marks.size(), number, branch.begin, branch.marks.size());
  SIM_REQUIRE(!step.keyframe || step.keyframe->state.step == number, number);
  const std::shared_ptr<const Model>& model = step.snapshot->facts().model;
  Entry entry;
  entry.forces =
      branch.marks.empty() && before ? ForceRange(before->largestForce, before->time) : branch.forces;
  entry.mark = step.mark;
  entry.mark.largestForce = entry.forces.update(step.snapshot->facts(), model.get());
  if (branch.columns.empty() || branch.columns.back().observables() != step.observables)
    entry.columns.emplace(step.observables, number, model);
  (entry.columns ? *entry.columns : branch.columns.back()).makeRoom(step.pairs);
  entry.values = std::move(step.values);
  entry.pairs = std::move(step.pairs);
  for (const Command& command : applied) entry.commands.push_back({number - 1, command});
  entry.snapshot = nodeOf(Snapshots{{number, std::move(step.snapshot)}});
  if (step.keyframe) entry.keyframe = nodeOf(Keyframes{{number, std::move(step.keyframe)}});
  reserveMore(branch.marks, 1);
  reserveMore(branch.columns, 1);
  reserveMore(branch.commands, applied.size());
  return entry;
}

void History::enter(Branch& branch, Entry entry) noexcept {
  branch.forces = std::move(entry.forces);
  branch.marks.push_back(entry.mark);
  if (entry.columns) branch.columns.push_back(std::move(*entry.columns));
  branch.columns.back().add(entry.values, entry.pairs);
  std::move(entry.commands.begin(), entry.commands.end(), std::back_inserter(branch.commands));
  snapshotBytes_ += entry.snapshot.mapped()->byteCount() + kEntryBytes;
  branch.snapshots.insert(std::move(entry.snapshot));
  if (!entry.keyframe) return;
  keyframeBytes_ += entry.keyframe.mapped()->byteCount() + kEntryBytes;
  branch.keyframes.insert(std::move(entry.keyframe));
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

void History::activate(BranchId branch) noexcept {
  activeBranch().left = ++continuations_;
  active_ = branch;
  respace();
}

/// The next new branch, for begin().
History::Branches::node_type History::made(Branch branch) const {
  Branches one;
  one.emplace(nextId_, std::move(branch));
  return one.extract(one.begin());
}

/// One from a step of another.
History::Branches::node_type History::branchFrom(BranchId parent, std::uint64_t step,
                                                 const std::string& suffix) const {
  Branch fresh;
  fresh.parent = parent;
  fresh.begin = step + 1;
  fresh.name = freeName("branch " + std::to_string(nextId_) + suffix, nextId_);
  return made(std::move(fresh));
}

/// Makes a new branch the active one.
void History::begin(Branches::node_type branch) noexcept {
  const BranchId id = nextId_++;
  branches_.insert(std::move(branch));
  activate(id);
}

std::string History::freeName(const std::string& name, BranchId branch) const {
  std::string free = name;
  for (int copy = 2; isNamed(free, branch); ++copy) free = name + " (" + std::to_string(copy) + ")";
  return free;
}

void History::continueFrom(BranchId branch, std::uint64_t step) {
  SIM_REQUIRE(mark(branch, step).has_value(), branch, step);
  const BranchId id = ownerOf(branch, step);
  const Branch& owner = branches_.at(id);
  const auto followed = [step](const auto& log) { return !log.empty() && log.back().step >= step; };
  const bool nothingFollows =
      owner.marks.back().step == step && !followed(owner.commands) && !followed(owner.models);
  nothingFollows ? activate(id) : begin(branchFrom(id, step, ""));
}

History::Garbage History::changeBackend(BranchId branch, std::shared_ptr<const Keyframe> start) {
  const std::uint64_t step = start->state.step;
  SIM_REQUIRE(mark(branch, step).has_value(), branch, step);
  Branches::node_type fresh = branchFrom(ownerOf(branch, step), step, " on " + start->backend);
  const std::size_t bytes = start->byteCount() + kEntryBytes;
  fresh.mapped().keyframes.emplace(step, std::move(start));
  keyframeBytes_ += bytes;
  begin(std::move(fresh));
  return thin();
}

History::Garbage History::beginElsewhere(const std::string& name, HistoryStep step) {
  Branch empty;
  empty.name = freeName(name, nextId_);
  Branches::node_type fresh = made(std::move(empty));
  enter(fresh.mapped(), prepare(fresh.mapped(), std::move(step), std::nullopt, {}));
  begin(std::move(fresh));
  return thin();
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
  const auto left = std::make_shared<Branches>();
  Garbage garbage{left};
  for (const BranchId child : children) left->insert(branches_.extract(child));
  left->insert(branches_.extract(branch));
  for (const auto& [id, gone] : *left) {
    for (const auto& [step, snapshot] : gone.snapshots) snapshotBytes_ -= snapshot->byteCount() + kEntryBytes;
    for (const auto& [step, keyframe] : gone.keyframes) keyframeBytes_ -= keyframe->byteCount() + kEntryBytes;
  }
  respace();
  return garbage;
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
  respace();
  return thin();
}

std::size_t History::snapshotShare() const {
  const std::size_t share = byteBudget_ - keyframeShare();
  const std::size_t small = smallBytes();
  return share > small ? share - small : 0;
}

History::Garbage History::thin() noexcept {
  Garbage garbage;
  try {
    if (keyframeBytes_ > keyframeShare()) thinKeyframes(garbage);
    if (snapshotBytes_ > snapshotShare()) thinSnapshots(garbage);
  } catch (const std::bad_alloc&) {  // the next step tries again
  }
  return garbage;
}

/// What can be kept has changed. Thinning starts with every step and finds by itself how far it must go; keyframes, of
/// which each takes time, come as far apart from now on as there is room for.
void History::respace() noexcept {
  for (auto& [id, branch] : branches_) branch.snapshotStride = 1;
  Branch& active = activeBranch();
  active.keyframeStride = fittingSpacing(active);
}

/// The smallest power of two at which keyframes as large as those of a branch fit, from its first step to its last, beside
/// those of its ancestors.
std::uint64_t History::fittingSpacing(const Branch& branch) const noexcept {
  const auto bytesOf = [](const Branch& of) {
    std::size_t bytes = 0;
    for (const auto& [step, keyframe] : of.keyframes) bytes += keyframe->byteCount() + kEntryBytes;
    return bytes;
  };
  if (branch.keyframes.empty()) return 1;
  std::size_t room = keyframeShare();
  for (std::optional<BranchId> id = branch.parent; id; id = branches_.at(*id).parent)
    room -= std::min(room, bytesOf(branches_.at(*id)));
  const std::size_t each = bytesOf(branch) / branch.keyframes.size(), steps = branch.marks.size();
  std::uint64_t spacing = 1;
  while (spacing < steps && steps / spacing * each > room) spacing *= 2;
  return spacing;
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
  thinOffTheWay(&Branch::snapshots, &Branch::snapshotStrideAside, enough, garbage);
  while (!enough()) {
    const std::vector<OlderPart> older = olderHalf();
    for (const OlderPart& part : older) thin(part, garbage);
    if (enough()) return;
    Branch* finest = nullptr;
    for (const OlderPart& part : older) {
      // A stride beyond the newest step leaves nothing to thin.
      const bool canGrow = part.branch->snapshotStride <= std::prev(part.end)->first;
      if (canGrow && (!finest || part.branch->snapshotStride < finest->snapshotStride)) finest = part.branch;
    }
    if (finest)
      finest->snapshotStride *= 2;
    else if (!eraseOldest(garbage))
      return;
  }
}

/// Of the snapshots on the way to the active branch, by branch; parts that have any.
std::vector<History::OlderPart> History::olderHalf() {
  const std::vector<Leg> way = wayTo(active_);
  const auto countOf = [](const Leg& leg) {
    const Snapshots& stored = leg.branch->snapshots;
    return static_cast<std::size_t>(std::distance(stored.begin(), stored.lower_bound(leg.end)));
  };
  std::size_t count = 0;
  for (const Leg& leg : way) count += countOf(leg);
  std::size_t older = std::max<std::size_t>(count / 2, 1);
  std::vector<OlderPart> parts;
  for (const Leg& leg : way) {
    const std::size_t here = std::min(older, countOf(leg));
    older -= here;
    Branch& branch = branches_.at(leg.id);
    if (here > 0)
      parts.push_back({&branch, std::next(branch.snapshots.begin(), static_cast<std::ptrdiff_t>(here))});
  }
  return parts;
}

/// To every step of the branch's stride.
void History::thin(const OlderPart& part, Garbage& garbage) {
  Snapshots& stored = part.branch->snapshots;
  for (auto it = stored.begin(); it != part.end;) {
    const bool newest = std::next(it) == stored.end();
    it = newest || it->first % part.branch->snapshotStride == 0 ? std::next(it) : erase(stored, it, garbage);
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
  thinOffTheWay(&Branch::keyframes, &Branch::keyframeStrideAside, enough, garbage);
  while (!enough()) {
    Branch* finest = nullptr;
    for (const Leg& leg : wayTo(active_)) {
      Branch& branch = branches_.at(leg.id);
      const bool canGrow =
          !branch.keyframes.empty() && branch.keyframeStride <= branch.keyframes.rbegin()->first;
      if (canGrow && (!finest || branch.keyframeStride < finest->keyframeStride)) finest = &branch;
    }
    if (!finest) return;
    finest->keyframeStride *= 2;
    for (auto it = finest->keyframes.begin(); it != finest->keyframes.end();) {
      // Of a branch with a parent only the one at which another backend took over lies before its own steps.
      const bool first = it == finest->keyframes.begin() && (!finest->parent || it->first < finest->begin);
      it = first || it->first % finest->keyframeStride == 0 ? std::next(it)
                                                            : erase(finest->keyframes, it, garbage);
    }
  }
}

History::Snapshots::iterator History::erase(Snapshots& entries, Snapshots::iterator entry, Garbage& garbage) {
  garbage.push_back(entry->second);
  snapshotBytes_ -= entry->second->byteCount() + kEntryBytes;
  return entries.erase(entry);
}

History::Keyframes::iterator History::erase(Keyframes& entries, Keyframes::iterator entry, Garbage& garbage) {
  garbage.push_back(entry->second);
  keyframeBytes_ -= entry->second->byteCount() + kEntryBytes;
  return entries.erase(entry);
}

}  // namespace slipstick
