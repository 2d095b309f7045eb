#include "engine/mpm/particle_health.h"

#include <cmath>

#include "engine/mpm/grid.h"

namespace slipstick::mpm {

HealthFlags particleHealth(const ParticleState& particles, double gridSpacing) {
  HealthFlags flags = 0;
  const double limit = kDomainCells * gridSpacing;
  for (std::size_t p = 0; p < particles.x.size(); ++p) {
    const bool finite = particles.x[p].allFinite() && particles.v[p].allFinite() &&
                        particles.F[p].allFinite() && particles.C[p].allFinite();
    if (!finite)
      raise(flags, Health::NonFinite);
    else if (particles.x[p].cwiseAbs().maxCoeff() > limit)
      raise(flags, Health::ParticlesOutside);
  }
  return flags;
}

double maxSpeed(const ParticleState& particles) {
  double squared = 0;
  for (const Vec3& v : particles.v) squared = std::max(squared, v.squaredNorm());
  return std::sqrt(squared);
}

}  // namespace slipstick::mpm
