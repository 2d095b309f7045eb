// Stages of compile(): the kinematic tree and the shapes on it.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/compile/compilation.h"
#include "engine/foundation/nearest_name.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/path_key.h"
#include "engine/geometry/sdf_grid.h"
#include "engine/model/tuned_model.h"
#include "engine/multibody/weightless.h"

namespace slipstick {
namespace {

using multibody::JointType;

std::string bodyName(const RobotSpec& robot, const LinkSpec& link) {
  return link.name.empty() ? robot.name : robot.name + "." + link.name;
}

bool isFinite(const Pose& X) {
  return X.R.allFinite() && X.p.allFinite();
}

std::vector<std::string> namesOf(const std::vector<LinkSpec>& links) {
  std::vector<std::string> names;
  for (const LinkSpec& link : links) names.push_back(link.name);
  return names;
}

/// No principal moment is negative, and each is at most the sum of the other two, up to rounding in files: points and
/// ideal rods are bodies.
bool isPhysicalInertia(const Mat3& inertia) {
  const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  return moments[0] >= -1e-6 * moments[2] && moments[2] <= (moments[0] + moments[1]) * (1 + 1e-6);
}

std::vector<std::string> namesOf(const std::vector<JointSpec>& joints) {
  std::vector<std::string> names;
  for (const JointSpec& joint : joints) names.push_back(joint.name);
  return names;
}

/// The trees of one robot's description: links by name, and the joints that leave each link, in the file's
/// order.
struct Description {
  std::map<std::string, const LinkSpec*> links;
  std::map<std::string, std::vector<const JointSpec*>> children;
  std::vector<const LinkSpec*> roots;  ///< links without a parent, at least one
};

Result<Description> readDescription(const Compilation& c, const RobotSpec& robot) {
  const Element element = elementOf(robot);
  Description d;
  std::set<std::string> joints, childLinks;
  for (const LinkSpec& link : robot.description.links)
    if (!d.links.emplace(link.name, &link).second)
      return c.invalid(element, "two links are named '" + link.name + "'", "rename one of them");
  for (const JointSpec& joint : robot.description.joints) {
    if (!joints.insert(joint.name).second)
      return c.invalid(element, "two joints are named '" + joint.name + "'", "rename one of them");
    for (const std::string& link : {joint.parent, joint.child})
      if (!d.links.contains(link))
        return c.unknown(element.part("joint '" + joint.name + "'"), "link", link,
                         namesOf(robot.description.links));
    if (!childLinks.insert(joint.child).second)
      return c.invalid(element, "the link '" + joint.child + "' hangs from two joints",
                       "remove one of the joints");
    d.children[joint.parent].push_back(&joint);
  }
  for (const LinkSpec& link : robot.description.links)
    if (!childLinks.contains(link.name)) d.roots.push_back(&link);
  if (d.roots.empty()) return c.invalid(element, "its links form a cycle without a root", "break the cycle");
  if (d.roots.size() > 1 && !robot.path.empty())
    return c.invalid(element.at("path"),
                     "it has several trees, '" + d.roots[0]->name + "', '" + d.roots[1]->name +
                         "'…, which cannot all follow one path",
                     "join them by fixed joints in the robot's file");
  return d;
}

/// What the scene says over the robot's file must name what the file has.
Result<void> checkOverrides(const Compilation& c, const RobotSpec& robot) {
  const std::vector<std::string> links = namesOf(robot.description.links),
                                 joints = namesOf(robot.description.joints);
  const auto isIn = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const auto& [link, inertia] : robot.linkInertias)
    if (!isIn(links, link))
      return c.unknown(elementOf(robot).at("links." + pathKey(link)), "link", link, links);
  for (const auto& [joint, limits] : robot.jointLimits)
    if (!isIn(joints, joint))
      return c.unknown(elementOf(robot).at("limits." + pathKey(joint)), "joint", joint, joints);
  return {};
}

/// Where a root stands in the frame that the robot's pose is of.
Pose rootPose(const RobotDescription& robot, const LinkSpec& root) {
  const auto found = robot.rootPoses.find(root.name);
  return found == robot.rootPoses.end() ? Pose{} : found->second;
}

/// Places robots one by one; `place` is called when the body that the robot hangs from is already in the
/// tree.
class RobotPlacer {
 public:
  RobotPlacer(Compilation& c, const RobotSpec& spec, const Description& description)
      : c_(c), spec_(spec), description_(description), element_(elementOf(spec)) {}

  Result<void> place(int parent) {
    Robot robot{spec_.name,
                spec_.description.file.string(),
                static_cast<int>(c_.model.tree.bodies.size()),
                0,
                spec_.isHeld,
                spec_.look};
    if (!isFinite(spec_.X_PB) || !spec_.velocity.allFinite() || !spec_.angularVelocity.allFinite())
      return c_.invalid(element_, "its pose or velocity is not a number", "write finite numbers");
    if (Result<void> known = checkOverrides(c_, spec_); !known) return known;
    for (const LinkSpec* root : description_.roots)
      if (Result<void> placed = placeTree(parent, *root); !placed) return placed;
    robot.endBody = static_cast<int>(c_.model.tree.bodies.size());
    if (robot.endBody - robot.firstBody != static_cast<int>(spec_.description.links.size()))
      return c_.invalid(element_, "some of its links form a cycle and hang from no root", "break the cycle");
    c_.model.robots.push_back(robot);
    if (Result<void> masses = checkMovingMass(robot); !masses) return masses.error();
    return resolveMimics();
  }

 private:
  /// The first tree's base has the robot's name.
  Result<void> placeTree(int parent, const LinkSpec& root) {
    multibody::Joint base;
    base.name = &root == description_.roots.front() ? spec_.name : bodyName(spec_, root) + "::base";
    base.type = spec_.freeBase ? JointType::Floating : JointType::Fixed;
    base.parent = parent;
    // A floating joint's q carries the pose instead.
    if (!spec_.freeBase) base.X_PJ = spec_.X_PB * rootPose(spec_.description, root);
    if (Result<int> added = addBody(root, base); !added) return added.error();
    return addChildren(root);
  }

  /// With what the scene says over the file.
  LinkSpec overridden(const LinkSpec& link) const {
    LinkSpec out;
    out.mass = link.mass;
    out.com = link.com;
    out.inertia = link.inertia;
    if (const auto said = spec_.linkInertias.find(link.name); said != spec_.linkInertias.end())
      said->second.applyTo(out);
    return out;
  }
  JointSpec overridden(const JointSpec& joint) const {
    JointSpec out = joint;
    const auto found = spec_.jointLimits.find(joint.name);
    if (found == spec_.jointLimits.end()) return out;
    const JointLimitSpec& said = found->second;
    out.lower = said.lower.value_or(out.lower);
    out.upper = said.upper.value_or(out.upper);
    out.velocityLimit = said.velocityLimit.value_or(out.velocityLimit);
    out.effortLimit = said.effortLimit.value_or(out.effortLimit);
    out.armature = said.armature.value_or(out.armature);
    const bool limited = std::isfinite(out.lower) || std::isfinite(out.upper);
    if (out.type == JointType::Continuous && limited) out.type = JointType::Revolute;
    return out;
  }

  Result<int> addBody(const LinkSpec& written, multibody::Joint joint) {
    const LinkSpec link = overridden(written);
    const std::string name = bodyName(spec_, written);
    const Element element = written.name.empty() ? element_ : element_.part("link '" + written.name + "'");
    if (!std::isfinite(link.mass) || link.mass < 0)
      return c_.invalid(element, "its mass is not a number of at least 0", "write a mass in kg");
    if (!link.com.allFinite() || !link.inertia.allFinite())
      return c_.invalid(element, "its centre of mass or inertia is not a number", "write finite numbers");
    if (c_.model.findBody(name) >= 0)
      return c_.invalid(element, "two bodies are named '" + name + "'", "rename one of them");
    return c_.model.tree.add({name, link.mass, link.com, link.inertia, -1}, std::move(joint));
  }

  /// All that hangs on a link, depth first. A chain may be too long for the stack of a thread.
  Result<void> addChildren(const LinkSpec& root) {
    struct Place {
      const LinkSpec* link;
      int body;
      std::size_t next = 0;  ///< of the joints to its children
    };
    std::vector<Place> way = {{&root, c_.model.findBody(bodyName(spec_, root))}};
    while (!way.empty()) {
      Place& at = way.back();
      const auto joints = description_.children.find(at.link->name);
      if (joints == description_.children.end() || at.next == joints->second.size()) {
        way.pop_back();
        continue;
      }
      const JointSpec& spec = *joints->second[at.next++];
      const Result<multibody::Joint> joint = toJoint(spec, at.body);
      if (!joint) return joint.error();
      const LinkSpec& child = *description_.links.at(spec.child);
      const Result<int> added = addBody(child, *joint);
      if (!added) return added.error();
      way.push_back({&child, *added});
    }
    return {};
  }

  Result<multibody::Joint> toJoint(const JointSpec& written, int parent) const {
    const JointSpec spec = overridden(written);
    const Element element = element_.part("joint '" + spec.name + "'");
    multibody::Joint joint;
    joint.name = spec_.name + "." + spec.name;
    joint.type = spec.type;
    joint.parent = parent;
    joint.X_PJ = spec.X_PJ;
    const bool needsAxis = multibody::positionCount(spec.type) == 1;
    if (!isFinite(spec.X_PJ) || (needsAxis && !(spec.axis.allFinite() && spec.axis.norm() > 1e-9)))
      return c_.invalid(element, "its frame or axis is not a number, or the axis is zero",
                        "write a unit axis");
    if (needsAxis) joint.axis = spec.axis.normalized();
    if (std::isnan(spec.lower) || std::isnan(spec.upper) || spec.lower > spec.upper)
      return c_.invalid(element, "its lower limit is above its upper one", "exchange the limits");
    for (const double value :
         {spec.damping, spec.dryFriction, spec.armature, spec.stiffness, spec.velocityLimit})
      if (!(value >= 0))
        return c_.invalid(element, "its damping, friction, armature, stiffness or a limit is negative",
                          "write numbers of at least 0");
    if (!spec.effortLimit.isValid())
      return c_.invalid(element, "its effort limit is negative, or its lower one is above its upper one",
                        "write a number of at least 0, or [lower, upper]");
    joint.lower = spec.lower;
    joint.upper = spec.upper;
    joint.velocityLimit = spec.velocityLimit;
    joint.effortLimit = spec.effortLimit;
    joint.damping = spec.damping;
    joint.dryFriction = spec.dryFriction;
    joint.armature = spec.armature;
    if (multibody::velocityCount(spec.type) == 1) {
      joint.stiffness = spec.stiffness;
      joint.springReference = spec.springReference;
    }
    joint.mimicRatio = spec.mimicRatio;
    joint.mimicOffset = spec.mimicOffset;
    return joint;
  }

  /// Every movable joint must move some mass: with what is fixed to it and what hangs below.
  Result<void> checkMovingMass(const Robot& robot) {
    const multibody::Tree& tree = c_.model.tree;
    std::vector<double> below(tree.bodies.size(), 0);  // mass of the body and all that hangs from it
    std::vector<double> rigid(tree.bodies.size(), 0);  // of the body and what is fixed to it
    for (int body = robot.endBody - 1; body >= robot.firstBody; --body) {
      const auto i = static_cast<std::size_t>(body);
      const multibody::Body& b = tree.bodies[i];
      const multibody::Joint& joint = tree.joints[i - 1];
      const Element element = element_.part("body '" + b.name + "'");
      const bool turns = b.inertia.norm() > 0;
      if (b.mass > 0 && turns && !isPhysicalInertia(b.inertia))
        return c_.invalid(
            element,
            "no body has this inertia: principal moments may not be negative, each at most the others' sum",
            "correct the inertia, or compute it from the shape");
      below[i] += b.mass;
      rigid[i] += b.mass;
      if (joint.type != JointType::Fixed && below[i] <= 0 && joint.armature <= 0)
        return c_.invalid(element, "it is free to move but has no mass", "give it a mass, or fix it");
      if (joint.type == JointType::Floating && b.mass > 0 && !turns && robot.endBody == robot.firstBody + 1)
        return c_.invalid(element, "it is free to turn but has no inertia", "give it an inertia, or fix it");
      if (joint.type == JointType::Floating && rigid[i] <= 0 && spec_.path.empty())
        return c_.invalid(element,
                          "the base is free, but neither the root link nor what is fixed to it has mass",
                          "give it a mass, or write 'base: fixed'");
      if (joint.type == JointType::Fixed && body > robot.firstBody)
        rigid[static_cast<std::size_t>(joint.parent)] += rigid[i];
      if (body > robot.firstBody) below[static_cast<std::size_t>(joint.parent)] += below[i];
    }
    return {};
  }

  Result<void> resolveMimics() {
    for (const JointSpec& spec : spec_.description.joints) {
      if (spec.mimic.empty()) continue;
      const Element element = element_.part("joint '" + spec.name + "'");
      const Result<int> other =
          c_.findJoint(element, static_cast<int>(c_.model.robots.size()) - 1, spec.mimic);
      if (!other) return other.error();
      const int self = c_.model.findJoint(spec_.name + "." + spec.name);
      multibody::Joint& joint = c_.model.tree.joints[static_cast<std::size_t>(self)];
      const multibody::Joint& leader = c_.model.tree.joints[static_cast<std::size_t>(*other)];
      if (multibody::velocityCount(joint.type) != 1 || multibody::velocityCount(leader.type) != 1)
        return c_.invalid(element, "only joints with one degree of freedom can mimic",
                          "remove the mimic element");
      if (!std::isfinite(spec.mimicRatio) || !std::isfinite(spec.mimicOffset))
        return c_.invalid(element, "its mimic multiplier or offset is not a number", "write finite numbers");
      joint.mimic = *other;
    }
    return checkMimicCycles();
  }

  Result<void> checkMimicCycles() const {
    const std::vector<multibody::Joint>& joints = c_.model.tree.joints;
    for (const multibody::Joint& joint : joints) {
      std::size_t steps = 0;
      for (int i = joint.mimic; i >= 0; i = joints[static_cast<std::size_t>(i)].mimic)
        if (++steps > joints.size())
          return c_.invalid(element_.part("joint '" + joint.name + "'"),
                            "the joints mimic each other in a circle", "remove one mimic element");
    }
    return {};
  }

  Compilation& c_;
  const RobotSpec& spec_;
  const Description& description_;
  Element element_;
};

/// Where the contact of a robot's or body's shapes is written: each such block of the scene becomes an entry
/// of Tuning::contact.
class ContactPlaces {
 public:
  static Result<ContactPlaces> of(Compilation& c, const RobotSpec& robot) {
    ContactPlaces places(c, robot);
    const Result<int> whole = places.add(places.path_ + ".contact", robot.contact);
    if (!whole) return whole.error();
    places.whole_ = *whole;
    const std::vector<std::string> links = namesOf(robot.description.links);
    std::vector<std::string> named;
    for (const auto& [link, contact] : robot.linkContact) named.push_back(link);
    for (const auto& [link, look] : robot.linkLooks) named.push_back(link);
    for (const std::string& link : named)
      if (std::find(links.begin(), links.end(), link) == links.end())
        return c.unknown(elementOf(robot).at("links." + pathKey(link)), "link", link, links);
    return places;
  }

  /// From the shape outwards.
  Result<std::vector<int>> of(const LinkSpec& link, const LinkGeometry& shape, std::size_t index) {
    if (!isFromFile_) {
      const std::string key = shape.key.empty() ? std::to_string(index) : shape.key;
      const Result<int> own = add(path_ + ".shapes." + pathKey(key) + ".contact", shape.contact);
      if (!own) return own.error();
      return std::vector<int>{*own, whole_};
    }
    const Result<int> ofLink = placeOf(link);
    if (!ofLink) return ofLink.error();
    const Result<int> ofFile = add("", shape.contact);
    if (!ofFile) return ofFile.error();
    return std::vector<int>{*ofLink, whole_, *ofFile};
  }

 private:
  ContactPlaces(Compilation& c, const RobotSpec& robot)
      : c_(&c),
        robot_(&robot),
        isFromFile_(!robot.description.file.empty()),
        path_((isFromFile_ ? "robots." : "bodies.") + pathKey(robot.name)) {}

  Result<int> add(const std::string& path, const ContactSpec& contact) {
    const std::size_t place = c_->model.contactPlaces.size();
    c_->model.contactPlaces.push_back(path);
    c_->model.tuning.contact.push_back(contact);
    if (Result<void> ok = c_->checkNumbers(path.empty() ? elementOf(*robot_) : Element{path, path},
                                           ParameterBlock::Contact, place);
        !ok)
      return ok.error();
    return static_cast<int>(place);
  }

  /// One for all shapes of a link.
  Result<int> placeOf(const LinkSpec& link) {
    if (const auto known = ofLink_.find(link.name); known != ofLink_.end()) return known->second;
    ContactSpec contact;
    for (const auto& [name, written] : robot_->linkContact)
      if (name == link.name) contact = written;
    const Result<int> place = add(path_ + ".links." + pathKey(link.name) + ".contact", contact);
    if (place) ofLink_.emplace(link.name, *place);
    return place;
  }

  Compilation* c_;
  const RobotSpec* robot_;
  bool isFromFile_;
  std::string path_;
  int whole_ = 0;
  std::map<std::string, int> ofLink_;
};

/// What the robots' files say of their joints, and over it what the scene says.
Result<void> setJointNumbers(Compilation& c) {
  Tuning& tuning = c.model.tuning;
  for (const multibody::Joint& joint : c.model.tree.joints) tuning.joints.push_back(numbersOf(joint));
  for (const RobotSpec& spec : c.scene.robots) {
    for (const JointNumberSpec& number : spec.jointNumbers) {
      const Element element = elementOf(spec).at(number.key + "." + pathKey(number.joint));
      const Result<int> index = c.findJoint(element, *c.findRobot(element, spec.name), number.joint);
      if (!index) return index.error();
      const auto j = static_cast<std::size_t>(*index);
      if (multibody::velocityCount(c.model.tree.joints[j].type) != 1)
        return c.invalid(element, "the joint '" + number.joint + "' has not one degree of freedom",
                         "remove it from '" + number.key + "'");
      if (!setNumber(ParameterBlock::Joint, number.key, number.value, j, tuning))
        return c.invalid(element, "'" + number.key + "' of joint '" + number.joint + "' is out of its range",
                         "write a number of at least 0");
    }
  }
  applyToJoints(tuning, c.model);
  return {};
}

/// Forces must give accelerations, in every posture.
Result<void> checkWeight(const Compilation& c) {
  const multibody::Tree& tree = c.model.tree;
  for (const int j : multibody::weightlessJoints(tree)) {
    const auto& prescribed = c.model.prescribed;
    if (std::any_of(prescribed.begin(), prescribed.end(), [j](const auto& p) { return p.joint == j; }))
      continue;
    const multibody::Joint& joint = tree.joints[static_cast<std::size_t>(j)];
    const auto robot = std::find_if(c.scene.robots.begin(), c.scene.robots.end(), [&](const RobotSpec& r) {
      return joint.name == r.name || joint.name.starts_with(r.name + ".");
    });
    const Element element = robot == c.scene.robots.end() ? Element{} : elementOf(*robot);
    return c.invalid(element.part("joint '" + joint.name + "'"),
                     "what it moves has no inertia in some direction: its motion cannot be computed",
                     "give the link '" + tree.bodies[static_cast<std::size_t>(joint.child)].name +
                         "' a mass and an inertia, or the joint an armature");
  }
  return {};
}

/// Of robots that cannot be placed: one hangs from something that does not exist, or they hang from each other.
Error hangsFromNothing(const Compilation& c, const std::vector<const RobotSpec*>& waiting) {
  std::vector<std::string> links;
  for (const RobotSpec* spec : waiting)
    for (const LinkSpec& link : spec->description.links) links.push_back(bodyName(*spec, link));
  for (const RobotSpec* spec : waiting) {
    if (std::find(links.begin(), links.end(), spec->attachTo) != links.end()) continue;
    for (const multibody::Body& body : c.model.tree.bodies) links.push_back(body.name);
    return c.unknown(elementOf(*spec).at("attach_to"), "link", spec->attachTo, links);
  }
  return c.invalid(elementOf(*waiting.front()).at("attach_to"),
                   "it hangs from '" + waiting.front()->attachTo + "', which hangs from it in a circle",
                   "attach one of them to 'world'");
}

}  // namespace

Result<void> compileRobots(Compilation& c) {
  std::set<std::string> names = {"world"};
  for (const RobotSpec& spec : c.scene.robots)
    if (!names.insert(spec.name).second || spec.name.empty())
      return c.invalid(elementOf(spec), "this name is taken or empty", "rename the robot or body");
  std::vector<const RobotSpec*> waiting;
  for (const RobotSpec& spec : c.scene.robots) waiting.push_back(&spec);
  while (!waiting.empty()) {
    std::vector<const RobotSpec*> later;
    for (const RobotSpec* spec : waiting) {
      const int parent = spec->freeBase ? 0 : c.model.findBody(spec->attachTo);
      if (parent < 0) {
        later.push_back(spec);
        continue;
      }
      Result<Description> description = readDescription(c, *spec);
      if (!description) return description.error();
      if (Result<void> placed = RobotPlacer(c, *spec, *description).place(parent); !placed) return placed;
    }
    if (later.size() == waiting.size()) return hangsFromNothing(c, later);
    waiting = std::move(later);
  }
  if (Result<void> set = setJointNumbers(c); !set) return set;
  if (Result<void> set = setInitialState(c); !set) return set;
  return checkWeight(c);
}

namespace {

/// A robot whose file gives nothing to see, but shapes that collide: nobody means it to be invisible.
bool isBare(const RobotDescription& description) {
  const auto& links = description.links;
  return !description.file.empty() &&
         std::all_of(links.begin(), links.end(), [](const LinkSpec& l) { return l.visuals.empty(); }) &&
         std::any_of(links.begin(), links.end(), [](const LinkSpec& l) { return !l.collisions.empty(); });
}

}  // namespace

Result<void> compileShapes(Compilation& c) {
  c.model.linkLooks.assign(c.model.tree.bodies.size(), {});
  for (const RobotSpec& robot : c.scene.robots) {
    const bool bare = isBare(robot.description);
    if (bare)
      c.notices.push_back({Notice::Level::Info, c.where(elementOf(robot)),
                           "no link has a visual: collision shapes are shown in their place"});
    Result<ContactPlaces> places = ContactPlaces::of(c, robot);
    if (!places) return places.error();
    for (const LinkSpec& link : robot.description.links) {
      const std::string name = bodyName(robot, link);
      const int body = c.model.findBody(name);
      if (const auto look = robot.linkLooks.find(link.name); look != robot.linkLooks.end())
        c.model.linkLooks[static_cast<std::size_t>(body)] = look->second;
      const auto elementName = [&](const LinkGeometry& g, std::size_t i, std::size_t count) {
        if (!g.name.empty()) return name + "." + g.name;
        return count == 1 ? name : name + "." + std::to_string(i);
      };
      const std::vector<LinkGeometry>& seen = bare ? link.collisions : link.visuals;
      for (std::size_t i = 0; i < seen.size(); ++i) {
        const LinkGeometry& g = seen[i];
        c.model.visuals.push_back({elementName(g, i, seen.size()), body, g.X_BG, g.shape, g.color, g.finish});
      }
      for (std::size_t i = 0; i < link.collisions.size(); ++i) {
        const LinkGeometry& g = link.collisions[i];
        if (!isFinite(g.X_BG))
          return c.invalid({"body '" + name + "'", elementOf(robot).key},
                           "the pose of a collision shape is not a number", "write finite numbers");
        Geometry geometry;
        geometry.name = elementName(g, i, link.collisions.size());
        geometry.body = body;
        geometry.X_BG = g.X_BG;
        geometry.shape = g.shape;
        const Result<std::vector<int>> of = places->of(link, g, i);
        if (!of) return of.error();
        geometry.contactPlaces = *of;
        c.model.geometries.push_back(std::move(geometry));
        c.geometryIsAuthored.push_back(robot.description.file.empty() ? 1 : 0);
      }
    }
  }
  return {};
}

}  // namespace slipstick
