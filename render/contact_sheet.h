// Several pictures as one.
#pragma once

#include <vector>

#include "render/offscreen.h"
#include "render/palette.h"

namespace slipstick::render {

/// Pictures of one size, row by row, at most `columns` in a row, `gap` pixels of `background` between them.
/// Needs at least one picture.
Image contactSheet(const std::vector<Image>& pictures, int columns, int gap, Hex background);

}  // namespace slipstick::render
