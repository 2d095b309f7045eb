// Particles that are deeper than half of a shape.
#pragma once

#include <vector>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/soft_outcome.h"

namespace slipstick {

/// Appends a note for each pair of a body and a deformable of which some contact has passed the middle of a shape: value is
/// the depth of the one that is furthest beyond it, limit that of the middle.
void addThinShapes(const Model& model, const std::vector<TouchImpulse>& contacts,
                   std::vector<HealthNote>& notes);

}  // namespace slipstick
