// The bodies that a selection means.
#pragma once

#include <vector>

#include "engine/model/model.h"
#include "render/view.h"

namespace slipstick::render {

/// Per body: the selected one, or all of the selected robot, without a world that its file brings.
std::vector<bool> selectedBodies(const Model& model, const Selection& selection);

}  // namespace slipstick::render
