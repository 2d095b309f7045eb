// What the materials take, in double precision, from the engine's own form of particles.
#pragma once

#include "engine/model/model.h"
#include "engine/mpm/materials/constants.h"
#include "engine/mpm/particle_state.h"

namespace slipstick::mpm {

inline MaterialConstants<double> constantsOf(const Deformable& d) {
  return materialNumbers(d.material).as<double, double>();
}

inline Internal<double> internalOf(const ParticleState& particles, std::size_t p) {
  return {particles.internal[p].x(), particles.internal[p].y()};
}

}  // namespace slipstick::mpm
