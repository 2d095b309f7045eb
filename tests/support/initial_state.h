// The whole state that a scene starts in, where its method has particles.
#pragma once

#include "engine/model/state.h"
#include "engine/mpm/particle_state.h"

namespace slipstick::testing {

inline State initialState(const Model& model) {
  State state = State::initial(model);
  mpm::toSoftState(mpm::particlesAtStart(model), state.soft);
  return state;
}

}  // namespace slipstick::testing
