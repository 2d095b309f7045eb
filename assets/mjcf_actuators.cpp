#include "assets/mjcf_actuators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "assets/xml_repairs.h"
#include "assets/xml_text.h"
#include "engine/foundation/number_text.h"

namespace slipstick::assets {
namespace {

using Element = MjcfDocument::Element;

using multibody::EffortRange;

/// Of a force times a factor; a factor of 0 leaves nothing.
EffortRange scaled(const EffortRange& range, double factor) {
  if (factor == 0) return 0.0;
  const double a = factor * range.lower, b = factor * range.upper;
  return {std::min(a, b), std::max(a, b)};
}

/// Whether its force depends on the control alone.
bool isMotor(const MjcfActuator& actuator) {
  return actuator.bias[1] == 0 && actuator.bias[2] == 0 && actuator.dampingRatio == 0;
}

/// Gain and bias by the kind of actuator; false for kinds that are not simulated.
bool readLaw(const MjcfItem& item, const std::string& tag, MjcfActuator& actuator) {
  const auto kv = [&](double fallback) { return item.number("kv", fallback); };
  const double kp = item.number("kp", 1);
  if (tag == "motor") return true;
  if (tag == "position" || tag == "intvelocity") {
    actuator.gain = tag == "position" ? kp : 0;  // the integral of the control starts at 0
    actuator.bias = {0, -kp, -kv(0)};
    actuator.dampingRatio = item.number("dampratio", 0);
    return true;
  }
  if (tag == "velocity") {
    actuator.gain = kv(1);
    actuator.bias = {0, 0, -kv(1)};
    return true;
  }
  if (tag == "damper") {  // its control is the damping
    actuator.gain = 0;
    return true;
  }
  if (tag != "general" || item.text("gaintype", "fixed") != "fixed") return false;
  const std::string dynamics = item.text("dyntype", "none"), biasType = item.text("biastype", "none");
  if (dynamics == "muscle" || dynamics == "user" || dynamics == "dcmotor") return false;
  if (biasType != "none" && biasType != "affine") return false;
  actuator.gain = dynamics == "integrator" ? 0 : item.numbers("gainprm", {1}).front();
  const std::vector<double> bias = item.numbers("biasprm", {0, 0, 0});
  if (biasType == "affine") actuator.bias = {bias[0], bias[1], bias[2]};
  return true;
}

class ActuatorReader {
 public:
  ActuatorReader(MjcfDocument& document, MjcfTree& tree) : document_(document), tree_(tree) {}

  Result<std::vector<MjcfActuator>> read() {
    for (const Element* element : document_.inSections("actuator"))
      if (mjcfRules("actuator", element->Name()))
        if (Result<void> ok = readOne(*element); !ok) return ok.error();
    boundEfforts();
    list();
    return std::move(actuators_);
  }

 private:
  Result<void> readOne(const Element& element) {
    const MjcfItem item = document_.item(element);
    const char* transmission = item.has("joint")           ? "joint"
                               : item.has("jointinparent") ? "jointinparent"
                                                           : nullptr;
    if (!transmission) {
      ++controls_;
      noteUnused(element, "it acts on no joint: actuators on tendons, sites and bodies are not simulated");
      return {};
    }
    for (const std::string& joint : tree_.namesOf(item.text(transmission)))
      if (Result<void> ok = addOn(item, joint); !ok) return ok;
    return {};
  }

  Result<void> addOn(const MjcfItem& item, const std::string& name) {
    const Element& element = item.element();
    MjcfActuator actuator;
    actuator.tag = element.Name();
    actuator.control = controls_++;
    actuator.joint = tree_.findJoint(name);
    if (actuator.joint < 0) return document_.unknown(element, "joint", name, tree_.jointNames());
    actuator.name = item.text("name", name);
    const MjcfJoint& joint = tree_.joints[static_cast<std::size_t>(actuator.joint)];
    if (multibody::velocityCount(joint.type) != 1) {
      noteUnused(element, "actuators of ball and free joints are not simulated");
      return {};
    }
    actuator.gear = item.numbers("gear", {1}).front();
    JointSpec& spec = tree_.specOf(joint);
    spec.armature += actuator.gear * actuator.gear * std::max(0.0, item.number("armature", 0));
    spec.damping += actuator.gear * actuator.gear * std::max(0.0, item.number("damping", 0));
    if (!readLaw(item, actuator.tag, actuator)) {
      noteUnused(element, "actuators of this kind are not simulated");
      return {};
    }
    readRanges(item, actuator);
    actuators_.push_back(std::move(actuator));
    return {};
  }

  void readRanges(const MjcfItem& item, MjcfActuator& actuator) {
    const auto range = [&](const char* flag, const char* ends) -> std::optional<std::pair<double, double>> {
      const std::vector<double> r = item.numbers(ends, {0, 0});
      const std::string word = item.text(flag, "auto");
      const bool isLimited = word == "auto"
                                 ? document_.compiler(item.element()).autoLimits && (r[0] != 0 || r[1] != 0)
                                 : word == "true";
      if (isLimited && r[0] > r[1])
        document_.note(Notice::Level::Warning, item.element(),
                       "its '" + std::string(ends) + "' is not used: " + kLimitsExchanged);
      if (!isLimited || !(r[0] < r[1])) return std::nullopt;
      return std::pair{r[0], r[1]};
    };
    actuator.controlRange = range("ctrllimited", "ctrlrange");
    if (const auto force = range("forcelimited", "forcerange")) {
      actuator.force = {force->first, force->second};
    } else if (isMotor(actuator) && actuator.controlRange) {
      const EffortRange given =
          scaled({actuator.controlRange->first, actuator.controlRange->second}, actuator.gain);
      actuator.force = {given.lower + actuator.bias[0], given.upper + actuator.bias[0]};
    }
  }

  /// What all actuators of a joint can do together, within what the joint bears.
  void boundEfforts() {
    std::map<int, EffortRange> efforts;
    for (const MjcfActuator& a : actuators_) {
      EffortRange& sum = efforts.try_emplace(a.joint, 0.0).first->second;
      const EffortRange own = scaled(a.force, a.gear);
      sum = {sum.lower + own.lower, sum.upper + own.upper};
    }
    for (const auto& [joint, effort] : efforts) {
      JointSpec& spec = tree_.specOf(tree_.joints[static_cast<std::size_t>(joint)]);
      if (effort.largest() > 0) spec.effortLimit = effort.within(spec.effortLimit);
    }
  }

  void noteUnused(const Element& element, const std::string& what) {
    Unused& unused = unused_[what];
    if (!unused.first) unused.first = &element;
    unused.names +=
        (unused.names.empty() ? "" : ", ") + std::string(attributeOr(element, "name", element.Name()));
  }

  /// "torso_motor on 'torso', gear 40, -1 … 1"
  std::string words(const MjcfActuator& a) const {
    const std::string& joint = tree_.joints[static_cast<std::size_t>(a.joint)].name;
    std::string text = a.name == joint ? a.name : a.name + " on '" + joint + "'";
    if (a.gear != 1) text += ", gear " + significant(a.gear, 4);
    if (a.controlRange)
      text += ", " + significant(a.controlRange->first, 4) + " … " + significant(a.controlRange->second, 4);
    return text;
  }

  void list() {
    for (const auto& [what, unused] : unused_)
      document_.note(Notice::Level::Warning, *unused.first, what + ": " + unused.names);
    std::map<std::string, std::string> lists;
    for (const MjcfActuator& a : actuators_) {
      std::string& text = lists[a.tag];
      text += (text.empty() ? "" : "; ") + words(a);
    }
    for (const auto& [tag, text] : lists)
      document_.note(Notice::Level::Info, *document_.sections("actuator").front(),
                     "<" + tag + "> actuators, each at its control of the start: " + text);
  }

  struct Unused {
    const Element* first = nullptr;
    std::string names;
  };
  MjcfDocument& document_;
  MjcfTree& tree_;
  std::vector<MjcfActuator> actuators_;
  std::size_t controls_ = 0;
  std::map<std::string, Unused> unused_;  ///< by why
};

/// Of everything that a joint moves, at the file's configuration: the joint's entry on the diagonal of M.
double inertiaBeyond(const MjcfTree& tree, const MjcfJoint& joint) {
  const JointSpec& spec = tree.robot.joints[joint.spec];
  const Vec3 axis = joint.X_WJ.R * spec.axis;
  std::vector<char> moves(tree.bodies.size(), 0);
  double sum = spec.armature;
  for (std::size_t b = static_cast<std::size_t>(joint.body); b < tree.bodies.size(); ++b) {
    const MjcfBody& body = tree.bodies[b];
    moves[b] = static_cast<int>(b) == joint.body || moves[static_cast<std::size_t>(body.parent)] != 0;
    if (moves[b] == 0) continue;
    const LinkSpec& link = tree.robot.links[body.link];
    if (joint.type == multibody::JointType::Prismatic) {
      sum += link.mass;
      continue;
    }
    const Vec3 a = body.X_WB.R.transpose() * axis, r = body.X_WB * link.com - joint.X_WJ.p;
    sum += a.dot(link.inertia * a) + link.mass * axis.cross(r).squaredNorm();
  }
  return sum;
}

}  // namespace

Result<std::vector<MjcfActuator>> readMjcfActuators(MjcfDocument& document, MjcfTree& tree) {
  return ActuatorReader(document, tree).read();
}

/// A mass on a spring with time constant τ and damping ratio ζ: k = m/(τ ζ)², d = 2 m/τ.
void settleMjcfSprings(MjcfTree& tree) {
  for (const MjcfJoint& joint : tree.joints) {
    if (joint.timeConstant <= 0) continue;
    const double m = inertiaBeyond(tree, joint), t = joint.timeConstant, z = joint.dampingRatio;
    JointSpec& spec = tree.specOf(joint);
    spec.stiffness = m / (t * t * z * z);
    if (tree.flags.dampers) spec.damping = 2 * m / t;
  }
}

std::vector<ControllerSpec> mjcfControllers(const MjcfTree& tree, const std::vector<MjcfActuator>& actuators,
                                            const std::vector<double>& controls, const std::string& robot) {
  struct Drive {
    double force = 0, kp = 0, kd = 0;  ///< force − kp q − kd q̇, q MuJoCo's coordinate
  };
  std::map<int, Drive> drives;
  for (const MjcfActuator& a : actuators) {
    double control = a.control < controls.size() ? controls[a.control] : 0;
    if (a.controlRange) control = std::clamp(control, a.controlRange->first, a.controlRange->second);
    Drive& drive = drives[a.joint];
    const double kp = -a.gear * a.gear * a.bias[1];
    const double force = a.gain * control + a.bias[0];
    drive.force += a.gear * (isMotor(a) ? a.force.clamp(force) : force);
    drive.kp += kp;
    drive.kd -= a.gear * a.gear * a.bias[2];
    if (a.dampingRatio > 0 && kp > 0)
      drive.kd += 2 * a.dampingRatio *
                  std::sqrt(kp * inertiaBeyond(tree, tree.joints[static_cast<std::size_t>(a.joint)]));
  }
  JointPathSpec servos;
  servos.robot = robot;
  servos.gains = {{}, {}};
  servos.keys = {{0, {}}};
  std::vector<ControllerSpec> all;
  for (const auto& [index, drive] : drives) {
    const MjcfJoint& joint = tree.joints[static_cast<std::size_t>(index)];
    if (drive.kp > 0) {
      servos.joints.push_back(joint.name);
      servos.keys.front().q.push_back(drive.force / drive.kp - joint.reference);
      servos.gains.kp.push_back(drive.kp);
      servos.gains.kd.push_back(std::max(0.0, drive.kd));
    } else if (drive.kd > 0) {
      all.emplace_back(JointVelocitySpec{robot, joint.name, drive.force / drive.kd, drive.kd, 0});
    } else if (drive.force != 0) {
      all.emplace_back(JointEffortSpec{robot, joint.name, drive.force, 0});
    }
  }
  if (!servos.joints.empty()) all.emplace_back(std::move(servos));
  return all;
}

}  // namespace slipstick::assets
