#include "engine/runtime/method_tally.h"

#include <algorithm>

namespace slipstick {

void MethodTally::add(const Snapshot& snapshot, double wall) {
  MethodSample sample;
  sample.time = snapshot.time;
  for (const Wrench& wrench : snapshot.contactWrench) sample.forces.push_back(wrench.force);
  sample.kinetic = snapshot.totals.kineticEnergy;
  sample.potential = snapshot.totals.potentialEnergy;
  sample.elastic = snapshot.totals.elasticEnergy;
  double total = 0;
  for (const Contact& contact : snapshot.contacts) {
    const double force = contact.f_Bc_W.norm();
    sample.penetration = std::max(sample.penetration, contact.penetration());
    sample.slip += force * contact.slipSpeed;
    total += force;
  }
  if (total > 0) sample.slip /= total;
  sample.momentumError = snapshot.report.momentumError;
  sample.wall = wall;
  sample.health = snapshot.report.health;
  samples_.push_back(std::move(sample));
  momentum_.add(snapshot, model_->time.dt);
}

MethodFigures MethodTally::figures(double from, double to) const {
  MethodFigures f;
  if (samples_.empty()) return f;
  const double half = 0.5 * model_->time.dt, start = samples_.front().energy();
  std::vector<Vec3> sums(model_->tree.bodies.size(), Vec3::Zero());
  std::vector<bool> touched(sums.size(), false);
  int inWindow = 0;
  for (const MethodSample& s : samples_) {
    f.energyGain = std::max(f.energyGain, s.energy() - start);
    f.notConverged += has(s.health, Health::NotConverged) ? 1 : 0;
    f.wall += s.wall;
    if (s.time < from - half || s.time > to + half || &s == &samples_.front()) continue;
    ++inWindow;
    f.penetration += s.penetration;
    f.deepest = std::max(f.deepest, s.penetration);
    f.slip += s.slip;
    for (std::size_t b = 0; b < std::min(sums.size(), s.forces.size()); ++b) {
      sums[b] += s.forces[b];
      touched[b] = touched[b] || !s.forces[b].isZero(0);
    }
  }
  f.steps = static_cast<int>(samples_.size()) - 1;
  f.momentumError = momentum_.error();
  f.energyEnd = samples_.back().energy() - start;
  f.simulated = samples_.back().time - samples_.front().time;
  f.covered = inWindow * model_->time.dt;
  if (inWindow == 0) return f;
  f.penetration /= inWindow;
  f.slip /= inWindow;
  for (std::size_t b = 0; b < sums.size(); ++b)
    if (touched[b]) f.forces.push_back({model_->tree.bodies[b].name, sums[b] / inWindow});
  return f;
}

}  // namespace slipstick
