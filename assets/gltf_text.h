// glTF as Assimp may have it.
#pragma once

#include <functional>
#include <string>

#include "engine/foundation/result.h"

namespace slipstick::assets {

/// A file that a glTF file names, by that name.
using ReadBeside = std::function<Result<std::string>(const std::string&)>;

/// A glTF 2.0 file in which positions, normals, tangents and texture coordinates are floats, as Assimp 5.2 takes all of them
/// for: of KHR_mesh_quantization, and of texture coordinates in bytes and shorts, which all files may have. An integer c is
/// normalised to c/(2^n − 1), with a sign to max(c/(2^(n−1) − 1), −1) (glTF 2.0, section 3.6.2.2), or stands for itself.
/// Unchanged where there is nothing to do.
/// Errors, without the file: a required extension that is not read, by its name; accessors beyond their buffers.
/// @param isBinary  of a .glb file
Result<std::string> gltfForAssimp(std::string file, bool isBinary, const ReadBeside& readBeside);

}  // namespace slipstick::assets
