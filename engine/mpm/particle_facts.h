// What all particles together amount to: sums that come out of a pass over them, wherever they live.
#pragma once

#include "engine/model/model.h"
#include "engine/model/soft_facts.h"
#include "engine/mpm/particle_state.h"

namespace slipstick::mpm {

/// In double precision, particle by particle; what the material decides (elastic energy, stiffening) is left
/// as it is at rest.
SoftFacts factsOf(const Model& model, const ParticleState& particles);

/// Positions, speed and plastic strain of `view`; no stress and no pressure.
void lookAtMotion(const ParticleState& particles, SoftView& view);

}  // namespace slipstick::mpm
