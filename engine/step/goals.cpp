#include "engine/step/goals.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/multibody/kinematics.h"
#include "engine/step/drives.h"

namespace slipstick {
namespace {

using multibody::Chain;
using multibody::stoppingSpeed;

/// Tracking error at which a joint uses its full effort [rad] or [m]: contact must not bend a wrist away.
constexpr double kFullEffortTurn = 0.02, kFullEffortSlide = 5e-3;
/// A tool is where it shall be within this [m], [rad]; a joint stands at a limit [rad] or [m].
constexpr double kReached = 1e-3, kReachedTurn = 0.5 / 180 * std::numbers::pi, kAtLimit = 1e-3;
/// Fraction of the speed limits that a detour uses [-]; its arrival tolerance [rad] or [m].
constexpr double kDetourSpeed = 0.5, kDetourEnd = 1e-3;

const multibody::Joint& jointAt(const Model& model, int joint) {
  return model.tree.joints[static_cast<std::size_t>(joint)];
}

double byKind(const multibody::Joint& joint, double turning, double sliding) {
  return joint.type == multibody::JointType::Prismatic ? sliding : turning;
}

/// q of the tree with a goal's chain on its way.
void putOnItsWay(const Model& model, const Chain& chain, const State& state, const State::Goal& goal,
                 VecX& q) {
  q = state.q;
  for (std::size_t i = 0; i < chain.joints.size(); ++i)
    q[jointAt(model, chain.joints[i]).qStart] = goal.q[static_cast<int>(i)];
}

/// Towards what is left to go, slow enough to stop there; changed from the velocity now by no more than the acceleration.
Vec3 towards(const Vec3& left, const Vec3& now, double fastest, double acceleration, double dt) {
  const double distance = left.norm();
  Vec3 wanted = Vec3::Zero();
  if (distance > 0) wanted = left / distance * std::min(fastest, stoppingSpeed(distance, acceleration, dt));
  const Vec3 change = wanted - now;
  const double most = acceleration * dt;
  return change.norm() <= most ? wanted : Vec3(now + most / change.norm() * change);
}

}  // namespace

void EffectorGoals::evaluate(const Model& model, const std::vector<Pose>& X_WB, const JointServo& servo,
                             State& state, ActuatorTargets& targets) {
  for (State::Goal& goal : state.goals) {
    const Effector& effector = model.effectors[static_cast<std::size_t>(goal.effector)];
    X_WB_ = X_WB;
    advance(model, effector, state, goal);
    for (std::size_t i = 0; i < effector.chain.joints.size(); ++i) {
      const int index = effector.chain.joints[i];
      const multibody::Joint& joint = jointAt(model, index);
      takeJoint(joint, index, targets);
      const double stiffness =
          std::isfinite(joint.effortLimit.largest())
              ? joint.effortLimit.largest() / byKind(joint, kFullEffortTurn, kFullEffortSlide)
              : 0;
      const auto k = static_cast<int>(i);
      targets.pd.push_back(servo.targetOf(model, index, goal.q[k], goal.v[k], stiffness));
    }
    if (goal.grips) grip(model, effector.gripper, goal, targets);
  }
}

void EffectorGoals::advance(const Model& model, const Effector& effector, State& state, State::Goal& goal) {
  const Chain& chain = effector.chain;
  const double dt = model.time.dt;
  if (goal.detour.size() > 0) return followDetour(chain, dt, goal);
  putOnItsWay(model, chain, state, goal, q_);
  multibody::computePoses(model.tree, q_, X_WB_);
  const Pose X_WE = X_WB_[static_cast<std::size_t>(chain.body)] * chain.X_BE;
  rates_.prepare(model.tree, chain, X_WB_);
  const Velocity now = rates_.velocityOf(goal.v);
  const Eigen::AngleAxisd turn(goal.R.toRotationMatrix() * X_WE.R.transpose());
  const EffectorSpeed& speed = effector.speed;
  const Velocity wanted = {towards(turn.angle() * turn.axis(), now.w, speed.turn, speed.turnAcceleration, dt),
                           towards(goal.p - X_WE.p, now.v, speed.linear, speed.acceleration, dt)};
  rates_.resolve(model.tree, chain, q_, wanted, goal.home, dt, goal.v);
  goal.q += dt * goal.v;
}

/// All joints arrive together.
void EffectorGoals::followDetour(const Chain& chain, double dt, State::Goal& goal) const {
  const VecX left = goal.detour - goal.q;
  double time = dt;
  for (Eigen::Index k = 0; k < left.size(); ++k)
    time = std::max(time, std::abs(left[k]) / (kDetourSpeed * chain.speed[static_cast<std::size_t>(k)]));
  for (Eigen::Index k = 0; k < left.size(); ++k) {
    const double quickness = chain.quickness[static_cast<std::size_t>(k)];
    const double most = std::min(std::abs(left[k]) / time, stoppingSpeed(std::abs(left[k]), quickness, dt));
    goal.v[k] =
        std::clamp(std::copysign(most, left[k]), goal.v[k] - quickness * dt, goal.v[k] + quickness * dt);
  }
  goal.q += dt * goal.v;
  if ((goal.detour - goal.q).lpNorm<Eigen::Infinity>() > kDetourEnd) return;
  goal.home = goal.detour;
  goal.detour.resize(0);
}

void EffectorGoals::grip(const Model& model, const Gripper& gripper, State::Goal& goal,
                         ActuatorTargets& targets) const {
  const double most = model.time.dt / gripper.closingTime;
  const double change = std::clamp(goal.closing - goal.closed, -most, most);
  goal.closed += change;
  for (std::size_t i = 0; i < gripper.joints.size(); ++i) {
    const int index = gripper.joints[i];
    const multibody::Joint& joint = jointAt(model, index);
    takeJoint(joint, index, targets);
    const double way = gripper.closed[i] - gripper.open[i];
    targets.pd.push_back({.joint = index,
                          .q = gripper.open[i] + goal.closed * way,
                          .v = change / model.time.dt * way,
                          .kp = gripper.kp[i],
                          .kd = gripper.kd[i],
                          .effortLimit = multibody::EffortRange(gripper.effort).within(joint.effortLimit),
                          .lowerIsMeant = true,
                          .upperIsMeant = true});
  }
}

StepFacts::EffectorGoal goalFacts(const Model& model, const State& state, const State::Goal& goal) {
  const Chain& chain = model.effectors[static_cast<std::size_t>(goal.effector)].chain;
  VecX q;
  putOnItsWay(model, chain, state, goal, q);
  std::vector<Pose> X_WB;
  multibody::computePoses(model.tree, q, X_WB);
  StepFacts::EffectorGoal facts;
  facts.effector = goal.effector;
  facts.wanted = {goal.R.toRotationMatrix(), goal.p};
  facts.onTheWay = X_WB[static_cast<std::size_t>(chain.body)] * chain.X_BE;
  if (goal.grips) facts.closing = goal.closing;
  const double turn = Eigen::AngleAxisd(facts.wanted.R * facts.onTheWay.R.transpose()).angle();
  facts.reached = (goal.p - facts.onTheWay.p).norm() < kReached && turn < kReachedTurn;
  for (std::size_t i = 0; i < chain.joints.size() && !facts.reached && facts.atLimit < 0; ++i) {
    const multibody::Joint& joint = jointAt(model, chain.joints[i]);
    const double at = goal.q[static_cast<int>(i)];
    const bool isLimited = joint.type != multibody::JointType::Continuous;
    if (isLimited && std::min(at - joint.lower, joint.upper - at) < kAtLimit) facts.atLimit = chain.joints[i];
  }
  return facts;
}

}  // namespace slipstick
