#include "engine/step/controllers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/multibody/inverse_kinematics.h"

namespace slipstick {

namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// Interpolated between the keyframes, clamped to the first and last.
double positionAt(const JointPath& path, std::size_t joint, double t) {
  const auto& keys = path.keys;
  const auto after = std::upper_bound(
      keys.begin(), keys.end(), t, [](double time, const JointPathSpec::Key& key) { return time < key.t; });
  if (after == keys.begin()) return after->q[joint];
  if (after == keys.end()) return keys.back().q[joint];
  const auto end = static_cast<std::size_t>(after - keys.begin());
  return interpolate(path.interpolation,
                     spanBefore(keys, end, [joint](const JointPathSpec::Key& key) { return key.q[joint]; }),
                     t);
}

/// Zero before the first key and after the last.
Wrench wrenchAt(const std::vector<LinkForceSpec::Key>& keys, double t) {
  const auto after = std::upper_bound(
      keys.begin(), keys.end(), t, [](double time, const LinkForceSpec::Key& key) { return time < key.t; });
  if (after == keys.begin() || after == keys.end()) return {};
  const auto before = std::prev(after);
  const double s = (t - before->t) / (after->t - before->t);
  return {(1 - s) * before->force + s * after->force, (1 - s) * before->torque + s * after->torque};
}

class Evaluation {
 public:
  Evaluation(const Model& model, double dt, State& state, ActuatorTargets& targets)
      : model_(model), dt_(dt), state_(state), targets_(targets) {}

  void evaluate(const Controller& controller) {
    std::visit(*this, controller);
    ++index_;
  }

  void operator()(const EndEffectorPath& controller) {
    // The first goal velocity needs the goal of the start time as well.
    if (state_.step == 0) solveGoal(controller, state_.time);
    std::vector<double>& before = targets_.goals;
    before.clear();
    for (const int joint : controller.joints)
      before.push_back(state_.controllerQ[joints()[at(joint)].qStart]);
    if (!solveGoal(controller, state_.time + dt_)) targets_.unreached.push_back(index_);
    for (std::size_t i = 0; i < controller.joints.size(); ++i) {
      const int joint = controller.joints[i];
      const double goal = state_.controllerQ[joints()[at(joint)].qStart];
      add(joint, before[i], goal, controller.kp[i], controller.kd[i]);
    }
  }

  void operator()(const JointPath& controller) {
    for (std::size_t i = 0; i < controller.joints.size(); ++i) {
      const double before = positionAt(controller, i, state_.time);
      const double goal = positionAt(controller, i, state_.time + dt_);
      add(controller.joints[i], before, goal, controller.kp[i], controller.kd[i], controller.effortLimit);
    }
  }

  /// The force in the middle of the step: its mean, where no key falls within the step.
  void operator()(const LinkForce& controller) {
    const Wrench now = wrenchAt(controller.keys, state_.time + 0.5 * dt_);
    targets_.forces.push_back({controller.body, controller.p_B, now});
  }

  void operator()(const JointEffort& controller) {
    if (!hasBegun(controller.from)) return;
    const multibody::Joint& joint = joints()[at(controller.joint)];
    const double effort = joint.effortLimit.clamp(controller.effort);
    if (effort != controller.effort) targets_.saturated.push_back(controller.joint);
    targets_.effort[joint.vStart] += effort;
  }

  void operator()(const JointVelocity& controller) {
    if (!hasBegun(controller.from)) return;
    targets_.pd.push_back({.joint = controller.joint,
                           .q = 0,
                           .v = controller.velocity,
                           .kp = 0,
                           .kd = controller.kd,
                           .effortLimit = joints()[at(controller.joint)].effortLimit});
  }

 private:
  /// Half a step of tolerance: times are multiples of Δt that may have rounded down.
  bool hasBegun(double from) const { return state_.time + 0.5 * dt_ >= from; }

  const std::vector<multibody::Joint>& joints() const { return model_.tree.joints; }

  /// Brings controllerQ of the controlled joints to the path's goal at time t.
  bool solveGoal(const EndEffectorPath& controller, double t) {
    const Pose X_WE = model_.paths[at(controller.path)].at(t) * controller.X_PathE;
    VecX& q = targets_.ikStart;
    q = state_.q;
    for (const int joint : controller.joints) {
      const int index = joints()[at(joint)].qStart;
      q[index] = state_.controllerQ[index];
    }
    const multibody::IkResult result = multibody::solveInverseKinematics(
        model_.tree, controller.body, controller.joints, X_WE, q, targets_.ik);
    for (const int joint : controller.joints) {
      const int index = joints()[at(joint)].qStart;
      state_.controllerQ[index] = q[index];
    }
    return result.reached;
  }

  void add(int joint, double before, double goal, double kp, double kd,
           double effortLimit = std::numeric_limits<double>::infinity()) {
    const multibody::EffortRange ofJoint = joints()[at(joint)].effortLimit, chosen = effortLimit;
    targets_.pd.push_back({.joint = joint,
                           .q = goal,
                           .v = (goal - before) / dt_,
                           .kp = kp,
                           .kd = kd,
                           .effortLimit = chosen.within(ofJoint),
                           .lowerIsMeant = chosen.isBounded() && chosen.lower >= ofJoint.lower,
                           .upperIsMeant = chosen.isBounded() && chosen.upper <= ofJoint.upper});
  }

  const Model& model_;
  double dt_;
  State& state_;
  ActuatorTargets& targets_;
  std::int32_t index_ = 0;  ///< of the controller
};

}  // namespace

void evaluateControllers(const Model& model, double dt, State& state, ActuatorTargets& targets) {
  targets.pd.clear();
  targets.effort.setZero(model.tree.nv);
  targets.forces.clear();
  targets.saturated.clear();
  targets.unreached.clear();
  Evaluation evaluation(model, dt, state, targets);
  for (const Controller& controller : model.controllers) evaluation.evaluate(controller);
}

}  // namespace slipstick
