// Contact surfaces between rigid bodies as triangles and outlines. Part of buildFrame().
#pragma once

#include "engine/model/snapshot.h"
#include "render/frame.h"

namespace slipstick::render {

/// A reach without end [m].
inline constexpr float kEverywhere = 1e9f;

/// A patch of the snapshot as triangles, with pressures [Pa], or with the depths of its nearest contacts [m].
PatchSurface patchSurface(const FrameInput& input, int patch, bool depths);

/// Integral of its pressure [N].
double forceOf(const PressurePatch& patch);

}  // namespace slipstick::render
