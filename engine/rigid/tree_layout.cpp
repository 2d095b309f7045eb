#include "engine/rigid/tree_layout.h"

#include "engine/multibody/spatial.h"

namespace slipstick {

using namespace multibody;  // NOLINT(google-build-using-namespace): trees, joints, spatial algebra

namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

TreeLayout makeTreeLayout(const Tree& tree, const std::vector<PrescribedMotion>& prescribed) {
  TreeLayout layout;
  layout.treeOfBody.assign(tree.bodies.size(), -1);
  layout.carrier.assign(tree.bodies.size(), -1);
  layout.treeOfVelocity.assign(at(tree.nv), -1);
  layout.solverIndex.assign(at(tree.nv), -1);
  std::vector<char> isPrescribed(tree.joints.size(), 0);
  for (const PrescribedMotion& motion : prescribed) isPrescribed[at(motion.joint)] = 1;

  for (std::size_t i = 0; i < tree.joints.size(); ++i) {
    const Joint& joint = tree.joints[i];
    const int n = velocityCount(joint.type);
    int& own = layout.treeOfBody[at(joint.child)];
    own = layout.treeOfBody[at(joint.parent)];
    layout.carrier[at(joint.child)] =
        isPrescribed[i] ? static_cast<int>(i) : layout.carrier[at(joint.parent)];
    if (n == 0 || isPrescribed[i]) continue;
    if (own < 0) {
      own = static_cast<int>(layout.trees.size());
      layout.trees.emplace_back();
    }
    layout.trees[at(own)].size += n;
    for (int k = 0; k < n; ++k) layout.treeOfVelocity[at(joint.vStart + k)] = own;
  }

  int start = 0;
  for (TreeLayout::Part& part : layout.trees) {
    part.start = start;
    start += part.size;
  }
  for (std::size_t i = 0; i < tree.joints.size(); ++i)
    if (!isPrescribed[i] && isFree(tree.joints[i])) {
      TreeLayout::Part& part = layout.trees[at(layout.treeOfBody[at(tree.joints[i].child)])];
      part.free = part.size == 6;
    }
  layout.modelIndex.assign(at(start), 0);
  std::vector<int> filled(layout.trees.size(), 0);
  for (int d = 0; d < tree.nv; ++d) {
    const int part = layout.treeOfVelocity[at(d)];
    if (part < 0) continue;
    const int index = layout.trees[at(part)].start + filled[at(part)]++;
    layout.solverIndex[at(d)] = index;
    layout.modelIndex[at(index)] = d;
  }
  return layout;
}

}  // namespace slipstick
