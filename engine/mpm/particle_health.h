// Whether a particle state can be stepped at all.
#pragma once

#include <algorithm>

#include "engine/model/snapshot.h"
#include "engine/model/state.h"

namespace slipstick::mpm {

/// NonFinite when any of x, v, F, C is NaN or infinite; ParticlesOutside when a position is beyond
/// kDomainCells cells.
HealthFlags particleHealth(const ParticleState& particles, double gridSpacing);

/// Largest particle speed [m/s].
double maxSpeed(const ParticleState& particles);

/// Index of the deformable that a particle belongs to.
inline std::size_t deformableOf(const Model& model, std::size_t particle) {
  const auto next =
      std::upper_bound(model.deformables.begin(), model.deformables.end(), static_cast<int>(particle),
                       [](int p, const Deformable& d) { return p < d.end; });
  return static_cast<std::size_t>(next - model.deformables.begin());
}

}  // namespace slipstick::mpm
