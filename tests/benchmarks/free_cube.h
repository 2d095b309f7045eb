// A cube of particles that moves freely: what the transfers are timed by, on every backend.
#pragma once

#include <memory>

#include "engine/model/model.h"
#include "engine/model/state.h"

namespace slipstick {

/// edge³ particles, eight per cell, that turn and shear slowly and touch nothing: steps of 1 ms, 20 substeps each.
std::shared_ptr<const Model> freeCube(int edge, MaterialModel material = MaterialModel::NeoHookean);

}  // namespace slipstick
