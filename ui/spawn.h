// Where a new body appears.
#pragma once

#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "render/selection.h"

namespace slipstick::ui {

/// A free place above the selected body or deformable, or above what the scene's first camera in the world looks at:
/// higher than all particles and bodies' origins near the vertical through it [m].
Vec3 placeAbove(const Model& model, const Snapshot& snapshot, const render::Selection& selection);

}  // namespace slipstick::ui
