// Deformables as spheres or as triangles. Part of buildFrame().
#pragma once

#include "render/frame.h"
#include "render/soft_colors.h"

namespace slipstick::render {

/// All that the look of deformables depends on beside where their particles are.
struct SoftLooks {
  const Model& model;
  const ViewOptions& options;
  const Looks& looks;
  const SoftColors& colors;
};

/// Which particles are drawn as spheres and how, and the box around all that is seen.
void addSpheres(const SoftLooks& style, SoftParts& parts);

/// As the triangles that they have of their own, sheets with both sides; others as the skin of their particles.
void addSoftMeshes(const SoftLooks& style, SoftParts& parts);

}  // namespace slipstick::render
