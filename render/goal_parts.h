// What a frame shows of effectors that people drive. Part of buildFrame().
#pragma once

#include "render/frame.h"

namespace slipstick::render {

/// A mark at each goal, and the tool as a ghost there while it is on its way. With handles, effectors that nobody drives
/// have marks at their tools.
void addGoals(const FrameInput& input, Frame& frame);

}  // namespace slipstick::render
