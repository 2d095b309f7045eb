// The mesh formats that are read, and how each begins.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/foundation/result.h"

namespace slipstick::assets {

enum class MeshFormat { Stl, Obj, Dae, Gltf, Glb, Ply, Off };

/// By the file's name; none for all other suffixes.
std::optional<MeshFormat> formatNamed(const std::filesystem::path& file);

/// Lower case, without points: "stl", "obj", …
std::vector<std::string_view> meshSuffixes();

/// "STL", "glTF", …
std::string_view nameOf(MeshFormat format);

/// The format of the name, if the content begins as that format does. Errors: a name or content that is of no format
/// which is read, content that is of another one.
/// @param begin  of the file, as much as tellsFormat() wants, or all of it
/// @param size   of the whole file [bytes]
Result<MeshFormat> formatOf(const std::filesystem::path& file, std::string_view begin, std::size_t size);

/// Whether a beginning of a file is enough for formatOf(): XML has its first element after comments of any length.
bool tellsFormat(std::string_view begin);

}  // namespace slipstick::assets
