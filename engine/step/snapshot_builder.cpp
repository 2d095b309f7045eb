#include "engine/step/snapshot_builder.h"

#include "engine/model/method_rows.h"
#include "engine/multibody/dynamics.h"
#include "engine/step/goals.h"

namespace slipstick {

namespace {

void look(Method& method, Snapshot& snapshot) {
  snapshot.source.reset();  // its array serves again
  SoftView view{std::move(snapshot.particles), std::move(snapshot.speed),         std::move(snapshot.stress),
                std::move(snapshot.pressure),  std::move(snapshot.plasticStrain), nullptr};
  method.look(view);
  snapshot.particles = std::move(view.x);
  snapshot.speed = std::move(view.speed);
  snapshot.stress = std::move(view.stress);
  snapshot.pressure = std::move(view.pressure);
  snapshot.plasticStrain = std::move(view.plasticStrain);
  snapshot.source = std::move(view.source);
}

void leaveOutParticles(Snapshot& snapshot) {
  snapshot.particles.clear();
  snapshot.source.reset();
  for (auto* values : {&snapshot.speed, &snapshot.stress, &snapshot.pressure, &snapshot.plasticStrain})
    values->clear();
}

void addTotals(const Totals& part, Totals& sum) {
  sum.momentum += part.momentum;
  sum.angularMomentum += part.angularMomentum;
  sum.kineticEnergy += part.kineticEnergy;
  sum.potentialEnergy += part.potentialEnergy;
  sum.elasticEnergy += part.elasticEnergy;
}

/// Stored in the springs of joints [J].
double springEnergy(const multibody::Tree& tree, const VecX& q) {
  double energy = 0;
  for (const multibody::Joint& joint : tree.joints) {
    if (!(joint.stiffness > 0)) continue;
    const double stretch = q[joint.qStart] - joint.springReference;
    energy += 0.5 * joint.stiffness * stretch * stretch;
  }
  return energy;
}

}  // namespace

void buildSnapshot(const Model& model, const State& state, Method& method, Detail detail,
                   Snapshot& snapshot) {
  snapshot.step = state.step;
  snapshot.time = state.time;
  snapshot.branch = 0;
  snapshot.q = state.q;
  snapshot.v = state.v;
  snapshot.tau.setZero(model.tree.nv);
  method.poses(model, state, snapshot.X_WB);
  method.velocities(model, state, {state.q, state.v, snapshot.X_WB}, snapshot.V_WB);
  snapshot.contactWrench.assign(model.tree.bodies.size(), {});
  snapshot.contactRemainder.assign(model.tree.bodies.size(), {});
  snapshot.boundaryForce.assign(model.boundaries.size(), Vec3::Zero());
  snapshot.driven.clear();
  for (const State::Drive& drive : state.drives) snapshot.driven.push_back({drive.joint, drive.goal});
  snapshot.goals.clear();
  for (const State::Goal& goal : state.goals) snapshot.goals.push_back(goalFacts(model, state, goal));
  snapshot.sensors.assign(model.sensors.size(), {});
  snapshot.pullForce = snapshot.twistTorque = Vec3::Zero();
  snapshot.contacts.clear();
  snapshot.patches.clear();
  snapshot.deformables.clear();
  snapshot.report = {};
  snapshot.own = model.own;
  snapshot.ownObservables.assign(model.own ? model.own->observables.size() : 0, 0);
  snapshot.contactSolve.clear();
  snapshot.rigidSolve.clear();
  snapshot.saturatedJoints.clear();
  snapshot.unreachedGoals.clear();
  snapshot.healthNotes.clear();

  const multibody::MechanicalTotals rigid =
      multibody::mechanicalTotals(model.tree, snapshot.X_WB, snapshot.V_WB, model.gravity);
  snapshot.totals = {rigid.momentum, rigid.angularMomentum, rigid.kinetic, rigid.potential,
                     springEnergy(model.tree, state.q)};
  const SoftFacts* const facts = method.facts();
  if (facts != nullptr && detail == Detail::Particles)
    look(method, snapshot);
  else
    leaveOutParticles(snapshot);
  if (facts == nullptr) {
    snapshot.stateHash = hashOf(state, 0);
    return;
  }
  addTotals(facts->totals(model.gravity), snapshot.totals);
  for (std::size_t d = 0; d < model.deformables.size(); ++d)
    snapshot.deformables.push_back(facts->deformable(d));
  snapshot.stateHash = hashOf(state, facts->hash);
}

}  // namespace slipstick
