// Stages of compile(): loops, controllers, and the configuration that everything starts from.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "engine/compile/compilation.h"
#include "engine/compile/sampling.h"
#include "engine/foundation/number_text.h"
#include "engine/geometry/shape_lowering.h"
#include "engine/multibody/inverse_kinematics.h"
#include "engine/multibody/kinematics.h"

namespace slipstick {
namespace {

constexpr double kLoopGap = 1e-3;                    // [m], a larger one is worth a notice
constexpr double kLoopAngle = 1e-2;                  // [rad]
constexpr double kDegrees = 180 / std::numbers::pi;  // in a radian
constexpr double kTouching = 1e-3;                   // of the particle spacing
constexpr int kStartPostures = 12;                   // that the inverse kinematics of the start pose tries

/// A controller of several joints, with as many gains as that.
template <class Servo>
Result<Controller> withGains(const Compilation& c, const Element& element, const PdGains& gains,
                             Servo servo) {
  const std::size_t joints = servo.joints.size();
  for (const std::vector<double>* list : {&gains.kp, &gains.kd})
    if (list->size() != 1 && list->size() != joints)
      return c.invalid(element,
                       std::to_string(list->size()) + " gains for " + std::to_string(joints) + " joints",
                       "write one gain for all, or one per joint");
  servo.kp = perJoint(gains.kp, joints);
  servo.kd = perJoint(gains.kd, joints);
  return Controller(std::move(servo));
}

/// A joint with one degree of freedom, by its name in the robot.
Result<int> findDrivenJoint(const Compilation& c, const Element& element, int robot,
                            const std::string& name) {
  const Result<int> joint = c.findJoint(element, robot, name);
  if (!joint) return joint.error();
  if (multibody::velocityCount(c.model.tree.joints[static_cast<std::size_t>(*joint)].type) != 1)
    return c.invalid(element, "the joint '" + name + "' has not one degree of freedom",
                     "name a revolute or prismatic joint");
  return joint;
}

/// A list of them, of the key 'joints'.
Result<void> findDrivenJoints(const Compilation& c, const Element& element, int robot,
                              const std::vector<std::string>& names, std::vector<int>& joints) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Result<int> joint = findDrivenJoint(c, element.at("joints." + std::to_string(i)), robot, names[i]);
    if (!joint) return joint.error();
    joints.push_back(*joint);
  }
  return {};
}

Result<Controller> compileController(const Compilation& c, const Element& element,
                                     const EndEffectorPathSpec& spec) {
  EndEffectorPath out;
  const Result<int> robot = c.findRobot(element.at("robot"), spec.robot);
  if (!robot) return robot.error();
  const Result<int> body = c.findBody(element.at("link"), spec.robot + "." + spec.link);
  if (!body) return body.error();
  const Result<int> path = c.findPath(element.at("path"), spec.path);
  if (!path) return path.error();
  out.robot = *robot;
  out.body = *body;
  out.path = *path;
  out.X_PathE = spec.X_PathE;
  out.joints = jointsTo(c.model.tree, c.model.robots[static_cast<std::size_t>(*robot)].firstBody, *body);
  if (out.joints.empty())
    return c.invalid(element.at("link"), "no joint moves the link '" + spec.link + "'",
                     "name a link beyond a movable joint");
  return withGains(c, element, spec.gains, std::move(out));
}

/// There is a key, and the times of the keys increase.
template <class Key>
Result<void> checkTimes(const Compilation& c, const Element& element, const std::vector<Key>& keys) {
  if (keys.empty()) return c.invalid(element, "it has no key", "add at least one time under 'keys'");
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (!std::isfinite(keys[i].t) || (i > 0 && keys[i].t <= keys[i - 1].t))
      return c.invalid(element.at("keys." + std::to_string(i)),
                       "the times of its keys do not increase (key " + std::to_string(i) + ")",
                       "sort them by time");
  return {};
}

Result<Controller> compileController(const Compilation& c, const Element& element,
                                     const JointPathSpec& spec) {
  JointPath out;
  const Result<int> robot = c.findRobot(element.at("robot"), spec.robot);
  if (!robot) return robot.error();
  if (spec.joints.empty()) return c.invalid(element, "it drives no joint", "list joint names under 'joints'");
  if (Result<void> found = findDrivenJoints(c, element, *robot, spec.joints, out.joints); !found)
    return found.error();
  for (std::size_t i = 0; i < spec.keys.size(); ++i) {
    const JointPathSpec::Key& key = spec.keys[i];
    const bool finite = std::all_of(key.q.begin(), key.q.end(), [](double q) { return std::isfinite(q); });
    if (key.q.size() != spec.joints.size() || !finite)
      return c.invalid(element.at("keys." + std::to_string(i)),
                       "key " + std::to_string(i) + " has not one finite position per joint",
                       "list them all");
  }
  if (Result<void> ok = checkTimes(c, element, spec.keys); !ok) return ok.error();
  out.keys = spec.keys;
  out.interpolation = spec.interpolation;
  return withGains(c, element, spec.gains, std::move(out));
}

Result<Controller> compileController(const Compilation& c, const Element& element,
                                     const JointEffortSpec& spec) {
  const Result<int> robot = c.findRobot(element.at("robot"), spec.robot);
  if (!robot) return robot.error();
  const Result<int> joint = findDrivenJoint(c, element.at("joint"), *robot, spec.joint);
  if (!joint) return joint.error();
  if (!std::isfinite(spec.from))
    return c.invalid(element, "its start is not a number", "write a finite number");
  return Controller(JointEffort{*joint, spec.effort, spec.from});
}

Result<Controller> compileController(const Compilation& c, const Element& element,
                                     const JointVelocitySpec& spec) {
  const Result<int> robot = c.findRobot(element.at("robot"), spec.robot);
  if (!robot) return robot.error();
  const Result<int> joint = findDrivenJoint(c, element.at("joint"), *robot, spec.joint);
  if (!joint) return joint.error();
  if (!std::isfinite(spec.from))
    return c.invalid(element, "its start is not a number", "write a finite number");
  return Controller(JointVelocity{*joint, spec.velocity, spec.kd, spec.from});
}

Result<Controller> compileController(const Compilation& c, const Element& element, const GripperSpec& spec) {
  JointPath out;
  const Result<int> robot = c.findRobot(element.at("robot"), spec.robot);
  if (!robot) return robot.error();
  if (spec.joints.empty()) out.joints = drivableJoints(c.model, *robot);
  if (Result<void> found = findDrivenJoints(c, element, *robot, spec.joints, out.joints); !found)
    return found.error();
  if (out.joints.empty())
    return c.invalid(element.at("robot"), "the robot '" + spec.robot + "' has no joint to drive",
                     "name a robot with fingers, or list its 'joints'");
  if (Result<void> ok = checkTimes(c, element, spec.keys); !ok) return ok.error();
  for (const GripperSpec::Key& key : spec.keys) {
    if (!std::isfinite(key.opening))
      return c.invalid(element, "an opening is not a number", "write it in m or rad");
    out.keys.push_back({key.t, std::vector<double>(out.joints.size(), key.opening)});
  }
  out.isGripper = true;
  out.interpolation = Interpolation::Smooth;
  PdGains gains = spec.gains;
  if (gains.kp.empty()) gains.kp = {0};  // what nobody names follows from the effort: Laws::servos
  if (gains.kd.empty()) gains.kd = {0};
  return withGains(c, element, gains, std::move(out));
}

Result<Controller> compileController(const Compilation& c, const Element& element,
                                     const LinkForceSpec& spec) {
  const Result<int> body = c.findBody(element.at("link"), spec.link);
  if (!body) return body.error();
  if (*body == 0) return c.invalid(element.at("link"), "no force moves the world", "name a body or a link");
  if (Result<void> ok = checkTimes(c, element, spec.keys); !ok) return ok.error();
  if (spec.keys.size() < 2)
    return c.invalid(element, "it has one key, and so never acts", "add a key for the time when it ends");
  for (const LinkForceSpec::Key& key : spec.keys)
    if (!key.force.allFinite() || !key.torque.allFinite())
      return c.invalid(element, "a force or torque is not a number", "write [x, y, z] in N or N m");
  if (!spec.point.allFinite()) return c.invalid(element, "its point is not a number", "write [x, y, z] in m");
  return Controller(LinkForce{*body, spec.point, spec.keys});
}

/// The numbers of a controller that may change, and the rows of the table that they must fulfil.
struct NumbersOf {
  ControllerNumbers operator()(const EndEffectorPathSpec& s) const { return {.gains = s.gains}; }
  ControllerNumbers operator()(const JointPathSpec& s) const { return {.gains = s.gains}; }
  ControllerNumbers operator()(const GripperSpec& s) const { return {.gains = s.gains, .effort = s.effort}; }
  ControllerNumbers operator()(const JointEffortSpec& s) const { return {.gains = {}, .effort = s.effort}; }
  ControllerNumbers operator()(const JointVelocitySpec& s) const {
    return {.gains = {.kp = {0}, .kd = {s.kd}}, .velocity = s.velocity};
  }
  ControllerNumbers operator()(const LinkForceSpec&) const { return {}; }
};

struct BlocksOf {
  using Blocks = std::vector<ParameterBlock>;
  Blocks operator()(const EndEffectorPathSpec&) const { return {ParameterBlock::Servo}; }
  Blocks operator()(const JointPathSpec&) const { return {ParameterBlock::Servo}; }
  Blocks operator()(const GripperSpec&) const { return {ParameterBlock::Servo, ParameterBlock::Gripper}; }
  Blocks operator()(const JointEffortSpec&) const { return {ParameterBlock::JointEffort}; }
  Blocks operator()(const JointVelocitySpec&) const { return {ParameterBlock::JointVelocity}; }
  Blocks operator()(const LinkForceSpec&) const { return {}; }
};

/// Joints that a controller drives by PD: at most one controller may.
std::vector<int> servoJoints(const Controller& controller) {
  if (const auto* c = std::get_if<EndEffectorPath>(&controller)) return c->joints;
  if (const auto* c = std::get_if<JointPath>(&controller)) return c->joints;
  if (const auto* c = std::get_if<JointVelocity>(&controller)) return {c->joint};
  return {};
}

constexpr std::array kLoopKinds = {"weld", "ball loop", "distance loop"};

/// A loop that a robot's file closes, under the names that links have in the scene.
LoopSpec inScene(LoopSpec loop, const std::string& robot) {
  loop.name = robot + "." + loop.name;
  for (std::string* link : {&loop.linkA, &loop.linkB}) *link = link->empty() ? "world" : robot + "." + *link;
  return loop;
}

/// @param X_WB  of all bodies at the start
Result<void> addLoop(Compilation& c, const Element& element, const LoopSpec& spec,
                     const std::vector<Pose>& X_WB) {
  const Result<int> a = c.findBody(element.at("link_a"), spec.linkA);
  const Result<int> b = c.findBody(element.at("link_b"), spec.linkB);
  if (!a) return a.error();
  if (!b) return b.error();
  if (*a == *b) return c.invalid(element, "it joins a link to itself", "name two different links");
  if (!spec.X_LaA.p.allFinite() || !spec.X_LaA.R.allFinite() || !spec.X_LbB.p.allFinite() ||
      !spec.X_LbB.R.allFinite())
    return c.invalid(element, "a frame is not a number", "write finite numbers");
  Loop loop{spec.kind, spec.name, *a, spec.X_LaA, *b, spec.X_LbB, 0};
  if (spec.kind == LoopKind::Distance) {
    const Vec3 apart =
        X_WB[static_cast<std::size_t>(*b)] * spec.X_LbB.p - X_WB[static_cast<std::size_t>(*a)] * spec.X_LaA.p;
    loop.distance = spec.distance.value_or(apart.norm());
    if (!(loop.distance > 1e-9) || !std::isfinite(loop.distance))
      return c.invalid(element, "its distance is zero: the direction of its force is undefined",
                       "use a ball loop, or write a distance greater than 0 in metres");
  }
  c.model.loops.push_back(std::move(loop));
  return {};
}

}  // namespace

Result<void> compileLoops(Compilation& c) {
  std::vector<Pose> X_WB;
  multibody::computePoses(c.model.tree, c.model.initialQ, X_WB);
  for (const LoopSpec& spec : c.scene.loops) {
    const Element element = elementOf(kLoopKinds[static_cast<std::size_t>(spec.kind)], "loops", spec.name);
    if (Result<void> added = addLoop(c, element, spec, X_WB); !added) return added;
  }
  for (const RobotSpec& robot : c.scene.robots) {
    for (const LoopSpec& ofFile : robot.description.loops) {
      const LoopSpec spec = inScene(ofFile, robot.name);
      const std::string kind = kLoopKinds[static_cast<std::size_t>(spec.kind)];
      if (Result<void> added = addLoop(c, elementOf(robot).part(kind + " '" + ofFile.name + "'"), spec, X_WB);
          !added)
        return added;
    }
  }
  return {};
}

Result<void> compileControllers(Compilation& c) {
  std::map<int, std::size_t> servoOf;  // which controller drives a joint
  for (std::size_t i = 0; i < c.scene.controllers.size(); ++i) {
    const Element element = elementOf("controller", "controllers", i);
    Result<Controller> controller = std::visit(
        [&](const auto& spec) { return compileController(c, element, spec); }, c.scene.controllers[i]);
    if (!controller) return controller.error();
    for (const int joint : servoJoints(*controller)) {
      const auto [other, isNew] = servoOf.emplace(joint, i);
      if (!isNew)
        return c.invalid(element,
                         "the joint '" + c.model.tree.joints[static_cast<std::size_t>(joint)].name +
                             "' is already driven by controller " + std::to_string(other->second),
                         "let one controller drive each joint");
    }
    c.model.tuning.controllers.push_back(std::visit(NumbersOf{}, c.scene.controllers[i]));
    for (const ParameterBlock block : std::visit(BlocksOf{}, c.scene.controllers[i]))
      if (Result<void> ok = c.checkNumbers(element, block, i); !ok) return ok;
    c.model.controllers.push_back(*controller);
  }
  return {};
}

Result<void> compileStartPose(Compilation& c) {
  Model& model = c.model;
  for (std::size_t i = 0; i < model.controllers.size(); ++i) {
    const auto* controller = std::get_if<EndEffectorPath>(&model.controllers[i]);
    if (!controller) continue;
    const Path& path = model.paths[static_cast<std::size_t>(controller->path)];
    const Pose goal = path.at(0) * controller->X_PathE;
    const multibody::IkResult result = multibody::searchInverseKinematics(
        model.tree, controller->body, controller->joints, goal, kStartPostures, model.initialQ);
    if (result.reached) continue;
    const std::string left = millimetres(result.positionError) + " and " +
                             fixed(result.rotationError * kDegrees, 1) + " degrees are left";
    return c.invalid(elementOf("controller", "controllers", i),
                     "the robot '" + model.robots[static_cast<std::size_t>(controller->robot)].name +
                         "' cannot reach the first pose of the path '" + path.name + "': " + left,
                     "move the robot's base or the path's start nearer to each other");
  }
  return {};
}

Result<void> inspectStart(Compilation& c) {
  const Model& model = c.model;
  std::vector<Pose> X_WB;
  multibody::computePoses(model.tree, model.initialQ, X_WB);
  for (const Loop& loop : model.loops) {
    const Pose A = X_WB[static_cast<std::size_t>(loop.bodyA)] * loop.X_AaA;
    const Pose B = X_WB[static_cast<std::size_t>(loop.bodyB)] * loop.X_BbB;
    const double gap = std::abs((A.p - B.p).norm() - loop.distance);
    const double angle = loop.kind == LoopKind::Weld ? Eigen::AngleAxisd(A.R.transpose() * B.R).angle() : 0.0;
    if (gap > kLoopGap || angle > kLoopAngle)
      c.notice(elementOf("loop", "loops", loop.name),
               "its frames start " + millimetres(gap) +
                   (loop.kind == LoopKind::Weld ? " and " + fixed(angle * kDegrees, 1) + " degrees apart"
                                                : " off"));
  }
  for (std::size_t d = 0; d < model.deformables.size(); ++d)
    for (std::size_t g = 0; g < model.geometries.size(); ++g) {
      const Geometry& geometry = model.geometries[g];
      if (!model.softPair(d, g).enabled) continue;
      if (!c.goesOn("looking at what starts inside what")) return c.cancelled();
      const Pose X_GW = (X_WB[static_cast<std::size_t>(geometry.body)] * geometry.X_BG).inverse();
      const GeometryShape<double> shape = lowerShape<double>(geometry.shape, geometry.sdf.get());
      int inside = 0;
      double deepest = 0;
      for (int p = model.deformables[d].begin; p < model.deformables[d].end; ++p) {
        const double phi = signedDistance(shape, X_GW * model.nodes.x[static_cast<std::size_t>(p)]);
        if (phi >= 0) continue;
        ++inside;
        deepest = std::max(deepest, -phi);
      }
      // Particles that are placed so that they just touch are inside by a rounding.
      if (inside > 0 && deepest > kTouching * model.deformables[d].spacing)
        c.notice(
            elementOf("deformable", "deformables", model.deformables[d].name),
            std::to_string(inside) + " of its " +
                std::to_string(model.deformables[d].end - model.deformables[d].begin) +
                (model.discretize ? " nodes" : " particles") + " start inside '" + geometry.name +
                "', up to " + millimetres(deepest) +
                " deep: the contact will throw them out; move one of the two, or let particles pass with "
                "contact: {enabled: false}");
    }
  return {};
}

}  // namespace slipstick
