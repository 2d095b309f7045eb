// Looks at an image before it is decoded: stb_image itself asks neither how much a PNG unpacks to nor how often a JPEG is
// gone over.
#pragma once

#include <string>
#include <string_view>

#include "engine/foundation/result.h"

namespace slipstick::assets {

/// Errors: more bytes, texels or work than limits.h allows; a format that is not read (PNG, JPEG, BMP, TGA and GIF are);
/// what no decoder knows.
/// @param name  stands for the image in errors
Result<void> checkImage(std::string_view bytes, const std::string& name);

}  // namespace slipstick::assets
