#include "engine/model/state.h"

#include <algorithm>
#include <cmath>

#include "engine/foundation/byte_count.h"
#include "engine/foundation/require.h"
#include "engine/model/audit_memory.h"
#include "engine/model/word_hash.h"
#include "engine/multibody/inverse_kinematics.h"
#include "engine/multibody/kinematics.h"
#include "engine/multibody/spatial.h"

namespace slipstick {

namespace {

using slipstick::bytesOf;

std::size_t bytesOf(const std::vector<State::Memory>& memory) {
  std::size_t bytes = 0;
  for (const State::Memory& m : memory) bytes += sizeof m + m.name.size() + bytesOf(m.values);
  return bytes;
}

/// Postures that a Reposture tries.
constexpr int kPostures = 40;

std::size_t bytesOf(const std::vector<State::Goal>& goals) {
  std::size_t bytes = 0;
  for (const State::Goal& goal : goals)
    bytes += sizeof goal + bytesOf(goal.q) + bytesOf(goal.v) + bytesOf(goal.home) + bytesOf(goal.detour);
  return bytes;
}

struct CommandApplier {
  const Model& model;
  State& state;

  void operator()(const SetParameter& command) const {
    auto tuning = std::make_shared<Tuning>(*state.tuning);
    const Result<void> set = setParameter(model, command.path, command.value, *tuning);
    SIM_REQUIRE(set, set.ok() ? "" : set.error().message());
    state.tuning = std::move(tuning);
  }
  void operator()(const Pull& pull) const {
    replace(state.pulls, pull,
            [&](const Pull& p) { return p.body == pull.body && p.particle == pull.particle; });
  }
  void operator()(const Twist& twist) const {
    replace(state.twists, twist, [&](const Twist& t) { return t.body == twist.body; });
  }
  void operator()(const Release&) const {
    state.pulls.clear();
    state.twists.clear();
  }
  void operator()(const DriveJoint& drive) const {
    const multibody::Joint& joint = model.tree.joints[static_cast<std::size_t>(drive.joint)];
    const double goal = std::clamp(drive.goal, joint.lower, joint.upper);
    std::erase_if(state.goals,
                  [&](const State::Goal& g) { return moves(effectorOf(g.effector), drive.joint); });
    for (State::Drive& known : state.drives)
      if (known.joint == drive.joint) {
        known.goal = goal;
        return;
      }
    state.drives.push_back({drive.joint, goal, state.q[joint.qStart], state.v[joint.vStart]});
  }
  void operator()(const slipstick::Goal& command) const {
    State::Goal& goal = goalOf(command.effector);
    const Effector& effector = effectorOf(command.effector);
    goal.p = command.p.cwiseMax(effector.lower).cwiseMin(effector.upper);
    goal.R = command.R.normalized();
  }
  void operator()(const Grip& grip) const {
    State::Goal& goal = goalOf(grip.effector);
    if (!goal.grips) goal.closed = closedNow(effectorOf(grip.effector).gripper);
    goal.grips = true;
    goal.closing = grip.closing;
  }
  void operator()(const Reposture& command) const {
    State::Goal& goal = goalOf(command.effector);
    const multibody::Chain& chain = effectorOf(command.effector).chain;
    VecX q = state.q;
    for (std::size_t i = 0; i < chain.joints.size(); ++i)
      q[jointAt(chain.joints[i]).qStart] = goal.q[static_cast<int>(i)];
    const Pose X_WE{goal.R.toRotationMatrix(), goal.p};
    const multibody::IkResult found = multibody::searchInverseKinematics(
        model.tree, chain.body, chain.joints, X_WE * chain.X_BE.inverse(), kPostures, q);
    if (found.reached) goal.detour = positionsOf(chain, q);
  }
  void operator()(const LetGo& command) const {
    std::erase_if(state.goals, [&](const State::Goal& goal) { return goal.effector == command.effector; });
  }
  void operator()(const FreeJoint& free) const {
    std::erase_if(state.drives, [&](const State::Drive& drive) { return drive.joint == free.joint; });
  }
  void operator()(const Place& place) const {
    const multibody::Joint& joint = model.tree.joints[static_cast<std::size_t>(place.body - 1)];
    const Pose X_JB = inJointFrame(joint, place.X_WB);
    const Quat R = Quat(X_JB.R).normalized();
    state.q.segment<7>(joint.qStart) << X_JB.p, R.w(), R.x(), R.y(), R.z();
    state.v.segment<6>(joint.vStart).setZero();
  }

  /// A pose in W, seen from the parent's side of a joint. A base hangs from the world itself.
  Pose inJointFrame(const multibody::Joint& joint, const Pose& X_WB) const {
    if (multibody::isFree(joint) && joint.X_PJ.p.isZero(0)) return X_WB;
    std::vector<Pose> poses;
    multibody::computePoses(model.tree, state.q, poses);
    return (poses[static_cast<std::size_t>(joint.parent)] * joint.X_PJ).inverse() * X_WB;
  }
  const multibody::Joint& jointAt(int joint) const {
    return model.tree.joints[static_cast<std::size_t>(joint)];
  }
  const Effector& effectorOf(int effector) const {
    return model.effectors[static_cast<std::size_t>(effector)];
  }
  static bool moves(const Effector& effector, int joint) {
    const auto has = [joint](const std::vector<int>& joints) {
      return std::find(joints.begin(), joints.end(), joint) != joints.end();
    };
    return has(effector.chain.joints) || has(effector.gripper.joints);
  }
  VecX positionsOf(const multibody::Chain& chain, const VecX& q) const {
    VecX positions(static_cast<int>(chain.joints.size()));
    for (std::size_t i = 0; i < chain.joints.size(); ++i)
      positions[static_cast<int>(i)] = q[jointAt(chain.joints[i]).qStart];
    return positions;
  }
  /// The one of an effector; a new one holds it where it is.
  State::Goal& goalOf(int index) const {
    const auto place = std::find_if(state.goals.begin(), state.goals.end(),
                                    [index](const State::Goal& goal) { return goal.effector >= index; });
    if (place != state.goals.end() && place->effector == index) return *place;
    const Effector& effector = effectorOf(index);
    std::erase_if(state.drives, [&](const State::Drive& drive) { return moves(effector, drive.joint); });
    State::Goal goal;
    goal.effector = index;
    goal.q = goal.home = positionsOf(effector.chain, state.q);
    goal.v.resize(goal.q.size());
    for (std::size_t i = 0; i < effector.chain.joints.size(); ++i)
      goal.v[static_cast<int>(i)] = state.v[jointAt(effector.chain.joints[i]).vStart];
    std::vector<Pose> X_WB;
    multibody::computePoses(model.tree, state.q, X_WB);
    const Pose X_WE = X_WB[static_cast<std::size_t>(effector.chain.body)] * effector.chain.X_BE;
    goal.p = X_WE.p;
    goal.R = Quat(X_WE.R).normalized();
    return *state.goals.insert(place, std::move(goal));
  }
  /// How far the fingers are closed, as the mean of all.
  double closedNow(const Gripper& gripper) const {
    double sum = 0;
    for (std::size_t i = 0; i < gripper.joints.size(); ++i) {
      const double way = gripper.closed[i] - gripper.open[i];
      sum += way == 0 ? 0 : (state.q[jointAt(gripper.joints[i]).qStart] - gripper.open[i]) / way;
    }
    return std::clamp(sum / static_cast<double>(gripper.joints.size()), 0.0, 1.0);
  }

  template <class Intent, class Same>
  static void replace(std::vector<Intent>& intents, const Intent& intent, const Same& same) {
    std::erase_if(intents, same);
    intents.push_back(intent);
  }
};

}  // namespace

State State::initial(const Model& model) {
  State state;
  state.q = model.initialQ;
  state.v = model.initialV;
  state.controllerQ = model.initialQ;
  state.tuning = std::make_shared<const Tuning>(model.tuning);
  for (const Robot& robot : model.robots)
    for (int joint = robot.firstBody - 1; robot.isHeld && joint < robot.endBody - 1; ++joint)
      if (canDrive(model, joint)) {
        const multibody::Joint& held = model.tree.joints[static_cast<std::size_t>(joint)];
        const double q = model.initialQ[held.qStart];
        state.drives.push_back({joint, std::clamp(q, held.lower, held.upper), q, 0});
      }
  return state;
}

VecX& State::remembered(std::string_view name) {
  for (Memory& m : memory)
    if (m.name == name) return m.values;
  return memory.emplace_back(Memory{std::string(name), {}}).values;
}

std::size_t State::byteCount() const {
  return sizeof(State) + bytesOf(q) + bytesOf(v) + soft.byteCount() + bytesOf(controllerQ) + bytesOf(memory) +
         bytesOf(pulls) + bytesOf(twists) + bytesOf(drives) + bytesOf(goals);
}

std::uint64_t hashOf(const State& state) {
  return hashOf(state, hashOf(state.soft));
}

std::uint64_t hashOf(const State& state, std::uint64_t softHash) {
  WordHash hash;
  hash.add(state.step);
  hash.add(state.time);
  hash.addSized(state.q);
  hash.addSized(state.v);
  hash.add(softHash);
  hash.addSized(state.controllerQ);
  for (const State::Memory& memory : state.memory) {
    if (memory.name == kAuditMemory) continue;
    hash.addSized(memory.name);
    hash.addSized(memory.values);
  }
  if (state.tuning) hash.add(hashOf(*state.tuning));  // a state of no model has none
  hash.add(state.pulls.size());
  for (const Pull& pull : state.pulls) {
    hash.add((static_cast<std::uint64_t>(static_cast<std::uint32_t>(pull.body)) << 32) |
             static_cast<std::uint32_t>(pull.particle));
    hash.add(pull.p_B);
    hash.add(pull.goal_W);
    hash.add(pull.naturalFrequency);
  }
  hash.add(state.twists.size());
  for (const Twist& twist : state.twists) {
    hash.add(static_cast<std::uint64_t>(twist.body));
    hash.add(twist.goal_WB.coeffs());
    hash.add(twist.naturalFrequency);
  }
  hash.add(state.drives.size());
  for (const State::Drive& drive : state.drives) {
    hash.add(static_cast<std::uint64_t>(drive.joint));
    hash.add(drive.goal);
    hash.add(drive.q);
    hash.add(drive.v);
  }
  for (const State::Goal& goal : state.goals) {  // none: the hash of states before there were any
    hash.add(static_cast<std::uint64_t>(goal.effector));
    hash.add(goal.p);
    hash.add(goal.R.coeffs());
    for (const VecX* values : {&goal.q, &goal.v, &goal.home, &goal.detour}) hash.addSized(*values);
    hash.add(static_cast<std::uint64_t>(goal.grips));
    hash.add(goal.closing);
    hash.add(goal.closed);
  }
  return hash.value();
}

void apply(const Command& command, const Model& model, State& state) {
  std::visit(CommandApplier{model, state}, command);
}

}  // namespace slipstick
