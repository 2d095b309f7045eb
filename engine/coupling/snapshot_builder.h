// From a state to the immutable facts that people and files read.
#pragma once

#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/state.h"
#include "engine/mpm/backend.h"

namespace slipstick {

/// Fills everything that follows from the state alone: poses, velocities, particles, facts, totals, hash.
/// Contacts, wrenches, actuator forces and the report are left empty. Memory that the snapshot has is used
/// again.
/// @param state    without its particles
/// @param backend  has the particles; null for a scene without
void buildSnapshot(const Model& model, const State& state, mpm::Backend* backend, Detail detail,
                   Snapshot& snapshot);

}  // namespace slipstick
