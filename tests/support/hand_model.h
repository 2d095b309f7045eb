// An arm of two joints with a palm and two fingers, and a puck beside it: what a hand feels, without a simulation.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::testing {

struct HandModel {
  static constexpr int kUpper = 1, kLower = 2, kPalm = 3, kLeftFinger = 4, kRightFinger = 5,
                       kPuck = 6;  ///< bodies
};

/// Effectors: 0 "arm", 10 cm before the palm, with the fingers for a gripper; 1 "elbow", the upper arm.
inline std::shared_ptr<const Model> handModel() {
  using multibody::JointType;
  auto model = std::make_shared<Model>();
  model->name = "hand";
  const auto add = [&](const char* name, JointType type, int parent) {
    multibody::Body body;
    body.name = std::string("arm.") + name;
    multibody::Joint joint;
    joint.name = std::string("arm.to ") + name;
    joint.type = type;
    joint.parent = parent;
    model->tree.add(body, joint);
  };
  add("upper", JointType::Revolute, 0);
  add("lower", JointType::Revolute, HandModel::kUpper);
  add("palm", JointType::Fixed, HandModel::kLower);
  add("left finger", JointType::Prismatic, HandModel::kPalm);
  add("right finger", JointType::Prismatic, HandModel::kPalm);
  add("puck", JointType::Floating, 0);
  Effector arm, elbow;
  arm.name = "arm";
  arm.chain.body = HandModel::kPalm;
  arm.chain.X_BE = Pose::translation({0, 0, 0.1});
  arm.chain.joints = {0, 1};
  arm.gripper.joints = {3, 4};
  elbow.name = "elbow";
  elbow.chain.body = HandModel::kUpper;
  elbow.chain.joints = {0};
  model->effectors = {arm, elbow};
  return model;
}

/// At rest, the bodies one metre apart along x, nothing touches.
inline std::shared_ptr<Snapshot> handSnapshot(const std::shared_ptr<const Model>& model) {
  auto snapshot = std::make_shared<Snapshot>();
  const std::size_t bodies = model->tree.bodies.size();
  snapshot->model = model;
  snapshot->X_WB.resize(bodies);
  for (std::size_t b = 0; b < bodies; ++b) snapshot->X_WB[b].p.x() = static_cast<double>(b);
  snapshot->V_WB.resize(bodies);
  snapshot->contactWrench.resize(bodies);
  snapshot->contactRemainder.resize(bodies);
  snapshot->q = model->tree.zeroPosition();
  snapshot->v = VecX::Zero(model->tree.nv);
  snapshot->tau = VecX::Zero(model->tree.nv);
  return snapshot;
}

}  // namespace slipstick::testing
