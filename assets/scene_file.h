// A scene as it is now, as a file.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "assets/scene_writer.h"
#include "engine/model/parameters.h"

namespace slipstick::assets {

/// Numbers that differ from the scene's, by the paths of engine/model/parameters.h; an empty value: not set any more.
using ChangedNumbers = std::vector<std::pair<std::string, ParameterValue>>;

/// Text of a scene with other numbers. Where the scene is from a file of its own, its comments, order and spacing stay as
/// they are but for what has changed; otherwise it is written anew.
/// @param folder  that the text is for: files are named so that they are found from there
/// @param packagePaths  folders searched for package://NAME
Result<std::string> textOfScene(const Scene& scene, const ChangedNumbers& numbers,
                                const std::filesystem::path& folder,
                                const std::vector<std::filesystem::path>& packagePaths = {});

/// The same into a file, whole or not at all: what stood there stays until the new text is on the disk.
Result<void> saveScene(const Scene& scene, const ChangedNumbers& numbers, const std::filesystem::path& file,
                       const std::vector<std::filesystem::path>& packagePaths = {});

}  // namespace slipstick::assets
