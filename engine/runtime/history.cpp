#include "engine/runtime/history.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/foundation/require.h"

namespace slipstick {

namespace {

using Keyframes = BranchTree::Keyframes;
using Leg = BranchTree::Leg;
using Snapshots = BranchTree::Snapshots;

std::uint64_t distance(std::uint64_t a, std::uint64_t b) {
  return a > b ? a - b : b - a;
}

}  // namespace

// ---- growing

History::Garbage History::push(HistoryStep step, std::span<const Command> applied) {
  tree_.push(std::move(step), applied);
  return thinning_.thin(tree_);
}

void History::log(const StampedCommand& command) {
  std::vector<StampedCommand>& commands = tree_.activeBranch().commands;
  SIM_REQUIRE(commands.empty() || command.step >= commands.back().step, command.step);
  commands.push_back(command);
}

void History::log(const StampedModel& model) {
  std::vector<StampedModel>& models = tree_.activeBranch().models;
  SIM_REQUIRE(models.empty() || model.step >= models.back().step, model.step);
  models.push_back(model);
}

void History::continueFrom(BranchId branch, std::uint64_t step) {
  SIM_REQUIRE(mark(branch, step).has_value(), branch, step);
  const BranchId id = ownerOf(branch, step);
  const BranchTree::Branch& owner = tree_.at(id);
  const auto followed = [step](const auto& log) { return !log.empty() && log.back().step >= step; };
  const bool nothingFollows =
      owner.marks.back().step == step && !followed(owner.commands) && !followed(owner.models);
  nothingFollows ? tree_.activate(id) : tree_.beginFrom(id, step);
  thinning_.respace(tree_);
}

History::Garbage History::changeBackend(BranchId branch, std::shared_ptr<const Keyframe> start) {
  const std::uint64_t step = start->state.step;
  SIM_REQUIRE(mark(branch, step).has_value(), branch, step);
  const std::string suffix = " on " + start->backend;
  tree_.beginFrom(ownerOf(branch, step), step, suffix, std::move(start));
  thinning_.respace(tree_);
  return thinning_.thin(tree_);
}

History::Garbage History::beginElsewhere(const std::string& name, HistoryStep step) {
  tree_.beginWith(name, std::move(step));
  thinning_.respace(tree_);
  return thinning_.thin(tree_);
}

Result<History::Garbage> History::remove(BranchId branch) {
  Result<Garbage> removed = tree_.remove(branch);
  if (removed) thinning_.respace(tree_);
  return removed;
}

// ---- looking

std::shared_ptr<const PackedSnapshot> History::find(BranchId branch, std::uint64_t step) const {
  const Snapshots& stored = tree_.legOf(branch, step).branch->snapshots;
  const auto found = stored.find(step);
  return found == stored.end() ? nullptr : found->second;
}

std::shared_ptr<const PackedSnapshot> History::nearest(BranchId branch, std::uint64_t step) const {
  std::shared_ptr<const PackedSnapshot> best;
  const auto consider = [&](const Snapshots::value_type& entry) {
    if (!best || distance(entry.first, step) < distance(best->facts().step, step)) best = entry.second;
  };
  for (const Leg& leg : tree_.wayTo(branch)) {
    const Snapshots& stored = leg.branch->snapshots;
    const auto end = stored.lower_bound(leg.end);
    const auto after = stored.lower_bound(std::min(step, leg.end));
    if (after != stored.begin()) consider(*std::prev(after));
    if (after != end) consider(*after);
  }
  return best;
}

std::optional<std::uint64_t> History::firstStep(BranchId branch) const {
  for (const Leg& leg : tree_.wayTo(branch)) {
    const Snapshots& stored = leg.branch->snapshots;
    if (!stored.empty() && stored.begin()->first < leg.end) return stored.begin()->first;
  }
  return std::nullopt;
}

Way History::wayTo(BranchId branch) const {
  Way way;
  for (const Leg& leg : tree_.wayTo(branch)) way.push_back({leg.id, leg.begin});
  return way;
}

std::vector<TimelineMark> History::marks(BranchId branch, std::uint64_t from) const {
  std::vector<TimelineMark> marks;
  for (const Leg& leg : tree_.wayTo(branch)) {
    const std::vector<TimelineMark>& own = leg.branch->marks;
    if (from < leg.end) marks.insert(marks.end(), firstAtOrAfter(own, from), firstAtOrAfter(own, leg.end));
  }
  return marks;
}

RunColumns History::columns(BranchId branch) const {
  std::vector<RunColumns::Part> parts;
  for (const Leg& leg : tree_.wayTo(branch)) {
    for (const Columns& columns : leg.branch->columns) {
      const std::uint64_t end = std::min(columns.endStep(), leg.end);
      if (columns.firstStep() < end)
        parts.push_back({std::make_shared<const Columns>(columns), columns.firstStep(), end});
    }
  }
  return RunColumns(std::move(parts));
}

std::shared_ptr<const Keyframe> History::keyframeBefore(BranchId branch, std::uint64_t step) const {
  const std::vector<Leg> way = tree_.wayTo(branch);
  for (auto leg = way.rbegin(); leg != way.rend(); ++leg) {
    const Keyframes& stored = leg->branch->keyframes;
    const auto after = stored.upper_bound(std::min(step, leg->end - 1));
    if (after != stored.begin()) return std::prev(after)->second;
  }
  return nullptr;
}

std::vector<Command> History::commandsAt(BranchId branch, std::uint64_t step) const {
  const std::vector<StampedCommand>& log = tree_.legOf(branch, step + 1).branch->commands;
  std::vector<Command> commands;
  for (auto it = firstAtOrAfter(log, step); it != log.end() && it->step == step; ++it)
    commands.push_back(it->command);
  return commands;
}

std::vector<std::shared_ptr<const Model>> History::modelsAt(BranchId branch, std::uint64_t step) const {
  const std::vector<StampedModel>& log = tree_.legOf(branch, step + 1).branch->models;
  std::vector<std::shared_ptr<const Model>> models;
  for (auto it = firstAtOrAfter(log, step); it != log.end() && it->step == step; ++it)
    models.push_back(it->model);
  return models;
}

Result<RunStretch> History::endOf(BranchId branch, double from) const {
  if (!has(branch)) return noSuchBranch();
  const std::vector<Leg> way = tree_.wayTo(branch);
  RunStretch stretch;
  stretch.last = tree_.lastStep(branch).value_or(0);
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
                 "branch '" + tree_.at(branch).name + "'", "simulate at least one step with it"};
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

std::size_t History::bytesUsed() const {
  return tree_.snapshotBytes() + tree_.keyframeBytes() + tree_.smallBytes();
}

History::Garbage History::setByteBudget(std::size_t bytes) {
  thinning_.setByteBudget(bytes);
  thinning_.respace(tree_);
  return thinning_.thin(tree_);
}

}  // namespace slipstick
