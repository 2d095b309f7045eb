// What the two panels of the scene hold feel once the cube is settled.
#pragma once

#include <array>
#include <cmath>

#include "tests/validation/scene_run.h"

namespace slipstick::testing {

struct PanelForces {
  std::array<Vec3, 2> mean = {Vec3::Zero(), Vec3::Zero()};  ///< left, right [N]
  std::array<double, 2> lateralRms = {0, 0};                ///< along y [N]
  int samples = 0;
};

/// Of the last 40 % of the scene, which runs to its end.
inline PanelForces settledPanelForces(SceneRun& run) {
  const std::array<int, 2> panels = {run.model().findBody("left.panel"), run.model().findBody("right.panel")};
  PanelForces forces;
  if (panels[0] <= 0 || panels[1] <= 0) {
    ADD_FAILURE() << "the scene has no panels";
    return forces;
  }
  const double end = run.model().time.duration;
  run.runTo(0.6 * end);
  run.runTo(end, [&](const Snapshot& s) {
    for (std::size_t i = 0; i < 2; ++i) {
      const Vec3& f = s.contactWrench[static_cast<std::size_t>(panels[i])].force;
      forces.mean[i] += f;
      forces.lateralRms[i] += f.y() * f.y();
    }
    ++forces.samples;
  });
  for (std::size_t i = 0; i < 2; ++i) {
    forces.mean[i] /= forces.samples;
    forces.lateralRms[i] = std::sqrt(forces.lateralRms[i] / forces.samples);
  }
  return forces;
}

}  // namespace slipstick::testing
