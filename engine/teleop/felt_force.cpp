#include "engine/teleop/felt_force.h"

#include <cstddef>

namespace slipstick {

std::vector<int> feltBodies(const Model& model, const Effector& effector) {
  const multibody::Tree& tree = model.tree;
  int root = effector.chain.body;
  while (root > 0 && tree.parentOf(root) > 0 &&
         tree.joints[static_cast<std::size_t>(root - 1)].type == multibody::JointType::Fixed)
    root = tree.parentOf(root);
  std::vector<char> isFelt(tree.bodies.size(), 0);
  if (root > 0) isFelt[static_cast<std::size_t>(root)] = 1;
  for (const int joint : effector.gripper.joints)
    isFelt[static_cast<std::size_t>(tree.joints[static_cast<std::size_t>(joint)].child)] = 1;
  std::vector<int> bodies;
  for (std::size_t body = 1; body < tree.bodies.size(); ++body) {  // parents come first
    isFelt[body] |= isFelt[static_cast<std::size_t>(tree.parentOf(static_cast<int>(body)))];
    if (isFelt[body]) bodies.push_back(static_cast<int>(body));
  }
  return bodies;
}

Pose toolPose(const Effector& effector, const StepFacts& facts) {
  return facts.X_WB[static_cast<std::size_t>(effector.chain.body)] * effector.chain.X_BE;
}

FeltForce feltForce(const Model& model, const StepFacts& facts, const Effector& effector) {
  const Vec3 p_WE = toolPose(effector, facts).p;
  FeltForce felt;
  for (const int body : feltBodies(model, effector)) {
    const auto b = static_cast<std::size_t>(body);
    const Wrench& wrench = facts.contactWrench[b];
    felt.net += {wrench.force, wrench.torque + (facts.X_WB[b].p - p_WE).cross(wrench.force)};
    felt.pressing += wrench.force.norm();
  }
  return felt;
}

FeltForce feltForce(const DeviceFeedback& feedback) {
  if (!feedback.model || !feedback.snapshot || feedback.effector < 0) return {};
  return feltForce(*feedback.model, *feedback.snapshot,
                   feedback.model->effectors[static_cast<std::size_t>(feedback.effector)]);
}

}  // namespace slipstick
