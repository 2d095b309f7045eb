#include "engine/mpm/substeps.h"
#include "engine/model/cloth.h"

#include <algorithm>
#include <cmath>

namespace slipstick::mpm {
namespace {

/// More substeps than this in one step mean that the simulation has blown up: report it instead of never
/// returning.
constexpr double kMaxSubsteps = 5000;

int toCount(double substeps) {
  return static_cast<int>(std::clamp(substeps, 1.0, kMaxSubsteps));
}

/// Substeps per second that this material needs: δt ≤ C h / c for its waves, which are faster where it is
/// squeezed or stretched; and, with C at most 1, δt ≤ 2 C / ω for the bending of cloth, and δt ≤ C ρ h² / 4η,
/// since a particle on its own loses 8η δt/(ρ h²) of its velocity gradient in a substep, and must not lose
/// twice of it.
double rate(const Deformable& d, double stiffening, double h, double cfl) {
  const double waves = d.material.waveSpeed() * std::sqrt(stiffening) / (h * cfl), exact = std::min(cfl, 1.0);
  if (const ClothMesh* mesh = clothOf(d)) return std::max(waves, mesh->bendingFrequency / (2 * exact));
  if (d.material.model != MaterialModel::Liquid) return waves;
  return std::max(waves, 4 * d.material.viscosity / (d.material.density * h * h * exact));
}

/// Smallest N that keeps every material stable. Without particles: as stiff as at rest.
double stableSubsteps(const Model& model, double dt, const SoftFacts* particles = nullptr) {
  double fastest = 0;
  for (std::size_t d = 0; d < model.deformables.size(); ++d)
    fastest =
        std::max(fastest, rate(model.deformables[d], particles ? particles->deformables[d].stiffening : 1,
                               model.gridSpacing, model.time.cfl));
  // A stretch is known to single precision: at rest it must not ask for one substep more.
  constexpr double kRounding = 1e-5;
  return std::ceil(dt * fastest * (1 - kRounding));
}

/// Smallest N with |v| δt < h/2.
double advectionSubsteps(double gridSpacing, double dt, double speed) {
  return std::floor(2 * dt * speed / gridSpacing) + 1;
}

}  // namespace

int substepsByCfl(const Model& model, double dt, double maxParticleSpeed) {
  return toCount(
      std::max(stableSubsteps(model, dt), advectionSubsteps(model.gridSpacing, dt, maxParticleSpeed)));
}

SubstepSchedule::SubstepSchedule(const Model& model, double dt, const SoftFacts& particles)
    : gridSpacing_(model.gridSpacing),
      automatic_(model.time.substeps <= 0),
      lastSpeed_(particles.maxSpeed()) {
  const double stable = stableSubsteps(model, dt, &particles);
  remaining_ = model.time.substeps;
  if (automatic_) remaining_ = toCount(std::max(stable, advectionSubsteps(gridSpacing_, dt, lastSpeed_)));
  length_ = dt / remaining_;
  if (stable > remaining_) cflExceeded_ = true;
}

SubstepSchedule::SubstepSchedule(double gridSpacing, double dt, const SoftFacts& particles)
    : gridSpacing_(gridSpacing),
      automatic_(true),
      lastSpeed_(particles.maxSpeed()),
      remaining_(toCount(advectionSubsteps(gridSpacing_, dt, lastSpeed_))) {
  length_ = dt / remaining_;
}

double SubstepSchedule::next(double maxSpeed) {
  SIM_REQUIRE(!done());
  // What matters is the speed that the substep ends with: expect the last gain once more.
  const double expected = maxSpeed + std::max(0.0, maxSpeed - lastSpeed_);
  lastSpeed_ = maxSpeed;
  if (automatic_ && outruns(expected) && taken_ + remaining_ < kMaxSubsteps) {
    constexpr double kMargin = 1.25;  // so that slowly growing speeds do not split every substep
    const double rest = length_ * remaining_;
    remaining_ = std::max(remaining_, toCount(advectionSubsteps(gridSpacing_, rest, kMargin * expected)));
    length_ = rest / remaining_;
  }
  if (outruns(maxSpeed)) cflExceeded_ = true;
  --remaining_;
  ++taken_;
  elapsed_ += length_;
  return length_;
}

void SubstepSchedule::finished(double maxSpeed) {
  if (outruns(maxSpeed)) cflExceeded_ = true;
}

}  // namespace slipstick::mpm
