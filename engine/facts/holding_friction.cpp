#include "engine/facts/holding_friction.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/facts/pair_force.h"
#include "engine/foundation/require.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"

namespace slipstick {

namespace {

using Steps = std::span<const std::shared_ptr<const Snapshot>>;

/// Below this ratio |Σ normal forces| / Σ|N| surfaces face too many ways for one tangent plane.
constexpr double kOneDirection = 0.7;

/// What moves as one, held by contacts only.
struct Object {
  double mass = 0;          ///< [kg]
  std::vector<int> bodies;  ///< of a rigid one: fixed to each other
};

/// The bodies fixed to this one, if nothing but contacts holds them; else none.
std::optional<Object> freeBody(const Model& model, int body) {
  const auto group = [&](int b) { return model.compositeOf[static_cast<std::size_t>(b)]; };
  const int leader = group(body);
  if (leader == 0) return std::nullopt;
  Object object;
  for (int b = 1; b < static_cast<int>(model.tree.bodies.size()); ++b) {
    const multibody::Joint& joint = model.tree.joints[static_cast<std::size_t>(b - 1)];
    const bool inside = group(b) == leader;
    if (!inside && group(joint.parent) == leader) return std::nullopt;  // a joint leads on from it
    if (!inside) continue;
    const bool root = group(joint.parent) != leader;
    if (root && (joint.type != multibody::JointType::Floating || joint.parent != 0)) return std::nullopt;
    for (const PrescribedMotion& motion : model.prescribed)
      if (motion.joint == b - 1) return std::nullopt;
    object.bodies.push_back(b);
    object.mass += model.tree.bodies[static_cast<std::size_t>(b)].mass;
  }
  for (const Loop& loop : model.loops)
    if (group(loop.bodyA) == leader || group(loop.bodyB) == leader) return std::nullopt;
  if (!(object.mass > 0)) return std::nullopt;
  return object;
}

std::optional<Object> objectOf(const Model& model, const PairSide& side) {
  if (side.isRigid()) return freeBody(model, side.body);
  const Deformable& d = model.deformables[static_cast<std::size_t>(side.deformable)];
  const auto mass = model.nodes.mass.begin();
  return Object{std::accumulate(mass + d.begin, mass + d.end, 0.0), {}};
}

/// How the centre of mass of an object moves.
struct CenterMotion {
  Vec3 place = Vec3::Zero();     ///< [m]
  Vec3 velocity = Vec3::Zero();  ///< [m/s]
};

CenterMotion centerOf(const Model& model, const Object& object, const PairSide& side, const StepFacts& step) {
  if (side.isSoft()) {
    const DeformableFacts& facts = step.deformables[static_cast<std::size_t>(side.deformable)];
    return {facts.center, facts.velocity};
  }
  CenterMotion motion;
  for (const int body : object.bodies) {
    const auto b = static_cast<std::size_t>(body);
    const double part = model.tree.bodies[b].mass / object.mass;
    const Vec3 com_W = step.X_WB[b].R * model.tree.bodies[b].com;
    motion.place += part * (step.X_WB[b].p + com_W);
    motion.velocity += part * step.V_WB[b].at(com_W);
  }
  return motion;
}

/// Of the point of a body that is at p_W at the time `now`; of a deformable's centre of mass [m/s].
Vec3 velocityAt(const Vec3& p_W, const PairSide& side, const StepFacts& now, const StepFacts& step) {
  if (side.isSoft()) return step.deformables[static_cast<std::size_t>(side.deformable)].velocity;
  const auto b = static_cast<std::size_t>(side.body);
  const Vec3 p_B = now.X_WB[b].inverse() * p_W;
  return step.V_WB[b].at(step.X_WB[b].R * p_B);
}

bool isOf(const PairForce& force, const PairSide& side, const Object& object) {
  if (side.isSoft()) return force.pair.has(side);
  const auto has = [&](int body) {
    return std::find(object.bodies.begin(), object.bodies.end(), body) != object.bodies.end();
  };
  return has(force.pair.a.body) || has(force.pair.b.body);
}

/// Forces of all pairs at each step.
using Forces = std::vector<std::vector<PairForce>>;

/// Mean over the steps, of all pairs of a side [N].
double normalSumOf(const Forces& forces, const PairSide& side, const Object& object) {
  double sum = 0;
  for (const std::vector<PairForce>& step : forces)
    for (const PairForce& force : step)
      if (isOf(force, side, object)) sum += force.normalSum;
  return sum / static_cast<double>(forces.size());
}

/// What the pair exerts over the steps, mean.
struct Mean {
  Vec3 normal = Vec3::Zero(), friction = Vec3::Zero();  ///< on pair.a [N]
  double normalSum = 0;                                 ///< [N]
  int slippingContacts = 0;                             ///< at any of the steps
};

Mean meanOver(const Forces& forces, const ContactPair& pair) {
  Mean mean;
  const double share = 1 / static_cast<double>(forces.size());
  for (const std::vector<PairForce>& step : forces) {
    for (const PairForce& force : step) {
      if (force.pair != pair) continue;
      mean.normal += share * force.normal;
      mean.friction += share * force.friction;
      mean.normalSum += share * force.normalSum;
      mean.slippingContacts += force.slippingContacts;
    }
  }
  return mean;
}

/// The pair as it is asked about: `own` would be carried by `other`.
struct Question {
  PairSide own, other;
  Object object;
  std::optional<Object> otherObject;
};

std::optional<Question> questionFor(const Model& model, const ContactPair& pair) {
  const PairSide &first = pair.a, &second = pair.b;
  std::optional<Object> a = objectOf(model, first), b = objectOf(model, second);
  if (b && !a) return Question{second, first, std::move(*b), std::nullopt};
  if (!a) return std::nullopt;
  // Of a body and a deformable the deformable is the one that the body carries.
  if (b && second.body < 0) return Question{second, first, std::move(*b), std::move(a)};
  return Question{first, second, std::move(*a), std::move(b)};
}

/// Whether a side's parts go their own ways.
bool goesItsOwnWays(const Model& model, const PairSide& side) {
  if (side.isRigid()) return false;
  const Deformable& d = model.deformables[static_cast<std::size_t>(side.deformable)];
  return materialFacts(d.material.model).movesFreely;
}

/// The force that the object lacks to go with the other side, in the tangent plane, all pairs together [N].
Vec3 lackingForce(const Steps& steps, const Forces& forces, const Question& question, const Mean& mean) {
  const StepFacts &first = *steps.front(), &now = *steps.back();
  const Model& model = *now.model;
  const CenterMotion center = centerOf(model, question.object, question.own, now);
  const Vec3 own = center.velocity - centerOf(model, question.object, question.own, first).velocity;
  const Vec3 other = velocityAt(center.place, question.other, now, now) -
                     velocityAt(center.place, question.other, now, first);
  double mass = question.object.mass;
  if (question.otherObject) {
    const double touching = normalSumOf(forces, question.other, *question.otherObject);
    const bool nothingElse = touching <= mean.normalSum * (1 + 1e-9);
    if (nothingElse) mass *= question.otherObject->mass / (mass + question.otherObject->mass);
  }
  const Vec3 lacking = mass / (now.time - first.time) * (other - own);
  const Vec3 across = mean.normal.normalized();
  return lacking - lacking.dot(across) * across;
}

/// Friction coefficient that holds a pair of which something slips, or why that cannot be said.
Result<double> holdsWhatSlips(const Steps& steps, const Forces& forces, const ContactPair& pair,
                              const Mean& mean) {
  const auto unknown = [](const char* why) { return Error{ErrorCode::Unsupported, why, "", ""}; };
  const Model& model = *steps.back()->model;
  const std::optional<Question> question = questionFor(model, pair);
  if (!question)
    return unknown("joints hold both sides: how these would move if they stuck is up to the whole mechanism");
  if (goesItsOwnWays(model, question->own))
    return unknown("what slips bends or flows: it would not be held as one piece");
  if (steps.size() < 2 || !(steps.back()->time > steps.front()->time))
    return unknown("the steps before this one are not stored, so that accelerations are not known");
  const double share = mean.normalSum / normalSumOf(forces, question->own, question->object);
  const double sign = question->own == pair.a ? 1 : -1;  // friction is that on pair.a
  const Vec3 needed = sign * mean.friction + share * lackingForce(steps, forces, *question, mean);
  return needed.norm() / mean.normalSum;
}

}  // namespace

HoldingFriction holdingFriction(std::span<const std::shared_ptr<const Snapshot>> steps,
                                const ContactPair& pair) {
  SIM_REQUIRE(!steps.empty() && steps.back()->model != nullptr);
  HoldingFriction result;
  const Snapshot& now = *steps.back();
  const PairForce force = pairForce(*now.model, now.contacts, pair);
  result.margin = force.margin();
  if (force.frictionBound > 0) result.marginPart = result.margin / force.frictionBound;
  if (!(force.normalSum > 0)) {
    result.why = "nothing is pressed";
    return result;
  }
  Forces forces;
  for (const auto& step : steps.size() > 1 ? steps.subspan(1) : steps)
    forces.push_back(pairForces(*now.model, step->contacts));
  const Mean mean = meanOver(forces, pair);
  if (mean.normal.norm() < kOneDirection * mean.normalSum) {
    result.why = "the surfaces face many ways, there is no one plane in which to slide";
    return result;
  }
  if (mean.slippingContacts == 0) {
    result.holdingFriction = mean.friction.norm() / mean.normalSum;
    return result;
  }
  const Result<double> holding = holdsWhatSlips(steps, forces, pair, mean);
  if (holding)
    result.holdingFriction = *holding;
  else
    result.why = holding.error().what;
  return result;
}

}  // namespace slipstick
