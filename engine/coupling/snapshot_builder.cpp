#include "engine/coupling/snapshot_builder.h"

#include <limits>

#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"

namespace slipstick {

namespace {

/// Vector of the antisymmetric part, ε_kab C_ba: a rigid spin C = [w]× gives 2w.
Vec3 axial(const Mat3& C) {
  return {C(2, 1) - C(1, 2), C(0, 2) - C(2, 0), C(1, 0) - C(0, 1)};
}

/// @return the elastic energy of each deformable [J]
std::vector<double> copyParticles(const ParticleState& particles, mpm::Backend& backend, Snapshot& snapshot) {
  const std::size_t count = particles.x.size();
  snapshot.particles.resize(count);
  snapshot.speed.resize(count);
  snapshot.plasticStrain.resize(count);
  for (std::size_t p = 0; p < count; ++p) {
    snapshot.particles[p] = particles.x[p].cast<float>();
    snapshot.speed[p] = static_cast<float>(particles.v[p].norm());
    snapshot.plasticStrain[p] = static_cast<float>(particles.plastic[p]);
  }
  mpm::ParticleMeasures measures;
  backend.measure(particles, measures);
  snapshot.stress = std::move(measures.stress);
  snapshot.pressure = std::move(measures.pressure);
  for (const double energy : measures.elasticEnergy) snapshot.totals.elasticEnergy += energy;
  return measures.elasticEnergy;
}

void addTotals(const Totals& part, Totals& sum) {
  sum.momentum += part.momentum;
  sum.angularMomentum += part.angularMomentum;
  sum.kineticEnergy += part.kineticEnergy;
  sum.potentialEnergy += part.potentialEnergy;
}

}  // namespace

Totals particleTotals(const Model& model, const ParticleState& particles, const Vec3& gravity) {
  Totals totals;
  const double D = model.gridSpacing * model.gridSpacing / 4;
  for (std::size_t p = 0; p < particles.x.size(); ++p) {
    const double mass = model.particles.mass[p];
    const Vec3& x = particles.x[p];
    const Vec3& v = particles.v[p];
    const Mat3& C = particles.C[p];
    totals.momentum += mass * v;
    totals.angularMomentum += mass * (x.cross(v) + D * axial(C));
    totals.kineticEnergy += 0.5 * mass * (v.squaredNorm() + D * C.squaredNorm());
    totals.potentialEnergy -= mass * gravity.dot(x);
  }
  return totals;
}

DeformableFacts factsOf(const Model& model, const Deformable& deformable, const ParticleState& particles) {
  DeformableFacts facts;
  facts.lower.setConstant(std::numeric_limits<double>::infinity());
  facts.upper.setConstant(-std::numeric_limits<double>::infinity());
  double mass = 0;
  for (int i = deformable.begin; i < deformable.end; ++i) {
    const auto p = static_cast<std::size_t>(i);
    mass += model.particles.mass[p];
    facts.center += model.particles.mass[p] * particles.x[p];
    facts.velocity += model.particles.mass[p] * particles.v[p];
    facts.lower = facts.lower.cwiseMin(particles.x[p]);
    facts.upper = facts.upper.cwiseMax(particles.x[p]);
    facts.volume += particles.F[p].determinant() * model.particles.volume[p];
  }
  facts.center /= mass;
  facts.velocity /= mass;
  return facts;
}

void buildSnapshot(const Model& model, const State& state, mpm::Backend* backend, Snapshot& snapshot) {
  snapshot = Snapshot{};
  snapshot.step = state.step;
  snapshot.time = state.time;
  snapshot.q = state.q;
  snapshot.v = state.v;
  snapshot.tau = VecX::Zero(model.tree.nv);
  multibody::computePoses(model.tree, state.q, snapshot.X_WB);
  multibody::computeVelocities(model.tree, state.q, state.v, snapshot.X_WB, snapshot.V_WB);
  snapshot.contactWrench.resize(model.tree.bodies.size());
  snapshot.contactRemainder.resize(model.tree.bodies.size());
  snapshot.boundaryForce.assign(model.boundaries.size(), Vec3::Zero());

  const multibody::MechanicalTotals rigid =
      multibody::mechanicalTotals(model.tree, snapshot.X_WB, snapshot.V_WB, state.gravity);
  snapshot.totals = {rigid.momentum, rigid.angularMomentum, rigid.kinetic, rigid.potential, 0};
  std::vector<double> elasticEnergy(model.deformables.size());
  if (backend != nullptr) {
    elasticEnergy = copyParticles(state.particles, *backend, snapshot);
    addTotals(particleTotals(model, state.particles, state.gravity), snapshot.totals);
  }
  for (std::size_t d = 0; d < model.deformables.size(); ++d) {
    snapshot.deformables.push_back(factsOf(model, model.deformables[d], state.particles));
    snapshot.deformables.back().elasticEnergy = elasticEnergy[d];
  }
  snapshot.stateHash = hashOf(state);
}

}  // namespace slipstick
