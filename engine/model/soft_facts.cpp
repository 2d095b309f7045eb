#include "engine/model/soft_facts.h"

#include <algorithm>

namespace slipstick {

void DeformableSums::add(const DeformableSums& part) {
  mass += part.mass;
  moment += part.moment;
  momentum += part.momentum;
  angularMomentum += part.angularMomentum;
  kineticEnergy += part.kineticEnergy;
  elasticEnergy += part.elasticEnergy;
  volume += part.volume;
  lower = lower.cwiseMin(part.lower);
  upper = upper.cwiseMax(part.upper);
  maxSpeed = std::max(maxSpeed, part.maxSpeed);
  stiffening = std::max(stiffening, part.stiffening);
}

double SoftFacts::mass() const {
  double mass = 0;
  for (const DeformableSums& d : deformables) mass += d.mass;
  return mass;
}

Vec3 SoftFacts::momentum() const {
  Vec3 momentum = Vec3::Zero();
  for (const DeformableSums& d : deformables) momentum += d.momentum;
  return momentum;
}

double SoftFacts::maxSpeed() const {
  double speed = 0;
  for (const DeformableSums& d : deformables) speed = std::max(speed, d.maxSpeed);
  return speed;
}

Totals SoftFacts::totals(const Vec3& gravity) const {
  Totals totals;
  for (const DeformableSums& d : deformables) {
    totals.momentum += d.momentum;
    totals.angularMomentum += d.angularMomentum;
    totals.kineticEnergy += d.kineticEnergy;
    totals.potentialEnergy -= gravity.dot(d.moment);
    totals.elasticEnergy += d.elasticEnergy;
  }
  return totals;
}

DeformableFacts SoftFacts::deformable(std::size_t index) const {
  const DeformableSums& d = deformables[index];
  return {d.moment / d.mass, d.momentum / d.mass, d.lower, d.upper, d.volume, d.elasticEnergy};
}

}  // namespace slipstick
