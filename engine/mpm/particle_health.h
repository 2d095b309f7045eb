// Whether a particle state can be stepped at all.
#pragma once

#include "engine/model/snapshot.h"
#include "engine/mpm/particle_state.h"

namespace slipstick::mpm {

/// NonFinite when any of x, v, F, C is NaN or infinite; ParticlesOutside when a position is beyond
/// kDomainCells cells.
HealthFlags particleHealth(const ParticleState& particles, double gridSpacing);

/// Largest particle speed [m/s].
double maxSpeed(const ParticleState& particles);

}  // namespace slipstick::mpm
