#include "engine/coupling/carry_over.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engine/rigid/rigid_problem.h"

namespace slipstick {
namespace {

using multibody::Joint;

/// Where the entries of each name stand in an array: [begin, begin + count).
struct Place {
  Eigen::Index begin, count;
};
using Places = std::map<std::string, Place>;

Places positionsOf(const Model& model) {
  Places places;
  for (const Joint& joint : model.tree.joints)
    places[joint.name] = {joint.qStart, multibody::positionCount(joint.type)};
  return places;
}

Places velocitiesOf(const Model& model) {
  Places places;
  for (const Joint& joint : model.tree.joints)
    places[joint.name] = {joint.vStart, multibody::velocityCount(joint.type)};
  return places;
}

Places particlesOf(const Model& model) {
  Places places;
  for (const Deformable& deformable : model.deformables)
    places[deformable.name] = {deformable.begin, deformable.end - deformable.begin};
  return places;
}

Places bodiesOf(const Model& model) {
  Places places;
  for (std::size_t i = 0; i < model.tree.bodies.size(); ++i)
    places[model.tree.bodies[i].name] = {static_cast<Eigen::Index>(i), 1};
  return places;
}

Places geometriesOf(const Model& model) {
  Places places;
  for (std::size_t i = 0; i < model.geometries.size(); ++i) {
    const Geometry& geometry = model.geometries[i];
    const std::string& body = model.tree.bodies[static_cast<std::size_t>(geometry.body)].name;
    places[body + "/" + geometry.name] = {static_cast<Eigen::Index>(i), 1};
  }
  return places;
}

/// Slots of the rigid solver's warm start: a scalar constraint is known by its joint, kind and coordinate.
Places impulsesOf(const std::shared_ptr<const Model>& model) {
  Places places;
  const RigidProblem problem(model);
  for (const contact::ScalarConstraint& c : problem.sap.scalars) {
    const Joint& joint = model->tree.joints[static_cast<std::size_t>(c.index)];
    const int coordinate = problem.layout().modelIndex[static_cast<std::size_t>(c.dof[0])] - joint.vStart;
    places["joint " + joint.name + "/" + std::to_string(static_cast<int>(c.kind)) + "/" +
           std::to_string(coordinate)] = {c.slot, 1};
  }
  const auto loops = static_cast<Eigen::Index>(model->loops.size());
  for (Eigen::Index i = 0; i < loops; ++i)
    places["loop " + model->loops[static_cast<std::size_t>(i)].name] = {
        problem.warmStartSize - 6 * (loops - i), 6};
  return places;
}

/// Copies the entries whose name is in both; the others stay.
template <class Array>
void carry(const Places& from, const Array& source, const Places& to, Array& target) {
  for (const auto& [name, place] : to) {
    const auto found = from.find(name);
    if (found == from.end() || found->second.count != place.count) continue;
    std::copy_n(source.begin() + found->second.begin, place.count, target.begin() + place.begin);
  }
}

void carryParticles(const Model& from, const ParticleState& source, const Model& to, ParticleState& target) {
  const Places before = particlesOf(from), after = particlesOf(to);
  const auto each = [&](auto ParticleState::*array) { carry(before, source.*array, after, target.*array); };
  each(&ParticleState::x);
  each(&ParticleState::v);
  each(&ParticleState::F);
  each(&ParticleState::C);
  each(&ParticleState::plastic);
  each(&ParticleState::internal);
}

/// Gives an index into the arrays of one model the value that it has in another. @return false: not there
bool translate(const Places& from, const Places& to, std::int32_t& index) {
  const auto named = std::find_if(from.begin(), from.end(),
                                  [index](const auto& entry) { return entry.second.begin == index; });
  const auto found = named == from.end() ? to.end() : to.find(named->first);
  if (found == to.end()) return false;
  index = static_cast<std::int32_t>(found->second.begin);
  return true;
}

struct Translator {
  const Model &from, &to;

  bool operator()(SetExternalForce& command) const {
    return translate(bodiesOf(from), bodiesOf(to), command.body);
  }
  bool operator()(SetFriction& command) const {
    return translate(geometriesOf(from), geometriesOf(to), command.geometry);
  }
  bool operator()(SetGravity&) const { return true; }
};

}  // namespace

std::optional<Command> inTermsOf(const Command& command, const Model& from, const Model& to) {
  Command translated = command;
  if (!std::visit(Translator{from, to}, translated)) return std::nullopt;
  return translated;
}

State carryOver(const std::shared_ptr<const Model>& from, const State& state,
                const std::shared_ptr<const Model>& to) {
  State next = State::initial(*to);
  next.step = state.step;
  next.time = state.time;
  next.gravity = state.gravity;
  const Places positions = positionsOf(*from), positionsAfter = positionsOf(*to);
  carry(positions, state.q, positionsAfter, next.q);
  carry(positions, state.controllerQ, positionsAfter, next.controllerQ);
  carry(velocitiesOf(*from), state.v, velocitiesOf(*to), next.v);
  carry(geometriesOf(*from), state.friction, geometriesOf(*to), next.friction);
  carry(bodiesOf(*from), state.externalForces, bodiesOf(*to), next.externalForces);
  const Places impulses = impulsesOf(from), impulsesAfter = impulsesOf(to);
  if (state.constraintImpulses.size() > 0) {
    Eigen::Index size = 0;
    for (const auto& [name, place] : impulsesAfter) size = std::max(size, place.begin + place.count);
    next.constraintImpulses.setZero(size);
    carry(impulses, state.constraintImpulses, impulsesAfter, next.constraintImpulses);
  }
  carryParticles(*from, state.particles, *to, next.particles);
  return next;
}

}  // namespace slipstick
