// What a person selects by name, on the command line.
#pragma once

#include <string>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "render/view.h"

namespace slipstick::render {

/// "dough", "pin.roller", "roller", "left_arm", or "roller+dough" for what acts between two sides. A name is
/// a body's in full, a deformable's, a robot's, or the last part of a body's. Fails with UnknownName, listing
/// what there is.
Result<Selection> selectionNamed(const Model& model, const std::string& words);

}  // namespace slipstick::render
