#include "render/shown_pairs.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "render/contact_facts.h"

namespace slipstick::render {
namespace {

/// Spreads what drives one body over everything that it carries along.
class DrivenBodies {
 public:
  explicit DrivenBodies(const Model& model) : model_(model), driven_(model.tree.bodies.size(), false) {
    for (const Loop& loop : model.loops) open_.push_back(&loop);
  }

  void addJoint(int joint) { addBody(model_.tree.joints[static_cast<std::size_t>(joint)].child); }
  void addBody(int body) { driven_[static_cast<std::size_t>(body)] = true; }
  void addController(const Controller& controller) {
    std::visit([this](const auto& c) { addParts(c); }, controller);
  }
  std::vector<bool> spread() && {
    for (bool more = true; more; more = followLoops())
      while (followMimics() || followTree()) continue;
    return std::move(driven_);
  }

 private:
  void addParts(const EndEffectorPath& c) { addJoints(c.joints); }
  void addParts(const JointPath& c) { addJoints(c.joints); }
  void addParts(const JointEffort& c) { addJoint(c.joint); }
  void addParts(const JointVelocity& c) { addJoint(c.joint); }
  void addParts(const LinkForce& c) { addBody(c.body); }
  void addJoints(const std::vector<int>& joints) {
    for (const int joint : joints) addJoint(joint);
  }
  bool at(int body) const { return driven_[static_cast<std::size_t>(body)]; }
  bool raise(int body) {
    if (body == 0 || at(body)) return false;
    addBody(body);
    return true;
  }
  bool followMimics() {
    bool any = false;
    for (const multibody::Joint& joint : model_.tree.joints)
      if (joint.mimic >= 0 && at(model_.tree.joints[static_cast<std::size_t>(joint.mimic)].child))
        any |= raise(joint.child);
    return any;
  }
  bool followTree() {
    bool any = false;
    for (const multibody::Joint& joint : model_.tree.joints)
      if (at(joint.parent)) any |= raise(joint.child);
    return any;
  }
  /// What is held by something driven is driven, and so is the whole robot that it belongs to. All loops at once, and each
  /// one once: their order does not count, and nothing is driven back through the loop that it drives.
  bool followLoops() {
    const std::vector<bool> before = driven_;
    bool any = false;
    std::erase_if(open_, [&](const Loop* loop) {
      const bool a = before[static_cast<std::size_t>(loop->bodyA)];
      const bool b = before[static_cast<std::size_t>(loop->bodyB)];
      // A linkage that its own robot drives on both sides holds nothing.
      if (a && b && robotOf(loop->bodyA) == robotOf(loop->bodyB)) return true;
      if (a) any |= raiseHeld(loop->bodyB);
      if (b) any |= raiseHeld(loop->bodyA);
      return a || b;
    });
    return any;
  }
  bool raiseHeld(int body) {
    if (!canMove(model_, body)) return false;
    bool any = raise(body);
    if (const Robot* robot = robotOf(body))
      for (int b = robot->firstBody; b < robot->endBody; ++b)
        if (canMove(model_, b)) any |= raise(b);
    return any;
  }
  const Robot* robotOf(int body) const {
    for (const Robot& robot : model_.robots)
      if (body >= robot.firstBody && body < robot.endBody) return &robot;
    return nullptr;
  }

  const Model& model_;
  std::vector<bool> driven_;
  std::vector<const Loop*> open_;  ///< through which nothing is driven yet
};

/// Per body; empty: all of them.
using BodyChoice = std::optional<std::vector<bool>>;

/// The bodies whose contacts a selection asks for; nothing where it asks for none in particular.
struct AskedBodies {
  BodyChoice operator()(NothingSelected) const { return std::nullopt; }
  BodyChoice operator()(SelectedBody body) const { return from(body.index, body.index + 1); }
  BodyChoice operator()(SelectedRobot index) const {
    const Robot& robot = model.robots[static_cast<std::size_t>(index.index)];
    return from(robot.firstBody, robot.endBody);
  }
  BodyChoice operator()(SelectedDeformable) const { return std::vector<bool>(); }
  BodyChoice operator()(SelectedBoundary) const { return std::nullopt; }
  BodyChoice operator()(SelectedLoop) const { return std::nullopt; }
  BodyChoice operator()(const ContactKey&) const { return std::nullopt; }
  BodyChoice operator()(const ContactPair&) const { return std::nullopt; }
  BodyChoice from(int first, int end) const {
    std::vector<bool> asked(model.tree.bodies.size(), false);
    std::fill(asked.begin() + first, asked.begin() + end, true);
    return asked;
  }

  const Model& model;
};

/// What a person cares about.
struct Meant {
  std::vector<bool> bodies;  ///< per body; empty: all of them
  bool softPairs = false;    ///< what acts between deformables, too

  bool has(const PairSide& side) const {
    return bodies.empty() || (side.isRigid() && bodies[static_cast<std::size_t>(side.body)]);
  }
};

Meant meantIn(const FrameInput& input) {
  const Model& model = *input.model;
  if (const BodyChoice asked = std::visit(AskedBodies{model}, input.selection)) return {*asked};
  if (input.options.everyContact) return {};
  std::vector<bool> meant = drivenBodies(model);
  const auto any = [&meant] { return std::find(meant.begin(), meant.end(), true) != meant.end(); };
  if (any()) return {meant};
  for (std::size_t b = 0; b < meant.size(); ++b) meant[b] = canMove(model, static_cast<int>(b));
  return {any() ? meant : std::vector<bool>{}, true};
}

}  // namespace

std::vector<bool> drivenBodies(const Model& model) {
  DrivenBodies driven(model);
  for (const Controller& controller : model.controllers) driven.addController(controller);
  for (const PrescribedMotion& motion : model.prescribed) driven.addJoint(motion.joint);
  return std::move(driven).spread();
}

std::optional<ContactPair> selectedPair(const FrameInput& input) {
  if (const auto* pair = std::get_if<ContactPair>(&input.selection)) return *pair;
  const auto* contact = std::get_if<ContactKey>(&input.selection);
  if (!contact) return std::nullopt;
  const int index = findContact(*input.snapshot, *contact);
  if (index < 0) return std::nullopt;
  return pairOf(*input.model, input.snapshot->contacts[static_cast<std::size_t>(index)]);
}

std::vector<PairForce> shownPairs(const FrameInput& input) {
  const Meant meant = meantIn(input);
  const std::optional<ContactPair> selected = selectedPair(input);
  const std::optional<std::int32_t> soft = indexOf<SelectedDeformable>(input.selection);
  std::vector<PairForce> shown;
  for (const PairForce& force : pairForces(*input.model, input.snapshot->contacts)) {
    const ContactPair& pair = force.pair;
    const bool isOfSoft = soft && pair.hasDeformable(*soft);
    if (soft && !input.options.everyContact && !isOfSoft) continue;
    if (isOfSoft)
      shown.push_back(pair.a.deformable == *soft ? force : force.onOther());
    else if (meant.has(pair.a) || (meant.softPairs && pair.isSoft()))
      shown.push_back(force);
    else if (meant.has(pair.b))
      shown.push_back(force.onOther());
    else if (pair == selected)
      shown.push_back(force);
  }
  return shown;
}

}  // namespace slipstick::render
