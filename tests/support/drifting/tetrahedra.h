// The soft bodies: tetrahedra that drift with their nodes' velocities, and push each other away.
#pragma once

#include "engine/model/model.h"
#include "engine/model/soft_outcome.h"
#include "engine/model/soft_state.h"
#include "engine/step/method.h"

namespace slipstick::drifting {

/// As the scene says.
SoftState tetrahedraAtStart(const Model& model);
/// Throws StepFailure where a state is of another method.
void checkState(const Model& model, const SoftState& soft);

SoftFacts factsOf(const Model& model, const SoftState& soft);
void lookAt(const SoftState& soft, SoftView& view);

/// Smallest distance between nodes of two tetrahedra; 0 where there are not two [m].
double nearestDistance(const Model& model, const SoftState& soft);

/// Moves them on by a step: first pulls, then contacts change velocities, then they drift.
void moveTetrahedra(const Model& model, const StepFrame& frame, double reach, SoftState& soft,
                    SoftOutcome& outcome);

}  // namespace slipstick::drifting
