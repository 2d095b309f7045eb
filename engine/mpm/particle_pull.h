// A person pulls at soft things.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/state.h"

namespace slipstick::mpm {

/// What a pull gave to the particles.
struct PullImpulse {
  Vec3 sum = Vec3::Zero();  ///< [N s]
  double fastest = 0;       ///< largest change of a particle's velocity [m/s]
};

inline const Deformable& pulledDeformable(const Model& model, const Pull& pull) {
  return *std::find_if(model.deformables.begin(), model.deformables.end(),
                       [&](const Deformable& d) { return pull.particle < d.end; });
}

/// Accelerates the particles of a deformable around one of them for a step Δt, once at its start: in the
/// middle by ω² (goal − x) − 2ω v̄, at most 60 m/s², fading as (1 − r²/R²)² to R = 3 h; v̄ is their mean
/// velocity, weighted so. Springs that the step cannot resolve act softer. Velocities stay numbers of the
/// type Real.
template <class Real>
PullImpulse pullParticles(const Pull& pull, const Model& model, const Deformable& deformable, double dt,
                          ParticleState& particles) {
  constexpr double kLargestAcceleration = 60, kStiffest = 0.5, kReach = 3;  // [m/s²], ω Δt, cells
  const Vec3 centre = particles.x[static_cast<std::size_t>(pull.particle)];
  const double reach = kReach * model.gridSpacing;
  std::vector<std::pair<std::size_t, double>> near;  // particle, share
  double mass = 0;
  Vec3 momentum = Vec3::Zero();
  for (auto p = static_cast<std::size_t>(deformable.begin); p < static_cast<std::size_t>(deformable.end);
       ++p) {
    const double part = 1 - (particles.x[p] - centre).squaredNorm() / (reach * reach);
    if (part <= 0) continue;
    near.emplace_back(p, part * part);
    mass += part * part * model.particles.mass[p];
    momentum += part * part * model.particles.mass[p] * particles.v[p];
  }
  const double omega = std::min(pull.naturalFrequency, kStiffest / dt);
  Vec3 acceleration = omega * omega * (pull.goal_W - centre) - 2 * omega * momentum / mass;
  if (acceleration.norm() > kLargestAcceleration) acceleration *= kLargestAcceleration / acceleration.norm();
  PullImpulse given;
  for (const auto& [p, share] : near) {
    const Vec3 before = particles.v[p];
    const Vec3 after = before + dt * share * acceleration;
    particles.v[p] = after.cast<Real>().template cast<double>();
    given.sum += model.particles.mass[p] * (particles.v[p] - before);
    given.fastest = std::max(given.fastest, (particles.v[p] - before).norm());
  }
  return given;
}

}  // namespace slipstick::mpm
