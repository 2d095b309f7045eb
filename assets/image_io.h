// Images that surfaces wear, decoded by stb_image.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "engine/foundation/result.h"
#include "engine/geometry/shape.h"

namespace slipstick::assets {

using SharedImage = std::shared_ptr<const TextureImage>;

/// What an image holds, which decides how finely it is kept.
enum class ImageUse {
  Color,  ///< sRGB, at most 2048 texels a side
  Data,   ///< numbers (roughness, normals), at most 1024 texels a side
};

/// PNG, JPEG, BMP, TGA, GIF (its first picture); alpha is left out, larger images are halved until they
/// fit. Who asks for a file that somebody still holds gets the same image. Any thread may ask.
/// Errors: the file is missing, unreadable, of another format, cut off or beyond what limits.h allows.
Result<SharedImage> loadImage(const std::filesystem::path& file, ImageUse use);

/// The same for an image inside another file.
/// @param index  which of that file's images
/// @param bytes  as an image file has them
Result<SharedImage> loadEmbeddedImage(const std::filesystem::path& holder, int index, std::string_view bytes,
                                      ImageUse use);

/// One image for SurfaceMaps::finish. Each may be null, which counts as 1 everywhere.
/// @param occlusion  its red is the openness to the surroundings
/// @param roughness  its green is the roughness
/// @param metallic   its blue is the metal; these channels are glTF's, and the same in grey images
SharedImage packFinish(const SharedImage& occlusion, const SharedImage& roughness,
                       const SharedImage& metallic);

}  // namespace slipstick::assets
