// From a state to the immutable facts that people and files read.
#pragma once

#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/state.h"
#include "engine/mpm/backend.h"

namespace slipstick {

/// Fills everything that follows from the state alone: poses, velocities, particles, facts, totals, hash.
/// Contacts, wrenches, actuator forces and the report are left empty.
/// @param backend  measures stress and elastic energy; null for a scene without particles
void buildSnapshot(const Model& model, const State& state, mpm::Backend* backend, Snapshot& snapshot);

/// Σ over the particles. Kinetic energy and angular momentum include the affine part with D = h²/4:
/// ½Σm(|v|² + D|C|²), Σm(x × v + D ε:Cᵀ) (shared/reference/mpm/README.md, Totals).
Totals particleTotals(const Model& model, const ParticleState& particles, const Vec3& gravity);

/// Centre, velocity, box and volume ΣJV⁰ of one deformable. J = det F_E: plastic flow of the von Mises models
/// is isochoric, so the elastic gradient has the whole change of volume.
DeformableFacts factsOf(const Model& model, const Deformable& deformable, const ParticleState& particles);

}  // namespace slipstick
