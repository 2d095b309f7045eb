// The files that a scene's file includes, and the defaults that each of them has for its own entries.
#pragma once

#include <filesystem>
#include <vector>

#include "assets/yaml_tree.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"

namespace slipstick::assets {

inline constexpr int kDeepestInclude = 8;        ///< files that include each other in a row
inline constexpr std::size_t kMaxIncludes = 64;  ///< files of one scene, with its own

/// A scene's document with what it includes below it, and without the keys 'include' and 'defaults'. A file that is
/// included more than once counts once, where it is first. Errors name file and line: a file that is not there or is no
/// scene, files that include each other in a circle, too many of them, defaults of no block.
/// @param file     of the document; empty where it is none
/// @param notices  gets those of what is read
Result<YamlTree> withIncludes(const YamlTree& own, const std::filesystem::path& file,
                              const std::vector<std::filesystem::path>& packagePaths,
                              std::vector<Notice>& notices);

}  // namespace slipstick::assets
