// The shapes of a model's bodies as the studio draws them, for files of geometry.
#pragma once

#include <vector>

#include "assets/export/display_shapes.h"
#include "engine/model/model.h"

namespace slipstick::app {

/// The visuals that are not hidden, in the scene's colours. Images on them are left out. A mesh that is painted in more
/// than 64 colours has their mean.
std::vector<assets::DisplayShape> displayShapesOf(const Model& model);

}  // namespace slipstick::app
