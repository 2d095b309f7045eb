// What a person selects by name, on the command line.
#pragma once

#include <string>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "render/selection.h"

namespace slipstick::render {

/// "dough", "pin.roller", "roller", "left_arm", or "roller+dough" for what acts between two sides. A name is
/// a deformable's, a robot's, a body's in full or the last part of it, a boundary's or a loop's, and means the first of
/// these that has it. Fails with UnknownName, listing what there is.
Result<Selection> selectionNamed(const Model& model, const std::string& words);

/// What an edit of the scene leaves of a selection: the body, deformable, robot or pair of the same names.
Selection sameSelection(const Model& before, const Model& model, const Selection& selection);

}  // namespace slipstick::render
