// COLLADA as Assimp may have it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/foundation/result.h"

namespace slipstick::assets {

/// What a file's <asset> says of itself.
struct DaeAsset {
  std::optional<double> unit;  ///< [m]
  std::string unitName;
  std::optional<char> up;  ///< 'X', 'Y' or 'Z'
};

struct DaeForAssimp {
  std::string text;
  DaeAsset asset;
};

/// A COLLADA file's text without what Assimp 5.2 takes on trust:
/// - An accessor that counts further than its array goes (COLLADA 1.4.1, chapter 5, "accessor": what it has last ends at
///   offset + (count - 1) stride + the size of its params) counts as far as that. Assimp would make vertices of what lies
///   beyond; an index that is too large it refuses by itself. Where arrays have one id, each accessor has that of its own
///   <source>, and all get other ids: there are robots with such files.
/// - Animations, controllers, cameras and lights are left out, which no mesh needs: Assimp checks no index of a skin, and
///   refuses two cameras of one name. A skin stands as the geometry that it moves.
/// Errors: text that is not well-formed XML, counts that are no whole numbers, a controller that moves no geometry; each with
/// its line.
Result<DaeForAssimp> daeForAssimp(const std::filesystem::path& file, std::string text);

}  // namespace slipstick::assets
