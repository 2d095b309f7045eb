#include "engine/mpm/backends/serial_backend.h"

#include <algorithm>
#include <cmath>

#include "engine/foundation/scope_timer.h"
#include "engine/foundation/stopping.h"
#include "engine/geometry/signed_distance.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/model/cloth.h"
#include "engine/mpm/bspline.h"
#include "engine/mpm/contact/held_side.h"
#include "engine/mpm/contact/rigid_substep.h"
#include "engine/mpm/materials/dispatch.h"
#include "engine/mpm/particle_health.h"
#include "engine/mpm/particle_look.h"
#include "engine/mpm/particle_materials.h"
#include "engine/mpm/particle_pull.h"
#include "engine/mpm/transfer.h"

namespace slipstick::mpm {

void SerialBackend::tune(std::shared_ptr<const Model> model) {
  std::swap(model_, model);
  try {
    facts_ = factsOf(live_);
  } catch (...) {
    std::swap(model_, model);
    throw;
  }
}

void SerialBackend::restore(const ParticleState& particles) {
  live_ = particles;
  facts_ = factsOf(live_);
}

void SerialBackend::accept() noexcept {
  std::swap(live_, p_);
  std::swap(facts_, advancedFacts_);
}

void SerialBackend::advance(const StepInput& motion, double dt, SoftOutcome& result) {
  result.reset(motion.bodies.size(), model_->boundaries.size());
  account_.begin(motion.bodies.size(), model_->boundaries.size());
  phases_ = {};
  startGeometries(*model_, motion, geometries_);
  for (std::size_t g = 0; g < geometries_.size(); ++g) geometries_[g].heldReach = heldReaches_[g];
  freezeBoundaries(*model_, motion, boundaries_);
  p_ = live_;
  last_.load(p_.contacts);
  result.report.health = particleHealth(p_, model_->gridSpacing);
  if (result.report.health != 0) return;

  for (const Pull& pull : motion.pulls)
    result.pullImpulse += pullParticles(pull, *model_, dt, StateMotion{p_}).sum;
  SubstepSchedule schedule = scheduleOf(dt);
  while (!schedule.done()) {
    throwIfStopped(motion.stop);
    moveRigid(motion, schedule.elapsed());
    moveBoundaries(*model_, motion, schedule.elapsed(), boundaries_);
    const double length = schedule.next(maxSpeed(p_));
    if (motion.rigid != nullptr) motion.rigid->begin(length);
    substep(length, motion);
    result.report.health = particleHealth(p_, model_->gridSpacing);
    if (result.report.health != 0) return;
    if (motion.rigid != nullptr) endSubstep(*motion.rigid, motion.bodies, account_, rigidImpulses_);
    schedule.finished(maxSpeed(p_));
  }

  account_.finish(result);
  last_.store(p_.contacts);
  result.facts = advancedFacts_ = factsOf(p_);
  result.report.substeps = schedule.taken();
  result.report.activeNodes = activeNodes_;
  result.report.phases = phases_;
  if (schedule.cflExceeded()) raise(result.report.health, Health::CflExceeded);
}

void SerialBackend::moveRigid(const StepInput& motion, double elapsed) {
  const auto moved = [](std::size_t) {};
  motion.rigid != nullptr ? placeGeometries(*model_, *motion.rigid, geometries_, moved)
                          : moveGeometries(*model_, motion, elapsed, geometries_, moved);
}

/// Every (particle, geometry) pair with φ < 0 at x^k, or that is held from the other side, ordered by (geometry, particle);
/// with foresight also those that would be there after dt, as they move now.
void SerialBackend::detectContacts(const StepInput& motion, double dt) {
  detected_.clear();
  for (const StepGeometry<double>& g : geometries_) {
    const Pose X_GW = g.X_WG.inverse();
    for (std::size_t d = 0; d < model_->deformables.size(); ++d) {
      const ContactLaw& law = motion.laws[d * geometries_.size() + static_cast<std::size_t>(g.index)];
      if (!law.enabled) continue;
      const auto end = static_cast<std::size_t>(model_->deformables[d].end);
      for (auto i = static_cast<std::size_t>(model_->deformables[d].begin); i < end; ++i)
        detectContact(i, g, X_GW, dt);
    }
  }
}

void SerialBackend::detectContact(std::size_t i, const StepGeometry<double>& g, const Pose& X_GW, double dt) {
  const double reach = foresight() * model_->gridSpacing;
  const V3<double> p_G = toLanes<double>(Vec3(X_GW * p_.x[i]));
  const auto distance = signedDistance<double>(g.shape, p_G);
  const Vec3 normal = g.X_WG.R * toEigen(distance.normal);
  const double approach = reach > 0 ? dt * std::max(0.0, normal.dot(g.velocityAt(p_.x[i]) - p_.v[i])) : 0;
  if (distance.phi >= std::max(reach + approach, g.heldReach)) return;
  DetectedContact contact{static_cast<int>(i), g.index, g.body, -distance.phi, p_.x[i], normal, g.p_WB0};
  const auto inG = [&](const Vec3& v) { return toLanes<double>(Vec3(X_GW.R * v)); };
  const auto held =
      heldSide<double>(g.shape, p_G, distance, inG(toEigen(last_.of(static_cast<int>(i), g.index))),
                       inG(dt * (p_.v[i] - g.velocityAt(p_.x[i]))), g.heldReach);
  if (held.isHeld) {
    contact.penetration = held.depth;
    contact.normal = g.X_WG.R * toEigen(held.normal);
    contact.middle = held.middle;
  } else if (distance.phi >= reach + approach) {
    return;
  }
  detected_.push_back(contact);
}

void SerialBackend::remember(const DetectedContact& contact, const V3<double>& impulse) {
  const double reach = geometries_[static_cast<std::size_t>(contact.geometry)].heldReach;
  last_.add(contact.particle, contact.geometry,
            rememberedImpulse(impulse, toLanes<double>(contact.normal), reach));
}

SerialBackend::Stencil SerialBackend::stencilAt(const Vec3& x) {
  const double h = model_->gridSpacing;
  const Bspline<double> b = bspline(toLanes<double>(x), 1 / h);
  const std::array<int, 3> base = {static_cast<int>(b.base.x), static_cast<int>(b.base.y),
                                   static_cast<int>(b.base.z)};
  Stencil s;
  std::size_t n = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k, ++n) {
        s.node[n] = grid_.touch(base[0] + i, base[1] + j, base[2] + k);
        s.weight[n] = b.w[0][i] * b.w[1][j] * b.w[2][k];
        s.offset[n] = h * V3<double>{i - b.f.x, j - b.f.y, k - b.f.z};
      }
  return s;
}

/// m_i = Σ w m_p, (mv)_i = Σ w [m v + (m C − δt V⁰ 4/h² τ)(x_i − x_p)] with the stress of the substep's
/// start.
void SerialBackend::particlesToGrid(double dt, bool stress) {
  grid_.clear();
  stencils_.resize(p_.x.size());
  const SoftNodes& initial = model_->nodes;
  for (const Deformable& d : model_->deformables) {
    if (clothOf(d)) {
      clothToGrid(d, dt, stress);
      continue;
    }
    const MaterialConstants<double> constants = constantsOf(d);
    withMaterial(d.material.model, [&](auto material) {
      for (auto p = static_cast<std::size_t>(d.begin); p < static_cast<std::size_t>(d.end); ++p) {
        const double m = initial.mass[p];
        const M3<double> C = toLanes<double>(p_.C[p]);
        const M3<double> tau =
            stress ? material.stress(toLanes<double>(p_.F[p]), internalOf(p_, p), C, constants)
                   : M3<double>::zero();
        addToGrid(
            p, m * toLanes<double>(p_.v[p]),
            affineMomentum(m, C, stressImpulseScale(dt, initial.volume[p], 1 / model_->gridSpacing), tau));
      }
    });
  }
}

/// Vertices bring the impulses of their triangles with their momentum; the directors' stress acts where the
/// centroids are (Jiang et al. 2017).
void SerialBackend::clothToGrid(const Deformable& d, double dt, bool stress) {
  if (stress) computeClothForces(d, p_, cloth_);
  const auto begin = static_cast<std::size_t>(d.begin), end = static_cast<std::size_t>(d.end),
             vertices = static_cast<std::size_t>(clothOf(d)->vertices);
  const double scale = stressImpulseScale(dt, 1.0, 1 / model_->gridSpacing);
  for (std::size_t p = begin; p < end; ++p) {
    const double m = model_->nodes.mass[p];
    Vec3 momentum = m * p_.v[p];
    Mat3 affine = m * p_.C[p];
    if (stress && p - begin < vertices)
      momentum += dt * cloth_.force[p - begin];
    else if (stress)
      affine -= scale * cloth_.couple[p - begin - vertices] * p_.F[p].col(2).transpose();
    addToGrid(p, toLanes<double>(momentum), toLanes<double>(affine));
  }
}

/// @param affine  what the momentum gains per distance from the particle [kg/s]
void SerialBackend::addToGrid(std::size_t particle, const V3<double>& momentum, const M3<double>& affine) {
  const double mass = model_->nodes.mass[particle];
  const Stencil& s = stencils_[particle] = stencilAt(p_.x[particle]);
  for (std::size_t n = 0; n < 27; ++n) {
    grid_[s.node[n]].mass += s.weight[n] * mass;
    grid_[s.node[n]].momentum += s.weight[n] * (momentum + affine * s.offset[n]);
  }
}

/// v* = (mv)_i/m_i + δt g, without a mass threshold.
void SerialBackend::freeMotion(double dt, const Vec3& gravity) {
  const V3<double> dv = dt * toLanes<double>(gravity);
  activeNodes_ = 0;
  for (GridNode<double>& node : grid_.nodes()) {
    if (node.mass <= 0) continue;
    node.velocity = (1 / node.mass) * node.momentum + dv;
    ++activeNodes_;
  }
}

/// The nodes with mass inside a boundary.
void SerialBackend::findBoundaryNodes() {
  boundaryNodes_.clear();
  if (boundaries_.empty()) return;
  std::vector<const FrozenBoundary*> all;
  for (const FrozenBoundary& b : boundaries_) all.push_back(&b);
  boundaryNodes_.begin(grid_.size());
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    if (grid_[i].mass <= 0) continue;
    boundaryNodes_.test(i, positionOf(i), all, model_->gridSpacing);
  }
}

Vec3 SerialBackend::positionOf(std::size_t gridNode) const {
  const BlockCoordinates at = grid_.nodeAt(gridNode);
  return model_->gridSpacing * Vec3(at.x, at.y, at.z);
}

/// Particles take their velocity from the grid; then F with its return map, and C.
void SerialBackend::gridToParticles(double dt) {
  for (const Deformable& d : model_->deformables) {
    if (clothOf(d)) {
      gridToCloth(d, dt);
      continue;
    }
    const MaterialConstants<double> constants = constantsOf(d);
    withMaterial(d.material.model, [&](auto material) {
      for (auto p = static_cast<std::size_t>(d.begin); p < static_cast<std::size_t>(d.end); ++p) {
        const M3<double> L = takeVelocity(p, dt);
        const M3<double> before = toLanes<double>(p_.F[p]), trial = trialDeformation(L, dt, before);
        const bool lagged = lagsRotation() && d.material.model == MaterialModel::LinearCorotatedVonMises;
        const Mapped<double> mapped =
            lagged ? LinearCorotatedVonMises::returnMap(trial, constants, lanes::polarRotation(before))
                   : material.returnMap(trial, internalOf(p_, p), constants);
        p_.F[p] = toEigen(mapped.F);
        p_.C[p] = toEigen(affineVelocity(L, d.apicDamping));
        p_.plastic[p] += mapped.strain;
        p_.internal[p] = {mapped.q.a, mapped.q.b};
      }
    });
  }
}

/// The grid carries the directors along; everything else of F follows from the vertices.
void SerialBackend::gridToCloth(const Deformable& d, double dt) {
  const int firstTriangle = d.begin + clothOf(d)->vertices;
  for (int i = d.begin; i < d.end; ++i) {
    const auto p = static_cast<std::size_t>(i);
    const M3<double> L = takeVelocity(p, dt);
    p_.C[p] = toEigen(affineVelocity(L, d.apicDamping));
    if (i >= firstTriangle) p_.F[p].col(2) += dt * (toEigen(L) * p_.F[p].col(2));
  }
  followVertices(d, p_);
}

/// v_p = Σ w v, x += δt v. @return L = 4/h² Σ w v (x_i − x_p)ᵀ
M3<double> SerialBackend::takeVelocity(std::size_t particle, double dt) {
  const double invH = 1 / model_->gridSpacing;
  const Stencil& s = stencils_[particle];
  V3<double> v{0, 0, 0};
  M3<double> B = M3<double>::zero();
  for (std::size_t n = 0; n < 27; ++n) {
    const V3<double> wv = s.weight[n] * grid_[s.node[n]].velocity;
    v += wv;
    B = B + outer(wv, s.offset[n]);
  }
  p_.v[particle] = toEigen(v);
  p_.x[particle] += dt * p_.v[particle];
  return (4 * invH * invH) * B;
}

SoftFacts SerialBackend::factsOf(const ParticleState& particles) const {
  SoftFacts facts = mpm::factsOf(*model_, particles);
  for (std::size_t k = 0; k < model_->deformables.size(); ++k) {
    const Deformable& d = model_->deformables[k];
    DeformableSums& sums = facts.deformables[k];
    if (clothOf(d)) {
      addClothFacts(d, particles, sums);
      continue;
    }
    const MaterialConstants<double> constants = constantsOf(d);
    withMaterial(d.material.model, [&](auto material) {
      for (auto p = static_cast<std::size_t>(d.begin); p < static_cast<std::size_t>(d.end); ++p) {
        const M3<double> F = toLanes<double>(particles.F[p]);
        const Internal<double> q = internalOf(particles, p);
        sums.elasticEnergy += model_->nodes.volume[p] * material.energy(F, q, constants);
        sums.stiffening = std::max(sums.stiffening, material.stiffening(F, q, constants));
      }
    });
  }
  return facts;
}

void SerialBackend::look(SoftView& view) {
  lookAt(*model_, live_, view);
}

}  // namespace slipstick::mpm
