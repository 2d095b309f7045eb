// Where robots, bodies and their joints start, and how fast: part of the stage that builds the tree.
#include <algorithm>
#include <cmath>

#include "engine/compile/compilation.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/path_key.h"

namespace slipstick {
namespace {

using multibody::Joint;
using multibody::JointType;

/// A root that follows a path: its joint, and where the path starts.
Result<void> prescribe(Compilation& c, const RobotSpec& spec, const Element& element,
                       const multibody::Joint& base) {
  const Result<int> path = c.findPath(element.at("path"), spec.path);
  if (!path) return path.error();
  c.model.prescribed.push_back({base.child - 1, *path});
  const Pose start = c.model.paths[static_cast<std::size_t>(*path)].at(0);
  const Quat R(start.R);
  c.model.initialQ.segment<7>(base.qStart) << start.p, R.w(), R.x(), R.y(), R.z();
  return {};
}

/// The base of a robot with a free one: each of its trees where the file has it, all moving as one body.
Result<void> startBase(Compilation& c, const RobotSpec& spec, const Robot& robot) {
  Model& model = c.model;
  for (int body = robot.firstBody; body < robot.endBody; ++body) {
    const Joint& base = model.tree.joints[static_cast<std::size_t>(body - 1)];
    if (base.parent >= robot.firstBody) continue;
    const std::string& name = model.tree.bodies[static_cast<std::size_t>(body)].name;
    const auto place = std::find_if(spec.description.rootPoses.begin(), spec.description.rootPoses.end(),
                                    [&](const auto& root) { return name == spec.name + "." + root.first; });
    const Pose X_WB = place == spec.description.rootPoses.end() ? spec.X_PB : spec.X_PB * place->second;
    const Quat R(X_WB.R);
    model.initialQ.segment<7>(base.qStart) << X_WB.p, R.w(), R.x(), R.y(), R.z();
    const Vec3 v = spec.velocity + spec.angularVelocity.cross(X_WB.p - spec.X_PB.p);
    model.initialV.segment<6>(base.vStart) << spec.angularVelocity, v;
    if (spec.path.empty()) continue;
    if (Result<void> done = prescribe(c, spec, elementOf(spec), base); !done) return done;
  }
  return {};
}

Result<void> startVelocities(Compilation& c, const RobotSpec& spec, int robot) {
  for (const auto& [name, velocity] : spec.jointVelocities) {
    const Element at = elementOf(spec).at("velocities." + pathKey(name));
    const Result<int> index = c.findJoint(at, robot, name);
    if (!index) return index.error();
    const Joint& joint = c.model.tree.joints[static_cast<std::size_t>(*index)];
    if (multibody::velocityCount(joint.type) != 1 || !std::isfinite(velocity))
      return c.invalid(at, "the joint '" + name + "' cannot start with that velocity",
                       "name a joint with one degree of freedom and write a finite number");
    c.model.initialV[joint.vStart] = velocity;
  }
  return {};
}

Result<void> startPositions(Compilation& c, const RobotSpec& spec, int robot) {
  for (const auto& [name, position] : spec.jointPositions) {
    const Element at = elementOf(spec).at("joints." + pathKey(name));
    const Result<int> index = c.findJoint(at, robot, name);
    if (!index) return index.error();
    const Joint& joint = c.model.tree.joints[static_cast<std::size_t>(*index)];
    if (multibody::positionCount(joint.type) != 1)
      return c.invalid(
          at, "the joint '" + name + "' has not one position",
          "write {rpy_deg: …} of a ball joint, {position: …, rpy_deg: …} of a planar or floating one");
    if (!std::isfinite(position))
      return c.invalid(
          at, "the initial position of joint '" + name + "' is not a number",
          "write a position from " + significant(joint.lower) + " to " + significant(joint.upper));
    c.model.initialQ[joint.qStart] = position;
  }
  return {};
}

/// A planar joint moves in its plane, and turns about its normal: nothing else may be asked of it.
bool fitsPlane(const JointPoseSpec& start) {
  constexpr double kFlat = 1e-9;
  return std::abs(start.X_JC.p.z()) < kFlat &&
         (start.X_JC.R * Vec3::UnitZ() - Vec3::UnitZ()).norm() < kFlat && start.velocity.z() == 0 &&
         start.angularVelocity.head<2>().isZero(0);
}

/// Into q and v as joint.h lays them out.
void putStart(const JointPoseSpec& start, const Joint& joint, Model& model) {
  const Quat R(start.X_JC.R);
  auto q = model.initialQ.segment(joint.qStart, multibody::positionCount(joint.type));
  auto v = model.initialV.segment(joint.vStart, multibody::velocityCount(joint.type));
  if (joint.type == JointType::Ball) {
    q << R.w(), R.x(), R.y(), R.z();
    v = start.angularVelocity;
  } else if (joint.type == JointType::Planar) {
    q << start.X_JC.p.head<2>(), std::atan2(start.X_JC.R(1, 0), start.X_JC.R(0, 0));
    v << start.velocity.head<2>(), start.angularVelocity.z();
  } else {
    q << start.X_JC.p, R.w(), R.x(), R.y(), R.z();
    v << start.angularVelocity, start.velocity;
  }
}

Result<void> startPoses(Compilation& c, const RobotSpec& spec, int robot) {
  for (const JointPoseSpec& start : spec.jointPoses) {
    const Element at = elementOf(spec).at("joints." + pathKey(start.joint));
    const Result<int> index = c.findJoint(at, robot, start.joint);
    if (!index) return index.error();
    const Joint& joint = c.model.tree.joints[static_cast<std::size_t>(*index)];
    if (multibody::velocityCount(joint.type) < 2)
      return c.invalid(at, "the joint '" + start.joint + "' has no pose of its own",
                       "write one number, in rad or m");
    if (!start.X_JC.p.allFinite() || !start.X_JC.R.allFinite() || !start.velocity.allFinite() ||
        !start.angularVelocity.allFinite())
      return c.invalid(at, "the start of joint '" + start.joint + "' is not a number",
                       "write finite numbers");
    if (joint.type == JointType::Ball && !(start.X_JC.p.isZero(0) && start.velocity.isZero(0)))
      return c.invalid(at, "the ball joint '" + start.joint + "' turns about its centre, and does not move",
                       "remove 'position' and 'velocity'");
    if (joint.type == JointType::Planar && !fitsPlane(start))
      return c.invalid(at, "the planar joint '" + start.joint + "' cannot leave its plane",
                       "write [x, y, 0] and turns about z alone");
    putStart(start, joint, c.model);
  }
  return {};
}

/// Where a joint starts whose zero, or whose place in the file, is outside its limits.
/// @param written  in the scene, or zero   @param start  where it starts
Notice startNotice(const Compilation& c, const RobotSpec& spec, const Joint& joint, double written,
                   double start) {
  const std::string unit = joint.type == JointType::Prismatic ? " m" : " rad";
  const std::string range = significant(joint.lower) + " to " + significant(joint.upper) + unit;
  const std::string place =
      c.where(elementOf(spec).part("joint '" + joint.name.substr(spec.name.size() + 1) + "'"));
  if (start == written)
    return {Notice::Level::Warning, place,
            "it starts at " + significant(start) + unit + " as its file says, outside its limits of " +
                range + ": they push it back"};
  return {Notice::Level::Info, place,
          "it starts at " + significant(start) + unit + ": " + significant(written) +
              " is outside its limits of " + range};
}

bool isPlaced(const RobotSpec& spec, const std::string& joint) {
  return std::any_of(spec.jointPositions.begin(), spec.jointPositions.end(),
                     [&](const auto& placed) { return spec.name + "." + placed.first == joint; });
}

/// Joints start where the scene has them, within their limits where it does not say.
void settleWithinLimits(Compilation& c, const RobotSpec& spec, const Robot& robot) {
  for (int body = robot.firstBody; body < robot.endBody; ++body) {
    const Joint& joint = c.model.tree.joints[static_cast<std::size_t>(body - 1)];
    if (multibody::positionCount(joint.type) != 1 || joint.mimic >= 0) continue;
    double& q = c.model.initialQ[joint.qStart];
    const double inside = std::clamp(q, joint.lower, joint.upper);
    if (q == inside) continue;
    const double start = isPlaced(spec, joint.name) ? q : inside;
    c.notices.push_back(startNotice(c, spec, joint, q, start));
    q = start;
  }
}

/// Joints that follow another start where that one wants them; a chain of any length settles in at most as many passes
/// as there are joints.
void settleFollowers(Model& model) {
  bool settled = false;
  for (std::size_t pass = 0; !settled && pass < model.tree.joints.size(); ++pass) {
    settled = true;
    for (const Joint& joint : model.tree.joints) {
      if (joint.mimic < 0) continue;
      const Joint& leader = model.tree.joints[static_cast<std::size_t>(joint.mimic)];
      const double wanted = joint.mimicRatio * model.initialQ[leader.qStart] + joint.mimicOffset;
      double& q = model.initialQ[joint.qStart];
      settled = settled && q == wanted;
      q = wanted;
    }
  }
}

}  // namespace

Result<void> setInitialState(Compilation& c) {
  Model& model = c.model;
  model.initialQ = model.tree.zeroPosition();
  model.initialV = VecX::Zero(model.tree.nv);
  for (const RobotSpec& spec : c.scene.robots) {
    const Element element = elementOf(spec);
    const int robot = *c.findRobot(element, spec.name);
    if (!spec.freeBase && !spec.path.empty())
      return c.invalid(element.at("path"), "it has a path but its base is not free", "write base: free");
    if (spec.freeBase)
      if (Result<void> base = startBase(c, spec, model.robots[static_cast<std::size_t>(robot)]); !base)
        return base;
    if (Result<void> set = startVelocities(c, spec, robot); !set) return set;
    if (Result<void> set = startPositions(c, spec, robot); !set) return set;
    if (Result<void> set = startPoses(c, spec, robot); !set) return set;
    settleWithinLimits(c, spec, model.robots[static_cast<std::size_t>(robot)]);
  }
  settleFollowers(model);
  return {};
}

}  // namespace slipstick
