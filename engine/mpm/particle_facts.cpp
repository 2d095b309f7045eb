#include "engine/mpm/particle_facts.h"

#include <algorithm>

namespace slipstick::mpm {
namespace {

/// Vector of the antisymmetric part, ε_kab C_ba: a rigid spin C = [w]× gives 2w.
Vec3 axial(const Mat3& C) {
  return {C(2, 1) - C(1, 2), C(0, 2) - C(2, 0), C(1, 0) - C(0, 1)};
}

DeformableSums sumsOf(const Model& model, const Deformable& deformable, const ParticleState& particles) {
  const double D = model.gridSpacing * model.gridSpacing / 4;
  DeformableSums sums;
  for (auto p = static_cast<std::size_t>(deformable.begin); p < static_cast<std::size_t>(deformable.end);
       ++p) {
    const double mass = model.nodes.mass[p];
    const Vec3 &x = particles.x[p], &v = particles.v[p];
    const Mat3& C = particles.C[p];
    sums.mass += mass;
    sums.moment += mass * x;
    sums.momentum += mass * v;
    sums.angularMomentum += mass * (x.cross(v) + D * axial(C));
    sums.kineticEnergy += 0.5 * mass * (v.squaredNorm() + D * C.squaredNorm());
    sums.volume += particles.F[p].determinant() * model.nodes.volume[p];
    sums.lower = sums.lower.cwiseMin(x);
    sums.upper = sums.upper.cwiseMax(x);
    sums.maxSpeed = std::max(sums.maxSpeed, v.norm());
  }
  return sums;
}

}  // namespace

SoftFacts factsOf(const Model& model, const ParticleState& particles) {
  SoftFacts facts;
  for (const Deformable& d : model.deformables) facts.deformables.push_back(sumsOf(model, d, particles));
  facts.hash = hashOf(particles);
  return facts;
}

void lookAtMotion(const ParticleState& particles, SoftView& view) {
  const std::size_t count = particles.x.size();
  view.x.resize(count);
  view.speed.resize(count);
  view.plasticStrain.resize(count);
  view.stress.assign(count, 0);
  view.pressure.assign(count, 0);
  for (std::size_t p = 0; p < count; ++p) {
    view.x[p] = particles.x[p].cast<float>();
    view.speed[p] = static_cast<float>(particles.v[p].norm());
    view.plasticStrain[p] = static_cast<float>(particles.plastic[p]);
  }
}

}  // namespace slipstick::mpm
