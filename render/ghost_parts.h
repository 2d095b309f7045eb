// What a frame shows of other times and branches. Part of buildFrame().
#pragma once

#include "render/frame.h"

namespace slipstick::render {

/// A ghost has no more particles: it is to be seen through.
inline constexpr std::size_t kMaxGhostParticles = 20000;

/// Whether what moves as one model's bodies do can be drawn as the other's: as where another method steps the same scene.
bool drawsAlike(const Model& a, const Model& b);

/// One per FrameInput::besides and FrameInput::ghosts that can be drawn as the frame's model: poses of its bodies, particles
/// thinned evenly. Several ghosts run from violet, the first, to blue, the last.
void addGhosts(const FrameInput& input, Frame& frame);

}  // namespace slipstick::render
