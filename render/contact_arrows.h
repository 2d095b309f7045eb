// Net forces of pairs and forces of their points as arrows, labels, rings and cones. Part of buildFrame().
#pragma once

#include "render/frame.h"

namespace slipstick::render {

/// Fills the arrows and what goes with them: of every pair in ContactParts::pairs, as PairView::seen says.
void addArrows(const FrameInput& input, ContactParts& parts);

/// Metres that one logical pixel shows at a point; never less than at the distance of 1 mm.
double metresPerPixel(const FrameInput& input, const Vec3& p_W);

}  // namespace slipstick::render
