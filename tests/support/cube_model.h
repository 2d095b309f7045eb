// A cube of particles: a scene that needs no files.
#pragma once

#include <memory>

#include "engine/model/model.h"

namespace slipstick::testing {

/// Particles sampled on a cubic lattice, eight per cell, at rest; one substep per step.
/// @param gridSpacing  [m]
std::shared_ptr<Model> cubeModel(int particlesPerEdge, MaterialModel material, double gridSpacing = 0.04);

}  // namespace slipstick::testing
