#include "assets/mjcf_tree.h"

#include <algorithm>
#include <cmath>

#include "assets/limits.h"
#include "assets/mjcf_pose.h"
#include "assets/xml_repairs.h"
#include "assets/xml_text.h"
#include "engine/foundation/path_key.h"
#include "engine/model/world_link.h"

namespace slipstick::assets {
namespace {

using Element = MjcfDocument::Element;
using multibody::JointType;

constexpr int kMaxReplicas = 10000;
constexpr int kMaxReplicasInAll = 100000;  // of nested ones, each time
constexpr int kMaxFreedoms = 6;            // of one body

std::string tagOf(const Element& element) {
  return element.Name();
}

bool isJoint(const Element& element) {
  return tagOf(element) == "joint" || tagOf(element) == "freejoint";
}

std::string typeOf(const MjcfItem& joint) {
  return tagOf(joint.element()) == "freejoint" ? "free" : joint.text("type", "hinge");
}

/// "07" of 7 among ten to a hundred.
std::string numberAmong(int index, int count) {
  std::string digits = std::to_string(index);
  return std::string(std::to_string(count).size() - digits.size(), '0') + digits;
}

}  // namespace

MjcfFlags flagsOf(const MjcfDocument& document) {
  std::vector<const Element*> all;
  for (const Element* e : document.inSections("option"))
    if (tagOf(*e) == "flag") all.push_back(e);
  MjcfFlags flags;
  if (all.empty()) return flags;
  const MjcfItem item(all);
  const bool constraints = item.flag("constraint", true), passive = item.flag("passive", true);
  flags.gravity = item.flag("gravity", true);
  flags.contact = constraints && item.flag("contact", true);
  flags.limits = constraints && item.flag("limit", true);
  flags.dryFriction = constraints && item.flag("frictionloss", true);
  flags.equalities = constraints && item.flag("equality", true);
  flags.springs = passive && item.flag("spring", true);
  flags.dampers = passive && item.flag("damper", true);
  flags.actuators = item.flag("actuation", true);
  return flags;
}

Result<void> MjcfTree::read() {
  flags = flagsOf(document_);
  robot.name = document_.modelName();
  robot.file = document_.file();
  bodies.push_back({kWorldLink, 0, Pose{}, 0, 0, 0});
  bodyNames_ = {kWorldLink};
  bodyIndex_ = {{kWorldLink, 0}, {"world", 0}};
  LinkSpec root;
  root.name = kWorldLink;
  robot.links.push_back(std::move(root));
  elements_.push_back(document_.sections("worldbody").front());
  masses_.emplace_back();
  inertials_.emplace_back();
  findPairedGeoms();
  for (const Element* world : document_.sections("worldbody")) findGivenNames(*world);
  for (const Element* world : document_.sections("worldbody")) {
    Place place;
    Parts parts;
    if (Result<void> ok = findParts(*world, place, parts); !ok) return ok;
    for (const auto& found : {parts.joints, parts.inertials})
      if (!found.empty()) return document_.inWorld(*found.front().element);
    if (Result<void> ok = readContents(*world, place); !ok) return ok;
  }
  return settleMasses();
}

/// Links between the joints of a body are called after a joint.
std::string MjcfTree::whereLink(const std::string& link) const {
  int body = findBody(link);
  const int joint = body < 0 ? findJoint(link.substr(0, link.rfind("::"))) : -1;
  if (joint >= 0) body = joints[static_cast<std::size_t>(joint)].body;
  return document_.where(*elements_[static_cast<std::size_t>(std::max(body, 0))]);
}

int MjcfTree::findBody(const std::string& name) const {
  const auto found = bodyIndex_.find(name);
  return found == bodyIndex_.end() ? -1 : found->second;
}

int MjcfTree::findJoint(const std::string& name) const {
  const auto found = jointIndex_.find(name);
  return found == jointIndex_.end() ? -1 : found->second;
}

std::vector<std::string> MjcfTree::bodyNames() const {
  std::vector<std::string> names;
  for (const MjcfBody& body : bodies) names.push_back(body.name);
  return names;
}

std::vector<std::string> MjcfTree::jointNames() const {
  std::vector<std::string> names;
  for (const MjcfJoint& joint : joints) names.push_back(joint.name);
  return names;
}

std::vector<std::string> MjcfTree::siteNames() const {
  std::vector<std::string> names;
  for (const auto& [name, place] : sites) names.push_back(name);
  return names;
}

std::vector<std::string> MjcfTree::namesOf(const std::string& name) const {
  const auto replicas = replicas_.find(name);
  return replicas == replicas_.end() ? std::vector<std::string>{name} : replicas->second;
}

/// The name that the file gives, with the suffix of a replica; things without one are called after their place.
Result<std::string> MjcfTree::nameFor(const Element& element, const Place& place, const std::string& fallback,
                                      std::set<std::string>& taken) {
  const std::string given = attributeOr(element, "name", "");
  std::string name = given.empty() ? fallback : given + place.suffix;
  if (Result<void> ok = document_.checkName(element, given + place.suffix); !ok) return ok.error();
  if (given == "world" && tagOf(element) == "body")
    return document_.invalid(element, "only the world itself is called 'world'", "rename the body");
  if (!given.empty() && taken.contains(name))
    return document_.invalid(element, "there is a " + tagOf(element) + " '" + name + "' already",
                             "rename one of them");
  while (taken.contains(name) || (given.empty() && given_[tagOf(element)].contains(name))) name += "_";
  taken.insert(name);
  if (!given.empty() && !place.suffix.empty()) replicas_[given].push_back(name);
  return name;
}

void MjcfTree::findGivenNames(const Element& parent) {
  for (const Element* child : document_.children(parent)) {
    if (const char* name = child->Attribute("name")) given_[tagOf(*child)].insert(name);
    findGivenNames(*child);
  }
}

Result<void> MjcfTree::readContents(const Element& parent, const Place& place) {
  for (const Element* child : document_.children(parent))
    if (Result<void> ok = readChild(*child, place); !ok) return ok;
  return {};
}

Result<void> MjcfTree::readChild(const Element& child, const Place& place) {
  const std::string tag = tagOf(child);
  if (++partsMade_ > limits::kRobotParts)
    return document_.invalid(child, "the bodies of the model hold more than 300,000 elements",
                             "write lower counts of <replicate>");
  if (tag == "body") return readBody(child, place);
  if (tag == "geom") return readGeom(child, place);
  if (tag == "replicate") return readReplicas(child, place);
  if (tag == "site" || tag == "camera") return readPlace(child, place);
  if (tag != "frame" && tag != "attach") return {};
  const Result<Place> inner = inside(child, place);
  return inner ? readContents(child, *inner) : Result<void>(inner.error());
}

/// A frame only says where its contents are, an <attach> which class counts in what it brings.
Result<MjcfTree::Place> MjcfTree::inside(const Element& frame, const Place& place) const {
  if (tagOf(frame) == "attach") {
    Place same = place;
    same.childClass = document_.childClassOf(frame);
    return same;
  }
  const MjcfItem item({&frame});
  const std::vector<double> scale = item.numbers("scale", {1});
  const bool keepsSize = std::all_of(scale.begin(), scale.end(), [](double s) { return s == 1; });
  const double mass = item.number("massscale", 0);
  if (!keepsSize || (mass != 0 && mass != 1))
    return document_.error(ErrorCode::Unsupported, frame, "frames that change sizes or masses are not read",
                           "write the sizes themselves: MuJoCo saves a model so");
  Place inner = place;
  inner.X_BF = place.X_BF * poseOf(item, document_.compiler(frame));
  inner.childClass = item.text("childclass", place.childClass);
  return inner;
}

/// Each replica stands in the frame of the one before.
Result<void> MjcfTree::readReplicas(const Element& element, const Place& place) {
  const MjcfItem item({&element});
  const double count = item.number("count", 0);
  if (!(count >= 1 && count <= kMaxReplicas && count == std::floor(count)))
    return document_.invalid(element, "the count of <replicate> is not a whole number from 1 to 10,000",
                             "write count=\"…\"");
  const Pose step = {rotationOfEuler(item.vec3("euler", Vec3::Zero()), document_.compiler(element)),
                     item.vec3("offset", Vec3::Zero())};
  Place replica = place;
  replica.childClass = item.text("childclass", place.childClass);
  for (int i = 0; i < static_cast<int>(count); ++i) {
    if (++replicasMade_ > kMaxReplicasInAll)
      return document_.invalid(element, "the model has more than 100,000 replicas", "write lower counts");
    replica.suffix = item.text("sep") + numberAmong(i, static_cast<int>(count)) + place.suffix;
    if (Result<void> ok = document_.checkName(element, replica.suffix); !ok) return ok;
    if (Result<void> ok = readContents(element, replica); !ok) return ok;
    replica.X_BF = replica.X_BF * step;
  }
  return {};
}

Result<void> MjcfTree::readPlace(const Element& element, const Place& place) {
  const MjcfItem item = document_.item(element, place.childClass);
  const std::string given = attributeOr(element, "name", "");
  MjcfPlace here;
  here.name = given.empty() ? "" : given + place.suffix;
  if (Result<void> ok = document_.checkName(element, here.name); !ok) return ok;
  here.body = place.body;
  here.element = &element;
  here.childClass = place.childClass;
  const std::optional<MjcfSegment> segment = segmentOf(item);
  here.X_BP = place.X_BF * (segment ? segment->X : poseOf(item, document_.compiler(element)));
  if (tagOf(element) == "camera") {
    cameras.push_back(std::move(here));
  } else if (!here.name.empty()) {
    if (!place.suffix.empty()) replicas_[given].push_back(here.name);
    sites.emplace(here.name, std::move(here));
  }
  return {};
}

Result<void> MjcfTree::readBody(const Element& element, const Place& outer) {
  if (bodies.size() >= limits::kRobotLinks)
    return document_.invalid(element, "the model has more than 10,000 bodies", "split it");
  const MjcfItem item({&element});
  const int index = static_cast<int>(bodies.size());
  Result<std::string> name = nameFor(element, outer, "body" + std::to_string(index), bodyNames_);
  if (!name) return name.error();
  const Pose X_PB = outer.X_BF * poseOf(item, document_.compiler(element));
  const Pose X_WP = bodies[static_cast<std::size_t>(outer.body)].X_WB;
  LinkSpec link;
  link.name = *name;
  bodies.push_back({*name, outer.body, X_WP * X_PB, index, robot.links.size(), 0});
  bodyIndex_[*name] = index;
  robot.links.push_back(std::move(link));
  elements_.push_back(&element);
  masses_.emplace_back();
  inertials_.emplace_back();
  if (item.flag("mocap", false))
    document_.note(Notice::Level::Info, element, "a mocap body stands still, where the file puts it");
  const Place place{index, Pose{}, item.text("childclass", outer.childClass), outer.suffix};
  Parts parts;
  if (Result<void> ok = findParts(element, place, parts); !ok) return ok;
  if (Result<void> ok = checkJoints(element, parts.joints); !ok) return ok;
  if (Result<void> ok = addJoints(index, X_PB, parts.joints); !ok) return ok;
  for (std::size_t i = 0; i < parts.inertials.size(); ++i) {
    const Element& inertial = *parts.inertials[i].element;
    if (i > 0)
      document_.note(Notice::Level::Warning, inertial,
                     "a second <inertial> in <body> is not used: the first, of line " +
                         std::to_string(parts.inertials.front().element->GetLineNum()) + ", counts");
    else if (Result<void> ok = readInertial(inertial, parts.inertials[i].place); !ok)
      return ok;
  }
  return readContents(element, place);
}

Result<void> MjcfTree::findParts(const Element& parent, const Place& place, Parts& parts) const {
  for (const Element* child : document_.children(parent)) {
    const std::string tag = tagOf(*child);
    if (isJoint(*child)) parts.joints.push_back({child, place});
    if (tag == "inertial") parts.inertials.push_back({child, place});
    if (tag == "frame" || tag == "attach") {
      const Result<Place> inner = inside(*child, place);
      if (!inner) return inner.error();
      if (Result<void> ok = findParts(*child, *inner, parts); !ok) return ok;
    }
    if (tag == "replicate") {
      Parts replicated;
      if (Result<void> ok = findParts(*child, place, replicated); !ok) return ok;
      for (const auto& found : {replicated.joints, replicated.inertials})
        if (!found.empty())
          return document_.invalid(*found.front().element, "a <replicate> holds a joint or an <inertial>",
                                   "put a <body> around it");
    }
  }
  return {};
}

Result<void> MjcfTree::checkJoints(const Element& body, const std::vector<Found>& found) const {
  int freedoms = 0;
  bool ball = false, isTop = bodies.back().parent == 0;
  for (const Found& joint : found) {
    const std::string type = typeOf(document_.item(*joint.element, joint.place.childClass));
    freedoms += type == "free" ? 6 : type == "ball" ? 3 : 1;
    if (type == "free" && !isTop)
      return document_.invalid(*joint.element, "a free joint is not on a body of the world itself",
                               "move the body into <worldbody>, or give it other joints");
    if (ball && (type == "ball" || type == "hinge"))
      return document_.invalid(*joint.element, "a joint that turns follows a ball joint",
                               "remove one of them");
    ball |= type == "ball";
  }
  if (freedoms > kMaxFreedoms)
    return document_.invalid(body, "the joints of the body have more than six degrees of freedom",
                             "remove some, or put a body between them");
  return {};
}

void MjcfTree::addFixed(int body, const Pose& X_PB) {
  MjcfBody& own = bodies[static_cast<std::size_t>(body)];
  own.weldRoot = bodies[static_cast<std::size_t>(own.parent)].weldRoot;
  JointSpec fixed;
  fixed.name = own.name + "::fixed";
  fixed.parent = bodies[static_cast<std::size_t>(own.parent)].name;
  fixed.child = own.name;
  fixed.X_PJ = X_PB;
  robot.joints.push_back(std::move(fixed));
}

/// Joints move the body one after the other; between them stand links without mass.
Result<void> MjcfTree::addJoints(int index, const Pose& X_PB, const std::vector<Found>& found) {
  if (found.empty()) {
    addFixed(index, X_PB);
    return {};
  }
  MjcfBody& own = bodies[static_cast<std::size_t>(index)];
  own.joints = static_cast<int>(found.size());
  Chain chain{bodies[static_cast<std::size_t>(own.parent)].name, X_PB};
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::string fallback =
        own.name + (found.size() == 1 ? "::joint" : "::joint" + std::to_string(k + 1));
    const Result<std::string> name = nameFor(*found[k].element, found[k].place, fallback, jointNames_);
    if (!name) return name.error();
    if (Result<void> ok = addJoint(found[k], *name, index, chain); !ok) return ok;
  }
  // The last one, if it is where the body's frame is, carries the body itself.
  JointSpec& last = robot.joints.back();
  const bool ends = chain.X.p.isZero(0);
  if (ends) {
    robot.links.pop_back();
    last.child = own.name;
    return {};
  }
  JointSpec offset;
  offset.name = last.name + "::offset";
  offset.parent = chain.parent;
  offset.child = own.name;
  offset.X_PJ = chain.X;
  robot.joints.push_back(std::move(offset));
  return {};
}

Result<void> MjcfTree::addJoint(const Found& found, const std::string& name, int index, Chain& chain) {
  const MjcfBody& own = bodies[static_cast<std::size_t>(index)];
  MjcfJoint joint;
  joint.name = name;
  joint.body = index;
  JointSpec spec;
  spec.name = name;
  Vec3 anchor;
  if (Result<void> ok = readJoint(found, joint, spec, anchor); !ok) return ok;
  LinkSpec carrier;
  carrier.name = name + "::frame";
  spec.parent = chain.parent;
  spec.child = carrier.name;
  spec.X_PJ = chain.X * Pose::translation(anchor);
  joint.X_WJ = own.X_WB * Pose::translation(anchor);
  joint.spec = robot.joints.size();
  jointIndex_[name] = static_cast<int>(joints.size());
  joints.push_back(std::move(joint));
  robot.joints.push_back(std::move(spec));
  chain = {carrier.name, Pose::translation(-anchor)};
  robot.links.push_back(std::move(carrier));
  return {};
}

Result<void> MjcfTree::readJoint(const Found& found, MjcfJoint& joint, JointSpec& spec, Vec3& anchor) {
  const MjcfItem item = document_.item(*found.element, found.place.childClass);
  const std::string type = typeOf(item);
  // What slides or is free does so about no point.
  const bool turns = type == "hinge" || type == "ball";
  anchor = turns ? Vec3(found.place.X_BF * item.vec3("pos", Vec3::Zero())) : Vec3(Vec3::Zero());
  const Vec3 axis = item.vec3("axis", Vec3::UnitZ());
  if (axis.norm() < 1e-10)
    return document_.invalid(item.element(), "the axis is zero", "write a direction such as 0 0 1");
  spec.axis = found.place.X_BF.R * axis.normalized();
  spec.type = type == "free"    ? JointType::Floating
              : type == "ball"  ? JointType::Ball
              : type == "slide" ? JointType::Prismatic
                                : JointType::Continuous;
  readJointNumbers(item, joint, spec);
  if (Result<void> ok = readJointLimits(item, joint, spec); !ok) return ok;
  joint.type = spec.type;
  for (const double value : {spec.damping, spec.dryFriction, spec.armature})
    if (value < 0)
      return document_.invalid(item.element(), "its damping, friction or armature is negative",
                               "write numbers of at least 0");
  return {};
}

void MjcfTree::readJointNumbers(const MjcfItem& item, MjcfJoint& joint, JointSpec& spec) {
  const bool isScalar = multibody::positionCount(spec.type) == 1,
             isAngle = spec.type == JointType::Continuous;
  const auto coordinate = [&](double x) {
    return isAngle ? document_.compiler(item.element()).radians(x) : x;
  };
  if (isScalar) joint.reference = coordinate(item.number("ref", 0));
  spec.armature = item.number("armature", 0);
  if (flags.dampers) spec.damping = item.number("damping", 0);
  if (flags.dryFriction) spec.dryFriction = item.number("frictionloss", 0);
  const std::vector<double> stiffness = item.numbers("stiffness", {0}),
                            damping = item.numbers("damping", {0});
  const auto isBent = [](const std::vector<double>& polynomial) {
    return std::any_of(polynomial.begin() + 1, polynomial.end(), [](double x) { return x != 0; });
  };
  if (isBent(stiffness) || isBent(damping))
    document_.note(Notice::Level::Warning, item.element(),
                   "of its stiffness and damping the linear part alone is used");
  if (!isScalar && stiffness.front() != 0)
    document_.note(Notice::Level::Warning, item.element(),
                   "springs in ball and free joints are not simulated");
  if (!isScalar || !flags.springs) return;
  spec.stiffness = std::max(0.0, stiffness.front());
  spec.springReference = coordinate(item.number("springref", 0)) - joint.reference;
  const std::vector<double> wish = item.numbers("springdamper", {0, 0});
  if (wish[0] > 0 && wish[1] > 0) {
    joint.timeConstant = wish[0];
    joint.dampingRatio = wish[1];
  }
}

Result<void> MjcfTree::readJointLimits(const MjcfItem& item, const MjcfJoint& joint, JointSpec& spec) {
  const auto limited = [&](const char* flag, const char* range) {
    const std::string word = item.text(flag, "auto");
    const std::vector<double> ends = item.numbers(range, {0, 0});
    const bool isWritten = ends[0] != 0 || ends[1] != 0;
    return word == "auto" ? document_.compiler(item.element()).autoLimits && isWritten : word == "true";
  };
  const bool isScalar = multibody::positionCount(spec.type) == 1;
  if (isScalar && limited("actuatorfrclimited", "actuatorfrcrange")) {
    const std::vector<double> range = item.numbers("actuatorfrcrange", {0, 0});
    if (range[0] < range[1]) spec.effortLimit = {range[0], range[1]};
    if (range[0] > range[1])
      document_.note(Notice::Level::Warning, item.element(),
                     std::string("its 'actuatorfrcrange' is not used: ") + kLimitsExchanged);
  }
  if (!flags.limits || !limited("limited", "range") || spec.type == JointType::Floating) return {};
  if (!isScalar) {
    document_.note(Notice::Level::Warning, item.element(), "limits of ball joints are not simulated");
    return {};
  }
  const std::vector<double> range = item.numbers("range", {0, 0});
  if (range[0] > range[1]) {
    document_.notices.push_back({Notice::Level::Warning,
                                 document_.where(item.element()),
                                 std::string(kLimitsExchanged) + ": it moves without limits",
                                 {{"limits." + pathKey(joint.name) + ".lower", "-.inf"},
                                  {"limits." + pathKey(joint.name) + ".upper", ".inf"}}});
    return {};
  }
  const auto coordinate = [&](double x) {
    return (spec.type == JointType::Prismatic ? x : document_.compiler(item.element()).radians(x)) -
           joint.reference;
  };
  spec.lower = coordinate(range[0]);
  spec.upper = coordinate(range[1]);
  if (spec.type == JointType::Continuous) spec.type = JointType::Revolute;
  return {};
}

}  // namespace slipstick::assets
