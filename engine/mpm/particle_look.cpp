#include "engine/mpm/particle_look.h"

#include <cmath>

#include "engine/lanes/eigen_lanes.h"
#include "engine/model/cloth.h"
#include "engine/mpm/cloth_forces.h"
#include "engine/mpm/materials/dispatch.h"
#include "engine/mpm/particle_materials.h"

namespace slipstick::mpm {

void lookAt(const Model& model, const ParticleState& particles, SoftView& view) {
  lookAtMotion(particles, view);
  for (const Deformable& d : model.deformables) {
    if (clothOf(d)) {
      lookAtCloth(d, particles, view);
      continue;
    }
    const MaterialConstants<double> constants = constantsOf(d);
    withMaterial(d.material.model, [&](auto material) {
      for (auto p = static_cast<std::size_t>(d.begin); p < static_cast<std::size_t>(d.end); ++p) {
        const M3<double> tau = material.stress(toLanes<double>(particles.F[p]), internalOf(particles, p),
                                               toLanes<double>(particles.C[p]), constants);
        view.stress[p] = static_cast<float>(std::sqrt(1.5 * squaredNorm(deviator(tau))));
        view.pressure[p] = static_cast<float>(-trace(tau) / 3);
      }
    });
  }
}

}  // namespace slipstick::mpm
