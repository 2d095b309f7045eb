#include "engine/model/command.h"

#include <algorithm>
#include <cmath>

#include "engine/model/model.h"

namespace slipstick {
namespace {

Error invalid(const std::string& where, const std::string& what, const std::string& remedy) {
  return {ErrorCode::InvalidValue, what, where, remedy};
}

Result<void> checkFrequency(const std::string& where, double omega) {
  if (omega > 0 && std::isfinite(omega)) return {};
  return invalid(where, "the natural frequency of the spring is not positive",
                 "choose it in rad/s, such as 20");
}

Result<void> checkBody(const std::string& where, const Model& model, int body) {
  if (body > 0 && static_cast<std::size_t>(body) < model.tree.bodies.size()) return {};
  return invalid(where, "there is no body " + std::to_string(body) + " that can move", "choose another one");
}

struct Check {
  const Model& model;

  Result<void> operator()(const SetParameter& command) const {
    Tuning scratch = model.tuning;
    return setParameter(model, command.path, command.value, scratch);
  }
  Result<void> operator()(const Pull& pull) const {
    if (!pull.p_B.allFinite() || !pull.goal_W.allFinite())
      return invalid("pull", "its point or its goal is not a number", "choose finite numbers");
    if (Result<void> ok = checkFrequency("pull", pull.naturalFrequency); !ok) return ok;
    if (pull.body >= 0) return checkBody("pull", model, pull.body);
    if (pull.particle >= 0 && static_cast<std::size_t>(pull.particle) < model.nodeCount()) return {};
    return invalid("pull", "there is no particle " + std::to_string(pull.particle), "choose another one");
  }
  Result<void> operator()(const Twist& twist) const {
    if (!twist.goal_WB.coeffs().allFinite() || twist.goal_WB.norm() < 1e-6)
      return invalid("twist", "its goal is not an orientation", "choose a quaternion of length 1");
    if (Result<void> ok = checkFrequency("twist", twist.naturalFrequency); !ok) return ok;
    return checkBody("twist", model, twist.body);
  }
  Result<void> operator()(const Release&) const { return {}; }
  Result<void> operator()(const DriveJoint& drive) const {
    if (!std::isfinite(drive.goal))
      return invalid("drive", "the goal of the joint is not a number", "choose a finite number");
    return checkJoint(drive.joint);
  }
  Result<void> operator()(const FreeJoint& free) const { return checkJoint(free.joint); }
  Result<void> operator()(const Place& place) const {
    if (!place.X_WB.p.allFinite() || !place.X_WB.R.allFinite())
      return invalid("place", "the pose is not a number", "choose finite numbers");
    if (canPlace(model, place.body)) return {};
    return invalid("place", "body " + std::to_string(place.body) + " cannot be put elsewhere",
                   "choose one with 'base: free'");
  }

  Result<void> operator()(const Goal& goal) const {
    if (!goal.p.allFinite() || !goal.R.coeffs().allFinite() || goal.R.norm() < 1e-6)
      return invalid("goal", "it is no pose", "choose finite numbers and a quaternion of length 1");
    return checkEffector(goal.effector);
  }
  Result<void> operator()(const Grip& grip) const {
    if (Result<void> ok = checkEffector(grip.effector); !ok) return ok;
    if (!(grip.closing >= 0 && grip.closing <= 1))
      return invalid("grip", "the closing is not from 0 to 1", "choose 0 for open, 1 for closed");
    const Effector& effector = model.effectors[static_cast<std::size_t>(grip.effector)];
    if (!effector.gripper.joints.empty()) return {};
    return invalid("grip", "'" + effector.name + "' has no fingers", "choose another effector");
  }
  Result<void> operator()(const Reposture& reposture) const { return checkEffector(reposture.effector); }
  Result<void> operator()(const LetGo& letGo) const { return checkEffector(letGo.effector); }

  Result<void> checkEffector(int effector) const {
    if (effector >= 0 && static_cast<std::size_t>(effector) < model.effectors.size()) return {};
    return invalid("goal", "there is no effector " + std::to_string(effector),
                   "choose one of " + std::to_string(model.effectors.size()));
  }
  Result<void> checkJoint(int joint) const {
    if (canDrive(model, joint)) return {};
    return invalid("drive", "joint " + std::to_string(joint) + " cannot be driven",
                   "choose one with one degree of freedom that follows no other");
  }
};

}  // namespace

bool canDrive(const Model& model, int joint) {
  if (joint < 0 || static_cast<std::size_t>(joint) >= model.tree.joints.size()) return false;
  const multibody::Joint& j = model.tree.joints[static_cast<std::size_t>(joint)];
  return multibody::velocityCount(j.type) == 1 && j.mimic < 0;
}

bool canPlace(const Model& model, int body) {
  if (body <= 0 || static_cast<std::size_t>(body) >= model.tree.bodies.size()) return false;
  const int joint = model.tree.bodies[static_cast<std::size_t>(body)].joint;
  const auto isIts = [joint](const PrescribedMotion& motion) { return motion.joint == joint; };
  return model.tree.joints[static_cast<std::size_t>(joint)].type == multibody::JointType::Floating &&
         std::none_of(model.prescribed.begin(), model.prescribed.end(), isIts);
}

Result<void> check(const Command& command, const Model& model) {
  return std::visit(Check{model}, command);
}

}  // namespace slipstick
