// Stage of compile(): what people drive. The scene's own effectors, then one at the end of every arm that it names none of.
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "engine/compile/compilation.h"
#include "engine/model/command.h"
#include "engine/multibody/kinematics.h"

namespace slipstick {

std::vector<int> jointsTo(const multibody::Tree& tree, int root, int body) {
  std::vector<int> joints;
  for (int b = body; b > root; b = tree.parentOf(b)) {
    const multibody::Joint& joint = tree.joints[static_cast<std::size_t>(b - 1)];
    if (multibody::velocityCount(joint.type) == 1 && joint.mimic < 0) joints.push_back(b - 1);
  }
  std::reverse(joints.begin(), joints.end());
  return joints;
}

std::vector<int> drivableJoints(const Model& model, int robot) {
  const Robot& owner = model.robots[static_cast<std::size_t>(robot)];
  std::vector<int> joints;
  for (int body = owner.firstBody; body < owner.endBody; ++body)
    if (canDrive(model, body - 1)) joints.push_back(body - 1);
  return joints;
}

namespace {

/// An arm has at least so many joints in a row: fewer cannot bring a tool to where a person points.
constexpr std::size_t kFewestJoints = 3;
/// Of joints without a velocity limit.
constexpr double kTurnSpeed = 2.5;   // [rad/s]
constexpr double kSlideSpeed = 0.5;  // [m/s]
/// A joint has its full speed after this time [s].
constexpr double kRiseTime = 0.125;
/// Of fingers, where the scene says none.
constexpr double kSlidingEffort = 20;  // [N]
constexpr double kTurningEffort = 1;   // [N m]
/// Fingers that turn close this far towards their limit.
constexpr double kClosedPart = 0.8;
/// Names that robots' files give the frame between the fingers.
constexpr std::array<std::string_view, 4> kToolNames = {"grip_point", "tcp", "tool", "grasp"};

class EffectorFinder {
 public:
  explicit EffectorFinder(Compilation& c) : c_(c), tree_(c.model.tree) {
    multibody::computePoses(tree_, c.model.initialQ, X_WB_);
  }

  Result<void> addAuthored() {
    for (const EffectorSpec& spec : c_.scene.effectors)
      if (Result<void> added = add(spec); !added) return added;
    return {};
  }

  /// Robots that hang on an effector are its fingers.
  void addFound() {
    for (std::size_t r = 0; r < c_.model.robots.size(); ++r) {
      const Robot& robot = c_.model.robots[r];
      const bool isNamed =
          std::any_of(c_.scene.effectors.begin(), c_.scene.effectors.end(), [&](const auto& spec) {
            return spec.robot == robot.name || (spec.gripper && spec.gripper->robot == robot.name);
          });
      for (int body = robot.firstBody; body < robot.endBody; ++body)
        if (tree_.parentOf(body) < robot.firstBody && !isNamed && !hangsOnEffector(body))
          followTrunk(robot, body);
    }
    nameThem();
  }

 private:
  const multibody::Joint& jointOf(int body) const { return tree_.joints[static_cast<std::size_t>(body - 1)]; }
  bool isDescendant(int body, int of) const {
    while (body > of) body = tree_.parentOf(body);
    return body == of;
  }
  bool isFixedTo(int body, int to) const {
    for (; body > to; body = tree_.parentOf(body))
      if (jointOf(body).type != multibody::JointType::Fixed) return false;
    return body == to;
  }
  bool hangsOnEffector(int body) const {
    return std::any_of(c_.model.effectors.begin(), c_.model.effectors.end(),
                       [&](const Effector& effector) { return isDescendant(body, effector.chain.body); });
  }
  bool carriesJoint(const Robot& robot, int body) const {
    for (int b = body; b < robot.endBody; ++b)
      if (canDrive(c_.model, b - 1) && isDescendant(b, body)) return true;
    return false;
  }

  /// From a body outwards as long as there is one way; where several begin there are fingers, or arms.
  void followTrunk(const Robot& robot, int body) {
    for (;;) {
      std::vector<int> onwards;
      for (int b = body + 1; b < robot.endBody; ++b)
        if (tree_.parentOf(b) == body && carriesJoint(robot, b)) onwards.push_back(b);
      if (onwards.size() == 1) {
        body = onwards.front();
        continue;
      }
      const std::vector<int> joints = jointsTo(tree_, robot.firstBody, body);
      if (joints.size() >= kFewestJoints) return addFound(robot, body);
      for (const int branch : onwards) followTrunk(robot, branch);
      return;
    }
  }

  void addFound(const Robot& robot, int body) {
    Effector effector;
    effector.name = robot.name;
    const int tool = toolAt(body);
    effector.chain = chainTo(robot, body);
    effector.chain.X_BE =
        X_WB_[static_cast<std::size_t>(body)].inverse() * X_WB_[static_cast<std::size_t>(tool)];
    std::vector<int> fingers;
    for (int b = body + 1; b < static_cast<int>(tree_.bodies.size()); ++b)
      if (isDescendant(b, body) && canDrive(c_.model, b - 1)) fingers.push_back(b - 1);
    effector.gripper = gripperOf({}, fingers);
    c_.model.effectors.push_back(std::move(effector));
  }

  /// What is fixed to the body and named as a tool, or its end without a joint: a flange.
  int toolAt(int body) const {
    int last = body;
    for (int b = body + 1; b < static_cast<int>(tree_.bodies.size()); ++b) {
      if (!isFixedTo(b, body)) continue;
      const std::string& name = tree_.bodies[static_cast<std::size_t>(b)].name;
      for (const std::string_view tool : kToolNames)
        if (name.find(tool) != std::string::npos) return b;
      if (tree_.parentOf(b) == last) last = b;
    }
    return last;
  }

  multibody::Chain chainTo(const Robot& robot, int body) const {
    multibody::Chain chain;
    chain.body = body;
    chain.joints = jointsTo(tree_, robot.firstBody, body);
    for (const int j : chain.joints) {
      const multibody::Joint& joint = tree_.joints[static_cast<std::size_t>(j)];
      const bool isLimited = std::isfinite(joint.velocityLimit) && joint.velocityLimit > 0;
      const double usual = joint.type == multibody::JointType::Prismatic ? kSlideSpeed : kTurnSpeed;
      chain.speed.push_back(isLimited ? joint.velocityLimit : usual);
      chain.quickness.push_back(chain.speed.back() / kRiseTime);
    }
    return chain;
  }

  /// Positions that the scene does not say are the joints' own, see GripperRangeSpec.
  Gripper gripperOf(const GripperRangeSpec& spec, const std::vector<int>& joints) const {
    const bool slidesFirst = !joints.empty() && tree_.joints[static_cast<std::size_t>(joints.front())].type ==
                                                    multibody::JointType::Prismatic;
    Gripper gripper;
    gripper.joints = joints;
    gripper.effort = spec.effort.value_or(slidesFirst ? kSlidingEffort : kTurningEffort);
    gripper.closingTime = spec.closingTime;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const multibody::Joint& joint = tree_.joints[static_cast<std::size_t>(joints[i])];
      const double lower = std::isfinite(joint.lower) ? joint.lower : -1,
                   upper = std::isfinite(joint.upper) ? joint.upper : 1;
      const bool slides = joint.type == multibody::JointType::Prismatic;
      const double open = slides ? upper : std::clamp(0.0, lower, upper);
      const double closed = slides ? lower : kClosedPart * (upper >= -lower ? upper : lower);
      const auto given = [i](const std::vector<double>& list, double fallback) {
        return list.empty() ? fallback : list[list.size() == 1 ? 0 : i];
      };
      gripper.open.push_back(given(spec.open, open));
      gripper.closed.push_back(given(spec.closed, closed));
    }
    PdGains gains = gripperGains(c_.model, joints, gripper.effort, {{}, {}});
    gripper.kp = std::move(gains.kp);
    gripper.kd = std::move(gains.kd);
    return gripper;
  }

  Result<void> add(const EffectorSpec& spec) {
    const Element element = elementOf("effector", "teleop", spec.name);
    const Result<int> robot = c_.findRobot(element.at("robot"), spec.robot);
    if (!robot) return robot.error();
    const Result<int> body = c_.findBody(element.at("link"), spec.robot + "." + spec.link);
    if (!body) return body.error();
    Effector effector;
    effector.name = spec.name;
    effector.chain = chainTo(c_.model.robots[static_cast<std::size_t>(*robot)], *body);
    if (effector.chain.joints.empty())
      return c_.invalid(element.at("link"), "no joint moves the link '" + spec.link + "'",
                        "name a link beyond a movable joint");
    effector.chain.X_BE = spec.X_LE;
    effector.speed = spec.speed;
    effector.lower = spec.lower;
    effector.upper = spec.upper;
    if (!(spec.lower.array() < spec.upper.array()).all())
      return c_.invalid(element.at("workspace"), "its workspace is empty",
                        "write a lower corner below the upper one");
    if (spec.gripper)
      if (Result<void> ok = addGripper(element.at("gripper"), *spec.gripper, effector.gripper); !ok)
        return ok;
    c_.model.effectors.push_back(std::move(effector));
    return {};
  }

  Result<void> addGripper(const Element& element, const GripperRangeSpec& spec, Gripper& gripper) const {
    const Result<int> robot = c_.findRobot(element.at("robot"), spec.robot);
    if (!robot) return robot.error();
    std::vector<int> joints;
    if (spec.joints.empty()) joints = drivableJoints(c_.model, *robot);
    for (const std::string& name : spec.joints) {
      const Result<int> joint = c_.findJoint(element.at("joints"), *robot, name);
      if (!joint) return joint.error();
      if (!canDrive(c_.model, *joint))
        return c_.invalid(element.at("joints"), "the joint '" + name + "' cannot be driven",
                          "name one with one degree of freedom that follows no other");
      joints.push_back(*joint);
    }
    if (joints.empty())
      return c_.invalid(element.at("robot"), "the robot '" + spec.robot + "' has no joint to drive",
                        "name a robot with fingers, or list its 'joints'");
    for (const auto& [key, list] : {std::pair("open", &spec.open), {"closed", &spec.closed}})
      if (list->size() > 1 && list->size() != joints.size())
        return c_.invalid(
            element.at(key),
            std::to_string(list->size()) + " positions for " + std::to_string(joints.size()) + " joints",
            "write one position for all, or one per joint");
    gripper = gripperOf(spec, joints);
    return {};
  }

  /// Two arms of one robot are known by their links.
  void nameThem() {
    std::vector<Effector>& all = c_.model.effectors;
    for (std::size_t i = c_.scene.effectors.size(); i < all.size(); ++i) {
      const std::string robot = all[i].name;
      const auto share = [&](const Effector& other) {
        return other.name == robot || other.name.starts_with(robot + ".");
      };
      if (std::count_if(all.begin(), all.end(), share) > 1)
        all[i].name = tree_.bodies[static_cast<std::size_t>(all[i].chain.body)].name;
    }
  }

  Compilation& c_;
  const multibody::Tree& tree_;
  std::vector<Pose> X_WB_;
};

}  // namespace

Result<void> compileEffectors(Compilation& c) {
  EffectorFinder finder(c);
  if (Result<void> added = finder.addAuthored(); !added) return added;
  finder.addFound();
  return {};
}

}  // namespace slipstick
