#include "engine/runtime/thinning.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <optional>
#include <vector>

namespace slipstick {

namespace {

using Branch = BranchTree::Branch;
using Garbage = BranchTree::Garbage;
using Leg = BranchTree::Leg;
using Strides = BranchTree::Strides;

/// Thins what lies off the active branch's way until `enough`.
template <class Entries, class Enough>
void thinOffTheWay(BranchTree& tree, Entries Branch::*entries, std::uint64_t Strides::*strideOf,
                   const Enough& enough, Garbage& garbage) {
  for (Branch* branch : tree.leftLongestAgoFirst()) {
    Entries& stored = branch->*entries;
    std::uint64_t& stride = branch->strides.*strideOf;
    const std::uint64_t from = tree.offTheWayFrom(*branch);
    while (!enough() && stored.lower_bound(from) != stored.end() && stride <= stored.rbegin()->first) {
      stride *= 2;
      for (auto it = stored.lower_bound(from); it != stored.end();) {
        const bool newest = std::next(it) == stored.end();
        it = newest || it->first % stride == 0 ? std::next(it) : tree.erase(stored, it, garbage);
      }
    }
  }
}

// ---- snapshots

/// The part of a branch's own snapshots that belongs to the older half of the way.
struct OlderPart {
  Branch* branch;
  BranchTree::Snapshots::iterator end;
};

/// Of the snapshots on the way to the active branch, by branch; parts that have any.
std::vector<OlderPart> olderHalf(BranchTree& tree) {
  const std::vector<Leg> way = tree.wayTo(tree.active());
  const auto countOf = [](const Leg& leg) {
    const BranchTree::Snapshots& stored = leg.branch->snapshots;
    return static_cast<std::size_t>(std::distance(stored.begin(), stored.lower_bound(leg.end)));
  };
  std::size_t count = 0;
  for (const Leg& leg : way) count += countOf(leg);
  std::size_t older = std::max<std::size_t>(count / 2, 1);
  std::vector<OlderPart> parts;
  for (const Leg& leg : way) {
    const std::size_t here = std::min(older, countOf(leg));
    older -= here;
    Branch& branch = tree.at(leg.id);
    if (here > 0)
      parts.push_back({&branch, std::next(branch.snapshots.begin(), static_cast<std::ptrdiff_t>(here))});
  }
  return parts;
}

/// To every step of the branch's stride.
void thinPart(BranchTree& tree, const OlderPart& part, Garbage& garbage) {
  BranchTree::Snapshots& stored = part.branch->snapshots;
  const std::uint64_t stride = part.branch->strides.snapshots;
  for (auto it = stored.begin(); it != part.end;) {
    const bool newest = std::next(it) == stored.end();
    it = newest || it->first % stride == 0 ? std::next(it) : tree.erase(stored, it, garbage);
  }
}

/// Of these, the branch whose stride is the smallest and can grow; null: none can.
Branch* finestOf(const std::vector<OlderPart>& older) {
  Branch* finest = nullptr;
  for (const OlderPart& part : older) {
    // A stride beyond the newest step leaves nothing to thin.
    const bool canGrow = part.branch->strides.snapshots <= std::prev(part.end)->first;
    if (canGrow && (!finest || part.branch->strides.snapshots < finest->strides.snapshots))
      finest = part.branch;
  }
  return finest;
}

bool eraseOldest(BranchTree& tree, Garbage& garbage) {
  for (const Leg& leg : tree.wayTo(tree.active())) {
    BranchTree::Snapshots& stored = tree.at(leg.id).snapshots;
    const auto oldest = stored.begin();
    if (oldest == stored.end() || oldest->first >= leg.end || std::next(oldest) == stored.end()) continue;
    tree.erase(stored, oldest, garbage);
    return true;
  }
  return false;
}

void thinSnapshots(BranchTree& tree, std::size_t share, Garbage& garbage) {
  // One eighth is freed at a time, so that the passes over the entries stay rare.
  const std::size_t wanted = share - share / 8;
  const auto enough = [&] { return tree.snapshotBytes() <= wanted; };
  thinOffTheWay(tree, &Branch::snapshots, &Strides::snapshotsAside, enough, garbage);
  while (!enough()) {
    const std::vector<OlderPart> older = olderHalf(tree);
    for (const OlderPart& part : older) thinPart(tree, part, garbage);
    if (enough()) return;
    if (Branch* finest = finestOf(older))
      finest->strides.snapshots *= 2;
    else if (!eraseOldest(tree, garbage))
      return;
  }
}

// ---- keyframes

/// On the way to the active branch, the branch whose keyframes lie closest and can lie farther apart; null: none can.
Branch* closestKeyframes(BranchTree& tree) {
  Branch* finest = nullptr;
  for (const Leg& leg : tree.wayTo(tree.active())) {
    Branch& branch = tree.at(leg.id);
    const bool canGrow =
        !branch.keyframes.empty() && branch.strides.keyframes <= branch.keyframes.rbegin()->first;
    if (canGrow && (!finest || branch.strides.keyframes < finest->strides.keyframes)) finest = &branch;
  }
  return finest;
}

/// To every step of the branch's stride.
void thinKeyframesOf(BranchTree& tree, Branch& branch, Garbage& garbage) {
  for (auto it = branch.keyframes.begin(); it != branch.keyframes.end();) {
    // Of a branch with a parent only the one at which another backend took over lies before its own steps.
    const bool first = it == branch.keyframes.begin() && (!branch.parent || it->first < branch.begin);
    it = first || it->first % branch.strides.keyframes == 0 ? std::next(it)
                                                            : tree.erase(branch.keyframes, it, garbage);
  }
}

void thinKeyframes(BranchTree& tree, std::size_t share, Garbage& garbage) {
  const auto enough = [&] { return tree.keyframeBytes() <= share; };
  thinOffTheWay(tree, &Branch::keyframes, &Strides::keyframesAside, enough, garbage);
  while (!enough()) {
    Branch* finest = closestKeyframes(tree);
    if (!finest) return;
    finest->strides.keyframes *= 2;
    thinKeyframesOf(tree, *finest, garbage);
  }
}

}  // namespace

std::size_t Thinning::snapshotShare(const BranchTree& tree) const {
  const std::size_t share = byteBudget_ - keyframeShare();
  const std::size_t small = tree.smallBytes();
  return share > small ? share - small : 0;
}

Garbage Thinning::thin(BranchTree& tree) const noexcept {
  Garbage garbage;
  try {
    if (tree.keyframeBytes() > keyframeShare()) thinKeyframes(tree, keyframeShare(), garbage);
    const std::size_t share = snapshotShare(tree);
    if (tree.snapshotBytes() > share) thinSnapshots(tree, share, garbage);
  } catch (const std::bad_alloc&) {  // the next step tries again
  }
  return garbage;
}

bool Thinning::keyframeDue(const BranchTree& tree, std::uint64_t step) const {
  return tree.all().begin()->second.keyframes.empty() || step % tree.activeBranch().strides.keyframes == 0;
}

/// Thinning starts with every step and finds by itself how far it must go; keyframes, of which each takes time, come as
/// far apart from now on as there is room for.
void Thinning::respace(BranchTree& tree) const noexcept {
  for (auto& [id, branch] : tree.all()) branch.strides.snapshots = 1;
  Branch& active = tree.activeBranch();
  active.strides.keyframes = fittingSpacing(tree, active);
}

/// The smallest power of two at which keyframes as large as those of a branch fit, from its first step to its last, beside
/// those of its ancestors.
std::uint64_t Thinning::fittingSpacing(const BranchTree& tree, const Branch& branch) const noexcept {
  if (branch.keyframes.empty()) return 1;
  std::size_t room = keyframeShare();
  for (std::optional<BranchId> id = branch.parent; id; id = tree.at(*id).parent)
    room -= std::min(room, BranchTree::bytesOf(tree.at(*id).keyframes));
  const std::size_t each = BranchTree::bytesOf(branch.keyframes) / branch.keyframes.size(),
                    steps = branch.marks.size();
  std::uint64_t spacing = 1;
  while (spacing < steps && steps / spacing * each > room) spacing *= 2;
  return spacing;
}

}  // namespace slipstick
