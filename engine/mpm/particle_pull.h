// A person pulls at soft things.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/mpm/particle_state.h"

namespace slipstick::mpm {

/// What a pull gave to the particles.
struct PullImpulse {
  Vec3 sum = Vec3::Zero();  ///< [N s]
  double fastest = 0;       ///< largest change of a particle's velocity [m/s]
};

/// Particles in double precision, as pullParticles() wants them.
struct StateMotion {
  ParticleState& particles;

  Vec3 position(int particle) const { return particles.x[static_cast<std::size_t>(particle)]; }
  Vec3 velocity(int particle) const { return particles.v[static_cast<std::size_t>(particle)]; }
  void setVelocity(int particle, const Vec3& v) { particles.v[static_cast<std::size_t>(particle)] = v; }
};

/// Accelerates the particles of a deformable around one of them for a step Δt, once at its start: in the
/// middle by ω² (goal − x) − 2ω v̄, at most 60 m/s², fading as (1 − r²/R²)² to R = 3 h; v̄ is their mean
/// velocity, weighted so. Springs that the step cannot resolve act softer.
/// @param motion  positions and velocities by particle; what it stores of a velocity counts
template <class Motion>
PullImpulse pullParticles(const Pull& pull, const Model& model, double dt, Motion motion) {
  constexpr double kLargestAcceleration = 60, kStiffest = 0.5, kReach = 3;  // [m/s²], ω Δt, cells
  const Deformable& deformable = *std::find_if(model.deformables.begin(), model.deformables.end(),
                                               [&](const Deformable& d) { return pull.particle < d.end; });
  const auto massOf = [&](int p) { return model.nodes.mass[static_cast<std::size_t>(p)]; };
  const Vec3 centre = motion.position(pull.particle);
  const double reach = kReach * model.gridSpacing;
  std::vector<std::pair<int, double>> near;  // particle, share
  double mass = 0;
  Vec3 momentum = Vec3::Zero();
  for (int p = deformable.begin; p < deformable.end; ++p) {
    const double part = 1 - (motion.position(p) - centre).squaredNorm() / (reach * reach);
    if (part <= 0) continue;
    near.emplace_back(p, part * part);
    mass += part * part * massOf(p);
    momentum += part * part * massOf(p) * motion.velocity(p);
  }
  const double omega = std::min(pull.naturalFrequency, kStiffest / dt);
  Vec3 acceleration = omega * omega * (pull.goal_W - centre) - 2 * omega * momentum / mass;
  if (acceleration.norm() > kLargestAcceleration) acceleration *= kLargestAcceleration / acceleration.norm();
  PullImpulse given;
  for (const auto& [p, share] : near) {
    const Vec3 before = motion.velocity(p);
    motion.setVelocity(p, before + dt * share * acceleration);
    const Vec3 change = motion.velocity(p) - before;
    given.sum += massOf(p) * change;
    given.fastest = std::max(given.fastest, change.norm());
  }
  return given;
}

}  // namespace slipstick::mpm
