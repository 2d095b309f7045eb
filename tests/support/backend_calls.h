// A backend used on particles that the test owns.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/mpm/backend.h"

namespace slipstick::testing {

/// The backend takes the particles over, advances them and, unless it refuses, gives them back.
inline void advance(mpm::Backend& backend, const mpm::StepInput& input, double dt,
                    mpm::ParticleState& particles, SoftOutcome& result) {
  backend.restore(particles);
  backend.advance(input, dt, result);
  if (refused(result.report.health)) return;
  backend.accept();
  backend.save(particles);
}

/// What there is to see of the particles.
inline SoftView look(mpm::Backend& backend, const mpm::ParticleState& particles) {
  backend.restore(particles);
  SoftView view;
  backend.look(view);
  return view;
}

/// Over pairs of points [m].
inline double largestDistance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, (a[i] - b[i]).norm());
  return worst;
}

}  // namespace slipstick::testing
