// Contact surfaces between rigid bodies as triangles and outlines. Part of buildFrame().
#pragma once

#include "engine/model/snapshot.h"
#include "render/frame.h"

namespace slipstick::render {

/// Fills the surfaces and their colour bar. All patches share one scale, so that colours compare.
void addPatches(const Model& model, const Snapshot& snapshot, const Selection& selection,
                ContactParts& parts);

}  // namespace slipstick::render
