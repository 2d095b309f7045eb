// How soft bodies become nodes where their method has no way of its own.
#pragma once

#include "engine/compile/compilation.h"
#include "engine/model/discretization.h"

namespace slipstick {

/// Fills the shape of a deformable with particles; a cloth gets one per vertex and one per triangle. Notices where the grid
/// cannot resolve it.
/// Errors: a shape that the material cannot fill or cover, see sampleShape() and buildClothMesh(); Cancelled.
Result<DeformableNodes> asParticles(Compilation& c, const DeformableSpec& spec,
                                    const MaterialParameters& material);

}  // namespace slipstick
