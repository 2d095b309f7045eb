#include "tests/support/drifting/bodies.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "engine/model/named_entries.h"

namespace slipstick::drifting {
namespace {

using multibody::Joint;

/// Of one body: the tree's q that was in force, its pose as p and a quaternion, its velocity as w and v.
constexpr Eigen::Index kQ = 0, kPose = 7, kVelocity = 14, kNumbers = 20;

std::vector<const Joint*> floatingJoints(const Model& model) {
  std::vector<const Joint*> joints;
  for (const Joint& joint : model.tree.joints)
    if (floats(joint)) joints.push_back(&joint);
  return joints;
}

NamedEntries placesOf(const Model& model) {
  NamedEntries places;
  for (const Joint* joint : floatingJoints(model)) {
    const auto begin = static_cast<Eigen::Index>(places.size()) * kNumbers;
    places[joint->name] = {begin, kNumbers};
  }
  return places;
}

/// Calls visit(body, numbers) for each body whose numbers hold for the state.
template <class Visit>
void forRemembered(const Model& model, const State& state, const Visit& visit) {
  const auto known = std::find_if(state.memory.begin(), state.memory.end(),
                                  [](const State::Memory& memory) { return memory.name == kMemory; });
  const std::vector<const Joint*> joints = floatingJoints(model);
  if (known == state.memory.end()) return;
  const VecX& values = known->values;
  if (values.size() != std::ssize(joints) * kNumbers) return;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto numbers = values.segment<kNumbers>(static_cast<Eigen::Index>(i) * kNumbers);
    if (numbers.segment<7>(kQ) == state.q.segment<7>(joints[i]->qStart))
      visit(static_cast<std::size_t>(joints[i]->child), numbers);
  }
}

/// A wrench about the body's origin works for a step.
Velocity pushed(const multibody::Body& body, const Pose& X_WB, const Velocity& V_WB, const Wrench& wrench,
                double dt) {
  if (wrench.force.isZero(0) && wrench.torque.isZero(0)) return V_WB;
  const Vec3 lever = X_WB.R * body.com, torque = wrench.torque - lever.cross(wrench.force);
  const Vec3 w = V_WB.w + dt * (X_WB.R * body.inertia.ldlt().solve(Vec3(X_WB.R.transpose() * torque)));
  const Vec3 middle = V_WB.at(lever) + dt / body.mass * wrench.force;
  return {w, middle - w.cross(lever)};
}

/// The centre of mass goes straight on, and the body turns about it.
void move(const Vec3& com_B, double dt, Pose& X_WB, Velocity& V_WB) {
  const Vec3 lever = X_WB.R * com_B, middle = V_WB.at(lever), turn = dt * V_WB.w;
  const Vec3 com_W = X_WB.p + lever + dt * middle;
  if (turn.norm() > 0) X_WB.R = Eigen::AngleAxisd(turn.norm(), turn.normalized()) * X_WB.R;
  X_WB.p = com_W - X_WB.R * com_B;
  V_WB.v = middle - V_WB.w.cross(X_WB.R * com_B);
}

}  // namespace

bool floats(const Joint& joint) {
  return joint.type == multibody::JointType::Floating && joint.parent == 0;
}

void takePoses(const Model& model, const State& state, std::vector<Pose>& X_WB) {
  forRemembered(model, state, [&](std::size_t body, const auto& numbers) {
    const auto c = numbers.template segment<7>(kPose);
    X_WB[body] = Pose::fromQuat({c[3], c[4], c[5], c[6]}, c.template head<3>());
  });
}

void takeVelocities(const Model& model, const State& state, std::vector<Velocity>& V_WB) {
  forRemembered(model, state, [&](std::size_t body, const auto& numbers) {
    V_WB[body] = {numbers.template segment<3>(kVelocity), numbers.template tail<3>()};
  });
}

void moveBodies(const Model& model, const StepFrame& frame, MethodMemory memory) {
  const std::vector<const Joint*> joints = floatingJoints(model);
  if (joints.empty()) return;
  VecX& values = memory.at(kMemory);
  values.resize(std::ssize(joints) * kNumbers);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto b = static_cast<std::size_t>(joints[i]->child);
    const multibody::Body& body = model.tree.bodies[b];
    Pose X_WB = frame.X_WB[b];
    Velocity V_WB = pushed(body, X_WB, frame.V_WB[b], frame.rigid.externalWrench[b], model.time.dt);
    move(body.com, model.time.dt, X_WB, V_WB);
    const Quat R(X_WB.R);
    values.segment<kNumbers>(static_cast<Eigen::Index>(i) * kNumbers)
        << frame.rigid.q->segment<7>(joints[i]->qStart),
        X_WB.p, R.w(), R.x(), R.y(), R.z(), V_WB.w, V_WB.v;
  }
}

void forget(const Model& model, int body, MethodMemory memory) {
  VecX& values = memory.at(kMemory);
  const std::vector<const Joint*> joints = floatingJoints(model);
  if (values.size() != std::ssize(joints) * kNumbers) return;
  for (std::size_t i = 0; i < joints.size(); ++i)  // no q is equal to this
    if (joints[i]->child == body)
      values[static_cast<Eigen::Index>(i) * kNumbers] = std::numeric_limits<double>::quiet_NaN();
}

VecX carried(const Model& from, const VecX& memory, const Model& to) {
  const NamedEntries before = placesOf(from), after = placesOf(to);
  if (memory.size() != std::ssize(before) * kNumbers) return {};
  VecX values = VecX::Zero(std::ssize(after) * kNumbers);
  copyNamedEntries(before, memory, after, values);
  return values;
}

}  // namespace slipstick::drifting
