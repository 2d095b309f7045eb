// What is done to pictures once they are read back.
#pragma once

#include "render/offscreen.h"

namespace slipstick::render {

/// From colours that were multiplied by their opacity, as blending leaves them, to colours and opacity apart. What is
/// fully transparent becomes black.
void unmultiply(Image& image);

/// Averages squares of factor × factor pixels, in linear light and weighed by their opacity.
/// @param factor  divides both sides
Image averaged(const Image& image, int factor);

}  // namespace slipstick::render
