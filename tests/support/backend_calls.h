// A backend used on particles that the test owns.
#pragma once

#include "engine/mpm/backend.h"

namespace slipstick::testing {

/// The backend takes the particles over, advances them and, unless it refuses, gives them back.
inline void advance(mpm::Backend& backend, const mpm::StepInput& input, double dt, ParticleState& particles,
                    mpm::StepResult& result) {
  backend.restore(particles);
  backend.advance(input, dt, result);
  if (refused(result.report.health)) return;
  backend.accept();
  backend.save(particles);
}

/// What there is to see of the particles.
inline mpm::ParticleView look(mpm::Backend& backend, const ParticleState& particles) {
  backend.restore(particles);
  mpm::ParticleView view;
  backend.look(view);
  return view;
}

}  // namespace slipstick::testing
