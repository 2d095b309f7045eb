#include "engine/runtime/branch_tree.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/foundation/require.h"
#include "engine/foundation/reserve_more.h"

namespace slipstick {

namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
/// What a std::map and a std::shared_ptr add to each entry.
constexpr std::size_t kEntryBytes = 96;

/// The only entry of a map, to be inserted into another one, which allocates nothing then.
template <class Map>
typename Map::node_type nodeOf(Map map) {
  return map.extract(map.begin());
}

template <class Map>
std::size_t bytesIn(const Map& entries) {
  std::size_t bytes = 0;
  for (const auto& [step, entry] : entries) bytes += entry->byteCount() + kEntryBytes;
  return bytes;
}

std::string trimmed(const std::string& text) {
  constexpr const char* kSpaces = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpaces);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(kSpaces) + 1 - first);
}

}  // namespace

Error noSuchBranch() {
  return {ErrorCode::UnknownName, "there is no such branch any more", "branches of the run",
          "choose one of the branches that are listed"};
}

BranchTree::BranchTree() {
  branches_[0].name = "main";
}

// ---- growing

void BranchTree::push(HistoryStep step, std::span<const Command> applied) {
  Branch& branch = activeBranch();
  const std::uint64_t number = step.mark.step;
  const std::optional<TimelineMark> before =
      branch.marks.empty() && number > 0 ? mark(active_, number - 1) : std::nullopt;
  enter(branch, prepare(branch, std::move(step), before, applied));
}

/// Only room in the branch changes. @param before  where this is its first step, the mark of the one before it, if any
BranchTree::Entry BranchTree::prepare(Branch& branch, HistoryStep step,
                                      const std::optional<TimelineMark>& before,
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

void BranchTree::enter(Branch& branch, Entry entry) noexcept {
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

void BranchTree::activate(BranchId branch) noexcept {
  activeBranch().left = ++continuations_;
  active_ = branch;
}

/// The next new branch, for begin().
BranchTree::Branches::node_type BranchTree::made(Branch branch) const {
  Branches one;
  one.emplace(nextId_, std::move(branch));
  return one.extract(one.begin());
}

/// Makes a new branch the active one.
void BranchTree::begin(Branches::node_type branch) noexcept {
  const BranchId id = nextId_++;
  branches_.insert(std::move(branch));
  activate(id);
}

void BranchTree::beginFrom(BranchId parent, std::uint64_t step, const std::string& suffix,
                           std::shared_ptr<const Keyframe> start) {
  Branch fresh;
  fresh.parent = parent;
  fresh.begin = step + 1;
  fresh.name = freeName("branch " + std::to_string(nextId_) + suffix, nextId_);
  if (start) fresh.keyframes.emplace(step, std::move(start));
  const std::size_t bytes = bytesOf(fresh.keyframes);
  Branches::node_type node = made(std::move(fresh));
  keyframeBytes_ += bytes;
  begin(std::move(node));
}

void BranchTree::beginWith(const std::string& name, HistoryStep step) {
  Branch empty;
  empty.name = freeName(name, nextId_);
  Branches::node_type fresh = made(std::move(empty));
  enter(fresh.mapped(), prepare(fresh.mapped(), std::move(step), std::nullopt, {}));
  begin(std::move(fresh));
}

// ---- what a person makes of the branches

bool BranchTree::isNamed(const std::string& name, BranchId except) const {
  return std::any_of(branches_.begin(), branches_.end(), [&](const auto& entry) {
    return entry.first != except && entry.second.name == name && !leftNoTrace(entry.first);
  });
}

std::string BranchTree::freeName(const std::string& name, BranchId branch) const {
  std::string free = name;
  for (int copy = 2; isNamed(free, branch); ++copy) free = name + " (" + std::to_string(copy) + ")";
  return free;
}

Result<void> BranchTree::rename(BranchId branch, const std::string& name) {
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

std::vector<BranchId> BranchTree::childrenOf(BranchId branch) const {
  std::vector<BranchId> children;
  for (const auto& [id, candidate] : branches_)
    if (candidate.parent == branch) children.push_back(id);
  return children;
}

Result<void> BranchTree::checkRemovable(BranchId branch) const {
  if (!has(branch)) return noSuchBranch();
  const std::string where = "branch '" + branches_.at(branch).name + "'";
  if (branch == active_)
    return Error{ErrorCode::InvalidValue, "new steps go to this branch, it cannot be deleted", where,
                 "go on from a step of another branch first"};
  std::string growing;
  for (const BranchId child : childrenOf(branch))
    if (!leftNoTrace(child)) growing += (growing.empty() ? "'" : ", '") + branches_.at(child).name + "'";
  if (!growing.empty())
    return Error{ErrorCode::InvalidValue, "other branches grow from its steps: " + growing, where,
                 "delete those first"};
  return {};
}

Result<BranchTree::Garbage> BranchTree::remove(BranchId branch) {
  if (Result<void> can = checkRemovable(branch); !can) return can.error();
  const std::vector<BranchId> children = childrenOf(branch);
  const auto left = std::make_shared<Branches>();
  Garbage garbage{left};
  for (const BranchId child : children) left->insert(branches_.extract(child));
  left->insert(branches_.extract(branch));
  for (const auto& [id, gone] : *left) {
    snapshotBytes_ -= bytesOf(gone.snapshots);
    keyframeBytes_ -= bytesOf(gone.keyframes);
  }
  return garbage;
}

// ---- looking

std::vector<BranchTree::Leg> BranchTree::wayTo(BranchId branch) const {
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

BranchTree::Leg BranchTree::legOf(BranchId branch, std::uint64_t step) const {
  const std::vector<Leg> way = wayTo(branch);
  const auto leg =
      std::find_if(way.begin(), way.end(), [step](const Leg& candidate) { return step < candidate.end; });
  return leg == way.end() ? way.back() : *leg;
}

std::vector<BranchFacts> BranchTree::facts() const {
  std::vector<BranchFacts> all;
  for (const auto& [id, branch] : branches_) {
    if (leftNoTrace(id)) continue;
    all.push_back({id, branch.parent, branch.parent ? branch.begin - 1 : branch.begin,
                   lastStep(id).value_or(branch.begin), branch.name, id == active_});
  }
  return all;
}

std::optional<std::uint64_t> BranchTree::lastStep(BranchId branch) const {
  const Branch& at = branches_.at(branch);
  if (!at.marks.empty()) return at.marks.back().step;
  if (at.parent) return at.begin - 1;
  return std::nullopt;
}

std::optional<TimelineMark> BranchTree::mark(BranchId branch, std::uint64_t step) const {
  const std::vector<TimelineMark>& marks = legOf(branch, step).branch->marks;
  const auto found = firstAtOrAfter(marks, step);
  if (found == marks.end() || found->step != step) return std::nullopt;
  return *found;
}

std::vector<BranchTree::Branch*> BranchTree::leftLongestAgoFirst() {
  std::vector<Branch*> order;
  for (auto& [id, branch] : branches_)
    if (id != active_) order.push_back(&branch);
  std::sort(order.begin(), order.end(), [](const Branch* a, const Branch* b) { return a->left < b->left; });
  return order;
}

std::uint64_t BranchTree::offTheWayFrom(const Branch& branch) const {
  for (const Leg& leg : wayTo(active_))
    if (leg.branch == &branch) return leg.end;
  return branch.begin;
}

// ---- memory

std::size_t BranchTree::bytesOf(const Snapshots& entries) {
  return bytesIn(entries);
}

std::size_t BranchTree::bytesOf(const Keyframes& entries) {
  return bytesIn(entries);
}

std::size_t BranchTree::smallBytes() const {
  std::size_t bytes = 0;
  for (const auto& [id, branch] : branches_) {
    bytes += sizeof(Branch) + branch.marks.capacity() * sizeof(TimelineMark) +
             branch.commands.capacity() * sizeof(StampedCommand) +
             branch.models.capacity() * sizeof(StampedModel);
    for (const Columns& columns : branch.columns) bytes += columns.byteCount();
  }
  return bytes;
}

BranchTree::Snapshots::iterator BranchTree::erase(Snapshots& entries, Snapshots::iterator entry,
                                                  Garbage& garbage) {
  garbage.push_back(entry->second);
  snapshotBytes_ -= entry->second->byteCount() + kEntryBytes;
  return entries.erase(entry);
}

BranchTree::Keyframes::iterator BranchTree::erase(Keyframes& entries, Keyframes::iterator entry,
                                                  Garbage& garbage) {
  garbage.push_back(entry->second);
  keyframeBytes_ -= entry->second->byteCount() + kEntryBytes;
  return entries.erase(entry);
}

}  // namespace slipstick
