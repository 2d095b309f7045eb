// What of a run's branches is let go when memory gets short.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/runtime/branch_tree.h"

namespace slipstick {

/// Three quarters of the budget hold snapshots, less marks, columns and commands; one quarter holds
/// keyframes. When snapshots are full, those that do not lie on the way to the active branch are thinned
/// first, branch by branch from the one left longest ago; then the older half of the way itself is thinned to
/// every k-th step. k doubles as needed, branch by branch from the finest, so that all of the past stays scrubbable,
/// coarser with age. The spacing of keyframes doubles likewise; it comes back where a branch begins or goes, or the
/// budget changes, to what the room allows then. The newest snapshot of each branch, the first keyframe and those at
/// which another backend took over are always kept.
class Thinning {
 public:
  explicit Thinning(std::size_t byteBudget) : byteBudget_(byteBudget) {}

  std::size_t byteBudget() const { return byteBudget_; }
  /// respace() and thin() do the rest.
  void setByteBudget(std::size_t bytes) { byteBudget_ = bytes; }

  /// Lets go of what the budget has no room for, and hands it back. Where there is no memory to thin with, that waits for
  /// the next call.
  [[nodiscard]] BranchTree::Garbage thin(BranchTree& tree) const noexcept;
  /// To be called where a branch becomes the active one or goes, or the budget changes: what can be kept has changed.
  void respace(BranchTree& tree) const noexcept;
  /// A keyframe is wanted at this step of the active branch.
  bool keyframeDue(const BranchTree& tree, std::uint64_t step) const;

 private:
  std::size_t snapshotShare(const BranchTree& tree) const;
  std::size_t keyframeShare() const { return byteBudget_ / 4; }
  std::uint64_t fittingSpacing(const BranchTree& tree, const BranchTree::Branch& branch) const noexcept;

  std::size_t byteBudget_;
};

}  // namespace slipstick
