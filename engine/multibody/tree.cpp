#include "engine/multibody/tree.h"

#include "engine/foundation/require.h"

namespace slipstick::multibody {

Tree::Tree() {
  bodies.push_back({.name = "world"});
}

int Tree::add(Body body, Joint joint) {
  const int index = static_cast<int>(bodies.size());
  SIM_REQUIRE(joint.parent >= 0 && joint.parent < index, joint.parent, index);
  joint.child = index;
  joint.qStart = nq;
  joint.vStart = nv;
  nq += positionCount(joint.type);
  nv += velocityCount(joint.type);
  body.joint = index - 1;
  bodies.push_back(std::move(body));
  joints.push_back(std::move(joint));
  return index;
}

VecX Tree::zeroPosition() const {
  VecX q = VecX::Zero(nq);
  for (const Joint& joint : joints) {
    if (joint.type == JointType::Ball) q[joint.qStart] = 1;
    if (joint.type == JointType::Floating) q[joint.qStart + 3] = 1;
  }
  return q;
}

}  // namespace slipstick::multibody
