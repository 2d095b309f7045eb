#include "engine/multibody/island.h"

#include <numeric>

namespace slipstick::multibody {

namespace {

/// Disjoint sets of joints.
class JointSets {
 public:
  explicit JointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int joint) const {
    while (parent_[static_cast<std::size_t>(joint)] != joint)
      joint = parent_[static_cast<std::size_t>(joint)];
    return joint;
  }
  /// The smaller index becomes the representative, so that islands keep the tree's order.
  void unite(int a, int b) {
    a = find(a);
    b = find(b);
    parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

/// Per body, the movable joint nearest to the world on its path, or −1: bodies that share it are dynamically
/// coupled.
std::vector<int> innermostMovableJoints(const Tree& tree) {
  std::vector<int> innermost(tree.bodies.size(), -1);
  for (std::size_t i = 0; i < tree.joints.size(); ++i) {
    const Joint& joint = tree.joints[i];
    const int inherited = innermost[static_cast<std::size_t>(joint.parent)];
    const int own = velocityCount(joint.type) > 0 ? static_cast<int>(i) : -1;
    innermost[static_cast<std::size_t>(joint.child)] = inherited >= 0 ? inherited : own;
  }
  return innermost;
}

}  // namespace

Islands findIslands(const Tree& tree, const std::vector<Loop>& loops) {
  const std::vector<int> innermost = innermostMovableJoints(tree);
  const auto rootOf = [&](int body) { return innermost[static_cast<std::size_t>(body)]; };
  JointSets sets(tree.joints.size());
  for (const Loop& weld : loops) {
    if (rootOf(weld.bodyA) >= 0 && rootOf(weld.bodyB) >= 0)
      sets.unite(rootOf(weld.bodyA), rootOf(weld.bodyB));
  }
  for (const Joint& joint : tree.joints) {
    if (joint.mimic < 0) continue;
    const Joint& leader = tree.joints[static_cast<std::size_t>(joint.mimic)];
    if (rootOf(joint.child) >= 0 && rootOf(leader.child) >= 0)
      sets.unite(rootOf(joint.child), rootOf(leader.child));
  }

  Islands islands;
  islands.ofDof.resize(static_cast<std::size_t>(tree.nv));
  islands.positionInIsland.resize(static_cast<std::size_t>(tree.nv));
  islands.ofBody.assign(tree.bodies.size(), -1);
  std::vector<int> islandOfSet(tree.joints.size(), -1);
  for (const Joint& joint : tree.joints) {
    if (rootOf(joint.child) < 0) continue;
    int& island = islandOfSet[static_cast<std::size_t>(sets.find(rootOf(joint.child)))];
    if (island < 0) {
      island = static_cast<int>(islands.dofs.size());
      islands.dofs.emplace_back();
    }
    islands.ofBody[static_cast<std::size_t>(joint.child)] = island;
    std::vector<int>& dofs = islands.dofs[static_cast<std::size_t>(island)];
    for (int d = joint.vStart; d < joint.vStart + velocityCount(joint.type); ++d) {
      islands.ofDof[static_cast<std::size_t>(d)] = island;
      islands.positionInIsland[static_cast<std::size_t>(d)] = static_cast<int>(dofs.size());
      dofs.push_back(d);
    }
  }
  return islands;
}

}  // namespace slipstick::multibody
