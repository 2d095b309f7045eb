// Grid boundaries as surfaces in the world. Part of buildFrame().
#pragma once

#include "render/frame.h"

namespace slipstick::render {

/// Whether a boundary imposes its velocity at time t [s].
bool actsAt(const Boundary& boundary, double t);

/// Those that act at the frame's time. Of a plane, a square around where the deformables start.
void addBoundaries(const Model& model, const Selection& selection, Frame& frame);

}  // namespace slipstick::render
