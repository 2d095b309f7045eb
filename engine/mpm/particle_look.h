// What people see of particles, from their state alone, in double precision.
#pragma once

#include "engine/model/model.h"
#include "engine/mpm/particle_facts.h"
#include "engine/mpm/particle_state.h"

namespace slipstick::mpm {

/// Everything of `view`. Requires a state that is finite.
void lookAt(const Model& model, const ParticleState& particles, SoftView& view);

}  // namespace slipstick::mpm
