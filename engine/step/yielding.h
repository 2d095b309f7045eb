// Which bodies contact can move.
#pragma once

#include "engine/model/model.h"

namespace slipstick {

/// Whether a body is on a path, with all that is fixed to it.
bool isPrescribed(const Model& model, int body);

/// Whether forces move a body: it is neither fixed to the world nor on a path.
bool yieldsToForces(const Model& model, int body);

}  // namespace slipstick
