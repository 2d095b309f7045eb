#include "engine/mpm/substeps.h"

#include <algorithm>
#include <cmath>

namespace slipstick::mpm {
namespace {

/// More substeps than this in one step mean that the simulation has blown up: report it instead of never
/// returning.
constexpr double kMostSubsteps = 5000;

int toCount(double substeps) {
  return static_cast<int>(std::clamp(substeps, 1.0, kMostSubsteps));
}

/// Smallest N with δt ≤ C h / c for the stiffest material and δt ≤ 2 C / ω for the stiffest bending.
double elasticSubsteps(const Model& model, double dt) {
  double fastest = 0;  // C / δt [1/s]
  for (const Deformable& d : model.deformables) {
    fastest = std::max(fastest, d.material.waveSpeed() / model.gridSpacing);
    if (d.cloth) fastest = std::max(fastest, d.cloth->bendingFrequency / 2);
  }
  return std::ceil(dt * fastest / model.time.cfl * (1 - 1e-12));
}

/// Smallest N with |v| δt < h/2.
double advectionSubsteps(double gridSpacing, double dt, double speed) {
  return std::floor(2 * dt * speed / gridSpacing) + 1;
}

}  // namespace

int substepsByCfl(const Model& model, double dt, double maxParticleSpeed) {
  return toCount(
      std::max(elasticSubsteps(model, dt), advectionSubsteps(model.gridSpacing, dt, maxParticleSpeed)));
}

SubstepSchedule::SubstepSchedule(const Model& model, double dt, double maxSpeed)
    : gridSpacing_(model.gridSpacing), automatic_(model.time.substeps <= 0), lastSpeed_(maxSpeed) {
  remaining_ = automatic_ ? substepsByCfl(model, dt, maxSpeed) : model.time.substeps;
  length_ = dt / remaining_;
  if (elasticSubsteps(model, dt) > remaining_) cflExceeded_ = true;
}

double SubstepSchedule::next(double maxSpeed) {
  SIM_REQUIRE(!done());
  // What matters is the speed that the substep ends with: expect the last gain once more.
  const double expected = maxSpeed + std::max(0.0, maxSpeed - lastSpeed_);
  lastSpeed_ = maxSpeed;
  if (automatic_ && outruns(expected) && taken_ + remaining_ < kMostSubsteps) {
    constexpr double kMargin = 1.25;  // so that slowly growing speeds do not split every substep
    const double rest = length_ * remaining_;
    remaining_ = std::max(remaining_, toCount(advectionSubsteps(gridSpacing_, rest, kMargin * expected)));
    length_ = rest / remaining_;
  }
  if (outruns(maxSpeed)) cflExceeded_ = true;
  --remaining_;
  ++taken_;
  return length_;
}

void SubstepSchedule::finished(double maxSpeed) {
  if (outruns(maxSpeed)) cflExceeded_ = true;
}

}  // namespace slipstick::mpm
