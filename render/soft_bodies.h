// Deformables as spheres or as triangles. Part of buildFrame().
#pragma once

#include "render/frame.h"
#include "render/soft_colors.h"

namespace slipstick::render {

/// Which particles are drawn as spheres and how, and the box around all.
void addSpheres(const Model& model, const ViewOptions& options, const SoftColors& colors, SoftParts& parts);

/// Cloth as its mesh, others as the surface of their particles.
void addSoftMeshes(const Model& model, const ViewOptions& options, const SoftColors& colors,
                   SoftParts& parts);

}  // namespace slipstick::render
