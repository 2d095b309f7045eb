// Which bodies a selection means, and whether what is selected has a rim in the picture.
#pragma once

#include <vector>

#include "engine/model/model.h"
#include "render/selection.h"

namespace slipstick::render {

/// Per body: the selected one, both of a loop, or all of the selected robot, without a world that its file brings.
std::vector<bool> selectedBodies(const Model& model, const Selection& selection);

/// Whether a line is drawn around it. Contacts are shown by their arrows.
bool hasOutline(const Selection& selection);

}  // namespace slipstick::render
