// What a frame shows of other times and branches. Part of buildFrame().
#pragma once

#include "render/frame.h"

namespace slipstick::render {

/// A ghost has no more particles: it is to be seen through.
inline constexpr std::size_t kMaxGhostParticles = 20000;

/// One per FrameInput::ghosts that is of no other model than the frame's: poses of its bodies, particles thinned evenly.
/// Several run from violet, the first, to blue, the last.
void addGhosts(const FrameInput& input, Frame& frame);

}  // namespace slipstick::render
