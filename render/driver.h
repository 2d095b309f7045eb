// What draws: a GPU, or the processor in its place.
#pragma once

namespace slipstick::render {

/// Of the current context: whether every texel costs processor time.
bool drawsInSoftware();

}  // namespace slipstick::render
