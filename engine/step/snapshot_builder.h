// From a state to the immutable facts that people and files read.
#pragma once

#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/state.h"
#include "engine/step/method.h"

namespace slipstick {

/// Fills everything that follows from the state alone: poses, velocities, particles, facts, totals, hash.
/// Contacts, wrenches, actuator forces and the report are left empty. Memory that the snapshot has is used
/// again.
/// @param state   without its soft bodies
/// @param method  has them
void buildSnapshot(const Model& model, const State& state, Method& method, Detail detail, Snapshot& snapshot);

}  // namespace slipstick
